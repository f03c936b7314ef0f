//! The categories Tuple and Nest: what is done with morphisms, entry by entry, and what each has to be as a function.
//!
//! An answer is made by the words of its definition, one step at a time; then it is held to the function that it has to
//! realize, at all indices of small domains and at some of large ones.

mod layouts;
mod morphism;
mod nest;
mod tuple;

use super::expected::Expected;
use super::refusal::{Refusal, Result};
use super::shape::{check_shape, read_ints};
use crate::judge::Verdict;
use crate::tree::Tree;
use morphism::{Morphism, fin};
use num_bigint::BigInt;
use serde_json::Value;

/// The operations of this module, with the number of their arguments.
const NAMES: [(&str, usize); 39] = [
    ("encoded_layout_flat", 1),
    ("encoded_layout_nest", 1),
    ("fin_compose", 2),
    ("fin_sum", 2),
    ("fin_wedge", 2),
    ("flat_complement", 2),
    ("flat_concatenate", 2),
    ("is_tractable", 1),
    ("layout_compose", 2),
    ("mutual_refinement", 2),
    ("nest_coalesce", 1),
    ("nest_complement", 1),
    ("nest_compose", 2),
    ("nest_concat", 2),
    ("nest_logical_divide", 2),
    ("nest_logical_product", 2),
    ("nest_pullback", 2),
    ("nest_pushforward", 2),
    ("nested_attrs", 1),
    ("nested_refines", 2),
    ("nested_relative", 2),
    ("nullify_trivial_strides", 1),
    ("sort_flat_layout", 1),
    ("standard_representation_flat", 1),
    ("standard_representation_nest", 1),
    ("tuple_coalesce", 1),
    ("tuple_complement", 1),
    ("tuple_compose", 2),
    ("tuple_concat", 2),
    ("tuple_factorize", 2),
    ("tuple_flat_divide", 2),
    ("tuple_flat_product", 2),
    ("tuple_predicates", 1),
    ("tuple_restrict", 2),
    ("tuple_sort", 1),
    ("tuple_squeeze", 1),
    ("tuple_strong_coalesce", 1),
    ("tuple_sum", 2),
    ("weak_composite", 2),
];

/// Whether an operation is one of these.
pub fn has(op: &str) -> bool {
    NAMES.iter().any(|(name, _)| *name == op)
}

/// An argument that has been read.
enum Operand {
    Fin(Vec<BigInt>, BigInt),
    Morphism(Morphism),
    /// Extents and strides in one nesting.
    Layout(Tree, Vec<(BigInt, BigInt)>),
    Shape(Tree),
    Places(Vec<BigInt>),
    Count(BigInt),
}

/// What stands in a place of the arguments, with all that is wrong with it.
fn operand(op: &str, place: usize, value: &Value, faults: &mut Vec<&'static str>) -> Option<Operand> {
    let shape = |faults: &mut Vec<&'static str>| match read_ints(value).and_then(check_shape) {
        Ok(shape) if !value.is_object() => Some(Operand::Shape(shape)),
        Ok(_) => None,
        Err(Refusal(code)) => {
            faults.push(code);
            None
        }
    };
    match op {
        _ if op.starts_with("fin_") => fin(value, faults).map(|(map, n)| Operand::Fin(map, n)),
        "nested_attrs" | "nested_refines" | "nested_relative" | "mutual_refinement" => shape(faults),
        "nest_pullback" | "nest_pushforward" if place == 1 => shape(faults),
        "flat_complement" if place == 1 => match super::reading::count(value) {
            Ok(count) => Some(Operand::Count(count)),
            Err(Refusal(code)) => {
                faults.push(code);
                None
            }
        },
        "tuple_restrict" | "tuple_factorize" if place == 1 => {
            let places = value.as_array().and_then(|all| all.iter().map(crate::tree::read_int).collect());
            if places.is_none() {
                faults.push("parse");
            }
            places.map(Operand::Places)
        }
        _ if op.starts_with("tuple_") || op == "encoded_layout_flat" => {
            Morphism::read(value, true, faults).map(Operand::Morphism)
        }
        _ if op.starts_with("nest_") || op == "encoded_layout_nest" || op == "weak_composite" => {
            Morphism::read(value, false, faults).map(Operand::Morphism)
        }
        _ => layouts::read(value, faults).map(|(shape, modes)| Operand::Layout(shape, modes)),
    }
}

fn operands(op: &str, args: &[Value], faults: &mut Vec<&'static str>) -> Option<Vec<Operand>> {
    if !NAMES.contains(&(op, args.len())) {
        faults.push("arity");
        return None;
    }
    let read: Vec<Option<Operand>> =
        args.iter().enumerate().map(|(place, value)| operand(op, place, value, faults)).collect();
    let read = read.into_iter().collect::<Option<Vec<_>>>();
    if read.is_none() && faults.is_empty() {
        faults.push("parse");
    }
    read
}

/// What the definition says of a request.
pub(super) fn expected(op: &str, args: &[Value]) -> Expected {
    let mut faults = Vec::new();
    let Some(operands) = operands(op, args, &mut faults).filter(|_| faults.is_empty()) else {
        return Expected::Refused(faults.first().copied().unwrap_or("parse"));
    };
    match run(op, &operands) {
        Ok(expected) => expected,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

fn run(op: &str, operands: &[Operand]) -> Result<Expected> {
    match operands {
        [Operand::Fin(f, m), Operand::Fin(g, n)] => tuple::fin(op, (f, m), (g, n)).map(Expected::Exactly),
        [Operand::Morphism(f), others @ ..] if op.starts_with("tuple_") || op == "encoded_layout_flat" => {
            let (g, places) = match others {
                [Operand::Morphism(g)] => (Some(g), None),
                [Operand::Places(places)] => (None, Some(places.as_slice())),
                _ => (None, None),
            };
            tuple::run(op, f, g, places).map(Expected::Exactly)
        }
        [Operand::Morphism(f), others @ ..] => match others {
            [Operand::Morphism(g)] => nest::run(op, f, Some(g), None),
            [Operand::Shape(shape)] => nest::run(op, f, None, Some(shape)),
            _ => nest::run(op, f, None, None),
        },
        [Operand::Shape(s)] => layouts::on_shapes(op, s, s),
        [Operand::Shape(s), Operand::Shape(t)] => layouts::on_shapes(op, s, t),
        [Operand::Layout(shape, modes)] => layouts::on_layout(op, shape, modes, None),
        [Operand::Layout(shape, modes), Operand::Count(n)] => layouts::on_layout(op, shape, modes, Some(n)),
        [Operand::Layout(a, first), Operand::Layout(b, second)] => layouts::on_layouts(op, (a, first), (b, second)),
        _ => Err(Refusal("parse")),
    }
}

/// The codes of all that is wrong with the arguments.
pub(super) fn faults(op: &str, args: &[Value]) -> Vec<&'static str> {
    let mut faults = Vec::new();
    let read = operands(op, args, &mut faults);
    if let Some(Err(Refusal(code))) = read.filter(|_| faults.is_empty()).map(|operands| run(op, &operands)) {
        faults.push(code);
    }
    faults
}

/// An answer of which several would be right: by what each has to be.
pub(crate) fn several(op: &str, args: &[Value], result: &Value) -> Option<Verdict> {
    let mut faults = Vec::new();
    let operands = operands(op, args, &mut faults).filter(|_| faults.is_empty())?;
    let fault = match operands.as_slice() {
        [Operand::Layout(shape, modes)] if op.starts_with("standard_representation") => {
            layouts::represents(shape, modes, result)
        }
        [Operand::Layout(a, first), Operand::Layout(_, second)] if op == "layout_compose" => {
            layouts::composed(a, first, second, result)
        }
        [Operand::Shape(t), Operand::Shape(u)] if op == "mutual_refinement" => layouts::mutually_refined(t, u, result),
        [Operand::Morphism(f), Operand::Morphism(g)] if op == "weak_composite" => nest::weakly_composed(f, g, result),
        _ => return None,
    };
    Some(fault.map_or(Verdict::Right, |fault| Verdict::wrong("value", fault)))
}
