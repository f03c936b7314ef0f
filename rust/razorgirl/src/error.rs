//! What can be wrong with a request, said with the numbers that are wrong.

use alloc::{boxed::Box, string::String, string::ToString, vec::Vec};
use core::fmt;

use razorgirl_extracted::Fault;

use crate::int_tuple::IntTuple;
use crate::suggestion::Suggestion;

/// The result of an operation that may refuse.
pub type Result<T> = core::result::Result<T, Error>;

/// Why an operation was refused.
///
/// When several of these apply, one of them is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Nesting deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    TooLarge,
    /// Text that is not CuTe notation.
    Parse,
    /// Two nested tuples that had to have the same nesting do not.
    Incongruent,
    /// An extent of 0 or below.
    Extent,
    /// A stride below 0.
    Stride,
    /// A size or cosize of 2^64 or more.
    Overflow,
    /// A coordinate or index at or above its extent, or below 0.
    OutOfDomain,
    /// Numbers that have to divide one another do not.
    NotDivisible,
    /// The modes of an inner layout add up past a mode of the outer one.
    Carries,
    /// Two coordinates share an offset where none may.
    NotInjective,
    /// Offsets are left out where none may be.
    NotContiguous,
    /// No layout has these values.
    NoLayout,
}

impl ErrorKind {
    /// The name of the kind in the protocol, such as `out_of_domain`.
    ///
    /// ```
    /// assert_eq!(razorgirl::ErrorKind::OutOfDomain.code(), "out_of_domain");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::Parse => "parse",
            Self::Incongruent => "incongruent",
            Self::Extent => "extent",
            Self::Stride => "stride",
            Self::Overflow => "overflow",
            Self::OutOfDomain => "out_of_domain",
            Self::NotDivisible => "not_divisible",
            Self::Carries => "carries",
            Self::NotInjective => "not_injective",
            Self::NotContiguous => "not_contiguous",
            Self::NoLayout => "no_layout",
        }
    }
}

/// What shows that a refusal is right.
///
/// Lean: `Razorgirl.FindOver.Witness`, `Razorgirl.Layout.CompositionRefusal`, `Razorgirl.FlatLayout.ComplementRefusal`
///
/// Lean: `Razorgirl.Layout.InverseRefusal`, `Razorgirl.Layout.DivisionRefusal`, `Razorgirl.Layout.ProductRefusal`
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Witness {
    /// No layout with so many coordinates has the values on this axis up to this index, wherever it starts; a leaf of the shape
    /// is an axis, and the others are 0. One has those before.
    Axis {
        /// The leaf of the shape, counted from 0.
        axis: usize,
        /// The place on it.
        index: u64,
    },
    /// What the value at this coordinate exceeds the first one by is not the sum of what it is along each axis.
    Coordinate(IntTuple),
    /// The offset of the inner layout at this coordinate is not an index of the outer one.
    Outside(IntTuple),
    /// Two linear indices with one offset.
    Collision {
        /// The smaller index.
        i: u64,
        /// The larger index.
        j: u64,
    },
    /// The modes of smaller strides fill the block with their copies, and it does not divide this stride.
    Indivisible {
        /// The stride of a mode.
        stride: u64,
        /// What the modes before it fill.
        block: u128,
    },
    /// What is repeated fills this block, and it does not divide what is to be filled.
    Uneven {
        /// Extent × stride of the mode of largest stride; of a mode of a block, its size.
        block: u128,
    },
    /// The first consecutive strides of the sorted coalesced layout such that the smaller does not divide the larger.
    Undivided {
        /// The smaller stride.
        below: u64,
        /// The larger one.
        stride: u64,
    },
    /// The least address that no coordinate has; another has a larger one.
    Missed(u64),
    /// A tuple of the tiler or profile has more modes than the corresponding mode.
    TooMany {
        /// How many modes the tuple has.
        modes: usize,
        /// How many modes the corresponding mode has.
        of: usize,
    },
    /// What shows it for a mode, and a mode of that: operands are the parts of what was given.
    InMode {
        /// The mode, the mode of that mode, …
        path: Vec<usize>,
        /// Of this mode alone.
        witness: Box<Witness>,
    },
}

/// An error: its [kind](Self::kind), a message with the mode and the numbers, and what to do about it.
///
/// `{}` prints the message alone, `{:#}` the help below it, and `{:?}`, which `unwrap` and `main` print, both.
///
/// ```
/// use razorgirl::{ErrorKind, Layout};
///
/// let error = "(4,2):(1,4)".parse::<Layout>()?.at(8).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::OutOfDomain);
/// assert_eq!(error.to_string(), "index 8 is outside [0,8)");
/// assert!(format!("{error:#}").starts_with("index 8 is outside [0,8)"));
/// assert_eq!(format!("{error:#}").lines().count(), 1 + error.help().len());
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    /// Advice, and behind it the suggestions in words.
    help: Vec<String>,
    suggestions: Vec<Suggestion>,
    leaf: Option<usize>,
    position: Option<usize>,
    witness: Option<Witness>,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = capped(message.into());
        let (help, suggestions) = (Vec::new(), Vec::new());
        Self(Box::new(Inner { kind, message, help, suggestions, leaf: None, position: None, witness: None }))
    }

    #[cold]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        let place = self.advice().len();
        self.0.help.insert(place, capped(help.into()));
        self
    }

    /// A call that the operation which returns this error has run.
    #[cold]
    pub(crate) fn with_suggestion(mut self, suggestion: Suggestion) -> Self {
        self.0.help.push(capped(suggestion.to_string()));
        self.0.suggestions.push(suggestion);
        self
    }

    /// What an inner operation suggests, as suggestions of the one that was called: `retell` runs it there, and answers
    /// nothing where that refuses or cannot be told to what it was given.
    #[cold]
    pub(crate) fn retold(mut self, mut retell: impl FnMut(&Suggestion) -> Option<Suggestion>) -> Self {
        let advice = self.advice().len();
        self.0.help.truncate(advice);
        let mut told: Vec<Suggestion> = Vec::new();
        for suggestion in core::mem::take(&mut self.0.suggestions) {
            told.extend(retell(&suggestion).filter(|suggestion| !told.contains(suggestion)));
        }
        told.into_iter().fold(self, Self::with_suggestion)
    }

    /// A fault of an extracted function whose theorem excludes it for operands that were checked.
    #[cold]
    pub(crate) fn unforeseen(fault: Fault) -> Self {
        Self::new(ErrorKind::Overflow, format!("a number is needed that 64 bits do not hold ({})", fault.code()))
    }

    #[cold]
    pub(crate) fn with_leaf(mut self, leaf: usize) -> Self {
        self.0.leaf = Some(leaf);
        self
    }

    /// Says first what it is about.
    #[cold]
    pub(crate) fn about(mut self, context: impl fmt::Display) -> Self {
        self.0.message = capped(format!("{context}: {}", self.0.message));
        self
    }

    /// Without the help, which was meant for another operation.
    #[cold]
    pub(crate) fn without_help(mut self) -> Self {
        self.0.help.clear();
        self.0.suggestions.clear();
        self
    }

    #[cold]
    pub(crate) fn with_witness(mut self, witness: Witness) -> Self {
        self.0.witness = Some(witness);
        self
    }

    /// With a witness, where there is one.
    #[cold]
    pub(crate) fn witnessed(self, witness: Option<Witness>) -> Self {
        match witness {
            Some(witness) => self.with_witness(witness),
            None => self,
        }
    }

    /// With what becomes of the witness where it speaks of operands that the caller has not given.
    #[cold]
    pub(crate) fn with_witness_as(mut self, told: impl FnOnce(Witness) -> Option<Witness>) -> Self {
        self.0.witness = self.0.witness.and_then(told);
        self
    }

    /// With a witness of a mode of what was given.
    #[cold]
    pub(crate) fn in_mode(self, path: &[usize]) -> Self {
        if path.is_empty() {
            return self;
        }
        self.with_witness_as(|witness| Some(Witness::InMode { path: path.to_vec(), witness: Box::new(witness) }))
    }

    #[cold]
    pub(crate) fn with_position(mut self, position: usize) -> Self {
        self.0.position = Some(position);
        self
    }

    /// What went wrong, for a program.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// [`ErrorKind::code`] of the kind.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// What the caller can do, one sentence each; may be empty. First the [advice](Self::advice), then the
    /// [suggestions](Self::suggestions) in words.
    #[must_use]
    pub fn help(&self) -> &[String] {
        &self.0.help
    }

    /// The part of the [help](Self::help) without the suggested calls: rules, and facts about the arguments.
    #[must_use]
    pub fn advice(&self) -> &[String] {
        let count = self.0.help.len().saturating_sub(self.0.suggestions.len());
        self.0.help.get(..count).unwrap_or_default()
    }

    /// Calls near the refused one that succeed, the nearest first. Each was run by the function that returned this error.
    ///
    /// Whoever wraps that function in a form of its own (other names, other arguments) runs them again in that form, and
    /// prints those that hold there beside the [advice](Self::advice).
    #[must_use]
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.0.suggestions
    }

    /// The leaf that causes the error, counted from 0 over the flattened tuple; `None` if no single leaf does.
    #[must_use]
    pub fn leaf(&self) -> Option<usize> {
        self.0.leaf
    }

    /// A proof that no result exists, where the operation gives one.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        self.0.witness.as_ref()
    }

    /// The byte of the text at fault, when the error comes from reading notation.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.0.position
    }
}

/// A sentence about layouts of thousands of modes ends where nobody reads on.
#[cold]
fn capped(mut text: String) -> String {
    const MOST: usize = 600;
    if text.len() > MOST {
        let end = (0..=MOST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// What `what` displays, cut where it is longer than a message should be: tuples may have millions of leaves.
#[cold]
pub(crate) fn brief(what: &dyn fmt::Display) -> String {
    const MOST: usize = 80;
    struct Brief(String);
    impl fmt::Write for Brief {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for char in text.chars() {
                if self.0.len() >= MOST {
                    self.0.push('…');
                    return Err(fmt::Error);
                }
                self.0.push(char);
            }
            Ok(())
        }
    }
    let mut text = Brief(String::new());
    // Stops at the cut, where there is one.
    let _ = fmt::Write::write_fmt(&mut text, format_args!("{what}"));
    text.0
}

/// The message; with `{:#}` each sentence of the [help](Error::help) on a line of its own below it.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if f.alternate() {
            for help in self.help() {
                write!(f, "\nhelp: {help}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("help", &self.0.help)
            .field("position", &self.0.position)
            .finish_non_exhaustive()
    }
}

impl core::error::Error for Error {}
