//! Matrices over two elements, by their columns: bit i of a column is its i-th entry, column 0 stands first.

/// The exclusive or of the columns that the bits of `x` select.
pub(super) fn apply(columns: &[u64], mut x: u64) -> u64 {
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
pub(super) struct Eliminated {
    /// In order of columns; those of which nothing is left are not kept.
    rows: Vec<(u64, u64)>,
    /// Bit i: column i depends on earlier ones.
    free: u64,
}

impl Eliminated {
    pub(super) fn of(columns: &[u64]) -> Self {
        let mut done = Self { rows: Vec::with_capacity(columns.len()), free: 0 };
        for (place, column) in columns.iter().enumerate() {
            let (left, selected) = done.reduce(*column);
            if left == 0 {
                done.free |= 1 << place;
            } else {
                done.rows.push((left, selected ^ 1 << place));
            }
        }
        done
    }

    /// What is left of `v` after the columns, and the least selection of columns that was subtracted.
    pub(super) fn reduce(&self, v: u64) -> (u64, u64) {
        self.rows.iter().fold((v, 0), |(left, selected), (row, mask)| {
            if left >> row.ilog2() & 1 == 1 { (left ^ row, selected ^ mask) } else { (left, selected) }
        })
    }

    /// The least selection of columns that gives `v`.
    pub(super) fn solve(&self, v: u64) -> Option<u64> {
        let (left, selected) = self.reduce(v);
        (left == 0).then_some(selected)
    }

    pub(super) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Bit i: column i depends on earlier ones.
    pub(super) fn free(&self) -> u64 {
        self.free
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
            let reached = (0..8).filter(|v| done.solve(*v).is_some()).count();
            assert_eq!(1 << done.rank(), reached);
            for place in 0..3 {
                let depends = (0..1 << place).any(|x| apply(&columns, x) == columns[place]);
                assert_eq!(done.free() >> place & 1 == 1, depends);
            }
        }
    }
}
