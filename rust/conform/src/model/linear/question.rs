//! Questions about one layout, answered by going through its points.

use super::read::Arguments;
use super::{Answer, Linear, Point, UNJUDGED, change, is_small, pack, place, points, total, unpack, value, xor};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How many points are reached.
fn reached(of: &Linear) -> usize {
    points(&of.ins).map(|point| of.at(&point)).collect::<BTreeSet<Point>>().len()
}

/// Whether every output point is reached, and whether none is reached twice; none where there are too many points.
pub(super) fn onto_and_into(of: &Linear) -> Option<(bool, bool)> {
    // a map from few points to more does not reach all of them
    is_small(&of.ins).then(|| {
        let reached = reached(of) as u64;
        (reached == 1 << total(&of.outs), reached == 1 << total(&of.ins))
    })
}

/// The most k for which 0, 1, …, 2^k-1 are all reached in an output dimension.
fn contiguous(of: &Linear, at: usize) -> u64 {
    let reached: BTreeSet<u64> = points(&of.ins).map(|point| of.at(&point)[at]).collect();
    let run = reached.iter().zip(0..).take_while(|(x, n)| **x == *n).count() as u64;
    1 << run.ilog2()
}

/// For each input bit whether its basis is an exclusive or of earlier ones.
fn free(of: &Linear) -> Vec<Value> {
    let mut sums: BTreeSet<Point> = BTreeSet::from([vec![0; of.outs.len()]]);
    let mut masks = vec![];
    for ((name, _), bases) in of.ins.iter().zip(&of.bases) {
        let mut mask = 0_u64;
        for (bit, basis) in bases.iter().enumerate() {
            if sums.contains(basis) {
                mask |= 1 << bit;
            }
            let more: Vec<Point> = sums
                .iter()
                .map(|sum| {
                    let mut sum = sum.clone();
                    xor(&mut sum, basis);
                    sum
                })
                .collect();
            sums.extend(more);
        }
        masks.push(json!([name, mask]));
    }
    masks
}

/// The most values of the first input that are the low values of the first output, at every point, and change nothing
/// else.
fn consecutive(of: &Linear) -> u64 {
    let (Some((_, input)), Some((_, output))) = (of.ins.first(), of.outs.first()) else { return 1 };
    let passes = |bits: &u32| {
        let low = (1_u64 << bits) - 1;
        points(&of.ins).all(|point| {
            let mut without = point.clone();
            without[0] &= !low;
            let mut expected = of.at(&without);
            // nothing else reaches the low bits
            expected[0] & low == 0 && {
                expected[0] |= point[0] & low;
                of.at(&point) == expected
            }
        })
    };
    1 << (1..=*input.min(output)).rev().find(passes).unwrap_or(0)
}

pub(super) fn contiguous_along(a: &mut Arguments) -> Answer {
    let (of, name) = (a.layout(0), a.name(1));
    let (of, name) = (of?, name?);
    a.fault(place(&of.outs, &name).is_none(), "incongruent");
    let at = place(&of.outs, &name).filter(|_| a.fine())?;
    if is_small(&of.ins) { value(contiguous(&of, at)) } else { UNJUDGED }
}

pub(super) fn free_variable_masks(a: &mut Arguments) -> Answer {
    let of = a.layout(0)?;
    if is_small(&of.ins) { value(free(&of)) } else { UNJUDGED }
}

pub(super) fn is_identity_on_out_dim(a: &mut Arguments) -> Answer {
    let (of, name) = (a.layout(0), a.name(1));
    value(change::copies(&of?, &name?))
}

pub(super) fn is_trivial_over(a: &mut Arguments) -> Answer {
    let of = a.layout(0);
    let names = a.names(1, &[of.as_ref().map(|of| &of.ins), of.as_ref().map(|of| &of.outs)])?;
    let of = of.filter(|_| a.fine())?;
    value(change::trivial(&of, &names))
}

pub(super) fn matrix(a: &mut Arguments) -> Answer {
    let of = a.layout(0)?;
    // the image of each point with one bit, as a column
    let columns: Vec<u64> = (0..total(&of.ins)).map(|bit| pack(&of.outs, &of.at(&unpack(&of.ins, 1 << bit)))).collect();
    let row = |bit: u32| -> Vec<u64> { columns.iter().map(|column| column >> bit & 1).collect() };
    value(json!((0..total(&of.outs)).map(row).collect::<Vec<_>>()))
}

pub(super) fn num_consecutive(a: &mut Arguments) -> Answer {
    value(consecutive(&a.layout(0)?))
}

pub(super) fn predicates(a: &mut Arguments) -> Answer {
    let Some((onto, into)) = onto_and_into(&a.layout(0)?) else { return UNJUDGED };
    value(json!({"surjective": onto, "injective": into, "invertible": onto && into}))
}

pub(super) fn sublayout_is_zero(a: &mut Arguments) -> Answer {
    let of = a.layout(0);
    let first = a.names(1, &[of.as_ref().map(|of| &of.ins)]);
    let second = a.names(2, &[of.as_ref().map(|of| &of.outs)]);
    let (of, first, second) = (of.filter(|_| a.fine())?, first?, second?);
    let zero = points(&of.ins).all(|mut point| {
        for ((name, _), x) in of.ins.iter().zip(&mut point) {
            if !first.contains(name) {
                *x = 0;
            }
        }
        of.outs.iter().zip(of.at(&point)).all(|((name, _), x)| !second.contains(name) || x == 0)
    });
    value(zero)
}
