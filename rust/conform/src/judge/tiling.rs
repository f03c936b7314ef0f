//! Divisions show every element once, tile by tile; products are copies that do not touch.
//!
//! A peer may nest its answers otherwise than we do, count tiles in another order, or let the last tiles reach past the
//! layout. So each answer is first brought into the logical form, every result in its mode's place, and then held to what
//! the operation promises.

use super::Verdict;
use super::answer::{answered, operand};
use super::composition::{kept, refines};
use crate::model::coalesce::coalesced;
use crate::model::find::LIST;
use crate::model::product::{fillers, padded, read_shape};
use crate::model::shape::compatible;
use crate::model::tiler::one;
use crate::model::{Expected, Layout, Refusal, Split, Tiler, divide, expected, product};
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;
use std::collections::BTreeMap;

type Judged = Result<Verdict, Refusal>;

fn listed(layout: &Layout) -> bool {
    layout.size() <= BigInt::from(LIST)
}

/// Judges an answer (`None`: a refusal) to a request for an operation on tiles.
pub(super) fn judge(op: &str, args: &[Value], result: Option<&Value>) -> Judged {
    let Some(value) = result else {
        return Ok(match expected(op, args, true) {
            Expected::Value(value) | Expected::With(value, _) => {
                Verdict::RefusedThoughExists(format!("{value} exists"))
            }
            Expected::Unjudged => Verdict::Unjudged,
            Expected::Refused(_) | Expected::RefusedAs(_) => Verdict::RefusedRightly,
        });
    };
    let (op, args) = match (op, args.first().and_then(read_int)) {
        ("hier_unzip", Some(kind)) if kind == BigInt::from(0) => ("zipped_divide", &args[1..]),
        ("hier_unzip", Some(kind)) if kind == BigInt::from(1) => ("zipped_product", &args[1..]),
        _ => (op, args),
    };
    let whole = operand(args, 0)?;
    let answer = match op {
        // not a layout, or one with more beside it
        "make_layout_tv"
        | "logical_divide_ceil"
        | "inner_partition"
        | "outer_partition"
        | "local_tile"
        | "local_partition" => return Ok(exactly(op, args, value)),
        _ => match answered(value) {
            Ok(layout) => layout,
            Err(wrong) => return Ok(wrong),
        },
    };
    if let "blocked_product" | "raked_product" = op {
        return Ok(interleaved(&whole, &operand(args, 1)?, &answer, op == "raked_product"));
    }
    if op == "tile_to_shape" {
        let Ok((_, shape, order)) = read_shape(args) else { return Ok(Verdict::Unjudged) };
        return Ok(match fillers(&whole, &shape, order.as_ref()) {
            Ok(tiles) => interleaved(&whole, &tiles, &answer, false),
            // C++ rounds up at run time
            Err(_) => Verdict::Unjudged,
        });
    }
    let tiler = Tiler::read(args.get(1).ok_or(Refusal("arity"))?)?;
    if !tiler.fits(&whole) {
        return Ok(Verdict::Unjudged);
    }
    let one: &One = if op.contains("product") { &copied } else { &divided };
    if op.starts_with("logical") {
        return Ok(by_mode(&whole, &tiler, &answer, one));
    }
    Ok(match logical_form(op, &whole, &tiler, &answer) {
        Some((answer, verdict)) => by_mode(&whole, &tiler, &answer, one).and(verdict),
        // nothing may be lost, however it is nested
        None if op.contains("divide") => rearranged(&whole, &answer)
            .and(Verdict::wrong("shape", format!("{} is not nested as the tiler", answer.shape().to_json()))),
        None => Verdict::wrong("shape", format!("{} is not nested as the tiler", answer.shape().to_json())),
    })
}

/// What an operation has to be that no peer offers in another form.
fn exactly(op: &str, args: &[Value], value: &Value) -> Verdict {
    match expected(op, args, true) {
        Expected::Value(wanted) | Expected::With(wanted, _) if super::same(&wanted, value) => Verdict::Right,
        Expected::Value(wanted) | Expected::With(wanted, _) => {
            Verdict::wrong("value", format!("the answer is {wanted}"))
        }
        Expected::Refused(code) => Verdict::wrong("accepted", format!("this has to be refused: {code}")),
        Expected::RefusedAs(codes) => {
            Verdict::wrong("accepted", format!("this has to be refused: {}", codes.join(" or ")))
        }
        Expected::Unjudged => Verdict::Unjudged,
    }
}

/// A zipped, tiled or flat answer as its logical form; nothing when it is not nested as the tiler says.
fn logical_form(op: &str, whole: &Layout, tiler: &Tiler, answer: &Layout) -> Option<(Layout, Verdict)> {
    let modes = answer.top();
    let multiply = op.ends_with("product");
    let mut tried: Vec<(Layout, Layout)> = Vec::new();
    match op.split('_').next() {
        Some("zipped") => {
            if let [tile, rest] = modes.as_slice() {
                tried.push((tile.clone(), rest.clone()));
            }
        }
        Some("tiled") => {
            if let Some((tile, rests)) = modes.split_first() {
                tried.extend(rest_of(rests).into_iter().map(|rest| (tile.clone(), rest)));
            }
        }
        _ => {
            for count in 0..=modes.len() {
                let (tiles, rests) = modes.split_at(count);
                for tile in rest_of(tiles) {
                    tried.extend(rest_of(rests).into_iter().map(|rest| (tile.clone(), rest)));
                }
            }
        }
    }
    // where several ways to read the answer are left, the one that is right, or comes closest
    let read = tried.into_iter().filter_map(|(tile, rest)| {
        let (logical, verdict) = rejoined(whole, tiler, &tile, &rest, multiply)?;
        let one: &One = if multiply { &copied } else { &divided };
        let distance = match by_mode(whole, tiler, &logical, one) {
            Verdict::Wrong(wrong) if ["shape", "tile", "block"].contains(&wrong.kind) => 2,
            Verdict::Wrong(_) => 1,
            _ => 0,
        };
        Some((distance, (logical, verdict)))
    });
    read.min_by_key(|(distance, _)| *distance).map(|(_, found)| found)
}

/// What may have been spread as these modes: their tuple, or the only one of them.
fn rest_of(modes: &[Layout]) -> Vec<Layout> {
    let mut all = vec![Layout::Node(modes.to_vec())];
    if let [mode] = modes {
        all.insert(0, mode.clone());
    }
    all
}

/// Tile and rest of each mode side by side again.
fn rejoined(whole: &Layout, tiler: &Tiler, tile: &Layout, rest: &Layout, multiply: bool) -> Option<(Layout, Verdict)> {
    let one = BigInt::from(1);
    match tiler {
        Tiler::Keep if multiply && rest.size() == one && compatible(&whole.shape(), &tile.shape()) => {
            Some((tile.clone(), Verdict::Right))
        }
        Tiler::Keep if tile.size() != one => None,
        Tiler::Keep if multiply => Some((rest.clone(), Verdict::Extended("a kept block counted as a copy"))),
        Tiler::Keep => Some((rest.clone(), Verdict::Right)),
        Tiler::By(_) => Some((Layout::Node(vec![tile.clone(), rest.clone()]), Verdict::Right)),
        Tiler::Modes(tilers) => {
            let modes = whole.top();
            let (tiles, unwrapped_tile) = listed_modes(tile, tilers.len())?;
            let (rests, unwrapped_rest) = listed_modes(rest, modes.len())?;
            let mut verdict = Verdict::Right;
            let mut all = Vec::new();
            for (i, mode) in modes.iter().enumerate() {
                match tilers.get(i) {
                    Some(tiler) => {
                        let (joined, more) = rejoined(mode, tiler, tiles.get(i)?, &rests[i], multiply)?;
                        verdict = verdict.and(more);
                        all.push(joined);
                    }
                    None => all.push(rests[i].clone()),
                }
            }
            if unwrapped_tile || unwrapped_rest {
                verdict = verdict.and(Verdict::Extended("one-mode tuples unwrapped"));
            }
            Some((Layout::Node(all), verdict))
        }
    }
}

/// So many modes, and whether a tuple of one had been unwrapped.
fn listed_modes(layout: &Layout, count: usize) -> Option<(Vec<Layout>, bool)> {
    match layout {
        Layout::Node(modes) if modes.len() == count => Some((modes.clone(), false)),
        // nothing at all, said as 1:0
        nothing if count == 0 && nothing.size() == BigInt::from(1) => Some((Vec::new(), true)),
        other if count == 1 => Some((vec![other.clone()], true)),
        _ => None,
    }
}

/// Judges the result of one layout of a tiler.
type One = dyn Fn(&Layout, &Layout, &Layout) -> Verdict;

fn by_mode(whole: &Layout, tiler: &Tiler, answer: &Layout, one: &One) -> Verdict {
    match tiler {
        Tiler::Keep => kept(whole, answer, "kept mode"),
        Tiler::By(by) => one(whole, by, answer),
        Tiler::Modes(tilers) => {
            let modes = whole.top();
            let Some((answers, unwrapped)) = listed_modes(answer, modes.len()) else {
                let text = format!("{} modes in answer to {}", answer.top().len(), modes.len());
                return Verdict::wrong("shape", text);
            };
            let mut verdict = if unwrapped { Verdict::Extended("one-mode tuples unwrapped") } else { Verdict::Right };
            for (i, (mode, answer)) in modes.iter().zip(&answers).enumerate() {
                verdict = verdict.and(match tilers.get(i) {
                    Some(tiler) => by_mode(mode, tiler, answer, one),
                    None => kept(mode, answer, "kept mode"),
                });
            }
            verdict
        }
    }
}

fn pair(answer: &Layout) -> Result<(Layout, Layout), Verdict> {
    match answer.top().as_slice() {
        [first, second] => Ok((first.clone(), second.clone())),
        other => Err(Verdict::wrong("shape", format!("{} modes in place of two", other.len()))),
    }
}

/// What the definition has to say to an answer.
enum Defined {
    /// it is this function
    Same,
    /// it is another one
    Other,
    /// nothing is defined here
    Nothing,
    Unknown,
}

fn defined(split: Split, answer: &Layout) -> Defined {
    match split {
        Ok(Some(layout)) if coalesced(&layout) == coalesced(answer) => Defined::Same,
        Ok(Some(_)) => Defined::Other,
        Ok(None) => Defined::Unknown,
        Err(_) => Defined::Nothing,
    }
}

/// Mode 0 is the layout after the tile, and both modes together have every element as often as the layout has it.
fn divided(whole: &Layout, tile: &Layout, answer: &Layout) -> Verdict {
    let (first, _) = match pair(answer) {
        Ok(pair) => pair,
        Err(wrong) => return rearranged(whole, answer).and(wrong),
    };
    let defined = defined(divide::divide(whole, tile, true), answer);
    if matches!(defined, Defined::Same) {
        return refines(&tile.shape(), &first.shape());
    }
    if !listed(whole) || !listed(answer) || !listed(tile) {
        return Verdict::Unjudged;
    }
    if first.size() != tile.size() {
        return rearranged(whole, answer).and(Verdict::wrong(
            "tile",
            format!("the first mode has {} elements, the tile {}", first.size(), tile.size()),
        ));
    }
    let (indices, offsets) = (tile.offsets(), first.offsets());
    let differs =
        indices.iter().zip(&offsets).find(|(index, offset)| **index < whole.size() && whole.at(index) != **offset);
    if let Some((index, offset)) = differs {
        let text = format!("the tile has {offset} in place of {}, the element at index {index}", whole.at(index));
        return rearranged(whole, answer).and(Verdict::wrong("tile", text));
    }
    let verdict = rearranged(whole, answer).and(refines(&tile.shape(), &first.shape()));
    match verdict {
        Verdict::Right if matches!(defined, Defined::Nothing) => Verdict::Extended("nothing lost where no tiles fit"),
        Verdict::Right => Verdict::Extended("tiles in another order"),
        other => other,
    }
}

fn counted(layout: &Layout) -> BTreeMap<BigInt, usize> {
    let mut count = BTreeMap::new();
    for offset in layout.offsets() {
        *count.entry(offset).or_default() += 1;
    }
    count
}

/// The answer has the elements of the whole, each as often as it has it; further ones are padding.
fn rearranged(whole: &Layout, answer: &Layout) -> Verdict {
    if !listed(whole) || !listed(answer) {
        return Verdict::Unjudged;
    }
    if answer.size() < whole.size() {
        let text = format!("the answer has {} of the {} elements", answer.size(), whole.size());
        return Verdict::wrong("lost", text);
    }
    let found = counted(answer);
    match counted(whole).iter().find(|(offset, count)| found.get(*offset).copied().unwrap_or(0) < **count) {
        Some((offset, _)) => Verdict::wrong("lost", format!("the element at offset {offset} is missing")),
        None if answer.size() > whole.size() => Verdict::Extended("tiles reach past the layout"),
        None => Verdict::Right,
    }
}

/// The first mode is the block; the second depends on the value of the tiles alone; copies for different values are
/// apart.
fn copied(block: &Layout, tiles: &Layout, answer: &Layout) -> Verdict {
    let (first, second) = match pair(answer) {
        Ok(pair) => pair,
        Err(wrong) => return wrong,
    };
    if coalesced(&first) != coalesced(block) {
        return Verdict::wrong("block", format!("the first mode is {}, not the block", first.to_json()));
    }
    if second.size() != tiles.size() {
        return Verdict::wrong("size", format!("{} copies in place of {}", second.size(), tiles.size()));
    }
    let nesting = refines(&block.shape(), &first.shape()).and(refines(&tiles.shape(), &second.shape()));
    let defined = defined(product::product(block, tiles, true), answer);
    if matches!(defined, Defined::Same) {
        return nesting;
    }
    if !listed(answer) || !listed(tiles) {
        return Verdict::Unjudged;
    }
    let mut origins: BTreeMap<BigInt, BigInt> = BTreeMap::new();
    for (number, start) in tiles.offsets().into_iter().zip(second.offsets()) {
        if origins.entry(number.clone()).or_insert_with(|| start.clone()) != &start {
            return Verdict::wrong("copies", format!("two copies of number {number} begin at different offsets"));
        }
    }
    let elements = block.offsets();
    let mut owners: BTreeMap<BigInt, &BigInt> = BTreeMap::new();
    for (number, start) in &origins {
        for element in &elements {
            let owner = *owners.entry(start + element).or_insert(number);
            if owner != number {
                let text = format!("copies {owner} and {number} share offset {}", start + element);
                return Verdict::wrong("overlap", text);
            }
        }
    }
    nesting.and(Verdict::Extended(match defined {
        Defined::Nothing => "copies apart where no complement has them",
        _ => "copies in other places",
    }))
}

/// `((A_0,T_0), …)`, or with `raked` `((T_0,A_0), …)`, as the product of both.
fn interleaved(block: &Layout, tiles: &Layout, answer: &Layout, raked: bool) -> Verdict {
    let rank = block.top().len().max(tiles.top().len());
    let Some((pairs, unwrapped)) = listed_modes(answer, rank) else {
        return Verdict::wrong("shape", format!("{} modes in place of {rank}", answer.top().len()));
    };
    let (mut blocks, mut copies) = (Vec::new(), Vec::new());
    let mut left_out = false;
    for (i, mode) in pairs.iter().enumerate() {
        // beside a mode that only pads, the other one may stand alone
        let alone = |of: &Layout| of.top().get(i).is_some_and(|wanted| wanted.size() == mode.size());
        let unit = |layout: &Layout| layout.size() == BigInt::from(1);
        let split = split_pair(mode, raked);
        let (block, copy) = match (&split, i >= block.top().len(), i >= tiles.top().len()) {
            (Some(split), true, _) if unit(&split.0) => split.clone(),
            (Some(split), _, true) if unit(&split.1) => split.clone(),
            (_, true, _) if alone(tiles) => (one(), mode.clone()),
            (_, _, true) if alone(block) => (mode.clone(), one()),
            (Some(split), ..) => split.clone(),
            (None, ..) => return Verdict::wrong("shape", format!("{} in place of a pair", mode.to_json())),
        };
        left_out |= block == *mode || copy == *mode;
        blocks.push(block);
        copies.push(copy);
    }
    let logical = Layout::Node(vec![Layout::Node(blocks), Layout::Node(copies)]);
    let verdict = copied(&padded(block, rank), &padded(tiles, rank), &logical);
    let verdict = if left_out { verdict.and(Verdict::Extended("padding left out")) } else { verdict };
    if unwrapped { verdict.and(Verdict::Extended("one-mode tuples unwrapped")) } else { verdict }
}

/// Block and copies of a pair, where it is one.
fn split_pair(mode: &Layout, raked: bool) -> Option<(Layout, Layout)> {
    let (first, second) = pair(mode).ok()?;
    Some(if raked { (second, first) } else { (first, second) })
}
