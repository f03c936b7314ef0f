//! Two ways to have Lean, behind one trait.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Debug;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use duct::Expression;

use crate::lake::Lake;
use crate::lean::joined::Joined;
use crate::lean::tree::LeanTree;
use crate::npm::Npm;
use crate::process::Lock;
use crate::progress::Progress;
use crate::project::Project;

/// A Lean that can check proofs and run the oracle.
pub trait LeanToolchain: Debug + Send + Sync {
    /// Which Lean this is, in a few words.
    fn describe(&self) -> String;

    /// Checks everything that the library and the oracle reach, and that the oracle can be executed.
    /// What has been checked before and has not changed since is not checked again.
    ///
    /// # Errors
    /// Lean could not be run. What Lean finds wrong is in [`Checked::problems`].
    fn check(&self, project: &Project, tree: &LeanTree, how: How, progress: Progress) -> Result<Checked>;

    /// The oracle: a program that answers requests, one a line.
    ///
    /// # Errors
    /// It cannot be prepared.
    fn oracle(&self, project: &Project, tree: &LeanTree) -> Result<Program>;

    /// Runs the Lean program `text` with `args` on the compiled modules of the project, checked before.
    ///
    /// # Errors
    /// It cannot be prepared.
    fn script(&self, project: &Project, compiled: &Compiled, text: &str, args: &[String]) -> Result<Program>;
}

/// How files are given to Lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// One process a file, as `lake` does.
    Files,
    /// One process for many files that are joined. The official Lean, whose processes start at once, has no need of it
    /// and checks files.
    Groups,
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Files that were checked now; the others had been checked before. `None` where only the toolchain knows.
    pub fresh: Option<usize>,
    /// What is wrong, each with its place; empty when everything is proved.
    pub problems: Vec<String>,
    /// Where what was compiled is.
    pub compiled: Compiled,
}

/// What a check compiled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compiled {
    /// Where the modules lie; `None` where the toolchain finds them itself.
    pub dir: Option<PathBuf>,
    /// For each file by its module, the compiled module that holds it. Files that are not in it are modules themselves.
    pub groups: BTreeMap<String, String>,
}

impl Compiled {
    /// The compiled module that holds the file of `module`.
    pub fn holder<'a>(&'a self, module: &'a str) -> &'a str {
        self.groups.get(module).map_or(module, String::as_str)
    }
}

/// A program ready to be started.
#[derive(Debug)]
pub struct Program {
    /// How it is started.
    pub command: Expression,
    /// Where the lines of the program come from, if it was joined from several files.
    pub joined: Option<Joined>,
    /// What must stay until it has ended.
    pub held: Resources,
}

/// Keeps temporary files and a place among the running processes.
#[derive(Debug, Default)]
pub struct Resources {
    /// Files that the program reads.
    pub files: Option<tempfile::TempDir>,
    /// Bounds how many run at once.
    pub slot: Option<Lock>,
}

/// The environment variable that forces a toolchain.
pub const VARIABLE: &str = "RAZORGIRL_LEAN";

/// What [`VARIABLE`] asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolchainChoice {
    /// The official toolchain if it works, else the one from npm.
    Any,
    /// The official toolchain.
    Lake,
    /// The one from npm.
    Npm,
}

impl ToolchainChoice {
    /// Reads the environment.
    ///
    /// # Errors
    /// The variable has another value.
    pub fn from_env() -> Result<Self> {
        match env::var(VARIABLE).unwrap_or_default().as_str() {
            "" => Ok(Self::Any),
            "lake" => Ok(Self::Lake),
            "npm" => Ok(Self::Npm),
            other => bail!("{VARIABLE} is `{other}`; it can be lake or npm"),
        }
    }
}

/// The toolchain to use for `project`.
///
/// # Errors
/// None can be had; the message says why not, and what to install.
pub fn choose(project: &Project, wanted: ToolchainChoice, progress: Progress) -> Result<Box<dyn LeanToolchain>> {
    let lake = |progress| Lake::find(project, progress).map(|lake| Box::new(lake) as Box<dyn LeanToolchain>);
    let npm = |progress| Npm::set_up(progress).map(|npm| Box::new(npm) as Box<dyn LeanToolchain>);
    match wanted {
        ToolchainChoice::Lake => lake(progress).with_context(|| format!("{VARIABLE}=lake, but it cannot be used")),
        ToolchainChoice::Npm => npm(progress).with_context(|| format!("{VARIABLE}=npm, but it cannot be used")),
        ToolchainChoice::Any => lake(progress).or_else(|no_lake| {
            npm(progress).map_err(|no_npm| {
                anyhow!(
                    "no Lean to check proofs with.\n\
                     Official Lean: {no_lake:#}.\n\
                     Lean from npm: {no_npm:#}.\n\
                     Install elan (it reads the file lean-toolchain), or Node.js with npm."
                )
            })
        }),
    }
}
