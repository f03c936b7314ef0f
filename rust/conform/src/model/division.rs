//! Shapes divided by shapes.

use super::integer::{ceil_quotient, one};
use super::nested::Nested;
use super::reading::{Answer, Reading, answer_shape, extents, nesting, shape_of};
use super::refusal::{Refusal, Result};
use super::shape::size;
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::{Value, json};

pub(super) const NAMES: &[&str] = &["ceil_div", "evenly_divides", "round_up", "shape_div"];

/// Extents divided by an integer from left to right, rounded up, with what is left of the integer at each.
fn quotients(extents: &[&BigInt], n: &BigInt) -> Vec<(BigInt, BigInt)> {
    let mut rest = n.clone();
    let mut all = Vec::new();
    for extent in extents {
        all.push((ceil_quotient(extent, &rest), rest.clone()));
        rest = ceil_quotient(&rest, extent);
    }
    all
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Division {
    Ceil,
    Exact,
    Round,
}

/// Whether the nestings of a shape and a divisor fit.
fn fits(kind: Division, shape: &Tree, divisor: &Tree) -> bool {
    match (shape, divisor) {
        (Tree::Node(a), Tree::Node(b)) => {
            (if kind == Division::Exact { a.len() == b.len() } else { a.len() >= b.len() })
                && a.iter().zip(b).all(|(a, b)| fits(kind, a, b))
        }
        (Tree::Int(_), Tree::Int(_)) => true,
        _ => kind != Division::Round,
    }
}

fn divided(kind: Division, shape: &Tree, divisor: &Tree) -> Result<Tree> {
    if let (Tree::Node(a), Tree::Node(b)) = (shape, divisor) {
        let mut modes = a.clone();
        for (mode, divisor) in modes.iter_mut().zip(b) {
            *mode = divided(kind, mode, divisor)?;
        }
        return Ok(Tree::Node(modes));
    }
    let n = size(divisor);
    let extents = shape.ints();
    let all = quotients(&extents, &n);
    let count: BigInt = all.iter().map(|(quotient, _)| quotient).product();
    let fine = match kind {
        Division::Ceil => count * &n >= size(shape),
        Division::Exact => {
            all.iter().zip(&extents).all(|((_, rest), extent)| *extent % rest == 0.into() || rest % *extent == 0.into())
        }
        Division::Round => true,
    };
    if !fine {
        return Err(Refusal("not_divisible"));
    }
    let factor = if kind == Division::Round { n } else { one() };
    Ok(shape.refill(&mut all.into_iter().map(|(quotient, _)| quotient * &factor)))
}

fn evenly(shape: &Tree, tiler: &Tree) -> bool {
    match tiler {
        Tree::Node(tiles) => {
            let modes = shape.top();
            tiles.len() <= modes.len() && modes.iter().zip(tiles).all(|(mode, tile)| evenly(mode, tile))
        }
        tile => {
            let count: BigInt = quotients(&shape.ints(), &size(tile)).iter().map(|(quotient, _)| quotient).product();
            count * size(tile) == size(shape)
        }
    }
}

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    if op == "evenly_divides" {
        let (shape, tiler) = (reading.take(shape_of(&args[0])), reading.take(extents(&args[1])));
        Some(Ok(Some(json!(evenly(&shape?, &tiler?)))))
    } else {
        let kind = match op {
            "ceil_div" => Division::Ceil,
            "shape_div" => Division::Exact,
            _ => Division::Round,
        };
        let nested = nesting(&args[0]).zip(nesting(&args[1]));
        let objects = args.iter().any(Value::is_object);
        reading.fault(!objects && nested.is_some_and(|(a, b)| !fits(kind, &a, &b)), "incongruent");
        let (shape, divisor) = (reading.take(extents(&args[0])), reading.take(extents(&args[1])));
        let (shape, divisor) = (shape?, divisor?);
        if !reading.fine() {
            return None;
        }
        Some(divided(kind, &shape, &divisor).and_then(|quotient| answer_shape(&quotient)))
    }
}
