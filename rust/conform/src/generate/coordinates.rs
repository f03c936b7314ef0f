//! Layouts of coordinates: identities, permuted and tiled ones, and strides of any kind.

use super::{Rng, composition, coord_for, nested_layout, partial_coord_for};
use crate::tree::Tree;
use serde_json::{Map, Value, json};

/// Coordinates at most: the model and Lean list them.
const LISTED: u64 = 512;

/// Units of one nesting.
const FLAT: [&str; 3] = ["1@0", "1@1", "1@2"];
const NESTED: [&str; 3] = ["1@0@0", "1@1@0", "1@1"];

/// A stride in place of one of integers: 0, one basis element or several.
fn stride(rng: &mut Rng, units: &[&str], of: &Value) -> Value {
    if let Value::Array(modes) = of {
        return modes.iter().map(|mode| stride(rng, units, mode)).collect();
    }
    if rng.once_in(150) {
        // no stride, or one that nothing else is nested like
        return rng.pick(&[json!(null), json!({"2@0": 1}), json!({"1@0@0@0": 1}), json!(3), json!({})]).clone();
    }
    if rng.once_in(8) {
        return json!(0);
    }
    let count = if rng.once_in(6) { 2 } else { 1 };
    let mut terms = Map::new();
    for _ in 0..count {
        let times = match rng.below(40) {
            0 => json!(-1),
            1 => json!(u64::MAX),
            2..10 => of.clone(),
            _ => json!(rng.between(0, 5)),
        };
        terms.insert((*rng.pick(units)).to_owned(), times);
    }
    Value::Object(terms)
}

/// The steps of an identity over the leaves in turn: 1, then what goes on with them.
fn regular(rng: &mut Rng, units: &[&str], shape: &Value, next: &mut [u64; 3]) -> Value {
    if let Value::Array(modes) = shape {
        return modes.iter().map(|mode| regular(rng, units, mode, next)).collect();
    }
    let at = usize::try_from(rng.below(units.len() as u64)).unwrap_or(0);
    let step = next[at];
    next[at] = step.saturating_mul(shape.as_u64().unwrap_or(1));
    json!({units[at]: step})
}

/// A layout with coordinates in place of strides.
fn around(rng: &mut Rng, mut layout: Value) -> Value {
    if rng.once_in(30) {
        return layout;
    }
    let units = if rng.once_in(4) { &NESTED } else { &FLAT };
    let units = &units[..usize::try_from(rng.between(1, 3)).unwrap_or(1)];
    let shape = layout["shape"].clone();
    layout["stride"] =
        if rng.once_in(2) { regular(rng, units, &shape, &mut [1; 3]) } else { stride(rng, units, &layout["stride"]) };
    if rng.once_in(3) {
        layout["offset"] = match rng.below(14) {
            0 => json!([rng.below(9), [1, 2]]),
            1 => json!([-1, 0]),
            2 => json!([u64::MAX - rng.below(64)]),
            3 => json!(rng.below(2)),
            _ if units[0] == "1@0" => json!([rng.below(9), rng.below(9)]),
            _ => json!([[rng.below(9), 0], rng.below(9)]),
        };
    }
    layout
}

/// A layout of coordinates.
pub(super) fn coordinates(rng: &mut Rng) -> Value {
    let layout = nested_layout(rng, LISTED);
    around(rng, layout)
}

/// The arguments of an operation on layouts of coordinates.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    Some(match op {
        "coord_call" => {
            let all = coordinates(rng);
            let shape = Tree::read(&all["shape"]).unwrap_or(Tree::Node(Vec::new()));
            let coord = if rng.once_in(2) { coord_for } else { partial_coord_for };
            let strict = !rng.once_in(8);
            vec![coord(rng, &shape, strict).to_json(), all]
        }
        "coord_composition" => {
            let mut pair = composition::pair(rng);
            if let Some(first) = pair.first_mut() {
                *first = around(rng, first.clone());
            }
            pair
        }
        _ if op.starts_with("coord_") => vec![coordinates(rng)],
        _ => return None,
    })
}
