//! Fewest modes with the same function.

use crate::error::{Error, ErrorKind, Result};
use crate::inline::InlineVec;
use crate::int_tuple::Profile;
use crate::int_tuple::profile::Span;

use super::basic::{Layout, LayoutBuilder};
use super::mode::Mode;

impl Layout {
    /// The layout with the fewest modes that has the same function on indices: no mode of extent 1, no two neighbours
    /// `s:d, t:s·d`. A leaf when one mode is left, `1:0` when none is. Two layouts have the same function exactly when
    /// they coalesce to the same layout.
    ///
    /// O(leaves).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,(1,6)):(1,(6,2))".parse()?;
    /// assert_eq!(layout.coalesce().to_string(), "12:1");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `coalesce(layout)`.
    #[inline]
    #[must_use]
    pub fn coalesce(&self) -> Self {
        let (modes, profile) = coalesced(self.modes());
        Self::valid(modes, profile, self.size(), self.cosize())
    }

    /// Coalesces what stands in the place of each leaf of the profile; further modes stay as they are.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) where a tuple of the profile has more modes than what it meets (a leaf
    /// counts as one mode).
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "((2,4),(2,2),(1,1)):((1,2),(8,32),(0,0))".parse()?;
    /// let coalesced = layout.coalesce_by(&"(*,*)".parse()?)?;
    /// assert_eq!(coalesced.to_string(), "(8,(2,2),(1,1)):(1,(8,32),(0,0))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `coalesce(layout, profile)`.
    pub fn coalesce_by(&self, profile: &Profile) -> Result<Self> {
        self.by_profile(profile, coalesced)
    }

    /// Puts `f` of what stands in the place of each leaf of the profile there.
    pub(super) fn by_profile(
        &self,
        profile: &Profile,
        f: impl Fn(&[Mode]) -> (InlineVec<Mode>, Profile) + Copy,
    ) -> Result<Self> {
        let mut builder = LayoutBuilder::new();
        self.part_by(
            &self.profile().span(),
            profile,
            &profile.span(),
            f,
            &mut builder,
        )?;
        Ok(Self::shrunk(builder.modes, builder.profile.finish()))
    }

    // Recursion: no deeper than the profile, which has at most MAX_DEPTH levels.
    fn part_by(
        &self,
        part: &Span,
        profile: &Profile,
        guide: &Span,
        f: impl Fn(&[Mode]) -> (InlineVec<Mode>, Profile) + Copy,
        builder: &mut LayoutBuilder,
    ) -> Result<()> {
        if guide.tokens.len() == 1 {
            let (modes, profile) = f(self.modes_of(part));
            builder.modes.extend(modes.as_slice());
            return builder.profile.subtree(&profile, &profile.span());
        }
        builder.profile.open()?;
        let mut modes = self.profile().children_of(part);
        for guide in profile.children_of(guide) {
            let Some(mode) = modes.next() else {
                return Err(too_many_modes(profile, self.profile()));
            };
            self.part_by(&mode, profile, &guide, f, builder)?;
        }
        for mode in modes {
            builder.push(self, &mode)?;
        }
        builder.profile.close();
        Ok(())
    }
}

/// The normal form of flat modes, and its profile.
#[inline]
pub(super) fn coalesced(modes: &[Mode]) -> (InlineVec<Mode>, Profile) {
    let mut result = InlineVec::new();
    let mut last = Mode::new(1, 0);
    for mode in modes {
        if mode.extent() == 1 {
            continue;
        }
        if last.extent() == 1 {
            last = *mode;
        } else if last.extent().checked_mul(last.stride()) == Some(mode.stride()) {
            last = Mode::new(last.extent() * mode.extent(), last.stride());
        } else {
            result.push(last);
            last = *mode;
        }
    }
    result.push(last);
    let profile = match result.as_slice().len() {
        1 => Profile::leaf(),
        rank => Profile::flat(rank),
    };
    (result, profile)
}

#[cold]
fn too_many_modes(profile: &Profile, of: &Profile) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("the profile {profile} has more modes than the layout, which is nested as {of}"),
    )
    .with_help("a tuple of the profile may have at most as many modes as what it meets")
}
