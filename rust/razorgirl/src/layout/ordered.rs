//! Compact layouts whose modes come in a given order.

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::InlineVec;
use crate::int_tuple::{IntTuple, Shape};
use alloc::vec::Vec;

use super::basic::Layout;
use super::mode::Mode;

impl Layout {
    /// The layout of this shape onto `[0, size)` in which parts of smaller rank have the smaller strides. Where the order
    /// has an integer the shape may have a tuple, which is column-major inside; equal ranks count from left to right.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the order is nested deeper than the shape or has another rank
    /// somewhere.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout = Layout::ordered(&"(2,2,2,2)".parse()?, &"(0,2,3,1)".parse()?)?;
    /// assert_eq!(layout.to_string(), "(2,2,2,2):(1,4,8,2)");
    ///
    /// // C++ gives modes of equal rank the same stride, so that offsets collide: (6,9,8,2):(144,1,1,1)
    /// let layout = Layout::ordered(&"(6,9,8,2)".parse()?, &"(1,0,0,0)".parse()?)?;
    /// assert_eq!(layout.to_string(), "(6,9,8,2):(144,1,9,72)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_ordered_layout(shape, order)`.
    ///
    /// Lean: `Razorgirl.Layout.ordered`
    pub fn ordered(shape: &Shape, order: &IntTuple) -> Result<Self> {
        let mut ranks = Vec::with_capacity(shape.extents().leaves().len());
        let aligned = order.profile().align(shape.profile(), |leaf, span| {
            let rank = order.leaves().get(leaf).copied().unwrap_or_default();
            ranks.extend(core::iter::repeat_n(rank, span.leaves.len()));
        });
        if aligned.is_none() {
            return Err(disordered(shape, order));
        }
        let modes = by_rank(shape.extents().leaves(), &ranks);
        Ok(Self::valid(modes, shape.profile().clone(), shape.size(), shape.size()))
    }
}

/// The modes of these extents onto `[0, size)`, those of smaller rank first.
pub(super) fn by_rank(extents: &[u64], ranks: &[u64]) -> InlineVec<Mode> {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    // Stable: equal ranks stay in place.
    order.sort_by_key(|place| ranks.get(*place));
    let mut modes: InlineVec<Mode> = extents.iter().map(|extent| Mode::new(*extent, 0)).collect();
    let mut stride = 1;
    for place in order {
        if let Some(mode) = modes.as_mut_slice().get_mut(place)
            && mode.extent() > 1
        {
            *mode = Mode::new(mode.extent(), stride);
            // At most the size of the shape.
            stride *= mode.extent();
        }
    }
    modes
}

#[cold]
fn disordered(shape: &Shape, order: &IntTuple) -> Error {
    let places: Vec<u64> = (0..).take(shape.rank()).collect();
    Error::new(
        ErrorKind::Incongruent,
        format!("the order {} does not fit the nesting {}", brief(order), brief(shape.profile())),
    )
    .with_help(format!(
        "an integer fits everywhere, and a tuple with as many modes; column-major is {}",
        if shape.extents().is_leaf() { IntTuple::leaf(0) } else { IntTuple::flat(&places) }
    ))
}
