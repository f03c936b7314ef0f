//! Modes in order of stride.

use super::basic::Layout;

impl Layout {
    /// The leaves in order of (stride, extent), flattened. Same image, size and cosize; in general another function.
    /// Modes of extent 1 have stride 0 and so come first.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((4,2),(2,4)):((2,16),(1,8))".parse()?;
    /// assert_eq!(layout.sort().to_string(), "(2,4,4,2):(1,2,8,16)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Categorical Foundations for CuTe Layouts: `sort`.
    ///
    /// Lean: `Razorgirl.Layout.sort`
    #[must_use]
    pub fn sort(&self) -> Self {
        let mut modes = crate::inline::InlineVec::from_slice(self.modes());
        modes.as_mut_slice().sort_unstable();
        let flat = self.flatten();
        Self::valid(modes, flat.profile().clone(), self.size(), self.cosize())
    }
}
