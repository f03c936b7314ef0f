//! What asks for points that reach a point: all points are tried, in order of their packed numbers.

use super::question::onto_and_into;
use super::read::Arguments;
use super::{
    Answer, Dims, Linear, Point, Refusal, UNJUDGED, fits, is_small, perhaps, place, points, renamed, same_names, total,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The first point that reaches each point.
pub(super) fn least(of: &Linear) -> BTreeMap<Point, Point> {
    let mut least = BTreeMap::new();
    for point in points(&of.ins) {
        least.entry(of.at(&point)).or_insert(point);
    }
    least
}

/// The layout that takes each point with one bit to the first point that reaches what `target` has there.
fn solved(of: &Linear, target: &Linear) -> Result<Option<Linear>, Refusal> {
    if !fits(&target.outs, &of.outs) {
        return Ok(None);
    }
    let least = least(of);
    let image = |point: &[u64]| least.get(&renamed(&target.outs, &target.at(point), &of.outs));
    if points(&target.ins).any(|point| image(&point).is_none()) {
        return Ok(None);
    }
    // at the points with several bits, too, it is the first one
    Linear::of(target.ins.clone(), of.ins.clone(), |point| image(point).cloned().unwrap_or_default()).map(Some)
}

fn identity(dims: &Dims) -> Result<Linear, Refusal> {
    Linear::of(dims.clone(), dims.clone(), <[u64]>::to_vec)
}

/// Whether both do the same with an input dimension, which reaches no output bit that another input reaches.
fn stands_apart(a: &Linear, b: &Linear, name: &str) -> bool {
    let (Some(in_a), Some(in_b)) = (place(&a.ins, name), place(&b.ins, name)) else { return false };
    let alone = |of: &Linear, at: usize| {
        let reached = |own: bool| {
            points(&of.ins).fold(vec![0; of.outs.len()], |bits: Point, mut point| {
                for (place, x) in point.iter_mut().enumerate() {
                    if (place == at) != own {
                        *x = 0;
                    }
                }
                bits.iter().zip(of.at(&point)).map(|(bits, x)| bits | x).collect()
            })
        };
        reached(true).iter().zip(reached(false)).all(|(own, others)| own & others == 0)
    };
    let over_a: Vec<Point> = b.bases[in_b].iter().map(|basis| renamed(&b.outs, basis, &a.outs)).collect();
    a.bases[in_a] == over_a && alone(a, in_a) && alone(b, in_b)
}

/// The layout without these inputs.
fn without(of: &Linear, names: &[String]) -> Result<Linear, Refusal> {
    let ins: Dims = of.ins.iter().filter(|(name, _)| !names.contains(name)).cloned().collect();
    Linear::of(ins.clone(), of.outs.clone(), |point| of.at(&renamed(&ins, point, &of.ins)))
}

/// C with `inner` after C equal to `target`.
fn through(target: &Linear, inner: &Linear) -> Result<Option<Linear>, Refusal> {
    if !fits(&target.outs, &inner.outs) {
        return Ok(None);
    }
    let names = inner.ins.iter().map(|(name, _)| name.clone());
    let same: Vec<String> = names.filter(|name| stands_apart(inner, target, name)).collect();
    let Some(others) = solved(&without(inner, &same)?, &without(target, &same)?)? else { return Ok(None) };
    let image = |point: &[u64]| {
        let image = others.at(&renamed(&target.ins, point, &others.ins));
        let mut whole = renamed(&others.outs, &image, &inner.ins);
        for (name, x) in target.ins.iter().map(|(name, _)| name).zip(point) {
            if let Some(at) = place(&inner.ins, name).filter(|_| same.contains(name)) {
                whole[at] = *x;
            }
        }
        whole
    };
    let found = Linear::of(target.ins.clone(), inner.ins.clone(), image)?;
    let holds = |point: &Point| inner.at(&found.at(point)) == renamed(&target.outs, &target.at(point), &inner.outs);
    if points(&found.ins).all(|point| holds(&point)) { Ok(Some(found)) } else { Err(Refusal("internal")) }
}

/// The layout of these bases whose sizes are the least powers of two above all components.
fn inferred(bases: Vec<(String, Vec<Point>)>, outs: &[String]) -> Linear {
    let width = |at: usize| {
        let largest = bases.iter().flat_map(|(_, rows)| rows).map(|row| row[at]).max().unwrap_or(0);
        64 - largest.leading_zeros()
    };
    let outs = outs.iter().enumerate().map(|(at, name)| (name.clone(), width(at))).collect();
    let size = |rows: &Vec<Point>| u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let ins = bases.iter().map(|(name, rows)| (name.clone(), size(rows))).collect();
    Linear { ins, outs, bases: bases.into_iter().map(|(_, rows)| rows).collect() }
}

pub(super) fn from_bases_inferred(a: &mut Arguments) -> Answer {
    let (bases, outs) = (a.bases(0), a.names(1, &[]));
    let (bases, outs) = (bases?, outs?);
    a.fault(bases.iter().flat_map(|(_, rows)| rows).any(|row| row.len() != outs.len()), "incongruent");
    if !a.fine() {
        return None;
    }
    let found = inferred(bases, &outs);
    // fewer points than there are to be reached
    if u64::from(total(&found.ins)) < found.outs.iter().map(|(_, bits)| u64::from(*bits)).sum() {
        return Some(Ok(Some(Value::Null)));
    }
    let Some((onto, _)) = onto_and_into(&found) else { return UNJUDGED };
    perhaps(Ok(onto.then_some(found)))
}

/// The least preimage of each point; for an inverse on both sides, there are as many points on one as on the other.
pub(super) fn invert(a: &mut Arguments, both_sides: bool) -> Answer {
    let of = a.layout(0)?;
    if total(&of.ins) < total(&of.outs) || (both_sides && total(&of.ins) != total(&of.outs)) {
        return perhaps(Ok(None));
    }
    if !is_small(&of.ins) {
        return UNJUDGED;
    }
    perhaps(identity(&of.outs).and_then(|target| solved(&of, &target)))
}

pub(super) fn invert_and_compose(a: &mut Arguments) -> Answer {
    let (first, second) = (a.layout(0), a.layout(1));
    let (first, second) = (first?, second?);
    a.fault(!same_names(&first.outs, &second.outs), "incongruent");
    if !a.fine() {
        return None;
    }
    // it is the points of the one that is inverted which are tried
    if is_small(&second.ins) { perhaps(through(&first, &second)) } else { UNJUDGED }
}

pub(super) fn lstsq(a: &mut Arguments) -> Answer {
    let (first, second) = (a.layout(0), a.layout(1));
    let (first, second) = (first?, second?);
    if !a.fine() {
        return None;
    }
    if is_small(&first.ins) { perhaps(solved(&first, &second)) } else { UNJUDGED }
}
