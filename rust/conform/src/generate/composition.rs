//! Operands of composition.

use super::{Rng, layout, nest};
use crate::model::Layout;
use crate::model::composition::{complete, strict};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Coordinates of an inner layout: few enough to look at all of them.
const INNER: u64 = 512;

/// Flat extents and strides.
type Flat = (Vec<u64>, Vec<u64>);

pub(super) fn as_json(rng: &mut Rng, (extents, strides): Flat) -> Value {
    let shape = nest(rng, &extents);
    let stride = shape.refill(&mut strides.into_iter().map(BigInt::from));
    json!({"shape": shape.to_json(), "stride": stride.to_json()})
}

/// Modes that coalesce, as the library does: composition only sees those.
fn coalesced((extents, strides): &Flat) -> Flat {
    let (mut e, mut d): Flat = (Vec::new(), Vec::new());
    for (&extent, &stride) in extents.iter().zip(strides) {
        match (e.last_mut(), d.last()) {
            _ if extent == 1 => {}
            (Some(last), Some(step)) if last.checked_mul(*step) == Some(stride) => *last = last.saturating_mul(extent),
            _ => {
                e.push(extent);
                d.push(stride);
            }
        }
    }
    (e, d)
}

fn size(extents: &[u64]) -> u64 {
    extents.iter().fold(1u64, |n, e| n.saturating_mul(*e))
}

fn places(extents: &[u64]) -> Vec<u64> {
    let mut next = 1u64;
    extents
        .iter()
        .map(|extent| {
            let place = next;
            next = next.saturating_mul(*extent);
            place
        })
        .collect()
}

/// Extents such as tiles have, and strides that tell the modes apart, the same ones twice, or none.
fn outer(rng: &mut Rng) -> Flat {
    if rng.once_in(6) {
        // an outer layout at the edge of 64 bits
        return large(rng);
    }
    if rng.once_in(2) {
        return layout(rng, 4096);
    }
    let rank = rng.between(1, 4);
    let extents: Vec<u64> = (0..rank).map(|_| *rng.pick(&[2, 2, 3, 4, 4, 5, 6, 8, 12])).collect();
    let strides = match rng.below(4) {
        // far apart: whatever holds, holds for all strides
        0 => places(&vec![97; extents.len()]).iter().map(|place| place + rng.below(7)).collect(),
        // equal or nearly so: composites that exist by accident
        1 => extents.iter().map(|_| 1 + rng.below(3)).collect(),
        2 => {
            let order = rng.shuffled((0..extents.len()).collect::<Vec<_>>());
            let mut strides = vec![0; extents.len()];
            let mut next = 1u64;
            for i in order {
                strides[i] = next;
                next = next.saturating_mul(extents[i]);
            }
            strides
        }
        _ => extents.iter().map(|_| rng.below(60)).collect(),
    };
    (extents, strides)
}

fn large(rng: &mut Rng) -> Flat {
    let rank = rng.between(1, 3);
    let mut room = 60u64;
    let mut extents = Vec::new();
    for _ in 0..rank {
        let bits = rng.between(0, room.min(30));
        room -= bits;
        extents.push(((1u64 << bits) + rng.below(3)).max(1));
    }
    let mut strides = Vec::new();
    for extent in &extents {
        let most = u64::MAX / 4 / (*extent).max(1);
        strides.push(match rng.below(4) {
            0 => 0,
            1 => rng.below(5),
            2 => most,
            _ => rng.below(most.max(1)),
        });
    }
    (extents, strides)
}

/// A stride whose digits in the outer shape are small, so that it steps in several modes at once.
fn digit_stride(rng: &mut Rng, extents: &[u64]) -> u64 {
    let places = places(extents);
    let Some(first) = (!extents.is_empty()).then(|| rng.below(extents.len() as u64)) else { return 1 };
    let mut stride = 0u64;
    for (i, (extent, place)) in extents.iter().zip(&places).enumerate() {
        if i as u64 == first || rng.once_in(6) {
            let divisors: Vec<u64> = (1..=12).filter(|d| extent.is_multiple_of(*d) && d < extent).collect();
            let digit = if divisors.is_empty() || rng.once_in(3) { rng.below(*extent) } else { *rng.pick(&divisors) };
            stride = stride.saturating_add(digit.saturating_mul(*place));
        }
    }
    stride
}

/// How many steps of a stride go before a digit wraps, or a multiple of that, or one more or less.
fn steps(rng: &mut Rng, extents: &[u64], stride: u64, room: u64) -> u64 {
    let mut rest = stride;
    let mut wrap = u64::MAX;
    for extent in extents {
        let digit = rest % extent;
        rest /= extent;
        if digit > 0 {
            wrap = wrap.min(extent.div_ceil(digit));
        }
    }
    let steps = match rng.below(8) {
        0 => wrap.saturating_add(1),
        1 => wrap.saturating_sub(1),
        2 => wrap.saturating_mul(2),
        3 => *rng.pick(&[2, 3, 4, 6]),
        4 if wrap.is_multiple_of(2) => wrap / 2,
        _ => wrap,
    };
    if steps > room { rng.between(1, room.clamp(1, 6)) } else { steps.max(1) }
}

/// An inner layout for an outer one.
fn inner(rng: &mut Rng, outer: &Flat) -> Flat {
    let (extents, _) = coalesced(outer);
    let whole = size(&extents);
    let mut modes: Vec<(u64, u64)> = Vec::new();
    match rng.below(10) {
        // any small layout
        0 => {
            let (e, d) = layout(rng, INNER.min(64));
            modes = e.into_iter().zip(d).collect();
        }
        // the outer domain itself, cut another way and in another order
        1 => {
            let mut room = INNER.min(whole);
            let mut place = 1;
            while room > 1 && modes.len() < 4 {
                let divisors: Vec<u64> = (2..=room.min(16)).filter(|d| (whole / place).is_multiple_of(*d)).collect();
                if divisors.is_empty() {
                    break;
                }
                let extent = *rng.pick(&divisors);
                modes.push((extent, place));
                place *= extent;
                room /= extent;
            }
            modes = rng.shuffled(modes);
        }
        // one mode that ends just inside the domain, or just beyond it
        2 => {
            let extent = rng.between(2, 9);
            let last = whole.saturating_sub(1);
            modes.push((extent, (last / (extent - 1)).saturating_add(rng.below(2))));
        }
        // modes that load the same digit until it just does not carry, or just does
        3 | 4 => {
            let i = usize::try_from(rng.below(extents.len().max(1) as u64)).unwrap_or(0);
            let (extent, place) = extents.get(i).copied().zip(places(&extents).get(i).copied()).unwrap_or((2, 1));
            let mut left = (extent - 1).min(64);
            while left > 0 && modes.len() < 3 {
                let digit = rng.between(1, left.min(6));
                let most = (left / digit).min(7);
                let reach = if rng.once_in(2) { most } else { rng.between(1, most) };
                modes.push((reach + 1, digit.saturating_mul(place)));
                left -= digit * reach;
                if rng.once_in(3) {
                    break;
                }
            }
            if let Some(mode) = modes.last_mut()
                && rng.once_in(2)
            {
                mode.0 += 1;
            }
            if rng.once_in(2) {
                let stride = digit_stride(rng, &extents);
                modes.push((2, stride));
            }
            modes = rng.shuffled(modes);
        }
        _ => {
            for _ in 0..rng.between(1, 3) {
                let stride = digit_stride(rng, &extents);
                let room = INNER / modes.iter().map(|mode| mode.0).product::<u64>().max(1);
                let extent = steps(rng, &extents, stride, room);
                modes.push((extent, stride));
            }
        }
    }
    if rng.once_in(12) {
        modes.push((rng.between(1, 3), 0));
    }
    if rng.once_in(12) {
        let at = usize::try_from(rng.below(modes.len() as u64 + 1)).unwrap_or(0);
        modes.insert(at, (1, rng.below(9)));
    }
    let mut room = INNER;
    for mode in &mut modes {
        mode.0 = mode.0.clamp(1, room);
        room /= mode.0;
    }
    // most of the time inside the domain: there the definition has most to say
    let last = |modes: &[(u64, u64)]| modes.iter().fold(0u64, |n, (e, d)| n.saturating_add((e - 1).saturating_mul(*d)));
    while last(&modes) >= whole && !modes.is_empty() && !rng.once_in(8) {
        modes.pop();
    }
    modes.into_iter().unzip()
}

/// Two layouts whose composite exists for these strides of the outer one, and not for others: `(2,2,3):(1,1,3)` after
/// `3:3`. Such pairs are rare, so they are looked for.
fn accidental(rng: &mut Rng) -> Option<(Flat, Flat)> {
    (0..300).find_map(|_| {
        let extents: Vec<u64> = (0..rng.between(2, 3)).map(|_| rng.between(2, 4)).collect();
        let strides: Vec<u64> = extents.iter().map(|_| rng.below(5)).collect();
        let steps = rng.between(3, 5);
        let mut modes = vec![(steps, rng.between(1, (size(&extents) - 1) / (steps - 1) + 1))];
        if rng.once_in(3) {
            modes.push((2, rng.between(1, 6)));
        }
        let pair = ((extents, strides), rng.shuffled(modes).into_iter().unzip());
        let read = |(extents, strides): &Flat| Layout::read(&json!({"shape": extents, "stride": strides})).ok();
        let (outer, inner) = (read(&pair.0)?, read(&pair.1)?);
        let found = strict(&outer, &inner).is_err() && matches!(complete(&outer, &inner), Ok(Some(_)));
        found.then_some(pair)
    })
}

/// Two layouts to compose, outer first.
pub(super) fn pair(rng: &mut Rng) -> Vec<Value> {
    if rng.once_in(12)
        && let Some((a, b)) = accidental(rng)
    {
        return vec![as_json(rng, a), as_json(rng, b)];
    }
    let a = outer(rng);
    let b = inner(rng, &a);
    vec![as_json(rng, a), as_json(rng, b)]
}

/// A layout and a tiler for it.
pub(super) fn by_mode(rng: &mut Rng) -> Vec<Value> {
    let (extents, strides) = outer(rng);
    let shape = nest(rng, &extents);
    let stride = shape.refill(&mut strides.iter().map(|stride| BigInt::from(*stride)));
    let tiler = tiler(rng, &shape, &stride, 2);
    vec![json!({"shape": shape.to_json(), "stride": stride.to_json()}), tiler]
}

fn leaves(tree: &Tree) -> Vec<u64> {
    tree.ints().into_iter().map(|n| n.try_into().unwrap_or(u64::MAX)).collect()
}

fn tiler(rng: &mut Rng, shape: &Tree, stride: &Tree, depth: u32) -> Value {
    if let (Tree::Node(shapes), Tree::Node(strides)) = (shape, stride)
        && depth > 0
        && !rng.once_in(6)
    {
        let take = if rng.once_in(3) { rng.between(0, shapes.len() as u64) } else { shapes.len() as u64 };
        let mut tilers: Vec<Value> = shapes
            .iter()
            .zip(strides)
            .take(usize::try_from(take).unwrap_or(0))
            .map(|(shape, stride)| tiler(rng, shape, stride, depth - 1))
            .collect();
        if rng.once_in(40) {
            tilers.push(json!(2));
            tilers.extend((tilers.len()..=shapes.len()).map(|_| Value::Null));
        }
        return Value::Array(tilers);
    }
    let whole = size(&leaves(shape));
    match rng.below(6) {
        0 => Value::Null,
        1 | 2 => {
            let divisors: Vec<u64> = (1..=whole.min(64)).filter(|d| whole.is_multiple_of(*d)).collect();
            if rng.once_in(4) { json!(rng.between(1, 6)) } else { json!(*rng.pick(&divisors)) }
        }
        _ => {
            let inner = inner(rng, &(leaves(shape), leaves(stride)));
            as_json(rng, inner)
        }
    }
}
