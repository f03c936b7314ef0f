//! Checks modules in import order, each by a process of its own, and keeps what was compiled.
//!
//! A module is one file, or a group of files joined. Both ways keep what they compile, apart from each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::lock::digest;
use super::message::Message;
use super::schedule::{self, Outcome};
use super::{AT_ONCE, Npm};
use crate::lean::groups;
use crate::lean::joined::Joined;
use crate::lean::tree::{LIBRARY_ROOT, LeanFile, LeanTree, ORACLE_ROOT, SECTION};
use crate::oracle::trial;
use crate::process::{self, Lock};
use crate::progress::{Progress, Task, Unit};
use crate::project::Project;
use crate::toolchain::{Checked, Compiled, How};

/// A change to what is kept, or to how modules are checked, makes everything be checked anew.
const FORMAT: &str = "1";

/// No single module should need this long.
const PATIENCE: Duration = Duration::from_secs(1800);

/// In such a section a definition that cannot be compiled is left without code. This Lean cannot compile most list
/// functions of the core library, which matters for running definitions and not for what is proved of them; those that
/// are run are compiled in the joined oracle.
const NO_CODE: &str = "@[expose] public noncomputable section";

/// What one process checks.
struct Module<'a> {
    /// Its name.
    name: String,
    /// What people are told.
    shown: String,
    /// Its files in the order in which they are joined.
    files: Vec<&'a LeanFile>,
    /// What Lean is given.
    text: Text,
    /// Names of modules of ours that it imports.
    imports: Vec<String>,
    /// What its compiled form depends on.
    key: String,
}

enum Text {
    /// A file as it is; only its section line is another.
    Whole(String),
    Joined(Joined),
}

impl Module<'_> {
    /// Below the folder of compiled modules, without an ending.
    fn path(&self) -> String {
        self.name.replace('.', "/")
    }

    fn text(&self) -> &str {
        match &self.text {
            Text::Whole(text) => text,
            Text::Joined(joined) => &joined.text,
        }
    }

    /// File and line for line `line` of the text.
    fn origin(&self, line: usize) -> (&str, usize) {
        let joined = match &self.text {
            Text::Whole(_) => None,
            Text::Joined(joined) => joined.origin(line),
        };
        joined.or_else(|| self.files.first().map(|file| (file.path.as_str(), line))).unwrap_or(("?", line))
    }

    fn paths(&self) -> String {
        self.files.iter().map(|file| format!("lean/{}", file.path)).collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn check(npm: &Npm, project: &Project, tree: &LeanTree, how: How, progress: Progress) -> Result<Checked> {
    let build = project.build_dir();
    fs::create_dir_all(&build).with_context(|| format!("cannot make {}", build.display()))?;
    let _lock = Lock::take(&build.join("build.lock"), "checking these proofs", progress)?;
    let (modules, kept) = match how {
        How::Files => (files(npm, &tree.checked()?), Cache { root: build.clone() }),
        How::Groups => {
            // The oracle's own files are checked below, joined and run.
            (grouped(npm, &tree.import_order(&[LIBRARY_ROOT])?), Cache { root: build.join("groups") })
        }
    };
    let compiled = Compiled {
        dir: Some(kept.library()),
        groups: modules
            .iter()
            .flat_map(|module| module.files.iter().map(|file| (file.module.clone(), module.name.clone())))
            .collect(),
    };
    let stale: Vec<&Module> = modules.iter().filter(|module| !kept.has(module)).collect();
    let fresh = stale.iter().map(|module| module.files.len()).sum();
    let mut checked = Checked { fresh: Some(fresh), problems: Vec::new(), compiled };
    if !stale.is_empty() {
        let all: usize = modules.iter().map(|module| module.files.len()).sum();
        let what = match how {
            How::Files => format!("checking {fresh} of {all} Lean files"),
            How::Groups => format!("checking {fresh} of {all} Lean files in {} groups", stale.len()),
        };
        let task = progress.begin(&what, stale.len() as u64, Unit::Items);
        checked.problems = check_modules(npm, &kept, &stale, &task)?;
    }
    if checked.problems.is_empty() {
        kept.keep_only(&modules)?;
        // It takes longer to start than any group. Where groups are checked, the tests that ask it follow.
        if how == How::Files && tree.get(ORACLE_ROOT).is_some() {
            checked.problems = check_oracle(npm, project, &build, tree, progress)?;
        }
    }
    Ok(checked)
}

/// Each file a module.
fn files<'a>(npm: &Npm, order: &[&'a LeanFile]) -> Vec<Module<'a>> {
    let id = npm.id();
    let mut keys = BTreeMap::<&str, String>::new();
    let module = |&file: &&'a LeanFile| {
        let imports: Vec<String> = file.imports.iter().filter(|i| keys.contains_key(i.as_str())).cloned().collect();
        let imported = imports.iter().map(|import| keys[import.as_str()].as_str());
        let key = digest([FORMAT, &id, &file.path, &file.text].into_iter().chain(imported));
        keys.insert(&file.module, key.clone());
        let text = Text::Whole(without_code(file));
        Module { name: file.module.clone(), shown: file.module.clone(), files: vec![file], text, imports, key }
    };
    order.iter().map(module).collect()
}

/// Each group a module. It is named after what it holds and imports, so that one that has not changed is found again.
fn grouped<'a>(npm: &Npm, order: &[&'a LeanFile]) -> Vec<Module<'a>> {
    let id = npm.id();
    let mut holders = BTreeMap::<&str, String>::new();
    // The library's root holds nothing, and would wait for everything.
    let imported: BTreeSet<&String> = order.iter().flat_map(|file| &file.imports).collect();
    let needed: Vec<&LeanFile> =
        order.iter().copied().filter(|file| file.header_lines.is_some() || imported.contains(&file.module)).collect();
    let groups = groups::form(&needed, AT_ONCE);
    let count = groups.len();
    let mut modules = Vec::new();
    for (n, files) in groups.into_iter().enumerate() {
        let inside: BTreeSet<&str> = files.iter().map(|file| file.module.as_str()).collect();
        let outside = files.iter().flat_map(|file| &file.imports).filter(|import| !inside.contains(import.as_str()));
        let imports: BTreeSet<&str> =
            outside.map(|import| holders.get(import.as_str()).map_or(import.as_str(), String::as_str)).collect();
        let joined = Joined::of(imports.iter().copied(), NO_CODE, files.iter().copied());
        let key = digest([FORMAT, &id, &joined.text]);
        let name = format!("G{}", &key[..16]);
        let imports = imports.iter().filter(|i| holders.values().any(|h| h == *i)).map(|i| (*i).to_string()).collect();
        holders.extend(files.iter().map(|file| (file.module.as_str(), name.clone())));
        let shown = format!("group {} of {count}: {} files, {}", n + 1, files.len(), folders(&files));
        modules.push(Module { name, shown, files, text: Text::Joined(joined), imports, key });
    }
    modules
}

/// The folders of some files, in a few words.
fn folders(files: &[&LeanFile]) -> String {
    let mut folders: Vec<&str> = Vec::new();
    for file in files {
        let rest = file.path.strip_prefix("Razorgirl/").unwrap_or(&file.path);
        let end = rest.match_indices('/').nth(1).map_or(rest.len(), |(at, _)| at);
        let folder = rest[..end].trim_end_matches(".lean");
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let more = if folders.len() > 4 { ", …" } else { "" };
    folders.truncate(4);
    format!("{}{more}", folders.join(", "))
}

const COMPILED: [&str; 4] = ["olean", "olean.private", "olean.server", "ir"];

/// What has been compiled, and what it depended on.
struct Cache {
    root: PathBuf,
}

impl Cache {
    fn library(&self) -> PathBuf {
        self.root.join("lib")
    }

    fn compiled(&self, module: &Module) -> PathBuf {
        // `with_extension` would cut a name at its last dot; there is none in a path of a module.
        self.library().join(module.path()).with_extension("olean")
    }

    fn key(&self, module: &Module) -> PathBuf {
        self.root.join("keys").join(&module.name)
    }

    fn has(&self, module: &Module) -> bool {
        fs::read_to_string(self.key(module)).is_ok_and(|key| key == module.key) && self.compiled(module).exists()
    }

    /// Moves compiled files into place; the key last, so that an interruption leaves the module unchecked.
    fn put(&self, module: &Module, olean: &Path) -> Result<()> {
        let key = self.key(module);
        fs::create_dir_all(self.root.join("keys"))?;
        if key.exists() {
            fs::remove_file(&key)?;
        }
        let target = self.compiled(module);
        fs::create_dir_all(target.parent().unwrap_or(&self.root))?;
        for extension in COMPILED {
            let (from, to) = (olean.with_extension(extension), target.with_extension(extension));
            if from.exists() {
                fs::rename(from, to)?;
            } else if to.exists() {
                fs::remove_file(to)?;
            }
        }
        fs::write(key, &module.key)?;
        Ok(())
    }

    /// Forgets modules that are no longer there.
    fn keep_only(&self, modules: &[Module]) -> Result<()> {
        let Ok(keys) = fs::read_dir(self.root.join("keys")) else { return Ok(()) };
        let names: BTreeSet<&str> = modules.iter().map(|module| module.name.as_str()).collect();
        for key in keys {
            let key = key?;
            let name = key.file_name().to_string_lossy().into_owned();
            if names.contains(name.as_str()) {
                continue;
            }
            fs::remove_file(key.path())?;
            let olean = self.library().join(name.replace('.', "/")).with_extension("olean");
            for path in COMPILED.map(|extension| olean.with_extension(extension)) {
                if path.exists() {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }
}

fn check_modules(npm: &Npm, kept: &Cache, stale: &[&Module], task: &Task) -> Result<Vec<String>> {
    let place = |import: &String| stale.iter().position(|module| &module.name == import);
    let needs: Vec<Vec<usize>> = stale.iter().map(|m| m.imports.iter().filter_map(place).collect()).collect();
    let problems = Mutex::new(vec![Vec::new(); stale.len()]);
    let outcomes = schedule::run(&needs, AT_ONCE, |i| {
        let (module, start) = (stale[i], Instant::now());
        let found = check_module(npm, kept, module)?;
        let good = found.is_empty();
        let mark = if good { "checked" } else { "FAILED " };
        task.done(&format!("  {mark} {} ({:.1} s)", module.shown, start.elapsed().as_secs_f64()));
        problems.lock().unwrap_or_else(PoisonError::into_inner)[i] = found;
        Ok(good)
    })?;
    let mut problems = problems.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (i, outcome) in outcomes.iter().enumerate() {
        if let Outcome::Skipped(need) = outcome {
            let (skipped, other) = (stale[i], stale[*need]);
            problems[i].push(format!("{}: not checked, because {} was not", skipped.paths(), other.shown));
        }
    }
    Ok(problems.concat())
}

/// Checks one module whose imports are compiled, and keeps the result if nothing is wrong.
fn check_module(npm: &Npm, kept: &Cache, module: &Module) -> Result<Vec<String>> {
    fs::create_dir_all(&kept.root)?;
    // The module's name comes from its path below the working directory.
    let stage = tempfile::Builder::new().prefix("stage-").tempdir_in(&kept.root)?;
    let path = format!("{}.lean", module.path());
    let source = stage.path().join(&path);
    fs::create_dir_all(source.parent().unwrap_or(stage.path()))?;
    fs::write(&source, module.text())?;
    let olean = source.with_extension("olean");
    let ended = {
        let _slot = npm.slot()?;
        let arguments = ["-o", &olean.to_string_lossy(), &path];
        process::run(&npm.command(stage.path(), &[&kept.library()], arguments), PATIENCE)?
    };
    let Some(ended) = ended else {
        return Ok(vec![format!("{}: not checked within {} minutes", module.paths(), PATIENCE.as_secs() / 60)]);
    };
    let messages: Vec<Message> = ended.stdout.lines().filter_map(Message::read).collect();
    let show = |message: &Message| {
        let (path, line) = module.origin(message.pos.line);
        message.show(path, line)
    };
    let mut problems: Vec<String> = messages.iter().filter(|m| m.is_error()).map(show).collect();
    if problems.is_empty() && !(ended.status.success() && olean.exists()) {
        let (status, output) = (ended.status, ended.output());
        problems.push(format!("{}: Lean ended without a result ({status}):\n{}", module.paths(), output.trim()));
    }
    if problems.is_empty() {
        kept.put(module, &olean)?;
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

/// Runs the joined oracle once: a definition that cannot be executed is found here and nowhere else.
fn check_oracle(
    npm: &Npm,
    project: &Project,
    build: &Path,
    tree: &LeanTree,
    progress: Progress,
) -> Result<Vec<String>> {
    let key = digest([FORMAT, &npm.id(), &Joined::oracle(tree)?.text]);
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
