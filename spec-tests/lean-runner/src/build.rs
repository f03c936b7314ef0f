//! `lean build`: everything that must hold of the Lean sources.

use anyhow::{Result, bail};

use crate::lean::count::{Count, count};
use crate::lean::declarations::clashes;
use crate::lean::tree::{LeanFile, LeanTree};
use crate::lean::words::{Forbidden, forbidden};
use crate::progress::Progress;
use crate::project::Project;
use crate::toolchain::{Compiled, How, LeanToolchain, ToolchainChoice, choose};

/// A successful build.
#[derive(Debug)]
pub struct Built {
    /// The sources.
    pub tree: LeanTree,
    /// The Lean that checked them.
    pub toolchain: Box<dyn LeanToolchain>,
    /// How many files were checked now, where the toolchain tells.
    pub fresh: Option<usize>,
    /// Where what was compiled is.
    pub compiled: Compiled,
    /// Theorems and definitions.
    pub counts: Vec<Count>,
}

/// Checks the text of the sources, then every proof.
///
/// # Errors
/// Lists everything that is wrong, each with its place; or says why Lean could not be run.
pub fn build(project: &Project, how: How, progress: Progress) -> Result<Built> {
    let tree = project.tree()?;
    let words = forbidden_words(&tree);
    if !words.is_empty() {
        // Some of them run code while a file is checked, so nothing is checked.
        bail!("{}", words.join("\n"));
    }
    let mut problems = unreached_files(&tree)?;
    problems.extend(clashes(tree.checked()?));
    if how == How::Groups && !problems.is_empty() {
        // Lean would say it less well, and late.
        bail!("{}", problems.join("\n"));
    }
    let toolchain = choose(project, ToolchainChoice::from_env()?, progress)?;
    let checked = toolchain.check(project, &tree, how, progress)?;
    problems.extend(checked.problems);
    if !problems.is_empty() {
        bail!("{}\n{} problems, with {}", problems.join("\n"), problems.len(), toolchain.describe());
    }
    let counts = count(&tree);
    Ok(Built { tree, toolchain, fresh: checked.fresh, compiled: checked.compiled, counts })
}

/// Words that the sources may not contain, each with its place.
pub fn forbidden_words(tree: &LeanTree) -> Vec<String> {
    let show = |f: Forbidden| {
        let Forbidden { path, line, column, word } = f;
        format!(
            "lean/{path}:{line}:{column}: error: `{word}` may not be used (spec-tests/lean-runner/src/lean/words.rs says why)"
        )
    };
    forbidden(tree).into_iter().map(show).collect()
}

/// Files that are never checked.
///
/// # Errors
/// Imports cannot be resolved.
pub fn unreached_files(tree: &LeanTree) -> Result<Vec<String>> {
    let show = |file: &&LeanFile| {
        let path = &file.path;
        format!(
            "lean/{path}: error: neither lean/Razorgirl.lean nor lean/Oracle.lean reaches this file, so it is never checked"
        )
    };
    Ok(tree.unreached()?.iter().map(show).collect())
}
