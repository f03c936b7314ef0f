//! Matrices over two elements, by their columns: bit i of a column is its i-th entry, column 0 stands first.
//!
//! No side of a layout has more than 63 bits, so everything is kept in place.

/// The exclusive or of the columns that the bits of `x` select.
#[inline]
pub(crate) fn apply(columns: &[u64], mut x: u64) -> u64 {
    let mut sum = 0;
    for column in columns {
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
    // what is left of each column, and the selection of columns that gives this
    let mut rows: Vec<(u64, u64)> = columns.iter().zip(0..).map(|(column, place)| (*column, 1 << place)).collect();
    for place in 0..rows.len() {
        let (column, selected) = rows.get(place).copied()?;
        let top = column.checked_ilog2()?;
        for (other, row) in rows.iter_mut().enumerate() {
            let there = if other == place { 0 } else { (row.0 >> top & 1).wrapping_neg() };
            row.0 ^= column & there;
            row.1 ^= selected & there;
        }
    }
    let mut found = vec![0; rows.len()];
    for (unit, selected) in rows {
        *found.get_mut(unit.checked_ilog2()? as usize)? = selected;
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
