//! The table of operations against the Lean sources: each row names definitions that are there.

use std::collections::BTreeSet;
use std::path::Path;

/// The full names of all definitions in a Lean file: namespaces, then `def`, `abbrev`, `structure` or `inductive`.
fn definitions(text: &str, into: &mut BTreeSet<String>) {
    let mut namespaces: Vec<&str> = vec![];
    for line in text.lines() {
        let mut words = line.split_whitespace().skip_while(|word| {
            word.starts_with("@[") || ["private", "protected", "public", "noncomputable", "scoped"].contains(word)
        });
        match (words.next(), words.next()) {
            (Some("namespace"), Some(name)) => namespaces.push(name),
            (Some("end"), Some(name)) if namespaces.last() == Some(&name) => {
                namespaces.pop();
            }
            (Some("def" | "abbrev" | "structure" | "inductive"), Some(name)) => {
                let name = name.split([':', '(', '{', '[']).next().unwrap_or(name);
                into.insert(namespaces.iter().copied().chain([name]).collect::<Vec<_>>().join("."));
            }
            _ => {}
        }
    }
}

fn read(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "lean") {
            definitions(&std::fs::read_to_string(&path).expect("text"), into);
        }
    }
}

#[test]
fn every_row_names_lean_definitions_that_exist() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lean/Razorgirl/Spec");
    let mut known = BTreeSet::new();
    read(&spec, &mut known);
    assert!(known.len() > 200, "only {} definitions were read", known.len());
    for op in razorgirl_protocol::ops() {
        assert!(!op.lean.is_empty(), "{} names no Lean definition", op.name);
        for name in op.lean {
            assert!(known.contains(*name), "{}: there is no definition {name}", op.name);
        }
    }
}
