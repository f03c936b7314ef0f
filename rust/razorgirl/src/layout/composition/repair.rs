//! The largest extent that composes.

use crate::error::{Error, ErrorKind, Result};
use crate::inline::InlineVec;
use crate::layout::basic::Layout;
use crate::layout::coalesce::coalesced;
use crate::layout::mode::Mode;

use super::{digits, pieces};

impl Layout {
    /// The largest extent, up to its own, with which a leaf of the inner layout composes beside the others: then
    /// [`composition`](Self::composition) answers, and with no larger one. Nothing where the others alone do not compose.
    ///
    /// O(leaves of `A` × pieces), without a search.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when there is no such leaf.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// // 6 steps of 3 carry past 7, and 3 do not
    /// let outer: Layout = "(7,4):(4,1)".parse()?;
    /// let inner: Layout = "6:3".parse()?;
    /// assert_eq!(outer.largest_extent(&inner, 0)?, Some(3));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.FlatLayout.extentFor`
    pub fn largest_extent(&self, inner: &Self, leaf: usize) -> Result<Option<u64>> {
        let Some(mode) = inner.modes().get(leaf) else {
            return Err(Error::new(
                ErrorKind::OutOfDomain,
                format!("there is no leaf {leaf} in {inner}, which has {}", inner.modes().len()),
            )
            .with_help("leaves are numbered from 0, from left to right"));
        };
        Ok(largest(self, inner, leaf, *mode))
    }
}

fn largest(outer: &Layout, inner: &Layout, leaf: usize, mode: Mode) -> Option<u64> {
    let radix = coalesced(outer.modes());
    let (last, bounded) = radix.as_slice().split_last()?;
    // What the other modes leave of each digit, and of the domain.
    let mut load = InlineVec::<u64>::new();
    for _ in bounded {
        load.push(0);
    }
    let load = load.as_mut_slice();
    let mut left = outer.size().checked_sub(1)?;
    let others = inner.modes().iter().enumerate().filter(|(place, _)| *place != leaf);
    for (_, other) in others.clone() {
        left = left.checked_sub((other.extent() - 1) * other.stride())?;
    }
    for (_, other) in others {
        pieces(bounded, *last, *other, load, &mut InlineVec::<Mode>::new())?;
    }
    let (mut extent, mut stride) = (mode.extent(), mode.stride());
    if let Some(steps) = left.checked_div(stride) {
        extent = extent.min(steps.saturating_add(1));
    }
    let mut whole = 1;
    loop {
        if extent <= 1 || stride == 0 {
            return Some(whole * extent);
        }
        // After so many steps the first digit wraps, and so many keep each below its extent on top of the load.
        let (mut wraps, mut steps) = (u64::MAX, extent);
        digits(bounded, stride, |place, mode, digit| {
            if digit > 0 {
                let used = load.get(place).copied().unwrap_or_default();
                wraps = wraps.min(mode.extent().div_ceil(digit));
                steps = steps.min((mode.extent() - 1).saturating_sub(used) / digit + 1);
            }
        });
        if wraps == u64::MAX || steps < wraps {
            return Some(whole * steps);
        }
        digits(bounded, stride, |place, _, digit| {
            if let Some(used) = load.get_mut(place) {
                // No digit wraps in `wraps` steps.
                *used += (wraps - 1) * digit;
            }
        });
        whole *= wraps;
        extent /= wraps;
        // Counts only where a step is left, and then it is an index.
        stride = stride.saturating_mul(wraps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::composition::digitwise;

    /// What is found composes, and nothing between it and the extent that was asked for.
    #[test]
    fn nothing_larger_composes() {
        let layouts = ["(7,4):(4,1)", "(6,2):(1,7)", "(4,2,3):(2,1,8)", "24:1", "(2,3,5):(1,1,7)", "(3,8):(0,1)"];
        let (mut found, mut smaller, mut none) = (0, 0, 0);
        for outer in layouts.map(|text| text.parse::<Layout>().unwrap()) {
            for code in 0..5_u64 * 9 * 13 * 13 {
                let (s0, s1, d0, d1) = (code % 5 + 1, code / 5 % 9 + 1, code / 45 % 13, code / 585);
                let inner: Layout = format!("({s0},{s1}):({d0},{d1})").parse().unwrap();
                let composes = |extent: u64| {
                    let changed = inner.with_leaf(1, Mode::new(extent, d1)).unwrap();
                    digitwise(&outer, &changed).is_some()
                };
                let most = (1..=s1).rev().find(|extent| composes(*extent));
                assert_eq!(outer.largest_extent(&inner, 1).unwrap(), most, "{outer} {inner}");
                found += u64::from(most == Some(s1));
                smaller += u64::from(most.is_some_and(|most| most > 1 && most < s1));
                none += u64::from(most.is_none());
            }
        }
        assert!(found > 500 && smaller > 500 && none > 500, "{found} {smaller} {none}");
    }

    #[test]
    fn far_from_what_was_asked_for() {
        let outer: Layout = "(1099511627776,2):(2,1)".parse().unwrap();
        let inner: Layout = "1000000000001:3".parse().unwrap();
        assert_eq!(outer.largest_extent(&inner, 0), Ok(Some(366_503_875_926)));
        assert!(outer.largest_extent(&inner, 1).is_err());
    }
}
