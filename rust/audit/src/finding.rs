//! What the checks say.

use serde::Serialize;

use crate::ast::Span;

/// The checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// Shape and stride nest differently.
    Incongruent,
    /// Two coordinates share an offset.
    Overlap,
    /// A matrix layout misses elements of its tile or hits some too often.
    Uneven,
    /// A matrix layout has another number of threads than `ThrID`.
    Threads,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Incongruent, Self::Overlap, Self::Uneven, Self::Threads];

    /// The code as printed.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Incongruent => "RG001",
            Self::Overlap => "RG002",
            Self::Uneven => "RG003",
            Self::Threads => "RG004",
        }
    }

    /// A name for machines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Incongruent => "incongruent-layout",
            Self::Overlap => "overlapping-layout",
            Self::Uneven => "uneven-mma-operand",
            Self::Threads => "mma-thread-count",
        }
    }

    /// What the check looks for, in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Incongruent => {
                "Shape and stride of a layout must nest alike, or there is no telling which stride belongs to which extent."
            }
            Self::Overlap => {
                "Two coordinates of a layout share an offset, in a copy atom a bit, though no stride of 0 says that they should."
            }
            Self::Uneven => {
                "ALayout, BLayout and CLayout of an MMA_Traits must hit every element of the tile that Shape_MNK spans, and all equally often."
            }
            Self::Threads => "ALayout, BLayout and CLayout of an MMA_Traits must have as many threads as ThrID.",
        }
    }

    /// How bad it is.
    pub const fn severity(self) -> Severity {
        match self {
            Self::Overlap => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It cannot be right.
    Error,
    /// It is hardly meant.
    Warning,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Index of the file.
    pub file: usize,
    /// Where in it.
    pub span: Span,
}

/// A place with words about it.
#[derive(Debug, Clone)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is there.
    pub text: String,
}

/// A replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub place: Place,
    /// By what.
    pub text: String,
}

/// A change after which the check passes: that was tried, and nothing else.
#[derive(Debug, Clone)]
pub struct Fix {
    /// The change in words.
    pub change: String,
    /// What the check says of the layout after it.
    pub checked: String,
    /// The layout after it.
    pub layout: String,
    /// Other changes that pass the check too; it does not choose between them.
    pub alternatives: Vec<String>,
    /// The change as edits, where the numbers stand in the text as numbers.
    pub edits: Vec<Edit>,
}

/// A class that has a defect from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affected {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
}

/// A defect, at its definition.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Which check.
    pub code: Code,
    /// One sentence.
    pub title: String,
    /// The layout.
    pub place: Place,
    /// Parts of it, most important first.
    pub labels: Vec<Label>,
    /// The class and member that define it, if it is part of a class.
    pub subject: Option<String>,
    /// The layout in CuTe's notation.
    pub layout: String,
    /// Rows and columns of the tile that it should cover.
    pub tile: Option<(u64, u64)>,
    /// The facts.
    pub notes: Vec<String>,
    /// What to do.
    pub fix: Option<Fix>,
    /// Classes that have the defect because they inherit or use this definition.
    pub affected: Vec<Affected>,
}

/// Something worth knowing that is not a defect.
#[derive(Debug, Clone)]
pub struct Remark {
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}
