//! Requests with several faults: the codes of all of them, of which any may be reported.
//!
//! The operations of the model stop at the first fault that they meet; this looks at every argument.

use super::category;
use super::concepts;
use super::coordinates;
use super::layout::Layout;
use super::refusal::Refusal;
use super::relation;
use super::shape::{check_shape, limit, read_ints};
use super::swizzled;
use super::tiler::Tiler;
use crate::tree::Tree;
use serde_json::Value;

/// Whether nothing in the profile has more modes than what it meets; a leaf counts as one mode.
fn reaches(profile: &Tree, shape: &Tree) -> bool {
    match (profile, shape) {
        (Tree::Node(parts), Tree::Node(modes)) => {
            parts.len() <= modes.len() && parts.iter().zip(modes).all(|(part, mode)| reaches(part, mode))
        }
        (Tree::Node(parts), leaf) => parts.len() <= 1 && parts.iter().all(|part| reaches(part, leaf)),
        _ => true,
    }
}

/// The nesting of a shape or layout argument, whatever its numbers are.
fn nesting(value: &Value) -> Option<Tree> {
    Tree::read(value.get("shape").unwrap_or(value)).ok()
}

/// The codes of all that is wrong inside a tiler.
fn tiler_faults(value: &Value, found: &mut Vec<&'static str>) {
    if let Value::Array(tilers) = value {
        for tiler in tilers {
            tiler_faults(tiler, found);
        }
    } else if let Err(Refusal(code)) = Tiler::read(value) {
        found.push(code);
    }
}

/// Whether no tuple of a tiler has more modes than it meets; the numbers do not matter.
fn tiler_reaches(tiler: &Value, shape: &Tree) -> bool {
    let Value::Array(tilers) = tiler else { return true };
    let modes = if let Tree::Node(modes) = shape { modes.clone() } else { vec![shape.clone()] };
    tilers.len() <= modes.len() && tilers.iter().zip(&modes).all(|(tiler, mode)| tiler_reaches(tiler, mode))
}

/// The codes of all that is wrong with a request that the model refuses with `met`.
pub fn faults(op: &str, args: &[Value], met: &'static str) -> Vec<&'static str> {
    let mut found = vec![met];
    if category::has(op) {
        found.extend(category::faults(op, args));
        return found;
    }
    if relation::NAMES.contains(&op) {
        found.extend(relation::faults(args));
        return found;
    }
    let coordinate = match op {
        "call" | "slice" | "dice" | "slice_and_offset" | "crd2idx" | "idx2crd" | "crd2crd" | "swizzled_call"
        | "coord_call" => args.first(),
        "inner_partition" | "outer_partition" | "local_tile" | "local_partition" => args.get(2),
        _ => None,
    };
    // wherever it points, such a number is no coordinate
    let outside = |tree: Tree| tree.ints().into_iter().any(|n| *n < 0.into() || *n >= limit());
    if coordinate.and_then(|coordinate| Tree::read(coordinate).ok()).is_some_and(outside) {
        found.push("out_of_domain");
    }
    found.extend(swizzled::faults(args));
    found.extend(coordinates::faults(op, args));
    if concepts::has(op) {
        found.extend(concepts::faults(op, args));
        return found;
    }
    for (i, arg) in args.iter().enumerate() {
        let is_shape = match op {
            "congruent" | "compatible" | "refines" => true,
            "idx2crd" | "tile_to_shape" | "crd2idx" => i == 1,
            _ => false,
        };
        let another = arg.get("swizzle").is_some() || arg.get("offset").is_some();
        let fault = if arg.is_object() && !another {
            Layout::read(arg).err()
        } else if is_shape {
            read_ints(arg).and_then(check_shape).err()
        } else {
            None
        };
        found.extend(fault.map(|Refusal(code)| code));
    }
    // a coordinate, an index or a rank of an order that no shape has
    let numbers = match op {
        "call" | "slice" | "dice" | "slice_and_offset" | "crd2idx" | "idx2crd" => Some(0),
        "inner_partition" | "outer_partition" | "local_tile" | "local_partition" | "tile_to_shape" => Some(2),
        _ => None,
    };
    if let Some(tree) = numbers.and_then(|place| args.get(place)).and_then(|arg| Tree::read(arg).ok())
        && tree.ints().iter().any(|n| **n < 0.into() || **n >= super::limit())
    {
        found.push("out_of_domain");
    }
    // a shape and strides that make no layout
    if let ("crd2idx", [_, shape, stride]) = (op, args)
        && let (Ok(shape), Ok(stride)) = (read_ints(shape), read_ints(stride))
    {
        found.extend(Layout::of(&shape, &stride).err().map(|Refusal(code)| code));
    }
    // modes that do not fit one another
    let misfit = match (op, args) {
        ("coalesce" | "filter", [layout, profile]) => {
            nesting(layout).zip(Tree::read(profile).ok()).is_some_and(|(shape, profile)| !reaches(&profile, &shape))
        }
        (
            "call" | "slice" | "dice" | "slice_and_offset" | "crd2idx" | "swizzled_call" | "coord_call",
            [coord, shape, ..],
        ) => nesting(shape).zip(Tree::read(coord).ok()).is_some_and(|(shape, coord)| !coord.weakly_congruent(&shape)),
        _ => false,
    };
    if misfit {
        found.push("incongruent");
    }
    let tiler = match op {
        "hier_unzip" => Some((1, 2)),
        "composition_by_mode" | "inner_partition" | "outer_partition" | "local_tile" => Some((0, 1)),
        _ if op.contains("divide") || (op.contains("product") && op != "blocked_product" && op != "raked_product") => {
            Some((0, 1))
        }
        _ => None,
    };
    if let Some((layout, tiler)) = tiler.and_then(|(a, b)| args.get(a).zip(args.get(b))) {
        tiler_faults(tiler, &mut found);
        if nesting(layout).is_some_and(|shape| !tiler_reaches(tiler, &shape)) {
            found.push("incongruent");
        }
    }
    let crowded = |inner: &Value, outer: &Value| {
        nesting(inner).zip(nesting(outer)).is_some_and(|(inner, outer)| inner.rank() > outer.rank())
    };
    match (op, args) {
        ("tile_to_shape", [block, shape, order @ ..]) => {
            let order = order.first().and_then(|order| Tree::read(order).ok());
            let shape_rank = nesting(shape).map(|shape| shape.rank());
            let disordered = order.zip(shape_rank).is_some_and(|(order, rank)| match order {
                Tree::Node(ranks) => ranks.len() != rank || ranks.iter().any(|rank| matches!(rank, Tree::Node(_))),
                _ => false,
            });
            if crowded(block, shape) || disordered {
                found.push("incongruent");
            }
        }
        ("local_partition", [layout, threads, _]) if crowded(threads, layout) => found.push("incongruent"),
        _ => {}
    }
    found
}
