//! Shapes: tuples of extents.

use super::refusal::{Refusal, Result};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::Value;

/// 2^64: no size or cosize reaches it.
pub fn limit() -> BigInt {
    BigInt::from(1u8) << 64
}

/// Reads a tuple without `_`.
pub(crate) fn read_ints(value: &Value) -> Result<Tree> {
    let tree = Tree::read(value)?;
    if tree.has_keep() { Err(Refusal("parse")) } else { Ok(tree) }
}

/// A shape: extents at least 1, size below 2^64.
pub(crate) fn check_shape(tree: Tree) -> Result<Tree> {
    if tree.ints().iter().any(|&n| *n < BigInt::from(1)) {
        return Err(Refusal("extent"));
    }
    if size(&tree) >= limit() { Err(Refusal("overflow")) } else { Ok(tree) }
}

/// The product of the leaves.
pub(crate) fn size(tree: &Tree) -> BigInt {
    tree.ints().into_iter().product()
}

pub(crate) fn compatible(coarse: &Tree, fine: &Tree) -> bool {
    match (coarse, fine) {
        (Tree::Int(n), fine) => *n == size(fine),
        (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b)),
        _ => false,
    }
}
