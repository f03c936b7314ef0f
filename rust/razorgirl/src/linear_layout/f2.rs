//! Matrices over two elements, by their columns: bit i of a column is its i-th entry, column 0 stands first.
//!
//! No side of a layout has more than 63 bits, so everything is kept in place.

use alloc::vec::Vec;

/// The exclusive or of the columns that the bits of `x` select.
#[inline]
pub(crate) fn apply(columns: &[u64], mut x: u64) -> u64 {
    // eight at a time, so that each bit is tested in place: half the instructions
    let (eights, rest) = columns.as_chunks::<8>();
    let mut sum = 0;
    for eight in eights {
        for (column, bit) in eight.iter().zip([1, 2, 4, 8, 16, 32, 64, 128]) {
            sum ^= if x & bit == 0 { 0 } else { *column };
        }
        x >>= 8;
    }
    for column in rest {
        sum ^= column & (x & 1).wrapping_neg();
        x >>= 1;
    }
    sum
}

/// The columns after elimination: for each what is left of it after the earlier ones, and the selection of columns that
/// gives this. At most 63 columns.
///
/// Lean: `Razorgirl.F2.eliminate`
pub(crate) struct Eliminated {
    /// In order of columns; those of which nothing is left are not kept.
    rows: [(u64, u64); 64],
    rank: usize,
    /// Bit i: column i depends on earlier ones.
    free: u64,
}

impl Eliminated {
    pub(crate) fn of(columns: &[u64]) -> Self {
        let mut done = Self { rows: [(0, 0); 64], rank: 0, free: 0 };
        for (place, column) in columns.iter().enumerate() {
            let (left, selected) = done.reduce(*column);
            match done.rows.get_mut(done.rank) {
                Some(row) if left != 0 => {
                    *row = (left, selected ^ 1 << place);
                    done.rank += 1;
                }
                _ => done.free |= 1 << place,
            }
        }
        done
    }

    /// What is left of `v` after the columns, and the least selection of columns that was subtracted.
    pub(crate) fn reduce(&self, v: u64) -> (u64, u64) {
        self.rows.iter().take(self.rank).fold((v, 0), |(left, selected), (row, mask)| {
            // all ones where the highest bit of the row is there
            let there = (left >> (63 - row.leading_zeros() % 64) & 1).wrapping_neg();
            (left ^ row & there, selected ^ mask & there)
        })
    }

    /// The least selection of columns that gives `v`.
    ///
    /// Lean: `Razorgirl.F2.solve`
    pub(crate) fn solve(&self, v: u64) -> Option<u64> {
        let (left, selected) = self.reduce(v);
        (left == 0).then_some(selected)
    }

    pub(crate) fn rank(&self) -> usize {
        self.rank
    }

    /// Bit i: column i depends on earlier ones.
    pub(crate) fn free(&self) -> u64 {
        self.free
    }
}

/// The columns of the inverse of as many columns below 2 to their number; none where they depend on one another.
///
/// Each column clears its highest bit in all others, which do not wait for one another.
pub(crate) fn inverse(columns: &[u64]) -> Option<Vec<u64>> {
    // what is left of each column, and the selection of columns that gives this: side by side, so that the processor takes
    // several at once
    let (mut left, mut selected) = ([0_u64; 64], [0_u64; 64]);
    let (left, selected) = (left.get_mut(..columns.len())?, selected.get_mut(..columns.len())?);
    left.copy_from_slice(columns);
    for (place, row) in selected.iter_mut().enumerate() {
        *row = 1 << place;
    }
    for place in 0..columns.len() {
        let (column, from) = (*left.get(place)?, *selected.get(place)?);
        let top = column.checked_ilog2()?;
        for (left, selected) in left.iter_mut().zip(&mut *selected) {
            let there = (*left >> top & 1).wrapping_neg();
            *left ^= column & there;
            *selected ^= from & there;
        }
        // it cleared itself, too
        (*left.get_mut(place)?, *selected.get_mut(place)?) = (column, from);
    }
    let mut found = vec![0; columns.len()];
    for (unit, selected) in left.iter().zip(selected) {
        *found.get_mut(unit.checked_ilog2()? as usize)? = *selected;
    }
    Some(found)
}

/// The sums of some columns, as many as there may be: which vectors are among them.
///
/// Lean: `Razorgirl.F2.inSpan`
#[derive(Clone)]
pub(crate) struct Span {
    /// The vector whose highest bit is this one, or 0.
    rows: [u64; 64],
    rank: u32,
}

impl Span {
    pub(crate) const fn new() -> Self {
        Self { rows: [0; 64], rank: 0 }
    }

    pub(crate) fn of<'a>(columns: impl IntoIterator<Item = &'a u64>) -> Self {
        let mut span = Self::new();
        for column in columns {
            span.add(*column);
        }
        span
    }

    fn left(&self, mut v: u64) -> u64 {
        while let Some(top) = v.checked_ilog2() {
            match self.rows.get(top as usize) {
                Some(row) if *row != 0 => v ^= row,
                _ => break,
            }
        }
        v
    }

    pub(crate) fn has(&self, v: u64) -> bool {
        self.left(v) == 0
    }

    /// Adds a column; whether it was not there.
    pub(crate) fn add(&mut self, column: u64) -> bool {
        let left = self.left(column);
        let Some(row) = left.checked_ilog2().and_then(|top| self.rows.get_mut(top as usize)) else { return false };
        *row = left;
        self.rank += 1;
        true
    }

    /// Lean: `Razorgirl.F2.rank`
    pub(crate) fn rank(&self) -> u32 {
        self.rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Up to 63 columns: what is applied is the exclusive or, bit by bit.
    #[test]
    fn columns_are_applied_bit_by_bit() {
        let mixed = |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 29;
        for n in 0..64 {
            let columns: Vec<u64> = (0..n).map(|i| mixed(i + 1)).collect();
            for x in (0..64).map(|bit| 1 << bit).chain((0..40).map(mixed)) {
                let chosen = columns.iter().enumerate().filter(|(bit, _)| x >> bit & 1 == 1);
                assert_eq!(apply(&columns, x), chosen.fold(0, |sum, (_, column)| sum ^ column), "{n} columns at {x}");
            }
        }
    }

    /// Every list of three columns of three bits: solutions, rank and free columns by going through all selections.
    #[test]
    fn elimination_finds_the_least_selection() {
        for code in 0..512_u64 {
            let columns = [code & 7, code >> 3 & 7, code >> 6];
            let done = Eliminated::of(&columns);
            for v in 0..8 {
                assert_eq!(done.solve(v), (0..8).find(|x| apply(&columns, *x) == v), "{columns:?} {v}");
            }
            let span = Span::of(&columns);
            assert!((0..8).all(|v| span.has(v) == done.solve(v).is_some()), "{columns:?}");
            assert_eq!(span.rank() as usize, done.rank());
            let undone: Option<Vec<u64>> = (0..3).map(|bit| done.solve(1 << bit)).collect();
            assert_eq!(inverse(&columns), undone, "{columns:?}");
            let reached = (0..8).filter(|v| done.solve(*v).is_some()).count();
            assert_eq!(1 << done.rank(), reached);
            for place in 0..3 {
                let depends = (0..1 << place).any(|x| apply(&columns, x) == columns[place]);
                assert_eq!(done.free() >> place & 1 == 1, depends);
            }
        }
    }
}
