//! One layout after another.

use crate::error::{Result, Witness};
use crate::inline::InlineVec;
use crate::int_tuple::Profile;
use crate::int_tuple::profile::{Builder, Token};
use crate::suggestion::{Argument, Suggestion};
use alloc::vec::Vec;

use super::basic::Layout;
use super::coalesce::coalesced;
use super::find::find_modes;
use super::mode::Mode;
use super::small_result::SmallResult;
use super::tiler::{ByMode, Nest, Tiler};

pub(super) mod inline;
pub(super) mod refusal;
mod repair;
pub(in crate::layout) mod witness;

use inline::compose_inline;

/// Points that [`Layout::composition_complete`] enumerates at most.
pub(super) const MAX_POINTS: u64 = 1 << 24;

/// A composite beyond the domain of the outer layout: what [`Layout::composition_extended`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extended {
    /// The composite.
    pub layout: Layout,
    /// The last mode of extent above 1 of the outer layout before and after it grew; nothing when it did not have to.
    pub grown: Option<(Mode, Mode)>,
}

impl Layout {
    /// The layout `R` with `R(c) = A(B(c))`; `self` is the outer layout `A`, as in CuTe's `composition(A, B)`.
    ///
    /// The shape of `R` refines that of `B`: where `B` has a mode, `R` has a coalesced layout of the same size. There is
    /// at most one such layout. This finds it exactly when it exists for all strides of `A`'s coalesced shape: it writes
    /// the strides of `B` in the mixed radix of that shape, splits a mode where a digit wraps, and refuses where digits
    /// carry. Composites that exist only by a coincidence of strides are what
    /// [`composition_complete`](Self::composition_complete) adds.
    ///
    /// O(leaves of `A` × leaves of `R`), without enumeration.
    ///
    /// # Errors
    /// [`OutOfDomain`](crate::ErrorKind::OutOfDomain) when `B` reaches beyond the size of `A`,
    /// [`NotDivisible`](crate::ErrorKind::NotDivisible) when a mode of `B` wraps round a mode of `A` in the middle,
    /// [`Carries`](crate::ErrorKind::Carries) when the modes of `B` add up past a mode of `A`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let outer: Layout = "(6,2):(8,2)".parse()?;
    /// let inner: Layout = "(4,3):(3,1)".parse()?;
    /// assert_eq!(outer.composition(&inner)?.to_string(), "((2,2),3):((24,2),8)");
    ///
    /// // Every CuTe answers (3,2):(2,3) here. But B(2,1) = 7 and A(7) = 8, where that layout has 7.
    /// let outer: Layout = "(6,2):(1,7)".parse()?;
    /// assert!(outer.composition(&"(3,2):(2,3)".parse()?).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `composition(A, B)`. Categorical Foundations 2.3.7.1; the condition on carries replaces that of Shah's
    /// Theorem 2.18, which is false.
    ///
    /// Lean: `Razorgirl.Layout.composition`, `Razorgirl.Layout.compositionRefusal`
    #[inline]
    pub fn composition(&self, inner: &Self) -> Result<Self> {
        let mut small = SmallResult::default();
        let inline = compose_inline(self, inner, &mut small);
        small.layout_or(inline, || composed(self, inner))
    }

    /// The layout `R` with `R(c) = A(B(c))` whenever there is one, by enumeration where
    /// [`composition`](Self::composition) refuses.
    ///
    /// O(size of `B` × leaves of `A`); at most 2^24 coordinates.
    ///
    /// # Errors
    /// As [`composition`](Self::composition), but only when no layout is the composite; and
    /// [`TooLarge`](crate::ErrorKind::TooLarge) when that would take too long to find out.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let outer: Layout = "(2,2,3):(1,1,3)".parse()?;
    /// let inner: Layout = "3:3".parse()?;
    /// assert!(outer.composition(&inner).is_err());
    /// assert_eq!(outer.composition_complete(&inner)?.to_string(), "3:2");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.compositionComplete`, `Razorgirl.Layout.compositionCompleteRefusal`
    pub fn composition_complete(&self, inner: &Self) -> Result<Self> {
        if let Some(composite) = digitwise(self, inner) {
            return Ok(composite);
        }
        if inner.cosize() > self.size() {
            return Err(refusal::refuse(self, inner));
        }
        if inner.size() > MAX_POINTS {
            return Err(refusal::too_many(self, inner));
        }
        enumerated(self, inner)?.map_err(|witness| refusal::refuse_completely(self, inner, witness))
    }

    /// The composite with the last mode of extent above 1 of the outer layout made as long as the inner one needs.
    ///
    /// That is what CuTe does without saying so: there the last mode of `coalesce(A)` is unbounded. C++ also grows into a
    /// last mode of extent 1; this does not, because such a mode has no stride here.
    ///
    /// # Errors
    /// As [`composition`](Self::composition); [`OutOfDomain`](crate::ErrorKind::OutOfDomain) if no mode can grow, and
    /// [`Overflow`](crate::ErrorKind::Overflow) when the grown layout does not fit.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let outer: Layout = "(4,2):(2,16)".parse()?;
    /// let extended = outer.composition_extended(&"(4,3):(1,4)".parse()?)?;
    /// assert_eq!(extended.layout.to_string(), "(4,3):(2,16)");
    /// assert_eq!(extended.grown.map(|(from, to)| (from.extent(), to.extent())), Some((2, 3)));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.compositionExtended`
    pub fn composition_extended(&self, inner: &Self) -> Result<Extended> {
        let Some(grown) = grown(self, inner) else { return Err(refusal::refuse(self, inner)) };
        let (outer, grown) = grown?;
        let layout = outer.composition(inner).map_err(|error| {
            error.retold(|suggestion| match suggestion.only(1) {
                Some(Argument::Layout(fixed)) => {
                    let (composite, _) = extended(self, fixed)?;
                    Some(Suggestion::with(1, "the inner layout", fixed.clone(), "the composite", &composite))
                }
                // What another operation answers, it answers for the outer layout as it was given.
                _ => grown.is_none().then(|| suggestion.clone()),
            })
        })?;
        Ok(Extended { layout, grown })
    }
}

/// A layout, and its last mode before and after where that had to grow.
type Grown = (Layout, Option<(Mode, Mode)>);

/// The outer layout with its last mode of extent above 1 as long as the inner layout needs, and that mode before and
/// after where it had to grow; nothing where there is no mode to grow.
fn grown(outer: &Layout, inner: &Layout) -> Option<Result<Grown>> {
    if inner.cosize() <= outer.size() {
        return Some(Ok((outer.clone(), None)));
    }
    let last = outer.modes().iter().rposition(|mode| mode.extent() > 1)?;
    let mut modes = outer.modes().to_vec();
    let mode = modes.get_mut(last)?;
    let from = *mode;
    // Exact: the extent is a factor of the size.
    let to = Mode::new(inner.cosize().div_ceil(outer.size() / from.extent()), from.stride());
    *mode = to;
    Some(Layout::from_modes(modes).map(|grown| (grown, Some((from, to)))))
}

/// [`Layout::composition_extended`] without words.
fn extended(outer: &Layout, inner: &Layout) -> Option<(Layout, Option<(Mode, Mode)>)> {
    let (outer, grown) = grown(outer, inner)?.ok()?;
    Some((digitwise(&outer, inner)?, grown))
}

/// What [`compose_inline`] does not find.
#[inline(never)]
fn composed(outer: &Layout, inner: &Layout) -> Result<Layout> {
    digitwise(outer, inner).ok_or_else(|| refusal::refuse(outer, inner))
}

/// Digit composition, or nothing where it refuses.
pub(super) fn digitwise(outer: &Layout, inner: &Layout) -> Option<Layout> {
    if inner.cosize() > outer.size() {
        return None;
    }
    let radix = coalesced(outer.modes());
    let (last, bounded) = radix.as_slice().split_last()?;
    let mut load = InlineVec::<u64>::new();
    for _ in bounded {
        load.push(0);
    }
    let load = load.as_mut_slice();
    let mut modes = InlineVec::<Mode>::new();
    let mut counts = InlineVec::<usize>::new();
    let (mut end, mut split) = (1_u64, false);
    for mode in inner.modes() {
        let before = modes.len();
        end += pieces(bounded, *last, *mode, load, &mut modes)?;
        let count = modes.len() - before;
        split |= count > 1;
        counts.push(count);
    }
    let profile = if split { regrouped(inner.profile(), counts.as_slice())? } else { inner.profile().clone() };
    Some(Layout::valid(modes, profile, inner.size(), end))
}

/// Why an inner layout does not compose with a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CompositionFailure {
    /// It reaches past the domain.
    Beyond,
    /// What is left of mode `leaf`, `rest`, wraps round mode `radix` of the shape after `steps` steps, which do not divide it.
    Wraps { leaf: usize, rest: Mode, radix: usize, steps: u64 },
    /// Its modes add up to `load` in mode `radix` of the shape.
    Carries { radix: usize, load: u64 },
}

/// Extents, each with what a step is in each mode of the outer layout.
pub(crate) type Pieces = Vec<(u64, Vec<u64>)>;

/// Digit composition over the extents of a coalesced outer layout, strides aside: each mode of the inner layout as pieces,
/// extents with what a step is in each mode of the outer layout.
///
/// Lean: `Razorgirl.digitComposition`
pub(crate) fn split(radix: &[u64], inner: &Layout) -> core::result::Result<Vec<Pieces>, CompositionFailure> {
    // without strides, what counts is which mode a step is in
    let modes: Vec<Mode> = radix.iter().map(|extent| Mode::new(*extent, 0)).collect();
    let size = radix.iter().try_fold(1_u64, |size, extent| size.checked_mul(*extent));
    let Some((last, bounded)) = modes.split_last() else { return Err(CompositionFailure::Beyond) };
    if size.is_some_and(|size| inner.cosize() > size) {
        return Err(CompositionFailure::Beyond);
    }
    let mut load = vec![0; bounded.len()];
    let mut groups = Vec::new();
    for (leaf, mode) in inner.modes().iter().enumerate() {
        let mut group = Vec::new();
        let cut = each_piece(bounded, *last, *mode, &mut load, |_, stride, piece| {
            let mut vector = vec![0; radix.len()];
            if piece.extent() > 1 {
                let rest = digits(bounded, stride, |place, _, digit| {
                    if let Some(entry) = vector.get_mut(place) {
                        *entry = digit;
                    }
                });
                if let Some(entry) = vector.last_mut() {
                    *entry = rest;
                }
            }
            group.push((piece.extent(), vector));
            true
        });
        if let Err(Wraps { rest, radix, steps }) = cut {
            return Err(CompositionFailure::Wraps { leaf, rest, radix, steps });
        }
        groups.push(group);
    }
    match bounded.iter().zip(&load).position(|(mode, load)| *load >= mode.extent()) {
        Some(radix) => Err(CompositionFailure::Carries { radix, load: load.get(radix).copied().unwrap_or_default() }),
        None => Ok(groups),
    }
}

/// To which modes are appended: parts of a result, or the result itself, which is then not copied.
pub(super) trait Modes {
    fn push(&mut self, mode: Mode);
}

impl Modes for InlineVec<Mode> {
    #[inline]
    fn push(&mut self, mode: Mode) {
        self.push(mode);
    }
}

impl Modes for Layout {
    #[inline]
    fn push(&mut self, mode: Mode) {
        match self.inline.get_mut(self.count) {
            Some(slot) => *slot = mode,
            None => push_far(&self.inline, &mut self.heap, mode),
        }
        self.count += 1;
    }
}

#[cold]
fn push_far(inline: &[Mode], heap: &mut Vec<Mode>, mode: Mode) {
    if heap.is_empty() {
        heap.extend_from_slice(inline);
    }
    heap.push(mode);
}

/// Appends the modes of the composite that `mode` of the inner layout becomes, coalesced; how far they reach together.
/// Nothing where it wraps in its middle, or where a digit of the load reaches its extent.
#[inline]
pub(super) fn pieces(
    bounded: &[Mode],
    last: Mode,
    mode: Mode,
    load: &mut [u64],
    modes: &mut impl Modes,
) -> Option<u64> {
    let mut pending = Mode::new(1, 0);
    let mut reach = 0;
    let whole = each_piece(bounded, last, mode, load, |load, _, piece| {
        if carries(bounded, load) {
            return false;
        }
        // An offset of the composite, so below the cosize of the outer layout.
        reach += (piece.extent() - 1) * piece.stride();
        if pending.extent() == 1 {
            pending = piece;
        } else if pending.extent().checked_mul(pending.stride()) == Some(piece.stride()) {
            pending = Mode::new(pending.extent() * piece.extent(), pending.stride());
        } else {
            modes.push(pending);
            pending = piece;
        }
        true
    });
    if !whole.ok()? {
        return None;
    }
    modes.push(pending);
    Some(reach)
}

/// Cuts a mode of the inner layout where it wraps round a mode of the radix: calls `each` with the load so far, the step of
/// the piece as an index, and the piece as a mode of the composite, until it says no; whether it never did.
#[inline]
fn each_piece(
    bounded: &[Mode],
    last: Mode,
    mode: Mode,
    load: &mut [u64],
    mut each: impl FnMut(&[u64], u64, Mode) -> bool,
) -> core::result::Result<bool, Wraps> {
    let (mut extent, mut stride) = (mode.extent(), mode.stride());
    loop {
        let piece = first_piece(bounded, last, extent, stride, load)?;
        if !each(load, stride, piece) {
            return Ok(false);
        }
        if piece.extent() == extent {
            return Ok(true);
        }
        // An index of the inner layout: it has a step more.
        stride *= piece.extent();
        extent /= piece.extent();
    }
}

/// Where a mode of the inner layout does not compose: what is left of it, `rest`, wraps round mode `radix` of the outer
/// layout after `steps` steps, which do not divide its extent.
#[derive(Clone, Copy, Debug)]
struct Wraps {
    rest: Mode,
    radix: usize,
    steps: u64,
}

/// The digits of a stride in the mixed radix of these modes, and what is left for the mode behind them.
#[inline]
fn digits(bounded: &[Mode], stride: u64, mut each: impl FnMut(usize, Mode, u64)) -> u64 {
    let mut rest = stride;
    for (place, mode) in bounded.iter().enumerate() {
        if rest == 0 {
            break;
        }
        // Most often there is nothing to divide.
        let below = rest < mode.extent();
        let digit = if below { rest } else { rest % mode.extent() };
        rest = if below { 0 } else { rest / mode.extent() };
        each(place, *mode, digit);
    }
    rest
}

/// The largest piece `t:d` of `extent:stride` that wraps round no mode of the radix, as a mode of the composite; how far
/// its digits reach is added to the load.
// Nothing that counts overflows. An index of the piece lies in the outer layout, so its offset is below the cosize. The
// largest digit is one of a mode that another one follows, so that its extent is at most half of 2^64: `steps - 1` times
// the digit is below the extent, and so is the load, or the caller refuses. Out of the domain nothing counts.
#[inline]
fn first_piece(
    bounded: &[Mode],
    last: Mode,
    extent: u64,
    stride: u64,
    load: &mut [u64],
) -> core::result::Result<Mode, Wraps> {
    if extent == 1 || stride == 0 {
        return Ok(Mode::new(extent, 0));
    }
    let (mut steps, mut radix) = (extent, 0);
    digits(bounded, stride, |place, mode, digit| {
        if digit != 0 && (steps - 1).saturating_mul(digit) >= mode.extent() {
            (steps, radix) = (mode.extent().div_ceil(digit), place);
        }
    });
    if !extent.is_multiple_of(steps) {
        return Err(Wraps { rest: Mode::new(extent, stride), radix, steps });
    }
    let mut offset = 0_u64;
    let rest = digits(bounded, stride, |place, mode, digit| {
        if let Some(load) = load.get_mut(place) {
            *load = load.saturating_add((steps - 1) * digit);
        }
        offset = offset.wrapping_add(digit.wrapping_mul(mode.stride()));
    });
    Ok(Mode::new(steps, offset.wrapping_add(rest.wrapping_mul(last.stride()))))
}

/// Whether a digit of the load reaches its extent, so that it carries.
#[inline]
fn carries(bounded: &[Mode], load: &[u64]) -> bool {
    bounded.iter().zip(load).any(|(mode, load)| *load >= mode.extent())
}

/// The profile with each leaf replaced by so many leaves, in a tuple where there are several; nothing where that nests
/// too deep.
pub(crate) fn regrouped(profile: &Profile, counts: &[usize]) -> Option<Profile> {
    let mut builder = Builder::new();
    let mut counts = counts.iter();
    for token in profile.tokens() {
        match token {
            Token::Open => builder.open().ok()?,
            Token::Close => builder.close(),
            Token::Leaf => {
                let count = *counts.next()?;
                if count > 1 {
                    builder.open().ok()?;
                }
                for _ in 0..count {
                    builder.leaf();
                }
                if count > 1 {
                    builder.close();
                }
            }
        }
    }
    Some(builder.finish())
}

/// The composite by looking at every coordinate of the inner layout, or what shows that there is none; the inner layout lies in
/// the domain and is small enough.
fn enumerated(outer: &Layout, inner: &Layout) -> Result<core::result::Result<Layout, Option<Witness>>> {
    let at = |index: u64| outer.at(index).unwrap_or_default();
    let mut modes = Vec::new();
    let mut counts = Vec::new();
    for (axis, mode) in inner.modes().iter().enumerate() {
        let count = usize::try_from(mode.extent()).unwrap_or(usize::MAX);
        let values = (0..count).map(|x| at(x as u64 * mode.stride()));
        let found = match find_modes(values, |before, value| i128::from(value) - i128::from(before)) {
            Ok(found) => found,
            Err(index) => return Ok(Err(Some(Witness::Axis { axis, index: index as u64 }))),
        };
        counts.push(found.len().max(1));
        if found.is_empty() {
            modes.push(Mode::new(1, 0));
        }
        modes.extend(found.iter().map(|(extent, start)| Mode::new(*extent as u64, *start)));
    }
    let Some(profile) = regrouped(inner.profile(), &counts) else {
        return Err(crate::int_tuple::profile::too_deep());
    };
    // Each mode alone is right; together they may carry.
    let Ok(flat) = Layout::from_modes(modes.iter().copied()) else {
        // a sum of theirs takes more than 64 bits
        return Ok(Err(witness::carried(outer, inner)));
    };
    if let Some(index) = flat.offsets().zip(inner.offsets()).position(|(offset, index)| offset != at(index)) {
        return Ok(Err(inner.shape().idx2crd(index as u64).ok().map(Witness::Coordinate)));
    }
    Ok(Ok(Layout::valid(modes.into_iter().collect(), profile, flat.size(), flat.cosize())))
}

impl Layout {
    /// Composition by tiler: by a layout, by mode, or not at all. Modes beyond those of the tiler are dropped, as in CuTe
    /// C++; pycute keeps them.
    ///
    /// # Errors
    /// [`Incongruent`](crate::ErrorKind::Incongruent) when a tuple of the tiler has more modes than the corresponding mode, else as
    /// [`composition`](Self::composition).
    ///
    /// CuTe: `composition(layout, tiler)`.
    ///
    /// Lean: `Razorgirl.Layout.compositionBy`, `Razorgirl.Layout.compositionByRefusal`
    pub fn composition_by(&self, tiler: &Tiler) -> Result<Self> {
        let each = ByMode { run: &Self::composition, quietly: &digitwise, result: "the composite" };
        self.by_mode(tiler, Nest::Composed, &each, |operation| match (operation, tiler) {
            ("composition_complete", _) => {
                let composite = self.by_mode_quietly(tiler, Nest::Composed, &completely)?;
                Some(Suggestion::call("composition_complete_by", &composite))
            }
            ("composition_extended", Tiler::Layout(inner)) => {
                Some(Suggestion::call("composition_extended", &extended(self, inner)?.0))
            }
            _ => None,
        })
    }

    /// As [`composition_by`](Self::composition_by), with [`composition_complete`](Self::composition_complete) for each mode.
    ///
    /// # Errors
    /// As those two.
    ///
    /// Lean: `Razorgirl.Layout.compositionCompleteBy`, `Razorgirl.Layout.compositionCompleteByRefusal`
    pub fn composition_complete_by(&self, tiler: &Tiler) -> Result<Self> {
        let each = ByMode { run: &Self::composition_complete, quietly: &completely, result: "the composite" };
        self.by_mode(tiler, Nest::Composed, &each, |_| None)
    }
}

/// [`Layout::composition_complete`] without words.
pub(super) fn completely(outer: &Layout, inner: &Layout) -> Option<Layout> {
    if let Some(composite) = digitwise(outer, inner) {
        return Some(composite);
    }
    if inner.cosize() > outer.size() || inner.size() > MAX_POINTS {
        return None;
    }
    enumerated(outer, inner).ok()?.ok()
}
