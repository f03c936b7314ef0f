//! Operands of divisions, products, thread-value layouts and partitions.

use super::composition::as_json;
use super::{Rng, nested_layout};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Extents that tiles divide.
const EXTENTS: [u64; 10] = [2, 3, 4, 4, 6, 8, 8, 9, 12, 16];

/// A layout whose elements do not overlap, nested at random, with its top-level sizes.
fn whole(rng: &mut Rng, modes: u64) -> (Value, Vec<u64>) {
    let mut sizes = vec![];
    let mut places = vec![];
    for _ in 0..modes {
        let extents: Vec<u64> = (0..rng.between(1, 2)).map(|_| *rng.pick(&EXTENTS)).collect();
        sizes.push(extents.iter().product::<u64>());
        places.push(extents);
    }
    let flat: Vec<u64> = places.iter().flatten().copied().collect();
    let order = rng.shuffled((0..flat.len()).collect::<Vec<_>>());
    let mut strides = vec![0; flat.len()];
    let mut next = 1_u64;
    for i in order {
        strides[i] = next;
        // now and then a gap, which may divide or not
        next = next.saturating_mul(flat[i]).saturating_add(if rng.once_in(8) { rng.below(4) } else { 0 });
    }
    let mut strides = strides.into_iter();
    let (mut shape, mut stride) = (vec![], vec![]);
    for extents in places {
        let part: Vec<u64> = strides.by_ref().take(extents.len()).collect();
        if extents.len() == 1 && rng.once_in(2) {
            shape.push(json!(extents[0]));
            stride.push(json!(part[0]));
        } else {
            shape.push(json!(extents));
            stride.push(json!(part));
        }
    }
    if modes == 1 && rng.once_in(2) {
        return (json!({"shape": shape.remove(0), "stride": stride.remove(0)}), sizes);
    }
    (json!({"shape": shape, "stride": stride}), sizes)
}

/// A layout of indices below `size`: often one that divides it.
fn tile(rng: &mut Rng, size: u64) -> Value {
    if rng.once_in(16) {
        return nested_layout(rng, 32);
    }
    if rng.once_in(5) {
        // modes that overlap, or would but for a gap
        let modes = rng.between(1, 3);
        let extents: Vec<u64> = (0..modes).map(|_| *rng.pick(&[2, 2, 3, 4])).collect();
        let strides = (0..modes).map(|_| *rng.pick(&[1, 2, 2, 3, 4, 6, 8])).collect();
        return as_json(rng, (extents, strides));
    }
    let divisors: Vec<u64> = (1..=size.min(24)).filter(|n| size.is_multiple_of(*n)).collect();
    let (mut extents, mut strides) = (vec![], vec![]);
    let mut next = 1_u64;
    for _ in 0..rng.between(1, 2) {
        let room = size / next.max(1);
        let gap = *rng.pick(&[1, 1, 1, 2, 3]);
        let extent = if rng.once_in(5) { rng.between(1, 6) } else { *rng.pick(&divisors) };
        if gap * extent > room.max(1) && !rng.once_in(10) {
            continue;
        }
        strides.push(next * gap);
        extents.push(extent);
        next = next.saturating_mul(gap * extent);
    }
    if rng.once_in(3) {
        extents.reverse();
        strides.reverse();
    }
    if rng.once_in(15) && !strides.is_empty() {
        strides[0] = rng.below(3);
    }
    as_json(rng, (extents, strides))
}

/// An integer, a layout, `null`, or a list of these for the modes.
fn tiler(rng: &mut Rng, sizes: &[u64], by_mode: bool) -> Value {
    let all: u64 = sizes.iter().fold(1, |all, size| all.saturating_mul(*size));
    if by_mode || rng.once_in(2) {
        let more = u64::from(rng.once_in(25));
        let count = rng.between(0, sizes.len() as u64 + more);
        let modes: Vec<Value> = (0..count)
            .map(|i| {
                let size = usize::try_from(i).ok().and_then(|i| sizes.get(i)).copied().unwrap_or(4);
                match rng.below(8) {
                    0 => Value::Null,
                    1..=3 => json!(tile_size(rng, size)),
                    4 if !by_mode => Value::Array(vec![json!(tile_size(rng, size))]),
                    _ => tile(rng, size),
                }
            })
            .collect();
        return Value::Array(modes);
    }
    match rng.below(12) {
        0 => Value::Null,
        1 | 2 => json!(tile_size(rng, all)),
        _ => tile(rng, all),
    }
}

fn tile_size(rng: &mut Rng, size: u64) -> u64 {
    let divisors: Vec<u64> = (1..=size.min(32)).filter(|n| size.is_multiple_of(*n)).collect();
    if rng.once_in(6) { rng.between(1, 20) } else { *rng.pick(&divisors) }
}

/// The second operand of a product: few copies, in any pattern.
fn copies(rng: &mut Rng) -> Value {
    if rng.once_in(10) {
        return nested_layout(rng, 64);
    }
    let extents: Vec<u64> = (0..rng.between(1, 3)).map(|_| *rng.pick(&[1, 2, 2, 3, 4, 5])).collect();
    let mut next = 1_u64;
    let mut strides = vec![0; extents.len()];
    for i in rng.shuffled((0..extents.len()).collect::<Vec<_>>()) {
        strides[i] = if rng.once_in(9) { rng.below(5) } else { next };
        next = next.saturating_mul(extents[i]);
    }
    as_json(rng, (extents, strides))
}

fn product_tiler(rng: &mut Rng, modes: usize, by_mode: bool) -> Value {
    if !by_mode && !rng.once_in(3) {
        return if rng.once_in(8) { json!(rng.between(1, 6)) } else { copies(rng) };
    }
    let more = u64::from(rng.once_in(25));
    let count = rng.between(0, modes as u64 + more);
    (0..count)
        .map(|_| match rng.below(6) {
            0 => Value::Null,
            1 | 2 => json!(rng.between(1, 5)),
            _ => copies(rng),
        })
        .collect()
}

/// A tiler for a shape, mode by mode or not.
pub(super) fn tiler_for(rng: &mut Rng, shape: &Tree) -> Value {
    let size = |mode: &Tree| mode.ints().into_iter().product::<BigInt>().try_into().unwrap_or(u64::MAX);
    let sizes: Vec<u64> = match shape {
        Tree::Node(modes) => modes.iter().map(size).collect(),
        leaf => vec![size(leaf)],
    };
    tiler(rng, &sizes, false)
}

/// The arguments of an operation on tiles.
pub(super) fn arguments(rng: &mut Rng, op: &str) -> Option<Vec<Value>> {
    let modes = rng.between(1, 3);
    let (mut layout, sizes) = whole(rng, modes);
    if rng.once_in(15) {
        layout = nested_layout(rng, 256);
    }
    let count = sizes.len();
    Some(match op {
        "nearest_tile" => {
            // all tiles near it are tried
            let (mut layout, mut sizes) = (layout, sizes);
            while sizes.iter().product::<u64>() > 96 {
                (layout, sizes) = whole(rng, 1);
            }
            if rng.once_in(15) {
                layout = nested_layout(rng, 64);
            }
            vec![layout, tile(rng, sizes.iter().product())]
        }
        "hier_unzip" if rng.once_in(2) => vec![json!(1), layout, product_tiler(rng, count, false)],
        "hier_unzip" => vec![json!(0), layout, tiler(rng, &sizes, false)],
        "blocked_product" | "raked_product" | "make_layout_tv" => vec![layout, copies(rng)],
        "logical_product_by_mode" => vec![layout, product_tiler(rng, count, true)],
        "logical_product" | "zipped_product" | "tiled_product" | "flat_product" => {
            vec![layout, product_tiler(rng, count, false)]
        }
        "tile_to_shape" => {
            let further = u64::from(rng.once_in(4));
            let shape: Vec<u64> = sizes
                .iter()
                .map(|size| if rng.once_in(8) { rng.between(1, 24) } else { size * rng.between(1, 3) })
                .chain((0..further).map(|_| 2))
                .collect();
            let order = rng.shuffled((0..shape.len() as u64).collect());
            if rng.once_in(2) { vec![layout, json!(shape), json!(order)] } else { vec![layout, json!(shape)] }
        }
        "local_partition" => {
            let threads: Vec<u64> = sizes.iter().map(|size| tile_size(rng, *size).min(4)).collect();
            let total: u64 = threads.iter().product();
            let strides = {
                let mut next = 1;
                let mut strides = vec![0; threads.len()];
                for i in rng.shuffled((0..threads.len()).collect::<Vec<_>>()) {
                    strides[i] = next;
                    next *= threads[i];
                }
                strides
            };
            let past = u64::from(rng.once_in(20));
            let index = rng.below(total + past);
            vec![layout, json!({"shape": threads, "stride": strides}), json!(index)]
        }
        "inner_partition" | "local_tile" | "outer_partition" => {
            let tiler: Vec<u64> = sizes.iter().map(|size| tile_size(rng, *size)).collect();
            let coord: Vec<u64> = sizes
                .iter()
                .zip(&tiler)
                .map(|(size, tile)| {
                    let extent = if op == "outer_partition" { *tile } else { (size / tile).max(1) };
                    let past = u64::from(rng.once_in(20));
                    rng.below(extent + past)
                })
                .collect();
            vec![layout, json!(tiler), json!(coord)]
        }
        "logical_divide_by_mode" => vec![layout, tiler(rng, &sizes, true)],
        name if name.ends_with("_divide") || name.ends_with("_divide_ceil") => vec![layout, tiler(rng, &sizes, false)],
        _ => return None,
    })
}
