//! SARIF 2.1.0, as code-scanning services take it.

use std::io;
use std::path::{Component, Path};

use serde_json::{Value, json};

use super::text::advice;
use super::{Export, Report};
use crate::finding::{Code, Finding, Place};

/// The SARIF format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sarif {
    /// Remarks too, as results of kind `informational`.
    pub remarks: bool,
}

/// The rule that remarks belong to.
const REMARK: &str = "RG900";

impl Export for Sarif {
    fn write(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
        let mut rules: Vec<Value> = Code::ALL.into_iter().map(|code| rule(report, code)).collect();
        let mut results: Vec<Value> = report.findings.iter().map(|finding| result(report, finding)).collect();
        if self.remarks {
            rules.push(json!({
                "id": REMARK,
                "name": "remark",
                "shortDescription": { "text": "What is no defect but worth knowing." },
                "defaultConfiguration": { "level": "none" },
            }));
            results.extend(report.remarks.iter().map(|remark| {
                json!({
                    "ruleId": REMARK,
                    "ruleIndex": Code::ALL.len(),
                    "kind": "informational",
                    "level": "none",
                    "message": { "text": format!("{}.", remark.text) },
                    "locations": [location(report, remark.place)],
                    "relatedLocations": [],
                })
            }));
        }
        let mut problems: Vec<Value> = report
            .not_read()
            .map(|one| {
                json!({
                    "level": "error",
                    "message": { "text": format!("{}: {}", one.path.display(), one.why) },
                    "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&one.path) } } }],
                })
            })
            .collect();
        let complete = problems.is_empty();
        if report.unlisted > 0 {
            let text = format!("{} findings more are not listed", report.unlisted);
            problems.push(json!({ "level": "warning", "message": { "text": text } }));
        }
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "razorgirl",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": complete,
                    "toolExecutionNotifications": problems,
                }],
                "results": results,
            }],
        });
        serde_json::to_writer_pretty(&mut *out, &log)?;
        writeln!(out)
    }
}

fn rule(report: &Report, code: Code) -> Value {
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": { "text": code.summary() },
        "help": { "text": code.page(), "markdown": code.page() },
        "defaultConfiguration": { "level": report.severity(code).word() },
    })
}

fn result(report: &Report, finding: &Finding) -> Value {
    let index = Code::ALL.iter().position(|code| *code == finding.code);
    let mut message = format!("{}.", finding.title);
    for note in &finding.notes {
        message = format!("{message} {}.", capital(note));
    }
    if let Some(fix) = &finding.fix {
        message = format!("{message} Fix: {}.", advice(fix));
    }
    let labels = finding.labels.iter().map(|label| (label.place, label.text.clone()));
    let affected = finding.affected.iter().map(|one| (one.place, format!("{} has it from here", one.name)));
    let related: Vec<Value> = labels
        .chain(affected)
        .zip(0_usize..)
        .map(|((place, text), id)| {
            let mut location = location(report, place);
            if let Some(fields) = location.as_object_mut() {
                fields.insert("id".to_owned(), json!(id));
                fields.insert("message".to_owned(), json!({ "text": text }));
            }
            location
        })
        .collect();
    let mut result = json!({
        "ruleId": finding.code.id(),
        "ruleIndex": index,
        "level": report.severity(finding.code).word(),
        "message": { "text": message },
        "locations": [location(report, finding.place)],
        "relatedLocations": related,
        "properties": { "layout": finding.layout, "tile": finding.tile, "subject": finding.subject },
    });
    if let (Some(fix), Some(fields)) = (finding.offered(), result.as_object_mut()) {
        let changes: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "artifactLocation": artifact(report, edit.place),
                    "replacements": [{
                        "deletedRegion": region(report, edit.place),
                        "insertedContent": { "text": edit.text },
                    }],
                })
            })
            .collect();
        fields
            .insert("fixes".to_owned(), json!([{ "description": { "text": fix.change }, "artifactChanges": changes }]));
    }
    result
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn location(report: &Report, place: Place) -> Value {
    json!({ "physicalLocation": { "artifactLocation": artifact(report, place), "region": region(report, place) } })
}

fn artifact(report: &Report, place: Place) -> Value {
    let path = report.sources.files.get(place.file).map_or_else(String::new, |file| uri(&file.path));
    json!({ "uri": path })
}

fn region(report: &Report, place: Place) -> Value {
    let region = report.region(place);
    json!({
        "startLine": region.start.line,
        "startColumn": region.start.column,
        "endLine": region.end.line,
        "endColumn": region.end.column,
    })
}

/// A path as a URI: relative ones stay relative, `.` is dropped, everything unusual is escaped.
fn uri(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut absolute = false;
    for component in path.components() {
        match component {
            Component::RootDir => absolute = true,
            Component::CurDir => {}
            Component::ParentDir => parts.push("..".to_owned()),
            Component::Prefix(prefix) => parts.push(escape(&prefix.as_os_str().to_string_lossy())),
            Component::Normal(name) => parts.push(escape(&name.to_string_lossy())),
        }
    }
    let joined = parts.join("/");
    if absolute { format!("file:///{joined}") } else { joined }
}

fn escape(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+@,=".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri(Path::new("./a b/ç.hpp")), "a%20b/%C3%A7.hpp");
        assert_eq!(uri(Path::new("../x.cu")), "../x.cu");
        assert_eq!(uri(Path::new("/x/y.cu")), "file:///x/y.cu");
    }
}
