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
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duct::{Expression, cmd};

use self::lock::Lock as Pinned;
use self::provision::{Kind, NpmClient, install, is_complete};
use crate::lean::joined::Joined;
use crate::lean::tree::LeanTree;
use crate::process::{self, Ended, Lock};
use crate::progress::{Progress, Unit};
use crate::project::Project;
use crate::toolchain::{Checked, Compiled, How, LeanToolchain, Program, Resources};

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
    node: Node,
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
        let on_path = Node::on_path();
        if let Some(npm) = Self::tried(&home, &pinned, on_path.as_ref()) {
            return Ok(npm);
        }

        let _lock = Lock::take(&home.join("setup.lock"), "setting Lean up", progress)?;
        let lean = install(Kind::Lean, &pinned.lean, &home, &NpmClient, progress)?;
        write_launcher(&lean)?;
        let mut why_not = None;
        if let Some(node) = on_path {
            let npm = Self { home: home.clone(), lean: lean.clone(), node };
            match npm.probe(progress) {
                Ok(()) => return Ok(npm),
                Err(error) => why_not = Some(error),
            }
        }
        let own = match pinned.node_here() {
            Ok(own) => own,
            Err(unknown) => return Err(why_not.map_or(unknown, |e| e.context("the Node.js on the path does not do"))),
        };
        let path = install(Kind::Node, own, &home, &NpmClient, progress)?.join("bin/node");
        let npm = Self { home, lean, node: Node { path, version: own.version.clone() } };
        npm.probe(progress)?;
        Ok(npm)
    }

    /// An installation that is complete and has been tried out; the ordinary case, which needs no lock.
    fn tried(home: &Path, pinned: &Pinned, on_path: Option<&Node>) -> Option<Self> {
        let lean = home.join(provision::name(Kind::Lean, &pinned.lean));
        let own = pinned.node_here().ok().and_then(|own| {
            let dir = home.join(provision::name(Kind::Node, own));
            is_complete(&dir).then(|| Node { path: dir.join("bin/node"), version: own.version.clone() })
        });
        let nodes = on_path.cloned().into_iter().chain(own);
        let mut all = nodes.map(|node| Self { home: home.to_path_buf(), lean: lean.clone(), node });
        let current = fs::read_to_string(launcher(&lean)).is_ok_and(|text| text == LAUNCHER);
        all.find(|npm| current && is_complete(&lean) && npm.works_mark().exists())
    }

    /// What identifies this Lean and the way it is run, for what is cached.
    pub fn id(&self) -> String {
        let name = self.lean.file_name().unwrap_or_default().to_string_lossy();
        format!("{name} {}", ARGUMENTS.join(" "))
    }

    /// Says that this installation has worked with this Node.js.
    fn works_mark(&self) -> PathBuf {
        self.lean.join(format!("works-with-node-{}", self.node.version))
    }

    /// Lets a new installation prove something true, and fail to prove something false.
    fn probe(&self, progress: Progress) -> Result<()> {
        let mark = self.works_mark();
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
                "this Lean does not work here with Node.js {} ({}, {}):\n{}{}",
                self.node.version,
                good.status,
                bad.status,
                good.output(),
                bad.output()
            );
        }
        fs::write(mark, "")?;
        Ok(())
    }

    /// A Lean process with the standard arguments and then `arguments`, in `dir`; `path` is searched for compiled modules.
    fn command<'a>(&self, dir: &Path, path: &[&Path], arguments: impl IntoIterator<Item = &'a str>) -> Expression {
        let library = self.lean.join("lib/lean");
        let paths = path.iter().copied().chain([library.as_path()]);
        let joined = paths.map(|p| p.to_string_lossy().into_owned()).collect::<Vec<_>>().join(":");
        let launcher = launcher(&self.lean);
        let standard = ["--max-old-space-size=4096", &launcher.to_string_lossy()].map(str::to_string);
        let arguments = ARGUMENTS.iter().copied().chain(arguments).map(str::to_string);
        let command = cmd(&self.node.path, standard.into_iter().chain(arguments));
        command.dir(dir).env("LEAN_PATH", joined).env_remove("NODE_OPTIONS")
    }

    fn run(&self, dir: &Path, arguments: &[&str]) -> Result<Ended> {
        let _slot = self.slot()?;
        process::run(&self.command(dir, &[], arguments.iter().copied()), Duration::from_secs(600))?
            .context("Lean did not end")
    }

    /// A place among the processes that may run at once.
    fn slot(&self) -> Result<Lock> {
        Lock::one_of(&self.home, "process", AT_ONCE)
    }
}

fn launcher(lean: &Path) -> PathBuf {
    lean.join("bin/lean.cjs")
}

fn write_launcher(lean: &Path) -> Result<()> {
    // Renamed into place: another process may be starting Lean right now.
    let new = lean.join("bin/lean.cjs.new");
    fs::write(&new, LAUNCHER)?;
    fs::rename(&new, launcher(lean))?;
    Ok(())
}

/// A Node.js.
#[derive(Debug, Clone)]
struct Node {
    path: PathBuf,
    version: String,
}

impl Node {
    /// The one on the path, if it is recent enough.
    fn on_path() -> Option<Self> {
        let ended = process::run(&cmd!("node", "--version"), Duration::from_secs(30)).ok()??;
        let version = ended.stdout.trim().strip_prefix('v')?.to_string();
        let major: u32 = version.split('.').next()?.parse().ok()?;
        (ended.status.success() && major >= NODE_MAJOR).then(|| Self { path: PathBuf::from("node"), version })
    }
}

impl LeanToolchain for Npm {
    fn describe(&self) -> String {
        "Lean 4.28.0-pre from npm (WebAssembly)".to_string()
    }

    fn check(&self, project: &Project, tree: &LeanTree, how: How, progress: Progress) -> Result<Checked> {
        check::check(self, project, tree, how, progress)
    }

    fn oracle(&self, _project: &Project, tree: &LeanTree) -> Result<Program> {
        let joined = Joined::oracle(tree)?;
        let mut program = self.program(&[], &joined.text, &[])?;
        program.joined = Some(joined);
        Ok(program)
    }

    fn script(&self, _project: &Project, compiled: &Compiled, text: &str, args: &[String]) -> Result<Program> {
        let paths: Vec<&Path> = compiled.dir.as_deref().into_iter().collect();
        self.program(&paths, text, args)
    }
}

impl Npm {
    fn program(&self, path: &[&Path], text: &str, args: &[String]) -> Result<Program> {
        let files = tempfile::tempdir()?;
        fs::write(files.path().join("Main.lean"), text)?;
        let slot = self.slot()?;
        let arguments = ["--run", "Main.lean"].into_iter().chain(args.iter().map(String::as_str));
        let command = self.command(files.path(), path, arguments);
        Ok(Program { command, joined: None, held: Resources { files: Some(files), slot: Some(slot) } })
    }
}
