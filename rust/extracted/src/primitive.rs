//! What the primitives of the language are in Rust. Each has a line in `lean/Razorgirl/Extract/Lang.lean`.

use crate::Fault;

#[inline]
pub(crate) fn add(x: u64, y: u64) -> Result<u64, Fault> {
    x.checked_add(y).ok_or(Fault::Overflow)
}

#[inline]
pub(crate) fn sub(x: u64, y: u64) -> Result<u64, Fault> {
    x.checked_sub(y).ok_or(Fault::Overflow)
}

#[inline]
pub(crate) fn mul(x: u64, y: u64) -> Result<u64, Fault> {
    x.checked_mul(y).ok_or(Fault::Overflow)
}

#[inline]
pub(crate) fn div(x: u64, y: u64) -> Result<u64, Fault> {
    x.checked_div(y).ok_or(Fault::DivZero)
}

#[inline]
pub(crate) fn rem(x: u64, y: u64) -> Result<u64, Fault> {
    x.checked_rem(y).ok_or(Fault::DivZero)
}

/// `x * y = z` as natural numbers, however large the product.
#[inline]
pub(crate) fn mul_is(x: u64, y: u64, z: u64) -> bool {
    x.checked_mul(y) == Some(z)
}

#[inline]
pub(crate) fn len<T>(list: &[T]) -> u64 {
    list.len() as u64
}

#[inline]
pub(crate) fn get<T: Copy>(list: &[T], place: u64) -> Result<T, Fault> {
    usize::try_from(place).ok().and_then(|place| list.get(place)).copied().ok_or(Fault::Bounds)
}

#[inline]
pub(crate) fn add_i64(x: i64, y: i64) -> Result<i64, Fault> {
    x.checked_add(y).ok_or(Fault::Overflow)
}

#[inline]
pub(crate) fn sub_i64(x: i64, y: i64) -> Result<i64, Fault> {
    x.checked_sub(y).ok_or(Fault::Overflow)
}

#[inline]
pub(crate) fn mul_i64(x: i64, y: i64) -> Result<i64, Fault> {
    x.checked_mul(y).ok_or(Fault::Overflow)
}

/// The quotient rounded towards 0.
#[inline]
pub(crate) fn div_i64(x: i64, y: i64) -> Result<i64, Fault> {
    if y == 0 { Err(Fault::DivZero) } else { x.checked_div(y).ok_or(Fault::Overflow) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Where 64 bits end, and where 32 do.
    const EDGES: [u64; 11] =
        [0, 1, 2, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX];

    type Unsigned = fn(u64, u64) -> Result<u64, Fault>;
    type Signed = fn(i64, i64) -> Result<i64, Fault>;

    /// A number that fits, from its exact value.
    fn fits<T: TryFrom<i128>>(exact: i128) -> Result<T, Fault> {
        T::try_from(exact).map_err(|_| Fault::Overflow)
    }

    /// The first pair of edges at which a function is not what 128 bits say, given the exact operands.
    fn wrong_at(found: Unsigned, right: impl Fn(u128, u128, Result<u64, Fault>) -> bool) -> Option<(u64, u64)> {
        let pairs = EDGES.iter().flat_map(|&x| EDGES.iter().map(move |&y| (x, y)));
        pairs.into_iter().find(|&(x, y)| !right(x.into(), y.into(), found(x, y)))
    }

    fn signed_wrong_at(found: Signed, right: impl Fn(i128, i128, Result<i64, Fault>) -> bool) -> Option<(i64, i64)> {
        let edges: Vec<i64> = EDGES.iter().flat_map(|&x| [x.cast_signed(), x.cast_signed().wrapping_neg()]).collect();
        let pairs = edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y)));
        pairs.into_iter().find(|&(x, y)| !right(x.into(), y.into(), found(x, y)))
    }

    /// At most the product of two numbers of 64 bits, which 127 bits do not hold.
    fn small(exact: u128) -> Result<u64, Fault> {
        u64::try_from(exact).map_err(|_| Fault::Overflow)
    }

    fn add_is_wrong_at(found: Unsigned) -> Option<(u64, u64)> {
        wrong_at(found, |x, y, found| found == small(x + y))
    }

    fn sub_is_wrong_at(found: Unsigned) -> Option<(u64, u64)> {
        wrong_at(found, |x, y, found| found == x.checked_sub(y).map_or(Err(Fault::Overflow), small))
    }

    fn mul_is_wrong_at(found: Unsigned) -> Option<(u64, u64)> {
        wrong_at(found, |x, y, found| found == small(x * y))
    }

    /// Quotient and remainder are told by what they must satisfy, not by another division.
    fn div_is_wrong_at(found: Unsigned) -> Option<(u64, u64)> {
        wrong_at(found, |x, y, found| match found {
            Ok(q) => y * u128::from(q) <= x && x < y * u128::from(q) + y,
            Err(fault) => y == 0 && fault == Fault::DivZero,
        })
    }

    fn rem_is_wrong_at(found: Unsigned) -> Option<(u64, u64)> {
        wrong_at(found, |x, y, found| match found {
            Ok(r) => u128::from(r) < y && x.checked_sub(r.into()).is_some_and(|whole| whole / y * y == whole),
            Err(fault) => y == 0 && fault == Fault::DivZero,
        })
    }

    fn product_is_wrong_at(found: fn(u64, u64, u64) -> bool) -> Option<(u64, u64, u64)> {
        let pairs = EDGES.iter().flat_map(|&x| EDGES.iter().map(move |&y| (x, y)));
        // Also the product itself where it fits, and what is left of it modulo 2^64.
        let thirds = |(x, y): (u64, u64)| EDGES.into_iter().chain([x.wrapping_mul(y)]).map(move |z| (x, y, z));
        pairs.flat_map(thirds).find(|&(x, y, z)| found(x, y, z) != (u128::from(x) * u128::from(y) == u128::from(z)))
    }

    /// Of `q` for `x / y`, the remainder must be this.
    fn quotient_is_wrong_at(found: Signed, remainder: impl Fn(i128, i128, i128) -> bool) -> Option<(i64, i64)> {
        signed_wrong_at(found, |x, y, found| match found {
            Ok(q) => y != 0 && remainder(x, y, x - y * i128::from(q)),
            Err(Fault::DivZero) => y == 0,
            Err(fault) => fault == Fault::Overflow && (x, y) == (i64::MIN.into(), -1),
        })
    }

    fn is_truncated(x: i128, y: i128, r: i128) -> bool {
        r.abs() < y.abs() && r.signum() * x.signum() >= 0
    }

    #[test]
    fn primitives_are_exact_at_every_pair_of_edges() {
        assert_eq!(add_is_wrong_at(add), None);
        assert_eq!(sub_is_wrong_at(sub), None);
        assert_eq!(mul_is_wrong_at(mul), None);
        assert_eq!(div_is_wrong_at(div), None);
        assert_eq!(rem_is_wrong_at(rem), None);
        assert_eq!(product_is_wrong_at(mul_is), None);
        assert_eq!(signed_wrong_at(add_i64, |x, y, found| found == fits(x + y)), None);
        assert_eq!(signed_wrong_at(sub_i64, |x, y, found| found == fits(x - y)), None);
        assert_eq!(signed_wrong_at(mul_i64, |x, y, found| found == fits(x * y)), None);
        assert_eq!(quotient_is_wrong_at(div_i64, is_truncated), None);
    }

    /// The same tests on functions that are nearly right: each is found out.
    #[test]
    fn wrong_primitives_are_found_out() {
        assert_eq!(add_is_wrong_at(|x, y| Ok(x.wrapping_add(y))), Some((1, u64::MAX)));
        assert_eq!(add_is_wrong_at(|x, y| Ok(x.saturating_add(y))), Some((1, u64::MAX)));
        assert_eq!(sub_is_wrong_at(|x, y| Ok(x.saturating_sub(y))), Some((0, 1)));
        assert_eq!(mul_is_wrong_at(|x, y| Ok(x.wrapping_mul(y))), Some((2, 1 << 63)));
        assert_eq!(
            mul_is_wrong_at(|x, y| u32::try_from(x).map_or(Err(Fault::Overflow), |x| mul(x.into(), y))),
            Some((1 << 32, 0))
        );
        assert_eq!(div_is_wrong_at(|x, y| Ok(x.checked_div(y).unwrap_or(0))), Some((0, 0)));
        assert_eq!(div_is_wrong_at(|x, y| if y == 0 { Err(Fault::DivZero) } else { Ok(x.div_ceil(y)) }), Some((1, 2)));
        assert_eq!(rem_is_wrong_at(|x, y| Ok(x.checked_rem(y).unwrap_or(x))), Some((0, 0)));
        assert_eq!(rem_is_wrong_at(|x, y| x.checked_div(y).ok_or(Fault::DivZero)), Some((1, 1)));
        assert_eq!(product_is_wrong_at(|x, y, z| x.wrapping_mul(y) == z), Some((2, 1 << 63, 0)));
        assert_eq!(product_is_wrong_at(|x, y, z| y == 0 || x.checked_mul(y) == Some(z)), Some((0, 0, 1)));
        let euclid: Signed =
            |x, y| if y == 0 { Err(Fault::DivZero) } else { x.checked_div_euclid(y).ok_or(Fault::Overflow) };
        assert!(quotient_is_wrong_at(euclid, is_truncated).is_some());
        assert!(quotient_is_wrong_at(|x, y| x.checked_div(y).ok_or(Fault::Overflow), is_truncated).is_some());
        let wrapping: Signed = |x, y| if y == 0 { Err(Fault::DivZero) } else { Ok(x.wrapping_div(y)) };
        assert_eq!(quotient_is_wrong_at(wrapping, is_truncated), Some((i64::MIN, -1)));
    }

    #[test]
    fn lists_end_where_they_end() {
        let list = [5_u64, 6, 7];
        assert_eq!((len(&list), len::<u64>(&[])), (3, 0));
        assert_eq!((get(&list, 0), get(&list, 2)), (Ok(5), Ok(7)));
        for place in [3, 4, 1 << 32, u64::MAX] {
            assert_eq!(get(&list, place), Err(Fault::Bounds));
        }
    }
}
