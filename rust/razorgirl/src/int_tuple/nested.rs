//! Tuples as Rust writes them: integers, arrays and tuples, nested.

use super::builder::HTupleBuilder;
use super::htuple::IntTuple;
use super::shape::Shape;
use crate::error::{Error, Result};
use crate::layout::Layout;

/// What Rust writes as a nested tuple of integers: `8`, `[4, 2]`, `((4, 2), 8)`, `([4, 2], 8)`, and an [`IntTuple`] in their place.
///
/// An array of one element is the tuple `(4)`; a bare integer has depth 0, as in CuTe.
pub trait Nested {
    /// Appends the value to a tuple that is being built.
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when the tuple would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()>;
}

impl Nested for u64 {
    fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()> {
        to.leaf(*self);
        Ok(())
    }
}

impl Nested for IntTuple {
    // Recursion: no deeper than the tuple.
    fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()> {
        if let (true, [leaf]) = (self.is_leaf(), self.leaves()) {
            to.leaf(*leaf);
            return Ok(());
        }
        to.open()?;
        for mode in self.modes() {
            mode.write_to(to)?;
        }
        to.close();
        Ok(())
    }
}

impl<T: Nested + ?Sized> Nested for &T {
    fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()> {
        (**self).write_to(to)
    }
}

impl<T: Nested> Nested for [T] {
    fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()> {
        to.open()?;
        for mode in self {
            mode.write_to(to)?;
        }
        to.close();
        Ok(())
    }
}

impl<T: Nested, const N: usize> Nested for [T; N] {
    fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()> {
        self.as_slice().write_to(to)
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Nested),*> Nested for ($($name,)*) {
            #[expect(non_snake_case, reason = "a value is named as its type")]
            fn write_to(&self, to: &mut HTupleBuilder<u64>) -> Result<()> {
                let ($($name,)*) = self;
                to.open()?;
                $($name.write_to(to)?;)*
                to.close();
                Ok(())
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);

impl IntTuple {
    /// The tuple that Rust writes as integers, arrays and tuples.
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when it would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// assert_eq!(IntTuple::of(((4, 2), 8))?.to_string(), "((4,2),8)");
    /// assert_eq!(IntTuple::of([4, 2])?, IntTuple::flat(&[4, 2]));
    /// assert_eq!(IntTuple::of(8)?, IntTuple::leaf(8));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn of(value: impl Nested) -> Result<Self> {
        let mut built = HTupleBuilder::new();
        value.write_to(&mut built)?;
        built.finish()
    }
}

impl Shape {
    /// The shape that Rust writes as integers, arrays and tuples.
    ///
    /// # Errors
    /// As [`Shape::new`] and [`IntTuple::of`].
    ///
    /// ```
    /// use razorgirl::Shape;
    ///
    /// assert_eq!(Shape::of(([4, 2], 8))?.size(), 64);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn of(extents: impl Nested) -> Result<Self> {
        Self::new(IntTuple::of(extents)?)
    }
}

impl Layout {
    /// The layout `shape:stride`, both as Rust writes integers, arrays and tuples.
    ///
    /// # Errors
    /// As [`Layout::new`] and [`IntTuple::of`].
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert_eq!(Layout::of([4, 8], [8, 1])?, "(4,8):(8,1)".parse()?);
    /// assert_eq!(Layout::of(((4, 2), 8), ((1, 16), 4))?.to_string(), "((4,2),8):((1,16),4)");
    /// assert_eq!(Layout::try_from(([4, 8], [8, 1]))?, Layout::of([4, 8], [8, 1])?);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn of(shape: impl Nested, stride: impl Nested) -> Result<Self> {
        Self::new(&IntTuple::of(shape)?, &IntTuple::of(stride)?)
    }
}

impl From<u64> for IntTuple {
    fn from(value: u64) -> Self {
        Self::leaf(value)
    }
}

impl<const N: usize> From<[u64; N]> for IntTuple {
    fn from(values: [u64; N]) -> Self {
        Self::flat(&values)
    }
}

impl TryFrom<u64> for Shape {
    type Error = Error;

    fn try_from(extent: u64) -> Result<Self> {
        Self::of(extent)
    }
}

impl<const N: usize> TryFrom<[u64; N]> for Shape {
    type Error = Error;

    fn try_from(extents: [u64; N]) -> Result<Self> {
        Self::of(extents)
    }
}

impl<S: Nested, D: Nested> TryFrom<(S, D)> for Layout {
    type Error = Error;

    fn try_from((shape, stride): (S, D)) -> Result<Self> {
        Self::of(shape, stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use alloc::string::ToString;

    #[test]
    fn what_is_written_is_what_is_read() {
        for (written, text) in [
            (IntTuple::of(7), "7"),
            (IntTuple::of([7]), "(7)"),
            (IntTuple::of((7,)), "(7)"),
            (IntTuple::of([0_u64; 0]), "()"),
            (IntTuple::of([[1, 2], [3, 4]]), "((1,2),(3,4))"),
            (IntTuple::of((1, [2, 3], ((4,), 5))), "(1,(2,3),((4),5))"),
            (IntTuple::of((IntTuple::flat(&[1, 2]), 3)), "((1,2),3)"),
        ] {
            assert_eq!(written, text.parse(), "{text}");
        }
        assert_eq!(IntTuple::from([4, 2]).to_string(), "(4,2)");
    }

    #[test]
    fn what_is_no_layout_is_refused() {
        assert_eq!(Layout::of([4, 8], 1).map_err(|error| error.kind()), Err(ErrorKind::Incongruent));
        assert_eq!(Shape::of([4, 0]).map_err(|error| error.kind()), Err(ErrorKind::Extent));
        assert_eq!(Shape::try_from([2, 3]).map(|shape| shape.size()), Ok(6));
    }
}
