//! One layout with other dimensions.

use super::read::Arguments;
use super::{
    Answer, Dims, Linear, Point, Refusal, bits, layout, pack, perhaps, place, renamed, same_names, total, unpack, value,
};
use serde_json::Value;

/// All dimensions as one, named after the first.
fn flat(dims: &Dims) -> Dims {
    dims.iter().take(1).map(|(name, _)| (name.clone(), total(dims))).collect()
}

/// Dimensions of these names in this order.
fn ordered(dims: &Dims, names: &[String]) -> Dims {
    names.iter().map(|name| (name.clone(), bits(dims, name))).collect()
}

/// The dimensions that are kept, in their order.
fn only(dims: &Dims, keep: impl Fn(&str) -> bool) -> Dims {
    dims.iter().filter(|(name, _)| keep(name)).cloned().collect()
}

/// The input dimensions cut anew: the packed point stays.
fn cut_ins(of: &Linear, ins: &Dims) -> Result<Linear, Refusal> {
    let image = |point: &[u64]| of.at(&unpack(&of.ins, pack(ins, point)));
    Linear::of(ins.clone(), of.outs.clone(), image)
}

fn cut_outs(of: &Linear, outs: &Dims) -> Result<Linear, Refusal> {
    let image = |point: &[u64]| unpack(outs, pack(&of.outs, &of.at(point)));
    Linear::of(of.ins.clone(), outs.clone(), image)
}

/// The dimensions that are kept; the other inputs are 0.
fn part(of: &Linear, ins: impl Fn(&str) -> bool, outs: impl Fn(&str) -> bool) -> Result<Linear, Refusal> {
    let (ins, outs) = (only(&of.ins, ins), only(&of.outs, outs));
    let image = |point: &[u64]| renamed(&of.outs, &of.at(&renamed(&ins, point, &of.ins)), &outs);
    Linear::of(ins.clone(), outs.clone(), image)
}

/// Whether an output dimension is the input dimension of the same name and size at every point.
pub(super) fn copies(of: &Linear, name: &str) -> bool {
    let (Some(input), Some(output)) = (place(&of.ins, name), place(&of.outs, name)) else { return false };
    of.ins[input].1 == of.outs[output].1 && super::points(&of.ins).all(|point| of.at(&point)[output] == point[input])
}

/// Whether these dimensions are copied, and the other outputs do not depend on them.
pub(super) fn trivial(of: &Linear, names: &[String]) -> bool {
    let named = |name: &str| names.iter().any(|own| own == name);
    let without = |point: &[u64]| -> Point {
        of.ins.iter().zip(point).map(|((name, _), x)| if named(name) { 0 } else { *x }).collect()
    };
    let others = |image: Point| -> Point {
        of.outs.iter().zip(image).filter(|((name, _), _)| !named(name)).map(|(_, x)| x).collect()
    };
    names.iter().all(|name| copies(of, name))
        && super::points(&of.ins).all(|point| others(of.at(&point)) == others(of.at(&without(&point))))
}

/// A component that does not fit becomes 0.
fn clipped(of: &Linear, name: &str, most: u32) -> Linear {
    let mut small = of.clone();
    let Some(at) = place(&of.outs, name) else { return small };
    small.outs[at].1 = most;
    for basis in small.bases.iter_mut().flatten() {
        if basis[at].checked_shr(most) > Some(0) {
            basis[at] = 0;
        }
    }
    small
}

fn without_zeros(of: &Linear, name: &str, keep: impl Fn(usize) -> bool) -> Linear {
    let mut small = of.clone();
    let Some(at) = place(&of.ins, name) else { return small };
    let bases = std::mem::take(&mut small.bases[at]).into_iter().enumerate();
    let is_zero = |basis: &Point| basis.iter().all(|component| *component == 0);
    small.bases[at] = bases.filter(|(bit, basis)| keep(*bit) || !is_zero(basis)).map(|(_, basis)| basis).collect();
    small.ins[at].1 = u32::try_from(small.bases[at].len()).unwrap_or(u32::MAX);
    small
}

/// No output dimension larger than these sizes.
fn not_larger(of: &Linear, sizes: &Dims, broadcast: bool) -> Linear {
    let small = sizes.iter().fold(of.clone(), |small, (name, size)| {
        if *size < bits(&small.outs, name) { clipped(&small, name, *size) } else { small }
    });
    if broadcast {
        return small;
    }
    let zero = |bit: usize| place(&of.ins, "register").is_some_and(|at| of.bases[at][bit].iter().all(|x| *x == 0));
    without_zeros(&small, "register", zero)
}

/// What is too small grows by high bits, which the first input has as its high bits, one dimension after another.
fn not_smaller(of: &Linear, sizes: &Dims) -> Result<Linear, Refusal> {
    let more: Vec<u32> = of.outs.iter().map(|(name, own)| bits(sizes, name).saturating_sub(*own)).collect();
    let Some((first, _)) = of.ins.first() else {
        return if more.iter().all(|more| *more == 0) { Ok(of.clone()) } else { Err(Refusal("incongruent")) };
    };
    let outs: Dims = of.outs.iter().zip(&more).map(|((name, own), more)| (name.clone(), own + more)).collect();
    let mut ins = of.ins.clone();
    ins[0] = (first.clone(), of.ins[0].1 + more.iter().sum::<u32>());
    super::read::within(&ins)?;
    super::read::within(&outs)?;
    let image = |point: &[u64]| {
        let own = of.ins[0].1;
        let mut low = point.to_vec();
        low[0] &= (1 << own) - 1;
        let mut high = point[0] >> own;
        let mut image = of.at(&low);
        for ((component, (_, own)), more) in image.iter_mut().zip(&of.outs).zip(&more) {
            *component |= (high & ((1 << more) - 1)).checked_shl(*own).unwrap_or(0);
            high >>= more;
        }
        image
    };
    Linear::of(ins, outs, image)
}

/// A size and another number of one dimension each; the size 0 gives no dimensions.
pub(super) fn one_dimension(a: &mut Arguments, strided: bool) -> Answer {
    let (size, second) = (a.natural(0), a.natural(1));
    if size == Some(0) {
        second?;
        return layout(Ok(Linear { ins: vec![], outs: vec![], bases: vec![] }));
    }
    let (size, second) = (a.power(0), a.power(1));
    let (size, second) = (size?, second?);
    let outs = if strided { size + second } else { second };
    a.fault(size > 63 || outs > 63, "too_large");
    if !a.fine() {
        return None;
    }
    let image = |point: &[u64]| vec![if strided { point[0] << second } else { 0 }];
    layout(Linear::of(vec![("i".into(), size)], vec![("o".into(), outs)], image))
}

pub(super) fn apply(a: &mut Arguments) -> Answer {
    let of = a.layout(0)?;
    let points = a.points(1, &of)?;
    if !a.fine() {
        return None;
    }
    let image = |point: &Point| -> Value {
        of.outs.iter().zip(of.at(point)).map(|((name, _), x)| (name.clone(), Value::from(x))).collect()
    };
    value(points.iter().map(image).collect::<Vec<Value>>())
}

pub(super) fn ensure_not_larger(a: &mut Arguments) -> Answer {
    let (of, sizes, broadcast) = (a.layout(0), a.dims(1), a.truth(2));
    let (of, sizes, broadcast) = (of?, sizes?, broadcast?);
    a.fault(!same_names(&of.outs, &sizes), "incongruent");
    if a.fine() { layout(Ok(not_larger(&of, &sizes, broadcast))) } else { None }
}

pub(super) fn ensure_not_smaller(a: &mut Arguments) -> Answer {
    let (of, sizes) = (a.layout(0), a.dims(1));
    let (of, sizes) = (of?, sizes?);
    a.fault(!same_names(&of.outs, &sizes), "incongruent");
    if a.fine() { layout(not_smaller(&of, &sizes)) } else { None }
}

pub(super) fn flatten_ins(a: &mut Arguments) -> Answer {
    let of = a.layout(0)?;
    layout(cut_ins(&of, &flat(&of.ins)))
}

pub(super) fn flatten_outs(a: &mut Arguments) -> Answer {
    let of = a.layout(0)?;
    layout(cut_outs(&of, &flat(&of.outs)))
}

pub(super) fn reshape(a: &mut Arguments, inputs: bool) -> Answer {
    let (of, dims) = (a.layout(0), a.dims(1));
    let (of, dims) = (of?, dims?);
    a.fault(total(&dims) != total(if inputs { &of.ins } else { &of.outs }), "incongruent");
    if !a.fine() {
        return None;
    }
    layout(if inputs { cut_ins(&of, &dims) } else { cut_outs(&of, &dims) })
}

pub(super) fn quotient(a: &mut Arguments) -> Answer {
    let of = a.layout(0);
    let names = a.names(1, &[of.as_ref().map(|of| &of.ins), of.as_ref().map(|of| &of.outs)])?;
    let of = of.filter(|_| a.fine())?;
    let other = |name: &str| !names.iter().any(|own| own == name);
    perhaps(if trivial(&of, &names) { part(&of, other, other).map(Some) } else { Ok(None) })
}

pub(super) fn remove_zero_bases(a: &mut Arguments) -> Answer {
    let (of, name) = (a.layout(0), a.name(1));
    let (of, name) = (of?, name?);
    a.fault(place(&of.ins, &name).is_none(), "incongruent");
    if a.fine() { layout(Ok(without_zeros(&of, &name, |_| false))) } else { None }
}

pub(super) fn resize_in(a: &mut Arguments) -> Answer {
    let (of, name, size) = (a.layout(0), a.name(1), a.power(2));
    let (of, name, size) = (of?, name?, size?);
    a.fault(place(&of.ins, &name).is_none(), "incongruent");
    a.fault(total(&of.ins) - bits(&of.ins, &name) + size > 63, "too_large");
    let at = place(&of.ins, &name).filter(|_| a.fine())?;
    let mut ins = of.ins.clone();
    ins[at].1 = size;
    let image = |point: &[u64]| {
        let mut own = point.to_vec();
        own[at] &= (1 << of.ins[at].1) - 1;
        of.at(&own)
    };
    layout(Linear::of(ins, of.outs.clone(), image))
}

pub(super) fn resize_out(a: &mut Arguments) -> Answer {
    let (of, name, size) = (a.layout(0), a.name(1), a.power(2));
    let (of, name, size) = (of?, name?, size?);
    a.fault(place(&of.outs, &name).is_none() || size > bits(&of.outs, &name), "incongruent");
    if a.fine() { layout(Ok(clipped(&of, &name, size))) } else { None }
}

pub(super) fn sublayout(a: &mut Arguments) -> Answer {
    let of = a.layout(0);
    let first = a.names(1, &[of.as_ref().map(|of| &of.ins)]);
    let second = a.names(2, &[of.as_ref().map(|of| &of.outs)]);
    let (of, first, second) = (of.filter(|_| a.fine())?, first?, second?);
    layout(part(&of, |name| first.iter().any(|own| own == name), |name| second.iter().any(|own| own == name)))
}

/// A layout, and all its dimensions on one side in another order.
fn reordered(a: &mut Arguments, side: impl Fn(&Linear) -> &Dims) -> Option<(Linear, Dims)> {
    let of = a.layout(0);
    let dims = of.as_ref().map(side);
    let names = a.names(1, &[dims])?;
    a.fault(dims.is_some_and(|dims| dims.len() != names.len()), "incongruent");
    let order = ordered(dims.filter(|_| a.fine())?, &names);
    of.map(|of| (of, order))
}

pub(super) fn transpose_ins(a: &mut Arguments) -> Answer {
    let (of, ins) = reordered(a, |of| &of.ins)?;
    layout(Linear::of(ins.clone(), of.outs.clone(), |point| of.at(&renamed(&ins, point, &of.ins))))
}

pub(super) fn transpose_outs(a: &mut Arguments) -> Answer {
    let (of, outs) = reordered(a, |of| &of.outs)?;
    layout(Linear::of(of.ins.clone(), outs.clone(), |point| renamed(&of.outs, &of.at(point), &outs)))
}
