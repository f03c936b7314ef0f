//! Lean definitions and Rust items that are twins name each other.
//!
//! A definition in `Spec` has a line ``Rust: `razorgirl::Layout::coalesce` `` in its docstring, the Rust item a line
//! ``Lean: `Razorgirl.Layout.coalesce` ``. Full paths; several on a line are separated by commas.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use lean_runner::Project;
use lean_runner::lean::declarations::{Declaration, declarations};

use crate::rust_items::{Item, Kind, public_items};

const CRATE: &str = "razorgirl";

/// Both sides, as they are declared.
#[derive(Debug)]
pub struct Links {
    /// Definitions by full name, with their file below `lean/`.
    lean: BTreeMap<String, (String, Declaration)>,
    rust: Vec<Item>,
    /// From each path to its item.
    paths: BTreeMap<String, usize>,
}

/// What is to be mended, and what has no twin.
#[derive(Debug, Default)]
pub struct Report {
    /// Names of nothing, and names that are not answered; each with its place.
    pub problems: Vec<String>,
    /// Pairs that name each other.
    pub pairs: usize,
    /// Definitions of `Spec` that name no Rust item.
    pub lean_alone: Vec<String>,
    /// Public functions that name no Lean definition.
    pub rust_alone: Vec<String>,
}

/// A line that would answer a name.
#[derive(Debug)]
struct Missing {
    file: PathBuf,
    /// After this line, from 1.
    line: usize,
    text: String,
    in_lean: bool,
}

impl Links {
    /// Reads `lean/` and the library.
    ///
    /// # Errors
    /// The sources cannot be read.
    pub fn read(project: &Project) -> Result<Self> {
        let mut lean = BTreeMap::new();
        for file in project.tree()?.files().filter(|file| file.module.starts_with("Razorgirl.")) {
            for declaration in declarations(file) {
                let is_definition = !declaration.is_theorem() && !declaration.private;
                if is_definition {
                    lean.insert(declaration.name.clone(), (file.path.clone(), declaration));
                }
            }
        }
        let rust = public_items(&project.root().join("rust/razorgirl/src/lib.rs"), CRATE)?;
        let paths =
            rust.iter().enumerate().flat_map(|(i, item)| item.paths.iter().map(move |p| (p.clone(), i))).collect();
        Ok(Self { lean, rust, paths })
    }

    /// Compares both directions.
    pub fn report(&self) -> Report {
        let (report, _) = self.compare();
        report
    }

    fn compare(&self) -> (Report, Vec<Missing>) {
        let mut report = Report::default();
        let mut pairs = BTreeSet::new();
        let mut missing = Vec::new();
        for (name, (file, declaration)) in &self.lean {
            let place = format!("lean/{file}:{}: `{name}`", declaration.line);
            let named = names(&declaration.doc, "Rust:");
            let is_spec = file.starts_with("Razorgirl/Spec/");
            if named.is_empty() && is_spec && declaration.kind != "instance" {
                report.lean_alone.push(name.clone());
            }
            for path in named {
                let Some(&i) = self.paths.get(&path) else {
                    report.problems.push(format!("{place} names `{path}`, which is no public Rust item"));
                    continue;
                };
                let item = &self.rust[i];
                if names(&item.doc, "Lean:").contains(name) {
                    pairs.insert((name.clone(), i));
                } else {
                    report.problems.push(format!("{place} names `{path}`, which does not name it"));
                    let text = format!("Lean: `{name}`");
                    missing.push(Missing { file: item.file.clone(), line: item.doc_end, text, in_lean: false });
                }
            }
        }
        for item in &self.rust {
            let Some(path) = item.paths.first() else { continue };
            let named = names(&item.doc, "Lean:");
            if named.is_empty() && item.kind == Kind::Function {
                report.rust_alone.push(path.clone());
            }
            for name in named {
                let Some((file, declaration)) = self.lean.get(&name) else {
                    report.problems.push(format!("`{path}` names `{name}`, which is no Lean definition"));
                    continue;
                };
                let back = names(&declaration.doc, "Rust:");
                if !back.iter().any(|back| item.paths.contains(back)) {
                    report.problems.push(format!("`{path}` names `{name}`, which does not name it"));
                    let (file, text) = (PathBuf::from("lean").join(file), format!("Rust: `{path}`"));
                    missing.push(Missing { file, line: declaration.line, text, in_lean: true });
                }
            }
        }
        report.pairs = pairs.len();
        (report, missing)
    }

    /// Adds the lines that answer a name. Gives how many were added.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn complete(&self, project: &Project) -> Result<usize> {
        let mut by_file = BTreeMap::<PathBuf, Vec<Missing>>::new();
        for missing in self.compare().1 {
            let path = if missing.in_lean { project.root().join(&missing.file) } else { missing.file.clone() };
            by_file.entry(path).or_default().push(missing);
        }
        let mut added = 0;
        for (path, mut missing) in by_file {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
            // From the end, so that line numbers before stay right.
            missing.sort_by_key(|m| std::cmp::Reverse(m.line));
            for missing in missing {
                added += usize::from(if missing.in_lean {
                    add_to_lean(&mut lines, &missing)
                } else {
                    add_to_rust(&mut lines, &missing)
                });
            }
            fs::write(&path, lines.join("\n") + "\n").with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(added)
    }
}

/// Before the end of the docstring above the declaration.
fn add_to_lean(lines: &mut Vec<String>, missing: &Missing) -> bool {
    let upto = missing.line.min(lines.len());
    let Some(end) = (0..upto).rev().find(|&n| lines[n].trim_end().ends_with("-/")) else { return false };
    if upto - end > 4 {
        return false;
    }
    let kept = lines[end].trim_end().trim_end_matches("-/").trim_end().to_string();
    lines[end] = kept;
    lines.insert(end + 1, format!("{} -/", missing.text));
    true
}

/// Below the doc comment, in a paragraph of its own.
fn add_to_rust(lines: &mut Vec<String>, missing: &Missing) -> bool {
    let Some(last) = missing.line.checked_sub(1).and_then(|n| lines.get(n)).cloned() else { return false };
    let Some(at) = last.find("///") else { return false };
    let indent = &last[..at];
    let mut new = vec![format!("{indent}/// {}", missing.text)];
    if !last.contains("Lean:") {
        new.insert(0, format!("{indent}///"));
    }
    lines.splice(missing.line..missing.line, new);
    true
}

/// The names in backquotes on lines that begin with `label`.
fn names(doc: &str, label: &str) -> Vec<String> {
    let lines = doc.lines().filter_map(|line| line.trim().strip_prefix(label));
    lines.flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_string)).collect()
}
