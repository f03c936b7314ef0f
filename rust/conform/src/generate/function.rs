//! Functions given by their values, for `find_layout` and `find_layout_over`.

use super::shape::{factorised, nest, shape};
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

/// A nested shape of at most `max_size` coordinates and values on it: a constant and a layout of a refinement with strides from
/// -12 to 27, some of them with values changed, one left out or one too large; now and then small numbers without any order.
pub fn function_over(rng: &mut Rng, max_size: u64) -> Vec<Value> {
    let extents = shape(rng, max_size);
    let signed = |rng: &mut Rng, low: i64, high: i64| {
        low + i64::try_from(rng.below((high - low + 1).unsigned_abs())).unwrap_or(0)
    };
    let constant = if rng.once_in(3) { 0 } else { signed(rng, -40, 40) };
    let least = if rng.once_in(2) { 0 } else { -12 };
    let mut values = vec![BigInt::from(constant)];
    for extent in &extents {
        for factor in factorised(rng, *extent) {
            let stride = signed(rng, least, 27);
            let block = values.clone();
            for k in 1..factor {
                values.extend(block.iter().map(|value| value + BigInt::from(k) * stride));
            }
        }
    }
    let last = values.len() as u64 - 1;
    let place = usize::try_from(rng.between(0, last)).unwrap_or(0);
    match rng.below(10) {
        0..=2 => values[place] += signed(rng, -3, 3),
        3 => {
            for value in &mut values {
                *value = signed(rng, 0, 2).into();
            }
        }
        4 if rng.once_in(4) => values.push(0.into()),
        5 if rng.once_in(4) => values[place] <<= 64,
        6 if rng.once_in(4) => {
            // as large as it goes: the layout does not fit
            for value in &mut values {
                *value = &*value * ((BigInt::from(1) << 64) - 1) / 1200;
            }
        }
        _ => {}
    }
    vec![nest(rng, &extents).to_json(), Tree::Node(values.into_iter().map(Tree::Int).collect()).to_json()]
}
