//! Compact layouts in a given order.

use super::compact::{by_rank, compact};
use super::reading::{Answer, Reading, answer_layout, nesting, shape_of};
use super::shape::{limit, read_ints};
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["make_ordered_layout"];

/// The rank of each leaf of the shape.
fn spread(order: &Tree, shape: &Tree, ranks: &mut Vec<BigInt>) {
    match (order, shape) {
        (Tree::Node(orders), Tree::Node(modes)) => {
            for (order, mode) in orders.iter().zip(modes) {
                spread(order, mode, ranks);
            }
        }
        (Tree::Int(rank), shape) => ranks.extend(shape.ints().iter().map(|_| rank.clone())),
        _ => {}
    }
}

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    let order = reading.take(read_ints(&args[1]));
    let nested = order.clone().zip(nesting(&args[0]));
    reading.fault(nested.is_some_and(|(order, shape)| !order.weakly_congruent(&shape)), "incongruent");
    let shape = reading.take(shape_of(&args[0]));
    let order = order?;
    let outside = |n: &&BigInt| **n < BigInt::from(0) || **n >= limit();
    reading.fault(order.ints().iter().any(outside), "out_of_domain");
    let shape = shape?;
    if !reading.fine() {
        return None;
    }
    let mut ranks = Vec::new();
    spread(&order, &shape, &mut ranks);
    Some(answer_layout(compact(&shape, by_rank(ranks))))
}
