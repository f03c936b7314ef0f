//! Divisions show every element once, tile by tile.

use super::Verdict;
use super::composition::refines;
use super::pairs::{Defined, defined, listed, pair};
use crate::model::{Layout, divide};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Mode 0 is the layout after the tile, and both modes together have every element as often as the layout has it.
pub(super) fn divided(whole: &Layout, tile: &Layout, answer: &Layout) -> Verdict {
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
pub(super) fn rearranged(whole: &Layout, answer: &Layout) -> Verdict {
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
