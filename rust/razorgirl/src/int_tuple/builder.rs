//! Nested tuples from a stream of values and parentheses.

use crate::error::{Error, ErrorKind, Result};
use crate::inline::InlineVec;

use super::htuple::HTuple;
use super::profile::{Builder, Span};

/// Writes a nested tuple from left to right, for readers of other notations.
///
/// ```
/// use razorgirl::{HTupleBuilder, IntTuple};
///
/// let mut builder = HTupleBuilder::new();
/// builder.open()?;
/// builder.leaf(4);
/// builder.open()?;
/// builder.leaf(2);
/// builder.close();
/// builder.close();
/// let tuple: IntTuple = builder.finish()?;
/// assert_eq!(tuple.to_string(), "(4,(2))");
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HTupleBuilder<T: Copy + Default> {
    leaves: InlineVec<T>,
    profile: Builder,
    /// How many values and tuples lie side by side outside of any tuple; one makes a whole.
    whole: usize,
    /// A tuple was closed that was not open.
    unbalanced: bool,
}

impl<T: Copy + Default> HTupleBuilder<T> {
    /// Nothing yet.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self { leaves: InlineVec::new(), profile: Builder::new(), whole: 0, unbalanced: false }
    }

    /// How many tuples are open.
    #[inline]
    #[must_use]
    pub fn depth(&self) -> usize {
        self.profile.depth()
    }

    /// Begins a tuple.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) when [`MAX_DEPTH`](crate::MAX_DEPTH) tuples are open already.
    pub fn open(&mut self) -> Result<()> {
        self.profile.open()
    }

    /// Ends the tuple begun last.
    pub fn close(&mut self) {
        if self.depth() == 0 {
            self.unbalanced = true;
            return;
        }
        self.profile.close();
        self.whole += usize::from(self.depth() == 0);
    }

    /// Adds a value.
    #[inline]
    pub fn leaf(&mut self, value: T) {
        self.leaves.push(value);
        self.profile.leaf();
        self.whole += usize::from(self.depth() == 0);
    }

    /// Adds a whole tuple.
    pub(crate) fn subtree(&mut self, tuple: &HTuple<T>) -> Result<()> {
        self.part(tuple, &tuple.profile().span())
    }

    /// Adds a subtree of another tuple.
    #[inline]
    pub(crate) fn part(&mut self, of: &HTuple<T>, span: &Span) -> Result<()> {
        self.leaves.extend(of.leaves().get(span.leaves.clone()).unwrap_or_default());
        self.profile.subtree(of.profile(), span)?;
        self.whole += usize::from(self.depth() == 0);
        Ok(())
    }

    /// The tuple.
    ///
    /// # Errors
    /// [`Parse`](ErrorKind::Parse) when a tuple is still open, or was closed once too often, or when there is not
    /// exactly one value or tuple.
    pub fn finish(self) -> Result<HTuple<T>> {
        if self.unbalanced || self.depth() > 0 || self.whole != 1 {
            return Err(Error::new(ErrorKind::Parse, "the parentheses do not make one tuple"));
        }
        Ok(HTuple::from_parts(self.leaves, self.profile.finish()))
    }
}

impl<T: Copy + Default> Default for HTupleBuilder<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn built(text: &str) -> Result<HTuple<u64>> {
        let mut builder = HTupleBuilder::new();
        for char in text.chars() {
            match char {
                '(' => builder.open()?,
                ')' => builder.close(),
                _ => builder.leaf(7),
            }
        }
        builder.finish()
    }

    #[test]
    fn only_one_whole_tuple_is_finished() {
        for (text, tuple) in [("7", "7"), ("()", "()"), ("(77)", "(7,7)"), ("(()(7))", "((),(7))")] {
            assert_eq!(built(text).map(|tuple| tuple.to_string()).as_deref(), Ok(tuple));
        }
        for text in ["", "77", "(", "7)", "()7", "())(", ")(", "7(", "()(7"] {
            assert_eq!(built(text).unwrap_err().kind(), ErrorKind::Parse, "{text}");
        }
        let deep = |depth| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        assert!(built(&deep(64)).is_ok());
        assert_eq!(built(&deep(65)).unwrap_err().kind(), ErrorKind::TooLarge);
    }
}
