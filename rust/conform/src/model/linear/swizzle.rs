//! `Swizzle<B,M,S>` bit by bit.

use super::Answer;
use super::read::Arguments;
use crate::model::refusal::{Refusal, Result};
use crate::model::shape::limit;
use crate::tree::int_json;
use num_bigint::BigInt;

/// Bit M + max(0,-S) + j is exclusive-ored with bit M + max(0,S) + j of the argument, for each j below B.
fn swizzle(bits: &BigInt, base: &BigInt, shift: &BigInt, x: &BigInt) -> Result<BigInt> {
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

pub(super) fn of_request(a: &mut Arguments) -> Answer {
    let (bits, base) = (a.integer(0, Some(0)), a.integer(1, Some(0)));
    // a number has 64 bits
    a.fault(bits.as_ref().is_some_and(|bits| *bits > 64.into()), "out_of_domain");
    let (shift, x) = (a.integer(2, None), a.integer(3, Some(0)));
    Some(swizzle(&bits?, &base?, &shift?, &x?).map(|image| Some(int_json(&image))))
}
