//! `razorgirl diagram` as it is used.

mod transcript;

use transcript::razorgirl;

fn diagram(arguments: &[&str]) -> String {
    razorgirl(&[&["diagram"], arguments].concat())
}

#[test]
fn transcripts() {
    insta::assert_snapshot!("diagram_row_major", diagram(&["(6,6):(6,1)"]));
    insta::assert_snapshot!("diagram_nested", diagram(&["((2,2),(2,2)):((24,0),(3,480))"]));
    insta::assert_snapshot!("diagram_morphism", diagram(&["(1,(),6)->(6,2) by (0,1)"]));
    insta::assert_snapshot!("diagram_intractable", diagram(&["(8,4,5):(8,1,10)"]));
    insta::assert_snapshot!("diagram_composition", diagram(&["(12,3,6):(1,72,12)", "(6,6):(6,1)"]));
    insta::assert_snapshot!("diagram_none", diagram(&["(3,5):(5,1)", "2:3"]));
    insta::assert_snapshot!("diagram_tikz", diagram(&["--tikz", "((2,2),5):((10,0),2)"]));
    insta::assert_snapshot!("diagram_svg", diagram(&["--svg", "-", "((2,2),5):((10,0),2)"]));
    insta::assert_snapshot!("diagram_help", diagram(&["--help"]));
}

#[test]
fn a_column_has_at_most_64_entries() {
    let ones = |n: usize| format!("({})", vec!["1"; n].join(","));
    let zeros = |n: usize| format!("({})", vec!["0"; n].join(","));
    assert!(diagram(&[&format!("{}:{}", ones(64), zeros(64))]).contains("basepoint"));
    let refused = diagram(&[&format!("{}:{}", ones(65), zeros(65))]);
    assert!(refused.contains("65 entries are too many"), "{refused}");
}
