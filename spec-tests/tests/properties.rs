//! `docs/PROPERTIES.md` is what the docstrings of the theorems say, and they say no more than is proved.

use std::fs;
use std::path::Path;

use spec_tests::Project;
use spec_tests::properties::{page, properties, properties_at, update, without_counterexample};

#[test]
fn the_page_lists_what_is_proved() {
    let count = update(&Project::repository(), true).expect("the page is up to date");
    assert!(count > 100, "only {count} properties");
}

/// docs/PEERS.md is what the recorded figures say, and every class of wrong answers has a witness.
#[test]
fn the_page_on_peers_is_what_was_recorded() {
    let project = Project::repository();
    spec_tests::peers::update(&project, true).expect("the page is up to date");
    let page = spec_tests::peers::page(&project).expect("figures");
    let tables = page.split("| class |").skip(1);
    let rows = tables.flat_map(|table| table.lines().skip(2).take_while(|line| line.starts_with("| ")));
    let classes: Vec<&str> = rows.collect();
    assert!(classes.len() > 10, "{} classes", classes.len());
    for class in classes {
        let seen = class.split(" | ").nth(5).expect("the witness");
        assert!(seen.chars().any(|c| c.is_ascii_digit()) || seen.contains("SIG"), "no numbers: {class}");
    }
}

#[test]
fn what_is_called_repaired_names_its_counterexample() {
    let properties = properties(&Project::repository()).expect("the docstrings are well formed");
    let unnamed = without_counterexample(&properties);
    assert!(unnamed.is_empty(), "{} theorems name no counterexample: {unnamed:#?}", unnamed.len());
}

/// `lean/README.md` quotes properties: sentence and theorem as in `docs/PROPERTIES.md`.
#[test]
fn the_readme_quotes_what_is_proved() {
    let root = Project::repository();
    let read = |name: &str| fs::read_to_string(root.root().join(name)).expect(name);
    let (readme, page) = (read("lean/README.md"), read("docs/PROPERTIES.md"));
    let table = readme.split("| property | theorem |\n|---|---|\n").nth(1).expect("lean/README.md has the table");
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with("| ")).collect();
    assert!(rows.len() >= 10, "{} rows", rows.len());
    for row in rows {
        assert!(page.lines().any(|line| line.starts_with(row)), "docs/PROPERTIES.md does not say: {row}");
    }
}

const FILE: &str = "\
module
@[expose] public section
namespace Razorgirl.A
/-- **Coalescing keeps
every offset.** More.
Source: Colfax 2.3.3 -/
theorem coalesce_at (L : Nat) : L | 0 = L := by simp
/-- helper -/
theorem h : True := trivial
/-- **A sum is a sum.**
Source: us -/
theorem by_definition : 1 + 1 = 2 := rfl
/-- **It holds of odd numbers.**
Source: nvFuser 1 (repaired: `even_fails`, `A.even_fails`, of all numbers); us 2 (repaired: `even_fails`) -/
theorem odd : 1 = 1 := by simp
/-- 2 is none. -/
theorem even_fails : ¬ 2 = 1 := by decide
/-- **It holds of 3.**
Source: nvFuser 2 (repaired) -/
theorem three : 3 = 3 := by simp
end Razorgirl.A
";

fn at(text: &str) -> anyhow::Result<Vec<spec_tests::properties::Property>> {
    let dir = tempfile::tempdir()?;
    let folder = dir.path().join("lean/Razorgirl/Thm");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("X.lean"), text)?;
    properties_at(Path::new(dir.path()))
}

#[test]
fn docstrings_are_read() {
    let found = at(FILE).expect("it is well formed");
    let names: Vec<&str> = found.iter().map(|p| p.theorem.as_str()).collect();
    assert_eq!(names, ["coalesce_at", "by_definition", "odd", "three"].map(|n| format!("Razorgirl.A.{n}")));
    assert_eq!(found[2].counterexamples, ["Razorgirl.A.even_fails"; 3]);
    assert_eq!(without_counterexample(&found), ["Razorgirl.A.three"]);
    insta::assert_snapshot!(page(&found), @r"
    # Proved properties

    Generated from the docstrings of the theorems by `cargo run -p spec-tests -- properties`; a test compares it.

    3 properties are proved in 1 files. 1 of them are **repaired**: the statement in the source is false, and the named theorem proves a counterexample to it. 1 more, marked *by definition*, restate a definition and are not counted.

    | area | properties | sections |
    |---|---:|---|
    | X | 3 | [X](#x) |

    ## X

    [Razorgirl/Thm/X.lean](../lean/Razorgirl/Thm/X.lean)

    | property | theorem | source |
    |---|---|---|
    | Coalescing keeps every offset. | `A.coalesce_at` | Colfax 2.3.3 |
    | A sum is a sum. *By definition.* | `A.by_definition` | us |
    | It holds of odd numbers. | `A.odd` | nvFuser 1 (**repaired**: `even_fails`, `A.even_fails`, of all numbers); us 2 (**repaired**: `even_fails`) |
    | It holds of 3. | `A.three` | nvFuser 2 (stated otherwise) |
    ");
}

#[test]
fn a_docstring_of_another_form_is_refused() {
    for (from, to, why) in [
        ("`A.even_fails`", "`odd_fails`", "which is no theorem"),
        ("offset.**", "offset**", "is no sentence"),
        ("every offset.**", "every offset.", "has no end"),
        ("Source: us", "", "has no `Source:` line"),
    ] {
        let error = format!("{:#}", at(&FILE.replace(from, to)).expect_err(why));
        assert!(error.contains(why) && error.contains("lean/Razorgirl/Thm/X.lean"), "{error}");
    }
}
