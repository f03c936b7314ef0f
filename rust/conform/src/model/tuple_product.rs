//! Products of tuples: running and inner ones.

use super::integer::one;
use super::reading::{Answer, Reading, nesting, shape_of};
use super::refusal::Refusal;
use super::shape::{limit, read_ints, size};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["inner_product", "prefix_product"];

/// Running products under each leaf of the start.
fn products(start: &Tree, shape: &Tree) -> Tree {
    if let (Tree::Node(starts), Tree::Node(modes)) = (start, shape) {
        return Tree::Node(starts.iter().zip(modes).map(|(start, mode)| products(start, mode)).collect());
    }
    let mut running = size(start);
    let all: Vec<BigInt> = shape
        .ints()
        .into_iter()
        .map(|extent| {
            let now = running.clone();
            running *= extent;
            now
        })
        .collect();
    shape.refill(&mut all.into_iter())
}

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    if op == "prefix_product" {
        let start = reading.take(args.get(1).map_or(Ok(Tree::Int(one())), read_ints));
        let nested = start.clone().zip(nesting(&args[0]));
        reading.fault(nested.is_some_and(|(start, shape)| !start.weakly_congruent(&shape)), "incongruent");
        let shape = reading.take(shape_of(&args[0]));
        let start = start?;
        reading.fault(start.ints().into_iter().any(|n| *n < BigInt::from(0)), "stride");
        reading.fault(start.ints().into_iter().any(|n| *n >= limit()), "overflow");
        let shape = shape?;
        if !reading.fine() {
            return None;
        }
        let result = products(&start, &shape);
        Some(if result.ints().into_iter().any(|n| *n >= limit()) {
            Err(Refusal("overflow"))
        } else {
            Ok(Some(result.to_json()))
        })
    } else {
        let (a, b) = (reading.take(read_ints(&args[0])), reading.take(read_ints(&args[1])));
        let (a, b) = (a?, b?);
        reading.fault(!a.congruent(&b), "incongruent");
        for tuple in [&a, &b] {
            reading.fault(tuple.ints().into_iter().any(|n| *n < BigInt::from(0)), "stride");
            reading.fault(tuple.ints().into_iter().any(|n| *n >= limit()), "overflow");
        }
        let sum: BigInt = a.ints().into_iter().zip(b.ints()).map(|(a, b)| a * b).sum();
        Some(if sum >= limit() { Err(Refusal("overflow")) } else { Ok(Some(int_json(&sum))) })
    }
}
