//! Arithmetic as Python has it: division and remainder round down.

use super::tree::Op;
use super::value::Value;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// What an operator gives.
///
/// # Errors
/// A division by 0, or a number that is too large.
pub fn binary(op: Op, left: i128, right: i128, site: Site) -> Resolved<Value> {
    let truth = match op {
        Op::Eq => left == right,
        Op::Ne => left != right,
        Op::Lt => left < right,
        Op::Le => left <= right,
        Op::Gt => left > right,
        Op::Ge => left >= right,
        _ => {
            return arithmetic(op, left, right)
                .map(|value| Value::number(value, site))
                .map_err(|reason| Unresolved { reason, site });
        }
    };
    Ok(Value::Bool(truth))
}

fn arithmetic(op: Op, left: i128, right: i128) -> Result<i128, Reason> {
    let shift = || u32::try_from(right).ok().filter(|by| *by < 127).ok_or(Reason::Overflow);
    let value = match op {
        Op::Add => left.checked_add(right),
        Op::Sub => left.checked_sub(right),
        Op::Mul => left.checked_mul(right),
        Op::FloorDiv | Op::Mod if right == 0 => return Err(Reason::Expression),
        Op::FloorDiv => floor(left, right),
        Op::Mod => floor(left, right).and_then(|whole| left.checked_sub(whole.checked_mul(right)?)),
        Op::Shl => left.checked_mul(1_i128 << shift()?),
        Op::Shr => Some(left >> shift()?),
        Op::And => Some(left & right),
        Op::Or => Some(left | right),
        Op::Xor => Some(left ^ right),
        _ => return Err(Reason::Expression),
    };
    value.ok_or(Reason::Overflow)
}

fn floor(left: i128, right: i128) -> Option<i128> {
    let whole = left.checked_div(right)?;
    let inexact = left.checked_rem(right)? != 0;
    if inexact && (left < 0) != (right < 0) { whole.checked_sub(1) } else { Some(whole) }
}

/// A power with an exponent of 0 or above.
pub fn power(base: i128, exponent: i128) -> Result<i128, Reason> {
    let exponent = u32::try_from(exponent).map_err(|_| Reason::Expression)?;
    base.checked_pow(exponent).ok_or(Reason::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        for (left, right, quotient, remainder) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, -2, -3, 0)]
        {
            assert_eq!(arithmetic(Op::FloorDiv, left, right), Ok(quotient));
            assert_eq!(arithmetic(Op::Mod, left, right), Ok(remainder));
        }
        assert_eq!(arithmetic(Op::FloorDiv, 1, 0), Err(Reason::Expression));
        assert_eq!(arithmetic(Op::FloorDiv, i128::MIN, -1), Err(Reason::Overflow));
        assert_eq!(power(2, 10), Ok(1024));
        assert_eq!(power(2, -1), Err(Reason::Expression));
    }
}
