//! What two layouts have in common: the coordinates that both map to 0, 1, 2, …

use super::basic::Layout;
use super::mode::Mode;
use alloc::vec::Vec;

impl Layout {
    /// The common leading modes of the right inverses of this layout and `other`; where they first differ with equal
    /// strides, the smaller extent. Both layouts map it to `0, 1, 2, …`, and which one is called `other` does not matter.
    ///
    /// Where both are injective it is the largest: no function onto common indices counts further in both.
    ///
    /// O(leaves²).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let a: Layout = "(4,8):(1,4)".parse()?;
    /// let b: Layout = "(4,8):(1,8)".parse()?;
    /// assert_eq!(a.max_common_layout(&b).to_string(), "4:1");
    ///
    /// // CuTe stops: 5 does not divide 8
    /// let (a, b): (Layout, Layout) = ("5:1".parse()?, "8:1".parse()?);
    /// assert_eq!(a.max_common_layout(&b).to_string(), "5:1");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `max_common_layout(a, b)`.
    ///
    /// Lean: `Razorgirl.Layout.maxCommonLayout`
    #[must_use]
    pub fn max_common_layout(&self, other: &Self) -> Self {
        let (one, two) = (self.right_inverse(), other.right_inverse());
        let mut modes = Vec::new();
        for (a, b) in one.modes().iter().zip(two.modes()) {
            if a.stride() != b.stride() {
                break;
            }
            modes.push(Mode::new(a.extent().min(b.extent()), a.stride()));
            if a.extent() != b.extent() {
                break;
            }
        }
        Self::of_valid_modes(&modes)
    }

    /// How many elements this layout and `other` hold in the same order from offset 0 on: the size of
    /// [`max_common_layout`](Self::max_common_layout).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let (a, b): (Layout, Layout) = ("(2,4):(4,1)".parse()?, "(2,2,2):(4,1,2)".parse()?);
    /// assert_eq!(a.max_common_vector(&b), 8);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `max_common_vector(a, b)`.
    ///
    /// Lean: `Razorgirl.Layout.maxCommonVector`
    #[must_use]
    pub fn max_common_vector(&self, other: &Self) -> u64 {
        self.max_common_layout(other).size()
    }
}
