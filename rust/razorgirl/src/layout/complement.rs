//! What is missing beside a layout.

use crate::error::{Error, ErrorKind, Result};
use crate::inline::InlineVec;
use crate::int_tuple::Profile;

use super::basic::Layout;
use super::injective::Injectivity;
use super::mode::Mode;

/// Differences that a refusal tries in search of a collision to show.
const WITNESS_BOUND: u64 = 1 << 14;

impl Layout {
    /// The layout that completes this one in its own block: side by side, `(A, complement(A))` hits every address of
    /// `[0, block)` exactly once, where the block is extent × stride of the mode with the largest stride.
    ///
    /// It is sorted, coalesced and strictly increasing, meets the offsets of `A` only at 0, and is the only such layout.
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
    #[inline]
    pub fn complement(&self) -> Result<Self> {
        complete(self, None).ok_or_else(|| refuse(self, None))
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
    #[inline]
    pub fn complement_in(&self, cotarget: impl Into<u128>) -> Result<Self> {
        let cotarget = cotarget.into();
        complete(self, Some(cotarget)).ok_or_else(|| refuse(self, Some(cotarget)))
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
    pub fn complement_ceil(&self, cotarget: impl Into<u128>) -> Result<Self> {
        let cotarget = cotarget.into();
        let block = block(&chain(self.modes()));
        let rounded = cotarget.div_ceil(block).checked_mul(block).unwrap_or(u128::MAX / block * block);
        self.complement_in(rounded)
    }
}

/// The modes of extent above 1 in order of stride.
#[inline]
pub(super) fn chain(modes: &[Mode]) -> InlineVec<Mode> {
    let mut chain = InlineVec::new();
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
    chain
}

/// The block that a chain and its gaps fill.
fn block(chain: &InlineVec<Mode>) -> u128 {
    chain.as_slice().last().map_or(1, |mode| (u128::from(mode.extent()) * u128::from(mode.stride())).max(1))
}

/// The complement, or nothing where there is none that fits.
#[inline]
fn complete(layout: &Layout, cotarget: Option<u128>) -> Option<Layout> {
    let chain = chain(layout.modes());
    let mut modes = InlineVec::new();
    // The block below a mode fits: it divides that mode's stride. That of the last mode may not.
    let mut filled = Some(1_u64);
    let (mut size, mut last) = (1_u64, 0_u64);
    for mode in chain.as_slice() {
        let below = filled?;
        if mode.stride() == 0 || !mode.stride().is_multiple_of(below) {
            return None;
        }
        let copies = mode.stride() / below;
        if copies > 1 {
            modes.push(Mode::new(copies, below));
            size = size.checked_mul(copies)?;
            last = last.checked_add((copies - 1).checked_mul(below)?)?;
        }
        filled = mode.extent().checked_mul(mode.stride());
    }
    if let Some(cotarget) = cotarget {
        let copies = copies_in(cotarget, filled.map_or_else(|| block(&chain), u128::from))?;
        if copies > 1 {
            let filled = filled?;
            modes.push(Mode::new(copies, filled));
            size = size.checked_mul(copies)?;
            last = last.checked_add((copies - 1).checked_mul(filled)?)?;
        }
    }
    if modes.len() == 0 {
        modes.push(Mode::new(1, 0));
    }
    // Neighbours never merge: a gap ends at a stride, and the next begins at a block of at least twice that.
    let profile = Profile::leaf_or_flat(modes.len());
    Some(Layout::valid(modes, profile, size, last.checked_add(1)?))
}

/// How often the block goes into the cotarget, if it does.
#[inline]
fn copies_in(cotarget: u128, block: u128) -> Option<u64> {
    if let (Ok(cotarget), Ok(block)) = (u64::try_from(cotarget), u64::try_from(block)) {
        return (cotarget > 0 && cotarget.is_multiple_of(block)).then(|| cotarget / block);
    }
    (cotarget > 0 && cotarget.is_multiple_of(block)).then(|| u64::try_from(cotarget / block).ok()).flatten()
}

/// Why there is no complement, and what there is instead.
#[cold]
fn refuse(layout: &Layout, cotarget: Option<u128>) -> Error {
    if cotarget == Some(0) {
        return Error::new(ErrorKind::Extent, "the cotarget is 0, but a complement is at least 1:0")
            .with_help("give the number of addresses to cover, at least 1");
    }
    if let Some(leaf) = repeating(layout) {
        return repeats(layout, leaf, cotarget);
    }
    if let Some((mode, below)) = missing(layout) {
        return misses(layout, mode, below);
    }
    let below = block(&chain(layout.modes()));
    match cotarget {
        Some(cotarget) if !cotarget.is_multiple_of(below) => uneven(layout, cotarget, below),
        _ => Error::new(ErrorKind::Overflow, "size or cosize of the complement is 2^64 or more")
            .with_help("a cotarget below 2^64 always fits"),
    }
}

/// Why a layout has no complement, whatever the cotarget; nothing when it has one.
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

/// The first mode whose stride is no multiple of the block that the modes before it fill, and that block.
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
    Error::new(
        ErrorKind::NotInjective,
        format!(
            "mode {} of {layout} is {mode}: it repeats every offset {} times, so no complement makes each address be hit once",
            layout.profile().path(leaf),
            mode.extent()
        ),
    )
    .with_leaf(leaf)
}

fn repeats(layout: &Layout, leaf: usize, cotarget: Option<u128>) -> Error {
    let error = repeated(layout, leaf);
    let filtered = layout.filter();
    match complete(&filtered, cotarget) {
        Some(complement) => {
            error.with_help(format!("without the repeats, the complement of {filtered} is {complement}"))
        }
        None => error,
    }
}

fn leaf_of(layout: &Layout, mode: Mode) -> usize {
    layout.modes().iter().position(|other| *other == mode).unwrap_or_default()
}

/// A mode whose stride is no multiple of the block that the modes before it fill.
fn missed(layout: &Layout, mode: Mode, below: u128) -> Error {
    let leaf = leaf_of(layout, mode);
    let path = layout.profile().path(leaf);
    let (stride, over) = (mode.stride(), u128::from(mode.stride()) % below);
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
    } else if u128::from(stride) < below {
        Error::new(
            ErrorKind::NotDivisible,
            format!(
                "mode {path} of {layout} is {mode}: its step of {stride} ends inside the block of {below} that the modes \
                 with smaller strides span, and {below} does not divide {stride}"
            ),
        )
    } else {
        let start = u128::from(stride) - over;
        Error::new(
            ErrorKind::NotDivisible,
            format!(
                "mode {path} of {layout} is {mode}: the modes below it fill blocks of {below}, which does not divide {stride}; \
                 addresses [{start},{stride}) can be reached by no copy"
            ),
        )
    };
    error.with_leaf(leaf)
}

fn misses(layout: &Layout, mode: Mode, below: u128) -> Error {
    let leaf = leaf_of(layout, mode);
    let error = missed(layout, mode, below);
    let lower = u128::from(mode.stride()) / below * below;
    let candidates = [lower, lower + below];
    candidates
        .into_iter()
        .filter_map(|stride| {
            let stride = u64::try_from(stride).ok().filter(|stride| *stride > 0)?;
            let mut modes: Vec<Mode> = layout.modes().to_vec();
            *modes.get_mut(leaf)? = Mode::new(mode.extent(), stride);
            let fixed = Layout::from_modes(modes).ok()?;
            let complement = complete(&fixed, None)?;
            Some(format!("with stride {stride} in place of {} there, the complement is {complement}", mode.stride()))
        })
        .fold(error, Error::with_help)
}

fn uneven(layout: &Layout, cotarget: u128, block: u128) -> Error {
    let lower = cotarget / block * block;
    let upper = lower.saturating_add(block);
    let mut error = Error::new(
        ErrorKind::NotDivisible,
        format!(
            "{layout} and its complement fill blocks of {block}, and {block} does not divide the cotarget {cotarget}"
        ),
    );
    for near in [lower, upper] {
        if let Some(complement) = complete(layout, Some(near)) {
            error = error.with_help(format!("in [0,{near}) the complement is {complement}"));
        }
    }
    if complete(layout, Some(upper)).is_some() {
        error = error.with_help("complement_ceil rounds the cotarget up, as CuTe does");
    }
    error
}
