//! Arithmetic on integers of any size.

use num_bigint::BigInt;

pub(crate) fn one() -> BigInt {
    BigInt::from(1)
}

pub(crate) fn ceil_quotient(a: &BigInt, b: &BigInt) -> BigInt {
    (a + b - 1) / b
}

pub(crate) fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    if *b == 0.into() { a.clone() } else { gcd(b, &(a % b)) }
}
