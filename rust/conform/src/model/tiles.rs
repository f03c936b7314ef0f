//! Requests with tiles: divisions, products, thread-value layouts and partitions.

use super::expected::Expected;
use super::layout::{Layout, Split};
use super::refusal::{Codes, Refusal, alone};
use super::tiler::{Form, Tiler, arranged, transformed};
use super::{divide, partition, product};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations of this module.
pub const NAMES: [&str; 21] = [
    "logical_divide",
    "logical_divide_by_mode",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "logical_divide_ceil",
    "zipped_divide_ceil",
    "logical_product",
    "logical_product_by_mode",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "hier_unzip",
    "blocked_product",
    "raked_product",
    "tile_to_shape",
    "make_layout_tv",
    "inner_partition",
    "outer_partition",
    "local_tile",
    "local_partition",
];

/// What the definition says of a request; `complete` asks for whatever exists, by enumeration.
pub fn expected(op: &str, args: &[Value], complete: bool) -> Expected {
    match run(op, args, complete) {
        Ok(Some((value, beside))) if beside.is_empty() => Expected::Value(value),
        Ok(Some((value, beside))) => Expected::With(value, beside),
        Ok(None) => Expected::Unjudged,
        Err([code]) => Expected::Refused(code),
        Err(codes) => Expected::RefusedAs(codes),
    }
}

/// A value, and fields beside it.
type Answer = Result<Option<(Value, Vec<(&'static str, Value)>)>, Codes>;

fn plain(layout: Split) -> Answer {
    let Some(layout) = layout? else { return Ok(None) };
    Ok(Some((layout.bounded().map_err(alone)?.to_json(), Vec::new())))
}

fn placed(part: partition::Part) -> Answer {
    let Some((layout, offset)) = part? else { return Ok(None) };
    Ok(Some((layout.to_json(), vec![("offset", int_json(&offset))])))
}

/// How a layout is divided or multiplied.
pub(crate) fn split(op: &str, complete: bool) -> impl Fn(&Layout, &Layout) -> Split {
    let multiply = op.contains("product");
    move |layout: &Layout, by: &Layout| {
        if multiply { product::product(layout, by, complete) } else { divide::divide(layout, by, complete) }
    }
}

fn run(op: &str, args: &[Value], complete: bool) -> Answer {
    let takes = |counts: &[usize]| if counts.contains(&args.len()) { Ok(()) } else { Err(alone(Refusal("arity"))) };
    let layout = |i: usize| args.get(i).map_or(Err(Refusal("arity")), Layout::read).map_err(alone);
    let fitting = |i: usize| -> Result<(Layout, Tiler), Codes> {
        let tiler = args.get(i + 1).map_or(Err(Refusal("arity")), Tiler::read).map_err(alone)?;
        let layout = layout(i)?;
        if tiler.fits(&layout) { Ok((layout, tiler)) } else { Err(alone(Refusal("incongruent"))) }
    };
    let form = match op.split('_').next() {
        Some("tiled") => Form::Tiled,
        Some("flat") => Form::Flat,
        _ => Form::Zipped,
    };
    match op {
        "logical_divide" | "logical_divide_by_mode" | "logical_product" | "logical_product_by_mode" => {
            takes(&[2])?;
            let (layout, tiler) = fitting(0)?;
            plain(transformed(&layout, &tiler, &split(op, complete)))
        }
        "zipped_divide" | "tiled_divide" | "flat_divide" | "zipped_product" | "tiled_product" | "flat_product" => {
            takes(&[2])?;
            let (layout, tiler) = fitting(0)?;
            plain(arranged(&layout, &tiler, form, op.ends_with("product"), &split(op, complete)))
        }
        "hier_unzip" => {
            takes(&[3])?;
            let op = match crate::tree::read_int(&args[0]) {
                Some(kind) if kind == BigInt::from(0) => "zipped_divide",
                Some(kind) if kind == BigInt::from(1) => "zipped_product",
                _ => return Err(alone(Refusal("parse"))),
            };
            let (layout, tiler) = fitting(1)?;
            plain(arranged(&layout, &tiler, form, op == "zipped_product", &split(op, complete)))
        }
        "logical_divide_ceil" => {
            takes(&[2])?;
            let (layout, tiler) = fitting(0)?;
            let Some((quotient, parts)) = divide::ceil(&layout, &tiler, complete)? else { return Ok(None) };
            let quotient = quotient.bounded().map_err(alone)?;
            let padded = quotient.size() - layout.size();
            let indices = parts.iter().map(|(index, _)| index.to_json()).collect();
            let bounds = parts.iter().map(|(_, bound)| int_json(bound)).collect();
            Ok(Some((
                quotient.to_json(),
                vec![("index", Value::Array(indices)), ("bounds", Value::Array(bounds)), ("padded", int_json(&padded))],
            )))
        }
        "zipped_divide_ceil" => {
            takes(&[2])?;
            let (layout, tiler) = fitting(0)?;
            let one = |layout: &Layout, tile: &Layout| divide::ceil_of_one(layout, tile, complete);
            let Some(quotient) = arranged(&layout, &tiler, Form::Zipped, false, &one)? else { return Ok(None) };
            let quotient = quotient.bounded().map_err(alone)?;
            let padded = quotient.size() - layout.size();
            Ok(Some((quotient.to_json(), vec![("padded", int_json(&padded))])))
        }
        "blocked_product" | "raked_product" => {
            takes(&[2])?;
            plain(product::interleaved(&layout(0)?, &layout(1)?, op == "raked_product", complete))
        }
        "tile_to_shape" => {
            takes(&[2, 3])?;
            let (layout, shape, order) = product::read_shape(args)?;
            plain(product::to_shape(&layout, &shape, order.as_ref(), complete))
        }
        "make_layout_tv" => {
            takes(&[2])?;
            let Some((tiler, layout)) = partition::thread_value(&layout(0)?, &layout(1)?, complete)? else {
                return Ok(None);
            };
            let tiler = Tree::Node(tiler.into_iter().map(Tree::Int).collect());
            Ok(Some((json!({"tiler": tiler.to_json(), "layout": layout.to_json()}), Vec::new())))
        }
        "inner_partition" | "local_tile" | "outer_partition" => {
            takes(&[3])?;
            let (layout, tiler) = fitting(0)?;
            let coord = Tree::read(&args[2]).map_err(|error| alone(error.into()))?;
            placed(partition::part(&layout, &tiler, &coord, op == "outer_partition", complete))
        }
        "local_partition" => {
            takes(&[3])?;
            let index = crate::tree::read_int(&args[2]).ok_or(alone(Refusal("parse")))?;
            placed(partition::local(&layout(0)?, &layout(1)?, &index, complete))
        }
        _ => Err(alone(Refusal("parse"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::flat_layouts_of_rank;
    use std::collections::BTreeSet;

    /// Copies of a set of offsets, each where the first place is free, until they leave no hole at or after `reach`.
    fn copies(tile: &[BigInt], reach: u64) -> Option<(Vec<u64>, u64)> {
        let tile: Vec<u64> = tile.iter().map(|offset| offset.try_into().unwrap()).collect();
        let (mut taken, mut next, mut starts) = (BTreeSet::new(), 0, Vec::new());
        loop {
            while taken.remove(&next) {
                next += 1;
            }
            if next >= reach && taken.is_empty() {
                return Some((starts, next));
            }
            if !tile.iter().all(|offset| taken.insert(next + offset)) {
                return None;
            }
            starts.push(next);
        }
    }

    fn small() -> Vec<Layout> {
        let flats = (0..=2).flat_map(|rank| flat_layouts_of_rank(rank, 4, 4));
        let read = |(extents, strides)| Layout::read(&json!({"shape": extents, "stride": strides})).unwrap();
        flats.map(read).collect()
    }

    /// Where copies of the tile go, by putting them there.
    #[test]
    fn division_puts_tile_after_tile() {
        let mut exact = 0;
        for layout in small().iter().step_by(3) {
            let size: u64 = layout.size().try_into().unwrap();
            for tile in small().iter().step_by(5) {
                let found = divide::divide(layout, tile, true).map(Option::unwrap);
                let inside = tile.cosize() <= layout.size();
                let starts = copies(&tile.offsets(), size).filter(|(_, filled)| *filled == size && inside);
                let Ok(found) = found else {
                    // a mode over the tiles, and one inside them, that add up
                    let aligned = starts.is_some_and(|(starts, _)| {
                        let over: Vec<BigInt> = starts.iter().map(|start| layout.at(&(*start).into())).collect();
                        let adds = |(start, value): (&u64, &BigInt)| {
                            tile.offsets().iter().all(|t| layout.at(&(start + t)) == value + layout.at(t))
                        };
                        starts.iter().zip(&over).all(adds)
                            && super::super::find::find(&over).is_some()
                            && super::super::composition::complete(layout, tile).is_ok()
                    });
                    assert!(!aligned, "{layout:?} by {tile:?}");
                    continue;
                };
                let (starts, _) = starts.unwrap_or_else(|| panic!("{layout:?} by {tile:?} is {found:?}"));
                let indices = starts.iter().flat_map(|start| tile.offsets().into_iter().map(move |t| start + t));
                let values: Vec<BigInt> = indices.map(|index| layout.at(&index)).collect();
                assert_eq!(found.offsets(), values, "{layout:?} by {tile:?}");
                exact += 1;
            }
        }
        assert!(exact > 1_000, "{exact}");
    }

    #[test]
    fn products_put_copy_after_copy() {
        let mut exact = 0;
        for block in small().iter().step_by(3) {
            for tiles in small().iter().step_by(5) {
                let Ok(found) = product::product(block, tiles, true).map(Option::unwrap) else { continue };
                let moving = super::super::coalesce::filtered_zeros(block);
                let enough: u64 = (&moving.size() * tiles.cosize()).try_into().unwrap();
                let (starts, _) = copies(&moving.offsets(), enough).unwrap();
                let [first, second] = &found.top()[..] else { panic!("{found:?}") };
                assert_eq!(first, block);
                let numbers: Vec<usize> = tiles.offsets().iter().map(|n| n.try_into().unwrap()).collect();
                let expected: Vec<BigInt> = numbers.iter().map(|n| starts[*n].into()).collect();
                assert_eq!(second.offsets(), expected, "{block:?} by {tiles:?}");
                exact += 1;
            }
        }
        assert!(exact > 1_000, "{exact}");
    }
}
