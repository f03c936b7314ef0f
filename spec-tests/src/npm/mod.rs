//! The WebAssembly build of Lean from npm, run by Node.js.

pub mod check;
pub mod lock;
pub mod message;
mod patch;
pub mod provision;
mod schedule;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use self::lock::Lock as Pinned;
use self::provision::{Kind, NpmClient, install};
use crate::lean::joined::Joined;
use crate::lean::tree::LeanTree;
use crate::process::{self, Ended, Lock};
use crate::progress::{Progress, Unit};
use crate::project::Project;
use crate::toolchain::{Checked, Held, LeanToolchain, Program};

const LAUNCHER: &str = include_str!("../../lean-npm/lean.cjs");

/// The oldest Node.js that runs this build.
const NODE_MAJOR: u32 = 24;

/// Processes at once: each takes 1 to 2 GB.
const AT_ONCE: usize = 2;

/// What Lean is always told. One worker thread, since each loads the whole module; stacks as the launcher expects them;
/// warnings are errors, because `sorry` is a warning.
const ARGUMENTS: &[&str] = &["-j1", "--tstack=262144", "-DElab.async=false", "-DwarningAsError=true", "--json"];

/// A complete installation.
#[derive(Debug, Clone)]
pub struct Npm {
    home: PathBuf,
    lean: PathBuf,
    node: PathBuf,
}

impl Npm {
    /// The installation in the repository's `.lean-npm` (or where `RAZORGIRL_LEAN_NPM` says), made if need be.
    pub fn set_up(progress: Progress) -> Result<Self> {
        let home = match env::var_os("RAZORGIRL_LEAN_NPM") {
            Some(home) => PathBuf::from(home),
            None => Project::repository().root().join(".lean-npm"),
        };
        fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
        let home = home.canonicalize()?;
        let pinned = Pinned::committed()?;
        let _lock = Lock::take(&home.join("setup.lock"), "setting Lean up", progress)?;
        let node = match node_on_path() {
            Some(node) => node,
            None => install(Kind::Node, pinned.node_here()?, &home, &NpmClient, progress)?.join("bin/node"),
        };
        let lean = install(Kind::Lean, &pinned.lean, &home, &NpmClient, progress)?;
        let npm = Self { home, lean, node };
        npm.write_launcher()?;
        npm.probe(progress)?;
        Ok(npm)
    }

    /// What identifies this Lean and the way it is run, for what is cached.
    pub fn id(&self) -> String {
        let name = self.lean.file_name().unwrap_or_default().to_string_lossy();
        format!("{name} {}", ARGUMENTS.join(" "))
    }

    fn write_launcher(&self) -> Result<()> {
        let path = self.launcher();
        if fs::read_to_string(&path).ok().as_deref() != Some(LAUNCHER) {
            // Renamed into place: another process may be starting Lean right now.
            let new = self.lean.join("bin/lean.cjs.new");
            fs::write(&new, LAUNCHER)?;
            fs::rename(&new, path)?;
        }
        Ok(())
    }

    fn launcher(&self) -> PathBuf {
        self.lean.join("bin/lean.cjs")
    }

    /// Lets a new installation prove something true, and fail to prove something false.
    fn probe(&self, progress: Progress) -> Result<()> {
        let mark = self.lean.join("works");
        if mark.exists() {
            return Ok(());
        }
        let _task = progress.begin("trying Lean out", 0, Unit::Items);
        let dir = tempfile::tempdir()?;
        let prove = |goal: &str| {
            let text = format!("theorem t (a b : Nat) (h : a < b) : {goal} := by omega\n");
            fs::write(dir.path().join("Probe.lean"), text)?;
            self.run(dir.path(), &["Probe.lean"])
        };
        let good = prove("a + 1 ≤ b")?;
        let bad = prove("a + 2 ≤ b")?;
        if !good.status.success() || bad.status.success() || !bad.stdout.contains("omega could not prove the goal") {
            bail!(
                "this Lean does not work here ({}, {}; Node.js {}):\n{}{}",
                good.status,
                bad.status,
                self.node.display(),
                good.output(),
                bad.output()
            );
        }
        fs::write(mark, "")?;
        Ok(())
    }

    /// A Lean process with the standard arguments, in `dir`; `path` is searched for compiled modules.
    fn command(&self, dir: &Path, path: &[&Path]) -> Command {
        let library = self.lean.join("lib/lean");
        let paths = path.iter().copied().chain([library.as_path()]);
        let joined = paths.map(|p| p.to_string_lossy().into_owned()).collect::<Vec<_>>().join(":");
        let mut command = Command::new(&self.node);
        command.arg("--max-old-space-size=4096").arg(self.launcher()).args(ARGUMENTS);
        command.current_dir(dir).env("LEAN_PATH", joined).env_remove("NODE_OPTIONS");
        command
    }

    fn run(&self, dir: &Path, arguments: &[&str]) -> Result<Ended> {
        let _slot = self.slot()?;
        process::run(self.command(dir, &[]).args(arguments), Duration::from_secs(600))?.context("Lean did not end")
    }

    /// A place among the processes that may run at once.
    fn slot(&self) -> Result<Lock> {
        Lock::one_of(&self.home, "process", AT_ONCE)
    }
}

fn node_on_path() -> Option<PathBuf> {
    let ended = process::run(Command::new("node").arg("--version"), Duration::from_secs(30)).ok()??;
    let major: u32 = ended.stdout.trim().strip_prefix('v')?.split('.').next()?.parse().ok()?;
    (ended.status.success() && major >= NODE_MAJOR).then(|| PathBuf::from("node"))
}

impl LeanToolchain for Npm {
    fn describe(&self) -> String {
        "Lean 4.28.0-pre from npm (WebAssembly)".to_string()
    }

    fn check(&self, project: &Project, tree: &LeanTree, progress: Progress) -> Result<Checked> {
        check::check(self, project, tree, progress)
    }

    fn oracle(&self, _project: &Project, tree: &LeanTree) -> Result<Program> {
        let joined = Joined::new(tree)?;
        let mut program = self.program(&[], &joined.text, &[])?;
        program.joined = Some(joined);
        Ok(program)
    }

    fn script(&self, project: &Project, text: &str, args: &[String]) -> Result<Program> {
        self.program(&[&check::library_dir(project)], text, args)
    }
}

impl Npm {
    fn program(&self, path: &[&Path], text: &str, args: &[String]) -> Result<Program> {
        let files = tempfile::tempdir()?;
        fs::write(files.path().join("Main.lean"), text)?;
        let slot = self.slot()?;
        let mut command = self.command(files.path(), path);
        command.args(["--run", "Main.lean"]).args(args);
        Ok(Program { command, joined: None, held: Held { files: Some(files), slot: Some(slot) } })
    }
}
