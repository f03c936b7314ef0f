//! Shapes.

use super::Rng;
use crate::tree::Tree;

const EXTENTS: [u64; 14] = [1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 1];

/// A flat shape of rank 0 to 6 and size at most `max_size`.
pub fn shape(rng: &mut Rng, max_size: u64) -> Vec<u64> {
    let rank = rng.between(0, 6);
    let mut room = max_size;
    let mut extents = Vec::new();
    for _ in 0..rank {
        let extent = *rng.pick(&EXTENTS);
        let extent = if extent <= room { extent } else { 1 };
        room /= extent;
        extents.push(extent);
    }
    extents
}

/// The same leaves, nested at random to a depth of at most 3; now and then with an empty tuple, or one leaf alone.
pub fn nest(rng: &mut Rng, leaves: &[u64]) -> Tree {
    if leaves.len() == 1 && rng.once_in(3) {
        return Tree::Int(leaves[0].into());
    }
    nest_at(rng, leaves, 3)
}

fn nest_at(rng: &mut Rng, leaves: &[u64], depth: u32) -> Tree {
    let mut modes = Vec::new();
    let mut rest = leaves;
    while !rest.is_empty() {
        if depth > 1 && rng.once_in(3) {
            let take = usize::try_from(rng.between(1, rest.len() as u64)).unwrap_or(1);
            let (head, tail) = rest.split_at(take);
            modes.push(nest_at(rng, head, depth - 1));
            rest = tail;
        } else {
            modes.push(Tree::Int(rest[0].into()));
            rest = &rest[1..];
        }
        if depth > 1 && rng.once_in(40) {
            modes.push(Tree::Node(Vec::new()));
        }
    }
    Tree::Node(modes)
}

/// A number as a product of a few factors, in order: a refinement of it.
pub fn factorised(rng: &mut Rng, n: u64) -> Vec<u64> {
    let mut rest = n;
    let mut factors = Vec::new();
    while rest > 1 && factors.len() < 4 {
        let divisors: Vec<u64> = (2..=rest.min(64)).filter(|d| rest.is_multiple_of(*d)).collect();
        if divisors.is_empty() || rng.once_in(3) {
            break;
        }
        let factor = *rng.pick(&divisors);
        factors.push(factor);
        rest /= factor;
    }
    if rest > 1 || factors.is_empty() {
        factors.push(rest);
    }
    factors
}
