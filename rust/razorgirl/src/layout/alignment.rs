//! The blocks that a layout hits wholly or not at all.

use super::basic::Layout;
use super::distribute::gcd;
use super::mode::Mode;
use alloc::vec::Vec;

impl Layout {
    /// The largest block size such that the strides show every aligned block to be covered wholly or not at all: what the chain of
    /// modes from stride 1 on has in common with all other strides.
    ///
    /// O(leaves²).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(8,3):(1,12)".parse()?;
    /// assert_eq!(layout.max_alignment(), 4);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `max_alignment(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.maxAlignment`
    #[must_use]
    pub fn max_alignment(&self) -> u64 {
        let mut rest: Vec<Mode> = self.modes().iter().copied().filter(|mode| mode.extent() > 1).collect();
        let mut run = 1_u64;
        while let Some(next) = rest.iter().position(|mode| mode.stride() == run) {
            // At most the size of the layout.
            run *= rest.remove(next).extent();
        }
        rest.iter().fold(run, |common, mode| gcd(common, mode.stride()))
    }
}
