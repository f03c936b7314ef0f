//! All stages in a row.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::ast::{Lost, Unit, Written};
use crate::check::{self, Verdicts};
use crate::demand;
use crate::eval::{Program, Reason};
use crate::report::{Counts, Report};
use crate::source::{Source, Sources};
use crate::survey::{Role, STACK, Survey};
use crate::syntax::Reader;

/// How often files are parsed for names that were found missing: names declared in terms of further names need another round.
const MAX_ROUNDS: usize = 6;

/// Names that are searched for in one round, at most.
const MAX_WANTED: usize = 256;

/// Told after every parsed file: how many are done, and how many there are so far.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// Audits files and directories.
pub fn audit(paths: &[PathBuf], progress: Option<Progress<'_>>) -> Report {
    audit_sources(Sources::read(paths), progress)
}

/// Audits sources that have been read.
pub fn audit_sources(sources: Sources, progress: Option<Progress<'_>>) -> Report {
    std::thread::scope(|scope| {
        let stages =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || stages(sources, progress));
        match stages.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(report)) => report,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Report::failed(&error),
        }
    })
}

fn stages(sources: Sources, progress: Option<Progress<'_>>) -> Report {
    let files = &sources.files;
    let mut parsed = vec![false; files.len()];
    let mut next: Vec<usize> =
        (0..files.len()).filter(|index| files.get(*index).is_some_and(|file| file.relevant)).collect();
    let mut units: Vec<Unit> = Vec::new();
    let mut survey: Option<Survey> = None;
    let mut round = 0;
    loop {
        for index in &next {
            if let Some(parsed) = parsed.get_mut(*index) {
                *parsed = true;
            }
        }
        // Behind the others, so that what the survey says of those stays true.
        units.extend(read(files, &next, progress));
        let program = Program::new(files, &units);
        let surveyed = match survey.take() {
            None => Survey::of(&program),
            Some(survey) => survey.resumed(&program, next.len()),
        };
        round += 1;
        let wanted: Vec<String> = surveyed.wanted.iter().take(MAX_WANTED).cloned().collect();
        next = if round < MAX_ROUNDS { demand::declaring(files, &parsed, &wanted) } else { Vec::new() };
        if next.is_empty() {
            let verdicts = check::run(&program, &surveyed);
            return conclude(sources, &units, &surveyed, verdicts);
        }
        survey = Some(surveyed);
    }
}

fn read(files: &[Source], indices: &[usize], progress: Option<Progress<'_>>) -> Vec<Unit> {
    let done = AtomicUsize::new(0);
    let size = |index: &usize| files.get(*index).map_or(0, |file| file.text.len());
    // The longest first, so that no thread is left alone with a long one at the end.
    let mut order: Vec<usize> = indices.to_vec();
    order.sort_by_key(|index| std::cmp::Reverse(size(index)));
    let mut units: Vec<Unit> = order
        .into_par_iter()
        .with_max_len(1)
        .map_init(Reader::default, |reader, index| {
            let unit = files.get(index).map_or_else(|| Unit::empty(index), |file| reader.read(index, file));
            if let Some(progress) = progress {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, indices.len());
            }
            unit
        })
        .collect();
    units.sort_by_key(|unit| unit.file);
    units
}

fn conclude(sources: Sources, units: &[Unit], survey: &Survey, verdicts: Verdicts) -> Report {
    let lost = units.iter().fold(Lost::default(), |sum, unit| Lost {
        errors: sum.errors + unit.lost.errors,
        in_errors: sum.in_errors + unit.lost.in_errors,
        too_deep: sum.too_deep + unit.lost.too_deep,
        in_macros: sum.in_macros + unit.lost.in_macros,
        gave_up: sum.gave_up || unit.lost.gave_up,
    });
    let mut layouts =
        Counts::of(survey.layouts.iter().map(|found| found.layout.as_ref().map(|_| ()).map_err(|why| why.reason)));
    for (reason, count) in
        [(Reason::Syntax, lost.in_errors), (Reason::TooDeep, lost.too_deep), (Reason::Macro, lost.in_macros)]
    {
        layouts.add(reason, count);
    }
    let mut roles: BTreeMap<Role, usize> = BTreeMap::new();
    for found in survey.layouts.iter().filter(|found| found.layout.is_ok()) {
        *roles.entry(found.role).or_default() += 1;
    }
    Report {
        bytes: sources.files.iter().map(|file| file.text.len()).sum(),
        sources,
        parsed: units.len(),
        syntax_errors: lost.errors,
        given_up: units.iter().filter(|unit| unit.lost.gave_up).count(),
        calls: survey.layouts.iter().filter(|found| found.written == Written::Call).count(),
        layouts,
        instances: survey.instances.len(),
        roles,
        mma: Counts::of(survey.mma.iter().map(|traits| traits.value.as_ref().map(|_| ()).map_err(|why| why.reason))),
        copy: Counts::of(
            survey.copies.iter().map(|traits| traits.value.as_ref().map(|_| ()).map_err(|why| why.reason)),
        ),
        operands: verdicts.operands,
        copies: verdicts.copies,
        plain: verdicts.plain,
        findings: verdicts.findings,
        remarks: verdicts.remarks,
    }
}
