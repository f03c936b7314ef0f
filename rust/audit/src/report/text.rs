//! Text for people.

use std::collections::BTreeMap;
use std::io;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet};

use super::position::boundary;
use super::{Counts, Export, Open, Report};
use crate::eval::Reason;
use crate::finding::{Finding, Fix, Label, Place, Severity};
use crate::survey::Role;

/// Excerpts with more bytes are left out: a generated line says nothing to a reader.
const MAX_EXCERPT: usize = 4_000;

/// Characters of what stopped a layout that are printed.
const MAX_NAME: usize = 60;

/// Traits that inherit a defect are listed up to this many.
const MAX_LISTED: usize = 24;

/// The text format.
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own, by its name")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Text {
    /// Only the summary.
    pub summary: bool,
    /// Remarks too.
    pub remarks: bool,
    /// What is not resolved too, each with its reason and place.
    pub unresolved: bool,
    /// Colours, for a terminal.
    pub color: bool,
}

impl Export for Text {
    fn write(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        if !self.summary {
            for finding in &report.findings {
                writeln!(out, "{}\n", renderer.render(&groups(report, finding)))?;
            }
        }
        if self.remarks {
            for remark in &report.remarks {
                let at = report.region(remark.place).start;
                writeln!(
                    out,
                    "note: {}\n  --> {}:{}:{}\n",
                    remark.text,
                    report.path(remark.place),
                    at.line,
                    at.column
                )?;
            }
        }
        if self.unresolved {
            open(report, out)?;
        }
        for one in report.not_read() {
            writeln!(out, "error: {}: {}", one.path.display(), one.why)?;
        }
        summary(report, self.remarks, out)
    }
}

/// What is not resolved, a line each, and how many have no place of their own.
fn open(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    for one in &report.open {
        line(report, one, "not resolved", out)?;
    }
    for one in &report.open_calls {
        line(report, one, "call not resolved", out)?;
    }
    let placeless: usize = report.layouts.unresolved.values().sum::<usize>().saturating_sub(report.open.len());
    if placeless > 0 {
        writeln!(
            out,
            "{} more: in macros, in text that the grammar cannot read, or in files that were not looked into",
            thousands(placeless)
        )?;
    }
    writeln!(out)
}

/// One of them: its place, the reason, and what stopped it.
fn line(report: &Report, one: &Open, what: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let at = report.region(one.place).start;
    write!(out, "{}:{}:{}: {what}: {}", report.path(one.place), at.line, at.column, one.reason.words())?;
    if one.cause != one.place {
        let cause = report.region(one.cause).start;
        let file = if one.cause.file == one.place.file { String::new() } else { report.path(one.cause) };
        let name = excerpt_of(report.text(one.cause).get(one.cause.span.range()).unwrap_or_default());
        write!(out, ": `{name}` at {file}:{}:{}", cause.line, cause.column)?;
    }
    writeln!(out)
}

/// The beginning of a text on one line.
fn excerpt_of(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Whole lines around some places of one file, and where they begin.
struct Excerpt<'r> {
    text: &'r str,
    start: usize,
    line: usize,
}

impl<'r> Excerpt<'r> {
    fn around(report: &'r Report, places: &[Place]) -> Option<Self> {
        let first = places.iter().min_by_key(|place| place.span.start)?;
        let text = report.text(*first);
        let end = places.iter().map(|place| place.span.end as usize).max()?;
        let lines = report.lines_around(*first, first.span.start as usize..end);
        if lines.len() > MAX_EXCERPT {
            return None;
        }
        let start = lines.start;
        Some(Self { text: &text[lines], start, line: report.region(*first).start.line })
    }

    fn range(&self, place: Place) -> std::ops::Range<usize> {
        let at = |byte: u32| boundary(self.text, (byte as usize).saturating_sub(self.start));
        at(place.span.start)..at(place.span.end)
    }
}

fn groups<'r>(report: &'r Report, finding: &'r Finding) -> Vec<Group<'r>> {
    let level = match report.severity(finding.code) {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group =
        level.primary_title(finding.title.as_str()).id(finding.code.id()).elements(excerpts(report, finding));
    group = group.elements(finding.notes.iter().map(|note| Level::NOTE.message(note.as_str())));
    if !finding.affected.is_empty() {
        group = group.element(Level::NOTE.message(inherited(report, finding)));
    }
    let mut groups = vec![group];
    groups.extend(finding.fix.as_ref().map(|fix| help(report, fix)));
    groups
}

fn excerpts<'r>(report: &'r Report, finding: &'r Finding) -> Vec<Element<'r>> {
    let mut files = vec![finding.place.file];
    for label in &finding.labels {
        if !files.contains(&label.place.file) {
            files.push(label.place.file);
        }
    }
    let mut elements: Vec<Element<'r>> = Vec::new();
    for file in files {
        let labels: Vec<&'r Label> = finding.labels.iter().filter(|label| label.place.file == file).collect();
        let own = file == finding.place.file;
        if let Some(element) = excerpt(report, finding, &labels, own) {
            elements.push(element);
            continue;
        }
        // Too far apart for one excerpt: one each, the finding's own place first.
        let apart = own.then_some((Vec::new(), true)).into_iter();
        for (labels, own) in apart.chain(labels.iter().map(|label| (vec![*label], false))) {
            elements.push(excerpt(report, finding, &labels, own).unwrap_or_else(|| {
                let place = labels.first().map_or(finding.place, |label| label.place);
                let at = report.region(place).start;
                Origin::path(report.path(place)).line(at.line).char_column(at.column).into()
            }));
        }
    }
    elements
}

/// Whole lines with the finding's own place, some labels, or both; none where that is too much.
fn excerpt<'r>(report: &'r Report, finding: &'r Finding, labels: &[&'r Label], own: bool) -> Option<Element<'r>> {
    let mut places: Vec<Place> = labels.iter().map(|label| label.place).collect();
    if own {
        places.push(finding.place);
    }
    let excerpt = Excerpt::around(report, &places)?;
    let path = places.first().map(|place| report.path(*place)).unwrap_or_default();
    let mut snippet = Snippet::source(excerpt.text).line_start(excerpt.line).path(path);
    // The word `Layout` carries the finding's place, unless a label says more about it; what is wrong inside has its own.
    let whole = labels.iter().any(|label| label.place == finding.place);
    if own && !whole {
        let range = excerpt.range(finding.place);
        let word = excerpt.text[range.clone()].find(['<', '(', ' ']).filter(|length| *length > 0);
        snippet = snippet.annotation(
            AnnotationKind::Primary.span(range.start..word.map_or(range.end, |length| range.start + length)),
        );
    }
    for label in labels {
        let kind = if label.place == finding.place { AnnotationKind::Primary } else { AnnotationKind::Context };
        snippet = snippet.annotation(kind.span(excerpt.range(label.place)).label(label.text.as_str()));
    }
    Some(snippet.into())
}

/// A fix in words: what was checked of it, and that this does not choose where it does not.
pub fn advice(fix: &Fix) -> String {
    if fix.alternatives.is_empty() {
        return format!("{}; checked: {}", fix.change, fix.checked);
    }
    format!(
        "several changes pass the check, which does not choose between them: {} (gives {}); {}; checked of each: {}",
        fix.change,
        fix.layout,
        fix.alternatives.join("; "),
        fix.checked
    )
}

fn help<'r>(report: &'r Report, fix: &'r Fix) -> Group<'r> {
    let title = advice(fix);
    let group = Group::with_title(Level::HELP.secondary_title(title));
    let places: Vec<Place> = fix.edits.iter().map(|edit| edit.place).collect();
    let one_file = places.iter().all(|place| Some(place.file) == places.first().map(|first| first.file));
    let Some(excerpt) = Excerpt::around(report, &places).filter(|_| one_file) else { return group };
    let path = places.first().map(|place| report.path(*place)).unwrap_or_default();
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.line).path(path);
    let patches = fix.edits.iter().map(|edit| Patch::new(excerpt.range(edit.place), edit.text.as_str()));
    group.element(snippet.patches(patches))
}

fn inherited(report: &Report, finding: &Finding) -> String {
    let count = finding.affected.len();
    let mut lines = vec![if count == 1 {
        "1 other trait has it from here:".to_owned()
    } else {
        format!("{count} other traits have it from here:")
    }];
    for one in finding.affected.iter().take(MAX_LISTED) {
        let at = report.region(one.place).start;
        let path = if one.place.file == finding.place.file {
            "line ".to_owned()
        } else {
            format!("{}:", report.path(one.place))
        };
        lines.push(format!("  {} ({path}{})", one.name, at.line));
    }
    if count > MAX_LISTED {
        lines.push(format!("  and {} more", count - MAX_LISTED));
    }
    lines.join("\n")
}

/// 1234567 as `1,234,567`.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes, rounded.
fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// A count with its noun.
fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

fn reasons(counts: &BTreeMap<Reason, usize>) -> Vec<String> {
    let mut sorted: Vec<(&Reason, &usize)> = counts.iter().collect();
    sorted.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), **reason));
    sorted.into_iter().map(|(reason, count)| format!("{:>9}  {}", thousands(*count), reason.words())).collect()
}

fn unresolved(counts: &Counts, out: &mut dyn io::Write) -> io::Result<()> {
    if counts.unresolved.is_empty() {
        return Ok(());
    }
    writeln!(out, "  not resolved:")?;
    reasons(&counts.unresolved).iter().try_for_each(|line| writeln!(out, "  {line}"))
}

/// What is not listed because the user said so.
fn held(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let held = report.held;
    let lines = [
        (held.allowed, "allowed by a comment"),
        (held.baseline, "in the baseline"),
        (held.off, "of rules that are off"),
        (held.included, "in folders that are read for names only"),
        (held.stale, "entries of the baseline that nothing matches any more: write it again"),
    ];
    if lines.iter().all(|(count, _)| *count == 0) {
        return Ok(());
    }
    writeln!(out, "held back:")?;
    for (count, words) in lines.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "  {:>9}  {words}", thousands(count))?;
    }
    Ok(())
}

pub(super) fn summary(report: &Report, remarked: bool, out: &mut dyn io::Write) -> io::Result<()> {
    let files = &report.sources.files;
    writeln!(
        out,
        "files       {} ({}), {} parsed",
        thousands(files.len()),
        size(report.bytes),
        thousands(report.parsed)
    )?;
    let not_read = report.not_read().count();
    if not_read > 0 {
        writeln!(
            out,
            "            {} not read, listed above",
            counted(not_read, "file or path was", "files or paths were")
        )?;
    }
    writeln!(
        out,
        "layouts     {} found, {} resolved",
        thousands(report.layouts.found),
        thousands(report.layouts.resolved)
    )?;
    if report.instances > 0 {
        let instances = counted(report.instances, "alias that gets its layout", "aliases that get theirs");
        writeln!(out, "            and {instances} from an alias template")?;
    }
    unresolved(&report.layouts, out)?;
    for (family, used) in report.algebra(|_| true) {
        let name = family.words();
        writeln!(
            out,
            "  {:>9}  calls of {name}, of {} the layouts are known",
            thousands(used.found),
            thousands(used.resolved)
        )?;
    }
    writeln!(out, "MMA traits  {} found, {} resolved", thousands(report.mma.found), thousands(report.mma.resolved))?;
    let operands = report.operands;
    if operands.checked > 0 {
        let plural = counted(operands.checked, "matrix", "matrices");
        writeln!(
            out,
            "            {plural}: {} hit every element of the tile once, {} evenly",
            thousands(operands.once),
            thousands(operands.evenly)
        )?;
        let compared = thousands(operands.fragments);
        writeln!(out, "            {compared} compared with the fragment of their instruction")?;
    }
    unresolved(&report.mma, out)?;
    if report.copy.found > 0 {
        let copies = report.copies;
        writeln!(
            out,
            "copy traits {} found, {} resolved",
            thousands(report.copy.found),
            thousands(report.copy.resolved)
        )?;
        let differ = copies.different + copies.moved;
        let hint = if differ > 0 && !remarked { "; --notes lists them" } else { "" };
        writeln!(
            out,
            "            {} reach the same bits in source, destination and reference, {} do not{hint}",
            thousands(copies.same),
            thousands(differ)
        )?;
        unresolved(&report.copy, out)?;
    }
    if report.shared.places > 0 {
        let places = counted(report.shared.places, "place", "places");
        writeln!(out, "shared mem. {places}, {} of constants", thousands(report.shared.known))?;
    }
    not_judged(report, out)?;
    classes(report, out)?;
    held(report, out)?;
    let count = |severity| report.findings.iter().filter(|finding| report.severity(finding.code) == severity).count();
    let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note].map(count);
    let affected: usize = report.findings.iter().map(|finding| finding.affected.len()).sum();
    write!(out, "findings    {}", thousands(report.findings.len()))?;
    if !report.findings.is_empty() {
        write!(out, " ({}, {}", counted(errors, "error", "errors"), counted(warnings, "warning", "warnings"))?;
        if notes > 0 {
            write!(out, ", {}", counted(notes, "note", "notes"))?;
        }
        if affected > 0 {
            write!(out, "; {} from elsewhere", counted(affected, "trait has one", "traits have one"))?;
        }
        write!(out, ")")?;
    }
    if report.unlisted > 0 {
        write!(out, ", and {} more that are not listed", thousands(report.unlisted))?;
    }
    writeln!(out)
}

/// What was resolved and yet not judged: unknown is not fine.
fn not_judged(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let lines = [
        (report.operands.too_large, "MMA operands: too large to count, or beyond what one run counts"),
        (report.plain.untold, "layouts: too large to search for overlaps, or beyond what one run searches"),
        (report.copies.untold, "copy traits: source, destination and reference too large to compare, or no layouts"),
        (report.shared.untold, "places of shared memory: too many coordinates, or more than one run goes through"),
        (report.shared.launches_left, "launches: more than one run follows, or in functions of more than 64 KiB"),
    ];
    if lines.iter().all(|(count, _)| *count == 0) {
        return Ok(());
    }
    writeln!(out, "not judged:")?;
    for (count, words) in lines.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "  {:>9}  {words}", thousands(count))?;
    }
    Ok(())
}

/// What is looked at with other eyes, and so never an error.
fn classes(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let role = |role: Role| report.roles.get(&role).copied().unwrap_or(0);
    let lines = [
        (report.operands.descriptors, "MMA operands read through a descriptor (thread stride 0)"),
        (report.operands.scattered_threads, "MMA traits whose ThrID is not the identity"),
        (role(Role::TensorMemory), "layouts of tensor-memory copies and fragments"),
        (role(Role::Utccp), "layouts of UTCCP copies"),
        (role(Role::ScaleFactor), "layouts of scale factors"),
    ];
    if lines.iter().all(|(count, _)| *count == 0) {
        return Ok(());
    }
    writeln!(out, "set apart, never an error:")?;
    for (count, words) in lines.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "  {:>9}  {words}", thousands(count))?;
    }
    Ok(())
}
