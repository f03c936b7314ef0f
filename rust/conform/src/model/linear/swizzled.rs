//! A linear layout as a swizzle after a layout: every swizzle is tried, and undone bit by bit.

use super::read::Arguments;
use super::{Answer, UNJUDGED, is_small, pack, points, total, value};
use crate::model::find::find;
use crate::model::layout::ints_json;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The number that `Swizzle<bits,base,shift>` takes to `y`, of twice as many bits as `y` may have: each bit of it is that of
/// `y`, or that and another bit of it, which is settled before.
fn before(bits: u32, base: u32, shift: i32, y: u64, width: u32) -> u64 {
    let far = shift.unsigned_abs();
    let (from, to) = if shift > 0 { (base + far, base) } else { (base, base + far) };
    let order: Vec<u32> = if shift > 0 { (0..2 * width).rev().collect() } else { (0..2 * width).collect() };
    order.into_iter().fold(0, |x, bit| {
        let moved = bits > 0 && (to..to + bits).contains(&bit) && x >> (bit - to + from) & 1 == 1;
        x | (y >> bit & 1 ^ u64::from(moved)) << bit
    })
}

/// The layout of these offsets, coalesced.
fn coalesced(offsets: &[u64]) -> Option<Value> {
    let offsets: Vec<BigInt> = offsets.iter().map(|offset| BigInt::from(*offset)).collect();
    let modes = find(&offsets)?;
    let (extents, strides): (Vec<_>, Vec<_>) = modes.into_iter().map(|mode| (mode.extent, mode.stride)).unzip();
    let (extents, strides) = (ints_json(&extents), ints_json(&strides));
    Some(match extents.as_array().map_or(0, Vec::len) {
        0 => json!({"shape": 1, "stride": 0}),
        1 => json!({"shape": extents[0], "stride": strides[0]}),
        _ => json!({"shape": extents, "stride": strides}),
    })
}

/// The swizzle with the fewest bits, then the least M and |S|, downward before upward, behind which there is a layout. One of
/// shift 0 clears bits: what is swizzled so is a layout already.
pub(super) fn to_swizzled(a: &mut Arguments) -> Answer {
    let layout = a.layout(0)?;
    if !is_small(&layout.ins) || !is_small(&layout.outs) {
        return UNJUDGED;
    }
    let width = total(&layout.outs).max(1);
    let images: Vec<u64> = points(&layout.ins).map(|point| pack(&layout.outs, &layout.at(&point))).collect();
    let columns: Vec<u64> = (0..total(&layout.ins)).filter_map(|bit| images.get(1 << bit).copied()).collect();
    let apart = |swizzle: (u32, u32, i32)| {
        let mut met = 0;
        columns.iter().all(|column| {
            let own = before(swizzle.0, swizzle.1, swizzle.2, *column, width);
            let apart = met & own == 0;
            met |= own;
            apart
        })
    };
    let shifts = |far: u32| i32::try_from(far).map_or([1, -1], |far| [far, -far]);
    let places = (1..=width).flat_map(|bits| (0..width).map(move |base| (bits, base)));
    let all = places.flat_map(|(bits, base)| (1..=width).flat_map(shifts).map(move |shift| (bits, base, shift)));
    let Some((bits, base, shift)) = std::iter::once((0, 0, 0)).chain(all).find(|swizzle| apart(*swizzle)) else {
        return value(Value::Null);
    };
    let offsets: Vec<u64> = images.iter().map(|image| before(bits, base, shift, *image, width)).collect();
    value(coalesced(&offsets).map_or(Value::Null, |mut found| {
        found["swizzle"] = json!([bits, base, shift]);
        found["offset"] = json!(0);
        found
    }))
}
