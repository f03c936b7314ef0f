//! Lean definitions and Rust items that are twins name each other.

use std::fs;
use std::path::Path;

use spec_tests::Project;
use spec_tests::links::{Links, Report};

#[test]
fn twins_name_each_other() {
    let report = Links::read(&Project::repository()).expect("the sources can be read").report();
    println!(
        "{} pairs; {} definitions and {} public functions have no twin (`cargo run -p spec-tests -- links` lists them)",
        report.pairs,
        report.lean_alone.len(),
        report.rust_alone.len()
    );
    assert!(
        report.problems.is_empty(),
        "{}\n{} problems; `cargo run -p spec-tests -- links --write` adds lines that only lack an answer",
        report.problems.join("\n"),
        report.problems.len()
    );
}

const LEAN: &str = "\
module
@[expose] public section
namespace Razorgirl.Layout
/-- How many.
Rust: `razorgirl::Layout::size`, `razorgirl::size` -/
def size (L : Nat) : Nat := L
/-- Nothing like it. -/
def alone : Nat := 1
/-- Not a definition that anyone names.
Rust: `razorgirl::gone` -/
def wrong : Nat := 1
/-- Named from one side only. -/
def shy (n : Nat) :
    Nat := n
/-- The other side.
Rust: `razorgirl::deep::Kind::Even` -/
def even : Nat := 1
end Razorgirl.Layout
";

const LIB: &str = "\
mod layout;
pub mod deep {
    pub use super::layout::kinds::*;
}
pub use layout::{Layout, number as size};
";

const LAYOUT: &str = "\
/// A layout.
pub struct Layout;
impl Layout {
    /// How many.
    ///
    /// Lean: `Razorgirl.Layout.size`
    pub fn size(&self) {}
    pub fn undocumented(&self) {}
    fn hidden(&self) {}
}
/// How many.
///
/// Lean: `Razorgirl.Layout.size`, `Razorgirl.Layout.shy`
pub fn number() {}
pub fn unreachable_from_outside() {}
pub mod kinds {
    pub enum Kind {
        /// Two.
        Even,
        /// Lean: `Razorgirl.Layout.odd`
        Odd,
    }
}
";

fn project(root: &Path) -> Report {
    Links::read(&Project::at(root)).expect("the sources can be read").report()
}

#[test]
fn both_directions_are_read() {
    let dir = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        ("lean/Razorgirl/Spec/Layout.lean", LEAN),
        ("rust/razorgirl/src/lib.rs", LIB),
        ("rust/razorgirl/src/layout.rs", LAYOUT),
    ] {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let report = project(dir.path());
    assert_eq!(
        report.problems,
        [
            "lean/Razorgirl/Spec/Layout.lean:17: `Razorgirl.Layout.even` names `razorgirl::deep::Kind::Even`, which does not name it",
            "lean/Razorgirl/Spec/Layout.lean:11: `Razorgirl.Layout.wrong` names `razorgirl::gone`, which is no public Rust item",
            "`razorgirl::size` names `Razorgirl.Layout.shy`, which does not name it",
            "`razorgirl::deep::Kind::Odd` names `Razorgirl.Layout.odd`, which is no Lean definition",
        ]
    );
    assert_eq!(report.pairs, 2);
    assert_eq!(report.lean_alone, ["Razorgirl.Layout.alone", "Razorgirl.Layout.shy"]);
    assert_eq!(report.rust_alone, ["razorgirl::Layout::undocumented"]);

    // What only lacks an answer is answered; what names nothing stays.
    let at = Project::at(dir.path());
    let added = Links::read(&at).and_then(|links| links.complete(&at)).expect("the files can be written");
    assert_eq!(added, 2);
    let report = project(dir.path());
    assert_eq!((report.problems.len(), report.pairs), (2, 4));
    let lean = fs::read_to_string(dir.path().join("lean/Razorgirl/Spec/Layout.lean")).expect("a file");
    assert!(lean.contains("one side only.\nRust: `razorgirl::size` -/\ndef shy"), "{lean}");
    let rust = fs::read_to_string(dir.path().join("rust/razorgirl/src/layout.rs")).expect("a file");
    assert!(rust.contains("/// Two.\n        ///\n        /// Lean: `Razorgirl.Layout.even`\n        Even,"), "{rust}");
}
