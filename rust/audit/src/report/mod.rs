//! The last stage: what was found, as text, JSON, SARIF or workflow commands of GitHub. A new format is a new file here that implements [`Export`].

mod github;
mod json;
mod position;
mod sarif;
mod text;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use razorgirl::IntTuple;
use serde::Serialize;

use crate::check::{Copies, Operands, Plain, Shared};
use crate::eval::Reason;
use crate::finding::{Code, Finding, Place, Remark, Severity};
use crate::source::{Sources, Unreadable};
use crate::survey::Role;
use crate::uses::Family;

pub use github::Github;
pub use json::Json;
pub(crate) use position::Lines;
pub use position::{Position, Region};
pub use sarif::Sarif;
pub use text::{Text, advice};

/// How many there are, how many are known, and why the others are not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All.
    pub found: usize,
    /// Those that are compile-time constants which could be worked out.
    pub resolved: usize,
    /// The others, by reason.
    pub unresolved: BTreeMap<Reason, usize>,
}

impl Counts {
    pub(crate) fn of(all: impl Iterator<Item = Result<(), Reason>>) -> Self {
        let mut counts = Self::default();
        for one in all {
            match one {
                Ok(()) => {
                    counts.found += 1;
                    counts.resolved += 1;
                }
                Err(reason) => counts.add(reason, 1),
            }
        }
        counts
    }

    pub(crate) fn add(&mut self, reason: Reason, count: usize) {
        if count > 0 {
            self.found += count;
            *self.unresolved.entry(reason).or_default() += count;
        }
    }
}

/// Calls of a function of layout algebra.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Used {
    /// All in the text.
    pub found: usize,
    /// Those whose layouts are known.
    pub resolved: usize,
}

/// A layout that was not resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// The layout.
    pub place: Place,
    /// Why.
    pub reason: Reason,
    /// What stopped it, which may be in another file.
    pub cause: Place,
}

/// A layout that was resolved, for whoever asks what stands at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Where it is written.
    pub place: Place,
    /// Its extents.
    pub shape: IntTuple,
    /// Its strides, which may nest otherwise.
    pub stride: IntTuple,
    /// For which values of template parameters it is that, as in `kBlockM = 96`; nothing for a layout outside of templates.
    pub holds: Option<String>,
}

/// Findings that are not listed, because the user said so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Allowed by a comment in the source.
    pub allowed: usize,
    /// In the baseline.
    pub baseline: usize,
    /// Of rules that the configuration turns off.
    pub off: usize,
    /// In folders that are read for names only.
    pub included: usize,
    /// Entries of the baseline that nothing matches any more.
    pub stale: usize,
}

/// Everything an audit says.
#[derive(Debug, Default)]
pub struct Report {
    /// The files, and what could not be read.
    pub sources: Sources,
    /// Bytes in all files.
    pub bytes: usize,
    /// Files that were parsed: the others mention no layout, nor declare a name that one needs.
    pub parsed: usize,
    /// Places that the grammar could not read.
    pub syntax_errors: usize,
    /// Files that were read and not looked into: so far from C++ that the parser was stopped, or more than one run takes.
    pub given_up: Vec<Unreadable>,
    /// Layouts where they are written.
    pub layouts: Counts,
    /// Those that were not resolved, in the order of the files.
    pub open: Vec<Open>,
    /// Calls of layout algebra of which an argument was not resolved, in the order of the files.
    pub open_calls: Vec<Open>,
    /// Where the resolved ones stand, in the order of the files.
    pub resolved: Vec<Place>,
    /// What they are; one in a template once for each way in which it is instantiated.
    pub known: Vec<Known>,
    /// Names that stand for a layout, for an editor: only where an audit is one of several of the same sources.
    pub names: Vec<Known>,
    /// How many of them are `make_layout` calls; the others are `Layout<…>` types.
    pub calls: usize,
    /// Calls of layout algebra, by file.
    pub algebra: Vec<BTreeMap<Family, Used>>,
    /// Layouts that an alias gets from an alias template with constant arguments.
    pub instances: usize,
    /// What the resolved layouts are for.
    pub roles: BTreeMap<Role, usize>,
    /// Specialisations of `MMA_Traits`.
    pub mma: Counts,
    /// Their matrices.
    pub operands: Operands,
    /// Specialisations of `Copy_Traits`.
    pub copy: Counts,
    /// How their images compare.
    pub copies: Copies,
    /// Layouts outside of `MMA_Traits`.
    pub plain: Plain,
    /// Places of shared memory.
    pub shared: Shared,
    /// Defects, by place.
    pub findings: Vec<Finding>,
    /// Defects beyond those that are listed.
    pub unlisted: usize,
    /// What is no defect but worth knowing.
    pub remarks: Vec<Remark>,
    /// Severities that the user gives to rules.
    pub severities: BTreeMap<Code, Severity>,
    /// What is not listed because the user said so.
    pub held: Held,
    /// The lines of each file, once they are asked for.
    pub(crate) lines: Vec<OnceLock<Lines>>,
}

/// What an audit comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Everything was read, and nothing found, or notes alone.
    Clean,
    /// An error or a warning, whether or not everything was read.
    Findings,
    /// Nothing was found, but not everything was read.
    Incomplete,
}

impl Report {
    /// A report that could not be made.
    pub(crate) fn failed(error: &io::Error) -> Self {
        let why = Unreadable { path: ".".into(), why: error.to_string() };
        Self { sources: Sources { files: Vec::new(), unreadable: vec![why] }, ..Self::default() }
    }

    /// Calls of each function of layout algebra, in all files for which that holds.
    pub fn algebra(&self, counts: impl Fn(usize) -> bool) -> BTreeMap<Family, Used> {
        let mut all: BTreeMap<Family, Used> = BTreeMap::new();
        for (_, used) in self.algebra.iter().enumerate().filter(|(file, _)| counts(*file)) {
            for (family, used) in used {
                let sum = all.entry(*family).or_default();
                sum.found += used.found;
                sum.resolved += used.resolved;
            }
        }
        all
    }

    /// What it comes to. A file that could not be read never hides a finding.
    pub fn status(&self) -> Status {
        let fails = |finding: &Finding| self.severity(finding.code).fails();
        if self.unlisted > 0 || self.findings.iter().any(fails) {
            Status::Findings
        } else if self.not_read().next().is_some() {
            Status::Incomplete
        } else {
            Status::Clean
        }
    }

    /// How bad the findings of a rule are: the user's word goes before the rule's.
    pub fn severity(&self, code: Code) -> Severity {
        self.severities.get(&code).copied().unwrap_or_else(|| code.severity())
    }

    /// Files that could not be read, or were not looked into.
    pub fn not_read(&self) -> impl Iterator<Item = &Unreadable> {
        self.sources.unreadable.iter().chain(&self.given_up)
    }

    /// The path of a file as the user reached it.
    pub fn path(&self, place: Place) -> String {
        self.sources.files.get(place.file).map_or_else(String::new, |file| file.path.display().to_string())
    }

    /// The text of a file.
    pub fn text(&self, place: Place) -> &str {
        self.sources.files.get(place.file).map_or("", |file| file.text.as_str())
    }

    /// Lines and columns of a place.
    pub fn region(&self, place: Place) -> Region {
        self.with_lines(place, |text, lines| lines.region(text, place.span))
    }

    /// The whole lines that a range of a place's file touches.
    fn lines_around(&self, place: Place, range: Range<usize>) -> Range<usize> {
        self.with_lines(place, |text, lines| lines.around(text, range))
    }

    fn with_lines<T>(&self, place: Place, ask: impl FnOnce(&str, &Lines) -> T) -> T {
        let text = self.text(place);
        match self.lines.get(place.file) {
            Some(lines) => ask(text, lines.get_or_init(|| Lines::of(text))),
            None => ask(text, &Lines::of(text)),
        }
    }
}

/// A format.
pub trait Export {
    /// Writes a report.
    ///
    /// # Errors
    /// Those of the writer.
    fn write(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()>;
}
