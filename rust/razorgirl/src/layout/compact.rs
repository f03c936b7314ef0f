//! Compact layouts: the first mode fastest, the last mode fastest, or as another layout has it.

use crate::inline::InlineVec;
use crate::int_tuple::Shape;
use alloc::vec::Vec;

use super::basic::Layout;
use super::mode::Mode;
use super::ordered::by_rank;

impl Layout {
    /// The layout of this shape in which the first mode runs fastest: every index is its own offset.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout = Layout::column_major(&"((4,2),8)".parse()?);
    /// assert_eq!(layout.to_string(), "((4,2),8):((1,4),8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_layout(shape)`, `LayoutLeft`.
    ///
    /// Lean: `Razorgirl.Layout.columnMajor`
    #[must_use]
    pub fn column_major(shape: &Shape) -> Self {
        let mut modes: InlineVec<Mode> = InlineVec::new();
        let mut stride = 1;
        for extent in shape.extents().leaves() {
            modes.push(normal(*extent, stride));
            stride *= extent;
        }
        Self::valid(modes, shape.profile().clone(), shape.size(), shape.size())
    }

    /// The layout of this shape in which the last mode runs fastest.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout = Layout::row_major(&"((4,2),8)".parse()?);
    /// assert_eq!(layout.to_string(), "((4,2),8):((16,8),1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_layout(shape, LayoutRight{})`.
    ///
    /// Lean: `Razorgirl.Layout.rowMajor`
    #[must_use]
    pub fn row_major(shape: &Shape) -> Self {
        let extents = shape.extents().leaves();
        let mut modes: InlineVec<Mode> = extents.iter().map(|e| Mode::new(*e, 0)).collect();
        let mut stride = 1;
        for mode in modes.as_mut_slice().iter_mut().rev() {
            *mode = normal(mode.extent(), stride);
            stride *= mode.extent();
        }
        Self::valid(modes, shape.profile().clone(), shape.size(), shape.size())
    }

    /// The compact layout with this shape and the order of these strides: gaps are closed, and what repeats goes on
    /// repeating. Equal strides count from left to right.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,3,4,5):(0,42,1,0)".parse()?;
    /// assert_eq!(layout.make_layout_like().to_string(), "(2,3,4,5):(0,4,1,0)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `make_layout_like(layout)`, which gives modes of equal stride the same stride, so that they collide.
    ///
    /// Lean: `Razorgirl.Layout.makeLayoutLike`
    #[must_use]
    pub fn make_layout_like(&self) -> Self {
        let extents: Vec<u64> =
            self.modes().iter().map(|mode| if mode.stride() == 0 { 1 } else { mode.extent() }).collect();
        let strides: Vec<u64> = self.modes().iter().map(|mode| mode.stride()).collect();
        let compact = by_rank(&extents, &strides);
        let modes = self.modes().iter().zip(compact.as_slice());
        let modes: InlineVec<Mode> = modes.map(|(mode, new)| Mode::new(mode.extent(), new.stride())).collect();
        Self::shrunk(modes, self.profile().clone())
    }
}

/// Strides under an extent of 1 are 0 everywhere in the crate.
#[inline]
fn normal(extent: u64, stride: u64) -> Mode {
    Mode::new(extent, if extent == 1 { 0 } else { stride })
}
