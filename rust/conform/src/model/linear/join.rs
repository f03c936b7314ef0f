//! Two layouts: one after the other, side by side, as low and high bits.

use super::read::Arguments;
use super::{Answer, Dims, Linear, Point, Refusal, bits, fits, layout, perhaps, place, points, renamed, value, xor};

/// The names of both, each once: before each shared name those of the first alone, then those of the second alone.
/// None where shared names stand in another order.
fn merged(a: &Dims, b: &Dims) -> Option<Vec<String>> {
    let names = |dims: &Dims| -> Vec<String> { dims.iter().map(|(name, _)| name.clone()).collect() };
    let shared = |own: &[String], other: &Dims| -> Vec<String> {
        own.iter().filter(|name| place(other, name).is_some()).cloned().collect()
    };
    let (first, second) = (names(a), names(b));
    let common = shared(&first, b);
    if common != shared(&second, a) {
        return None;
    }
    let pieces = |own: &[String]| -> Vec<Vec<String>> {
        own.split(|name| common.contains(name)).map(<[String]>::to_vec).collect()
    };
    let mut order = vec![];
    for (place, (low, high)) in pieces(&first).into_iter().zip(pieces(&second)).enumerate() {
        order.extend(low);
        order.extend(high);
        order.extend(common.get(place).cloned());
    }
    Some(order)
}

fn sizes(low: &Dims, high: &Dims) -> Option<Dims> {
    let size = |name: String| {
        let size = bits(low, &name) + bits(high, &name);
        (name, size)
    };
    merged(low, high).map(|names| names.into_iter().map(size).collect())
}

/// Where the direct sum takes a point: the low bits of each coordinate go through the first layout, the high ones through
/// the second.
fn summed(low: &Linear, high: &Linear, ins: &Dims, outs: &Dims, point: &[u64]) -> Point {
    let coordinate = |name: &str| place(ins, name).map_or(0, |at| point[at]);
    let lows: Point = low.ins.iter().map(|(name, own)| coordinate(name) & ((1 << own) - 1)).collect();
    let highs: Point =
        high.ins.iter().map(|(name, _)| coordinate(name).checked_shr(bits(&low.ins, name)).unwrap_or(0)).collect();
    let (lows, highs) = (low.at(&lows), high.at(&highs));
    let component = |(name, _): &(String, u32)| {
        let low_part = place(&low.outs, name).map_or(0, |at| lows[at]);
        let high_part = place(&high.outs, name).map_or(0, |at| highs[at]);
        low_part | high_part.checked_shl(bits(&low.outs, name)).unwrap_or(0)
    };
    outs.iter().map(component).collect()
}

/// Whether `whole` is the direct sum of the two.
fn is_sum(whole: &Linear, low: &Linear, high: &Linear) -> bool {
    sizes(&low.ins, &high.ins).as_ref() == Some(&whole.ins)
        && sizes(&low.outs, &high.outs).as_ref() == Some(&whole.outs)
        && points(&whole.ins).all(|point| whole.at(&point) == summed(low, high, &whole.ins, &whole.outs, &point))
}

/// What is left of the sizes of `whole` beside those of `part`.
fn rest(whole: &Dims, part: &Dims) -> Option<Dims> {
    let fitting = part.iter().all(|(name, own)| place(whole, name).is_some() && *own <= bits(whole, name));
    fitting.then(|| whole.iter().map(|(name, own)| (name.clone(), own - bits(part, name))).collect())
}

/// The only layout that can be the other part: what the whole does to the bits that are not the divisor's.
fn divided(whole: &Linear, by: &Linear, low: bool) -> Result<Option<Linear>, Refusal> {
    let (Some(ins), Some(outs)) = (rest(&whole.ins, &by.ins), rest(&whole.outs, &by.outs)) else { return Ok(None) };
    // the bits of the divisor lie below, or above
    let skipped = |dims: &Dims, name: &str| if low { bits(dims, name) } else { 0 };
    let image = |point: &[u64]| -> Point {
        let point: Point = ins.iter().zip(point).map(|((name, _), x)| x << skipped(&by.ins, name).min(63)).collect();
        let image = whole.at(&point);
        let cut = |((name, own), x): (&(String, u32), u64)| {
            x.checked_shr(skipped(&by.outs, name)).unwrap_or(0) & ((1 << own) - 1)
        };
        outs.iter().zip(image).map(cut).collect()
    };
    let found = Linear::of(ins.clone(), outs.clone(), image)?;
    let sum = if low { is_sum(whole, by, &found) } else { is_sum(whole, &found, by) };
    Ok(sum.then_some(found))
}

/// Whether a tile repeats in a layout: it is what the layout does to the low bits of its inputs, and the layout does
/// nothing else to the output bits that it touches. Then the repetitions: the layout with those low bits at 0.
fn repetitions(of: &Linear, tile: &Linear) -> Result<Option<Linear>, Refusal> {
    let lacks = |(name, own): &(String, u32)| *own > bits(&of.ins, name);
    let low = |point: &[u64]| -> Point {
        of.ins.iter().zip(point).map(|((name, _), x)| x & ((1 << bits(&tile.ins, name)) - 1)).collect()
    };
    let within = |image: &[u64]| tile.outs.iter().zip(image).all(|((name, _), x)| *x < 1 << bits(&of.outs, name));
    if tile.ins.iter().any(lacks) || !points(&tile.ins).all(|point| within(&tile.at(&point))) {
        return Ok(None);
    }
    let mut touched = vec![0; of.outs.len()];
    for point in points(&tile.ins) {
        let image = renamed(&tile.outs, &tile.at(&point), &of.outs);
        if of.at(&renamed(&tile.ins, &point, &of.ins)) != image {
            return Ok(None);
        }
        touched.iter_mut().zip(image).for_each(|(bits, x)| *bits |= x);
    }
    let high = |point: &[u64]| -> Point { point.iter().zip(low(point)).map(|(x, low)| x ^ low).collect() };
    let meets = |point: Point| of.at(&high(&point)).iter().zip(&touched).any(|(x, bits)| x & bits != 0);
    if points(&of.ins).any(meets) {
        return Ok(None);
    }
    Linear::of(of.ins.clone(), of.outs.clone(), |point| of.at(&high(point))).map(Some)
}

fn both(a: &mut Arguments) -> Option<(Linear, Linear)> {
    let (first, second) = (a.layout(0), a.layout(1));
    Some((first?, second?))
}

/// Whether a name stands in both.
fn shared(a: &Dims, b: &Dims) -> bool {
    a.iter().any(|(name, _)| place(b, name).is_some())
}

fn joined(a: &Dims, b: &Dims) -> Dims {
    a.iter().chain(b).cloned().collect()
}

pub(super) fn compose(a: &mut Arguments) -> Answer {
    let (first, second) = both(a)?;
    a.fault(!fits(&first.outs, &second.ins), "incongruent");
    let image = |point: &[u64]| second.at(&renamed(&first.outs, &first.at(point), &second.ins));
    if a.fine() { layout(Linear::of(first.ins.clone(), second.outs.clone(), image)) } else { None }
}

pub(super) fn concat_ins(a: &mut Arguments) -> Answer {
    let (first, second) = both(a)?;
    a.fault(first.outs != second.outs || shared(&first.ins, &second.ins), "incongruent");
    let image = |point: &[u64]| {
        let (left, right) = point.split_at(first.ins.len());
        let mut image = first.at(left);
        xor(&mut image, &second.at(right));
        image
    };
    if a.fine() { layout(Linear::of(joined(&first.ins, &second.ins), first.outs.clone(), image)) } else { None }
}

pub(super) fn concat_outs(a: &mut Arguments) -> Answer {
    let (first, second) = both(a)?;
    a.fault(first.ins != second.ins || shared(&first.outs, &second.outs), "incongruent");
    let image = |point: &[u64]| [first.at(point), second.at(point)].concat();
    if a.fine() { layout(Linear::of(first.ins.clone(), joined(&first.outs, &second.outs), image)) } else { None }
}

pub(super) fn divide(a: &mut Arguments, left: bool) -> Answer {
    let (first, second) = both(a)?;
    perhaps(divided(&first, &second, left))
}

pub(super) fn eq(a: &mut Arguments) -> Answer {
    let (first, second) = both(a)?;
    value(first == second)
}

pub(super) fn get_reps(a: &mut Arguments) -> Answer {
    let (first, second) = both(a)?;
    a.fault(second.outs.iter().any(|(name, _)| place(&first.outs, name).is_none()), "incongruent");
    if a.fine() { perhaps(repetitions(&first, &second)) } else { None }
}

pub(super) fn mul(a: &mut Arguments) -> Answer {
    let (first, second) = both(a)?;
    let (ins, outs) = (sizes(&first.ins, &second.ins), sizes(&first.outs, &second.outs));
    a.fault(ins.is_none() || outs.is_none(), "incongruent");
    for dims in [&ins, &outs] {
        a.fault(dims.as_ref().is_some_and(|dims| super::total(dims) > 63), "too_large");
    }
    let (ins, outs) = (ins?, outs?);
    let image = |point: &[u64]| summed(&first, &second, &ins, &outs, point);
    if a.fine() { layout(Linear::of(ins.clone(), outs.clone(), image)) } else { None }
}
