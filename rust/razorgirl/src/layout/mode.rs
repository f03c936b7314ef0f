//! One leaf of a layout.

use std::fmt;

/// An extent with its stride: the function `i ↦ stride·i` on `[0, extent)`.
///
/// A mode by itself is a pair of numbers; it is checked when it becomes part of a [`Layout`](crate::Layout).
///
/// Lean: `Razorgirl.Mode`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mode {
    // Strides come first in the order of modes (see `Layout::sort`).
    stride: u64,
    extent: u64,
}

impl Mode {
    /// The mode `extent:stride`.
    ///
    /// ```
    /// use razorgirl::Mode;
    ///
    /// assert_eq!(Mode::new(4, 8).to_string(), "4:8");
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(extent: u64, stride: u64) -> Self {
        Self { stride, extent }
    }

    /// How many steps.
    #[inline]
    #[must_use]
    pub const fn extent(self) -> u64 {
        self.extent
    }

    /// How far each step goes.
    #[inline]
    #[must_use]
    pub const fn stride(self) -> u64 {
        self.stride
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.extent, self.stride)
    }
}
