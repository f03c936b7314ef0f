//! What Lean prints of the extracted functions: their trees, and Rust.

use anyhow::{Context, Result, bail};

use crate::lean::joined::Joined;
use crate::lean::tree::LeanTree;
use crate::oracle::output;
use crate::project::Project;
use crate::toolchain::{Compiled, LeanToolchain};

/// Where `printAll` is.
const MODULE: &str = "Razorgirl.Extract.Functions";

/// The task has a stack of its own, which deep recursion needs in the WebAssembly Lean.
const MAIN: &str = "def main : IO Unit := do
  let task ← IO.asTask Razorgirl.Extract.printAll .dedicated
  IO.ofExcept task.get
  (← IO.getStdout).flush
  IO.Process.exit 0
";

/// What Lean printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// One line of JSON for each function.
    pub trees: Vec<String>,
    /// The functions in Rust, not yet laid out.
    pub rust: String,
}

/// Runs the printer.
///
/// # Errors
/// Lean finds errors in it, or it does not print to its end.
pub fn print(toolchain: &dyn LeanToolchain, project: &Project, tree: &LeanTree) -> Result<Printed> {
    let text = Joined::program(tree, MODULE)?.text + MAIN;
    let lines = output(&toolchain.script(project, &Compiled::default(), &text, &[])?)?;
    let from = lines.iter().position(|line| line.starts_with("tree ")).context("the printer printed nothing")?;
    let lines = &lines[from..];
    let Some((trees, rest)) = lines.iter().position(|line| line == "rust").map(|at| lines.split_at(at)) else {
        bail!("the printer printed no Rust:\n{}", lines.join("\n"));
    };
    let end = rest.iter().position(|line| line == "end").context("the printer did not print to its end")?;
    let tree = |line: &String| line.strip_prefix("tree ").map(str::to_string);
    let trees = trees.iter().map(tree).collect::<Option<_>>().context("the printer printed other lines than trees")?;
    Ok(Printed { trees, rust: rest[1..end].join("\n") + "\n" })
}
