//! Fewest modes with the same function.

use alloc::vec::Vec;
use core::hint::select_unpredictable;

use razorgirl_extracted::functions;

use crate::error::{Error, ErrorKind, Result, Witness, brief};
use crate::inline::{INLINE, InlineVec};
use crate::int_tuple::Profile;
use crate::int_tuple::profile::{Span, Word};

use super::basic::{Layout, LayoutBuilder};
use super::mode::Mode;
use super::small_result::SmallResult;

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
    ///
    /// Lean: `Razorgirl.Layout.coalesce`
    #[inline]
    #[must_use]
    pub fn coalesce(&self) -> Self {
        match self.inline.get(..self.count) {
            Some(modes) => {
                let mut small = SmallResult { size: self.size, cosize: self.cosize, ..SmallResult::default() };
                let inline = coalesce_inline(modes, &mut small);
                small.layout(inline)
            }
            None => coalesce_heap(self),
        }
    }

    /// Coalesces the mode at each leaf of the profile; further modes do not change.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) where a tuple of the profile has more modes than the corresponding mode (a leaf
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
    ///
    /// Lean: `Razorgirl.Layout.coalesceBy`, `Razorgirl.Layout.coalesceByRefusal`
    pub fn coalesce_by(&self, profile: &Profile) -> Result<Self> {
        self.by_profile(profile, coalesced)
    }

    /// Puts `f` of the mode at each leaf of the profile there.
    pub(super) fn by_profile(&self, profile: &Profile, f: impl Fn(&[Mode]) -> InlineVec<Mode> + Copy) -> Result<Self> {
        let mut builder = LayoutBuilder::new();
        let mut path = Vec::new();
        self.part_by(&self.profile().span(), profile, &profile.span(), f, &mut builder, &mut path).map_err(
            |error| {
                path.reverse();
                error.in_mode(&path)
            },
        )?;
        Ok(Self::shrunk(builder.modes, builder.profile.finish()))
    }

    /// Where it is refused, `path` is the mode in which, innermost first: what is accepted allocates nothing.
    // Recursion: no deeper than the profile, which has at most MAX_DEPTH levels.
    fn part_by(
        &self,
        part: &Span,
        profile: &Profile,
        guide: &Span,
        f: impl Fn(&[Mode]) -> InlineVec<Mode> + Copy,
        builder: &mut LayoutBuilder,
        path: &mut Vec<usize>,
    ) -> Result<()> {
        if guide.tokens.len() == 1 {
            let modes = f(self.modes_of(part));
            let profile = Profile::leaf_or_flat(modes.len());
            builder.modes.extend(modes.as_slice());
            return builder.profile.subtree(&profile, &profile.span());
        }
        builder.profile.open()?;
        let mut modes = self.profile().children_of(part);
        for (i, next) in profile.children_of(guide).enumerate() {
            let Some(mode) = modes.next() else {
                let of = self.profile().children_of(part).count();
                let modes = profile.children_of(guide).count();
                return Err(too_many_modes(profile, self.profile()).with_witness(Witness::TooMany { modes, of }));
            };
            self.part_by(&mode, profile, &next, f, builder, path).inspect_err(|_| path.push(i))?;
        }
        for mode in modes {
            builder.push(self, &mode)?;
        }
        builder.profile.close();
        Ok(())
    }
}

/// The normal form of flat modes; `1:0` stands for none.
#[inline]
pub(super) fn coalesced(modes: &[Mode]) -> InlineVec<Mode> {
    if modes.len() > INLINE {
        return merged(modes);
    }
    let mut small = SmallResult::default();
    let inline = coalesce_inline(modes, &mut small);
    InlineVec::from_parts(inline, small.count, Vec::new())
}

/// The normal form of at most eight flat modes.
// Why it is written like this: see `small_result`.
#[inline(never)]
fn coalesce_inline(modes: &[Mode], small: &mut SmallResult) -> [Mode; INLINE] {
    let mut inline = [Mode::new(0, 0); INLINE];
    let mut run = Run::new(modes.first().copied().unwrap_or(Mode::new(1, 0)));
    inline[0] = run.last;
    for mode in modes.iter().skip(1) {
        run = run.then(*mode);
        inline[run.place % INLINE] = run.last;
    }
    small.count = run.place.wrapping_add(1);
    small.profile = Word::leaf_or_flat(small.count).tokens();
    inline
}

/// Modes that merge as they come, without a branch that depends on them.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// What the modes so far end with; `1:0` before the first.
    pub(super) last: Mode,
    /// How many modes stand before it.
    pub(super) place: usize,
    /// Extent × stride of the last mode, modulo 2^64: the stride of a mode that continues it.
    next: u64,
}

impl Run {
    #[inline]
    pub(super) fn new(first: Mode) -> Self {
        Self { last: first, place: 0, next: first.extent().wrapping_mul(first.stride()) }
    }

    /// With a mode more. It joins the last one or takes the next place.
    #[inline]
    pub(super) fn then(self, mode: Mode) -> Self {
        let (extent, stride) = (mode.extent(), mode.stride());
        // Where extent × stride of the last mode is 2^64 or more, the rest of it is below that mode's stride.
        let follows = stride == self.next && stride >= self.last.stride();
        let joins = follows || extent == 1;
        let first = self.last.extent() == 1;
        let last = Mode::new(
            // At most the size of the layout.
            select_unpredictable(joins, self.last.extent(), 1).wrapping_mul(extent),
            select_unpredictable(joins, self.last.stride(), stride),
        );
        let next = last.extent().wrapping_mul(last.stride());
        Self { last, place: self.place.wrapping_add(usize::from(!(joins || first))), next }
    }
}

#[cold]
fn coalesce_heap(layout: &Layout) -> Layout {
    let modes = merged(layout.modes());
    let profile = Profile::leaf_or_flat(modes.len());
    Layout::valid(modes, profile, layout.size(), layout.cosize())
}

/// The normal form of any number of modes.
#[cold]
fn merged(modes: &[Mode]) -> InlineVec<Mode> {
    match functions::coalesce(modes).as_deref() {
        Ok([]) => InlineVec::from_slice(&[Mode::new(1, 0)]),
        Ok(merged) => InlineVec::from_slice(merged),
        // Only extents whose product is 2^64 or more come here, which no layout has: they stay as they are.
        Err(_) => InlineVec::from_slice(modes),
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
