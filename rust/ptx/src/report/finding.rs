//! Errors, warnings and notes.

use super::remedy::Remedy;
use super::row::{Row, Worst};
use crate::find::{Check, Verdict};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Each launch that the file and the arguments admit is wrong.
    Error,
    /// It is slow, or wrong if it is executed.
    Warning,
    /// A condition that somebody must know.
    Note,
}

impl Severity {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What is wrong with an access.
#[derive(Debug, Clone)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// `bank-conflict`, `misaligned`, `out-of-bounds`, `alignment`.
    pub code: &'static str,
    /// What, with the numbers.
    pub message: String,
    /// The access: its number among the report's rows.
    pub row: usize,
    /// What removes it: the number of the report's remedy.
    pub remedy: Option<usize>,
}

fn access(row: &Row) -> String {
    let kind = match row.kind {
        "cp.async" => format!("cp.async {} {}", if row.space == "shared" { "to" } else { "from" }, row.space),
        "ldmatrix" | "stmatrix" => row.kind.to_owned(),
        kind => format!("{kind}.{}", row.space),
    };
    format!("{kind} of {} bytes", row.bytes)
}

pub(super) fn findings(rows: &[Row], remedies: &[Remedy], dynamic: Option<u64>) -> Vec<Finding> {
    let mut all = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let what = access(row);
        let wrong =
            |certain: bool| if certain { (Severity::Error, "") } else { (Severity::Warning, ", if they execute it") };
        let mut add = |severity, code, message, remedy| all.push(Finding { severity, code, message, row: at, remedy });
        match &row.aligned.check {
            Check::Fails { threads, .. } => {
                let (severity, executed) = wrong(row.aligned.certain);
                let message = format!("{what} is misaligned for {threads} of {} threads{executed}", row.threads);
                add(severity, "misaligned", message, None);
            }
            Check::Needs(what_is_needed) if row.is_vector && row.verdict != Verdict::Data => {
                add(Severity::Note, "alignment", format!("{what} is aligned only if {what_is_needed}"), None);
            }
            _ => {}
        }
        if let Some(Worst { check: Check::Fails { threads, reach: Some((from, to)) }, certain }) = &row.bounds {
            let (severity, executed) = wrong(*certain);
            let size = row.array_bytes.or(dynamic).map_or_else(String::new, |x| format!("{x} bytes"));
            let message = format!(
                "{what} reaches bytes {from}..{to} of an array of {size}, in {threads} of {} threads{executed}",
                row.threads
            );
            add(severity, "out-of-bounds", message, None);
        }
        if let Some(count) = row.count.filter(|x| x.wavefronts > x.least) {
            // what threads execute it is not known: perhaps one
            let (severity, most) =
                if row.verdict == Verdict::AtMost { (Severity::Note, "up to ") } else { (Severity::Warning, "") };
            let turn = if row.repeated { " in a turn of its loop" } else { "" };
            let (worst, least) = count.worst;
            let message = format!(
                "{what} takes {most}{} wavefronts{turn}, {} without conflicts (worst warp: {worst} for {least})",
                count.wavefronts, count.least
            );
            let remedy = remedies.iter().position(|x| Some(&x.array) == row.array.as_ref());
            add(severity, "bank-conflict", message, remedy);
        }
    }
    all.sort_by_key(|x| x.severity);
    all
}
