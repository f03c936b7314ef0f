//! The official toolchain.

use std::env;
use std::io::{BufRead, BufReader};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duct::{Expression, cmd};

use crate::lean::tree::{LIBRARY_ROOT, LeanTree};
use crate::process;
use crate::progress::{Progress, Unit};
use crate::project::Project;
use crate::toolchain::{Checked, Compiled, How, LeanToolchain, Program, Resources};

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
        let ended = process::run(&lake(project, ["--version"]), PATIENCE);
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

fn lake<'a>(project: &Project, arguments: impl IntoIterator<Item = &'a str>) -> Expression {
    cmd("lake", arguments).dir(project.root())
}

/// The errors in what lake prints: lines that begin so, with what follows up to the next report.
fn errors(lines: &[String]) -> Vec<String> {
    let mut errors: Vec<String> = Vec::new();
    let mut inside = false;
    for line in lines {
        if let Some(error) = line.strip_prefix("error: ") {
            errors.push(error.to_string());
            inside = true;
        } else if ["warning: ", "info: ", "trace: ", "✔", "✖", "⚠", "ℹ", "Some required"]
            .iter()
            .any(|p| line.starts_with(p))
        {
            inside = false;
        } else if let (true, Some(error)) = (inside, errors.last_mut()) {
            error.push('\n');
            error.push_str(line);
        }
    }
    errors
}

impl LeanToolchain for Lake {
    fn describe(&self) -> String {
        format!("official Lean {} (lake)", self.release)
    }

    fn check(&self, project: &Project, _tree: &LeanTree, _how: How, _progress: Progress) -> Result<Checked> {
        // Both roots: compiling the oracle to an executable is the check that Spec can be executed.
        let build = lake(project, ["build", LIBRARY_ROOT, "oracle"]).stdin_null().stderr_to_stdout().unchecked();
        let output = build.reader().context("cannot start lake")?;
        let mut lines = Vec::new();
        for line in BufReader::new(&output).lines() {
            let line = line?;
            eprintln!("{line}");
            lines.push(line);
        }
        // After the last line it has ended.
        let status = output.try_wait()?.context("lake has not ended")?.status;
        let mut problems = Vec::new();
        if !status.success() {
            problems = errors(&lines);
            problems.push(format!("lake build failed ({status})"));
        }
        Ok(Checked { fresh: None, problems, compiled: Compiled::default() })
    }

    fn oracle(&self, project: &Project, _tree: &LeanTree) -> Result<Program> {
        let ended = process::run(&lake(project, ["build", "oracle"]), Duration::from_secs(7200))?;
        let ended = ended.context("lake build oracle did not end within two hours")?;
        if !ended.status.success() {
            bail!("lake build oracle fails:\n{}", ended.output().trim());
        }
        let command = lake(project, ["exe", "oracle"]);
        Ok(Program { command, joined: None, held: Resources::default() })
    }

    fn script(&self, project: &Project, _compiled: &Compiled, text: &str, args: &[String]) -> Result<Program> {
        let files = tempfile::tempdir()?;
        let path = files.path().join("Script.lean");
        std::fs::write(&path, text)?;
        let path = path.to_string_lossy();
        let arguments = ["env", "lean", "--run", &path].into_iter().chain(args.iter().map(String::as_str));
        let command = lake(project, arguments);
        Ok(Program { command, joined: None, held: Resources { files: Some(files), slot: None } })
    }
}
