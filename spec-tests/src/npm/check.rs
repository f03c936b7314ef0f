//! Checks modules one process each, in import order, and keeps what was compiled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::lock::digest;
use super::message::Message;
use super::schedule::{self, Outcome};
use super::{AT_ONCE, Npm};
use crate::lean::joined::Joined;
use crate::lean::tree::{LeanFile, LeanTree, ORACLE_ROOT, SECTION};
use crate::oracle::trial;
use crate::process::{self, Lock};
use crate::progress::{Progress, Task, Unit};
use crate::project::Project;
use crate::toolchain::Checked;

/// A change to what is kept, or to how modules are checked, makes everything be checked anew.
const FORMAT: &str = "1";

/// No single file should need this long.
const PATIENCE: Duration = Duration::from_secs(1800);

/// In such a section a definition that cannot be compiled is left without code. This Lean cannot compile most list
/// functions of the core library, which matters for running definitions and not for what is proved of them; those that
/// are run are compiled in the joined oracle.
const NO_CODE: &str = "@[expose] public noncomputable section";

/// Where compiled modules are.
pub fn library_dir(project: &Project) -> PathBuf {
    project.build_dir().join("lib")
}

pub(super) fn check(npm: &Npm, project: &Project, tree: &LeanTree, progress: Progress) -> Result<Checked> {
    let build = project.build_dir();
    fs::create_dir_all(&build).with_context(|| format!("cannot make {}", build.display()))?;
    let _lock = Lock::take(&build.join("build.lock"), "checking these proofs", progress)?;
    let order = tree.checked()?;
    let keys = keys(npm, &order);
    let stale: Vec<&LeanFile> = order.iter().copied().filter(|f| !is_kept(&build, f, &keys)).collect();
    let mut checked = Checked { fresh: Some(stale.len()), problems: Vec::new() };
    if !stale.is_empty() {
        let task = progress.begin(
            &format!("checking {} of {} Lean files", stale.len(), order.len()),
            stale.len() as u64,
            Unit::Items,
        );
        checked.problems = check_files(npm, &build, &stale, &keys, &task)?;
    }
    if checked.problems.is_empty() && tree.get(ORACLE_ROOT).is_some() {
        checked.problems = check_oracle(npm, project, &build, tree, progress)?;
    }
    Ok(checked)
}

/// For each module, what its compiled form depends on.
fn keys(npm: &Npm, order: &[&LeanFile]) -> BTreeMap<String, String> {
    let id = npm.id();
    let mut keys = BTreeMap::<String, String>::new();
    for file in order {
        let imported = file.imports.iter().filter_map(|import| keys.get(import)).map(String::as_str);
        let key = digest([FORMAT, &id, &file.path, &file.text].into_iter().chain(imported));
        keys.insert(file.module.clone(), key);
    }
    keys
}

const COMPILED: [&str; 4] = ["olean", "olean.private", "olean.server", "ir"];

fn key_path(build: &Path, file: &LeanFile) -> PathBuf {
    build.join("keys").join(&file.module)
}

fn is_kept(build: &Path, file: &LeanFile, keys: &BTreeMap<String, String>) -> bool {
    let olean = build.join("lib").join(&file.path).with_extension("olean");
    fs::read_to_string(key_path(build, file)).is_ok_and(|key| key == keys[&file.module]) && olean.exists()
}

fn check_files(
    npm: &Npm,
    build: &Path,
    stale: &[&LeanFile],
    keys: &BTreeMap<String, String>,
    task: &Task,
) -> Result<Vec<String>> {
    let place = |import: &String| stale.iter().position(|file| &file.module == import);
    let needs: Vec<Vec<usize>> = stale.iter().map(|file| file.imports.iter().filter_map(place).collect()).collect();
    let problems = Mutex::new(vec![Vec::new(); stale.len()]);
    let outcomes = schedule::run(&needs, AT_ONCE, |i| {
        let (file, start) = (stale[i], Instant::now());
        let found = check_file(npm, build, file, &keys[&file.module])?;
        let good = found.is_empty();
        let mark = if good { "checked" } else { "FAILED " };
        task.done(&format!("  {mark} {} ({:.1} s)", file.module, start.elapsed().as_secs_f64()));
        problems.lock().unwrap_or_else(PoisonError::into_inner)[i] = found;
        Ok(good)
    })?;
    let mut problems = problems.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (i, outcome) in outcomes.iter().enumerate() {
        if let Outcome::Skipped(need) = outcome {
            problems[i].push(format!("lean/{}: not checked, because {} was not", stale[i].path, stale[*need].module));
        }
    }
    Ok(problems.concat())
}

/// Checks one file whose imports are compiled, and keeps the result if nothing is wrong.
fn check_file(npm: &Npm, build: &Path, file: &LeanFile, key: &str) -> Result<Vec<String>> {
    // The module's name comes from its path below the working directory.
    let stage = tempfile::Builder::new().prefix("stage-").tempdir_in(build)?;
    let source = stage.path().join(&file.path);
    fs::create_dir_all(source.parent().unwrap_or(stage.path()))?;
    fs::write(&source, without_code(file))?;
    let olean = source.with_extension("olean");
    let library = build.join("lib");
    let ended = {
        let _slot = npm.slot()?;
        let mut command = npm.command(stage.path(), &[&library]);
        process::run(command.arg("-o").arg(&olean).arg(&file.path), PATIENCE)?
    };
    let Some(ended) = ended else {
        return Ok(vec![format!("lean/{}: not checked within {} minutes", file.path, PATIENCE.as_secs() / 60)]);
    };
    let messages: Vec<Message> = ended.stdout.lines().filter_map(Message::read).collect();
    let mut problems: Vec<String> =
        messages.iter().filter(|m| m.is_error()).map(|m| m.show(&file.path, m.pos.line)).collect();
    if problems.is_empty() && !(ended.status.success() && olean.exists()) {
        problems.push(format!(
            "lean/{}: Lean ended without a result ({}):\n{}",
            file.path,
            ended.status,
            ended.output().trim()
        ));
    }
    if problems.is_empty() {
        keep(build, file, &olean, key)?;
    }
    Ok(problems)
}

fn without_code(file: &LeanFile) -> String {
    match file.header_lines {
        None => file.text.clone(),
        Some(header) => {
            let replace = |(n, line): (usize, &str)| {
                if n + 1 == header { line.replacen(SECTION, NO_CODE, 1) } else { line.to_string() }
            };
            file.text.lines().enumerate().map(replace).collect::<Vec<_>>().join("\n") + "\n"
        }
    }
}

/// Moves compiled files into place; the key last, so that an interruption leaves the module unchecked.
fn keep(build: &Path, file: &LeanFile, olean: &Path, key: &str) -> Result<()> {
    let key_path = key_path(build, file);
    fs::create_dir_all(build.join("keys"))?;
    if key_path.exists() {
        fs::remove_file(&key_path)?;
    }
    let target = build.join("lib").join(&file.path);
    fs::create_dir_all(target.parent().unwrap_or(build))?;
    for extension in COMPILED {
        let (from, to) = (olean.with_extension(extension), target.with_extension(extension));
        if from.exists() {
            fs::rename(from, to)?;
        } else if to.exists() {
            fs::remove_file(to)?;
        }
    }
    fs::write(key_path, key)?;
    Ok(())
}

/// Runs the joined oracle once: a definition that cannot be executed is found here and nowhere else.
fn check_oracle(
    npm: &Npm,
    project: &Project,
    build: &Path,
    tree: &LeanTree,
    progress: Progress,
) -> Result<Vec<String>> {
    let key = digest([FORMAT, &npm.id(), &Joined::new(tree)?.text]);
    let path = build.join("oracle.key");
    if fs::read_to_string(&path).is_ok_and(|kept| kept == key) {
        return Ok(Vec::new());
    }
    let _task = progress.begin("running the oracle once", 0, Unit::Items);
    match trial(npm, project, tree) {
        Ok(()) => {
            fs::write(path, key)?;
            Ok(Vec::new())
        }
        Err(error) => Ok(vec![format!("the oracle does not run: {error:#}")]),
    }
}
