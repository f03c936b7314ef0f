//! Layouts and linear layouts: carries.
//!
//! A layout whose extents are powers of two adds strides; a linear layout takes their exclusive or. The two agree exactly
//! where no addition carries: where the *columns*, the multiples of strides by powers of two, have no bit in common.
//! Columns that have may still be a swizzle after such a layout: that is found by search.

use crate::error::{Error, ErrorKind, Result};
use crate::layout::{Layout, Mode};
use crate::swizzle::{Swizzle, SwizzledLayout};
use alloc::vec::Vec;

/// The places of two columns with a bit in common, the second of them lowest.
fn meeting(columns: &[u64]) -> Option<(usize, usize)> {
    let mut bits = 0;
    for (high, column) in columns.iter().enumerate() {
        if bits & column != 0 {
            return columns.iter().position(|earlier| earlier & column != 0).map(|low| (low, high));
        }
        bits |= column;
    }
    None
}

/// The columns of the linear layout that a layout is: the offsets of the indices 1, 2, 4, …
///
/// # Errors
/// [`ErrorKind::Extent`] for an extent that is not a power of two, [`ErrorKind::Carries`] where two columns have a bit in
/// common, so that their sum is not their exclusive or, [`ErrorKind::Overflow`] for an offset of 2^64 and more.
///
/// ```
/// use razorgirl::linear_layout::columns_of_layout;
///
/// assert_eq!(columns_of_layout(&"(4,2):(2,1)".parse()?)?, [2, 4, 1]);
/// assert!(columns_of_layout(&"4:3".parse()?).is_err());
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.LinearLayout.columnsOfLayout`
pub fn columns_of_layout(layout: &Layout) -> Result<Vec<u64>> {
    let bits: u32 = layout.modes().iter().map(|mode| mode.extent().max(1).ilog2()).sum();
    let mut columns: Vec<u64> = Vec::with_capacity(bits as usize);
    for mode in layout.modes() {
        let (extent, stride) = (mode.extent(), mode.stride());
        if !extent.is_power_of_two() {
            return Err(Error::new(ErrorKind::Extent, format!("the extent {extent} must be a power of two"))
                .with_help("sizes of a linear layout are powers of two"));
        }
        for bit in 0..extent.ilog2() {
            let column = stride.checked_shl(bit).filter(|column| column >> bit == stride);
            columns.push(column.ok_or_else(|| Error::new(ErrorKind::Overflow, "an offset is 2^64 or more"))?);
        }
    }
    let Some((low, high)) = meeting(&columns) else { return Ok(columns) };
    let at = |place: usize| columns.get(place).copied().unwrap_or(0);
    let (first, second) = (at(low), at(high));
    Err(Error::new(
        ErrorKind::Carries,
        format!(
            "indices {} and {} have the offsets {first} and {second}, whose sum is {} but whose exclusive or is {}",
            1_u128 << low,
            1_u128 << high,
            u128::from(first) + u128::from(second),
            first ^ second
        ),
    )
    .with_help("a layout is linear exactly where no two of these offsets have a bit in common"))
}

/// The layout that a linear layout is, coalesced: one mode of extent 2 for each column. None where two columns have a bit in
/// common, or there are more than 63.
///
/// ```
/// use razorgirl::linear_layout::layout_of_columns;
///
/// assert_eq!(layout_of_columns(&[2, 4, 1]).unwrap().to_string(), "(4,2):(2,1)");
/// assert_eq!(layout_of_columns(&[1, 3]), None);
/// ```
///
/// Lean: `Razorgirl.LinearLayout.layoutOfColumns`
#[must_use]
pub fn layout_of_columns(columns: &[u64]) -> Option<Layout> {
    if meeting(columns).is_some() {
        return None;
    }
    Layout::from_modes(columns.iter().map(|column| Mode::new(2, *column))).ok().map(|layout| layout.coalesce())
}

/// All `Swizzle<B,M,S>` of numbers of so many bits: the identity, then those with B and |S| at least 1 and B + M + |S| at
/// most `n`, the fewest bits first. S = 0 is not among them: what it makes of columns without common bits has none either,
/// so that the identity does as well.
///
/// Lean: `Razorgirl.LinearLayout.swizzles`
fn swizzles(n: u64) -> impl Iterator<Item = Swizzle> {
    let places = (1..=n).flat_map(move |bits| (0..n.saturating_sub(bits)).map(move |base| (bits, base)));
    let shifted = places.flat_map(move |(bits, base)| {
        let far = (1..=n.saturating_sub(bits + base)).filter_map(|far| i64::try_from(far).ok());
        far.flat_map(|far| [far, -far]).map(move |shift| Swizzle::new(bits, base, shift))
    });
    core::iter::once(Swizzle::new(0, 0, 0)).chain(shifted)
}

/// What `swizzle`, one of [`swizzles`], takes to `y`. With `apply = 1 + N` over two elements the inverse is
/// `(1 + N)(1 + N^2)(1 + N^4)…`, and N repeated m times moves the B - (m-1)|S| bits that are left by m times S.
///
/// Lean: `Razorgirl.Swizzle.undo`
fn undo(swizzle: Swizzle, y: u64) -> Result<u64> {
    let (mut x, mut times) = (y, 1_u64);
    let far = swizzle.shift().unsigned_abs();
    while far > 0 && swizzle.bits() > (times - 1) * far {
        let shift = i64::try_from(times).unwrap_or(i64::MAX).saturating_mul(swizzle.shift());
        x = Swizzle::new(swizzle.bits() - (times - 1) * far, swizzle.base(), shift).apply(x)?;
        times *= 2;
    }
    Ok(x)
}

/// The swizzle after a layout that a linear layout is: CuTe's notation for it, the layout coalesced. None where there is no
/// such swizzle, with any B, M and S, or there are more than 63 columns. Of those that there are it has the fewest bits,
/// then the least M and |S|.
///
/// ```
/// use razorgirl::linear_layout::swizzled_of_columns;
///
/// assert_eq!(swizzled_of_columns(&[1, 2, 5, 10]).unwrap().to_string(), "Sw<2,0,2> o 0 o 16:1");
/// assert_eq!(swizzled_of_columns(&[2, 4, 1]).unwrap().to_string(), "Sw<0,0,0> o 0 o (4,2):(2,1)");
/// assert_eq!(swizzled_of_columns(&[3, 5, 6]), None);
/// ```
///
/// Cost: some n^3 / 3 swizzles for columns of n bits, most of them given up at the second column.
///
/// Lean: `Razorgirl.LinearLayout.swizzledOfColumns`
#[must_use]
pub fn swizzled_of_columns(columns: &[u64]) -> Option<SwizzledLayout> {
    let width = u64::from(64 - columns.iter().fold(0, |all, column| all | column).leading_zeros());
    swizzles(width).find_map(|swizzle| {
        let mut met = 0;
        let mut modes = Vec::with_capacity(columns.len());
        for column in columns {
            let before = undo(swizzle, *column).ok()?;
            if met & before != 0 {
                return None;
            }
            met |= before;
            modes.push(Mode::new(2, before));
        }
        SwizzledLayout::new(swizzle, 0, Layout::from_modes(modes).ok()?.coalesce()).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// Every swizzle of up to 7 bits: undone it is the number before.
    #[test]
    fn swizzles_are_undone() {
        let mut all = 0;
        for swizzle in swizzles(7) {
            for x in 0..1 << 7 {
                let y = swizzle.apply(x).unwrap();
                assert!(y < 1 << 7, "{swizzle} of {x}");
                assert_eq!(undo(swizzle, y).unwrap(), x, "{swizzle} of {x}");
            }
            all += 1;
        }
        // two signs for each of C(8,3) triples, and the identity
        assert_eq!(all, 113);
    }

    /// Every linear layout of three columns of three bits: 196 of the 512 are a swizzle after a layout. Whether one is, all
    /// swizzles with few bits and all layouts of three modes of extent 2 without common bits say: S = 0, and bits that no
    /// column has, are among them.
    #[test]
    fn of_three_by_three_layouts_196_are_swizzled() {
        let mut swizzled = alloc::collections::BTreeSet::new();
        let apart = |a: u64, b: u64, c: u64| a & b == 0 && a & c == 0 && b & c == 0;
        for (bits, base, shift) in (0..4).flat_map(|b| (0..4).flat_map(move |m| (-4..=4).map(move |s| (b, m, s)))) {
            let swizzle = Swizzle::new(bits, base, shift);
            for code in 0..1_u64 << 15 {
                let (a, b, c) = (code & 31, code >> 5 & 31, code >> 10);
                if apart(a, b, c) {
                    swizzled.insert([a, b, c].map(|column| swizzle.apply(column).unwrap()));
                }
            }
        }
        let mut found = 0;
        for code in 0..512_u64 {
            let columns = [code & 7, code >> 3 & 7, code >> 6];
            let made = swizzled_of_columns(&columns);
            assert_eq!(made.is_some(), swizzled.contains(&columns), "{columns:?}");
            let Some(made) = made else { continue };
            found += 1;
            for x in 0..8_u64 {
                let image = (0..3).filter(|bit| x >> bit & 1 == 1).fold(0, |sum, bit| sum ^ columns[bit]);
                assert_eq!(made.at(x).unwrap(), image, "{columns:?} at {x}: {made}");
            }
        }
        assert_eq!(found, 196);
    }

    /// The widest columns there are, of which none will do: it ends, and soon.
    #[test]
    fn sixty_three_columns_are_gone_through() {
        let columns: Vec<u64> =
            (0..63).map(|bit| if bit == 0 { u64::MAX } else { 1 << bit | 1 << (bit - 1) }).collect();
        assert_eq!(swizzled_of_columns(&columns), None);
        let units: Vec<u64> = (0..63).map(|bit| 1_u64 << bit).collect();
        let swizzle = Swizzle::new(3, 4, 3);
        let columns: Vec<u64> = units.iter().map(|unit| swizzle.apply(*unit).unwrap()).collect();
        assert_eq!(swizzled_of_columns(&columns).unwrap().to_string(), "Sw<3,4,3> o 0 o 9223372036854775808:1");
        assert_eq!(swizzled_of_columns(&[]).unwrap().to_string(), "Sw<0,0,0> o 0 o 1:0");
    }

    /// Every layout of two modes: linear exactly where all offsets are exclusive ors of those of the powers of two.
    #[test]
    fn a_layout_is_linear_where_it_says_so() {
        let mut linear = 0;
        for code in 0..4 * 4 * 9 * 9_u64 {
            let (a, b) = (1 + code % 4, 1 + code / 4 % 4);
            let (c, d) = (code / 16 % 9, code / 144);
            let layout: Layout = format!("({a},{b}):({c},{d})").parse().unwrap();
            let at = |x: u64| (x % a) * c + (x / a) * d;
            let units: Vec<u64> = (0..(a * b).ilog2()).map(|bit| at(1 << bit)).collect();
            let sum = |x: u64| (0..units.len()).filter(|bit| x >> bit & 1 == 1).fold(0, |sum, bit| sum ^ units[bit]);
            let is = a.is_power_of_two() && b.is_power_of_two() && (0..a * b).all(|x| sum(x) == at(x));
            let found = columns_of_layout(&layout);
            assert_eq!(found.is_ok(), is, "({a},{b}):({c},{d})");
            if let Ok(columns) = found {
                assert_eq!(columns, units);
                let back = layout_of_columns(&columns).unwrap();
                assert_eq!(back, layout.coalesce(), "({a},{b}):({c},{d})");
                linear += 1;
            }
        }
        assert!(linear > 200, "{linear}");
    }
}
