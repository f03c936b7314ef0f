//! Complements.

use super::coalesce::merged;
use super::find::{LIST, collision};
use super::layout::{Found, Layout, Mode};
use super::refusal::{Codes, OVERFLOW, Refusal, Result};
use num_bigint::BigInt;

/// The modes of extent above 1, by stride.
pub(crate) fn chain(layout: &Layout) -> Vec<Mode> {
    let mut modes: Vec<Mode> =
        layout.modes().into_iter().filter(|mode| mode.extent > BigInt::from(1)).cloned().collect();
    modes.sort_by(|m, n| (&m.stride, &m.extent).cmp(&(&n.stride, &n.extent)));
    modes
}

/// What a layout and its complement fill: extent × stride of the last mode.
pub(crate) fn block(layout: &Layout) -> BigInt {
    chain(layout).last().map_or_else(|| 1.into(), |mode| &mode.extent * &mode.stride)
}

/// Whether two coordinates share an offset; unknown for large layouts, unless a stride of 0 tells.
pub(crate) fn repeats(layout: &Layout) -> Option<bool> {
    let moving = chain(layout);
    if moving.first().is_some_and(|mode| mode.stride == BigInt::from(0)) {
        return Some(true);
    }
    (layout.size() <= BigInt::from(LIST)).then(|| collision(&layout.offsets()).is_some())
}

/// The codes with which modes may be refused that overlap or do not divide one another.
pub(crate) fn entangled(layout: &Layout) -> Codes {
    match repeats(layout) {
        Some(true) => &["not_injective"],
        Some(false) => &["not_divisible"],
        None => &["not_injective", "not_divisible"],
    }
}

/// The sorted coalesced layout that completes `layout` in `[0, cotarget)`, or in its own block.
///
/// # Errors
/// The first thing in the way.
pub fn complement(layout: &Layout, cotarget: Option<&BigInt>) -> Found {
    of_any_size(layout, cotarget)?.bounded().map_err(|_| OVERFLOW)
}

/// The same, however large.
pub(crate) fn of_any_size(layout: &Layout, cotarget: Option<&BigInt>) -> Found {
    let zero = BigInt::from(0);
    if cotarget == Some(&zero) {
        return Err(&["extent"]);
    }
    let mut filled = BigInt::from(1);
    let mut gaps = Vec::new();
    for mode in chain(layout) {
        if mode.stride == zero || &mode.stride % &filled != zero {
            return Err(entangled(layout));
        }
        gaps.push(Mode { extent: &mode.stride / &filled, stride: filled });
        filled = mode.extent * mode.stride;
    }
    if let Some(cotarget) = cotarget {
        if cotarget % &filled != zero {
            return Err(&["not_divisible"]);
        }
        gaps.push(Mode { extent: cotarget / &filled, stride: filled });
    }
    Ok(Layout::nest(merged(gaps)))
}

/// `cotarget` as the least multiple of the block that is not below it.
pub(crate) fn rounded(layout: &Layout, cotarget: &BigInt) -> BigInt {
    let block = block(layout);
    if block == BigInt::from(0) {
        return cotarget.clone();
    }
    let blocks: BigInt = (cotarget + &block - 1) / &block;
    block * blocks
}

/// The complement with the cotarget rounded up to a multiple of the block, at least one block.
///
/// # Errors
/// As [`complement`].
pub fn complement_ceil(layout: &Layout, cotarget: &BigInt) -> Found {
    complement(layout, Some(&rounded(layout, cotarget)))
}

/// Reads a cotarget.
pub(crate) fn read_cotarget(value: &serde_json::Value) -> Result<BigInt> {
    let cotarget = crate::tree::read_int(value).ok_or(Refusal("parse"))?;
    if cotarget < BigInt::from(0) { Err(Refusal("extent")) } else { Ok(cotarget) }
}
