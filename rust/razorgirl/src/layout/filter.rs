//! Dropping what does not reach another offset.

use crate::error::Result;
use crate::inline::InlineVec;
use crate::int_tuple::Profile;

use super::basic::Layout;
use super::coalesce::coalesced;
use super::mode::Mode;

impl Layout {
    /// Extent 1 wherever the stride is 0. Same image, same nesting.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,(2,8)):(0,(1,0))".parse()?;
    /// assert_eq!(layout.filter_zeros().to_string(), "(1,(2,1)):(0,(1,0))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `filter_zeros(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.filterZeros`
    #[must_use]
    pub fn filter_zeros(&self) -> Self {
        Self::shrunk(without_zeros(self.modes()), self.profile().clone())
    }

    /// [`coalesce`](Self::coalesce) after [`filter_zeros`](Self::filter_zeros). Same image.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,(2,8)):(0,(1,0))".parse()?;
    /// assert_eq!(layout.filter().to_string(), "2:1");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `filter(layout)`.
    ///
    /// Lean: `Razorgirl.Layout.filter`
    #[must_use]
    pub fn filter(&self) -> Self {
        let modes = filtered(self.modes());
        let profile = Profile::leaf_or_flat(modes.len());
        Self::shrunk(modes, profile)
    }

    /// Filters the mode at each leaf of the profile; further modes do not change.
    ///
    /// # Errors
    /// As [`coalesce_by`](Self::coalesce_by).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(4,(2,8)):(0,(1,0))".parse()?;
    /// assert_eq!(layout.filter_by(&"(*,*)".parse()?)?.to_string(), "(1,2):(0,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `filter(layout, profile)`.
    ///
    /// Lean: `Razorgirl.Layout.filterBy`, `Razorgirl.Layout.filterByRefusal`
    pub fn filter_by(&self, profile: &Profile) -> Result<Self> {
        self.by_profile(profile, filtered)
    }
}

fn without_zeros(modes: &[Mode]) -> InlineVec<Mode> {
    let modes = modes.iter().map(|mode| match mode.stride() {
        0 => Mode::new(1, 0),
        _ => *mode,
    });
    modes.collect()
}

fn filtered(modes: &[Mode]) -> InlineVec<Mode> {
    coalesced(without_zeros(modes).as_slice())
}
