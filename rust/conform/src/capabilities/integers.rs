//! Integers that a peer does not have.

use super::any_integer;
use crate::judge::definition;
use crate::model::Layout;
use num_bigint::BigInt;
use serde_json::Value;

/// The first number that integers with a sign cannot hold.
fn limit(bits: u32) -> BigInt {
    BigInt::from(1) << (bits.clamp(1, 128) - 1)
}

/// Whether a number is written in the arguments that integers of so many bits, with a sign, cannot hold.
pub(super) fn beyond(args: Option<&Value>, bits: u32) -> bool {
    let limit = limit(bits);
    args.is_some_and(|args| any_integer(args, &|n| *n >= limit || *n < -&limit))
}

/// Whether a layout of the request, or what the definition answers, has a number, a size or an offset beyond.
pub(super) fn needs_more(request: &Value, bits: u32) -> bool {
    let limit = limit(bits);
    let operands = request.get("args").and_then(Value::as_array).into_iter().flatten();
    operands.chain(&definition(request)).any(|value| {
        let large = |layout: &Layout| layout.size() >= limit || layout.cosize() >= limit;
        any_integer(value, &|n| *n >= limit) || Layout::read_any_size(value).is_ok_and(|layout| large(&layout))
    })
}
