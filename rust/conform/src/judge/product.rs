//! Products are copies that do not touch.

use super::Verdict;
use super::composition::refines;
use super::pairs::{Defined, defined, listed, listed_modes, pair};
use crate::model::coalesce::coalesced;
use crate::model::find::LIST;
use crate::model::product::padded;
use crate::model::tiler::one;
use crate::model::{Layout, product};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// The first mode is the block; the second depends on the value of the tiles alone; copies for different values are
/// apart.
pub(super) fn copied(block: &Layout, tiles: &Layout, answer: &Layout) -> Verdict {
    let (first, second) = match pair(answer) {
        Ok(pair) => pair,
        Err(wrong) => return wrong,
    };
    if coalesced(&first) != coalesced(block) {
        return Verdict::wrong("block", not_the_block(block, &first));
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

/// A coordinate of the block, its offset there, and the one that the first copy has.
fn not_the_block(block: &Layout, first: &Layout) -> String {
    if first.size() != block.size() {
        return format!("the first copy has {} elements, the block {}", first.size(), block.size());
    }
    let differs = |c: &BigInt| block.at(c) != first.at(c);
    let mut coordinates = (0..LIST).map(BigInt::from).take_while(|c| *c < block.size());
    coordinates.find(differs).map_or_else(
        || format!("the first mode is {}, not the block", first.to_json()),
        |c| format!("at coordinate {c} the block has offset {}, its first copy {}", block.at(&c), first.at(&c)),
    )
}

/// `((A_0,T_0), …)`, or with `raked` `((T_0,A_0), …)`, as the product of both.
pub(super) fn interleaved(block: &Layout, tiles: &Layout, answer: &Layout, raked: bool) -> Verdict {
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
