//! `docs/PROPERTIES.md`: the proved properties, generated from the docstrings of the theorems.
//!
//! A theorem that a user would quote begins its docstring with one bold sentence, and ends it with `Source: …`. Where the
//! source's own statement is false, the source ends with ``(repaired: `name`)``, and `name` is the theorem that proves a
//! counterexample to it; several names are separated by commas, and words may follow. This module reads them, so the table cannot promise what is not there.

use std::collections::{BTreeMap, BTreeSet};
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
    /// for a repaired statement: the theorems that refute the source's own one
    pub counterexamples: Vec<String>,
    /// whether it only says again what a definition says: its proof is `rfl`
    pub unfolding: bool,
    /// the file below `lean/`
    pub file: String,
}

const FILE: &str = "docs/PROPERTIES.md";

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
        for counterexample in &mut property.counterexamples {
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
    Ok(Some(Property {
        english,
        theorem: name.clone(),
        counterexamples: repairs(&source).flat_map(|(_, names)| names).map(str::to_string).collect(),
        source,
        unfolding: is_unfolding(&declaration.body),
        file: file.to_string(),
    }))
}

const REPAIRED: &str = "(repaired";

/// Where `(repaired` stands in a source, and which names follow it: ``(repaired: `a`, `b`, and words)``.
fn repairs(source: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    source.match_indices(REPAIRED).map(|(at, found)| {
        let (mut names, mut rest) = (Vec::new(), source[at + found.len()..].strip_prefix(": `"));
        while let Some((name, after)) = rest.and_then(|rest| rest.split_once('`')) {
            names.push(name);
            rest = after.strip_prefix(", `");
        }
        (at, names)
    })
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

/// What a file of theorems is about: `Layout/Coalesce/By` for `Razorgirl/Thm/Layout/Coalesce/By.lean`.
fn about(property: &Property) -> &str {
    property.file.trim_start_matches("Razorgirl/Thm/").trim_end_matches(".lean")
}

/// The table of contents: one row for each folder, with a link to the first section of each file or folder in it.
fn contents(properties: &[Property]) -> String {
    // how many properties, and the parts with their sections
    type Area<'a> = (usize, Vec<(&'a str, &'a str)>);
    let mut areas: BTreeMap<&str, Area<'_>> = BTreeMap::new();
    for property in properties {
        let section = about(property);
        let (area, rest) = section.split_once('/').unwrap_or((section, ""));
        let part = rest.split('/').next().unwrap_or_default();
        let (count, parts) = areas.entry(area).or_default();
        *count += usize::from(!property.unfolding);
        if !parts.iter().any(|(known, _)| *known == part) {
            parts.push((part, section));
        }
    }
    let mut text = String::from("| area | properties | sections |\n|---|---:|---|\n");
    for (area, (count, parts)) in areas {
        let links: Vec<String> = parts
            .iter()
            .map(|(part, section)| format!("[{}](#{})", if part.is_empty() { area } else { part }, anchor(section)))
            .collect();
        let _ = writeln!(text, "| {area} | {count} | {} |", links.join(", "));
    }
    text
}

/// The fragment of the address that a renderer of Markdown gives a heading: `layoutbasic` for `Layout/Basic`.
pub fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// `docs/PROPERTIES.md`.
pub fn page(properties: &[Property]) -> String {
    let counted = properties.iter().filter(|property| !property.unfolding);
    let files = properties.chunk_by(|a, b| a.file == b.file);
    let repaired = counted.clone().filter(|property| !property.counterexamples.is_empty()).count();
    let mut text = format!(
        "# Proved properties\n\n\
         Generated from the docstrings of the theorems by `cargo run -p spec-tests -- properties`; a test compares it.\n\n\
         {} properties are proved in {} files. {repaired} of them are **repaired**: the statement in the source is false, \
         and the named theorem proves a counterexample to it.",
        counted.count(),
        files.clone().count(),
    );
    let unfoldings = properties.iter().filter(|property| property.unfolding).count();
    if unfoldings > 0 {
        let _ = write!(text, " {unfoldings} more, marked *by definition*, restate a definition and are not counted.");
    }
    text.push_str("\n\n");
    text.push_str(&contents(properties));
    for rows in files {
        let Some(first) = rows.first() else { continue };
        let file = &first.file;
        let about = about(first);
        let _ = writeln!(
            text,
            "\n## {about}\n\n[{file}](../lean/{file})\n\n| property | theorem | source |\n|---|---|---|"
        );
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
    let (mut text, mut from) = (String::new(), 0);
    for (at, names) in repairs(&property.source) {
        let word = if names.is_empty() { "(stated otherwise" } else { "(**repaired**" };
        text = text + &property.source[from..at] + word;
        from = at + REPAIRED.len();
    }
    text + &property.source[from..]
}

fn shown(name: &str) -> &str {
    name.strip_prefix("Razorgirl.").unwrap_or(name)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Writes `docs/PROPERTIES.md`; with `check` only compares it with the docstrings. Returns the number of properties.
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
    let unnamed = |p: &&Property| repairs(&p.source).any(|(_, names)| names.is_empty());
    properties.iter().filter(unnamed).map(|p| p.theorem.as_str()).collect()
}

/// Reads properties from sources of their own, for tests.
///
/// # Errors
/// As [`properties`].
pub fn properties_at(root: &Path) -> Result<Vec<Property>> {
    properties(&Project::at(root))
}
