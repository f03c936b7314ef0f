//! Linear layouts by what they mean: the image of a point is the exclusive or of the bases that its bits select.
//!
//! A point is a list of coordinates, one for each dimension. What an operation answers is said as a function of points,
//! read off at the points with one bit, and compared with the function at all points, or at many where there are too many
//! to go through. What asks for preimages goes through all points.

pub(crate) mod bank;
mod change;
mod encodings;
mod join;
mod question;
mod read;
mod solve;
mod swizzle;
mod swizzled;

use super::reading::{Answer, Reading};
use super::refusal::Refusal;
use read::Arguments;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// An operation: its name, how many arguments it has at least, and what the definition says of them.
type Operation = (&'static str, usize, fn(&mut Arguments) -> Answer);

/// The operations.
const OPERATIONS: [Operation; 50] = [
    ("bank_conflicts", 3, bank::bank_conflicts),
    ("encoding_blocked", 5, |a| encodings::blocked(a, false, false)),
    ("encoding_dot_blocked", 6, |a| encodings::blocked(a, true, false)),
    ("encoding_dot_mma_v2", 5, |a| encodings::mma(a, true, false)),
    ("encoding_dot_mma_v3", 5, |a| encodings::mma(a, true, true)),
    ("encoding_mma_v2", 3, |a| encodings::mma(a, false, false)),
    ("encoding_mma_v3", 3, |a| encodings::mma(a, false, true)),
    ("encoding_nvmma_shared", 4, encodings::nvmma),
    ("encoding_slice_blocked", 6, |a| encodings::blocked(a, false, true)),
    ("encoding_swizzled_shared", 5, encodings::swizzled),
    ("linear_apply", 2, change::apply),
    ("linear_compose", 2, join::compose),
    ("linear_concat_ins", 2, join::concat_ins),
    ("linear_concat_outs", 2, join::concat_outs),
    ("linear_contiguous_along", 2, question::contiguous_along),
    ("linear_divide_left", 2, |a| join::divide(a, true)),
    ("linear_divide_right", 2, |a| join::divide(a, false)),
    ("linear_ensure_not_larger", 3, change::ensure_not_larger),
    ("linear_ensure_not_smaller", 2, change::ensure_not_smaller),
    ("linear_eq", 2, join::eq),
    ("linear_flatten_ins", 1, change::flatten_ins),
    ("linear_flatten_outs", 1, change::flatten_outs),
    ("linear_free_variable_masks", 1, question::free_variable_masks),
    ("linear_from_bases_inferred", 2, solve::from_bases_inferred),
    ("linear_get_reps", 2, join::get_reps),
    ("linear_invert", 1, |a| solve::invert(a, true)),
    ("linear_invert_and_compose", 2, solve::invert_and_compose),
    ("linear_is_identity_on_out_dim", 2, question::is_identity_on_out_dim),
    ("linear_is_trivial_over", 2, question::is_trivial_over),
    ("linear_lstsq", 2, solve::lstsq),
    ("linear_matrix", 1, question::matrix),
    ("linear_mul", 2, join::mul),
    ("linear_num_consecutive", 1, question::num_consecutive),
    ("linear_predicates", 1, question::predicates),
    ("linear_pseudoinvert", 1, |a| solve::invert(a, false)),
    ("linear_quotient", 2, change::quotient),
    ("linear_remove_zero_bases", 2, change::remove_zero_bases),
    ("linear_reshape_ins", 2, |a| change::reshape(a, true)),
    ("linear_reshape_outs", 2, |a| change::reshape(a, false)),
    ("linear_resize_in", 3, change::resize_in),
    ("linear_resize_out", 3, change::resize_out),
    ("linear_strided_1d", 2, |a| change::one_dimension(a, true)),
    ("linear_sublayout", 3, change::sublayout),
    ("linear_sublayout_is_zero", 3, question::sublayout_is_zero),
    ("linear_to_swizzled", 1, swizzled::to_swizzled),
    ("linear_transpose_ins", 2, change::transpose_ins),
    ("linear_transpose_outs", 2, change::transpose_outs),
    ("linear_zeros_1d", 2, |a| change::one_dimension(a, false)),
    ("optimal_swizzle", 3, bank::optimal_swizzle),
    ("swizzle", 4, swizzle::of_request),
];

fn operation(op: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|(name, ..)| *name == op)
}

/// How many arguments an operation takes, at least and at most, if it is one of these.
pub(super) fn arguments(op: &str) -> Option<RangeInclusive<usize>> {
    // whether zero register bases are kept may be left out
    let optional = usize::from(op == "encoding_blocked");
    operation(op).map(|(_, count, _)| *count..=*count + optional)
}

/// Names and numbers of bits.
pub(super) type Dims = Vec<(String, u32)>;
/// A coordinate for each dimension.
pub(super) type Point = Vec<u64>;

/// Dimensions of more bits together have more points than are gone through.
const MOST_BITS: u32 = 10;

/// A linear layout: for each input dimension, for each of its bits, the image of the point with just that bit.
#[derive(Clone, PartialEq)]
pub(super) struct Linear {
    ins: Dims,
    outs: Dims,
    bases: Vec<Vec<Point>>,
}

fn total(dims: &Dims) -> u32 {
    dims.iter().map(|(_, bits)| bits).sum()
}

fn place(dims: &Dims, name: &str) -> Option<usize> {
    dims.iter().position(|(own, _)| own == name)
}

fn bits(dims: &Dims, name: &str) -> u32 {
    place(dims, name).map_or(0, |place| dims[place].1)
}

fn same_names(a: &Dims, b: &Dims) -> bool {
    a.len() == b.len() && a.iter().all(|(name, _)| place(b, name).is_some())
}

/// The same names, and nowhere larger.
fn fits(small: &Dims, large: &Dims) -> bool {
    same_names(small, large) && small.iter().all(|(name, own)| *own <= bits(large, name))
}

fn is_small(dims: &Dims) -> bool {
    total(dims) <= MOST_BITS
}

/// The coordinates of a packed number, the first dimension lowest.
fn unpack(dims: &Dims, mut packed: u64) -> Point {
    let cut = |(_, bits): &(String, u32)| {
        let coordinate = packed & ((1 << bits) - 1);
        packed = packed.checked_shr(*bits).unwrap_or(0);
        coordinate
    };
    dims.iter().map(cut).collect()
}

fn pack(dims: &Dims, point: &[u64]) -> u64 {
    let mut place = 0;
    let mut packed = 0;
    for ((_, bits), coordinate) in dims.iter().zip(point) {
        packed |= coordinate.checked_shl(place).unwrap_or(0);
        place += bits;
    }
    packed
}

/// The point over other dimensions: names that they lack are dropped, others are 0.
fn renamed(from: &Dims, point: &[u64], to: &Dims) -> Point {
    to.iter().map(|(name, _)| place(from, name).map_or(0, |place| point[place])).collect()
}

/// All points where there are few, first dimension fastest; else each with one bit, and some with several.
fn points(dims: &Dims) -> impl Iterator<Item = Point> {
    let bits = total(dims);
    let all = is_small(dims).then(|| 0..1_u64 << bits);
    let some = (0..bits).map(|bit| 1_u64 << bit);
    let mixed = (1..=32_u64).map(move |n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1 << bits) - 1));
    let few = is_small(dims);
    all.into_iter().flatten().chain(some.chain(mixed).filter(move |_| !few)).map(|packed| unpack(dims, packed))
}

fn xor(a: &mut Point, b: &[u64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
}

impl Linear {
    /// The image of a point.
    fn at(&self, point: &[u64]) -> Point {
        let mut image = vec![0; self.outs.len()];
        for (coordinate, bases) in point.iter().zip(&self.bases) {
            for (bit, basis) in bases.iter().enumerate() {
                if coordinate >> bit & 1 == 1 {
                    xor(&mut image, basis);
                }
            }
        }
        image
    }

    /// The layout that is this function; refused as a fault of the model where it is not linear.
    fn of(ins: Dims, outs: Dims, image: impl Fn(&[u64]) -> Point) -> Result<Self, Refusal> {
        if total(&ins) > 63 || total(&outs) > 63 {
            return Err(Refusal("too_large"));
        }
        let unit = |place: usize, bit: u32| -> Point {
            (0..ins.len()).map(|own| if own == place { 1 << bit } else { 0 }).collect()
        };
        let bases = ins.iter().enumerate();
        let bases = bases.map(|(place, (_, bits))| (0..*bits).map(|bit| image(&unit(place, bit))).collect()).collect();
        let layout = Self { ins, outs, bases };
        let linear = points(&layout.ins).all(|point| layout.at(&point) == image(&point));
        if linear { Ok(layout) } else { Err(Refusal("internal")) }
    }

    fn json(&self) -> Value {
        let ins: Vec<Value> = self.ins.iter().zip(&self.bases).map(|((name, _), bases)| json!([name, bases])).collect();
        let outs: Vec<Value> = self.outs.iter().map(|(name, bits)| json!([name, 1_u64 << bits])).collect();
        json!({"in": ins, "out": outs})
    }
}

fn linear(layout: &Value) -> Result<Linear, Refusal> {
    let (args, mut reading) = ([layout.clone()], Reading::default());
    let read = Arguments { all: &args, reading: &mut reading }.layout(0);
    read.ok_or(Refusal(reading.faults.first().copied().unwrap_or("parse")))
}

/// All points of dimensions; none where they are more than 2^16.
fn all(dims: &Dims) -> Option<impl Iterator<Item = Point>> {
    (total(dims) <= 16 && dims.len() << total(dims) <= 1 << 20)
        .then(|| (0..1_u64 << total(dims)).map(|packed| unpack(dims, packed)))
}

/// The points of a linear layout with their images, coordinates in the order of its dimensions; up to 2^16 of them.
pub(super) fn graph(layout: &Value) -> Result<Vec<(Point, Point)>, Refusal> {
    let linear = linear(layout)?;
    let inputs = all(&linear.ins).ok_or(Refusal("too_large"))?;
    Ok(inputs.map(|point| (point.clone(), linear.at(&point))).collect())
}

/// The points of its outputs.
pub(super) fn outputs(layout: &Value) -> Result<Option<Vec<Point>>, Refusal> {
    Ok(all(&linear(layout)?.outs).map(Iterator::collect))
}

/// An answer that is a linear layout.
fn layout(found: Result<Linear, Refusal>) -> Answer {
    Some(found.map(|layout| Some(layout.json())))
}

/// An answer that is a linear layout, or that there is none.
fn perhaps(found: Result<Option<Linear>, Refusal>) -> Answer {
    Some(found.map(|found| Some(found.map_or(Value::Null, |layout| layout.json()))))
}

fn value(value: impl Into<Value>) -> Answer {
    Some(Ok(Some(value.into())))
}

/// What there are too many points for.
const UNJUDGED: Answer = Some(Ok(None));

/// What the definition says of a request, which has as many arguments as the operation.
pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    let (_, _, run) = operation(op)?;
    run(&mut Arguments { all: args, reading })
}
