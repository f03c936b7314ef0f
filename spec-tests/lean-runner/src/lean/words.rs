//! The words that `lean/` may not contain: the one list of them.
//!
//! The kernel checks proofs; these words are the ways around it (or around the checking of what is executed) that a
//! build with warnings as errors would not notice. Comments may contain them, string literals may not.
//!
//! A word counts where it is a whole part of an identifier: `Lean.addDecl` is refused, `relaboration` and
//! `opaqueness` are not. The families in [`FAMILIES`] are refused by their beginning.

use super::text;
use super::text::Keep;
use super::tree::LeanTree;

/// Refused wherever it is a whole part of an identifier.
const WORDS: &[&str] = &[
    // An unproved statement.
    "sorry",
    "sorryAx",
    "admit",
    "axiom",
    "opaque",
    // Proofs by compiled code: they rest on the compiler.
    "native",
    "bv_decide",
    "bv_check",
    "trustCompiler",
    // What is executed is not what is proved.
    "implemented_by",
    "extern",
    "unsafe",
    // Past the kernel.
    "skipKernelTC",
    "warningAsError",
    "debug",
    // Code that runs while a file is checked.
    "initialize",
    "builtin_initialize",
    "run_cmd",
    "run_meta",
    "run_elab",
    "by_elab",
    "elab",
    "elab_rules",
    "macro",
    "macro_rules",
];

/// Refused as the beginning of a part of an identifier.
const FAMILIES: &[&str] = &["native_decide", "ofReduce", "reduceBool", "reduceNat", "unsafe", "addDecl"];

/// Replaces a definition by a proved equal in compiled code; only the oracle's prelude needs that.
const ONLY_IN_PRELUDE: &str = "csimp";

/// A word where it may not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forbidden {
    /// File, relative to the folder of Lean sources.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The identifier part that is refused.
    pub word: String,
}

/// All forbidden words in all files.
pub fn forbidden(tree: &LeanTree) -> Vec<Forbidden> {
    let mut found = Vec::new();
    for file in tree.files() {
        let code = text::blank_comments(&file.text, Keep::CodeAndStrings);
        for (line, column, word) in text::words(&code) {
            if is_forbidden(word) || (word == ONLY_IN_PRELUDE && !file.is_prelude()) {
                found.push(Forbidden { path: file.path.clone(), line, column, word: word.to_string() });
            }
        }
    }
    found
}

fn is_forbidden(word: &str) -> bool {
    WORDS.contains(&word) || FAMILIES.iter().any(|family| word.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_word_is_refused_and_longer_names_are_not() {
        let listed = "sorry admit axiom native_decide native bv_decide ofReduceBool reduceBool implemented_by extern \
                      unsafe opaque skipKernelTC addDecl initialize run_cmd run_meta elab macro debug warningAsError \
                      macro_rules elab_rules unsafeCast";
        for word in listed.split_whitespace() {
            assert!(is_forbidden(word), "{word}");
        }
        for word in ["elaborate", "elab_as_elim", "axioms", "externalTile", "macroTile", "sorryish", "opaqueness"] {
            assert!(!is_forbidden(word), "{word}");
        }
    }
}
