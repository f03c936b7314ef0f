//! Coordinates: mixed radix, first mode fastest.

use super::layout::Layout;
use super::shape::size;
use crate::tree::Tree;
use num_bigint::BigInt;

pub(crate) fn inside(coord: &Tree, shape: &Tree) -> bool {
    match (coord, shape) {
        (Tree::Int(x), shape) => *x >= BigInt::from(0) && *x < size(shape),
        (Tree::Node(cs), Tree::Node(ss)) => cs.iter().zip(ss).all(|(c, s)| inside(c, s)),
        _ => true,
    }
}

/// The linear index of a coordinate: mode by mode, each worth the product of the sizes before it.
pub(crate) fn index(coord: &Tree, shape: &Tree) -> BigInt {
    match (coord, shape) {
        (Tree::Int(x), _) => x.clone(),
        (Tree::Node(cs), Tree::Node(ss)) => {
            let mut worth = BigInt::from(1);
            let mut sum = BigInt::from(0);
            for (c, s) in cs.iter().zip(ss) {
                sum += index(c, s) * &worth;
                worth *= size(s);
            }
            sum
        }
        _ => BigInt::from(0),
    }
}

pub(crate) fn index_coord(index: &BigInt, shape: &Tree) -> Tree {
    let mut rest = index.clone();
    let mut digits = Vec::new();
    for extent in shape.ints() {
        digits.push(&rest % extent);
        rest /= extent;
    }
    shape.refill(&mut digits.into_iter())
}

/// The modes under a `_` (or, with `want` false, under an integer).
pub(crate) fn picked(coord: &Tree, layout: &Layout, want: bool) -> Vec<Layout> {
    match (coord, layout) {
        (Tree::Node(cs), Layout::Node(ls)) => cs.iter().zip(ls).flat_map(|(c, l)| picked(c, l, want)).collect(),
        (leaf, layout) => {
            if (*leaf == Tree::Keep) == want {
                vec![layout.clone()]
            } else {
                Vec::new()
            }
        }
    }
}

pub(crate) fn offset(coord: &Tree, layout: &Layout) -> BigInt {
    layout.at(&index(coord, &layout.shape()))
}
