//! Coordinates.

use super::Rng;
use crate::tree::Tree;
use num_bigint::BigInt;

fn size(shape: &Tree) -> u64 {
    shape.ints().into_iter().fold(1u64, |n, e| n.saturating_mul(e.try_into().unwrap_or(u64::MAX)))
}

/// An integer that mostly lies in a mode of that size, and else just beside it.
fn entry(rng: &mut Rng, size: u64, strict: bool) -> Tree {
    if !strict && rng.once_in(30) {
        return Tree::Int(BigInt::from(size) + rng.below(2));
    }
    if !strict && rng.once_in(60) {
        return Tree::Int(BigInt::from(-1));
    }
    Tree::Int(match rng.below(4) {
        0 => BigInt::from(0),
        1 => BigInt::from(size) - 1,
        _ => BigInt::from(rng.below(size)),
    })
}

fn build(rng: &mut Rng, shape: &Tree, keep: u64, strict: bool) -> Tree {
    match shape {
        Tree::Node(modes) if !rng.once_in(4) => {
            let mut coords: Vec<Tree> = modes.iter().map(|mode| build(rng, mode, keep, strict)).collect();
            if !strict && rng.once_in(60) {
                coords.push(Tree::Int(0.into()));
            }
            Tree::Node(coords)
        }
        shape => {
            if keep > 0 && rng.once_in(keep) {
                Tree::Keep
            } else if !strict && rng.once_in(80) {
                Tree::Node(vec![Tree::Int(0.into())])
            } else {
                entry(rng, size(shape), strict)
            }
        }
    }
}

/// A coordinate for a shape: tuples where the shape has some, integers in their place now and then. Unless `strict`, one
/// in some twenty lies outside, or has another nesting.
pub fn coord_for(rng: &mut Rng, shape: &Tree, strict: bool) -> Tree {
    build(rng, shape, 0, strict)
}

/// A coordinate with `_` in it.
pub fn partial_coord_for(rng: &mut Rng, shape: &Tree, strict: bool) -> Tree {
    build(rng, shape, 2, strict)
}
