//! Fewest modes with the same function.

use crate::error::{Error, ErrorKind, Result, brief};
use crate::inline::{INLINE, InlineVec};
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
    #[expect(clippy::inline_always, reason = "a call of it copies the result, which takes as long as the rest")]
    #[inline(always)]
    #[must_use]
    pub fn coalesce(&self) -> Self {
        let mut few = [Mode::default(); INLINE];
        let mut many = Vec::new();
        let count = coalesce_into(&mut few, &mut many, self.modes());
        Self { few, count, many, profile: Profile::leaf_or_flat(count), size: self.size, cosize: self.cosize }
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
    pub(super) fn by_profile(&self, profile: &Profile, f: impl Fn(&[Mode]) -> InlineVec<Mode> + Copy) -> Result<Self> {
        let mut builder = LayoutBuilder::new();
        self.part_by(&self.profile().span(), profile, &profile.span(), f, &mut builder)?;
        Ok(Self::shrunk(builder.modes, builder.profile.finish()))
    }

    // Recursion: no deeper than the profile, which has at most MAX_DEPTH levels.
    fn part_by(
        &self,
        part: &Span,
        profile: &Profile,
        guide: &Span,
        f: impl Fn(&[Mode]) -> InlineVec<Mode> + Copy,
        builder: &mut LayoutBuilder,
    ) -> Result<()> {
        if guide.tokens.len() == 1 {
            let modes = f(self.modes_of(part));
            let profile = Profile::leaf_or_flat(modes.len());
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

/// The normal form of flat modes; `1:0` stands for none.
pub(super) fn coalesced(modes: &[Mode]) -> InlineVec<Mode> {
    let mut few = [Mode::default(); INLINE];
    let mut many = Vec::new();
    let count = coalesce_into(&mut few, &mut many, modes);
    InlineVec::from_parts(few, count, many)
}

/// Writes the normal form of flat modes: up to eight to `few`, more to `many`. How many there are.
#[inline]
fn coalesce_into(few: &mut [Mode; INLINE], many: &mut Vec<Mode>, modes: &[Mode]) -> usize {
    let (mut last, mut done) = (Mode::new(1, 0), 0);
    for mode in modes {
        if let Some(both) = merge(last, *mode) {
            last = both;
        } else {
            put(few, many, done, last);
            done += 1;
            last = *mode;
        }
    }
    put(few, many, done, last);
    done + 1
}

#[inline]
fn put(few: &mut [Mode; INLINE], many: &mut Vec<Mode>, place: usize, mode: Mode) {
    match few.get_mut(place) {
        Some(slot) => *slot = mode,
        // A copy, so that `few` itself can stay part of the result.
        None => put_far(*few, many, mode),
    }
}

#[cold]
fn put_far(few: [Mode; INLINE], many: &mut Vec<Mode>, mode: Mode) {
    if many.is_empty() {
        many.extend_from_slice(&few);
    }
    many.push(mode);
}

/// Two neighbours as one mode, where that is possible.
#[inline]
fn merge(left: Mode, right: Mode) -> Option<Mode> {
    if right.extent() == 1 {
        Some(left)
    } else if left.extent() == 1 {
        Some(right)
    } else if left.extent().checked_mul(left.stride()) == Some(right.stride()) {
        // At most the size of the layout; wrapping, because a check costs here and cannot fail.
        let extent = left.extent().wrapping_mul(right.extent());
        Some(Mode::new(extent, left.stride()))
    } else {
        None
    }
}

#[cold]
fn too_many_modes(profile: &Profile, of: &Profile) -> Error {
    Error::new(
        ErrorKind::Incongruent,
        format!("the profile {} has more modes than the layout, which is nested as {}", brief(profile), brief(of)),
    )
    .with_help("a tuple of the profile may have at most as many modes as what it meets")
}
