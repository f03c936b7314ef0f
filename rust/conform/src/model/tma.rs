//! The copy engine, box by box, byte by byte and tile by tile.

use super::expected::Expected;
use super::find::LIST;
use super::layout::Layout;
use super::reading::{Answer, Reading, layout_of};
use super::refusal::{Refusal, Result};
use crate::tree::{MAX_DEPTH, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The operations of this module.
pub(super) const NAMES: &[&str] = &["fttc", "tma_swizzle", "tma_tile_fault"];

fn number(value: &Value, least: u32, below: &'static str, beyond: &'static str) -> Result<u64> {
    let n = read_int(value).ok_or(Refusal("parse"))?;
    if n < least.into() {
        return Err(Refusal(below));
    }
    u64::try_from(&n).map_err(|_| Refusal(beyond))
}

fn sizes(value: &Value, reading: &mut Reading) -> Option<Vec<u64>> {
    let Some(items) = value.as_array() else {
        reading.fault(true, "parse");
        return None;
    };
    // all of them, so that each fault is seen
    let all: Vec<Option<u64>> = items.iter().map(|item| reading.take(number(item, 1, "extent", "overflow"))).collect();
    all.into_iter().collect()
}

/// Whether some tile of a dimension holds an element of its box and, beyond the box, another element of the tensor: then no
/// start of the load gives both the element and 0. None where there are too many boxes.
fn mixed(size: u64, length: u64, stride: u64) -> Option<bool> {
    let (boxes, taken) = (size.div_ceil(length), length.div_ceil(stride));
    if boxes.checked_mul(taken)?.checked_mul(stride)? > LIST.into() {
        return None;
    }
    Some((0..boxes).any(|at| {
        (0..stride).any(|phase| {
            let items = (0..taken).map(|item| item * stride + phase);
            let inside = items.filter(|place| at * length + place < size);
            let (own, others): (Vec<u64>, Vec<u64>) = inside.partition(|place| *place < length);
            !own.is_empty() && !others.is_empty()
        })
    }))
}

fn fttc(args: &[Value], reading: &mut Reading) -> Answer {
    let lists = [0, 1, 2].map(|place| sizes(&args[place], reading));
    let counts: Vec<usize> = args.iter().filter_map(|arg| arg.as_array().map(Vec::len)).collect();
    reading.fault(counts.iter().any(|count| *count != counts[0]), "incongruent");
    let [sizes, boxes, strides] = lists;
    let (sizes, boxes, strides) = (sizes?, boxes?, strides?);
    if !reading.fine() {
        return None;
    }
    let mut violations = vec![];
    for dim in 0..sizes.len() {
        match mixed(sizes[dim], boxes[dim], strides[dim]) {
            Some(true) => violations.push(dim),
            Some(false) => {}
            None => return Some(Ok(None)),
        }
    }
    Some(Ok(Some(json!({"strong": violations.is_empty(), "violations": violations}))))
}

/// Where unit `unit` of a row lies in unit row `row`: pairs of units change places in every other unit row, then pairs of
/// pairs in every other two, until one row of units is one pair.
fn swapped(units: u64, row: u128, mut unit: u64) -> u64 {
    let mut wide = 1;
    while wide < units {
        if row / u128::from(wide) % 2 == 1 {
            unit = if (unit / wide).is_multiple_of(2) { unit + wide } else { unit - wide };
        }
        wide *= 2;
    }
    unit
}

fn swizzle(args: &[Value], reading: &mut Reading) -> Answer {
    let bytes = reading.take(number(&args[0], 0, "out_of_domain", "out_of_domain"));
    let address = reading.take(number(&args[1], 0, "out_of_domain", "out_of_domain"));
    reading.fault(bytes.is_some_and(|bytes| ![16, 32, 64, 128].contains(&bytes)), "out_of_domain");
    let (bytes, address) = (bytes?, address?);
    if !reading.fine() {
        return None;
    }
    let unit = address % bytes / 16;
    let moved = swapped(bytes / 16, u128::from(address / 128), unit);
    Some(Ok(Some(json!(address - unit * 16 + moved * 16))))
}

/// The tile, the tiles and the elements of a copy.
fn tiles(args: &[Value], reading: &mut Reading) -> Option<(Layout, Layout, u64)> {
    let [tile, tiles] = [0, 1].map(|place| reading.take(layout_of(&args[place])));
    let count = reading.take(number(&args[2], 1, "extent", "overflow"));
    let (tile, tiles, count) = (tile?, tiles?, count?);
    if !reading.fine() {
        return None;
    }
    let whole = Layout::Node(vec![tile.clone(), tiles.clone()]);
    reading.fault(whole.shape().depth() > MAX_DEPTH, "too_large");
    reading.take(whole.bounded())?;
    reading.fine().then_some((tile, tiles, count))
}

/// What may be answered of a tile and tiles, any of these; none where that takes an enumeration that is too large, or
/// where the arguments have faults.
pub(crate) fn tile_faults(args: &[Value]) -> Option<Vec<Value>> {
    if args.len() != 3 {
        return None;
    }
    let (tile, tiles, count) = tiles(args, &mut Reading::default())?;
    let one = |answer: Value| Some(vec![answer]);
    let n = BigInt::from(count);
    if tile.size() != n {
        return one(json!({"fault": "size", "given": int_json(&tile.size()), "tile": count}));
    }
    if count > LIST.into() || tiles.size() > LIST.into() {
        return None;
    }
    let offsets = tile.offsets();
    if let Some(x) = (0..offsets.len()).find(|x| offsets[*x] != BigInt::from(*x)) {
        return one(json!({"fault": "scattered", "index": x, "offset": int_json(&offsets[x])}));
    }
    let begins = tiles.offsets();
    if let Some(offset) = begins.iter().find(|offset| *offset % &n != BigInt::from(0)) {
        return one(json!({"fault": "straddles", "offset": int_json(offset), "tile": count}));
    }
    let mut met: BTreeMap<&BigInt, usize> = BTreeMap::new();
    for offset in &begins {
        *met.entry(offset).or_default() += 1;
    }
    let shared = |offset: Value| json!({"fault": "shared", "offset": offset});
    let mut answers: Vec<Value> =
        met.iter().filter(|(_, times)| **times > 1).map(|(offset, _)| shared(int_json(offset))).collect();
    if answers.is_empty() {
        return one(Value::Null);
    }
    // more tiles than places: no pair is looked for
    if tiles.size() > tiles.cosize() {
        answers.push(shared(Value::Null));
    }
    Some(answers)
}

/// What the definition says of a request, beside what may be answered of tiles.
pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    match op {
        "fttc" => fttc(args, reading),
        "tma_swizzle" => swizzle(args, reading),
        _ => {
            tiles(args, reading)?;
            Some(Ok(None))
        }
    }
}

/// The only answer of a tile and tiles, where there is only one.
pub(super) fn expected(args: &[Value]) -> Expected {
    match tile_faults(args).as_deref() {
        Some([only]) => Expected::Value(only.clone()),
        _ => Expected::Unjudged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 5 of nvFuser's text: rows 1 and 4 of 8, boxes of 4, every third; row 4 is in the next box.
    #[test]
    fn boxes_with_holes_inside_the_tensor_are_found() {
        assert_eq!(mixed(8, 4, 3), Some(true));
        assert_eq!([(8, 4, 2), (8, 4, 4), (4, 4, 3), (8, 4, 5)].map(|(s, b, e)| mixed(s, b, e)), [Some(false); 4]);
        assert_eq!(mixed(u64::MAX, 4, 3), None);
    }

    #[test]
    fn units_change_places_as_drawn() {
        assert_eq!((0..8).map(|unit| swapped(8, 5, unit)).collect::<Vec<_>>(), [5, 4, 7, 6, 1, 0, 3, 2]);
        assert_eq!((0..4).map(|unit| swapped(4, 2, unit)).collect::<Vec<_>>(), [2, 3, 0, 1]);
    }
}
