//! Quotients and remainders of integers, by what is said of them.

use super::reading::{Answer, Reading};
use super::refusal::{Refusal, Result};
use crate::tree::read_int;
use serde_json::{Value, json};

/// The operations of this module.
pub(super) const NAMES: &[&str] = &["div"];

/// An integer of 64 bits with a sign.
fn signed(value: &Value) -> Result<i128> {
    let n = read_int(value).ok_or(Refusal("parse"))?;
    i64::try_from(&n).map(i128::from).map_err(|_| Refusal("overflow"))
}

/// The remainder is not below 0; has the sign of a; or the sign opposite to b.
fn is_remainder(kind: &str, a: i128, b: i128, r: i128) -> bool {
    r.abs() < b.abs()
        && match kind {
            "euclid" => r >= 0,
            "trunc" => r == 0 || (r > 0) == (a > 0),
            _ => r == 0 || (r > 0) != (b > 0),
        }
}

pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    let kind = args[0].as_str().filter(|kind| ["euclid", "trunc", "ceil"].contains(kind));
    reading.fault(kind.is_none(), "parse");
    let (a, b) = (reading.take(signed(&args[1])), reading.take(signed(&args[2])));
    let (kind, a, b) = (kind?, a?, b?);
    if b == 0 {
        return Some(Err(Refusal("out_of_domain")));
    }
    // two remainders are below |b|, one on either side of 0, and just one of them has the right sign
    let near = a / b;
    let fits = |q: &i128| is_remainder(kind, a, b, a - b * q);
    let Some(q) = [near - 1, near, near + 1].into_iter().find(fits) else { return Some(Err(Refusal("internal"))) };
    if i64::try_from(q).is_err() {
        return Some(Err(Refusal("overflow")));
    }
    Some(Ok(Some(json!([i64::try_from(q).ok(), i64::try_from(a - b * q).ok()]))))
}
