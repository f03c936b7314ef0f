//! The function that the README explains is the one that is printed.

#[test]
fn the_function_of_the_readme_is_printed_like_that() {
    let readme = include_str!("../README.md");
    let shown = readme.split("```rust,ignore\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let printed = include_str!("../src/functions.rs").replace("#[inline(always)]\n", "");
    assert!(shown.contains("pub fn ") && printed.contains(shown), "not printed like that:\n{shown}");
}
