//! Who owns what.

use super::coord::{index_coord, inside, offset, picked};
use super::divide::{compose, divide};
use super::inverse::inverse;
use super::layout::{Layout, Mode};
use super::product::interleaved;
use super::refusal::{Codes, Refusal, alone};
use super::tiler::{Tiler, spread, unzipped};
use crate::tree::Tree;
use num_bigint::BigInt;

/// A layout and the offset at which it begins; `Ok(None)` if that takes an enumeration that is too large.
pub(crate) type Part = Result<Option<(Layout, BigInt)>, Codes>;

fn sizes(layout: &Layout) -> Vec<BigInt> {
    layout.top().iter().map(Layout::size).collect()
}

/// The extents of the tile, and from (thread, value) to its elements.
pub(crate) fn thread_value(
    threads: &Layout,
    values: &Layout,
    complete: bool,
) -> Result<Option<(Vec<BigInt>, Layout)>, Codes> {
    let Some(tile) = interleaved(threads, values, true, complete)? else { return Ok(None) };
    let tile = tile.bounded().map_err(alone)?;
    let inverse = inverse(&tile)?;
    let mode = |extent: BigInt, stride: BigInt| Layout::Leaf(Mode { extent, stride });
    let mut pairs = Layout::Node(vec![mode(threads.size(), 1.into()), mode(values.size(), threads.size())]);
    pairs.normalize();
    Ok(compose(&inverse, &pairs, complete)?.map(|layout| (sizes(&tile), layout)))
}

/// A coordinate that keeps all, as spread.
fn keep(layout: &Layout) -> Tree {
    let modes = spread(layout);
    if modes.len() == 1 { Tree::Keep } else { Tree::Node(modes.iter().map(|_| Tree::Keep).collect()) }
}

/// A tuple with `_` for each mode that it does not reach.
fn reach(coord: &Tree, layout: &Layout) -> Tree {
    match (coord, layout) {
        (Tree::Node(at), Layout::Node(modes)) => {
            let mut at = at.clone();
            while at.len() < modes.len() {
                at.push(Tree::Keep);
            }
            Tree::Node(at)
        }
        _ => coord.clone(),
    }
}

/// The division by tiler with its rests fixed at a coordinate, or with `outer` its tiles.
pub(crate) fn part(layout: &Layout, tiler: &Tiler, coord: &Tree, outer: bool, complete: bool) -> Part {
    let divided = unzipped(layout, tiler, false, &|layout, tile| divide(layout, tile, complete))?;
    let Some((tile, rest)) = divided else { return Ok(None) };
    let at = if outer { vec![reach(coord, &tile), keep(&rest)] } else { vec![keep(&tile), reach(coord, &rest)] };
    let (at, zipped) = (Tree::Node(at), Layout::Node(vec![tile, rest]));
    if !at.weakly_congruent(&zipped.shape()) {
        return Err(alone(Refusal("incongruent")));
    }
    if !inside(&at, &zipped.shape()) {
        return Err(alone(Refusal("out_of_domain")));
    }
    Ok(Some((Layout::Node(picked(&at, &zipped, true)), offset(&at, &zipped))))
}

/// What thread `index` has of a layout, for threads that lie as `threads` says.
pub(crate) fn local(layout: &Layout, threads: &Layout, index: &BigInt, complete: bool) -> Part {
    let extents = sizes(threads);
    if extents.len() > layout.top().len() {
        return Err(alone(Refusal("incongruent")));
    }
    if *index < BigInt::from(0) || *index >= threads.size() {
        return Err(alone(Refusal("out_of_domain")));
    }
    let at = inverse(threads)?.at(index);
    let shape = Tree::Node(extents.iter().cloned().map(Tree::Int).collect());
    let run = |extent: BigInt| {
        let mut run = Layout::Leaf(Mode { extent, stride: 1.into() });
        run.normalize();
        Tiler::By(run)
    };
    let tiler = Tiler::Modes(extents.into_iter().map(run).collect());
    part(layout, &tiler, &index_coord(&at, &shape), true, complete)
}
