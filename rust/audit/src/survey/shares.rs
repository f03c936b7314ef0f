//! What was found, in shares of files that follow each other: each is looked at by itself, with an evaluator of its own.

use std::ops::Range;

use super::{AlgebraCall, Spot, Survey, WrittenLayout};

/// Shares of much, and what is too little for more than one: each share works out again what it has in common with others.
const SHARES: usize = 4;
const MANY: usize = 1 << 9;

/// What was found in some files.
pub(super) struct Share<'s> {
    pub layouts: &'s mut [WrittenLayout],
    pub calls: &'s mut [AlgebraCall],
    pub spots: &'s mut [Spot],
}

/// Cuts units into ranges of about the same weight.
pub(super) fn cut(weights: &[usize]) -> Vec<Range<u32>> {
    let sum: usize = weights.iter().sum();
    let shares = if sum < MANY { 1 } else { SHARES };
    let (mut all, mut start, mut before) = (Vec::with_capacity(shares), 0, 0);
    for (weight, end) in weights.iter().zip(1_u32..) {
        before += weight;
        if before * shares >= sum * (all.len() + 1) || end as usize == weights.len() {
            all.push(start..end);
            start = end;
        }
    }
    all
}

/// Takes what is in units before an end.
fn before<'s, T>(all: &mut &'s mut [T], unit: impl Fn(&T) -> u32, end: u32) -> &'s mut [T] {
    let count = all.partition_point(|one| unit(one) < end);
    all.split_off_mut(..count).unwrap_or_default()
}

impl Survey {
    /// What was found in each of some ranges of units, which follow each other.
    pub(super) fn shares(&mut self, ranges: &[Range<u32>]) -> Vec<Share<'_>> {
        let (mut layouts, mut calls) = (self.layouts.as_mut_slice(), self.calls.as_mut_slice());
        let mut spots = self.spots.as_mut_slice();
        let share = |range: &Range<u32>| Share {
            layouts: before(&mut layouts, |found| found.site.unit, range.end),
            calls: before(&mut calls, |call| call.site.unit, range.end),
            spots: before(&mut spots, |spot| spot.site.unit, range.end),
        };
        ranges.iter().map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_about_as_large() {
        assert_eq!(cut(&[200, 100, 0, 300, 100, 100]), [0..1, 1..4, 4..5, 5..6]);
        assert_eq!(cut(&[1, 2, 3]), [0..3]);
        assert_eq!(cut(&[10_000, 0, 0]), [0..1, 1..2, 2..3]);
        assert!(cut(&[]).is_empty());
    }
}
