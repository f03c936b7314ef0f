//! Products of tuples.

use crate::error::{Error, ErrorKind, Result, brief};
use alloc::vec::Vec;

use super::htuple::IntTuple;
use super::shape::Shape;

impl IntTuple {
    /// The sum of the products of values in the same place. Of a coordinate and a stride it is the offset.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) unless both have the same nesting, [`Overflow`](ErrorKind::Overflow) when
    /// the sum is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "((2,3),4)".parse()?;
    /// assert_eq!(tuple.inner_product(&"((2,1),2)".parse()?)?, 15);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `inner_product(a, b)`.
    ///
    /// Lean: `Razorgirl.IntTuple.innerProduct`
    pub fn inner_product(&self, other: &Self) -> Result<u64> {
        if !self.congruent(other) {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("one tuple is nested as {}, the other as {}", brief(self.profile()), brief(other.profile())),
            )
            .with_help("give both the same nesting; `flatten` makes them flat"));
        }
        let mut pairs = self.leaves().iter().zip(other.leaves());
        pairs.try_fold(0_u64, |sum, (a, b)| sum.checked_add(a.checked_mul(*b)?)).ok_or_else(|| {
            Error::new(ErrorKind::Overflow, "the inner product is 2^64 or more")
                .with_help("the sum of the products must stay below 2^64")
        })
    }
}

impl Shape {
    /// The product of all extents to the left of each, times `start`; where `start` is a tuple, mode by mode. From 1 these
    /// are the strides of the column-major layout.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when `start` is nested deeper than the shape or has another rank,
    /// [`Overflow`](ErrorKind::Overflow) when a product is 2^64 or more.
    ///
    /// ```
    /// use razorgirl::{IntTuple, Shape};
    ///
    /// let shape: Shape = "((2,3),(2,1,2))".parse()?;
    /// assert_eq!(shape.prefix_product(&IntTuple::leaf(1))?.to_string(), "((1,2),(6,12,12))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// pycute: `prefix_product(shape, start)`. CuTe: `compact_col_major(shape, start)`, which has 0 at extents of 1.
    ///
    /// Lean: `Razorgirl.IntTuple.prefixProduct`
    pub fn prefix_product(&self, start: &IntTuple) -> Result<IntTuple> {
        let mut products = Vec::with_capacity(self.extents().leaves().len());
        let mut overflow = false;
        let aligned = start.profile().align(self.profile(), |leaf, span| {
            let from = start.leaves().get(leaf).copied().unwrap_or(1);
            let mut running = Some(from);
            for extent in self.extents().leaves().get(span.leaves).unwrap_or_default() {
                overflow |= running.is_none();
                products.push(running.unwrap_or_default());
                running = running.and_then(|running| running.checked_mul(*extent));
            }
        });
        if aligned.is_none() {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("the start {} does not fit the nesting {}", brief(start), brief(self.profile())),
            )
            .with_help(
                "each tuple of the start needs a tuple with as many modes in its place; an integer fits everywhere",
            ));
        }
        if overflow {
            return Err(Error::new(ErrorKind::Overflow, "a product is 2^64 or more")
                .with_help("start at 1: no product is larger than the size then"));
        }
        Ok(IntTuple::from_parts(products.into_iter().collect(), self.profile().clone()))
    }
}
