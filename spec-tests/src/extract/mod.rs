//! `extract`: the Rust that Lean prints, written to `rust/extracted` or compared with what is there.

pub mod read;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use lean_runner::Project;
use lean_runner::axioms::AxiomUse;
use lean_runner::extract::Printed;
use lean_runner::lean::declarations::declarations;
use lean_runner::lean::tree::LeanTree;
use serde_json::{Value, json};

/// The generated file.
pub const FILE: &str = "rust/extracted/src/functions.rs";

/// The trees of the functions, one a line, so that the generated file can be compared without Lean.
pub const TREES: &str = "rust/extracted/functions.json";

/// What stands above the functions.
pub const HEADER: &str =
    "//! The functions, printed from Lean by `cargo run -p spec-tests -- extract`. Not edited: a check compares them.

#![allow(clippy::all, clippy::pedantic)]

use crate::primitive::*;
use crate::{Fault, List, Mode};

";

/// The generated file, as `rustfmt` lays it out.
///
/// # Errors
/// There is no `rustfmt`, or the text is not Rust.
pub fn file(printed: &Printed) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=120,use_small_heuristics=Max,newline_style=Unix"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start rustfmt (rustup component add rustfmt)")?;
    let mut input = rustfmt.stdin.take().context("rustfmt takes no input")?;
    let text = format!("{HEADER}{}", printed.rust);
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output()?;
    writer.join().ok().context("rustfmt stopped reading")??;
    ensure!(output.status.success(), "rustfmt refuses what Lean printed:\n{}", printed.rust);
    Ok(String::from_utf8(output.stdout)?)
}

/// One function as Lean has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name in Lean, below `Razorgirl.Extract`.
    pub lean: String,
    /// Its name in Rust.
    pub rust: String,
    /// Parameters, result, and the tree.
    pub tree: Value,
}

/// The functions of some lines of JSON.
///
/// # Errors
/// A line is not a tree.
pub fn functions(lines: &str) -> Result<Vec<Function>> {
    let read = |line: &str| -> Result<Function> {
        let tree: Value = serde_json::from_str(line)?;
        let [lean, params, result, function] = tree.as_array().map_or(&[][..], Vec::as_slice) else {
            bail!("no tree of a function: {line}")
        };
        let (lean, rust) = lean.as_str().zip(function[1].as_str()).context("a function without a name")?;
        let tree = json!([params, result, function]);
        Ok(Function { lean: lean.to_string(), rust: rust.to_string(), tree })
    };
    lines.lines().map(read).collect()
}

/// Whether the Rust `text` is what Lean's trees say. Lean's own Rust is not asked.
///
/// # Errors
/// Names the first function that differs, or what is of no known form.
pub fn compare(functions: &[Function], text: &str) -> Result<()> {
    let found = read::functions(text, HEADER)?;
    for (function, (name, tree)) in functions.iter().zip(&found) {
        ensure!(function.rust == *name, "{name} stands where {} is expected", function.rust);
        ensure!(function.tree == *tree, "{name} is not what Lean has:\n  Rust {tree}\n  Lean {}", function.tree);
    }
    ensure!(functions.len() == found.len(), "{} functions in Rust, {} in Lean", found.len(), functions.len());
    Ok(())
}

/// The theorem about each function, which must be there and speak of the function; with what it rests on.
///
/// # Errors
/// Lists the functions without a theorem, and theorems that rest on more than Lean's own axioms.
pub fn census(functions: &[Function], tree: &LeanTree, axioms: &[AxiomUse]) -> Result<Vec<String>> {
    let declared: Vec<_> = tree.files().flat_map(declarations).collect();
    let (mut lines, mut problems, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for Function { lean, rust, .. } in functions {
        let name = format!("Razorgirl.Extract.{lean}_run");
        ensure!(seen.insert(rust), "two functions are called {rust}");
        let Some(theorem) = declared.iter().find(|d| d.name == name && d.is_theorem() && !d.private) else {
            problems.push(format!("{rust}: there is no theorem {name}"));
            continue;
        };
        let statement = theorem.body.split(":=").next().unwrap_or_default();
        if !speaks_of(statement, &format!("{lean}.run")) {
            problems.push(format!("{rust}: the theorem {name} does not speak of {lean}.run"));
        }
        match axioms.iter().find(|rests| rests.theorem == name) {
            None => problems.push(format!("{rust}: no compiled proof of {name}")),
            Some(rests) if !rests.refused().is_empty() => {
                problems.push(format!("{rust}: {name} rests on {}", rests.refused().join(", ")));
            }
            Some(rests) => lines.push(format!("{rust}: {name} ({rests})")),
        }
    }
    if problems.is_empty() { Ok(lines) } else { bail!("{}", problems.join("\n")) }
}

/// Whether this name stands in the text by itself: `cosize.run` does not speak of `size.run`.
fn speaks_of(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "_.'".contains(c);
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}

/// The two generated files, as they are or as they should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// [`FILE`].
    pub rust: String,
    /// [`TREES`].
    pub trees: String,
}

impl Files {
    /// What Lean printed, laid out.
    ///
    /// # Errors
    /// As [`file`].
    pub fn printed(printed: &Printed) -> Result<Self> {
        let trees = printed.trees.join("\n") + "\n";
        Ok(Self { rust: file(printed)?, trees })
    }

    /// What is committed.
    ///
    /// # Errors
    /// A file is not there.
    pub fn committed(project: &Project) -> Result<Self> {
        let read = |file: &str| {
            let path = project.root().join(file);
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        Ok(Self { rust: read(FILE)?, trees: read(TREES)? })
    }

    /// Writes both.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&self, project: &Project) -> Result<()> {
        for (file, text) in [(FILE, &self.rust), (TREES, &self.trees)] {
            let path = project.root().join(file);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// The functions, the Rust read back and compared with the trees.
    ///
    /// # Errors
    /// As [`compare`].
    pub fn functions(&self) -> Result<Vec<Function>> {
        let functions = functions(&self.trees)?;
        compare(&functions, &self.rust)?;
        Ok(functions)
    }
}
