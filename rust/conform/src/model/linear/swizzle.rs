//! `Swizzle<B,M,S>` bit by bit.

use crate::model::refusal::{Refusal, Result};
use crate::model::shape::limit;
use num_bigint::BigInt;

/// Bit M + max(0,-S) + j is exclusive-ored with bit M + max(0,S) + j of the argument, for each j below B.
pub(super) fn swizzle(bits: &BigInt, base: &BigInt, shift: &BigInt, x: &BigInt) -> Result<BigInt> {
    let zero = BigInt::from(0);
    let (up, down) = (shift.max(&zero).clone(), (-shift).max(zero.clone()));
    let mut image = x.clone();
    for source in 0..64_u64 {
        let place = BigInt::from(source) - base - &up;
        if place < zero || place >= *bits || !x.bit(source) {
            continue;
        }
        let target = base + &down + place;
        // numbers below 2^64 have no such bit
        let target = u64::try_from(&target).ok().filter(|target| *target < 64).ok_or(Refusal("overflow"))?;
        image.set_bit(target, !image.bit(target));
    }
    if image >= limit() { Err(Refusal("overflow")) } else { Ok(image) }
}
