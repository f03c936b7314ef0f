//! What the primitives of the language are in Rust. Each has a line in `lean/Razorgirl/Extract/Lang.lean`.

#![allow(dead_code, reason = "some primitives of the language wait for a function that needs them")]

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

/// The quotient whose remainder is not negative.
#[inline]
pub(crate) fn div_euclid_i64(x: i64, y: i64) -> Result<i64, Fault> {
    if y == 0 { Err(Fault::DivZero) } else { x.checked_div_euclid(y).ok_or(Fault::Overflow) }
}

/// The quotient rounded towards 0.
#[inline]
pub(crate) fn div_i64(x: i64, y: i64) -> Result<i64, Fault> {
    if y == 0 { Err(Fault::DivZero) } else { x.checked_div(y).ok_or(Fault::Overflow) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where 64 bits end, and where 32 do.
    const EDGES: [u64; 11] =
        [0, 1, 2, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX];

    /// A number that fits, from its exact value.
    fn fits(exact: i128) -> Result<u64, Fault> {
        u64::try_from(exact).map_err(|_| Fault::Overflow)
    }

    fn fits_i64(exact: i128) -> Result<i64, Fault> {
        i64::try_from(exact).map_err(|_| Fault::Overflow)
    }

    #[test]
    fn unsigned_primitives_are_exact_at_every_pair_of_edges() {
        for x in EDGES {
            for y in EDGES {
                let (a, b) = (i128::from(x), i128::from(y));
                let product = u128::from(x) * u128::from(y);
                assert_eq!(add(x, y), fits(a + b), "{x} + {y}");
                assert_eq!(sub(x, y), fits(a - b), "{x} - {y}");
                assert_eq!(mul(x, y), u64::try_from(product).map_err(|_| Fault::Overflow), "{x} * {y}");
                for z in EDGES {
                    assert_eq!(mul_is(x, y, z), product == u128::from(z), "{x} * {y} = {z}");
                }
                if y == 0 {
                    assert_eq!((div(x, y), rem(x, y)), (Err(Fault::DivZero), Err(Fault::DivZero)));
                } else {
                    let (q, r) = (div(x, y).unwrap(), rem(x, y).unwrap());
                    assert!(r < y && u128::from(q) * u128::from(y) + u128::from(r) == u128::from(x), "{x} / {y}");
                }
            }
        }
    }

    #[test]
    fn signed_primitives_are_exact_at_every_pair_of_edges() {
        let edges: Vec<i64> = EDGES.iter().flat_map(|&x| [x.cast_signed(), x.cast_signed().wrapping_neg()]).collect();
        for &x in &edges {
            for &y in &edges {
                let (a, b) = (i128::from(x), i128::from(y));
                assert_eq!(add_i64(x, y), fits_i64(a + b), "{x} + {y}");
                assert_eq!(sub_i64(x, y), fits_i64(a - b), "{x} - {y}");
                assert_eq!(mul_i64(x, y), fits_i64(a * b), "{x} * {y}");
                if y == 0 {
                    assert_eq!((div_i64(x, y), div_euclid_i64(x, y)), (Err(Fault::DivZero), Err(Fault::DivZero)));
                    continue;
                }
                // The quotient is found by what it must satisfy, not by another division.
                let truncated = |q: i128| (a - b * q).abs() < b.abs() && (a - b * q).signum() * a.signum() >= 0;
                let euclidean = |q: i128| (0..b.abs()).contains(&(a - b * q));
                for (found, right) in
                    [(div_i64(x, y), &truncated as &dyn Fn(i128) -> bool), (div_euclid_i64(x, y), &euclidean)]
                {
                    match found {
                        Ok(q) => assert!(right(i128::from(q)), "{x} / {y} = {q}"),
                        Err(fault) => {
                            assert_eq!((fault, x, y), (Fault::Overflow, i64::MIN, -1));
                            assert!(right(1 << 63), "{x} / {y}");
                        }
                    }
                }
            }
        }
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
