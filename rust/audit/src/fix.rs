//! Fixes as new texts of files: only those that were checked, and checked again together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::audit::{audit_again, audit_sources};
use crate::cache::Cache;
use crate::finding::{Edit, Finding};
use crate::report::Report;
use crate::source::{Source, Sources};

/// A file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Its index among the sources.
    pub file: usize,
    /// What it says.
    pub before: String,
    /// What it says with the fixes.
    pub after: String,
}

/// What fixing comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Files with fixes in them, in the order of the sources.
    pub changes: Vec<Change>,
    /// Fixes in them.
    pub fixes: usize,
    /// Fixes that change the text of another one: the next run has them.
    pub overlapping: usize,
    /// Findings that stay, since nobody chooses between several changes, or none was checked.
    pub unfixed: usize,
}

/// Collects the fixes of a report. The sources with all of them are audited before anything is offered: a fix after which there
/// are more findings of any rule in total is none, and then nothing is offered.
pub fn plan(report: &Report) -> Plan {
    plan_of(report, &report.findings, &|sources| audit_sources(sources, None))
}

/// Collects the fix of one finding, after the same audit of the sources with it. None where a tool may not make it.
pub fn plan_one(report: &Report, finding: &Finding, cache: &Cache) -> Option<Plan> {
    let plan = plan_of(report, std::slice::from_ref(finding), &|sources| audit_again(sources, cache));
    (plan.fixes == 1).then_some(plan)
}

fn plan_of(report: &Report, findings: &[Finding], audit: &dyn Fn(Sources) -> Report) -> Plan {
    let mut plan = Plan::default();
    let mut taken: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
    let mut done: BTreeSet<Vec<(usize, u32, u32, &str)>> = BTreeSet::new();
    for finding in findings {
        let Some(fix) = finding.offered() else {
            plan.unfixed += 1;
            continue;
        };
        let key: Vec<_> =
            fix.edits.iter().map(|e| (e.place.file, e.place.span.start, e.place.span.end, e.text.as_str())).collect();
        if done.contains(&key) {
            continue;
        }
        let clashes = fix.edits.iter().any(|edit| {
            let others = taken.get(&edit.place.file).into_iter().flatten();
            others.into_iter().any(|other| {
                edit.place.span.start <= other.place.span.end && other.place.span.start <= edit.place.span.end
            })
        });
        // A folder that is read for names is somebody else's.
        let foreign = fix.edits.iter().any(|edit| report.sources.files.get(edit.place.file).is_none_or(|f| f.included));
        if clashes {
            plan.overlapping += 1;
        } else if foreign {
            plan.unfixed += 1;
        } else {
            plan.fixes += 1;
            done.insert(key);
            fix.edits.iter().for_each(|edit| taken.entry(edit.place.file).or_default().push(edit));
        }
    }
    for (file, edits) in taken {
        let Some(source) = report.sources.files.get(file) else { continue };
        if let Some(after) = edited(&source.text, edits) {
            plan.changes.push(Change { path: source.path.clone(), file, before: source.text.clone(), after });
        }
    }
    if plan.changes.is_empty() || holds(report, findings, &plan, audit) {
        plan
    } else {
        Plan { unfixed: findings.len(), ..Plan::default() }
    }
}

/// A text with edits that do not meet.
pub fn edited(text: &str, mut edits: Vec<&Edit>) -> Option<String> {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span));
    let mut after = text.to_owned();
    for edit in edits {
        let range = edit.place.span.range();
        after.get(range.clone())?;
        after.replace_range(range, &edit.text);
    }
    Some(after)
}

/// Whether the fixes, made together, take their findings away and bring none.
fn holds(report: &Report, fixed: &[Finding], plan: &Plan, audit: &dyn Fn(Sources) -> Report) -> bool {
    let mut files = report.sources.files.clone();
    for change in &plan.changes {
        if let Some(file) = files.get_mut(change.file) {
            let included = file.included;
            *file = Source::new(file.path.clone(), change.after.clone().into_bytes());
            file.included = included;
        }
    }
    let kind = |finding: &Finding| (finding.place.file, finding.code);
    let count = |findings: &[Finding]| {
        findings.iter().fold(BTreeMap::<_, usize>::new(), |mut counts, finding| {
            *counts.entry(kind(finding)).or_default() += 1;
            counts
        })
    };
    let offered: Vec<Finding> = fixed.iter().filter(|finding| finding.offered().is_some()).cloned().collect();
    // What is held back by the user's word is there in both: a second audit before shows it too.
    let before = count(&audit(Sources { files: report.sources.files.clone(), unreadable: Vec::new() }).findings);
    let after = count(&audit(Sources { files, unreadable: Vec::new() }).findings);
    let fewer =
        count(&offered).keys().all(|key| after.get(key).copied().unwrap_or(0) < before.get(key).copied().unwrap_or(0));
    fewer && after.iter().all(|(key, count)| before.get(key).is_some_and(|before| count <= before))
}
