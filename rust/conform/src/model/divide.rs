//! Division: the layout after a tile and its complement.

use super::complement::{of_any_size, rounded};
use super::composition::{complete as compose_completely, strict};
use super::layout::{Layout, Mode, Split};
use super::refusal::{Codes, Refusal, alone};
use super::tiler::{Tiler, transformed};
use num_bigint::BigInt;
use std::cell::RefCell;

pub(crate) fn compose(outer: &Layout, inner: &Layout, complete: bool) -> Split {
    let found = if complete { compose_completely(outer, inner) } else { strict(outer, inner).map(Some) };
    found.map_err(alone)
}

/// `(T, complement(T, size))`: all indices below `size`, tile after tile.
pub(crate) fn tiling(tile: &Layout, size: &BigInt) -> Result<Layout, Codes> {
    let complement = of_any_size(tile, Some(size))?;
    Ok(Layout::Node(vec![tile.clone(), complement]))
}

/// `A ∘ (T, complement(T, size A))`.
pub(crate) fn divide(layout: &Layout, tile: &Layout, complete: bool) -> Split {
    if tile.cosize() > layout.size() {
        return Err(alone(Refusal("out_of_domain")));
    }
    compose(layout, &tiling(tile, &layout.size())?, complete)
}

/// The layout with at least `size` coordinates: the last mode of extent above 1 goes on, or the one offset repeats.
pub(crate) fn grown(layout: &Layout, size: &BigInt) -> Layout {
    if *size <= layout.size() {
        return layout.clone();
    }
    let one = BigInt::from(1);
    let mut modes: Vec<Mode> = layout.modes().into_iter().cloned().collect();
    let whole = layout.size();
    match modes.iter_mut().rev().find(|mode| mode.extent > one) {
        Some(last) => {
            let below = whole / &last.extent;
            last.extent = (size + &below - 1) / below;
        }
        None => modes = vec![Mode { extent: size.clone(), stride: BigInt::from(0) }],
    }
    Layout::Node(modes.into_iter().map(Layout::Leaf).collect())
}

/// The quotient of whole tiles, and the index layout.
fn divide_ceil(layout: &Layout, tile: &Layout, complete: bool) -> Result<Option<(Layout, Layout)>, Codes> {
    let least = layout.size().max(tile.cosize());
    let index = tiling(tile, &rounded(tile, &least))?;
    Ok(compose(&grown(layout, &index.cosize()), &index, complete)?.map(|quotient| (quotient, index)))
}

/// The quotient of whole tiles by one layout.
pub(crate) fn ceil_of_one(layout: &Layout, tile: &Layout, complete: bool) -> Split {
    Ok(divide_ceil(layout, tile, complete)?.map(|(quotient, _)| quotient))
}

/// A quotient with padding, and for each divided mode its index layout and its size.
type Padded = (Layout, Vec<(Layout, BigInt)>);

/// The quotient by tiler.
pub(crate) fn ceil(layout: &Layout, tiler: &Tiler, complete: bool) -> Result<Option<Padded>, Codes> {
    let parts = RefCell::new(Vec::new());
    let quotient = transformed(layout, tiler, &|layout, tile| {
        let Some((quotient, index)) = divide_ceil(layout, tile, complete)? else { return Ok(None) };
        parts.borrow_mut().push((index, layout.size()));
        Ok(Some(quotient))
    })?;
    Ok(quotient.map(|quotient| (quotient, parts.into_inner())))
}
