//! Calls near a refused one that succeed.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::error::brief;
use crate::int_tuple::{IntTuple, Shape};
use crate::layout::{Layout, Tiler};

/// A call near the refused one: another value for some arguments, or another operation, or both.
///
/// It holds for the function that was called and returned the error: that function was run on it, with this answer. An
/// operation that is made of others runs their suggestions on itself, and drops those that it refuses.
///
/// ```
/// use razorgirl::{Argument, Layout};
///
/// let error = "16:1".parse::<Layout>()?.logical_divide(&"5:1".parse::<Layout>()?).unwrap_err();
/// let suggestion = &error.suggestions()[0];
/// assert_eq!(suggestion.to_string(), "with 4:1 as the tile, the quotient is (4,4):(1,4)");
/// assert_eq!(suggestion.operation(), None);
/// assert_eq!(suggestion.replacements()[0].position, 1);
/// assert_eq!(suggestion.replacements()[0].value, Argument::Layout("4:1".parse()?));
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    operation: Option<&'static str>,
    replacements: Vec<Replacement>,
    result: &'static str,
    answer: String,
    note: String,
}

/// Another value for one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replacement {
    /// Which argument, counted from 0. The layout on which a method is called is argument 0.
    pub position: usize,
    /// What messages call it: `the tile`.
    pub name: &'static str,
    /// The value to give instead.
    pub value: Argument,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Argument {
    /// A number.
    Integer(u64),
    /// A nested tuple of numbers.
    Tuple(IntTuple),
    /// A shape.
    Shape(Shape),
    /// A layout.
    Layout(Layout),
    /// A tiler.
    Tiler(Tiler),
}

impl Suggestion {
    /// The same operation with another argument. `result` is what messages call the answer: `the quotient`.
    #[cold]
    pub(crate) fn with(
        position: usize,
        name: &'static str,
        value: impl Into<Argument>,
        result: &'static str,
        answer: &dyn fmt::Display,
    ) -> Self {
        Self { operation: None, replacements: Vec::new(), result, answer: brief(answer), note: String::new() }
            .and(position, name, value)
    }

    /// Another operation on the same arguments.
    #[cold]
    pub(crate) fn call(operation: &'static str, answer: &dyn fmt::Display) -> Self {
        let (answer, note) = (brief(answer), String::new());
        Self { operation: Some(operation), replacements: Vec::new(), result: "", answer, note }
    }

    /// And another argument too.
    #[cold]
    pub(crate) fn and(mut self, position: usize, name: &'static str, value: impl Into<Argument>) -> Self {
        self.replacements.push(Replacement { position, name, value: value.into() });
        self
    }

    /// The same answer from an operation of another name.
    #[cold]
    pub(crate) fn of(mut self, operation: &'static str) -> Self {
        self.operation = Some(operation);
        self
    }

    /// Says more of the answer, behind it.
    #[cold]
    pub(crate) fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The operation to call instead, by its name in this library such as `composition_complete`; nothing for the one
    /// that was called.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.operation
    }

    /// The arguments to change; the others stay. May be empty where another operation is named.
    #[must_use]
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// What the suggested call answers, in CuTe notation, cut with `…` where it is long.
    #[must_use]
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// The value for this argument, where it is the only change.
    pub(crate) fn only(&self, position: usize) -> Option<&Argument> {
        match (self.operation, self.replacements.as_slice()) {
            (None, [replacement]) if replacement.position == position => Some(&replacement.value),
            _ => None,
        }
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            write!(f, "{operation}")?;
        }
        for (i, Replacement { name, value, .. }) in self.replacements.iter().enumerate() {
            let joint = match (i, self.operation) {
                (0, None) => "with",
                (0, Some(_)) => " with",
                _ => " and",
            };
            write!(f, "{joint} {value} as {name}")?;
        }
        match self.operation {
            Some(_) => write!(f, " answers {}{}", self.answer, self.note),
            None => write!(f, ", {} is {}{}", self.result, self.answer, self.note),
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Tuple(value) => value.fmt(f),
            Self::Shape(value) => value.fmt(f),
            Self::Layout(value) => value.fmt(f),
            Self::Tiler(value) => value.fmt(f),
        }
    }
}

impl From<u64> for Argument {
    fn from(value: u64) -> Self {
        Self::Integer(value)
    }
}

impl From<IntTuple> for Argument {
    fn from(value: IntTuple) -> Self {
        Self::Tuple(value)
    }
}

impl From<Shape> for Argument {
    fn from(value: Shape) -> Self {
        Self::Shape(value)
    }
}

impl From<Layout> for Argument {
    fn from(value: Layout) -> Self {
        Self::Layout(value)
    }
}

impl From<Tiler> for Argument {
    fn from(value: Tiler) -> Self {
        Self::Tiler(value)
    }
}
