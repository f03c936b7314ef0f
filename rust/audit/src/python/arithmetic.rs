//! Arithmetic as Python has it: division and remainder round down.

use super::tree::Op;
use super::value::Value;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// The numbers that a type of the DSL can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// Bits of a number above 0.
    bits: u32,
    /// Whether there are numbers below 0.
    signed: bool,
}

impl Width {
    /// Of a type, by its name.
    pub fn of(name: &str) -> Option<Self> {
        let (signed, bits) = match name.strip_prefix("Int") {
            Some(bits) => (true, bits),
            None => (false, name.strip_prefix("Uint")?),
        };
        let bits: u32 = bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?;
        Some(Self { bits: bits - u32::from(signed), signed })
    }

    /// A number of the type.
    ///
    /// # Errors
    /// It holds no such number: the DSL would take another, modulo a power of 2.
    pub fn number(self, value: i128, site: Site) -> Resolved<Value> {
        let below = value < 0 && (!self.signed || value < -(1_i128 << self.bits));
        if below || value >= 1_i128 << self.bits {
            return Err(Unresolved { reason: Reason::Overflow, site });
        }
        Ok(Value::Machine(value, self, site))
    }

    /// What both can hold, or the wider one of two alike.
    fn with(self, other: Self) -> Self {
        if self.signed == other.signed {
            Self { bits: self.bits.max(other.bits), ..self }
        } else {
            Self { bits: self.bits.min(other.bits), signed: false }
        }
    }
}

/// What an operator gives where one operand is a number of a type: as the DSL computes it, as long as that is what it would be without
/// bounds. What is too large for the type would be another number there.
///
/// # Errors
/// It would, or the operator is not followed for such numbers.
pub fn machine(op: Op, left: &Value, right: &Value, site: Site) -> Resolved<Value> {
    let part = |value: &Value| match value {
        Value::Machine(number, width, _) => Ok((*number, Some(*width))),
        Value::Bool(_) => Err(Unresolved { reason: Reason::Expression, site }),
        other => Ok((other.as_number(site)?, None)),
    };
    let ((a, first), (b, second)) = (part(left)?, part(right)?);
    let width = match (first, second) {
        (Some(one), Some(other)) => one.with(other),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return Err(Unresolved { reason: Reason::Expression, site }),
    };
    // Both must be there in the type that they are brought to.
    width.number(a, site)?;
    width.number(b, site)?;
    let followed = match op {
        Op::Add | Op::Sub | Op::Mul | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => true,
        Op::FloorDiv | Op::Mod | Op::Shl | Op::Shr | Op::And | Op::Or | Op::Xor => a >= 0 && b >= 0,
        _ => false,
    };
    if !followed {
        return Err(Unresolved { reason: Reason::Expression, site });
    }
    match binary(op, a, b, site)? {
        Value::Number(value, ..) => width.number(value, site),
        other => Ok(other),
    }
}

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

    /// What the DSL answers in `DSL 4.8.1`: `Int32(70000) * 70000` is 605032704, `Uint32(3) - 4` is 4294967295, `Int32(1) << 31` is
    /// -2147483648, `Int32(2**31)` is -2147483648. None of them is the number that one would think.
    #[test]
    fn numbers_of_a_type_stay_within_it() {
        let site = Site { unit: 0, span: crate::ast::Span::default() };
        let of = |name: &str, value| Width::of(name).unwrap().number(value, site);
        let int = |value| Value::number(value, site);
        let told = |value: Resolved<Value>| match value {
            Ok(Value::Machine(value, ..)) => Some(value),
            _ => None,
        };
        let next = |op, left: &Value, right: &Value| told(machine(op, left, right, site));
        let (narrow, wide) = (of("Int32", 70_000).unwrap(), of("Int64", 70_000).unwrap());
        assert_eq!(next(Op::Mul, &narrow, &int(70_000)), None);
        assert_eq!(next(Op::Mul, &narrow, &int(30_000)), Some(2_100_000_000));
        assert_eq!(next(Op::Mul, &wide, &int(70_000)), Some(4_900_000_000));
        assert_eq!(next(Op::Mul, &wide, &narrow), Some(4_900_000_000));
        let one = |name| of(name, 1).unwrap();
        assert_eq!(next(Op::Shl, &one("Int64"), &of("Int64", 40).unwrap()), Some(1 << 40));
        assert_eq!(next(Op::Shl, &one("Int32"), &int(31)), None);
        assert_eq!(next(Op::Shl, &one("Uint32"), &int(31)), Some(1 << 31));
        assert_eq!(next(Op::Sub, &of("Uint32", 3).unwrap(), &int(4)), None);
        assert_eq!(next(Op::Sub, &of("Int32", 3).unwrap(), &int(4)), Some(-1));
        // `Uint32(5) * Int32(-1)` is 4294967291, and `Int32(-7) // 2` is not followed.
        assert_eq!(next(Op::Mul, &of("Uint32", 5).unwrap(), &of("Int32", -1).unwrap()), None);
        assert_eq!(next(Op::FloorDiv, &of("Int32", -7).unwrap(), &int(2)), None);
        assert_eq!(next(Op::FloorDiv, &of("Int32", 7).unwrap(), &int(2)), Some(3));
        assert!(machine(Op::Div, &narrow, &int(2), site).is_err());
        for (name, least, most) in [
            ("Int8", -128, 127),
            ("Uint8", 0, 255),
            ("Int16", -32_768, 32_767),
            ("Uint16", 0, 65_535),
            ("Int32", -(1 << 31), (1_i128 << 31) - 1),
            ("Uint32", 0, (1_i128 << 32) - 1),
            ("Int64", -(1 << 63), (1_i128 << 63) - 1),
            ("Uint64", 0, (1_i128 << 64) - 1),
        ] {
            assert_eq!(
                [least - 1, least, most, most + 1].map(|value| of(name, value).is_ok()),
                [false, true, true, false]
            );
        }
        assert!(Width::of("Int128").is_none() && Width::of("Float32").is_none());
    }

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
