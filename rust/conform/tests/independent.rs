//! A judge that asks the library would call every mistake of the library right.

#[test]
fn the_judge_does_not_depend_on_what_it_judges() {
    let manifest = include_str!("../Cargo.toml");
    let dependencies: Vec<&str> = manifest.lines().skip_while(|line| !line.starts_with("[dependencies]")).collect();
    assert!(dependencies.iter().any(|line| line.starts_with("num-bigint")), "the dependencies are there");
    let ours = dependencies.iter().find(|line| line.contains("razorgirl"));
    assert_eq!(ours, None, "neither the library nor the protocol");
}
