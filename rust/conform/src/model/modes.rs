//! Picking, replacing, grouping and appending modes.

use super::nested::Nested;
use super::reading::{Answer, Reading, both, either, integer, place, rearranged, same_kind};
use super::refusal::Refusal;
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::{Value, json};

pub(super) const NAMES: &[&str] = &["append", "group", "prepend", "replace", "select", "take"];

/// The most modes that a tuple is padded to.
const MAX_MODES: u32 = 1 << 16;

fn padded<T: Nested>(tree: &T, more: &T, rank: usize, behind: bool) -> Option<T> {
    let modes = tree.top();
    let missing = rank.checked_sub(modes.len())?;
    if missing == 0 {
        return Some(tree.clone());
    }
    let copies = vec![more.clone(); missing];
    Some(T::node(if behind { [modes, copies].concat() } else { [copies, modes].concat() }))
}

fn grouped<T: Nested>(tree: &T, begin: usize, end: usize) -> Option<T> {
    let modes = tree.top();
    let middle = modes.get(begin..end)?.to_vec();
    let middle = if middle.is_empty() { vec![] } else { vec![T::node(middle)] };
    Some(T::node([modes[..begin].to_vec(), middle, modes[end..].to_vec()].concat()))
}

fn taken<T: Nested>(tree: &T, begin: usize, end: usize) -> Option<T> {
    Some(T::node(tree.top().get(begin..end)?.to_vec()))
}

fn selected<T: Nested>(tree: &T, places: &[usize]) -> Option<T> {
    let modes = tree.top();
    places.iter().map(|place| modes.get(*place).cloned()).collect::<Option<_>>().map(T::node)
}

fn replaced<T: Nested>(tree: &T, place: usize, mode: &T) -> Option<T> {
    let mut modes = tree.top();
    *modes.get_mut(place)? = mode.clone();
    if tree.modes().is_none() { modes.pop() } else { Some(T::node(modes)) }
}

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    match op {
        "append" | "prepend" => {
            let rank = reading.take(integer(&args[1]));
            let more = match args.get(2) {
                Some(more) => more.clone(),
                None if args[0].is_object() => json!({"shape": 1, "stride": 0}),
                None => json!(1),
            };
            reading.fault(!same_kind(&args[0], &more), "parse");
            let first = reading.take(either(&args[0]));
            let more = reading.take(either(&more));
            let rank = rank?;
            reading.fault(rank > BigInt::from(MAX_MODES), "too_large");
            reading.fault(rank < BigInt::from(0), "out_of_domain");
            if !reading.fine() {
                return None;
            }
            let (behind, rank) = (op == "append", place(&rank));
            let result = both(
                &first?,
                &more?,
                "out_of_domain",
                |a, b| padded(a, b, rank, behind),
                |a, b| padded(a, b, rank, behind),
            );
            Some(result)
        }
        "group" | "take" => {
            let (begin, end) = (reading.take(integer(&args[1])), reading.take(integer(&args[2])));
            let operand = reading.take(either(&args[0]))?;
            let (begin, end) = (place(&begin?), place(&end?));
            Some(if op == "group" {
                rearranged(&operand, "out_of_domain", |t| grouped(t, begin, end), |t| grouped(t, begin, end))
            } else {
                rearranged(&operand, "out_of_domain", |t| taken(t, begin, end), |t| taken(t, begin, end))
            })
        }
        "select" => {
            let places = args[1].as_array().and_then(|places| places.iter().map(read_int).collect::<Option<Vec<_>>>());
            let places = reading.take(places.ok_or(Refusal("parse")));
            let operand = reading.take(either(&args[0]))?;
            let places: Vec<usize> = places?.iter().map(place).collect();
            Some(rearranged(&operand, "out_of_domain", |t| selected(t, &places), |t| selected(t, &places)))
        }
        _ => {
            let at = reading.take(integer(&args[1]));
            reading.fault(at.as_ref().is_some_and(|at| *at < BigInt::from(0)), "out_of_domain");
            reading.fault(!same_kind(&args[0], &args[2]), "parse");
            let (first, mode) = (reading.take(either(&args[0])), reading.take(either(&args[2])));
            let at = place(&at?);
            Some(both(&first?, &mode?, "out_of_domain", |a, b| replaced(a, at, b), |a, b| replaced(a, at, b)))
        }
    }
}
