//! JSON, as described in `rust/audit/JSON.md`.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use super::{Counts, Export, Held, Region, Report, Used};
use crate::check::{Copies, Operands, Plain, Shared};
use crate::eval::Reason;
use crate::finding::{Code, Finding, Place, Severity};
use crate::survey::Role;
use crate::uses::Family;

/// The version of the format; it grows when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The JSON format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json {
    /// Leave the findings and remarks out.
    pub summary: bool,
    /// List what is not resolved.
    pub unresolved: bool,
}

#[derive(Serialize)]
struct Root<'r> {
    version: u32,
    files: Files,
    layouts: Layouts<'r>,
    algebra: BTreeMap<Family, Used>,
    mma_traits: Traits<'r, Operands>,
    copy_traits: Traits<'r, Copies>,
    shared_memory: Shared,
    counts: BTreeMap<&'static str, usize>,
    unlisted: usize,
    held: Held,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<Found<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<Vec<Note<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_resolved: Option<Vec<Unresolved>>,
}

#[derive(Serialize)]
struct Files {
    read: usize,
    bytes: usize,
    parsed: usize,
    given_up: usize,
    syntax_errors: usize,
    unreadable: Vec<Unreadable>,
    not_judged: Vec<Unreadable>,
}

#[derive(Serialize)]
struct Unreadable {
    path: String,
    why: String,
}

#[derive(Serialize)]
struct Layouts<'r> {
    #[serde(flatten)]
    counts: &'r Counts,
    types: usize,
    calls: usize,
    instances: usize,
    roles: &'r BTreeMap<Role, usize>,
    #[serde(flatten)]
    plain: Plain,
}

#[derive(Serialize)]
struct Traits<'r, T> {
    #[serde(flatten)]
    counts: &'r Counts,
    #[serde(flatten)]
    more: T,
}

#[derive(Serialize)]
struct At {
    path: String,
    #[serde(flatten)]
    region: Region,
}

#[derive(Serialize)]
struct Labelled<'r> {
    #[serde(flatten)]
    at: At,
    text: &'r str,
}

#[derive(Serialize)]
struct Found<'r> {
    code: Code,
    name: &'static str,
    severity: Severity,
    message: &'r str,
    #[serde(flatten)]
    at: At,
    subject: Option<&'r str>,
    layout: &'r str,
    tile: Option<(u64, u64)>,
    labels: Vec<Labelled<'r>>,
    notes: &'r [String],
    fix: Option<Fixed<'r>>,
    affected: Vec<Inherits<'r>>,
}

#[derive(Serialize)]
struct Fixed<'r> {
    change: &'r str,
    checked: &'r str,
    exact: bool,
    layout: &'r str,
    alternatives: &'r [String],
    edits: Vec<Labelled<'r>>,
}

#[derive(Serialize)]
struct Inherits<'r> {
    name: &'r str,
    #[serde(flatten)]
    at: At,
}

#[derive(Serialize)]
struct Unresolved {
    reason: Reason,
    #[serde(flatten)]
    at: At,
    cause: At,
}

#[derive(Serialize)]
struct Note<'r> {
    #[serde(flatten)]
    at: At,
    text: &'r str,
}

impl Export for Json {
    fn write(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for finding in &report.findings {
            *counts.entry(finding.code.id()).or_default() += 1;
        }
        let root = Root {
            version: VERSION,
            files: Files {
                read: report.sources.files.len(),
                bytes: report.bytes,
                parsed: report.parsed,
                given_up: report.given_up.len(),
                not_judged: listed(&report.given_up),
                syntax_errors: report.syntax_errors,
                unreadable: listed(&report.sources.unreadable),
            },
            layouts: Layouts {
                counts: &report.layouts,
                types: report.layouts.found - report.calls,
                calls: report.calls,
                instances: report.instances,
                roles: &report.roles,
                plain: report.plain,
            },
            algebra: report.algebra(|_| true),
            mma_traits: Traits { counts: &report.mma, more: report.operands },
            copy_traits: Traits { counts: &report.copy, more: report.copies },
            shared_memory: report.shared,
            counts,
            unlisted: report.unlisted,
            held: report.held,
            findings: (!self.summary).then(|| report.findings.iter().map(|finding| found(report, finding)).collect()),
            remarks: (!self.summary).then(|| {
                report.remarks.iter().map(|remark| Note { at: at(report, remark.place), text: &remark.text }).collect()
            }),
            not_resolved: self.unresolved.then(|| {
                let open = report.open.iter().chain(&report.open_calls);
                open.map(|one| Unresolved {
                    reason: one.reason,
                    at: at(report, one.place),
                    cause: at(report, one.cause),
                })
                .collect()
            }),
        };
        serde_json::to_writer_pretty(&mut *out, &root)?;
        writeln!(out)
    }
}

fn listed(all: &[crate::source::Unreadable]) -> Vec<Unreadable> {
    all.iter().map(|one| Unreadable { path: one.path.display().to_string(), why: one.why.clone() }).collect()
}

fn at(report: &Report, place: Place) -> At {
    At { path: report.path(place), region: report.region(place) }
}

fn found<'r>(report: &Report, finding: &'r Finding) -> Found<'r> {
    let labels = finding.labels.iter().map(|label| Labelled { at: at(report, label.place), text: &label.text });
    let affected = finding.affected.iter().map(|one| Inherits { name: &one.name, at: at(report, one.place) });
    Found {
        code: finding.code,
        name: finding.code.name(),
        severity: report.severity(finding.code),
        message: &finding.title,
        at: at(report, finding.place),
        subject: finding.subject.as_deref(),
        layout: &finding.layout,
        tile: finding.tile,
        labels: labels.collect(),
        notes: &finding.notes,
        fix: finding.fix.as_ref().map(|fix| Fixed {
            change: &fix.change,
            checked: &fix.checked,
            exact: fix.exact,
            layout: &fix.layout,
            alternatives: &fix.alternatives,
            edits: fix.edits.iter().map(|edit| Labelled { at: at(report, edit.place), text: &edit.text }).collect(),
        }),
        affected: affected.collect(),
    }
}
