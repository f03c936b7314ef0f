//! Operands of what rearranges, divides, makes and recasts.

use super::request::{shape_or_layout, two_shapes};
use super::{Rng, coord_for, factorised, nest, nested_layout, partial_coord_for, shape};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations on modes, shapes and elements. `with_shape_complete` asks for `with_shape` with `"mode":"complete"`.
pub const STRUCTURE_OPS: [&str; 28] = [
    "append",
    "ceil_div",
    "coshape",
    "crd2crd",
    "domain_distribute",
    "downcast",
    "evenly_divides",
    "group",
    "inner_product",
    "make_layout_left",
    "make_layout_like",
    "make_layout_right",
    "make_ordered_layout",
    "max_alignment",
    "prefix_product",
    "prepend",
    "recast",
    "replace",
    "round_up",
    "select",
    "shape_div",
    "take",
    "unzip",
    "upcast",
    "weakly_congruent",
    "with_shape",
    "with_shape_complete",
    "zip",
];

fn tree(value: &Value) -> Tree {
    Tree::read(value.get("shape").unwrap_or(value)).unwrap_or(Tree::Node(Vec::new()))
}

fn rank(value: &Value) -> u64 {
    tree(value).rank() as u64
}

/// A shape where the other is one, a layout where it is one; now and then not.
fn like(rng: &mut Rng, other: &Value, max_size: u64) -> Value {
    if other.is_object() == rng.once_in(60) {
        let leaves = shape(rng, 64);
        nest(rng, &leaves).to_json()
    } else {
        nested_layout(rng, max_size)
    }
}

/// A number around the ends of a range.
fn near(rng: &mut Rng, end: u64) -> Value {
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
fn divisor(rng: &mut Rng, shape: &Tree) -> Tree {
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
fn coarser(rng: &mut Rng, shape: &Tree, numbers: u64) -> Tree {
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
fn elements(rng: &mut Rng, max_size: u64) -> Value {
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
fn count(rng: &mut Rng, max_size: u64) -> Value {
    match rng.below(40) {
        0 => json!(0),
        1 => json!(-3),
        2 if max_size == u64::MAX => int_json(&(BigInt::from(1) << 64)),
        3 if max_size == u64::MAX => json!(u64::MAX - rng.below(2)),
        _ => json!(*rng.pick(&[1, 2, 2, 3, 4, 4, 6, 8, 8, 16])),
    }
}

/// The arguments of a random request for `op`, one of [`STRUCTURE_OPS`].
pub(super) fn arguments(rng: &mut Rng, op: &str, max_size: u64) -> Vec<Value> {
    match op {
        "append" | "prepend" => {
            let first = shape_or_layout(rng, max_size);
            let rank = match rng.below(60) {
                0 => json!(65537),
                1 => json!(-1),
                _ => json!((rank(&first) + rng.below(4)).saturating_sub(u64::from(rng.once_in(6)))),
            };
            if rng.once_in(3) {
                let more = like(rng, &first, 64);
                vec![first, rank, more]
            } else {
                vec![first, rank]
            }
        }
        "group" | "take" => {
            let first = shape_or_layout(rng, max_size);
            let (begin, end) = (near(rng, rank(&first)), near(rng, rank(&first)));
            let swap = begin.as_i64() > end.as_i64() && !rng.once_in(8);
            if swap { vec![first, end, begin] } else { vec![first, begin, end] }
        }
        "select" => {
            let first = shape_or_layout(rng, max_size);
            let places: Vec<Value> = (0..rng.below(4))
                .map(|_| if rng.once_in(12) { near(rng, rank(&first)) } else { json!(rng.below(rank(&first).max(1))) })
                .collect();
            vec![first, json!(places)]
        }
        "replace" => {
            let first = shape_or_layout(rng, max_size);
            let at = if rng.once_in(8) { near(rng, rank(&first)) } else { json!(rng.below(rank(&first).max(1))) };
            let mode = like(rng, &first, 64);
            vec![first, at, mode]
        }
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
        "ceil_div" | "shape_div" | "round_up" | "evenly_divides" => {
            let leaves = shape(rng, max_size.min(1 << 40));
            let whole = nest(rng, &leaves);
            let by = divisor(rng, &whole);
            let first = if op == "evenly_divides" { shape_or_its_layout(rng, &whole) } else { whole.to_json() };
            vec![first, by.to_json()]
        }
        "prefix_product" => {
            let first = shape_or_layout(rng, max_size);
            if rng.once_in(2) {
                return vec![first];
            }
            let start = coarser(rng, &tree(&first), 6);
            let start = if rng.once_in(6) { start } else { Tree::Int((1 + rng.below(9)).into()) };
            vec![first, start.to_json()]
        }
        "inner_product" => {
            let layout = nested_layout(rng, max_size);
            let coord = if rng.once_in(6) {
                coarser(rng, &tree(&layout), 9)
            } else {
                let all: Vec<BigInt> = tree(&layout).ints().iter().map(|_| rng.below(9).into()).collect();
                tree(&layout).refill(&mut all.into_iter())
            };
            vec![coord.to_json(), layout["stride"].clone()]
        }
        "crd2crd" => {
            let (from, to) = two_shapes(rng, max_size);
            let strict = rng.once_in(2);
            let coord = if rng.once_in(5) {
                partial_coord_for(rng, &tree(&from), strict)
            } else {
                coord_for(rng, &tree(&from), strict)
            };
            vec![coord.to_json(), from, to]
        }
        "weakly_congruent" => {
            let (a, b) = two_shapes(rng, max_size);
            vec![a, b]
        }
        "make_layout_left" | "make_layout_right" => vec![shape_or_layout(rng, max_size)],
        "make_ordered_layout" => {
            let first = shape_or_layout(rng, max_size);
            let order = coarser(rng, &tree(&first), 5);
            vec![first, order.to_json()]
        }
        "with_shape" | "with_shape_complete" => {
            // the second shape has the size of the first, or divides it
            let layout = nested_layout(rng, max_size.min(1 << 10));
            let extents = tree(&layout);
            let size: BigInt = extents.ints().into_iter().product();
            let size: u64 = size.try_into().unwrap_or(1);
            let mut factors = factorised(rng, size);
            if rng.once_in(3) {
                factors.truncate(usize::try_from(rng.between(0, 3)).unwrap_or(0));
            }
            if rng.once_in(12) {
                factors.push(rng.between(1, 3));
            }
            let other = nest(rng, &factors);
            vec![layout, other.to_json()]
        }
        "domain_distribute" => vec![shape_or_layout(rng, max_size), count(rng, max_size)],
        "upcast" | "downcast" => vec![elements(rng, max_size), count(rng, max_size)],
        "recast" => vec![elements(rng, max_size), count(rng, max_size), count(rng, max_size)],
        "max_alignment" => vec![elements(rng, max_size)],
        _ => vec![nested_layout(rng, max_size)],
    }
}
