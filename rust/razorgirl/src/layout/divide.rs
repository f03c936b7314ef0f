//! A layout read in tiles.

use crate::error::Result;
use crate::inline::InlineVec;
use crate::int_tuple::Profile;

use super::basic::Layout;
use super::complement::complete;
use super::composition::{pieces, regrouped};
use super::small_result::SmallResult;
use super::tiler::{AsTiler, ByMode, Form, Nest, Tiler, Undivided};

mod ceil;
pub(super) mod inline;
mod nearest;
mod refusal;

use inline::divide_inline;

pub use ceil::{CeilDivided, CeilPart};

impl Layout {
    /// The layout cut into tiles. For a layout `T` as the tile, mode 0 runs inside a tile and mode 1 runs over the tiles:
    /// `A ⊘ T = A ∘ (T, C)`, where `C` is the complement of `T` in `[0, size of A)`. A [`Tiler`] divides mode by mode: an
    /// integer `n` is the tile `n:1`, and `_` leaves a mode undivided. Modes beyond those of the tiler are not divided.
    ///
    /// `(T, C)` is a bijection onto `[0, size)`, so the result has each element of `A` exactly once, in another order.
    /// Mode 0 has the profile of `T`. Mode 1 is `1:0` if one tile covers the layout.
    ///
    /// O(leaves of `A` × leaves of the result), without enumeration.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) if the tile reaches past the layout,
    /// [`NotInjective`](crate::ErrorKind::NotInjective) if the tile contains an index twice,
    /// [`NotDivisible`](crate::ErrorKind::NotDivisible) if no copies of the tile fill the layout,
    /// [`Incongruent`](crate::ErrorKind::Incongruent) if a tuple of the tiler has more modes than the mode that it divides,
    /// and the errors of [`composition`](Self::composition) if the modes of the tile do not divide those of the layout.
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// // the examples of CuTe's documentation
    /// let layout: Layout = "(4,2,3):(2,1,8)".parse()?;
    /// let tile: Layout = "4:2".parse()?;
    /// assert_eq!(layout.logical_divide(&tile)?.to_string(), "((2,2),(2,3)):((4,1),(2,8))");
    ///
    /// let layout: Layout = "(9,(4,8)):(59,(13,1))".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:3".parse()?), Tiler::Layout("(2,4):(1,8)".parse()?)]);
    /// let divided = layout.logical_divide(&tiler)?;
    /// assert_eq!(divided.to_string(), "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
    ///
    /// let error = "16:1".parse::<Layout>()?.logical_divide(&"5:1".parse::<Layout>()?).unwrap_err();
    /// assert_eq!(error.to_string(), "the tile 5:1 fills blocks of 5, and 5 does not divide the size 16 of 16:1");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `logical_divide(layout, tiler)`. Where this returns an error, CuTe rounds up or loses elements;
    /// [`logical_divide_ceil`](Self::logical_divide_ceil) rounds up and says which coordinates are padding. Categorical
    /// Foundations 2.3.8, Cecka 3.3.5.
    ///
    /// Lean: `Razorgirl.Layout.logicalDivide`, `Razorgirl.Layout.divisionRefusal`
    ///
    /// Lean: `Razorgirl.Layout.logicalDivideBy`, `Razorgirl.Layout.divisionByRefusal`
    #[inline]
    pub fn logical_divide<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        match tiler.as_layout() {
            Some(tile) => self.divided_by_tile(tile),
            None => self.divided_by(tiler, Nest::InPlace),
        }
    }

    #[inline]
    fn divided_by_tile(&self, tile: &Self) -> Result<Self> {
        let mut small = SmallResult::default();
        let inline = divide_inline(self, tile, &mut small);
        small.layout_or(inline, || quotient_of(self, tile))
    }

    /// Division with all tile modes in mode 0 and all rest modes in mode 1: `((tile, …), (rest, …, further mode, …))`.
    ///
    /// A mode under `_` belongs to the rest; its tile is `1:0`. The result has the offsets of
    /// [`logical_divide`](Self::logical_divide), in another order of coordinates.
    ///
    /// # Errors
    /// As [`logical_divide`](Self::logical_divide).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(9,(4,8)):(59,(13,1))".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::Layout("3:3".parse()?), Tiler::Layout("(2,4):(1,8)".parse()?)]);
    /// let divided = layout.zipped_divide(&tiler)?;
    /// assert_eq!(divided.to_string(), "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `zipped_divide(layout, tiler)`. C++ does not accept `_` here; pycute does, with this meaning.
    ///
    /// Lean: `Razorgirl.Layout.zippedDivide`
    pub fn zipped_divide<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        self.divided_by(tiler, Nest::Apart(Form::Zipped, Undivided::Rest))
    }

    /// Division with all tile modes in mode 0, followed by the rest modes one by one: `((tile, …), rest, …, further mode, …)`.
    ///
    /// If the tiler is a tuple of one mode, the rest stays in a tuple of one mode, as in CuTe C++; pycute unwraps it.
    ///
    /// # Errors
    /// As [`logical_divide`](Self::logical_divide).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(8,6,5):(1,8,48)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(4)?, Tiler::integer(3)?]);
    /// assert_eq!(layout.tiled_divide(&tiler)?.to_string(), "((4,3),2,2,5):((1,8),4,24,48)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `tiled_divide(layout, tiler)`.
    ///
    /// Lean: `Razorgirl.Layout.tiledDivide`
    pub fn tiled_divide<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        self.divided_by(tiler, Nest::Apart(Form::Tiled, Undivided::Rest))
    }

    /// Division with the tile modes one by one, followed by the rest modes one by one:
    /// `(tile, …, rest, …, further mode, …)`.
    ///
    /// A tuple of one mode is not unwrapped, as in CuTe C++.
    ///
    /// # Errors
    /// As [`logical_divide`](Self::logical_divide).
    ///
    /// ```
    /// use razorgirl::{Layout, Tiler};
    ///
    /// let layout: Layout = "(6,16):(16,4)".parse()?;
    /// let tiler = Tiler::Modes(vec![Tiler::integer(3)?, Tiler::integer(4)?]);
    /// assert_eq!(layout.flat_divide(&tiler)?.to_string(), "(3,4,2,4):(16,4,48,16)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `flat_divide(layout, tiler)`.
    ///
    /// Lean: `Razorgirl.Layout.flatDivide`
    pub fn flat_divide<T: AsTiler>(&self, tiler: &T) -> Result<Self> {
        self.divided_by(tiler, Nest::Apart(Form::Flat, Undivided::Rest))
    }

    /// The quotient by `rounds:1`, or nothing where it is refused.
    pub(crate) fn divided_in_runs(&self, rounds: u64) -> Option<Self> {
        let Ok(Tiler::Layout(run)) = Tiler::integer(rounds) else { return None };
        divided(self, &run)
    }

    fn divided_by(&self, tiler: &impl AsTiler, nest: Nest) -> Result<Self> {
        let tiler = &*tiler.as_tiler();
        let each = ByMode { run: &Self::divided_by_tile, quietly: &divided, result: "the quotient" };
        self.by_mode(tiler, nest, &each, |operation| match operation {
            "logical_divide_ceil" => ceil::suggested(self, tiler),
            _ => None,
        })
    }
}

/// What [`divide_inline`] does not find.
#[inline(never)]
fn quotient_of(layout: &Layout, tile: &Layout) -> Result<Layout> {
    divided(layout, tile).ok_or_else(|| refusal::refuse(layout, tile))
}

/// The quotient, or nothing where it is refused.
pub(super) fn divided(layout: &Layout, tile: &Layout) -> Option<Layout> {
    // The same offsets in another order.
    let mut quotient = Layout::blank(layout.size(), layout.cosize());
    divide_into(&mut quotient, layout, tile)?;
    Some(quotient)
}

/// Writes modes and profile of the quotient, or nothing that counts where it is refused.
#[inline]
fn divide_into(quotient: &mut Layout, layout: &Layout, tile: &Layout) -> Option<()> {
    let complement = complement_of(tile, layout.size())?;
    let gaps = complement.modes();
    let radix = layout.coalesce();
    let (last, bounded) = radix.modes().split_last()?;
    let mut load = InlineVec::<u64>::new();
    for _ in bounded {
        load.push(0);
    }
    let load = load.as_mut_slice();
    let mut counts = InlineVec::<usize>::new();
    let mut split = false;
    for mode in tile.modes().iter().chain(gaps) {
        let before = quotient.count;
        pieces(bounded, *last, *mode, load, quotient)?;
        let count = quotient.count - before;
        split |= count > 1;
        counts.push(count);
    }
    let rests = Profile::leaf_or_flat(gaps.len());
    quotient.profile = if split {
        let (tiles, others) = counts.as_slice().split_at_checked(tile.modes().len())?;
        Profile::pair(&grouped(tile.profile(), tiles)?, &grouped(&rests, others)?)?
    } else {
        Profile::pair(tile.profile(), &rests)?
    };
    Some(())
}

/// The complement of a tile in the indices of a layout, where the tile lies in them.
pub(super) fn complement_of(tile: &Layout, size: u64) -> Option<Layout> {
    if tile.cosize() <= size { complete(tile, Some(size.into())) } else { None }
}

/// The profile with so many leaves in place of each of its leaves; nothing where that nests too deep.
#[inline]
pub(super) fn grouped(profile: &Profile, counts: &[usize]) -> Option<Profile> {
    match counts {
        [count] if profile.is_leaf() => Some(Profile::leaf_or_flat(*count)),
        counts => regrouped(profile, counts),
    }
}
