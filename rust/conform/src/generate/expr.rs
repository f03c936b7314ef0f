//! Index expressions and the ranges of their variables, as the protocol writes them.

use super::Rng;
use serde_json::{Value, json};

/// An expression in up to three variables, nested at most so deep. Divisors are mostly literals, as in generated code.
pub fn expr(rng: &mut Rng, depth: u64) -> Value {
    if depth == 0 || rng.once_in(6) {
        return match rng.below(8) {
            0 if rng.once_in(30) => json!(rng.bits().cast_signed() >> rng.below(63)),
            0..3 => json!(i64::try_from(rng.below(16)).unwrap_or(0) - 3),
            n => json!(["x", n % 3]),
        };
    }
    let left = expr(rng, depth - 1);
    let right = expr(rng, depth - 1);
    match rng.below(6) {
        0 | 1 if rng.once_in(4) => json!(["+", left, right, expr(rng, depth - 1)]),
        0 | 1 => json!(["+", left, right]),
        2 => json!(["*", left, right]),
        n => {
            let by = if rng.once_in(5) { right } else { json!(rng.pick(&[1, 2, 3, 4, 6, 8, 12, 24])) };
            json!([if n < 5 { "/" } else { "%" }, left, by])
        }
    }
}

/// Ranges of up to three variables: mostly indices of an extent.
pub fn ranges(rng: &mut Rng) -> Value {
    (0..rng.between(0, 3))
        .map(|_| match rng.below(8) {
            0 => Value::Null,
            1 => json!([0, null]),
            2 => json!([1, null]),
            3 => json!([-5, 4]),
            4 if rng.once_in(10) => json!([4, 3]),
            4 => json!([null, rng.below(9)]),
            _ => json!([0, rng.pick(&[0, 1, 2, 3, 5, 7, 11, 23])]),
        })
        .collect()
}
