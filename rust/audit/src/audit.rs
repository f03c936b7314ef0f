//! All stages in a row.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::ast::{Body, Lost, ScopeKind, Site, Unit, Written};
use crate::cache::Cache;
use crate::check::{self, Verdicts};
use crate::demand;
use crate::eval::{Constant, Definitions, Index, Program, Reason, vendored};
use crate::finding::Place;
use crate::mentions::{self, Marks};
use crate::python::Python;
use crate::report::{Counts, Known, Open, Report, Used};
use crate::source::{Selection, Source, Sources, Unreadable};
use crate::survey::{self, AlgebraCall, Role, STACK, Survey, WrittenLayout};
use crate::syntax::Reader;
use crate::twins::Twins;
use crate::uses::{self, Family};

/// How often files are parsed for names that were found missing: names declared in terms of further names need another round.
const MAX_ROUNDS: usize = 8;

/// Names that are searched for in one round, at most.
const MAX_WANTED: usize = 1 << 16;

/// Templates that are followed, each instantiated in the next.
const MAX_CHAIN: usize = 4;

/// How often functions are read that were called, each time those that the others call.
const MAX_CALLS: usize = 2;

/// How often files are read again for templates that only what functions return hangs on, before the functions are.
const MAX_MENTIONS: usize = 2;

/// Bytes that are read again for the sake of what they instantiate: of a project's own files, and of a library as a whole. Reading all
/// headers of a library again would cost more than everything else together.
const MAX_AGAIN: usize = 24 << 20;
const MAX_LIBRARY: usize = 3 << 20;

/// Told after every parsed file: how many are done, and how many there are so far.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// Audits files and directories.
pub fn audit(paths: &[PathBuf], progress: Option<Progress<'_>>) -> Report {
    audit_sources(Sources::read(paths), progress)
}

/// Audits files and directories, some folders left out and some read for names only.
pub fn audit_selected(paths: &[PathBuf], selection: &Selection, progress: Option<Progress<'_>>) -> Report {
    audit_sources(Sources::select(paths, selection), progress)
}

/// Audits sources that have been read.
pub fn audit_sources(sources: Sources, progress: Option<Progress<'_>>) -> Report {
    audit_by(sources, None, progress)
}

/// Audits sources of which most are as they were in the last audit with this cache. The report is the same as without it.
pub fn audit_again(sources: Sources, cache: &Cache) -> Report {
    let report = audit_by(sources, Some(cache), None);
    cache.end();
    report
}

fn audit_by(sources: Sources, cache: Option<&Cache>, progress: Option<Progress<'_>>) -> Report {
    std::thread::scope(|scope| {
        let stages =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || stages(sources, cache, progress));
        match stages.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(report)) => report,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Report::failed(&error),
        }
    })
}

/// What a survey no longer holds for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stale {
    None,
    /// A project's own files were read again for what they instantiate.
    Own,
    All,
}

fn stages(mut sources: Sources, cache: Option<&Cache>, progress: Option<Progress<'_>>) -> Report {
    let python = Python::read(&sources.files);
    let said = check::python(&Program::new(&sources.files, &python.units), &python);
    demand::forget_python(&mut sources.files, &told(&python, &said), demand::MANY_BYTES);
    let files = &sources.files;
    let mut parsed = vec![false; files.len()];
    let mut next: Vec<usize> =
        (0..files.len()).filter(|index| files.get(*index).is_some_and(|file| file.relevant)).collect();
    next.extend(demand::included(files, &next, &vendored(files)));
    next.sort_unstable();
    let mut reading = Reading::new(files, cache);
    let mut survey: Option<Survey> = None;
    let texts = Arc::default();
    let mut round = 0;
    let mut asked: BTreeSet<String> = BTreeSet::new();
    loop {
        for index in &next {
            if let Some(parsed) = parsed.get_mut(*index) {
                *parsed = true;
            }
        }
        // Behind the others, so that what the survey says of those stays true.
        reading.add(files, &next, progress);
        let program = Program::sharing(files, &reading.units, &texts);
        let surveyed = match survey.take() {
            None => Survey::of(&program),
            Some(survey) => survey.resumed(&program, next.len()),
        };
        next = Vec::new();
        while next.is_empty() && round < MAX_ROUNDS {
            // Every header that may declare a name is read once it was asked for, so that asking again finds nothing.
            let new = surveyed.wanted.iter().filter(|name| !asked.contains(*name));
            let wanted: Vec<String> = new.take(MAX_WANTED).cloned().collect();
            if wanted.is_empty() {
                break;
            }
            next = demand::declaring(files, &parsed, &wanted);
            asked.extend(wanted);
            round += 1;
        }
        if next.is_empty() {
            let (names, own) = surveyed.templates(&program, &Index::of(&program));
            let mut mentioned = names.clone();
            let mut stale = if reading.add_mentions(files, names, own, progress) { Stale::Own } else { Stale::None };
            let mut surveyed = surveyed;
            let (mut called, mut defined) = (BTreeSet::new(), Definitions::new());
            // A short look tells which functions matter; the long one comes when they have been read.
            let (mut mentions_left, mut calls_left) = (MAX_MENTIONS, MAX_CALLS);
            // Whether the last survey was of a project's own layouts alone.
            let mut partly = false;
            while calls_left > 0 {
                let mut program = Program::sharing(files, &reading.units, &texts).knowing(&defined);
                // Units that were read again have other declarations, so the survey begins anew.
                (surveyed, partly) = match stale {
                    Stale::None => (surveyed, partly),
                    Stale::Own if own => (surveyed.of_own(&program), true),
                    Stale::Own | Stale::All => (Survey::of(&program), false),
                };
                let mut index = Index::of(&program);
                // What a function returns may hang on a template that nobody asked about before.
                let (names, own) = surveyed.templates(&program, &index);
                let names: BTreeSet<String> = names.difference(&mentioned).cloned().collect();
                if own && !names.is_empty() && mentions_left > 0 {
                    mentions_left -= 1;
                    mentioned.extend(names.iter().cloned());
                    if reading.add_mentions(files, names, own, progress) {
                        stale = Stale::Own;
                        continue;
                    }
                    program = Program::sharing(files, &reading.units, &texts).knowing(&defined);
                    index = Index::of(&program);
                }
                calls_left -= 1;
                let (calls, wanted) = surveyed.glanced(&program, &index);
                surveyed.called.extend(calls);
                let wanted: Vec<String> =
                    wanted.into_iter().filter(|name| asked.insert(name.clone())).take(MAX_WANTED).collect();
                let headers = if wanted.is_empty() { Vec::new() } else { demand::declaring(files, &parsed, &wanted) };
                for index in &headers {
                    if let Some(parsed) = parsed.get_mut(*index) {
                        *parsed = true;
                    }
                }
                reading.add(files, &headers, progress);
                let new: BTreeSet<String> = surveyed.called.difference(&called).cloned().collect();
                called.extend(new.iter().cloned());
                let read = reading.add_bodies(files, &new, &mut defined, progress);
                stale = if read || !headers.is_empty() { Stale::All } else { Stale::None };
                if stale == Stale::None {
                    break;
                }
            }
            let program = Program::sharing(files, &reading.units, &texts).knowing(&defined);
            if partly || stale != Stale::None {
                surveyed = Survey::of(&program);
            }
            surveyed.instantiate(&program);
            let verdicts = check::run(&program, &surveyed);
            // Who audits again shows what names stand for.
            let names = cache.map(|_| survey::named_layouts(&program)).unwrap_or_default();
            let names = names.into_iter().map(|(site, layout)| known_at(&reading.units, site, &layout, None)).collect();
            let Reading { units, given_up, .. } = reading;
            let report = Report { names, ..conclude(sources, &units, given_up, &surveyed, verdicts) };
            // Millions of small things, which nobody waits for.
            rayon::spawn(|| drop(units));
            return joined(report, python, said);
        }
        survey = Some(surveyed);
    }
}

/// Text that is parsed at the same time: a syntax tree is a hundred times as large as what it says.
const AT_ONCE: usize = 4 << 20;

/// What is kept of the sources, in expressions, and so much more for every so many bytes of them. Real sources keep a third of
/// that; what is nothing but tiny layouts is cut off before it fills a gigabyte.
const MAX_KEPT: usize = 3_000_000;

/// Bytes that allow for one expression more.
const BYTES: usize = 32;

/// What a declaration and a layout cost in expressions.
const DECLARATION: usize = 4;
const LAYOUT: usize = 16;

/// How far the sources have been read.
#[derive(Default)]
struct Reading<'c> {
    cache: Option<&'c Cache>,
    units: Vec<Unit>,
    kept: usize,
    most: usize,
    given_up: Vec<Unreadable>,
    /// What was marked so far, by file.
    marks: BTreeMap<usize, BTreeSet<u32>>,
    /// How each file was read.
    twins: Twins,
    /// How many files share a content.
    shared: HashMap<usize, usize>,
}

/// What a unit costs, in expressions.
fn weight(unit: &Unit) -> usize {
    unit.exprs.len() + DECLARATION * unit.decls.len() + LAYOUT * unit.uses.len()
}

/// How long a file is.
fn size(files: &[Source], index: usize) -> usize {
    files.get(index).map_or(0, |file| file.text.len())
}

impl<'c> Reading<'c> {
    fn new(files: &[Source], cache: Option<&'c Cache>) -> Self {
        let bytes: usize = files.iter().map(|file| file.bytes).sum();
        Self { cache, most: MAX_KEPT + bytes / BYTES, ..Self::default() }
    }

    /// Parses some more files. What is beyond the bounds stays out, the files in their order, whoever is parsed first.
    fn add(&mut self, files: &[Source], indices: &[usize], progress: Option<Progress<'_>>) {
        let done = AtomicUsize::new(0);
        let mut rest = indices;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = |index: &&usize| {
                let before = bytes;
                bytes += size(files, **index);
                before < AT_ONCE
            };
            let (batch, more) = rest.split_at(rest.iter().take_while(fits).count());
            rest = more;
            for unit in self.parse(files, batch, &[], indices.len(), &done, progress) {
                self.keep(files, unit, &[]);
            }
        }
    }

    /// Reads the statements that instantiate some templates, and those that instantiate the templates around them. Tells whether
    /// there are any. Of a library as a whole, all or none are read.
    fn add_mentions(
        &mut self,
        files: &[Source],
        names: BTreeSet<String>,
        own: bool,
        progress: Option<Progress<'_>>,
    ) -> bool {
        let mut all = BTreeSet::new();
        let mut new = names;
        let mut again = false;
        let mut left = if own { MAX_AGAIN } else { MAX_LIBRARY };
        for _ in 0..MAX_CHAIN {
            all.append(&mut new);
            let functions = self.functions(files);
            let marks = mentions::marks(files, &all, &functions, if own { left } else { usize::MAX });
            let marks = self.grown(marks);
            let Some(rest) = left.checked_sub(marks.iter().map(|(file, _)| size(files, *file)).sum()) else { break };
            left = rest;
            again |= !marks.is_empty();
            self.read_again(files, &marks, progress, |unit, marks| {
                if let Some(source) = files.get(unit.file) {
                    new.extend(mentions::around(source, unit, marks));
                }
            });
            new.retain(|name| !all.contains(name));
            if new.is_empty() {
                break;
            }
        }
        again
    }

    /// Reads functions of some names as a whole, and counts all there are. Tells whether any was read.
    fn add_bodies(
        &mut self,
        files: &[Source],
        names: &BTreeSet<String>,
        defined: &mut Definitions,
        progress: Option<Progress<'_>>,
    ) -> bool {
        if names.is_empty() {
            return false;
        }
        let (marks, counts) = mentions::bodies(files, names, &vendored(files));
        let mut left = MAX_AGAIN;
        let fits = |(file, _): &(usize, Vec<u32>)| {
            let rest = left.checked_sub(size(files, *file));
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let marks: Marks = self.grown(marks.into_iter().filter(fits).collect());
        defined.extend(counts);
        self.read_again(files, &marks, progress, |_, _| {});
        !marks.is_empty()
    }

    /// The names of the functions in the files that are read: templates, others that take something, and such lambdas; of classes of a project's
    /// own.
    fn functions(&self, files: &[Source]) -> HashSet<String> {
        let text = |unit: &Unit, span: crate::ast::Span| {
            files.get(unit.file).and_then(|source| source.text.get(span.range())).unwrap_or_default().to_owned()
        };
        let library = vendored(files);
        let library = &library;
        let free = move |unit: &Unit, body: &Body| {
            let home = unit.scopes.get(body.home.0 as usize).map(|home| &home.kind);
            let own = library.get(unit.file) == Some(&false);
            let free = match home {
                Some(ScopeKind::Class(_)) => own,
                home => matches!(home, Some(ScopeKind::File | ScopeKind::Namespace(_) | ScopeKind::Block)),
            };
            free && !body.params.is_empty()
        };
        self.units
            .iter()
            .flat_map(|unit| {
                let others = unit.bodies.iter().filter(move |body| free(unit, body)).map(|body| body.name);
                unit.functions.iter().map(|function| function.name).chain(others).map(move |name| text(unit, name))
            })
            .collect()
    }

    /// All marks of the files that have new ones.
    fn grown(&mut self, marks: Marks) -> Marks {
        let mut grown = Vec::new();
        for (file, marks) in marks {
            let known = self.marks.entry(file).or_default();
            let before = known.len();
            known.extend(marks);
            if known.len() > before {
                grown.push((file, known.iter().copied().collect()));
            }
        }
        grown
    }

    /// Reads files again with marks.
    fn read_again(
        &mut self,
        files: &[Source],
        marks: &[(usize, Vec<u32>)],
        progress: Option<Progress<'_>>,
        mut look: impl FnMut(&Unit, &[u32]),
    ) {
        let (done, count) = (AtomicUsize::new(0), marks.len());
        let mut rest = marks;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = |(file, _): &&(usize, Vec<u32>)| {
                let before = bytes;
                bytes += size(files, *file);
                before < AT_ONCE
            };
            let (batch, more) = rest.split_at(rest.iter().take_while(fits).count());
            rest = more;
            let indices: Vec<usize> = batch.iter().map(|(file, _)| *file).collect();
            for unit in self.parse(files, &indices, batch, count, &done, progress) {
                let at = batch.binary_search_by_key(&unit.file, |(file, _)| *file).ok();
                let Some((_, marks)) = at.and_then(|at| batch.get(at)) else { continue };
                look(&unit, marks);
                self.replace(files, unit, marks);
            }
        }
    }

    /// Puts a unit in the place of the one that the same file had.
    fn replace(&mut self, files: &[Source], unit: Unit, marks: &[u32]) {
        let Some(old) = self.units.iter().position(|old| old.file == unit.file) else {
            return self.keep(files, unit, marks);
        };
        if unit.lost.gave_up.is_some() {
            return;
        }
        // Of what files share, all but the first cost nothing, and all but the last give nothing back.
        let more = if self.shared.contains_key(&unit.content()) { 0 } else { weight(&unit) };
        let Some(old) = self.units.get_mut(old) else { return };
        let less = if self.shared.get(&old.content()) == Some(&1) { weight(old) } else { 0 };
        if self.kept.saturating_add(more) - less <= self.most {
            self.kept = self.kept + more - less;
            self.twins.keep(files, unit.file, marks);
            *self.shared.entry(unit.content()).or_default() += 1;
            match self.shared.get_mut(&old.content()) {
                Some(count) if *count > 1 => *count -= 1,
                _ => _ = self.shared.remove(&old.content()),
            }
            *old = unit;
        }
    }

    fn parse(
        &self,
        files: &[Source],
        batch: &[usize],
        marks: &[(usize, Vec<u32>)],
        all: usize,
        done: &AtomicUsize,
        progress: Option<Progress<'_>>,
    ) -> Vec<Unit> {
        if self.kept > self.most {
            return batch.iter().map(|index| Unit::given_up(*index, NO_MORE)).collect();
        }
        let marks_of =
            |index: usize| marks.iter().find(|(file, _)| *file == index).map_or(&[][..], |(_, marks)| marks.as_slice());
        // Of one text the first is parsed, in an earlier batch or in this one.
        let mut own = Twins::default();
        let (mut order, mut units, mut later) = (Vec::new(), Vec::new(), Vec::new());
        for index in batch.iter().copied() {
            let kept = self.twins.of(files, index, marks_of(index));
            if let Some(unit) = kept.and_then(|twin| self.units.iter().find(|unit| unit.file == twin)) {
                units.push(unit.of(index));
            } else if let Some(twin) = own.of(files, index, marks_of(index)) {
                later.push((index, twin));
            } else {
                own.keep(files, index, marks_of(index));
                order.push(index);
            }
        }
        // The longest first, so that no thread is left alone with a long one at the end.
        order.sort_by_key(|index| std::cmp::Reverse(size(files, *index)));
        let gate = Gate::new(AT_ONCE);
        let parsed: Vec<Unit> = order
            .into_par_iter()
            .with_max_len(1)
            .map_init(Reader::default, |reader, index| {
                let unit = gate.pass(size(files, index), || {
                    let marks = marks_of(index);
                    let read = |file: &Source| match self.cache {
                        Some(cache) => cache.unit(index, &file.text, marks, || reader.read_marked(index, file, marks)),
                        None => reader.read_marked(index, file, marks),
                    };
                    files.get(index).map_or_else(|| Unit::empty(index), read)
                });
                if let Some(progress) = progress {
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
                }
                unit
            })
            .collect();
        let of = |(index, twin): &(usize, usize)| Some(parsed.iter().find(|unit| unit.file == *twin)?.of(*index));
        units.extend(later.iter().filter_map(of));
        if let Some(progress) = progress.filter(|_| !units.is_empty()) {
            progress(done.fetch_add(units.len(), Ordering::Relaxed) + units.len(), all);
        }
        units.extend(parsed);
        units.sort_by_key(|unit| unit.file);
        units
    }

    fn keep(&mut self, files: &[Source], unit: Unit, marks: &[u32]) {
        let hits = |unit: &Unit| files.get(unit.file).map_or(0, |file| file.hits.len());
        let weight = if self.shared.contains_key(&unit.content()) { 0 } else { weight(&unit) };
        self.kept = self.kept.saturating_add(weight);
        let mut unit = if self.kept > self.most && weight > 0 { Unit::given_up(unit.file, NO_MORE) } else { unit };
        if let Some(why) = unit.lost.gave_up
            && let Some(file) = files.get(unit.file)
        {
            unit.leave_out(hits(&unit));
            self.given_up.push(Unreadable { path: file.path.clone(), why: why.to_owned() });
        } else {
            self.twins.keep(files, unit.file, marks);
        }
        *self.shared.entry(unit.content()).or_default() += 1;
        self.units.push(unit);
    }
}

/// Why a file is left out when others have used up what one run keeps.
const NO_MORE: &str = "not looked into: its layouts and names are more than one run keeps; audit fewer files at once";

/// Lets so much through at a time, and anything larger alone.
struct Gate {
    most: usize,
    free: Mutex<usize>,
    changed: Condvar,
}

impl Gate {
    fn new(most: usize) -> Self {
        Self { most, free: Mutex::new(most), changed: Condvar::new() }
    }

    fn pass<T>(&self, weight: usize, work: impl FnOnce() -> T) -> T {
        let weight = weight.min(self.most);
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = lock();
        while *free < weight {
            free = self.changed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= weight;
        drop(free);
        let result = work();
        *lock() += weight;
        self.changed.notify_all();
        result
    }
}

fn conclude(
    sources: Sources,
    units: &[Unit],
    given_up: Vec<Unreadable>,
    survey: &Survey,
    verdicts: Verdicts,
) -> Report {
    let all = || units.iter().filter(|unit| sources.files.get(unit.file).is_none_or(|source| !source.included));
    let lost = all().fold(Lost::default(), |sum, unit| Lost {
        errors: sum.errors + unit.lost.errors,
        in_errors: sum.in_errors + unit.lost.in_errors,
        too_deep: sum.too_deep + unit.lost.too_deep,
        in_macros: sum.in_macros + unit.lost.in_macros,
        left_out: sum.left_out + unit.lost.left_out,
        gave_up: None,
    });
    // What is read for names only is somebody else's, and not counted.
    let included = |file: usize| sources.files.get(file).is_some_and(|source| source.included);
    let own = |site: Site| units.get(site.unit as usize).is_none_or(|unit| !included(unit.file));
    let found = || survey.layouts.iter().filter(|found| own(found.site));
    let mut layouts = Counts::of(found().map(|found| found.layout.as_ref().map(|_| ()).map_err(|why| why.reason)));
    for (reason, count) in [
        (Reason::Syntax, lost.in_errors),
        (Reason::TooDeep, lost.too_deep),
        (Reason::Macro, lost.in_macros),
        (Reason::LeftOut, lost.left_out),
    ] {
        layouts.add(reason, count);
    }
    let mut roles: BTreeMap<Role, usize> = BTreeMap::new();
    for found in found().filter(|found| found.layout.is_ok()) {
        *roles.entry(found.role).or_default() += 1;
    }
    let lines = std::iter::repeat_with(OnceLock::new).take(sources.files.len()).collect();
    Report {
        bytes: sources.files.iter().map(|file| file.bytes).sum(),
        algebra: algebra(&sources, units, survey),
        parsed: units.len(),
        syntax_errors: lost.errors,
        given_up,
        calls: found().filter(|found| found.written == Written::Call).count(),
        layouts,
        open: open(units, found()),
        open_calls: open_calls(units, survey.calls.iter().filter(|call| own(call.site))),
        resolved: found().filter(|found| found.layout.is_ok()).map(|found| place(units, found.site)).collect(),
        known: known(units, survey),
        instances: survey.instances.iter().filter(|(site, _)| own(*site)).count(),
        roles,
        mma: Counts::of(survey.mma.iter().map(|traits| traits.value.as_ref().map(|_| ()).map_err(|why| why.reason))),
        copy: Counts::of(
            survey.copies.iter().map(|traits| traits.value.as_ref().map(|_| ()).map_err(|why| why.reason)),
        ),
        operands: verdicts.operands,
        copies: verdicts.copies,
        plain: verdicts.plain,
        shared: verdicts.shared,
        findings: verdicts.findings,
        unlisted: verdicts.unlisted,
        remarks: verdicts.remarks,
        lines,
        sources,
        ..Report::default()
    }
}

/// A report with what was found in Python.
/// The files of which the report says something of Python.
fn told(python: &Python, said: &Verdicts) -> HashSet<usize> {
    let layouts =
        python.survey.layouts.iter().map(|found| (found.site, found.layout.as_ref().map(|_| ()).map_err(|why| *why)));
    let known = layouts.chain(python.gluon_known.iter().copied());
    let sites = known.flat_map(|(site, known)| std::iter::once(site).chain(known.err().map(|why| why.site)));
    let sites = sites.chain(python.identities.iter().copied());
    let findings = said.findings.iter().flat_map(|finding| {
        let labels = finding.labels.iter().map(|label| label.place);
        let fixes = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.place);
        let affected = finding.affected.iter().map(|affected| affected.place);
        std::iter::once(finding.place).chain(labels).chain(fixes).chain(affected)
    });
    sites.map(|site| place(&python.units, site)).chain(findings).map(|place| place.file).collect()
}

fn joined(mut report: Report, python: Python, said: Verdicts) -> Report {
    report.parsed += python.units.len();
    report.syntax_errors += python.errors;
    report.given_up.extend(python.given_up);
    let layouts =
        python.survey.layouts.iter().map(|found| (found.site, found.layout.as_ref().map(|_| ()).map_err(|why| *why)));
    let identities = python.identities.iter().map(|site| (*site, Ok(())));
    for (site, known) in layouts.chain(identities).chain(python.gluon_known.iter().copied()) {
        let place = place(&python.units, site);
        report.calls += 1;
        match known {
            Ok(()) => {
                report.layouts.found += 1;
                report.layouts.resolved += 1;
                report.resolved.push(place);
                *report.roles.entry(Role::Plain).or_default() += 1;
            }
            Err(why) => {
                report.layouts.add(why.reason, 1);
                let cause = self::place(&python.units, why.site);
                report.open.push(Open { place, reason: why.reason, cause });
            }
        }
    }
    report.layouts.add(Reason::Syntax, python.in_errors);
    report.calls += python.in_errors;
    report.open.sort_by_key(|open| open.place);
    report.resolved.sort_unstable();
    report.known.extend(known(&python.units, &python.survey));
    report.plain.injective += said.plain.injective;
    report.plain.broadcasts += said.plain.broadcasts;
    report.plain.untold += said.plain.untold;
    report.unlisted += said.unlisted;
    report.findings.extend(said.findings);
    report.findings.sort_by_key(|finding| (finding.place, finding.code));
    let beyond = report.findings.len().saturating_sub(check::MAX_FINDINGS);
    report.findings.truncate(check::MAX_FINDINGS);
    report.unlisted += beyond;
    report
}

fn place(units: &[Unit], site: Site) -> Place {
    Place { file: units.get(site.unit as usize).map_or(usize::MAX, |unit| unit.file), span: site.span }
}

/// What the resolved layouts are, and what aliases get from alias templates.
fn known_at(units: &[Unit], site: Site, layout: &Constant, holds: Option<String>) -> Known {
    Known { place: place(units, site), shape: layout.shape.tuple.clone(), stride: layout.stride.tuple.clone(), holds }
}

fn known(units: &[Unit], survey: &Survey) -> Vec<Known> {
    let of = |site, layout: &Constant, holds| known_at(units, site, layout, holds);
    let written = survey.layouts.iter().flat_map(|found| {
        let alone = found.layout.as_ref().ok().filter(|_| found.cases.is_empty());
        let cases = found.cases.iter().map(|case| of(found.site, &case.layout, Some(case.holds.clone())));
        cases.chain(alone.map(|layout| of(found.site, layout, None)))
    });
    written.chain(survey.instances.iter().map(|(site, layout)| of(*site, layout, None))).collect()
}

/// Calls of layout algebra by file: how many there are in the text, and how many are known.
fn algebra(sources: &Sources, units: &[Unit], survey: &Survey) -> Vec<BTreeMap<Family, Used>> {
    let mut all: Vec<BTreeMap<Family, Used>> = uses::count(&sources.files)
        .into_iter()
        .zip(&sources.files)
        .map(|(counts, file)| if file.included { BTreeMap::new() } else { counts })
        .map(|counts| counts.into_iter().map(|(family, found)| (family, Used { found, resolved: 0 })).collect())
        .collect();
    for call in survey.calls.iter().filter(|call| call.known) {
        let file = units.get(call.site.unit as usize).map_or(usize::MAX, |unit| unit.file);
        if let Some(used) = all.get_mut(file).and_then(|used| used.get_mut(&call.family)) {
            used.resolved = (used.resolved + 1).min(used.found);
        }
    }
    all
}

/// The calls of layout algebra of which an argument is not resolved, each with its reason.
fn open_calls<'s>(units: &[Unit], calls: impl Iterator<Item = &'s AlgebraCall>) -> Vec<Open> {
    let failed = calls.filter_map(|call| Some((call.site, call.why.as_ref().filter(|_| !call.known)?)));
    let mut all: Vec<Open> = failed
        .map(|(site, why)| Open { place: place(units, site), reason: why.reason, cause: place(units, why.site) })
        .collect();
    all.sort_by_key(|open| open.place);
    all
}

/// The layouts that are not resolved, each with its reason.
fn open<'s>(units: &[Unit], found: impl Iterator<Item = &'s WrittenLayout>) -> Vec<Open> {
    let failed = found.filter_map(|found| Some((found.site, found.layout.as_ref().err()?)));
    failed
        .map(|(site, why)| Open { place: place(units, site), reason: why.reason, cause: place(units, why.site) })
        .collect()
}
