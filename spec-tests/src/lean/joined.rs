//! The oracle as one file.
//!
//! The WebAssembly Lean cannot run code of an imported module, and cannot compile most list functions of the core
//! library. So the oracle is run as one file: the prelude (own copies of those functions, proved equal), then the
//! content of every module that `Oracle.lean` reaches, each in a section of its own.

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
    /// Joins what the oracle needs.
    ///
    /// # Errors
    /// The oracle or its prelude is missing, or an import cannot be resolved.
    pub fn new(tree: &LeanTree) -> Result<Self> {
        let missing = |module: &str| format!("{} has no {}.lean", tree.dir().display(), module.replace('.', "/"));
        tree.get(ORACLE_ROOT).with_context(|| missing(ORACLE_ROOT))?;
        let prelude = tree.get(PRELUDE).with_context(|| missing(PRELUDE))?;
        let modules: Vec<&LeanFile> = std::iter::once(prelude).chain(tree.import_order(&[ORACLE_ROOT])?).collect();

        let mut joined = Self { text: String::new(), origins: Vec::new() };
        joined.add("module", None);
        let imports: BTreeSet<&String> =
            modules.iter().flat_map(|f| &f.imports).filter(|import| !tree.is_ours(import)).collect();
        for import in imports {
            joined.add(&format!("public import {import}"), None);
        }
        joined.add(SECTION, None);
        for file in modules {
            let Some(header) = file.header_lines else { continue };
            joined.add(&format!("section -- {}", file.path), None);
            for (n, line) in file.text.lines().enumerate().skip(header) {
                joined.add(line, Some((&file.path, n + 1)));
            }
            joined.add("end", None);
        }
        Ok(joined)
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
