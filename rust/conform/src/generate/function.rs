//! Functions given by their values, for `find_layout`.

use super::{Rng, layout};
use crate::model::Layout;
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::Value;

/// The values of a layout of at most `max_size` coordinates, some of them with one value changed, one left out, or one
/// added; now and then numbers without any order.
pub fn function(rng: &mut Rng, max_size: u64) -> Value {
    let mut values: Vec<BigInt> = if rng.once_in(12) {
        (0..rng.between(0, 9)).map(|_| BigInt::from(rng.below(4))).collect()
    } else {
        let (extents, strides) = layout(rng, max_size);
        let tree = |values: Vec<u64>| Tree::Node(values.into_iter().map(|v| Tree::Int(v.into())).collect());
        Layout::of(&tree(extents), &tree(strides)).map(|layout| layout.offsets()).unwrap_or_default()
    };
    let last = values.len().saturating_sub(1) as u64;
    match rng.below(8) {
        0 => {
            let i = usize::try_from(rng.between(0, last)).unwrap_or(0);
            if let Some(value) = values.get_mut(i) {
                *value += 1;
            }
        }
        1 => {
            values.pop();
        }
        2 => values.push(BigInt::from(rng.below(9))),
        3 if rng.once_in(4) => {
            // all values scaled beyond 64 bits: a layout still, but none that fits
            for value in &mut values {
                *value <<= 64;
            }
        }
        _ => {}
    }
    Tree::Node(values.into_iter().map(Tree::Int).collect()).to_json()
}
