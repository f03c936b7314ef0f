//! What is missing beside a layout.

use alloc::{string::ToString, vec::Vec};
use core::hint::select_unpredictable;

use razorgirl_extracted::functions;

use crate::error::{Error, ErrorKind, Result, Witness};
use crate::inline::{INLINE, InlineVec};
use crate::int_tuple::Profile;
use crate::int_tuple::profile::Word;
use crate::suggestion::Suggestion;

use super::basic::Layout;
use super::injective::Injectivity;
use super::mode::Mode;
use super::small_result::SmallResult;

/// Differences that a refusal tries in search of a collision to show.
const WITNESS_BOUND: u64 = 1 << 14;

impl Layout {
    /// The layout that completes this one in its own block: side by side, `(A, complement(A))` hits every address of
    /// `[0, block)` exactly once, where the block is extent × stride of the mode with the largest stride.
    ///
    /// It is sorted, coalesced and strictly increasing, shares only offset 0 with `A`, and is the only such layout.
    /// It exists exactly when, extents of 1 dropped and sorted by stride, no stride is 0 and each extent × stride divides
    /// the next stride.
    ///
    /// O(leaves · log leaves).
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) when two coordinates share an offset,
    /// [`NotDivisible`](ErrorKind::NotDivisible) when a block does not divide the next stride.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,2):(1,6)".parse()?;
    /// assert_eq!(layout.complement()?.to_string(), "3:2");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `complement(layout)`, which answers layouts that overlap or leave gaps where this refuses. Categorical
    /// Foundations 2.1.6, Villa Straylight part III.
    ///
    /// Lean: `Razorgirl.Layout.complement`, `Razorgirl.FlatLayout.complementFault`
    #[inline]
    pub fn complement(&self) -> Result<Self> {
        if self.count >= INLINE {
            return completed(self, None);
        }
        let mut small = SmallResult::default();
        let inline = complete_inline(self.modes(), None, &mut small);
        small.layout_or(inline, || Err(refuse(self, Target::Block)))
    }

    /// The layout that completes this one in `[0, cotarget)`: every address there is hit exactly once.
    ///
    /// Exists exactly when [`complement`](Self::complement) does and the block divides the cotarget.
    ///
    /// # Errors
    /// As [`complement`](Self::complement); also [`NotDivisible`](ErrorKind::NotDivisible) when the block does not divide
    /// the cotarget, [`Extent`](ErrorKind::Extent) when the cotarget is 0, and [`Overflow`](ErrorKind::Overflow) when the
    /// result does not fit.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "4:2".parse()?;
    /// assert_eq!(layout.complement_in(24_u64)?.to_string(), "(2,3):(1,8)");
    /// assert!(layout.complement_in(20_u64).is_err());
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `complement(layout, cotarget)`, which rounds the cotarget up instead; that is
    /// [`complement_ceil`](Self::complement_ceil).
    ///
    /// Lean: `Razorgirl.Layout.complementIn`, `Razorgirl.FlatLayout.complementInFault`
    #[inline]
    pub fn complement_in(&self, cotarget: impl Into<u128>) -> Result<Self> {
        let cotarget = cotarget.into();
        let (true, Ok(below)) = (self.count < INLINE, u64::try_from(cotarget)) else {
            return completed(self, Some(cotarget));
        };
        let mut small = SmallResult::default();
        let inline = complete_inline(self.modes(), Some(below), &mut small);
        small.layout_or(inline, || Err(refuse(self, Target::Exact(cotarget))))
    }

    /// The layout that completes this one in `[0, block·⌈cotarget/block⌉)`.
    ///
    /// # Errors
    /// As [`complement`](Self::complement); [`Extent`](ErrorKind::Extent) when the cotarget is 0, and
    /// [`Overflow`](ErrorKind::Overflow) when the result does not fit.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "4:2".parse()?;
    /// assert_eq!(layout.complement_ceil(20_u64)?.to_string(), "(2,3):(1,8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `complement(layout, cotarget)`, where that is right.
    ///
    /// Lean: `Razorgirl.Layout.complementCeil`
    pub fn complement_ceil(&self, cotarget: impl Into<u128>) -> Result<Self> {
        let target = Target::Rounded(cotarget.into());
        target.complement(self).ok_or_else(|| refuse(self, target))
    }
}

/// The modes of extent above 1 in order of stride.
#[inline]
pub(super) fn chain(modes: &[Mode]) -> InlineVec<Mode> {
    let mut chain = InlineVec::new();
    sort_into(&mut chain, modes);
    chain
}

/// Writes the [`chain`] where it is needed.
#[inline]
pub(super) fn sort_into(chain: &mut InlineVec<Mode>, modes: &[Mode]) {
    for mode in modes {
        if mode.extent() > 1 {
            chain.push(*mode);
        }
    }
    let sorted = chain.as_mut_slice();
    // Insertion: a handful of modes, nearly always in order already.
    for i in 1..sorted.len() {
        let mut j = i;
        while j > 0 && sorted[j] < sorted[j - 1] {
            sorted.swap(j, j - 1);
            j -= 1;
        }
    }
}

/// The complement of at most seven modes, which has at most eight; or in `small`, that there is none.
// Why it is written like this: see `small_result`.
#[inline(never)]
pub(super) fn complete_inline(modes: &[Mode], cotarget: Option<u64>, small: &mut SmallResult) -> [Mode; INLINE] {
    let mut inline = [Mode::new(0, 0); INLINE];
    let chain = in_order(modes);
    // Extent × stride of the mode before, modulo 2^64, and its stride, which is more where that wrapped.
    let (mut below, mut before) = (1_u64, 0_u64);
    // Nothing below can overflow where the complement exists: its size times that of the layout is the block or the
    // cotarget, and it ends before the last stride or before the cotarget.
    let (mut exists, mut place, mut size, mut last) = (true, 0_usize, 1_u64, 0_u64);
    for mode in chain.iter().take(modes.len()) {
        let (extent, stride) = (mode.extent(), mode.stride());
        // Extents of 1 come first, since their strides are 0, and change nothing.
        let counts = extent > 1;
        let copies = stride / below.max(1);
        let divides = copies.wrapping_mul(below) == stride;
        exists &= !counts || (divides && copies > 0 && below >= before);
        inline[place % INLINE] = Mode::new(copies, below);
        place = place.wrapping_add(usize::from(copies > 1));
        size = size.wrapping_mul(copies.max(1));
        last = last.wrapping_add(select_unpredictable(counts, stride.wrapping_sub(below), 0));
        below = select_unpredictable(counts, extent.wrapping_mul(stride), below);
        before = stride;
    }
    if let Some(cotarget) = cotarget {
        let copies = cotarget / below.max(1);
        let divides = copies.wrapping_mul(below) == cotarget;
        exists &= divides && copies > 0 && below >= before;
        inline[place % INLINE] = Mode::new(copies, below);
        place = place.wrapping_add(usize::from(copies > 1));
        size = size.wrapping_mul(copies);
        last = last.wrapping_add(cotarget.wrapping_sub(below));
    }
    if place == 0 {
        inline[0] = Mode::new(1, 0);
        place = 1;
    }
    small.exists = exists;
    small.count = place;
    small.profile = Word::leaf_or_flat(place).tokens();
    small.size = size;
    small.cosize = last.wrapping_add(1);
    inline
}

/// At most eight modes in order of stride. Those of equal strides may come in any order: where they have more than one
/// step each, there is no complement.
#[inline]
pub(super) fn in_order(modes: &[Mode]) -> [Mode; INLINE] {
    let mut sorted = [Mode::new(0, 0); INLINE];
    match *modes {
        [a, b] => (sorted[0], sorted[1]) = pair(a, b),
        [a, b, c] => {
            let (a, b) = pair(a, b);
            let (b, c) = pair(b, c);
            (sorted[0], sorted[1]) = pair(a, b);
            sorted[2] = c;
        }
        [a, b, c, d] => {
            let ((a, b), (c, d)) = (pair(a, b), pair(c, d));
            let ((a, c), (b, d)) = (pair(a, c), pair(b, d));
            (sorted[1], sorted[2]) = pair(b, c);
            (sorted[0], sorted[3]) = (a, d);
        }
        _ => {
            for (slot, mode) in sorted.iter_mut().zip(modes) {
                *slot = *mode;
            }
            sorted[..modes.len().min(INLINE)].sort_unstable();
        }
    }
    sorted
}

/// Two modes in order of stride.
#[inline]
fn pair(a: Mode, b: Mode) -> (Mode, Mode) {
    let swap = b.stride() < a.stride();
    let low = Mode::new(
        select_unpredictable(swap, b.extent(), a.extent()),
        select_unpredictable(swap, b.stride(), a.stride()),
    );
    let high = Mode::new(
        select_unpredictable(swap, a.extent(), b.extent()),
        select_unpredictable(swap, a.stride(), b.stride()),
    );
    (low, high)
}

/// The block that a chain and its gaps fill.
fn block(chain: &InlineVec<Mode>) -> u128 {
    chain.as_slice().last().map_or(1, |mode| (u128::from(mode.extent()) * u128::from(mode.stride())).max(1))
}

/// The complement of any number of modes in any cotarget.
#[inline(never)]
fn completed(layout: &Layout, cotarget: Option<u128>) -> Result<Layout> {
    let target = cotarget.map_or(Target::Block, Target::Exact);
    complete(layout, cotarget).ok_or_else(|| refuse(layout, target))
}

/// The complement, or nothing where there is none that fits.
pub(super) fn complete(layout: &Layout, cotarget: Option<u128>) -> Option<Layout> {
    let Some(cotarget) = cotarget else {
        return of_modes(&functions::complement(layout.modes()).ok()?);
    };
    if let Ok(cotarget) = u64::try_from(cotarget) {
        return of_modes(&functions::complement_in(layout.modes(), cotarget).ok()?);
    }
    // Beyond 64 bits: whole blocks, which have to fit.
    let mut modes = functions::complement(layout.modes()).ok()?;
    let block = block(&chain(layout.modes()));
    if !cotarget.is_multiple_of(block) {
        return None;
    }
    let copies = u64::try_from(cotarget / block).ok()?;
    if copies > 1 {
        modes.push(Mode::new(copies, u64::try_from(block).ok()?));
    }
    of_modes(&modes)
}

/// The layout of coalesced modes, where it fits.
fn of_modes(modes: &[Mode]) -> Option<Layout> {
    let modes = if modes.is_empty() { &[Mode::new(1, 0)] } else { modes };
    Layout::checked(InlineVec::from_slice(modes), Profile::leaf_or_flat(modes.len())).ok()
}

/// What modes and gaps fill together; nothing where it is 2^64 or more.
pub(super) struct Filled(pub(super) Option<u64>);

/// The gap walk: appends the gaps between modes in order of stride, each as often as what lies below it fits into the
/// stride. Answers what modes and gaps fill together, or that it is 2^64 or more; nothing at all where a stride is no
/// multiple of what is filled below it.
#[inline]
pub(super) fn gaps(chain: &[Mode], gaps: &mut InlineVec<Mode>) -> Option<Filled> {
    // What is below a mode fits: it divides that mode's stride. What the last mode fills may not.
    let mut filled = Some(1_u64);
    for mode in chain {
        let below = filled?;
        if !mode.stride().is_multiple_of(below) {
            return None;
        }
        // Of one step each where there is no gap.
        if mode.stride() > below {
            gaps.push(Mode::new(mode.stride() / below, below));
        }
        filled = mode.extent().checked_mul(mode.stride());
    }
    Some(Filled(filled))
}

/// Up to where a layout is completed.
#[derive(Clone, Copy)]
enum Target {
    /// [`Layout::complement`].
    Block,
    /// [`Layout::complement_in`].
    Exact(u128),
    /// [`Layout::complement_ceil`].
    Rounded(u128),
}

impl Target {
    fn complement(self, layout: &Layout) -> Option<Layout> {
        match self {
            Self::Block => complete(layout, None),
            Self::Exact(cotarget) => complete(layout, Some(cotarget)),
            Self::Rounded(cotarget) => {
                if let Ok(cotarget) = u64::try_from(cotarget) {
                    return of_modes(&functions::complement_ceil(layout.modes(), cotarget).ok()?);
                }
                let block = block(&chain(layout.modes()));
                complete(layout, Some(cotarget.div_ceil(block).checked_mul(block)?))
            }
        }
    }
}

/// Why there is no complement, and what there is instead.
#[cold]
fn refuse(layout: &Layout, target: Target) -> Error {
    if let Target::Exact(0) | Target::Rounded(0) = target {
        return Error::new(ErrorKind::Extent, "the cotarget is 0, but a complement is at least 1:0")
            .with_help("give the number of addresses to cover, at least 1");
    }
    if let Some(leaf) = repeating(layout) {
        return instead(repeated(layout, leaf), [layout.filter()], target);
    }
    if let Some((mode, below)) = missing(layout) {
        return instead(missed(layout, mode, below), near(layout, mode, below), target);
    }
    let below = block(&chain(layout.modes()));
    match target {
        Target::Exact(cotarget) if !cotarget.is_multiple_of(below) => uneven(layout, cotarget, below),
        _ => Error::new(ErrorKind::Overflow, "size or cosize of the complement is 2^64 or more")
            .with_help("a cotarget below 2^64 always fits"),
    }
}

/// Adds those of these layouts that have a complement.
fn instead(error: Error, layouts: impl IntoIterator<Item = Layout>, target: Target) -> Error {
    layouts
        .into_iter()
        .filter_map(|fixed| {
            let complement = target.complement(&fixed)?;
            Some(Suggestion::with(0, "the layout", fixed, "the complement", &complement))
        })
        .fold(error, Error::with_suggestion)
}

/// Why a layout has no complement, whatever the cotarget, with what shows it; nothing when it has one.
#[cold]
pub(super) fn obstacle(layout: &Layout) -> Option<Error> {
    if let Some(leaf) = repeating(layout) {
        return Some(repeated(layout, leaf));
    }
    missing(layout).map(|(mode, below)| missed(layout, mode, below))
}

/// A mode that repeats offsets.
fn repeating(layout: &Layout) -> Option<usize> {
    layout.modes().iter().position(|mode| mode.extent() > 1 && mode.stride() == 0)
}

/// The first mode whose stride is not a multiple of the block that the modes before it fill, and that block.
fn missing(layout: &Layout) -> Option<(Mode, u128)> {
    let mut below = 1_u128;
    for mode in chain(layout.modes()).as_slice() {
        if !u128::from(mode.stride()).is_multiple_of(below) {
            return Some((*mode, below));
        }
        below = (u128::from(mode.extent()) * u128::from(mode.stride())).max(1);
    }
    None
}

fn repeated(layout: &Layout, leaf: usize) -> Error {
    let mode = layout.modes()[leaf];
    let before = layout.modes().iter().take(leaf).map(|mode| mode.extent());
    Error::new(
        ErrorKind::NotInjective,
        format!(
            "mode {} of {layout} is {mode}: it repeats every offset {} times, so no complement makes each address be hit once",
            layout.profile().path(leaf),
            mode.extent()
        ),
    )
    .with_leaf(leaf)
    .with_witness(Witness::Collision { i: 0, j: before.product() })
}

fn leaf_of(layout: &Layout, mode: Mode) -> usize {
    layout.modes().iter().position(|other| *other == mode).unwrap_or_default()
}

/// A mode whose stride is not a multiple of the block that the modes before it fill.
fn missed(layout: &Layout, mode: Mode, below: u128) -> Error {
    let leaf = leaf_of(layout, mode);
    let path = layout.profile().path(leaf);
    let (stride, over) = (mode.stride(), u128::from(mode.stride()) % below);
    let indivisible = Witness::Indivisible { stride, block: below };
    let error = if let Injectivity::Collision { i, j, offset } = layout.injectivity(WITNESS_BOUND) {
        let coordinate =
            |index| layout.shape().idx2crd(index).map_or_else(|_| index.to_string(), |crd| crd.to_string());
        Error::new(
            ErrorKind::NotInjective,
            format!(
                "mode {path} of {layout} is {mode} and overlaps the modes below it: coordinates {} and {} share offset \
                 {offset}",
                coordinate(i),
                coordinate(j)
            ),
        )
        .with_witness(Witness::Collision { i, j })
    } else if u128::from(stride) < below {
        Error::new(
            ErrorKind::NotDivisible,
            format!(
                "mode {path} of {layout} is {mode}: its step of {stride} ends inside the block of {below} that the modes \
                 with smaller strides span, and {below} does not divide {stride}"
            ),
        )
        .with_witness(indivisible)
    } else {
        let start = u128::from(stride) - over;
        Error::new(
            ErrorKind::NotDivisible,
            format!(
                "mode {path} of {layout} is {mode}: the modes below it fill blocks of {below}, which does not divide {stride}; \
                 addresses [{start},{stride}) can be reached by no copy"
            ),
        )
        .with_witness(indivisible)
    };
    error.with_leaf(leaf)
}

/// The layout with the nearest strides that are multiples of the block in place of that of a mode.
fn near(layout: &Layout, mode: Mode, below: u128) -> Vec<Layout> {
    let leaf = leaf_of(layout, mode);
    let lower = u128::from(mode.stride()) / below * below;
    let strides = [lower, lower + below].into_iter().filter_map(|stride| u64::try_from(stride).ok());
    let strides = strides.filter(|stride| *stride > 0);
    strides.filter_map(|stride| layout.with_leaf(leaf, Mode::new(mode.extent(), stride))).collect()
}

fn uneven(layout: &Layout, cotarget: u128, block: u128) -> Error {
    let lower = cotarget / block * block;
    let mut error = Error::new(
        ErrorKind::NotDivisible,
        format!(
            "{layout} and its complement fill blocks of {block}, and {block} does not divide the cotarget {cotarget}"
        ),
    )
    .with_witness(Witness::Uneven { block });
    // A cotarget of 2^64 or more cannot be given everywhere.
    for near in
        [Some(lower), lower.checked_add(block)].into_iter().flatten().filter_map(|near| u64::try_from(near).ok())
    {
        if let Some(complement) = complete(layout, Some(near.into())) {
            error = error.with_suggestion(Suggestion::with(1, "the cotarget", near, "the complement", &complement));
        }
    }
    match Target::Rounded(cotarget).complement(layout) {
        Some(complement) => error.with_suggestion(
            Suggestion::call("complement_ceil", &complement).noting("; it rounds the cotarget up, as CuTe does"),
        ),
        None => error,
    }
}
