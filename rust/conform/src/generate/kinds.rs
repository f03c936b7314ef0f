//! Arguments by their kinds: a request for any operation, from its row in the table.
//!
//! The first layout or shape is drawn for itself, the other arguments for it: a coordinate that lies in it or just
//! outside, a profile of its nesting, another shape of its size, places of its modes. So an operation that is new to the
//! table is asked about at once. What needs more than that (operands that compose, tiles that divide) has a generator of
//! its own beside this one.

use super::coordinates::coordinates;
use super::related::{coarser, count, divisor, like, near};
use super::request::{profile, shape_or_layout, two_shapes};
use super::swizzled::swizzled;
use super::tiles::tiler_for;
use super::{
    Rng, coord_for, expr, factorised, function, nest, nested_layout, partial_coord_for, ranges, schedule, shape,
};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use razorgirl_protocol::{Kind, Op};
use serde_json::{Value, json};

fn tree(value: &Value) -> Tree {
    Tree::read(value.get("shape").unwrap_or(value)).unwrap_or(Tree::Node(Vec::new()))
}

/// The arguments of a random request for an operation.
pub(super) fn arguments(rng: &mut Rng, op: &Op, max_size: u64) -> Vec<Value> {
    let form = rng.pick(op.forms);
    let kind = |place: usize| form.parameter(place).map_or(Kind::Layout, |parameter| parameter.kind);
    if form.repeated {
        return (0..rng.between(0, 4)).map(|_| first(rng, kind(0), max_size)).collect();
    }
    let kinds: Vec<Kind> = form.parameters.iter().map(|parameter| parameter.kind).collect();
    let about = |kind: &Kind| matches!(kind, Kind::Layout | Kind::ShapeOf | Kind::Modes | Kind::Shape);
    let Some(subject) = kinds.iter().position(about) else { return alone(rng, &kinds) };
    // two shapes are drawn together
    if let Some(second) = (subject + 1..kinds.len()).find(|at| kinds[subject..=*at] == [Kind::ShapeOf, Kind::ShapeOf]) {
        let (a, b) = two_shapes(rng, max_size);
        let whole = a.clone();
        let place = |at: usize, rng: &mut Rng| match at {
            at if at == subject => a.clone(),
            at if at == second => b.clone(),
            at => beside(rng, kinds[at], &whole, max_size),
        };
        return (0..kinds.len()).map(|at| place(at, rng)).collect();
    }
    // strides of their own: a layout in two arguments
    if let Some(strides) = kinds.iter().position(|kind| *kind == Kind::Strides) {
        let whole = nested_layout(rng, max_size);
        let place = |at: usize, rng: &mut Rng| match at {
            at if at == subject => whole["shape"].clone(),
            at if at == strides => whole["stride"].clone(),
            at => beside(rng, kinds[at], &whole, max_size),
        };
        return (0..kinds.len()).map(|at| place(at, rng)).collect();
    }
    let whole = first(rng, kinds[subject], max_size);
    let mut all: Vec<Value> = (0..kinds.len())
        .map(|at| {
            if at == subject {
                return whole.clone();
            }
            match (kinds[subject], kinds[at]) {
                // places of modes, not indices
                (Kind::Modes, Kind::Index) => near(rng, tree(&whole).rank() as u64),
                (_, kind) => beside(rng, kind, &whole, max_size),
            }
        })
        .collect();
    // a range is mostly in order
    if let [_, begin, end] = all.as_mut_slice()
        && kinds == [Kind::Modes, Kind::Index, Kind::Index]
        && begin.as_i64() > end.as_i64()
        && !rng.once_in(8)
    {
        std::mem::swap(begin, end);
    }
    all
}

/// What an operation is about.
fn first(rng: &mut Rng, kind: Kind, max_size: u64) -> Value {
    match kind {
        Kind::Shape => {
            let leaves = shape(rng, max_size.min(1 << 40));
            nest(rng, &leaves).to_json()
        }
        Kind::ShapeOf | Kind::Modes => shape_or_layout(rng, max_size),
        _ => nested_layout(rng, max_size),
    }
}

fn size(shape: &Tree) -> u64 {
    let size: BigInt = shape.ints().into_iter().product();
    size.try_into().unwrap_or(u64::MAX)
}

/// An argument beside a layout or shape.
fn beside(rng: &mut Rng, kind: Kind, whole: &Value, max_size: u64) -> Value {
    let shape = tree(whole);
    match kind {
        Kind::Layout | Kind::Modes => like(rng, whole, 64),
        Kind::Shape => divisor(rng, &shape).to_json(),
        Kind::ShapeOf => {
            let mut factors = factorised(rng, size(&shape));
            if rng.once_in(3) {
                factors.truncate(usize::try_from(rng.between(0, 3)).unwrap_or(0));
            }
            if rng.once_in(12) {
                factors.push(rng.between(1, 3));
            }
            nest(rng, &factors).to_json()
        }
        Kind::Coord => {
            let strict = rng.once_in(2);
            let coord = if rng.once_in(2) { coord_for } else { partial_coord_for };
            coord(rng, &shape, strict).to_json()
        }
        Kind::Profile => profile(rng, &shape).to_json(),
        Kind::Numbers if !rng.once_in(6) => json!(1 + rng.below(9)),
        Kind::Numbers | Kind::Order => coarser(rng, &shape, 6).to_json(),
        Kind::Tiler => tiler_for(rng, &shape),
        Kind::Index => {
            let size = size(&shape);
            let past = rng.once_in(20);
            int_json(&if past { BigInt::from(size) + rng.below(2) } else { rng.below(size).into() })
        }
        Kind::Rank => match rng.below(60) {
            0 => json!(65537),
            1 => json!(-1),
            _ => json!((shape.rank() as u64 + rng.below(4)).saturating_sub(u64::from(rng.once_in(6)))),
        },
        Kind::Count => count(rng, max_size),
        Kind::Cotarget => json!(size(&shape).saturating_mul(rng.between(1, 4)).min(1 << 62)),
        Kind::Places => {
            let rank = shape.rank() as u64;
            (0..rng.below(4))
                .map(|_| if rng.once_in(12) { near(rng, rank) } else { json!(rng.below(rank.max(1))) })
                .collect()
        }
        kind => unrelated(rng, kind),
    }
}

/// The arguments of an operation that is about no layout and no shape.
fn alone(rng: &mut Rng, kinds: &[Kind]) -> Vec<Value> {
    // tuples and lists of one operation belong together
    let leaves = shape(rng, 1 << 12);
    let nesting = nest(rng, &leaves);
    let count = rng.between(0, 4);
    kinds
        .iter()
        .map(|kind| match kind {
            Kind::Numbers if rng.once_in(6) => coarser(rng, &nesting, 9).to_json(),
            Kind::Numbers => {
                let numbers: Vec<BigInt> = nesting.ints().iter().map(|_| rng.below(99).into()).collect();
                nesting.refill(&mut numbers.into_iter()).to_json()
            }
            Kind::Sizes => {
                let count = if rng.once_in(20) { count + 1 } else { count };
                (0..count).map(|_| if rng.once_in(40) { json!(0) } else { json!(rng.between(1, 20)) }).collect()
            }
            kind => unrelated(rng, *kind),
        })
        .collect()
}

/// An argument that depends on nothing else.
fn unrelated(rng: &mut Rng, kind: Kind) -> Value {
    match kind {
        Kind::Values => function(rng, 512),
        Kind::Integer if rng.once_in(4) => json!(rng.bits().cast_signed() >> rng.below(63)),
        Kind::Integer => json!(i64::try_from(rng.below(40)).unwrap_or(0) - 20),
        Kind::Division => json!(rng.pick(&["euclid", "trunc", "ceil"])),
        Kind::Truncation => json!(rng.pick(&["euclid", "trunc"])),
        Kind::Choice => json!(rng.below(2)),
        Kind::Schedule => schedule(rng, 6, 48),
        Kind::Expr => expr(rng, 4),
        Kind::Ranges => ranges(rng),
        Kind::Swizzled => swizzled(rng),
        Kind::Coordinates => coordinates(rng),
        _ => json!(rng.below(9)),
    }
}
