//! Several files as one.
//!
//! A Lean process costs seconds before it reads anything, and its code is slow until it is warm; so files are checked
//! together where nothing speaks against it. And the WebAssembly Lean cannot run code of an imported module, so the
//! oracle is run as one file. Each file's content stands in a section of its own: what it opens ends with it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::tree::{LeanFile, LeanTree, ORACLE_ROOT, PRELUDE, SECTION};

/// The joined text, and where each of its lines comes from.
#[derive(Debug, Clone)]
pub struct Joined {
    /// What Lean is given.
    pub text: String,
    /// Path and line (from 1) for each line; `None` for lines that joining added.
    origins: Vec<Option<(String, usize)>>,
}

impl Joined {
    /// The contents of `files`, in this order, below `imports` and the line `section`.
    pub fn of<'a>(
        imports: impl IntoIterator<Item = &'a str>,
        section: &str,
        files: impl IntoIterator<Item = &'a LeanFile>,
    ) -> Self {
        let mut joined = Self { text: String::new(), origins: Vec::new() };
        joined.add("module", None);
        for import in imports {
            joined.add(&format!("public import {import}"), None);
        }
        joined.add(section, None);
        for file in files {
            let Some(header) = file.header_lines else { continue };
            joined.add(&format!("section -- {}", file.path), None);
            for (n, line) in file.text.lines().enumerate().skip(header) {
                joined.add(line, Some((&file.path, n + 1)));
            }
            joined.add("end", None);
        }
        joined
    }

    /// Joins what the oracle needs: the prelude (own copies of list functions of the core library that the WebAssembly
    /// Lean cannot compile, proved equal), then every module that `Oracle.lean` reaches.
    ///
    /// # Errors
    /// The oracle or its prelude is missing, or an import cannot be resolved.
    pub fn oracle(tree: &LeanTree) -> Result<Self> {
        let missing = |module: &str| format!("{} has no {}.lean", tree.dir().display(), module.replace('.', "/"));
        tree.get(ORACLE_ROOT).with_context(|| missing(ORACLE_ROOT))?;
        let prelude = tree.get(PRELUDE).with_context(|| missing(PRELUDE))?;
        let files: Vec<&LeanFile> = std::iter::once(prelude).chain(tree.import_order(&[ORACLE_ROOT])?).collect();
        let imports: BTreeSet<&str> =
            files.iter().flat_map(|f| &f.imports).filter(|import| !tree.is_ours(import)).map(String::as_str).collect();
        Ok(Self::of(imports, SECTION, files))
    }

    /// The prelude and everything that `module` reaches: a program that lacks only its `main`.
    ///
    /// # Errors
    /// There is no such module.
    pub fn program(tree: &LeanTree, module: &str) -> Result<Self> {
        let missing = |module: &str| format!("{} has no {}.lean", tree.dir().display(), module.replace('.', "/"));
        tree.get(module).with_context(|| missing(module))?;
        let prelude = tree.get(PRELUDE).with_context(|| missing(PRELUDE))?;
        Ok(Self::of([], SECTION, std::iter::once(prelude).chain(tree.import_order(&[module])?)))
    }

    fn add(&mut self, line: &str, origin: Option<(&str, usize)>) {
        let _ = writeln!(self.text, "{line}");
        self.origins.push(origin.map(|(path, n)| (path.to_string(), n)));
    }

    /// Where line `line` (from 1) was written: the file and the line in it.
    /// A line that joining added counts as the last one before it.
    pub fn origin(&self, line: usize) -> Option<(&str, usize)> {
        let upto = line.min(self.origins.len());
        self.origins[..upto].iter().rev().flatten().next().map(|(path, n)| (path.as_str(), *n))
    }
}
