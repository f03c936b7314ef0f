//! Why copies of a layout cannot be laid out, and what near it can.
//!
//! Every suggestion has been multiplied before it is printed.

use crate::error::{Error, ErrorKind, Result, Witness, brief};
use crate::inline::InlineVec;
use crate::layout::basic::Layout;
use crate::layout::complement::{chain, gaps, obstacle};
use crate::layout::composition::refusal::{Words, explain};
use crate::layout::composition::witness;
use crate::layout::mode::Mode;
use crate::layout::suggest::Near;
use alloc::{borrow::ToOwned, vec::Vec};

use super::{place, product};

/// The refusal of [`Layout::logical_product`].
#[cold]
pub(super) fn refuse(block: &Layout, tiles: &Layout) -> Error {
    suggested(explained(block, tiles), block, tiles)
}

/// The complement as far as the tiles need it, where there is one.
fn complement(block: &Layout, tiles: &Layout) -> Option<Layout> {
    let mut places = InlineVec::new();
    place(&mut places, block, tiles.cosize())?;
    Layout::from_modes(places.as_slice().iter().copied()).ok()
}

fn beside(block: &Layout, complement: &Layout, tiles: &Layout) -> Result<Layout> {
    Layout::concat(&[block.clone(), complement.composition(tiles)?])
}

fn explained(block: &Layout, tiles: &Layout) -> Error {
    if let Some(error) = obstacle(&block.filter_zeros()) {
        // of the block as it was given
        let error = error.with_witness_as(|witness| match witness {
            Witness::Collision { i, j } => Some(Witness::Collision { i: block.lifted(i), j: block.lifted(j) }),
            other => Some(other),
        });
        return error.about("this block has no complement for the copies");
    }
    let outer = match complement(block, tiles) {
        Some(complement) => format!("the complement {} of the block", brief(&complement.coalesce())),
        None => "the complement of the block".to_owned(),
    };
    let words = Words {
        inner: "the tiles",
        outer: &outer,
        mode: &|leaf| format!("mode {}", tiles.profile().path(leaf)),
        full: &|leaf| format!("mode {} of the tiles", tiles.profile().path(leaf)),
    };
    if let Some(error) = explain(&radix(block, tiles.cosize()), tiles.modes(), &words) {
        let complement = complement(block, tiles);
        return error.witnessed(complement.and_then(|complement| witness::strict(&complement, tiles)));
    }
    match complement(block, tiles).map(|complement| beside(block, &complement, tiles)) {
        // Either is nested to the limit, or the composite is.
        Some(Err(error)) if error.kind() == ErrorKind::TooLarge => error,
        Some(Ok(_)) => Error::new(ErrorKind::TooLarge, "the product is nested more than 64 deep")
            .with_help("flatten the block or the tiles"),
        _ => Error::new(
            ErrorKind::Overflow,
            format!("size or cosize of the product of {} and {} is 2^64 or more", brief(block), brief(tiles)),
        )
        .with_help("the size of the product is the product of the sizes; size and cosize must be below 2^64"),
    }
}

/// The extents of [`place`], also where the last copies begin at 2^64 or beyond.
fn radix(block: &Layout, count: u64) -> Vec<Mode> {
    let mut found = InlineVec::new();
    let filled = gaps(chain(block.filter_zeros().modes()).as_slice(), &mut found).and_then(|filled| filled.0);
    let mut radix = found.as_slice().to_vec();
    let places: u64 = radix.iter().map(|gap| gap.extent()).product();
    if places < count {
        radix.push(Mode::new(count.div_ceil(places), filled.unwrap_or(u64::MAX)));
    }
    radix
}

/// Adds tiles and blocks near these that go together.
fn suggested(error: Error, block: &Layout, tiles: &Layout) -> Error {
    let leaves = block.modes().len() + tiles.modes().len();
    let near = |layout, position, name| Near {
        layout,
        position,
        name,
        result: "the product",
        leaves,
        extents: &|_, _| Vec::new(),
    };
    let mut help = near(block, 0, "the block").accepted(|block| product(block, tiles));
    help.truncate(2);
    help.extend(near(tiles, 1, "the tiles").accepted(|tiles| product(block, tiles)));
    help.into_iter().fold(error, Error::with_suggestion)
}
