//! Layouts.

use super::{Rng, nest, shape};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// What strides look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// compact, first mode fastest
    Column,
    /// compact, modes in some order
    Permuted,
    /// in some order with gaps between the modes
    Gap,
    /// some modes repeat the same data
    Broadcast,
    /// many extents of 1, with strides of any kind
    Ones,
    /// neighbours that merge, or miss it by one
    Merging,
    /// strides that overlap, or only just do not
    Overlapping,
    /// anything small
    Wild,
    /// sizes and strides at the edge of 64 bits
    Huge,
}

const KINDS: [Kind; 9] = [
    Kind::Column,
    Kind::Permuted,
    Kind::Gap,
    Kind::Broadcast,
    Kind::Ones,
    Kind::Merging,
    Kind::Overlapping,
    Kind::Wild,
    Kind::Huge,
];

/// Flat extents and strides. Sizes stay below `max_size` except for [`Kind::Huge`], which `max_size` at `u64::MAX` allows.
pub fn layout(rng: &mut Rng, max_size: u64) -> (Vec<u64>, Vec<u64>) {
    let mut kind = *rng.pick(&KINDS);
    if kind == Kind::Huge && max_size < u64::MAX {
        kind = Kind::Wild;
    }
    if kind == Kind::Huge {
        return huge(rng);
    }
    let mut extents = shape(rng, max_size.min(4096));
    let compact = |extents: &[u64]| {
        let mut next = 1u64;
        extents
            .iter()
            .map(|e| {
                let stride = next;
                next = next.saturating_mul(*e);
                stride
            })
            .collect::<Vec<_>>()
    };
    let strides = match kind {
        Kind::Column | Kind::Huge => compact(&extents),
        Kind::Permuted | Kind::Gap | Kind::Broadcast => {
            let order = rng.shuffled((0..extents.len()).collect::<Vec<_>>());
            let mut strides = vec![0; extents.len()];
            let mut next = 1u64;
            for i in order {
                if kind == Kind::Gap && rng.once_in(2) {
                    next *= rng.between(1, 3);
                }
                strides[i] = if kind == Kind::Broadcast && rng.once_in(2) { 0 } else { next };
                next = next.saturating_mul(extents[i]);
            }
            strides
        }
        Kind::Ones => {
            for extent in &mut extents {
                if rng.once_in(2) {
                    *extent = 1;
                }
            }
            extents.iter().map(|_| rng.below(9)).collect()
        }
        Kind::Merging => {
            let mut strides = Vec::new();
            let mut next = rng.below(4);
            for extent in &extents {
                strides.push(next);
                next = match rng.below(6) {
                    0 => next * extent + 1,
                    1 => (next * extent).saturating_sub(1),
                    2 => next,
                    _ => next * extent,
                };
            }
            strides
        }
        Kind::Overlapping => {
            let mut strides = Vec::new();
            let mut reach = 0;
            for extent in &extents {
                let stride = match rng.below(3) {
                    0 => reach + 1,
                    1 => reach,
                    _ => rng.below(reach + 2),
                };
                strides.push(stride);
                reach += (extent - 1) * stride;
            }
            let order = rng.shuffled((0..extents.len()).collect::<Vec<_>>());
            return (order.iter().map(|&i| extents[i]).collect(), order.iter().map(|&i| strides[i]).collect());
        }
        Kind::Wild => extents.iter().map(|_| if rng.once_in(4) { rng.below(100) } else { rng.below(8) }).collect(),
    };
    (extents, strides)
}

/// Size and cosize around 2^64, on either side.
fn huge(rng: &mut Rng) -> (Vec<u64>, Vec<u64>) {
    let rank = rng.between(1, 5);
    let mut extents = Vec::new();
    let mut strides = Vec::new();
    let mut bits = 0;
    for _ in 0..rank {
        let e = rng.between(0, 66u64.saturating_sub(bits).min(63));
        bits += e;
        let extent = (1u64 << e).saturating_add(rng.below(3)).saturating_sub(rng.below(2)).max(1);
        let stride = match rng.below(5) {
            0 => 0,
            1 => rng.below(4),
            2 => (u64::MAX / extent.max(1)).saturating_add(rng.below(2)),
            3 => u64::MAX - rng.below(2),
            _ => rng.bits() >> rng.below(64),
        };
        extents.push(extent);
        strides.push(stride);
    }
    (extents, strides)
}

/// A layout as JSON, nested at random. One in twenty huge layouts has a number beyond 64 bits.
pub fn nested_layout(rng: &mut Rng, max_size: u64) -> Value {
    let (extents, strides) = layout(rng, max_size);
    let shape = nest(rng, &extents);
    let mut values = strides.into_iter().map(BigInt::from);
    let mut stride = shape.refill(&mut values);
    if max_size == u64::MAX && rng.once_in(60) {
        stride = beyond(rng, &stride);
    }
    json!({"shape": shape.to_json(), "stride": stride.to_json()})
}

fn beyond(rng: &mut Rng, stride: &Tree) -> Tree {
    let mut values: Vec<BigInt> = stride.ints().into_iter().cloned().collect();
    if !values.is_empty() {
        let i = usize::try_from(rng.below(values.len() as u64)).unwrap_or(0);
        values[i] = (BigInt::from(1) << 64) + rng.below(3);
    }
    stride.refill(&mut values.into_iter())
}
