//! Findings that are known, and so not listed: what is new is seen. An entry says what is wrong and where it stands, but no line, so
//! that it holds when other lines come or go.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::mistake::{self, Mistake};
use crate::finding::{Code, Finding};
use crate::report::Report;

/// The version of the format.
const VERSION: u32 = 1;

/// A larger file is none that this program wrote.
const MAX_BYTES: u64 = 64 << 20;

/// Characters of a layout's text that are kept.
const MAX_TEXT: usize = 400;

/// What tells a finding from others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Entry {
    rule: String,
    path: String,
    subject: Option<String>,
    layout: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Counted {
    #[serde(flatten)]
    entry: Entry,
    count: usize,
}

#[derive(Serialize)]
struct Written<'b> {
    version: u32,
    findings: Vec<&'b Counted>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<serde_json::Value>,
}

/// The findings that are known.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    folder: PathBuf,
    left: BTreeMap<Entry, usize>,
}

impl Baseline {
    /// A baseline without entries, to be written at a path.
    pub fn at(path: &Path) -> Self {
        Self { folder: folder(path), left: BTreeMap::new() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn read(path: &Path) -> Result<Self, Mistake> {
        Self::parse(path, &mistake::read(path, MAX_BYTES)?)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Mistake> {
        let again = "write it again with --write-baseline";
        let wrong = |error: &serde_json::Error| {
            let mut mistake = Mistake::of("parse", path, error.to_string(), again);
            mistake.at = (error.line() > 0).then(|| (error.line(), error.column()));
            mistake
        };
        let file: File = serde_json::from_str(text).map_err(|error| wrong(&error))?;
        if file.version != VERSION {
            let reason = format!("it has version {}, and {VERSION} is read", file.version);
            return Err(Mistake::of("version", path, reason, again));
        }
        let mut baseline = Self::at(path);
        for value in file.findings {
            let Counted { entry, count } = serde_json::from_value(value).map_err(|error| wrong(&error))?;
            if Code::of(&entry.rule).is_none() {
                return Err(Mistake::of("unknown_rule", path, format!("there is no rule `{}`", entry.rule), again));
            }
            let sum = baseline.left.entry(entry).or_default();
            *sum = sum.saturating_add(count);
        }
        Ok(baseline)
    }

    /// The text of a baseline that has exactly these findings.
    ///
    /// # Errors
    /// Those of writing JSON.
    pub fn write(path: &Path, report: &Report) -> Result<String, serde_json::Error> {
        let mut baseline = Self::at(path);
        for finding in &report.findings {
            *baseline.left.entry(baseline.entry(report, finding)).or_default() += 1;
        }
        let counted: Vec<Counted> = baseline.left.into_iter().map(|(entry, count)| Counted { entry, count }).collect();
        let file = Written { version: VERSION, findings: counted.iter().collect() };
        Ok(serde_json::to_string_pretty(&file)? + "\n")
    }

    /// Whether a finding is known; it is then taken out, so that a second one like it is new.
    pub fn takes(&mut self, report: &Report, finding: &Finding) -> bool {
        match self.left.get_mut(&self.entry(report, finding)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Findings of the baseline that nothing took out.
    pub fn left(&self) -> usize {
        self.left.values().sum()
    }

    fn entry(&self, report: &Report, finding: &Finding) -> Entry {
        let written = report.text(finding.place).get(finding.place.span.range()).unwrap_or_default();
        let words: Vec<&str> = written.split_whitespace().collect();
        Entry {
            rule: finding.code.id().to_owned(),
            path: relative(&self.folder, Path::new(&report.path(finding.place))),
            subject: finding.subject.clone(),
            layout: finding.layout.clone(),
            text: words.join(" ").chars().take(MAX_TEXT).collect(),
        }
    }
}

/// The folder of a file, in full.
fn folder(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_path_buf())
}

/// A path from the baseline's folder, with slashes: the same wherever the command is run.
fn relative(folder: &Path, path: &Path) -> String {
    let full = path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf());
    let common = folder.components().zip(full.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| "..".to_owned());
    let down = full.components().skip(common).map(|part| match part {
        Component::Normal(name) => name.to_string_lossy().into_owned(),
        other => other.as_os_str().to_string_lossy().into_owned(),
    });
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_from_the_baseline() {
        assert_eq!(relative(Path::new("/no/b"), Path::new("/no/b/c/x.hpp")), "c/x.hpp");
        assert_eq!(relative(Path::new("/no/b"), Path::new("/no/x.hpp")), "../x.hpp");
    }

    #[test]
    fn what_is_wrong_in_a_baseline_is_said() {
        let parse = |text: &str| Baseline::parse(Path::new("b.json"), text).map(|baseline| baseline.left());
        let entry = r#"{"rule":"RG002","path":"a","subject":null,"layout":"","text":"","count":3}"#;
        let file = |version: u32, entry: &str| format!(r#"{{"version":{version},"findings":[{entry}]}}"#);
        assert_eq!(parse(&file(1, entry)), Ok(3));
        assert_eq!(parse(&file(2, entry)).unwrap_err().code, "version");
        assert_eq!(parse(&file(1, &entry.replace("RG002", "RG000"))).unwrap_err().code, "unknown_rule");
        assert_eq!(parse(&file(1, r#"{"rule":"RG002"}"#)).unwrap_err().code, "parse");
        assert_eq!(parse("{").unwrap_err().at, Some((1, 1)));
    }
}
