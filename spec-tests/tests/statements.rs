//! What a quoted theorem states is defined in `Spec`; definitions in `Thm` serve proofs.

use std::fs;

use spec_tests::Project;
use spec_tests::statements::{UsedDefinition, mentioned};

#[test]
fn quoted_theorems_mention_definitions_of_spec_only() {
    let all = mentioned(&Project::repository()).expect("the sources can be read");
    let misplaced: Vec<&UsedDefinition> = all.iter().filter(|found| !found.quoted.is_empty()).collect();
    println!("{} definitions in Thm are mentioned by lemmas only", all.len() - misplaced.len());
    assert!(misplaced.is_empty(), "these belong to Spec: {misplaced:#?}");
}

const FILE: &str = "\
module
@[expose] public section
namespace Razorgirl.A
/-- Only proofs need it. -/
def helper : Nat := 1
/-- Stated by name. -/
def B.stated (n : Nat) : Prop := n = helper
/-- Stated of a value. -/
def B.fine (n : Nat) : Prop := n = 1
/-- Stated where its namespace is open. -/
def C.here : Nat := 1
/-- Used in a proof. -/
def used : Nat := 1
/-- A name that is also a variable's. -/
def D.decide : Nat := 1
private def hidden : Nat := 1
theorem lemma_of_helper : helper = 1 := rfl
/-- **It is so.**
Source: us -/
theorem quoted (n : Nat) (h : n.fine) :
    B.stated n ↔ decide (n = hidden) := by
  exact used
/-- **It is so, by cases.**
Source: us -/
theorem B.also : (n : Nat) → stated n
  | 0 => helper
open C in
/-- **It is so here.**
Source: us -/
theorem opened : here = 1 := rfl
end Razorgirl.A
";

#[test]
fn names_are_found_in_statements_and_not_in_proofs() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("lean/Razorgirl/Thm/A.lean");
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
    fs::write(path, FILE).expect("a file");
    let all = mentioned(&Project::at(dir.path())).expect("the sources can be read");
    let shown: Vec<String> = all
        .iter()
        .map(|found| {
            let quoted: Vec<&str> = found.quoted.iter().map(String::as_str).collect();
            format!("{}: {} | {}", found.name, quoted.join(" "), found.lemmas.len())
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Razorgirl.A.helper:  | 1",
            "Razorgirl.A.B.stated: Razorgirl.A.B.also Razorgirl.A.quoted | 0",
            "Razorgirl.A.B.fine: Razorgirl.A.quoted | 0",
            "Razorgirl.A.C.here: Razorgirl.A.opened | 0",
        ]
    );
}
