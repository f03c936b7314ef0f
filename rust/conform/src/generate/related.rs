//! Operands that have to fit another operand: modes, divisors, ranks, elements.

use super::request::shape_or_layout;
use super::{Rng, factorised, nest, nested_layout, shape};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

fn tree(value: &Value) -> Tree {
    Tree::read(value.get("shape").unwrap_or(value)).unwrap_or(Tree::Node(Vec::new()))
}

/// A shape where the other is one, a layout where it is one; now and then not.
pub(super) fn like(rng: &mut Rng, other: &Value, max_size: u64) -> Value {
    if other.is_object() == rng.once_in(60) {
        let leaves = shape(rng, 64);
        nest(rng, &leaves).to_json()
    } else {
        nested_layout(rng, max_size)
    }
}

/// A number around the ends of a range.
pub(super) fn near(rng: &mut Rng, end: u64) -> Value {
    if rng.once_in(40) { json!(-1) } else { json!(rng.below(end + 2)) }
}

/// A tree whose modes are pairs wherever the guide has a leaf.
fn paired(rng: &mut Rng, guide: &Tree) -> Tree {
    match guide {
        Tree::Node(guides) => {
            let mut modes: Vec<Tree> = guides.iter().map(|guide| paired(rng, guide)).collect();
            for _ in 0..rng.below(3) {
                let leaves = shape(rng, 16);
                modes.push(nest(rng, &leaves));
            }
            Tree::Node(modes)
        }
        _ if rng.once_in(25) => Tree::Int(rng.between(1, 4).into()),
        _ => Tree::Node(
            (0..2)
                .map(|_| {
                    let leaves = shape(rng, 8);
                    nest(rng, &leaves)
                })
                .collect(),
        ),
    }
}

/// The shape itself, or a layout of it.
fn shape_or_its_layout(rng: &mut Rng, shape: &Tree) -> Value {
    if rng.once_in(2) {
        return shape.to_json();
    }
    let strides: Vec<BigInt> = shape.ints().iter().map(|_| rng.below(40).into()).collect();
    json!({"shape": shape.to_json(), "stride": shape.refill(&mut strides.into_iter()).to_json()})
}

/// What a shape may be divided by: mostly something that divides it.
pub(super) fn divisor(rng: &mut Rng, shape: &Tree) -> Tree {
    match shape {
        Tree::Node(modes) if !rng.once_in(3) => {
            let take = if rng.once_in(3) { rng.below(modes.len() as u64 + 2) } else { modes.len() as u64 };
            let mut parts: Vec<Tree> =
                modes.iter().take(usize::try_from(take).unwrap_or(0)).map(|mode| divisor(rng, mode)).collect();
            if take > modes.len() as u64 {
                parts.push(Tree::Int(1.into()));
            }
            Tree::Node(parts)
        }
        shape => {
            let mut n = 1_u64;
            for extent in shape.ints() {
                let extent: u64 = extent.try_into().unwrap_or(1);
                let factors = factorised(rng, extent);
                if rng.once_in(2) {
                    n = n.saturating_mul(extent);
                } else {
                    n = n.saturating_mul(*rng.pick(&factors));
                    break;
                }
            }
            let n = if rng.once_in(4) { rng.between(1, 40) } else { n };
            if rng.once_in(12) { Tree::Node(vec![Tree::Int(n.into())]) } else { Tree::Int(n.into()) }
        }
    }
}

/// A tuple of numbers that is nested like a shape or less.
pub(super) fn coarser(rng: &mut Rng, shape: &Tree, numbers: u64) -> Tree {
    match shape {
        Tree::Node(modes) if !rng.once_in(4) => {
            let mut parts: Vec<Tree> = modes.iter().map(|mode| coarser(rng, mode, numbers)).collect();
            if rng.once_in(40) {
                parts.push(Tree::Int(1.into()));
            }
            Tree::Node(parts)
        }
        _ if rng.once_in(60) => Tree::Int((-1).into()),
        _ => Tree::Int(rng.below(numbers).into()),
    }
}

/// A layout of elements that may well be regrouped: strides are products of small numbers from a unit on.
pub(super) fn elements(rng: &mut Rng, max_size: u64) -> Value {
    if rng.once_in(3) {
        return nested_layout(rng, max_size);
    }
    let extents: Vec<u64> = (0..rng.between(1, 4)).map(|_| *rng.pick(&[1, 2, 2, 3, 4, 4, 6, 8, 12])).collect();
    let order = rng.shuffled((0..extents.len()).collect::<Vec<_>>());
    let mut strides = vec![0; extents.len()];
    let mut next = *rng.pick(&[1, 1, 1, 2, 3, 4]);
    for i in order {
        strides[i] = if rng.once_in(8) { 0 } else { next };
        if !rng.once_in(6) {
            next *= extents[i];
        }
        if rng.once_in(6) {
            next *= rng.between(1, 3);
        }
    }
    let shape = nest(rng, &extents);
    let stride = shape.refill(&mut strides.into_iter().map(BigInt::from));
    json!({"shape": shape.to_json(), "stride": stride.to_json()})
}

/// A number of elements; now and then none, or too many.
pub(super) fn count(rng: &mut Rng, max_size: u64) -> Value {
    match rng.below(40) {
        0 => json!(0),
        1 => json!(-3),
        2 if max_size == u64::MAX => int_json(&(BigInt::from(1) << 64)),
        3 if max_size == u64::MAX => json!(u64::MAX - rng.below(2)),
        _ => json!(*rng.pick(&[1, 2, 2, 3, 4, 4, 6, 8, 8, 16])),
    }
}

/// The arguments of a random request for an operation whose operands have to fit one another more than their kinds say.
pub(super) fn arguments(rng: &mut Rng, op: &str, max_size: u64) -> Option<Vec<Value>> {
    Some(match op {
        "zip" if rng.once_in(2) => {
            let columns = rng.between(1, 3);
            let rows: Vec<Tree> = (0..rng.between(1, 3))
                .map(|_| {
                    let columns = if rng.once_in(20) { columns + 1 } else { columns };
                    Tree::Node(
                        (0..columns)
                            .map(|_| {
                                let leaves = shape(rng, 8);
                                nest(rng, &leaves)
                            })
                            .collect(),
                    )
                })
                .collect();
            vec![shape_or_its_layout(rng, &Tree::Node(rows))]
        }
        "zip" => {
            let first = shape_or_layout(rng, max_size.min(1 << 16));
            let mut second = like(rng, &first, 64);
            for _ in 0..8 {
                if tree(&second).rank() == tree(&first).rank() {
                    break;
                }
                second = like(rng, &first, 64);
            }
            vec![first, second]
        }
        "unzip" => {
            let leaves = shape(rng, 16);
            let guide = nest(rng, &leaves);
            let whole = paired(rng, &guide);
            vec![shape_or_its_layout(rng, &whole), guide.to_json()]
        }
        "upcast" | "downcast" => {
            let max_size = if rng.once_in(16) { max_size } else { max_size.min(1 << 12) };
            vec![elements(rng, max_size), count(rng, max_size)]
        }
        "recast" => {
            let max_size = if rng.once_in(16) { max_size } else { max_size.min(1 << 12) };
            vec![elements(rng, max_size), count(rng, max_size), count(rng, max_size)]
        }
        "max_alignment" => vec![elements(rng, max_size)],
        _ => return None,
    })
}
