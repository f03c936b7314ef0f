//! Why a tile does not divide a layout, and what near it does.
//!
//! Every suggestion has been divided by before it is printed.

use crate::error::{Error, ErrorKind, Witness, brief};
use crate::layout::basic::Layout;
use crate::layout::coalesce::coalesced;
use crate::layout::complement::obstacle;
use crate::layout::composition::refusal::{Words, explain};
use crate::layout::composition::witness;
use crate::layout::mode::Mode;
use crate::layout::suggest::{FEW, Near, SUGGESTIONS};
use crate::layout::tiler::Tiler;
use alloc::vec::Vec;

use super::{ceil, complement_of, divided};

/// Numbers up to which divisors are looked for.
const TRY_DIVISORS: u64 = 1 << 12;

/// The refusal of [`Layout::logical_divide`].
#[cold]
pub(super) fn refuse(layout: &Layout, tile: &Layout) -> Error {
    suggested(explained(layout, tile), layout, tile)
}

fn explained(layout: &Layout, tile: &Layout) -> Error {
    let size = layout.size();
    if tile.cosize() > size {
        return Error::new(
            ErrorKind::OutOfDomain,
            format!(
                "the tile {} reaches index {}, but {} has indices [0,{size})",
                brief(tile),
                tile.cosize() - 1,
                brief(layout)
            ),
        )
        .witnessed(witness::outside(tile));
    }
    if let Some(error) = obstacle(tile) {
        return error.about("no copies of the tile fill a layout");
    }
    let Some(complement) = complement_of(tile, size) else {
        let block = ceil::block(tile);
        return Error::new(
            ErrorKind::NotDivisible,
            format!(
                "the tile {} fills blocks of {block}, and {block} does not divide the size {size} of {}",
                brief(tile),
                brief(layout)
            ),
        )
        .with_witness(Witness::Uneven { block });
    };
    let modes: Vec<Mode> = tile.modes().iter().chain(complement.modes()).copied().collect();
    let index = Layout::concat(&[tile.clone(), complement]).ok();
    misaligned(layout, tile, &modes).witnessed(index.and_then(|index| witness::strict(layout, &index)))
}

/// Why the modes of a tile, and behind them those of its complement, do not line up with the layout.
pub(super) fn misaligned(layout: &Layout, tile: &Layout, modes: &[Mode]) -> Error {
    let named = |leaf: usize, complement: &str| match leaf.checked_sub(tile.modes().len()) {
        None => format!("mode {} of the tile", tile.profile().path(leaf)),
        Some(leaf) => format!("mode {leaf} of {complement}"),
    };
    let outer = format!("the coalesced layout {}", brief(&layout.coalesce()));
    let words = Words {
        inner: "the tile and its complement",
        outer: &outer,
        mode: &|leaf| named(leaf, "its complement"),
        full: &|leaf| named(leaf, "the complement of the tile"),
    };
    explain(coalesced(layout.modes()).as_slice(), modes, &words).unwrap_or_else(|| {
        Error::new(ErrorKind::TooLarge, "the quotient is nested more than 64 deep").with_help("flatten the tile")
    })
}

/// Adds tiles and layouts near these that go together, and what padding gives.
fn suggested(error: Error, layout: &Layout, tile: &Layout) -> Error {
    let nearest = if tile.modes().len() <= FEW { layout.nearest_tile(tile).ok().flatten() } else { None };
    let error = near(error, layout, tile, nearest, divided);
    let padded = ceil::suggested(layout, &Tiler::Layout(tile.clone()));
    padded.into_iter().fold(error, Error::with_suggestion)
}

/// Adds tiles and layouts near these of which `divide` finds a quotient; the nearest tile first, where it is known.
pub(super) fn near(
    error: Error,
    layout: &Layout,
    tile: &Layout,
    nearest: Option<Layout>,
    divide: impl Fn(&Layout, &Layout) -> Option<Layout>,
) -> Error {
    let leaves = layout.modes().len() + tile.modes().len();
    let extents = |_: usize, mode: Mode| nearest_divisors(layout.size(), mode.extent());
    let tiles = Near { layout: tile, position: 1, name: "the tile", result: "the quotient", leaves, extents: &extents };
    let layouts =
        Near { layout, position: 0, name: "the layout", result: "the quotient", leaves, extents: &|_, _| Vec::new() };
    let mut help = tiles.accepted(|tile| divide(layout, tile));
    if let Some(nearest) = nearest
        && let Some(quotient) = divide(layout, &nearest)
    {
        let nearest = tiles.suggestion(nearest, &quotient);
        help.retain(|other| other.replacements() != nearest.replacements());
        help.insert(0, nearest);
        help.truncate(SUGGESTIONS);
    }
    help.extend(layouts.accepted(|layout| divide(layout, tile)).into_iter().take(2));
    let moving = tile.filter();
    if moving.size() < tile.size()
        && let Some(quotient) = divide(layout, &moving)
    {
        help.push(tiles.suggestion(moving, &quotient));
    }
    help.into_iter().fold(error, Error::with_suggestion)
}

/// Divisors of `size`, those nearest to `near` first.
fn nearest_divisors(size: u64, near: u64) -> Vec<u64> {
    let small = (1..=TRY_DIVISORS).take_while(|n| n * n <= size).filter(|n| size.is_multiple_of(*n));
    let mut all: Vec<u64> = small.flat_map(|n| [n, size / n]).collect();
    all.sort_unstable_by_key(|n| n.abs_diff(near));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_come_nearest_first() {
        for size in 1..=300_u64 {
            for near in [1, 2, 7, 40, 299, 1000] {
                let mut found = nearest_divisors(size, near);
                assert!(found.is_sorted_by_key(|n| n.abs_diff(near)), "{size} {near}: {found:?}");
                found.sort_unstable();
                found.dedup();
                assert!(found.into_iter().eq((1..=size).filter(|n| size.is_multiple_of(*n))), "{size} {near}");
            }
        }
    }
}
