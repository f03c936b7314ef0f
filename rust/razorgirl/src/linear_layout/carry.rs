//! Layouts and linear layouts: carries.
//!
//! A layout whose extents are powers of two adds strides; a linear layout takes their exclusive or. The two agree exactly
//! where no addition carries: where the *columns*, the multiples of strides by powers of two, have no bit in common.

use crate::error::{Error, ErrorKind, Result};
use crate::layout::{Layout, Mode};

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
/// [`ErrorKind::Extent`] for an extent that is no power of two, [`ErrorKind::Carries`] where two columns have a bit in
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
            return Err(Error::new(ErrorKind::Extent, format!("an extent is {extent}, no power of two"))
                .with_help("a linear layout has powers of two only"));
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
            "indices {} and {} have the offsets {first} and {second}, of which the sum is {} and the exclusive or {}",
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

#[cfg(test)]
mod tests {
    use super::*;

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
