//! What the checks say.

use crate::ast::Span;

pub use crate::rule::{Code, Severity};

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
    /// Whether it is more than one that passes: with it the layout equals, as a function, the one that must stand there.
    pub exact: bool,
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

impl Finding {
    /// The fix, where a tool may make it: there is one alone, as edits, and what was checked is all that can be wrong. A
    /// bijection that is not the instruction's passes the check of RG003, and would hide the defect: a fix of a fragment
    /// must equal the instruction.
    pub fn offered(&self) -> Option<&Fix> {
        let fragment = matches!(self.code, Code::Uneven | Code::Fragment | Code::Permuted);
        let single = |fix: &&Fix| !fix.edits.is_empty() && fix.alternatives.is_empty();
        self.fix.as_ref().filter(single).filter(|fix| fix.exact || !fragment)
    }
}

/// Something worth knowing that is not a defect.
#[derive(Debug, Clone)]
pub struct Remark {
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}
