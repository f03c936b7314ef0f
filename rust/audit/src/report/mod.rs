//! The last stage: what was found, as text, JSON or SARIF. A new format is a new file here that implements [`Export`].

mod json;
mod position;
mod sarif;
mod text;

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use crate::check::{Copies, Operands, Plain};
use crate::eval::Reason;
use crate::finding::{Finding, Place, Remark};
use crate::source::Sources;
use crate::survey::Role;

pub use json::Json;
pub use position::{Position, Region};
pub use sarif::Sarif;
pub use text::Text;

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
    /// Files that are so far from C++ that the parser was stopped.
    pub given_up: usize,
    /// Layouts where they are written.
    pub layouts: Counts,
    /// How many of them are `make_layout` calls; the others are `Layout<…>` types.
    pub calls: usize,
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
    /// Defects, by place.
    pub findings: Vec<Finding>,
    /// What is no defect but worth knowing.
    pub remarks: Vec<Remark>,
}

impl Report {
    /// A report that could not be made.
    pub(crate) fn failed(error: &io::Error) -> Self {
        let why = crate::source::Unreadable { path: ".".into(), why: error.to_string() };
        Self { sources: Sources { files: Vec::new(), unreadable: vec![why] }, ..Self::default() }
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
        Region::of(self.text(place), place.span)
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
