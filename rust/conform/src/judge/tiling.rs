//! Divisions show every element once, tile by tile; products are copies that do not touch.

use super::Verdict;
use super::peer::{answered, operand, refusal};
use crate::model::composition::{Tiler, inside};
use crate::model::ops::coalesced;
use crate::model::tiling::{by_tiler, divide, listed, product};
use crate::model::{Layout, Refusal};
use num_bigint::BigInt;
use serde_json::Value;
use std::collections::BTreeMap;

type Judged = Result<Verdict, Refusal>;

fn tiler(args: &[Value], i: usize) -> Result<Tiler, Refusal> {
    Tiler::read(args.get(i).ok_or(Refusal("arity"))?)
}

#[allow(clippy::option_option, reason = "nothing is known, nothing exists, and something exists are three things")]
fn exists(found: Result<Option<Layout>, &'static [&'static str]>) -> Option<Option<Value>> {
    match found {
        Ok(Some(layout)) => Some(Some(layout.to_json())),
        Ok(None) => None,
        Err(_) => Some(None),
    }
}

/// `logical_divide`, also by mode, and the zipped and tiled forms.
pub(super) fn division(op: &str, args: &[Value], result: Option<&Value>) -> Judged {
    let (whole, tiler) = (operand(args, 0)?, tiler(args, 1)?);
    let Some(value) = result else {
        return Ok(refusal(exists(by_tiler(&whole, &tiler, &|a, t| divide(a, t, true)))));
    };
    let answer = match answered(value) {
        Ok(layout) => layout,
        Err(wrong) => return Ok(wrong),
    };
    Ok(if op.starts_with("logical_divide") {
        divided(&whole, &tiler, &answer)
    } else {
        // rearranged: nothing lost, nothing repeated; the modes are told by the logical form
        rearranged(&whole, &answer)
    })
}

fn divided(whole: &Layout, tiler: &Tiler, answer: &Layout) -> Verdict {
    match tiler {
        Tiler::Keep => same(whole, answer, "kept mode"),
        Tiler::By(tile) => {
            let (Layout::Node(modes), true) = (answer, listed(whole) && listed(answer)) else {
                return if listed(answer) {
                    Verdict::wrong("shape", format!("{} has no mode for the rest", answer.to_json()))
                } else {
                    Verdict::Unjudged
                };
            };
            let [first, _] = modes.as_slice() else {
                return Verdict::wrong("shape", format!("{} modes in place of tile and rest", modes.len()));
            };
            if !inside(whole, tile) || answer.size() > whole.size() {
                // padded, which is not asked for: beyond our definition
                return covers(whole, answer);
            }
            let wanted: Vec<BigInt> = tile.offsets().iter().map(|index| whole.at(index)).collect();
            let verdict = rearranged(whole, answer);
            if matches!(verdict, Verdict::Right) && first.offsets() != wanted {
                return Verdict::wrong("tile", format!("the first mode is {}, not the tile", first.to_json()));
            }
            verdict
        }
        Tiler::Modes(tilers) => by_modes(whole, tilers, answer, &divided),
    }
}

fn by_modes(
    layout: &Layout,
    tilers: &[Tiler],
    answer: &Layout,
    one: &dyn Fn(&Layout, &Tiler, &Layout) -> Verdict,
) -> Verdict {
    let (modes, answers) = (layout.top(), answer.top());
    if tilers.len() > modes.len() || matches!(answer, Layout::Leaf(_)) && modes.len() != 1 {
        return Verdict::Unjudged;
    }
    if answers.len() != modes.len() && answers.len() != tilers.len() {
        return Verdict::wrong("shape", format!("{} modes in answer to {} modes", answers.len(), modes.len()));
    }
    let mut verdict = Verdict::Right;
    for (i, answer) in answers.iter().enumerate() {
        verdict = verdict.and(match tilers.get(i) {
            Some(tiler) => one(&modes[i], tiler, answer),
            None => same(&modes[i], answer, "kept mode"),
        });
    }
    if answers.len() < modes.len() { verdict.and(Verdict::Extended("modes beyond the tiler dropped")) } else { verdict }
}

fn same(wanted: &Layout, answer: &Layout, kind: &'static str) -> Verdict {
    if coalesced(wanted) == coalesced(answer) {
        Verdict::Right
    } else {
        Verdict::wrong(kind, format!("{} in place of {}", answer.to_json(), wanted.to_json()))
    }
}

fn counted(layout: &Layout) -> BTreeMap<BigInt, usize> {
    let mut count = BTreeMap::new();
    for offset in layout.offsets() {
        *count.entry(offset).or_default() += 1;
    }
    count
}

/// The answer has the elements of the whole, each as often as it has it.
fn rearranged(whole: &Layout, answer: &Layout) -> Verdict {
    if !listed(whole) || !listed(answer) {
        return Verdict::Unjudged;
    }
    if answer.size() < whole.size() {
        let text = format!("the answer has {} of the {} elements", answer.size(), whole.size());
        return Verdict::wrong("lost", text);
    }
    if answer.size() > whole.size() {
        return covers(whole, answer);
    }
    let (wanted, found) = (counted(whole), counted(answer));
    match wanted.iter().find(|(offset, count)| found.get(*offset).copied().unwrap_or(0) < **count) {
        Some((offset, _)) => Verdict::wrong("lost", format!("the element at offset {offset} is missing")),
        None => Verdict::Right,
    }
}

/// A division that reaches past the layout has at least every element of it.
fn covers(whole: &Layout, answer: &Layout) -> Verdict {
    if !listed(whole) || !listed(answer) {
        return Verdict::Unjudged;
    }
    let found = counted(answer);
    match counted(whole).iter().find(|(offset, count)| found.get(*offset).copied().unwrap_or(0) < **count) {
        Some((offset, _)) => Verdict::wrong("lost", format!("the element at offset {offset} is missing")),
        None => Verdict::Extended("tiles reach past the layout"),
    }
}

/// `logical_product`, also by mode.
pub(super) fn products(args: &[Value], result: Option<&Value>) -> Judged {
    let (block, tiler) = (operand(args, 0)?, tiler(args, 1)?);
    let Some(value) = result else {
        return Ok(refusal(exists(by_tiler(&block, &tiler, &|a, t| product(a, t, true)))));
    };
    Ok(match answered(value) {
        Ok(answer) => multiplied(&block, &tiler, &answer),
        Err(wrong) => wrong,
    })
}

fn multiplied(block: &Layout, tiler: &Tiler, answer: &Layout) -> Verdict {
    match tiler {
        Tiler::Keep => same(block, answer, "kept mode"),
        Tiler::By(tiles) => copied(block, tiles, answer),
        Tiler::Modes(tilers) => by_modes(block, tilers, answer, &multiplied),
    }
}

/// The first mode is the block; the second depends on the value of the tile alone; copies for different values are apart.
fn copied(block: &Layout, tiles: &Layout, answer: &Layout) -> Verdict {
    let modes = answer.top();
    let [first, second] = modes.as_slice() else {
        return Verdict::wrong("shape", format!("{} modes in place of block and copies", modes.len()));
    };
    if coalesced(first) != coalesced(block) {
        return Verdict::wrong("block", format!("the first mode is {}, not the block", first.to_json()));
    }
    if second.size() != tiles.size() {
        return Verdict::wrong("size", format!("{} copies in place of {}", second.size(), tiles.size()));
    }
    if !listed(answer) || !listed(tiles) {
        return Verdict::Unjudged;
    }
    let mut origin: BTreeMap<BigInt, BigInt> = BTreeMap::new();
    for (value, offset) in tiles.offsets().into_iter().zip(second.offsets()) {
        if origin.entry(value.clone()).or_insert_with(|| offset.clone()) != &offset {
            return Verdict::wrong("copies", format!("two copies for the value {value} begin at different offsets"));
        }
    }
    let elements = block.offsets();
    let mut owner: BTreeMap<BigInt, &BigInt> = BTreeMap::new();
    for (value, start) in &origin {
        for element in &elements {
            let known = owner.entry(start + element).or_insert(value);
            if *known != value {
                let text = format!("the copies for {known} and {value} share the offset {}", start + element);
                return Verdict::wrong("overlap", text);
            }
        }
    }
    Verdict::Right
}
