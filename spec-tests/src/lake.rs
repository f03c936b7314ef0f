//! The official toolchain.

use std::env;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::lean::tree::LeanTree;
use crate::process;
use crate::progress::{Progress, Unit};
use crate::project::Project;
use crate::toolchain::{Checked, Held, LeanToolchain, Program};

/// How long `lake --version` may take. Elan's `lake` first downloads the release, and hangs or fails where it cannot.
const PATIENCE: Duration = Duration::from_secs(240);

/// `lake` of the pinned release.
#[derive(Debug)]
pub struct Lake {
    release: String,
}

impl Lake {
    /// Finds a `lake` that works and is of the release in `lean-toolchain`.
    pub fn find(project: &Project, progress: Progress) -> Result<Self> {
        let release = project.release()?;
        if !on_path("lake") {
            bail!("there is no lake on the path");
        }
        let task = progress.begin("asking lake for its version", 0, Unit::Items);
        let ended = process::run(lake(project).arg("--version"), PATIENCE);
        drop(task);
        let ended = ended?.with_context(|| format!("lake --version did not answer in {} s", PATIENCE.as_secs()))?;
        if !ended.status.success() {
            bail!("lake --version fails: {}", ended.output().trim());
        }
        if !ended.stdout.contains(&format!("Lean version {release})")) {
            bail!("lake is of another release than {release}: {}", ended.stdout.trim());
        }
        Ok(Self { release })
    }
}

fn on_path(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|paths| env::split_paths(&paths).any(|dir| dir.join(program).is_file()))
}

fn lake(project: &Project) -> Command {
    let mut command = Command::new("lake");
    command.current_dir(project.root());
    command
}

impl LeanToolchain for Lake {
    fn describe(&self) -> String {
        format!("official Lean {} (lake)", self.release)
    }

    fn check(&self, project: &Project, _tree: &LeanTree, _progress: Progress) -> Result<Checked> {
        // Lake reports its own progress, and positions in the files as they are. It is told to build both roots by name,
        // and compiles the oracle to an executable: that is the check that Spec can be executed.
        let mut build = lake(project);
        build.args(["build", "--wfail", "Razorgirl", "oracle"]).stdin(Stdio::null()).stdout(std::io::stderr());
        let status = build.status().context("cannot start lake")?;
        let problems = if status.success() { Vec::new() } else { vec![format!("lake build failed ({status})")] };
        Ok(Checked { fresh: None, problems })
    }

    fn oracle(&self, project: &Project, _tree: &LeanTree) -> Result<Program> {
        let ended = process::run(lake(project).args(["build", "--wfail", "oracle"]), Duration::from_secs(7200))?;
        let ended = ended.context("lake build oracle did not end within two hours")?;
        if !ended.status.success() {
            bail!("lake build oracle fails:\n{}", ended.output().trim());
        }
        let mut command = lake(project);
        command.args(["exe", "oracle"]);
        Ok(Program { command, joined: None, held: Held::default() })
    }

    fn script(&self, project: &Project, text: &str, args: &[String]) -> Result<Program> {
        let files = tempfile::tempdir()?;
        let path = files.path().join("Script.lean");
        std::fs::write(&path, text)?;
        let mut command = lake(project);
        command.args(["env", "lean", "--run"]).arg(path).args(args);
        Ok(Program { command, joined: None, held: Held { files: Some(files), slot: None } })
    }
}
