//! Why something is not a compile-time constant that this crate knows.

use serde::Serialize;

use crate::ast::Site;

/// One of the reasons under which everything unresolved is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It depends on a template parameter that has no value here.
    Dependent,
    /// A parameter for which the code lists nothing.
    Unlisted,
    /// A name that no given file declares.
    UnknownName,
    /// A member that its class, as far as its bases are known, does not have.
    UnknownMember,
    /// A variable, parameter or result that is known only when the program runs.
    RunTime,
    /// The result of a function that is not evaluated here.
    Call,
    /// An expression that is not evaluated here.
    Expression,
    /// Two declarations that say different things, for example on the two sides of an `#if`.
    Ambiguous,
    /// Text that the grammar could not read.
    Syntax,
    /// Text in the body of a macro.
    Macro,
    /// Where a number or tuple is needed, something else stands.
    NotNumeric,
    /// A `Layout` that is not CuTe's.
    NotCute,
    /// A negative extent or stride.
    Negative,
    /// An extent of 0.
    ZeroExtent,
    /// A size or offset of 2^64 or more, or a number that does not fit 127 bits.
    Overflow,
    /// Declarations that refer to each other in a circle, or nest too deeply.
    TooDeep,
    /// More numbers or more elements than are looked at.
    TooLarge,
    /// More work than one run does.
    Work,
    /// In a file that was not looked into.
    LeftOut,
    /// Its template has more instances than are tried. Those that were tried are checked.
    Instances,
}

impl Reason {
    /// The reason in words that complete "not resolved: …".
    pub fn words(self) -> &'static str {
        match self {
            Self::Dependent => "dependent template parameter",
            Self::Unlisted => "parameter for which nothing is listed",
            Self::UnknownName => "unknown name",
            Self::UnknownMember => "unknown member of a class",
            Self::RunTime => "run-time value",
            Self::Call => "result of a function that is not evaluated",
            Self::Expression => "expression that is not evaluated",
            Self::Ambiguous => "several declarations that differ",
            Self::Syntax => "syntax",
            Self::Macro => "inside a macro",
            Self::NotNumeric => "not a number or tuple of numbers",
            Self::NotCute => "not CuTe's Layout",
            Self::Negative => "negative number",
            Self::ZeroExtent => "extent 0",
            Self::Overflow => "overflow",
            Self::TooDeep => "circular or nested too deeply",
            Self::TooLarge => "too large",
            Self::Work => "more work than one run does",
            Self::Instances => "more instances of its template than are tried",
            Self::LeftOut => "in a file that was not looked into",
        }
    }
}

/// Something that could not be resolved, and the place that stopped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unresolved {
    /// Why.
    pub reason: Reason,
    /// Where.
    pub site: Site,
}

/// What evaluation gives.
pub type Resolved<T> = Result<T, Unresolved>;
