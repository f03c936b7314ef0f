//! `razorgirl linear` as it is used.

use std::process::Command;

/// What is printed, and the exit status.
fn linear(arguments: &[&str]) -> (String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_razorgirl")).arg("linear").args(arguments).output().expect("razorgirl runs");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).expect("it is text"), output.status.code().expect("a status"))
}

#[test]
fn from_cute_and_back() {
    let (text, status) = linear(&["(4,2):(2,1)"]);
    assert_eq!(status, 0);
    assert_eq!(
        text,
        "index 8 -> offset 8\n         1 -> 2\n         2 -> 4\n         4 -> 1\nCuTe: (4,2):(2,1)\n\
         JSON: {\"in\":[[\"index\",[[2],[4],[1]]]],\"out\":[[\"offset\",8]]}\n"
    );
    let json = r#"{"in":[["index",[[2],[4],[1]]]],"out":[["offset",8]]}"#;
    assert_eq!(linear(&[json]), (text, 0));
    assert_eq!(linear(&["(4,2):(2,1)", "--json"]), (format!("{json}\n"), 0));
}

#[test]
fn a_layout_that_carries_is_refused_with_the_numbers() {
    let (text, status) = linear(&["4:3"]);
    assert_eq!(status, 1);
    assert!(
        text.contains("indices 1 and 2 have the offsets 3 and 6, whose sum is 9 but whose exclusive or is 5"),
        "{text}"
    );
    assert_eq!(linear(&["(3,2):(1,4)"]).1, 1);
    assert_eq!(linear(&["(4,2"]).1, 2);
    assert_eq!(linear(&[r#"{"in":[["i",[[1]]]]}"#]).1, 2);
    assert_eq!(linear(&["4:1", "--invert", "--compose", "4:1"]).1, 2);
}

#[test]
fn compositions_inverses_and_quotients() {
    let swizzled = r#"{"in":[["offset",[[0,1],[0,2],[1,1],[2,2]]]],"out":[["row",4],["column",4]]}"#;
    let (inverse, status) = linear(&[swizzled, "--invert", "--json"]);
    assert_eq!(status, 0);
    let (same, _) = linear(&[swizzled, "--compose", inverse.trim(), "--json"]);
    assert_eq!(same, "{\"in\":[[\"offset\",[[1],[2],[4],[8]]]],\"out\":[[\"offset\",16]]}\n");
    assert!(linear(&[swizzled]).0.contains("CuTe: "));
    // (4,2):(2,1) and behind it 8:2
    assert!(linear(&["(4,2):(2,1)", "--compose", "8:2"]).0.contains("CuTe: (4,2):(4,2)\n"));
    assert!(linear(&["8:1", "--divide-left", "2:1"]).0.contains("CuTe: 4:1\n"));
    assert!(linear(&["8:1", "--divide-right", "2:1"]).0.contains("CuTe: 4:1\n"));
    assert_eq!(linear(&["(4,2):(2,1)", "--divide-left", "2:1"]), ("none\n".to_owned(), 1));
    assert_eq!(linear(&["4:2", "--invert"]), ("none\n".to_owned(), 1));
    let (text, status) = linear(&["8:1", "--compose", "4:1"]);
    assert!(status == 1 && text.contains("error[incongruent]"), "{text}");
}

#[test]
fn a_linear_layout_that_is_a_swizzle_after_a_layout_is_printed_so_and_read_back() {
    let json = r#"{"in":[["index",[[1],[2],[5],[10]]]],"out":[["offset",16]]}"#;
    let (text, status) = linear(&[json]);
    assert!(status == 0 && text.contains("\nCuTe: Sw<2,0,2> o 0 o 16:1\n"), "{text}");
    assert_eq!(linear(&["Sw<2,0,2> o 0 o (4,4):(1,4)", "--json"]), (format!("{json}\n"), 0));
    let (none, status) = linear(&[r#"{"in":[["i",[[3],[5],[6]]]],"out":[["o",8]]}"#]);
    assert!(
        status == 0 && none.contains("\nCuTe: none, it is no layout, and no Swizzle<B,M,S> after a layout\n"),
        "{none}"
    );
    let (refused, status) = linear(&["Sw<2,0,2> o 4 o (4,4):(1,4)"]);
    assert!(status == 1 && refused.contains("error[out_of_domain]"), "{refused}");
}
