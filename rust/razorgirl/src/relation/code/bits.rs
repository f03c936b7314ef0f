//! Layouts whose bits are sums of bits of the index: masks and shifts.

use super::term::Term;
use alloc::vec::Vec;

/// The exclusive or of the columns of the bits that are set: one mask and one shift for all bits that move equally far; and where the same
/// bits move to several places that have none in common, one factor for these places.
fn masked(columns: &[u64]) -> Term {
    let count = columns.len().min(64);
    let all = if count == 64 { u64::MAX } else { (1 << count) - 1 };
    // Which bits move, and how far up, from -63 to 63: the same bits several times.
    let mut moves: Vec<(u64, Vec<i32>)> = Vec::new();
    for far in -63_i32..=63 {
        let bits = (0_u32..).zip(columns.iter().take(count)).filter(|(bit, column)| {
            u32::try_from(i64::from(*bit) + i64::from(far)).is_ok_and(|to| to < 64 && *column >> to & 1 == 1)
        });
        let mask = bits.fold(0_u64, |mask, (bit, _)| mask | 1 << bit);
        match moves.iter_mut().find(|(known, _)| *known == mask) {
            _ if mask == 0 => {}
            Some((_, fars)) => fars.push(far),
            None => moves.push((mask, vec![far])),
        }
    }
    let mut terms: Vec<Term> = moves.into_iter().flat_map(|(mask, fars)| several(mask, &fars, all)).collect();
    // The shortest first, as one would write them.
    terms.sort_by_key(Term::operations);
    terms.into_iter().reduce(Term::xor).unwrap_or(Term::Number(0))
}

/// The bits in the mask, moved to all these places.
fn several(mask: u64, fars: &[i32], all: u64) -> Vec<Term> {
    let at = |far: i32| if far < 0 { mask >> far.unsigned_abs() } else { mask << far };
    let mut met = 0;
    let disjoint = fars.iter().all(|far| {
        let apart = met & at(*far) == 0;
        met |= at(*far);
        apart
    });
    let Some((first, rest)) = fars.split_first().filter(|(_, rest)| disjoint && !rest.is_empty()) else {
        return fars.iter().map(|far| moved(*far, mask, all)).collect();
    };
    // Nothing is added to a bit that is set, so nothing carries.
    if *first < 0 {
        let factor = rest.iter().fold(1_u64, |factor, far| factor | 1 << (far - first).unsigned_abs().min(63));
        vec![moved(*first, mask, all).times(factor)]
    } else {
        let factor = fars.iter().fold(0_u64, |factor, far| factor | 1 << far.unsigned_abs());
        vec![moved(0, mask, all).times(factor)]
    }
}

/// The bits in the mask, moved; no mask where no other bit of the index is left.
fn moved(far: i32, mask: u64, all: u64) -> Term {
    let by = far.unsigned_abs();
    if far < 0 {
        let left = all >> by;
        let shifted = Term::Index(0).right(by);
        if left == mask >> by { shifted } else { shifted.and(mask >> by) }
    } else {
        let shifted = if mask == all { Term::Index(0) } else { Term::Index(0).and(mask) };
        shifted.left(by)
    }
}

/// The cheapest of three: all bits by masks, all by factors, or those with one target by masks.
pub(super) fn fewest(columns: &[u64]) -> Term {
    let only = |wanted: &dyn Fn(u64) -> bool| -> Vec<u64> {
        columns.iter().map(|column| if wanted(*column) { *column } else { 0 }).collect()
    };
    let single = only(&|column| column.is_power_of_two());
    let several = only(&|column| !column.is_power_of_two());
    let candidates = [masked(columns), masked(&single).xor(multiplied(&several)), multiplied(columns)];
    candidates.into_iter().min_by_key(Term::operations).unwrap_or(Term::Number(0))
}

/// The exclusive or of `((c >> k) & 1) * column`.
fn multiplied(columns: &[u64]) -> Term {
    let one = |(bit, column): (u32, &u64)| {
        let shifted = Term::Index(0).right(bit);
        let last = usize::try_from(bit).is_ok_and(|bit| bit + 1 == columns.len());
        if *column == 0 { Term::Number(0) } else { if last { shifted } else { shifted.and(1) }.times(*column) }
    };
    (0..).zip(columns).map(one).reduce(Term::xor).unwrap_or(Term::Number(0))
}

/// How many operators the exclusive or of `((c >> k) & 1) * column` has, without those that change nothing.
pub(super) fn plain_operations(columns: &[u64]) -> usize {
    let moving = || columns.iter().enumerate().filter(|(_, column)| **column > 0);
    let own = |(bit, column): (usize, &u64)| {
        usize::from(bit > 0) + usize::from(bit + 1 < columns.len()) + usize::from(*column > 1)
    };
    moving().map(own).sum::<usize>() + moving().count().saturating_sub(1)
}
