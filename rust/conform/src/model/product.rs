//! Products: a layout, and where its copies lie.

use super::coalesce::filter;
use super::complement::{of_any_size, rounded};
use super::divide::compose;
use super::layout::{Layout, Mode, Split};
use super::refusal::{Codes, Refusal, alone};
use super::shape::{check_shape, read_ints, size};
use super::tiler::one;
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::Value;

/// `(A, C ∘ T)` with the complement C of A, without its repeats, in whole blocks up to `size A · cosize T`.
pub(crate) fn product(layout: &Layout, tiles: &Layout, complete: bool) -> Split {
    let moving = filter(layout);
    let reach = layout.size() * tiles.cosize();
    let starts = of_any_size(&moving, Some(&rounded(&moving, &reach)))?;
    let copies = compose(&starts, tiles, complete)?;
    Ok(copies.map(|copies| Layout::Node(vec![layout.clone(), copies])))
}

/// With at least so many modes.
pub(crate) fn padded(layout: &Layout, rank: usize) -> Layout {
    let mut modes = layout.top();
    while modes.len() < rank {
        modes.push(one());
    }
    Layout::Node(modes)
}

/// The product mode against mode.
pub(crate) fn interleaved(layout: &Layout, tiles: &Layout, raked: bool, complete: bool) -> Split {
    let rank = layout.top().len().max(tiles.top().len());
    let Some(product) = product(&padded(layout, rank), &padded(tiles, rank), complete)? else { return Ok(None) };
    let pair = product.top();
    let [blocks, copies] = pair.as_slice() else { return Ok(None) };
    let pairs = blocks.top().into_iter().zip(copies.top());
    let pairs = pairs.map(|(block, copy)| Layout::Node(if raked { vec![copy, block] } else { vec![block, copy] }));
    Ok(Some(Layout::Node(pairs.collect())))
}

/// Layout, shape and order of `tile_to_shape`.
pub(crate) fn read_shape(args: &[Value]) -> Result<(Layout, Tree, Option<Tree>), Codes> {
    let layout = Layout::read(&args[0]).map_err(alone)?;
    let shape = read_ints(&args[1]).and_then(check_shape).map_err(alone)?;
    let order = args.get(2).map(read_ints).transpose().map_err(alone)?;
    Ok((layout, shape, order))
}

/// The layout whose modes have these extents, filled in this order; of equal numbers the earlier first.
pub(crate) fn ordered(extents: &[BigInt], order: Option<&Tree>) -> Result<Layout, Codes> {
    let ranks: Vec<BigInt> = match order {
        None | Some(Tree::Int(_)) => vec![BigInt::from(0); extents.len()],
        Some(Tree::Node(ranks)) if ranks.len() == extents.len() => {
            let number = |rank: &Tree| if let Tree::Int(n) = rank { Some(n.clone()) } else { None };
            ranks.iter().map(number).collect::<Option<_>>().ok_or(alone(Refusal("incongruent")))?
        }
        Some(_) => return Err(alone(Refusal("incongruent"))),
    };
    let before = |i: usize, j: usize| ranks[i] < ranks[j] || (ranks[i] == ranks[j] && i < j);
    let mode = |j: usize| {
        let stride = (0..extents.len()).filter(|&i| before(i, j)).map(|i| &extents[i]).product();
        Layout::Leaf(Mode { extent: extents[j].clone(), stride })
    };
    let mut layout = Layout::Node((0..extents.len()).map(mode).collect());
    layout.normalize();
    Ok(layout)
}

/// How the copies that fill a shape lie.
pub(crate) fn fillers(layout: &Layout, shape: &Tree, order: Option<&Tree>) -> Result<Layout, Codes> {
    let extents: Vec<BigInt> = match shape {
        Tree::Node(modes) => modes.iter().map(size).collect(),
        leaf => vec![size(leaf)],
    };
    let blocks: Vec<BigInt> = layout.top().iter().map(Layout::size).collect();
    if blocks.len() > extents.len() {
        return Err(alone(Refusal("incongruent")));
    }
    ordered(&extents, order)?;
    if order.is_some_and(|order| order.ints().iter().any(|rank| **rank < BigInt::from(0))) {
        return Err(alone(Refusal("out_of_domain")));
    }
    let block = |i: usize| blocks.get(i).cloned().unwrap_or_else(|| 1.into());
    if (0..extents.len()).any(|i| &extents[i] % block(i) != BigInt::from(0)) {
        return Err(alone(Refusal("not_divisible")));
    }
    let copies: Vec<BigInt> = (0..extents.len()).map(|i| &extents[i] / block(i)).collect();
    ordered(&copies, order)
}

/// Copies that fill a shape.
pub(crate) fn to_shape(layout: &Layout, shape: &Tree, order: Option<&Tree>, complete: bool) -> Split {
    interleaved(layout, &fillers(layout, shape, order)?, false, complete)
}
