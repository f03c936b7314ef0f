//! What removes bank conflicts: a swizzle of CuTe, padding, or a linear layout. Whatever is answered has been counted.

use crate::error::Result;
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::linear_layout::LinearLayout;
use crate::swizzle::{Swizzle, SwizzledLayout};
use alloc::vec;
use alloc::vec::Vec;

use super::count::access;
use super::least::least_wavefronts;
use super::memory::memory;
use super::pattern::Access;

/// Bits that CuTe's swizzles for shared memory exclusive-or: 5 tell 32 banks apart.
const BITS: u64 = 5;

/// A layout for all accesses of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedy {
    /// The layout.
    pub layout: SwizzledLayout,
    /// One more than its largest offset: elements that it takes.
    pub elements: u64,
}

/// What removes the conflicts of a layout: each of these if there is one, and where there is none, what has the fewest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedies {
    /// The same layout with a swizzle that CuTe has: one with the fewest bits that takes no more elements, or if there is
    /// none the one that takes the fewest.
    pub swizzle: Option<Remedy>,
    /// The layout without a swizzle, up to 128 bytes left free behind one stride and its multiples: the fewest elements of
    /// those tried.
    pub padding: Option<Remedy>,
    /// Where there is neither: a linear layout from the `index` in the tile to the `offset` in shared memory, a permutation
    /// of the tile. It is looked for where the tile has 2^d elements, each in a place of its own from offset 0, and accesses
    /// are linear; for accesses of at most two kinds there is one, unless they want vectors of different elements.
    pub linear: Option<LinearLayout>,
    /// Where there is none of these: of the swizzles that were tried and take no more elements, one with the fewest wavefronts in
    /// the worst phase, and of those one with the fewest in all phases; none if the layout itself has no more.
    pub best: Option<Remedy>,
}

/// The wavefronts of each phase of each access, for elements of so many bytes.
///
/// # Errors
/// As [`Access::addresses`] and [`access`].
///
/// ```
/// use razorgirl::bank::{Pattern, wavefronts};
/// use razorgirl::SwizzledLayout;
///
/// let tile: SwizzledLayout = "(32,32):(32,1)".parse()?;
/// let columns = Pattern::Column.accesses(&tile, 1)?;
/// assert_eq!(wavefronts(&tile, &columns, 4)?, vec![vec![32]; 32]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
pub fn wavefronts(layout: &SwizzledLayout, accesses: &[Access], element: u64) -> Result<Vec<Vec<u64>>> {
    accesses.iter().map(|one| of_one(layout, one, element)).collect()
}

/// The same for a linear layout from the index in the tile to the offset in shared memory.
///
/// # Errors
/// As [`wavefronts`].
///
/// ```
/// use razorgirl::bank::{Pattern, linear_layout_wavefronts};
/// use razorgirl::{LinearLayout, SwizzledLayout};
///
/// let tile: SwizzledLayout = "(32,32):(32,1)".parse()?;
/// let columns = Pattern::Column.accesses(&tile, 1)?;
/// let memory = LinearLayout::identity_1d(1024, "index", "offset")?;
/// assert_eq!(linear_layout_wavefronts(&memory, &columns, 4)?, vec![vec![1]; 32]);
/// # Ok::<(), razorgirl::Error>(())
/// ```
pub fn linear_layout_wavefronts(layout: &LinearLayout, accesses: &[Access], element: u64) -> Result<Vec<Vec<u64>>> {
    let at = |index: u64| Ok(layout.apply_packed(index));
    accesses.iter().map(|one| access(&one.addresses_by(at, element)?, width(one, element))).collect()
}

fn of_one(layout: &SwizzledLayout, one: &Access, element: u64) -> Result<Vec<u64>> {
    access(&one.addresses(layout, element)?, width(one, element))
}

/// The bytes of a lane.
fn width(one: &Access, element: u64) -> u64 {
    element * one.elements(0).len() as u64
}

/// Whether every phase takes one wavefront; what cannot be accessed at all does not.
fn free(layout: &SwizzledLayout, accesses: &[Access], element: u64) -> bool {
    let one = |one: &Access| of_one(layout, one, element).is_ok_and(|phases| phases.iter().all(|&n| n == 1));
    accesses.iter().all(one)
}

/// Swizzles and paddings with which no access has conflicts, for elements of so many bytes; where there is neither, a linear
/// layout; and where there is none of these, the swizzle with the fewest wavefronts.
///
/// All swizzles with B up to 5, |S| at least B, and bits that the layout has are tried, and padding by up to 128 bytes
/// behind one stride and its multiples. A linear layout is made for each two kinds of accesses, and tried on all.
///
/// # Errors
/// As [`Access::addresses`].
///
/// ```
/// use razorgirl::bank::{Pattern, remedies};
/// use razorgirl::SwizzledLayout;
///
/// // rows of 64 halves, read by ldmatrix
/// let tile: SwizzledLayout = "(64,64):(64,1)".parse()?;
/// let reads = Pattern::Ldmatrix.accesses(&tile, 8)?;
/// let found = remedies(&tile, &reads, 2)?;
/// assert_eq!(found.swizzle.unwrap().layout.to_string(), "Sw<3,3,3> o 0 o (64,64):(64,1)");
/// assert_eq!(found.padding.unwrap().layout.layout().to_string(), "(64,64):(72,1)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
pub fn remedies(layout: &SwizzledLayout, accesses: &[Access], element: u64) -> Result<Remedies> {
    // the access with the most conflicts first: most candidates fail there
    let mut ordered = Vec::new();
    for one in accesses {
        ordered.push((of_one(layout, one, element)?.into_iter().max().unwrap_or_default(), one.clone()));
    }
    ordered.sort_by_key(|(most, _)| core::cmp::Reverse(*most));
    let accesses: Vec<Access> = ordered.into_iter().map(|(_, one)| one).collect();
    let mut found = Remedies {
        swizzle: swizzle(layout, &accesses, element),
        padding: padding(layout, &accesses, element),
        linear: None,
        best: None,
    };
    if found.swizzle.is_none() && found.padding.is_none() && stands_alone(layout) {
        let free = |made: &LinearLayout| {
            linear_layout_wavefronts(made, &accesses, element).is_ok_and(|all| all.iter().flatten().all(|&n| n == 1))
        };
        found.linear = memory(layout.size(), &accesses, element).into_iter().find(free);
    }
    if found.swizzle.is_none() && found.padding.is_none() && found.linear.is_none() {
        let least = least_wavefronts(layout, &accesses, element)?;
        found.best = best_swizzle(layout, &accesses, element, cost(least));
    }
    Ok(found)
}

/// The wavefronts of the worst phase, and of all phases.
type Cost = (u64, u64);

fn cost(counts: Vec<Vec<u64>>) -> Cost {
    counts.into_iter().flatten().fold((0, 0), |(most, sum), n| (most.max(n), sum.saturating_add(n)))
}

/// The same, or none as soon as it is not below `below`, and for what cannot be accessed. More accesses never make it less.
fn cost_below(layout: &SwizzledLayout, accesses: &[Access], element: u64, below: Cost) -> Option<Cost> {
    accesses.iter().try_fold((0, 0_u64), |(worst, sum), one| {
        let (own, all) = cost(vec![of_one(layout, one, element).ok()?]);
        Some((worst.max(own), sum.saturating_add(all))).filter(|so_far| *so_far < below)
    })
}

/// A swizzle that takes no more elements than the layout, and the fewest wavefronts; `least` ends the search.
fn best_swizzle(layout: &SwizzledLayout, accesses: &[Access], element: u64, least: Cost) -> Option<Remedy> {
    let mut lowest = cost_below(layout, accesses, element, (u64::MAX, u64::MAX))?;
    let mut best = None;
    let (candidates, room) = swizzles(layout)?;
    for made in candidates {
        if lowest <= least {
            break;
        }
        if let Some(cost) = cost_below(&made, accesses, element, lowest)
            && let Some(elements) = footprint(&made).filter(|elements| *elements <= room)
        {
            lowest = cost;
            best = Some(Remedy { layout: made, elements });
        }
    }
    best
}

/// Whether the tile begins at offset 0, and each element has a place of its own: a permutation of it may take its place.
fn stands_alone(layout: &SwizzledLayout) -> bool {
    let first = layout.offsets().try_fold(u64::MAX, |first, offset| Ok::<_, crate::Error>(first.min(offset?)));
    first == Ok(0) && has_places_of_their_own(layout) == Ok(true)
}

/// Whether no two elements have one offset.
pub(super) fn has_places_of_their_own(layout: &SwizzledLayout) -> Result<bool> {
    let mut offsets = layout.offsets().collect::<Result<Vec<u64>>>()?;
    offsets.sort_unstable();
    Ok(offsets.windows(2).all(|pair| pair.first() != pair.last()))
}

/// One more than the largest offset.
fn footprint(layout: &SwizzledLayout) -> Option<u64> {
    let mut most = 0;
    for offset in layout.offsets() {
        most = most.max(offset.ok()?);
    }
    most.checked_add(1)
}

/// All swizzles that are tried, fewest bits first, and the elements that the layout takes without one.
fn swizzles(layout: &SwizzledLayout) -> Option<(impl Iterator<Item = SwizzledLayout> + use<'_>, u64)> {
    let inside = layout.layout();
    let plain = SwizzledLayout::new(Swizzle::new(0, 0, 0), layout.offset(), inside.clone()).ok()?;
    let room = footprint(&plain)?;
    let length = u64::from(64 - (room - 1).leading_zeros());
    let all =
        (1..=BITS).flat_map(move |bits| (0..length).map(move |base| (bits, base))).flat_map(move |(bits, base)| {
            // the highest bit that is read or changed is one that numbers have
            let far = (bits..=length.saturating_sub(base + bits)).filter_map(|far| i64::try_from(far).ok());
            far.flat_map(|far| [far, -far]).map(move |shift| Swizzle::new(bits, base, shift))
        });
    Some((all.filter_map(move |swizzle| SwizzledLayout::new(swizzle, layout.offset(), inside.clone()).ok()), room))
}

fn swizzle(layout: &SwizzledLayout, accesses: &[Access], element: u64) -> Option<Remedy> {
    let (candidates, room) = swizzles(layout)?;
    let mut larger: Option<Remedy> = None;
    for made in candidates {
        if free(&made, accesses, element)
            && let Some(elements) = footprint(&made)
        {
            let found = Remedy { layout: made, elements };
            if elements <= room {
                return Some(found);
            }
            if larger.as_ref().is_none_or(|best| elements < best.elements) {
                larger = Some(found);
            }
        }
    }
    larger
}

fn padding(layout: &SwizzledLayout, accesses: &[Access], element: u64) -> Option<Remedy> {
    let inside = layout.layout();
    // whole accesses of the widest, so that addresses stay multiples
    let unit = accesses.iter().map(|one| one.elements(0).len() as u64).max()?.max(1);
    let mut behind: Vec<u64> = inside.modes().iter().map(|mode| mode.stride()).filter(|stride| *stride > 1).collect();
    behind.sort_unstable();
    behind.dedup();
    let mut best: Option<Remedy> = None;
    for stride in behind {
        for pad in (1..=128 / (unit * element)).map(|n| n * unit) {
            let Some(padded) = padded(inside, stride, pad) else { continue };
            let Ok(made) = SwizzledLayout::new(Swizzle::new(0, 0, 0), layout.offset(), padded) else { continue };
            let Some(elements) = made.offset().checked_add(made.layout().cosize()) else { continue };
            let better = best.as_ref().is_none_or(|best| elements < best.elements);
            if better && free(&made, accesses, element) && as_many(layout, &made) {
                best = Some(Remedy { layout: made, elements });
                break;
            }
        }
    }
    best
}

/// The layout with `pad` left free behind every `stride`.
pub(super) fn padded(layout: &Layout, stride: u64, pad: u64) -> Option<Layout> {
    let mut strides = Vec::new();
    for mode in layout.modes() {
        strides.push(match mode.stride() {
            own if own < stride => own,
            own if own.is_multiple_of(stride) => (own / stride).checked_mul(stride.checked_add(pad)?)?,
            _ => return None,
        });
    }
    Layout::new(layout.shape().extents(), &IntTuple::nested(&strides, layout.profile()).ok()?).ok()
}

/// Whether both have equally many different offsets.
fn as_many(a: &SwizzledLayout, b: &SwizzledLayout) -> bool {
    let count = |layout: &SwizzledLayout| {
        let mut offsets: Vec<u64> = layout.offsets().collect::<Result<_>>().ok()?;
        offsets.sort_unstable();
        offsets.dedup();
        Some(offsets.len())
    };
    count(a).is_some() && count(a) == count(b)
}
