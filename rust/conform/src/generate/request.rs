//! Whole requests.

use super::{
    Rng, complement, composition, coord_for, factorised, function, nest, nested_layout, partial_coord_for, shape,
    structure, tiling,
};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations that [`request`] knows.
pub const OPS: [&str; 23] = [
    "call",
    "coalesce",
    "compatible",
    "congruent",
    "cosize",
    "crd2idx",
    "depth",
    "dice",
    "eval",
    "filter",
    "filter_zeros",
    "find_layout",
    "flatten",
    "idx2crd",
    "is_contiguous",
    "is_injective",
    "make_layout",
    "rank",
    "refines",
    "size",
    "slice",
    "slice_and_offset",
    "sort",
];

/// The operations on top of those: composition, complement, inverses. `composition_complete` asks for `composition` with
/// `"mode":"complete"`.
pub const ALGEBRA_OPS: [&str; 13] = [
    "complement",
    "complement_ceil",
    "composition",
    "composition_by_mode",
    "composition_complete",
    "composition_extended",
    "inverse",
    "left_inverse",
    "max_common_layout",
    "max_common_vector",
    "nullspace",
    "quasi_left_inverse",
    "right_inverse",
];

/// A request for an operation on one layout.
pub fn unary_request(id: u64, op: &str, layout: &Value) -> Value {
    json!({"id": id, "op": op, "args": [layout]})
}

fn tree(value: &Value) -> Tree {
    Tree::read(value).unwrap_or(Tree::Node(Vec::new()))
}

/// A nested shape, or now and then a layout in its place.
pub(super) fn shape_or_layout(rng: &mut Rng, max_size: u64) -> Value {
    if rng.once_in(3) {
        nested_layout(rng, max_size)
    } else {
        let leaves = shape(rng, max_size.min(1 << 20));
        nest(rng, &leaves).to_json()
    }
}

/// A coarser shape of the same size: some modes multiplied out.
fn coarsened(rng: &mut Rng, fine: &Tree) -> Tree {
    match fine {
        Tree::Node(modes) if !rng.once_in(3) => Tree::Node(modes.iter().map(|mode| coarsened(rng, mode)).collect()),
        other => Tree::Int(other.ints().into_iter().product()),
    }
}

/// A finer shape of the same size: some leaves split.
fn refined(rng: &mut Rng, coarse: &Tree) -> Tree {
    match coarse {
        Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| refined(rng, mode)).collect()),
        Tree::Int(n) if rng.once_in(2) => {
            let factors = factorised(rng, n.try_into().unwrap_or(1));
            nest(rng, &factors)
        }
        other => other.clone(),
    }
}

pub(super) fn two_shapes(rng: &mut Rng, max_size: u64) -> (Value, Value) {
    let leaves = shape(rng, max_size.min(1 << 20));
    let first = nest(rng, &leaves);
    let mut second = match rng.below(4) {
        0 => coarsened(rng, &first),
        1 => refined(rng, &first),
        2 => first.clone(),
        _ => nest(rng, &leaves),
    };
    if rng.once_in(4) {
        let mut values: Vec<BigInt> = second.ints().into_iter().cloned().collect();
        if let Some(value) = values.first_mut() {
            *value += 1;
        }
        second = second.refill(&mut values.into_iter());
    }
    if rng.once_in(2) { (first.to_json(), second.to_json()) } else { (second.to_json(), first.to_json()) }
}

/// A profile for a layout: a coarsening of its nesting, perhaps with fewer modes, now and then with one too many.
fn profile(rng: &mut Rng, shape: &Tree) -> Tree {
    match shape {
        Tree::Node(modes) if !rng.once_in(3) => {
            let take = usize::try_from(rng.between(0, modes.len() as u64)).unwrap_or(0);
            let mut parts: Vec<Tree> = modes.iter().take(take).map(|mode| profile(rng, mode)).collect();
            if rng.once_in(25) {
                parts.extend(modes.iter().skip(take).map(|_| Tree::Int(0.into())));
                parts.push(Tree::Int(0.into()));
            }
            Tree::Node(parts)
        }
        Tree::Int(_) if rng.once_in(6) => Tree::Node(vec![Tree::Int(rng.below(3).into())]),
        _ => Tree::Int(rng.below(3).into()),
    }
}

/// A random request for `op`. Layouts have at most `max_size` coordinates; `u64::MAX` also draws values around 2^64 where
/// the operation does not enumerate.
pub fn request(rng: &mut Rng, id: u64, op: &str, max_size: u64) -> Value {
    // these list the coordinates in the model and in Lean, so their layouts stay small
    let listed = max_size.min(512);
    let args = match op {
        "composition_complete" => {
            return json!({"id": id, "op": "composition", "args": composition::pair(rng), "mode": "complete"});
        }
        "composition" | "composition_extended" => composition::pair(rng),
        "composition_by_mode" => composition::by_mode(rng),
        "with_shape_complete" => {
            let args = structure::arguments(rng, op, max_size);
            return json!({"id": id, "op": "with_shape", "args": args, "mode": "complete"});
        }
        op if structure::STRUCTURE_OPS.contains(&op) => structure::arguments(rng, op, max_size),
        op if tiling::TILING_OPS.contains(&op) => tiling::arguments(rng, op),
        "complement" => complement::with_cotarget(rng, false),
        "complement_ceil" => complement::with_cotarget(rng, true),
        "inverse" | "left_inverse" | "nullspace" | "quasi_left_inverse" | "right_inverse" => complement::one(rng),
        "max_common_layout" | "max_common_vector" => complement::two(rng),
        "eval" | "is_injective" | "is_contiguous" => vec![nested_layout(rng, listed)],
        "find_layout" => vec![function(rng, listed)],
        "size" | "rank" | "depth" | "flatten" => vec![shape_or_layout(rng, max_size)],
        "congruent" | "compatible" | "refines" => {
            let (a, b) = two_shapes(rng, max_size);
            vec![a, b]
        }
        "idx2crd" => {
            let shape = shape_or_layout(rng, max_size);
            let extents = tree(shape.get("shape").unwrap_or(&shape));
            let size: BigInt = extents.ints().into_iter().product();
            let size: u64 = size.try_into().unwrap_or(u64::MAX);
            let index = if rng.once_in(20) { BigInt::from(size) + rng.below(2) } else { rng.below(size).into() };
            vec![crate::tree::int_json(&index), shape]
        }
        "crd2idx" => {
            let layout = nested_layout(rng, max_size);
            let strict = rng.once_in(2);
            let coord = if rng.once_in(4) {
                partial_coord_for(rng, &tree(&layout["shape"]), strict)
            } else {
                coord_for(rng, &tree(&layout["shape"]), strict)
            };
            match rng.below(3) {
                0 => vec![coord.to_json(), layout["shape"].clone()],
                1 => vec![coord.to_json(), layout],
                _ => vec![coord.to_json(), layout["shape"].clone(), layout["stride"].clone()],
            }
        }
        "call" | "slice" | "dice" | "slice_and_offset" => {
            let layout = nested_layout(rng, max_size);
            let shape = tree(&layout["shape"]);
            let strict = rng.once_in(2);
            let coord = if op == "call" && rng.once_in(2) {
                coord_for(rng, &shape, strict)
            } else {
                partial_coord_for(rng, &shape, strict)
            };
            vec![coord.to_json(), layout]
        }
        "make_layout" => (0..rng.between(0, 4)).map(|_| nested_layout(rng, max_size)).collect(),
        "coalesce" | "filter" if rng.once_in(2) => {
            let layout = nested_layout(rng, max_size);
            let profile = profile(rng, &tree(&layout["shape"]));
            vec![layout, profile.to_json()]
        }
        _ => vec![nested_layout(rng, max_size)],
    };
    json!({"id": id, "op": op, "args": args})
}
