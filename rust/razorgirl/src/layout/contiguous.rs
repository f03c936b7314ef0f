//! Layouts that fill an interval.

use crate::inline::InlineVec;

use super::basic::Layout;
use super::mode::Mode;

impl Layout {
    /// Whether the layout is a bijection onto `[0, cosize)`: every offset is reached, and once.
    ///
    /// Decided by sorting: without the modes of extent 1, in order of stride, it must be the column-major layout.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// assert!("(4,8):(8,1)".parse::<Layout>()?.is_contiguous());
    /// assert!(!"(4,8):(16,1)".parse::<Layout>()?.is_contiguous());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Categorical Foundations for CuTe Layouts: «compact».
    ///
    /// Lean: `Razorgirl.FlatLayout.isContiguous`
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        // A bijection onto [0, cosize) has as many indices as offsets; most layouts that are none end here.
        if self.size() != self.cosize() {
            return false;
        }
        let mut next = 1;
        by_stride(self.modes()).as_slice().iter().all(|mode| {
            let fits = mode.stride() == next;
            // A product of extents, so at most the size.
            next *= mode.extent();
            fits
        })
    }
}

/// The modes of extent above 1 in order of (stride, extent).
pub(super) fn by_stride(modes: &[Mode]) -> InlineVec<Mode> {
    let modes = modes.iter().copied().filter(|mode| mode.extent() > 1);
    let mut modes: InlineVec<Mode> = modes.collect();
    modes.as_mut_slice().sort_unstable();
    modes
}
