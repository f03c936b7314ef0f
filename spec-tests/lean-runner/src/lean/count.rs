//! How many theorems and definitions there are.

use std::fmt;

use super::text::{self, Keep};
use super::tree::{LIBRARY_ROOT, LeanTree, ORACLE_ROOT};

/// Theorems and definitions of one part of the sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// `Spec`, `Thm`, `Data`, `Extract` or `Oracle`.
    pub part: String,
    /// Files.
    pub files: usize,
    /// `theorem` and `lemma`.
    pub theorems: usize,
    /// `def`, `abbrev`, `structure` and `inductive`.
    pub definitions: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, files, theorems, definitions } = self;
        write!(f, "{part:<7} {files:>3} files {theorems:>5} theorems {definitions:>5} definitions")
    }
}

/// Counts by part, outside comments and strings.
pub fn count(tree: &LeanTree) -> Vec<Count> {
    let prefixes = ["Spec", "Thm", "Data", "Extract"].map(|part| (part, format!("{LIBRARY_ROOT}.{part}")));
    let parts = prefixes.into_iter().chain([("Oracle", ORACLE_ROOT.to_string())]);
    parts
        .map(|(part, prefix)| {
            let mut count = Count { part: part.to_string(), ..Count::default() };
            let is_in = |module: &str| module.strip_prefix(&prefix).is_some_and(|r| r.is_empty() || r.starts_with('.'));
            for file in tree.files().filter(|f| is_in(&f.module)) {
                count.files += 1;
                let code = text::blank_comments(&file.text, Keep::Code);
                for (_, _, word) in text::words(&code) {
                    match word {
                        "theorem" | "lemma" => count.theorems += 1,
                        "def" | "abbrev" | "structure" | "inductive" => count.definitions += 1,
                        _ => {}
                    }
                }
            }
            count
        })
        .collect()
}
