//! Integer division, three ways; index expressions made with it ([`expr`]), and their simplifier ([`simplify`]).
//!
//! Every one of them satisfies `a == b * q + r`; they differ in what the remainder may be. For `a >= 0` and `b > 0`
//! Euclidean and truncating division are the same.
//!
//! | | remainder | quotient |
//! |---|---|---|
//! | [`euclid`] | `0 <= r < |b|` | rounded down for `b > 0`, up for `b < 0` |
//! | [`trunc`] | sign of `a`, `|r| < |b|` | rounded towards zero: C and C++ |
//! | [`ceil`] | sign opposite to `b`, `|r| < |b|` | rounded up: nvFuser's `ceilDiv` |

pub mod expr;
pub mod simplify;
pub(crate) mod terms;

use razorgirl_extracted::functions;

use crate::error::{Error, ErrorKind, Result};

#[cold]
fn undefined(a: i64, b: i64) -> Error {
    if b == 0 {
        Error::new(ErrorKind::OutOfDomain, format!("{a} is divided by 0"))
            .with_help("use a divisor other than 0; extents and factors are at least 1")
    } else {
        Error::new(
            ErrorKind::Overflow,
            format!("the quotient of {a} and {b} is 2^63, more than 64 bits with a sign hold"),
        )
        .with_help(format!("divide {} instead, or by a divisor other than -1", a + 1))
    }
}

/// Euclidean division: the remainder is never negative.
///
/// # Errors
/// [`OutOfDomain`](ErrorKind::OutOfDomain) for `b == 0`, [`Overflow`](ErrorKind::Overflow) for `i64::MIN` by -1.
///
/// ```
/// assert_eq!(razorgirl::int::euclid(-3, 5)?, (-1, 2));
/// assert_eq!(razorgirl::int::euclid(7, -2)?, (-3, 1));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Constant cost. nvFuser: integer division, Theorem 1.1.
///
/// Lean: `Razorgirl.Division.euclid`
pub fn euclid(a: i64, b: i64) -> Result<(i64, i64)> {
    functions::euclid(a, b).map_err(|_| undefined(a, b))
}

/// Truncating division: the operators `/` and `%` of C, C++ and Rust.
///
/// # Errors
/// As [`euclid`].
///
/// ```
/// assert_eq!(razorgirl::int::trunc(-7, 2)?, (-3, -1));
/// assert_eq!(razorgirl::int::trunc(1, -2)?, (0, 1)); // not -1: the remainder takes the sign of the dividend
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Constant cost. nvFuser: integer division, section 4.
///
/// Lean: `Razorgirl.Division.trunc`
pub fn trunc(a: i64, b: i64) -> Result<(i64, i64)> {
    functions::trunc(a, b).map_err(|_| undefined(a, b))
}

/// Division rounded up; the remainder has the sign opposite to the divisor's.
///
/// # Errors
/// As [`euclid`].
///
/// ```
/// assert_eq!(razorgirl::int::ceil(5, 2)?, (3, -1));
/// assert_eq!(razorgirl::int::ceil(7, -2)?, (-3, 1));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Constant cost. nvFuser: integer division, section 5; `ceilDiv`.
///
/// Lean: `Razorgirl.Division.ceil`
pub fn ceil(a: i64, b: i64) -> Result<(i64, i64)> {
    functions::ceil(a, b).map_err(|_| undefined(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_division_is_its_definition() {
        for a in -60_i64..=60 {
            for b in (-13_i64..=13).filter(|&b| b != 0) {
                for (name, divide) in
                    [("euclid", euclid as fn(i64, i64) -> Result<(i64, i64)>), ("trunc", trunc), ("ceil", ceil)]
                {
                    let (q, r) = divide(a, b).unwrap();
                    assert_eq!(b * q + r, a, "{name} {a} {b}");
                    let in_range = match name {
                        "euclid" => 0 <= r && r < b.abs(),
                        "trunc" if a >= 0 => 0 <= r && r < b.abs(),
                        "trunc" => -b.abs() < r && r <= 0,
                        _ if b > 0 => -b < r && r <= 0,
                        _ => 0 <= r && r < -b,
                    };
                    assert!(in_range, "{name} {a} {b}: remainder {r}");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        for divide in [euclid, trunc, ceil] {
            assert_eq!(divide(i64::MIN, -1).unwrap_err().kind(), ErrorKind::Overflow);
            assert_eq!(divide(7, 0).unwrap_err().kind(), ErrorKind::OutOfDomain);
            assert_eq!(divide(i64::MIN, 0).unwrap_err().kind(), ErrorKind::OutOfDomain);
            for (a, b) in
                [(i64::MIN, 1), (i64::MIN, i64::MIN), (i64::MAX, i64::MIN), (i64::MAX, 2), (i64::MIN, i64::MAX)]
            {
                let (q, r) = divide(a, b).unwrap();
                assert_eq!(i128::from(b) * i128::from(q) + i128::from(r), i128::from(a));
            }
        }
    }
}
