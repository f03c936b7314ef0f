//! Which concept answers which operation, of those that read all their arguments before they compute.

use super::expected::Expected;
use super::reading::{Answer, Reading};
use super::refusal::Refusal;
use super::{
    alignment, compact, congruent, coshape, distribute, division, linear, modes, ordered, quotient, recast, repair,
    schedule, tma, transfer, tuple_product, with_shape, zip,
};
use serde_json::Value;

/// The operations by concept.
const CONCEPTS: [&[&str]; 17] = [
    alignment::NAMES,
    compact::NAMES,
    congruent::NAMES,
    coshape::NAMES,
    distribute::NAMES,
    division::NAMES,
    modes::NAMES,
    ordered::NAMES,
    quotient::NAMES,
    &recast::NAMES,
    repair::NAMES,
    schedule::NAMES,
    tma::NAMES,
    transfer::NAMES,
    tuple_product::NAMES,
    with_shape::NAMES,
    zip::NAMES,
];

/// Whether an operation is one of these.
pub(super) fn has(op: &str) -> bool {
    linear::arguments(op).is_some() || CONCEPTS.iter().any(|names| names.contains(&op))
}

/// What the definition says of a request.
pub(super) fn expected(op: &str, args: &[Value], complete: bool) -> Expected {
    let mut reading = Reading::default();
    let value = run(op, args, complete, &mut reading);
    if let Some(first) = reading.faults.first() {
        return Expected::Refused(first);
    }
    if recast::NAMES.contains(&op) {
        return recast::expected(op, args);
    }
    if op == "tma_tile_fault" {
        return tma::expected(args);
    }
    match value {
        Some(Ok(Some(value))) => Expected::Value(value),
        Some(Ok(None)) => Expected::Unjudged,
        Some(Err(Refusal(code))) => Expected::Refused(code),
        None => Expected::Refused("internal"),
    }
}

/// The codes of all that is wrong with the arguments of a request.
pub(super) fn faults(op: &str, args: &[Value]) -> Vec<&'static str> {
    let mut reading = Reading::default();
    run(op, args, false, &mut reading);
    reading.faults
}

fn run(op: &str, args: &[Value], completely: bool, reading: &mut Reading) -> Answer {
    if let Some(counts) = linear::arguments(op) {
        let taken = counts.contains(&args.len());
        reading.fault(!taken, "arity");
        return if taken { linear::run(op, args, reading) } else { None };
    }
    let counts: &[usize] = match op {
        "append" | "prepend" => &[2, 3],
        "zip" | "prefix_product" => &[1, 2],
        "coshape"
        | "make_layout_left"
        | "make_layout_like"
        | "make_layout_right"
        | "max_alignment"
        | "schedule_axes"
        | "schedule_essential"
        | "schedule_eval"
        | "schedule_predicates" => &[1],
        "crd2crd" | "div" | "fttc" | "group" | "largest_extent" | "recast" | "recast_containing" | "replace"
        | "take" | "tma_tile_fault" => &[3],
        _ => &[2],
    };
    if !counts.contains(&args.len()) {
        reading.faults.push("arity");
        return None;
    }
    match op {
        _ if alignment::NAMES.contains(&op) => alignment::run(args, reading),
        _ if compact::NAMES.contains(&op) => compact::run(op, args, reading),
        _ if congruent::NAMES.contains(&op) => congruent::run(args, reading),
        _ if coshape::NAMES.contains(&op) => coshape::run(args, reading),
        _ if distribute::NAMES.contains(&op) => distribute::run(args, reading),
        _ if division::NAMES.contains(&op) => division::run(op, args, reading),
        _ if modes::NAMES.contains(&op) => modes::run(op, args, reading),
        _ if ordered::NAMES.contains(&op) => ordered::run(args, reading),
        _ if quotient::NAMES.contains(&op) => quotient::run(args, reading),
        _ if recast::NAMES.contains(&op) => recast::run(args, reading),
        _ if repair::NAMES.contains(&op) => repair::run(op, args, reading),
        _ if schedule::NAMES.contains(&op) => schedule::run(op, args, reading),
        _ if tma::NAMES.contains(&op) => tma::run(op, args, reading),
        _ if transfer::NAMES.contains(&op) => transfer::run(args, reading),
        _ if tuple_product::NAMES.contains(&op) => tuple_product::run(op, args, reading),
        _ if with_shape::NAMES.contains(&op) => with_shape::run(args, completely, reading),
        _ if zip::NAMES.contains(&op) => zip::run(op, args, reading),
        _ => None,
    }
}
