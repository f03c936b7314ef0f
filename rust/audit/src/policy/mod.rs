//! What the user says of the findings: comments that allow them, `razorgirl.toml`, and a baseline of those that are known. Nothing
//! is dropped in silence: what is held back is counted in every format.

mod allow;
mod baseline;
mod config;
mod mistake;

use crate::finding::{Code, Finding};
use crate::report::Report;

pub use baseline::Baseline;
pub use config::{Config, FILE_NAME, Level};
pub use mistake::Mistake;

/// The word that is most like another one; none when nothing is.
pub(crate) fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let word = word.to_lowercase();
    let near = known.map(|one| (strsim::damerau_levenshtein(&word, &one.to_lowercase()), one));
    near.min_by_key(|(distance, _)| *distance).filter(|(distance, one)| *distance * 2 <= one.len()).map(|(_, one)| one)
}

/// The id or name of a rule that is most like a word.
pub fn nearest_rule(word: &str) -> Option<&'static str> {
    nearest(word, Code::ALL.into_iter().flat_map(|code| [code.id(), code.name()]))
}

/// Applies what the user says to a report: severities and rules first, then folders, comments, and the baseline last.
pub fn apply(report: &mut Report, config: &Config, baseline: Option<&mut Baseline>) {
    let mut findings = std::mem::take(&mut report.findings);
    for (code, level) in &config.rules {
        match level {
            Level::Off => report.held.off += drop_if(&mut findings, |finding| finding.code == *code),
            Level::At(severity) => {
                report.severities.insert(*code, *severity);
            }
        }
    }
    let included = |file: usize| report.sources.files.get(file).is_some_and(|file| file.included);
    let outside = |finding: &Finding| {
        let mut places = finding.labels.iter().map(|label| label.place).chain(finding.affected.iter().map(|a| a.place));
        included(finding.place.file) && places.all(|place| included(place.file))
    };
    report.held.included = drop_if(&mut findings, outside);
    report.remarks.retain(|remark| !included(remark.place.file));
    let off = |code: Code| config.rules.get(&code) == Some(&Level::Off);
    let (allowed, directives) = allow::apply(report, &mut findings, &off);
    report.held.allowed = allowed;
    if off(Code::Directive) {
        report.held.off += directives.len();
    } else {
        findings.extend(directives);
    }
    findings.sort_by_key(|finding| (finding.place, finding.code));
    if let Some(baseline) = baseline {
        report.held.baseline = drop_if(&mut findings, |finding| baseline.takes(report, finding));
        report.held.stale = baseline.left();
    }
    report.findings = findings;
}

fn drop_if(findings: &mut Vec<Finding>, mut gone: impl FnMut(&Finding) -> bool) -> usize {
    let before = findings.len();
    findings.retain(|finding| !gone(finding));
    before - findings.len()
}
