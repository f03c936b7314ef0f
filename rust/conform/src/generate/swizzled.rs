//! Swizzled layouts: tiles of powers of two as they are swizzled in kernels, and any layout with any swizzle.

use super::related::elements;
use super::{Rng, composition, coord_for, nested_layout, partial_coord_for};
use crate::tree::Tree;
use serde_json::{Value, json};

/// Coordinates at most: the model and Lean list them.
const LISTED: u64 = 512;

/// A tile whose rows or columns lie side by side; now and then with gaps.
fn tile(rng: &mut Rng) -> Value {
    let (rows, columns) = (1 << rng.below(5), 1 << rng.below(5));
    let pad = if rng.once_in(4) { rng.below(3) } else { 0 };
    let stride = if rng.once_in(2) { [columns + pad, 1] } else { [1, rows + pad] };
    json!({"shape": [rows, columns], "stride": stride})
}

/// A swizzle, an offset and this layout.
fn around(rng: &mut Rng, mut layout: Value) -> Value {
    if rng.once_in(30) {
        return layout;
    }
    let natural = |rng: &mut Rng, most: u64| if rng.once_in(60) { json!(-1) } else { json!(rng.below(most)) };
    let shift = i64::try_from(rng.below(10)).unwrap_or(0) - 4;
    // a number has 64 bits
    let bits = if rng.once_in(60) { json!(rng.between(63, 66)) } else { natural(rng, 4) };
    layout["swizzle"] = json!([bits, natural(rng, 6), shift]);
    layout["offset"] = match rng.below(12) {
        0..5 => json!(0),
        5..8 => json!(rng.below(64) * 16),
        8 if rng.once_in(4) => {
            let below = 1 << rng.below(12);
            json!(u64::MAX - rng.below(below))
        }
        _ => natural(rng, 1 << 10),
    };
    layout
}

/// A swizzled layout.
pub(super) fn swizzled(rng: &mut Rng) -> Value {
    let layout = if rng.once_in(3) { nested_layout(rng, LISTED) } else { tile(rng) };
    around(rng, layout)
}

/// The arguments of an operation on swizzled layouts.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    Some(match op {
        "swizzled_call" => {
            let all = swizzled(rng);
            let shape = Tree::read(&all["shape"]).unwrap_or(Tree::Node(Vec::new()));
            let coord = if rng.once_in(2) { coord_for } else { partial_coord_for };
            let strict = !rng.once_in(8);
            vec![coord(rng, &shape, strict).to_json(), all]
        }
        "swizzled_composition" => {
            let mut pair = composition::pair(rng);
            if let Some(first) = pair.first_mut() {
                *first = around(rng, first.clone());
            }
            pair
        }
        "swizzled_recast" => {
            let layout = if rng.once_in(3) { tile(rng) } else { elements(rng, LISTED) };
            let (small, large) = (*rng.pick(&[1, 4, 8, 8, 16, 32]), 1_u64 << rng.below(4));
            let odd = if rng.once_in(12) { 3 } else { 1 };
            let sizes = [json!(small * odd), json!(small * large)];
            let [a, b] = sizes;
            let all = around(rng, layout);
            if rng.once_in(3) { vec![all, b, a] } else { vec![all, a, b] }
        }
        _ if op.starts_with("swizzled_") => vec![swizzled(rng)],
        _ => return None,
    })
}
