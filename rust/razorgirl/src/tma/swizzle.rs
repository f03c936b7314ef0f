//! Shared-memory swizzles of the copy engine.

use super::Swizzle;

impl Swizzle {
    /// Where the byte at `address` of an unpermuted tile is found; the tile begins at a multiple of eight rows.
    ///
    /// Rows have [`bytes`](Self::bytes) bytes, in units of 16; the unit within a row is combined with bits of the row's number
    /// by exclusive or. CuTe: `Swizzle<1|2|3,4,3>`. Any column of units over eight rows of 128 bytes meets all banks.
    ///
    /// ```
    /// use razorgirl::tma::Swizzle;
    ///
    /// assert_eq!(Swizzle::B128.apply(128), 128 + 16); // row 1: unit 0 lies where unit 1 would
    /// assert_eq!(Swizzle::B128.apply(Swizzle::B128.apply(1234)), 1234);
    /// ```
    ///
    /// Lean: `Razorgirl.Tma.swizzleAddress`
    #[must_use]
    pub const fn apply(self, address: u64) -> u64 {
        let mask = match self {
            Self::None => 0,
            Self::B32 => 0x10,
            Self::B64 => 0x30,
            Self::B128 => 0x70,
        };
        address ^ ((address >> 3) & mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn a_column_of_units_over_eight_unit_rows_meets_every_bank_group() {
        for swizzle in [Swizzle::B32, Swizzle::B64, Swizzle::B128] {
            let width = swizzle.bytes().unwrap();
            for column in 0..width / 16 {
                for start in (0..64).step_by(8) {
                    // eight consecutive rows of the tile's own width, at one column
                    let mut groups: Vec<u64> =
                        (start..start + 8).map(|row| swizzle.apply(row * width + 16 * column) % 128 / 16).collect();
                    groups.sort_unstable();
                    assert_eq!(groups, (0..8).collect::<Vec<_>>(), "{swizzle:?} column {column} rows from {start}");
                }
            }
        }
    }

    #[test]
    fn units_move_as_the_manual_draws_them() {
        for row in 0..16 {
            for unit in 0..8 {
                assert_eq!(Swizzle::B128.apply(128 * row + 16 * unit), 128 * row + 16 * (unit ^ (row % 8)));
            }
            for unit in 0..4 {
                assert_eq!(Swizzle::B64.apply(64 * row + 16 * unit), 64 * row + 16 * (unit ^ (row / 2 % 4)));
            }
            for unit in 0..2 {
                assert_eq!(Swizzle::B32.apply(32 * row + 16 * unit), 32 * row + 16 * (unit ^ (row / 4 % 2)));
            }
        }
    }
}
