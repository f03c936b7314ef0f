//! Whole requests.

use super::{
    Rng, bank, category, complement, composition, coordinates, encodings, factorised, function, function_over, kinds,
    linear, nest, nested_layout, operation, related, relation, schedules, shape, swizzled, tiles, tma,
};
use crate::tree::Tree;
use num_bigint::BigInt;
use razorgirl_protocol::Mode;
use serde_json::{Value, json};

/// A request for an operation on one layout.
pub fn unary_request(id: u64, op: &str, layout: &Value) -> Value {
    json!({"id": id, "op": op, "args": [layout]})
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
pub(super) fn refined(rng: &mut Rng, coarse: &Tree) -> Tree {
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
pub(super) fn profile(rng: &mut Rng, shape: &Tree) -> Tree {
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

/// A random request for one of the [`names`](super::names). Layouts have at most `max_size` coordinates; `u64::MAX` also
/// draws values around 2^64 where the operation does not enumerate.
pub fn request(rng: &mut Rng, id: u64, name: &str, max_size: u64) -> Value {
    let Some((op, mode)) = operation(name) else {
        return unary_request(id, name, &nested_layout(rng, max_size));
    };
    let args = linear::arguments(rng, op).or_else(|| correlated(rng, op.name, max_size)).unwrap_or_else(|| {
        // these list the coordinates in the model and in Lean, so their layouts stay small
        let listed = matches!(op.name, "eval" | "is_injective" | "is_contiguous");
        kinds::arguments(rng, op, if listed { max_size.min(512) } else { max_size })
    });
    let mut request = json!({"id": id, "op": op.name, "args": args});
    if mode != Mode::Strict {
        request["mode"] = mode.name().into();
    }
    request
}

/// Arguments of an operation whose operands have to fit one another more than their kinds say.
fn correlated(rng: &mut Rng, op: &str, max_size: u64) -> Option<Vec<Value>> {
    Some(match op {
        "composition" | "composition_extended" => composition::pair(rng),
        "composition_by_mode" => composition::by_mode(rng),
        "largest_extent" => {
            let mut pair = composition::pair(rng);
            let extents = |layout: &Value| Tree::read(&layout["shape"]).map_or(1, |shape| shape.ints().len());
            let leaves = pair.get(1).map_or(1, extents) as u64;
            let past = u64::from(rng.once_in(40));
            pair.push(rng.below(leaves.max(1) + past).into());
            pair
        }
        "complement" => complement::with_cotarget(rng, false),
        "complement_ceil" => complement::with_cotarget(rng, true),
        "inverse" | "left_inverse" | "nullspace" | "quasi_left_inverse" | "right_inverse" => complement::one(rng),
        "max_common_layout" | "max_common_vector" => complement::two(rng),
        "find_layout" => vec![function(rng, max_size.min(512))],
        "find_layout_over" => function_over(rng, max_size.min(256)),
        "schedule_equivalent" | "schedule_equivalent_e2" | "schedule_equivalent_valid_items" => {
            schedules(rng, 6, 48).to_vec()
        }
        _ => {
            return category::arguments(rng, op)
                .or_else(|| relation::arguments(rng, op))
                .or_else(|| related::arguments(rng, op, max_size))
                .or_else(|| tiles::arguments(rng, op))
                .or_else(|| swizzled::arguments(rng, op))
                .or_else(|| coordinates::arguments(rng, op))
                .or_else(|| bank::arguments(rng, op))
                .or_else(|| encodings::arguments(rng, op))
                .or_else(|| tma::arguments(rng, op));
        }
    })
}
