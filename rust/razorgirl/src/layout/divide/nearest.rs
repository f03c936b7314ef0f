//! The nearest tile that divides.

use crate::error::{Error, ErrorKind, Result};
use crate::layout::basic::Layout;
use crate::layout::mode::Mode;
use alloc::vec::Vec;

use super::divided;

/// Numbers up to which prime factors of the size are looked for: of what is left, below the square of it, there is no other.
const TRY_FACTORS: u64 = 1 << 16;

/// Tiles that are tried.
const TRY_TILES: usize = 1 << 14;

impl Layout {
    /// The tile that divides this layout, nearest to `tile`: itself where it divides, else one that differs from it in one
    /// number, by as little as possible. Nothing where no such tile divides.
    ///
    /// The number is the extent of a mode, which is and stays above 1, or the stride of such a mode, which does not become 0.
    /// As near, the first mode counts before the others, its extent before its stride, the smaller number before the larger.
    ///
    /// A tile divides only if its extents and strides divide the size, so only such numbers are tried. O(divisors of the size ×
    /// modes of the tile) divisions.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) when the size has prime factors that are not found by trying numbers up to 2^16, or when
    /// more than 2^14 tiles would have to be tried.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "16:1".parse()?;
    /// assert_eq!(layout.nearest_tile(&"7:1".parse()?)?, Some("8:1".parse()?));
    /// assert_eq!("8:1".parse::<Layout>()?.nearest_tile(&"4:3".parse()?)?, Some("4:2".parse()?));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Layout.nearestTile`
    pub fn nearest_tile(&self, tile: &Self) -> Result<Option<Self>> {
        if divided(self, tile).is_some() {
            return Ok(Some(tile.clone()));
        }
        let leaves = tile.modes().iter().filter(|mode| mode.extent() > 1).count();
        let numbers = divisors(self.size(), TRY_TILES / (2 * leaves).max(1)).ok_or_else(|| too_many(self))?;
        // distance, leaf, extents before strides, the number
        let mut candidates: Vec<(u64, usize, bool, u64)> = Vec::new();
        for (leaf, mode) in tile.modes().iter().enumerate().filter(|(_, mode)| mode.extent() > 1) {
            for number in &numbers {
                if *number > 1 {
                    candidates.push((number.abs_diff(mode.extent()), leaf, false, *number));
                }
                candidates.push((number.abs_diff(mode.stride()), leaf, true, *number));
            }
        }
        candidates.sort_unstable();
        Ok(candidates.into_iter().find_map(|(_, leaf, is_stride, number)| {
            let mode = *tile.modes().get(leaf)?;
            let changed = if is_stride { Mode::new(mode.extent(), number) } else { Mode::new(number, mode.stride()) };
            tile.with_leaf(leaf, changed).filter(|changed| divided(self, changed).is_some())
        }))
    }
}

#[cold]
fn too_many(layout: &Layout) -> Error {
    Error::new(
        ErrorKind::TooLarge,
        format!("the size {} has too many divisors to try all, or prime factors that are not found", layout.size()),
    )
    .with_help("divide one mode of the layout after the other")
}

/// The divisors of a positive number, unless they are more than `most`, or its prime factors are not found.
fn divisors(number: u64, most: usize) -> Option<Vec<u64>> {
    let (mut rest, mut all) = (number, vec![1_u64]);
    let mut by = |prime: u64, rest: &mut u64| {
        let (before, mut power) = (all.clone(), 1_u64);
        while rest.is_multiple_of(prime) {
            *rest /= prime;
            // A divisor of the number.
            power *= prime;
            all.extend(before.iter().map(|divisor| divisor * power));
            if all.len() > most {
                return None;
            }
        }
        Some(())
    };
    for factor in 2..=TRY_FACTORS {
        if factor * factor > rest {
            break;
        }
        by(factor, &mut rest)?;
    }
    if rest > 1 {
        if rest > TRY_FACTORS * TRY_FACTORS {
            return None;
        }
        by(rest, &mut { rest })?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_all_that_divide() {
        for number in 1..=500_u64 {
            let mut found = divisors(number, 100).unwrap();
            found.sort_unstable();
            let all: Vec<u64> = (1..=number).filter(|n| number.is_multiple_of(*n)).collect();
            assert_eq!(found, all, "{number}");
        }
        let prime = (1_u64 << 32) - 5;
        assert_eq!(divisors(prime, 100), Some(vec![1, prime]));
        assert_eq!(divisors(u64::MAX, 100).map(|all| all.len()), None);
        assert_eq!(divisors(1 << 63, 100).map(|all| all.len()), Some(64));
        // two primes above 2^16
        assert_eq!(divisors(65_537 * 65_539, 100), None);
    }

    /// All, or none where they are more than so many.
    #[test]
    fn as_many_divisors_as_are_asked_for() {
        for number in 1..=200_u64 {
            let count = (1..=number).filter(|n| number.is_multiple_of(*n)).count();
            for most in 1..=20 {
                let found = divisors(number, most).map(|all| all.len());
                assert_eq!(found, (count <= most).then_some(count), "{number} {most}");
            }
        }
    }

    /// 2^14 tiles: a leaf has as many numbers as divisors, for its extent and again for its stride.
    #[test]
    fn tiles_that_are_too_many_are_not_tried() {
        let layout = |size: u64| Layout::from_modes([Mode::new(size, 1)]).unwrap();
        let few = layout((1 << 6) * 27 * 25 * 7 * 11 * 13 * 17 * 19 * 23);
        assert_eq!(few.nearest_tile(&layout(37)).map(|tile| tile.map(|tile| tile.size())), Ok(Some(36)));
        // 10,752 divisors
        let many = layout(few.size() * 29);
        assert_eq!(many.nearest_tile(&layout(37)).unwrap_err().kind(), ErrorKind::TooLarge);
    }

    /// No tile that differs in one number by less divides, whatever the numbers are.
    #[test]
    fn nothing_nearer_divides() {
        let layouts = ["12:1", "(4,6):(6,1)", "(2,3,2):(1,8,2)", "7:3", "(8,2):(1,16)", "1:0"];
        let layouts = layouts.map(|text| text.parse::<Layout>().unwrap());
        let (mut found, mut none) = (0, 0);
        for layout in &layouts {
            for code in 0..5_u64 * 4 * 7_u64.pow(2) {
                let (s0, s1, d0, d1) = (code % 5 + 1, code / 5 % 4 + 1, code / 20 % 7, code / 140);
                let tile: Layout = format!("({s0},{s1}):({d0},{d1})").parse().unwrap();
                let numbers = |layout: &Layout| layout.modes().iter().flat_map(|m| [m.extent(), m.stride()]).collect();
                let own: Vec<u64> = numbers(&tile);
                let distance = |other: &Layout| -> Option<u64> {
                    let far: Vec<u64> = own.iter().zip(numbers(other)).map(|(a, b)| a.abs_diff(b)).collect();
                    (far.iter().filter(|far| **far > 0).count() <= 1).then(|| far.iter().sum())
                };
                let mut least: Option<u64> = divided(layout, &tile).map(|_| 0);
                for (leaf, mode) in tile.modes().iter().enumerate().filter(|(_, mode)| mode.extent() > 1) {
                    for number in 1..=30 {
                        for changed in [Mode::new(number, mode.stride()), Mode::new(mode.extent(), number)] {
                            let Some(other) = tile.with_leaf(leaf, changed) else { continue };
                            if changed.extent() > 1 && divided(layout, &other).is_some() {
                                let far = distance(&other).unwrap();
                                least = Some(least.map_or(far, |least| least.min(far)));
                            }
                        }
                    }
                }
                let nearest = layout.nearest_tile(&tile).unwrap();
                if let Some(nearest) = &nearest {
                    assert!(divided(layout, nearest).is_some(), "{layout} {tile} {nearest}");
                    found += 1;
                } else {
                    none += 1;
                }
                assert_eq!(nearest.map(|nearest| distance(&nearest).unwrap()), least, "{layout} {tile}");
            }
        }
        assert!(found > 500 && none > 500, "{found} {none}");
    }
}
