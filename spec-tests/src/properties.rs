//! `PROPERTIES.md`: what is proved, generated from the docstrings of the theorems.
//!
//! A theorem that a user would quote begins its docstring with one bold sentence, and ends it with `Source: …`. Where the
//! source's own statement is false, the source ends with ``(repaired: `name`)``, and `name` is the theorem that proves a
//! counterexample to it. This module reads them, so the table cannot promise what is not there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lean_runner::Project;
use lean_runner::lean::declarations::{Declaration, declarations};

/// One quoted theorem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// the bold sentence
    pub english: String,
    /// full Lean name
    pub theorem: String,
    /// where the statement comes from
    pub source: String,
    /// for a repaired statement: the theorem that refutes the source's own one
    pub counterexample: Option<String>,
    /// whether it only says again what a definition says: its proof is `rfl`
    pub unfolding: bool,
    /// the file below `lean/`
    pub file: String,
}

const FILE: &str = "PROPERTIES.md";

/// All quoted theorems below `lean/Razorgirl/Thm`, by file.
///
/// # Errors
/// The sources cannot be read, a docstring is not of the form, or a counterexample is no theorem.
pub fn properties(project: &Project) -> Result<Vec<Property>> {
    let tree = project.tree()?;
    let mut names = BTreeSet::new();
    let mut all = Vec::new();
    for file in tree.files().filter(|file| file.module.starts_with("Razorgirl.")) {
        let declared = declarations(file);
        names.extend(declared.iter().filter(|d| d.is_theorem() && !d.private).map(|d| d.name.clone()));
        if file.module.starts_with("Razorgirl.Thm.") {
            let read = |declaration: &Declaration| property(declaration, &file.path).transpose();
            for property in declared.iter().filter_map(read) {
                all.push(property.with_context(|| format!("lean/{}", file.path))?);
            }
        }
    }
    for property in &mut all {
        if let Some(counterexample) = &mut property.counterexample {
            let found = resolve(counterexample, &property.theorem, &names);
            *counterexample = found.with_context(|| {
                format!(
                    "lean/{}: {} is repaired: `{counterexample}`, which is no theorem",
                    property.file, property.theorem
                )
            })?;
        }
    }
    Ok(all)
}

/// `name` as it is understood where `from` is declared.
fn resolve(name: &str, from: &str, names: &BTreeSet<String>) -> Option<String> {
    let outer = from.match_indices('.').map(|(at, _)| &from[..at]).rev();
    outer.map(|namespace| format!("{namespace}.{name}")).chain([name.to_string()]).find(|full| names.contains(full))
}

fn property(declaration: &Declaration, file: &str) -> Result<Option<Property>> {
    let name = &declaration.name;
    let Some(bold) = declaration.doc.strip_prefix("**").filter(|_| declaration.is_theorem()) else { return Ok(None) };
    let Some((english, rest)) = bold.split_once("**") else { bail!("the bold sentence of {name} has no end") };
    let english = one_line(english);
    if !english.ends_with('.') {
        bail!("the bold sentence of {name} is no sentence: {english}");
    }
    let Some((_, source)) = rest.split_once("Source:") else { bail!("{name} has no `Source:` line") };
    // the last line of a docstring, however long
    let source = one_line(source);
    let counterexample = source.split_once("(repaired: `").and_then(|(_, named)| named.split_once('`'));
    Ok(Some(Property {
        english,
        theorem: name.clone(),
        counterexample: counterexample.map(|(named, _)| named.to_string()),
        source,
        unfolding: is_unfolding(&declaration.body),
        file: file.to_string(),
    }))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a theorem is proved by `rfl` alone.
fn is_unfolding(body: &str) -> bool {
    let ends =
        [":= rfl", ":= by rfl", ":= Iff.rfl", ":= .rfl", ":= by exact rfl", ":= fun _ => rfl", ":= by intros; rfl"];
    ends.iter().any(|end| body.trim_end().ends_with(end))
}

/// `PROPERTIES.md`.
pub fn page(properties: &[Property]) -> String {
    let counted = properties.iter().filter(|property| !property.unfolding);
    let files = properties.chunk_by(|a, b| a.file == b.file);
    let repaired = counted.clone().filter(|property| property.counterexample.is_some()).count();
    let mut text = format!(
        "# What is proved\n\n\
         Generated from the docstrings of the theorems by `cargo run -p spec-tests -- properties`; a test compares it.\n\n\
         {} properties are proved, in {} files. {repaired} of them are **repaired**: the source's own statement is false, \
         and the theorem that is named proves a counterexample to it.",
        counted.count(),
        files.clone().count(),
    );
    let unfoldings = properties.iter().filter(|property| property.unfolding).count();
    if unfoldings > 0 {
        let _ = write!(
            text,
            " {unfoldings} more, marked *by definition*, only say what a definition says, and are not counted."
        );
    }
    text.push('\n');
    for rows in files {
        let Some(first) = rows.first() else { continue };
        let file = &first.file;
        let about = file.trim_start_matches("Razorgirl/Thm/").trim_end_matches(".lean");
        let _ =
            writeln!(text, "\n## {about}\n\n[{file}](lean/{file})\n\n| property | theorem | source |\n|---|---|---|");
        for property in rows {
            let _ = writeln!(
                text,
                "| {}{} | `{}` | {} |",
                cell(&property.english),
                if property.unfolding { " *By definition.*" } else { "" },
                shown(&property.theorem),
                cell(&source(property)),
            );
        }
    }
    text
}

/// The source as the table has it: `repaired` stands there only with the counterexample.
fn source(property: &Property) -> String {
    match &property.counterexample {
        Some(counterexample) => {
            let (before, after) = property.source.split_once("(repaired: `").unwrap_or((&property.source, ""));
            let after = after.split_once('`').map_or("", |(_, after)| after);
            format!("{before}(**repaired**: `{}`{after}", shown(counterexample))
        }
        None => property.source.replace("(repaired", "(stated otherwise"),
    }
}

fn shown(name: &str) -> &str {
    name.strip_prefix("Razorgirl.").unwrap_or(name)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Writes `PROPERTIES.md`, or with `check` only says whether it is what the docstrings say. Gives the number of properties.
///
/// # Errors
/// As [`properties`]; when only checked, also that the file is out of date.
pub fn update(project: &Project, check: bool) -> Result<usize> {
    let properties = properties(project)?;
    let path = project.root().join(FILE);
    let (text, kept) = (page(&properties), std::fs::read_to_string(&path).unwrap_or_default());
    if text != kept {
        if check {
            bail!("{FILE} is out of date: run `cargo run -p spec-tests -- properties`");
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(properties.iter().filter(|property| !property.unfolding).count())
}

/// Theorems that are called repaired without the name of a counterexample.
pub fn without_counterexample(properties: &[Property]) -> Vec<&str> {
    let unnamed = |p: &&Property| p.counterexample.is_none() && p.source.contains("(repaired");
    properties.iter().filter(unnamed).map(|p| p.theorem.as_str()).collect()
}

/// Reads properties from sources of their own, for tests.
///
/// # Errors
/// As [`properties`].
pub fn properties_at(root: &Path) -> Result<Vec<Property>> {
    properties(&Project::at(root))
}
