//! No arrow runs back: a stage uses only those before it.

use std::fs;
use std::path::{Path, PathBuf};

/// The stages in their order, each in a file or folder of that name.
const STAGES: [&str; 18] = [
    "ast", "source", "syntax", "cache", "twins", "demand", "mentions", "uses", "eval", "survey", "python", "rule",
    "finding", "check", "report", "policy", "audit", "fix",
];

/// The modules of the evaluator, in their order.
const EVAL: [&str; 16] = [
    "reason",
    "copies",
    "texts",
    "program",
    "measure",
    "value",
    "constants",
    "builtin",
    "tuples",
    "algebra",
    "swizzled",
    "tiled",
    "specialize",
    "evaluator",
    "listed",
    "instances",
];

/// The modules of the checks, in their order.
const CHECK: [&str; 30] = [
    "constant",
    "cover",
    "defect",
    "repair",
    "spell",
    "fragments",
    "operand",
    "verdicts",
    "fragment",
    "incongruent",
    "overlap",
    "uneven",
    "threads",
    "copies",
    "operands",
    "plain",
    "tiled_copy",
    "tiled_mma",
    "tma",
    "launch",
    "vectors",
    "alignment",
    "banks",
    "partition",
    "composed",
    "storage",
    "swizzles",
    "spots",
    "refused",
    "gluon",
];

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.is_dir() || path.extension().is_some_and(|ext| ext == "rs"))
        .flat_map(|path| files(&path))
        .collect()
}

/// The modules that a text names behind a prefix, alone or in braces.
fn named<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let rest = &text[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(list.split('}').next().unwrap().split(|c| !word(c))),
            None => names.extend(rest.split(|c| !word(c)).next()),
        }
    }
    names
}

fn check(root: &Path, order: &[&str], prefixes: &[&str]) {
    let mut seen = 0;
    for (index, module) in order.iter().enumerate() {
        let (file, folder) = (root.join(format!("{module}.rs")), root.join(module));
        let path = if file.is_file() { file } else { folder };
        assert!(path.exists(), "{}", path.display());
        for file in files(&path) {
            let text = fs::read_to_string(&file).unwrap();
            for used in prefixes.iter().flat_map(|prefix| named(&text, prefix)) {
                if let Some(at) = order.iter().position(|name| *name == used) {
                    assert!(at <= index, "{} uses {used}", file.display());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 4, "{seen}");
}

#[test]
fn stages_use_only_those_before_them() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &STAGES, &["crate::"]);
}

#[test]
fn modules_of_the_evaluator_are_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval");
    check(&root, &EVAL[..9], &["super::", "crate::eval::"]);
    check(&root, &EVAL, &["crate::eval::"]);
}

#[test]
fn rules_are_no_circle() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check"), &CHECK, &["super::"]);
}
