//! The words, commands, options and imports that `lean/` may not contain: the one list of them.
//!
//! The kernel checks proofs; these are the ways around it (or around the checking of what is executed) that a build with
//! warnings as errors would not notice. Lean 4.28's kernel also accepts some false declarations that no ordinary
//! elaboration makes; to make one takes a metaprogram, and these are the ways to write one. Comments may contain the words,
//! string literals may not.
//!
//! A word counts where it is a whole part of an identifier: `Lean.addDecl` is refused, `relaboration` and
//! `opaqueness` are not. The families in [`FAMILIES`] are refused by their beginning.

use super::text;
use super::text::Keep;
use super::tree::{LeanFile, LeanTree, ORACLE_ROOT};

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
    // What the compiler assumes, and what would prove anything.
    "lcProof",
    "lcAny",
    "lcUnreachable",
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
    "run_tac",
    "simproc",
    "simproc_decl",
    "dsimproc",
    "dsimproc_decl",
    "builtin_simproc",
    "builtin_dsimproc",
    "by_elab",
    "elab",
    "elab_rules",
    "macro",
    "macro_rules",
    // A statement that does not say what it seems to.
    "syntax",
    "declare_syntax_cat",
    "notation",
    "infix",
    "infixl",
    "infixr",
    "postfix",
];

/// Refused as the beginning of a part of an identifier.
const FAMILIES: &[&str] = &["native_decide", "ofReduce", "reduceBool", "reduceNat", "unsafe", "addDecl"];

/// Replaces a definition by a proved equal in compiled code; only the oracle's prelude needs that.
const ONLY_IN_PRELUDE: &str = "csimp";

/// The only options that may be set: they bound what Lean may spend, and change nothing else.
const OPTIONS: [&str; 2] = ["maxRecDepth", "maxHeartbeats"];

/// All that may be imported besides our own modules, and by the oracle only: with less than `import Lean` no metaprogram
/// can be written.
const ORACLE_IMPORTS: &[&str] = &["Lean.Data.Json"];

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
        let code = text::blank_comments(&file.text, Keep::Code);
        for (n, line) in code.lines().enumerate() {
            for word in commands(line).chain(options(line)).chain(imports(line, file, tree)) {
                let column = line.find(&word).map_or(1, |at| line[..at].chars().count() + 1);
                found.push(Forbidden { path: file.path.clone(), line: n + 1, column, word });
            }
        }
    }
    found
}

/// `#eval` and the like: they run code, print, or (`#exit`) leave the rest of the file unread.
fn commands(line: &str) -> impl Iterator<Item = String> {
    let begins =
        line.match_indices('#').filter(|(at, _)| line[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()));
    begins.map(|(at, _)| line[at..].chars().take_while(|c| *c == '#' || text::is_word(*c)).collect())
}

fn options(line: &str) -> impl Iterator<Item = String> {
    let set = line.match_indices("set_option").map(|(at, found)| &line[at + found.len()..]);
    // On the same line, or nobody knows which.
    let names = set.map(|rest| rest.split_whitespace().next().unwrap_or("set_option"));
    names.filter(|name| !OPTIONS.contains(name)).map(str::to_string)
}

fn imports(line: &str, file: &LeanFile, tree: &LeanTree) -> impl Iterator<Item = String> {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let name = if let ["public", "import", name] = parts[..] { name } else { "" };
    let oracle = file.module.starts_with(ORACLE_ROOT) && ORACLE_IMPORTS.contains(&name);
    let foreign = !name.is_empty() && !tree.is_ours(name) && !oracle;
    foreign.then(|| name.to_string()).into_iter()
}

fn is_forbidden(word: &str) -> bool {
    WORDS.contains(&word) || FAMILIES.iter().any(|family| word.starts_with(family))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_listed_word_is_refused_and_longer_names_are_not() {
        let listed = "sorry admit axiom native_decide native bv_decide ofReduceBool reduceBool implemented_by extern \
                      unsafe opaque skipKernelTC addDecl initialize run_cmd run_meta elab macro debug warningAsError \
                      macro_rules elab_rules unsafeCast run_tac simproc dsimproc_decl notation infixl syntax lcProof";
        for word in listed.split_whitespace() {
            assert!(is_forbidden(word), "{word}");
        }
        for word in ["elaborate", "elab_as_elim", "axioms", "externalTile", "macroTile", "sorryish", "opaqueness"] {
            assert!(!is_forbidden(word), "{word}");
        }
    }

    #[test]
    fn commands_options_and_imports_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "Razorgirl.lean",
            "module\npublic import Lean.Data.Json\npublic import Razorgirl.A\n@[expose] public section\n\
             /-- #eval 1 -/\ndef a := #[1]\n#eval! a\nset_option maxRecDepth 9 in\n\
             set_option linter.all false in example : a = a := rfl\n  #exit\ndef s := \"#eval\"\n",
        );
        write("Razorgirl/A.lean", "module\n");
        write("Oracle/Read.lean", "module\npublic import Lean.Data.Json\npublic  import Lean.Meta\n");
        let found = forbidden(&LeanTree::read(dir.path()).unwrap());
        let places: Vec<_> = found.iter().map(|f| (f.path.as_str(), f.line, f.column, f.word.as_str())).collect();
        assert_eq!(
            places,
            [
                ("Oracle/Read.lean", 3, 16, "Lean.Meta"),
                ("Razorgirl.lean", 2, 15, "Lean.Data.Json"),
                ("Razorgirl.lean", 7, 1, "#eval!"),
                ("Razorgirl.lean", 9, 12, "linter.all"),
                ("Razorgirl.lean", 10, 3, "#exit"),
            ]
        );
    }
}
