//! What was found, in shares of files that follow each other: each is looked at by itself, with an evaluator of its own.

use std::ops::Range;

use super::{AlgebraCall, Spot, Survey, WrittenLayout};

/// Shares of much, and what is too little for more than one: each share works out again what it has in common with others.
pub(super) const SHARES: usize = 4;
const MANY: usize = 1 << 9;

/// Shares of classes and of templates: what is worked out for one serves the next, so that these are few.
pub(super) const HALVES: usize = 2;

/// What was found in some files.
pub(super) struct Share<'s> {
    pub layouts: &'s mut [WrittenLayout],
    pub calls: &'s mut [AlgebraCall],
    pub spots: &'s mut [Spot],
}

/// Cuts units into ranges of about the same weight.
pub(super) fn cut(weights: &[usize], most: usize) -> Vec<Range<u32>> {
    let sum: usize = weights.iter().sum();
    let shares = if sum < MANY { 1 } else { most };
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

/// Takes apart what is sorted by units.
fn split<'s, T>(all: &'s mut [T], ranges: &[Range<u32>], unit: impl Fn(&T) -> u32) -> Vec<&'s mut [T]> {
    let mut rest = all;
    let mut parts = Vec::with_capacity(ranges.len());
    for range in ranges {
        let count = rest.partition_point(|one| unit(one) < range.end);
        let (part, behind) = rest.split_at_mut(count);
        parts.push(part);
        rest = behind;
    }
    parts
}

impl Survey {
    /// What was found in each of some ranges of units, which follow each other.
    pub(super) fn shares(&mut self, ranges: &[Range<u32>]) -> Vec<Share<'_>> {
        let layouts = split(&mut self.layouts, ranges, |found| found.site.unit);
        let calls = split(&mut self.calls, ranges, |call| call.site.unit);
        let spots = split(&mut self.spots, ranges, |spot| spot.site.unit);
        let all = layouts.into_iter().zip(calls).zip(spots);
        all.map(|((layouts, calls), spots)| Share { layouts, calls, spots }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_about_as_large() {
        assert_eq!(cut(&[200, 100, 0, 300, 100, 100], 4), [0..1, 1..4, 4..5, 5..6]);
        assert!(matches!(*cut(&[1, 2, 3], 4), [Range { start: 0, end: 3 }]));
        assert_eq!(cut(&[10_000, 0, 0], 4), [0..1, 1..2, 2..3]);
        assert!(cut(&[], 4).is_empty());
    }

    #[test]
    fn nothing_is_left_out() {
        let mut units = [0, 0, 1, 3, 3, 5];
        let parts = split(&mut units, &[0..1, 1..4, 4..5, 5..6], |unit| *unit);
        assert_eq!(parts, [&[0, 0][..], &[1, 3, 3], &[], &[5]]);
        for count in 0..40_u32 {
            let weights: Vec<usize> = (0..count).map(|at| (at as usize * 37 % 11) * 100).collect();
            let ranges = cut(&weights, SHARES);
            let all: Vec<u32> = ranges.into_iter().flatten().collect();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
