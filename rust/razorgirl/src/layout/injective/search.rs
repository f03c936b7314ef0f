//! The search for two coordinates with one offset.
//!
//! Such coordinates differ by a vector of steps `z`, not all 0, with `|z_k| < extent_k` and `Σ z_k·stride_k = 0`, and
//! every such vector is the difference of two coordinates. So the search is over vectors and not over pairs of
//! coordinates, from the largest stride down. What is reached so far must be within what the smaller strides can undo
//! (an interval) and a multiple of their common divisor (a residue class), which usually leaves few choices or none.
//!
//! Lean: `Razorgirl.FlatLayout.nowhere`, which finds steps exactly where the layout is not injective.

use super::Axis;
use alloc::vec::Vec;

pub(super) enum Found {
    /// No vector: the layout is injective.
    Nothing,
    /// Steps along the axes, in their order.
    Difference(Vec<i128>),
    OutOfSteps,
}

/// Axes in order of stride, all strides positive.
pub(super) fn search(axes: &[Axis], bound: u64) -> Found {
    let groups = group(axes);
    let mut search = Search { levels: levels(&groups), steps: vec![0; groups.len()], left: bound };
    let found = search.pair().or_else(|| search.descend(groups.len(), 0, true));
    match found {
        None => Found::OutOfSteps,
        Some(false) => Found::Nothing,
        Some(true) => Found::Difference(ungroup(axes, &groups, &search.steps)),
    }
}

/// Axes `s:d, t:s·d, …` taken together: their steps reach each multiple of `d` in one way, as those of one axis would.
struct Group {
    extent: u64,
    stride: u64,
    /// Positions among the axes, in order of stride.
    members: Vec<usize>,
}

fn group(axes: &[Axis]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, axis) in axes.iter().enumerate() {
        let follows = |group: &&mut Group| group.extent.checked_mul(group.stride) == Some(axis.stride);
        if let Some(group) = groups.iter_mut().find(follows) {
            // A product of extents of one layout.
            group.extent *= axis.extent;
            group.members.push(index);
        } else {
            groups.push(Group { extent: axis.extent, stride: axis.stride, members: vec![index] });
        }
    }
    groups
}

fn ungroup(axes: &[Axis], groups: &[Group], steps: &[i128]) -> Vec<i128> {
    let mut result = vec![0; axes.len()];
    for (group, step) in groups.iter().zip(steps) {
        let mut rest = *step;
        for index in &group.members {
            if let (Some(axis), Some(result)) = (axes.get(*index), result.get_mut(*index)) {
                // Toward 0, so that the digits have the sign of the whole.
                *result = rest % i128::from(axis.extent);
                rest /= i128::from(axis.extent);
            }
        }
    }
    result
}

/// What the choice of one step has to know about the smaller strides.
struct Level {
    extent: i128,
    stride: i128,
    /// The most they reach together.
    reach: i128,
    /// The greatest common divisor of them and this stride.
    divisor: i128,
    /// Steps that lead to multiples of the divisor of the smaller strides alone are this far apart …
    apart: i128,
    /// … and stride · inverse ≡ divisor there.
    inverse: i128,
}

fn levels(groups: &[Group]) -> Vec<Level> {
    let (mut reach, mut below) = (0, 0);
    let level = |group: &Group| {
        let (extent, stride) = (i128::from(group.extent), i128::from(group.stride));
        let (divisor, inverse) = gcd(stride, below);
        let apart = if below == 0 { 1 } else { below / divisor };
        let level = Level { extent, stride, reach, divisor, apart, inverse: inverse.rem_euclid(apart) };
        reach += (extent - 1) * stride;
        below = divisor;
        level
    };
    groups.iter().map(level).collect()
}

/// The greatest common divisor of `a` and `b`, and an `x` with `a·x ≡ gcd (mod b)`.
fn gcd(a: i128, b: i128) -> (i128, i128) {
    let (mut old, mut new) = ((a, 1), (b, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old
}

struct Search {
    levels: Vec<Level>,
    /// The step chosen at each level.
    steps: Vec<i128>,
    left: u64,
}

impl Search {
    /// Two axes alone, which would otherwise be met late when they are far apart. Nothing if none collide.
    fn pair(&mut self) -> Option<bool> {
        for (j, high) in self.levels.iter().enumerate() {
            for (i, low) in self.levels.iter().enumerate().take(j) {
                let divisor = gcd(high.stride, low.stride).0;
                let (up, down) = (low.stride / divisor, high.stride / divisor);
                if up < high.extent && down < low.extent {
                    *self.steps.get_mut(j)? = up;
                    *self.steps.get_mut(i)? = -down;
                    return Some(true);
                }
            }
        }
        None
    }

    /// Chooses the steps below `level`, given what those above it reach; `zero` says that all of those are 0. Whether
    /// steps were found, or nothing when there were too many to try.
    fn descend(&mut self, level: usize, reached: i128, zero: bool) -> Option<bool> {
        let Some(below) = level.checked_sub(1) else {
            // Nothing is left to undo with, so the last choice has led to 0.
            return Some(!zero);
        };
        let Some(choice) = self.levels.get(below) else {
            return Some(false);
        };
        let (stride, apart) = (choice.stride, choice.apart);
        let most = choice.extent - 1;
        let low = (-choice.reach - reached + stride - 1).div_euclid(stride).max(-most);
        let high = (choice.reach - reached).div_euclid(stride).min(most);
        // A vector and its negative are the same find, so the first step that is not 0 may be positive.
        let low = if zero { low.max(0) } else { low };
        let class = product(-reached / choice.divisor, choice.inverse, apart);
        let mut step = low + (class - low).rem_euclid(apart);
        while step <= high {
            self.left = self.left.checked_sub(1)?;
            if self.descend(below, reached + step * stride, zero && step == 0)? {
                *self.steps.get_mut(below)? = step;
                return Some(true);
            }
            step += apart;
        }
        Some(false)
    }
}

/// `a · b` modulo `m`, where `0 <= b < m <= 2^64`.
fn product(a: i128, b: i128, m: i128) -> i128 {
    let a = a.rem_euclid(m);
    if let Some(product) = a.checked_mul(b) {
        return product % m;
    }
    // Two factors below 2^64: the product fits unsigned.
    let product = a.unsigned_abs() * b.unsigned_abs() % m.unsigned_abs();
    i128::try_from(product).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gcd_gives_an_inverse() {
        for a in 1..40 {
            for b in 1..40 {
                let (divisor, x) = gcd(a, b);
                assert!(a % divisor == 0 && b % divisor == 0);
                assert_eq!((a * x - divisor).rem_euclid(b), 0, "{a} {b}");
            }
        }
    }

    #[test]
    fn product_of_large_factors() {
        let m = (1 << 64) - 59;
        assert_eq!(product(m - 1, m - 1, m), 1);
        assert_eq!(product(-1, m - 1, m), 1);
    }
}
