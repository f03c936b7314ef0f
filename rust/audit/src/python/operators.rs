//! What operators make of two values.

use super::arithmetic::{binary, machine, power};
use super::cute;
use super::tree::Op;
use super::value::Value;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// What an operator makes of two values.
pub(super) fn operate(op: Op, left: &Value, right: &Value, site: Site) -> Resolved<Value> {
    let wrong = |reason| Unresolved { reason, site };
    match (op, left, right) {
        (_, Value::Machine(..), _) | (_, _, Value::Machine(..)) => machine(op, left, right, site),
        (Op::Add, Value::Tuple(a), Value::Tuple(b)) => {
            Value::tuple(a.all.iter().chain(&b.all).cloned().collect(), site)
        }
        (Op::Add, Value::Memory(memory), Value::Number(elements, ..)) => {
            memory.behind(*elements).ok_or(wrong(Reason::RunTime))
        }
        (Op::Mul, Value::Tuple(a), Value::Number(times, ..)) | (Op::Mul, Value::Number(times, ..), Value::Tuple(a)) => {
            let times = usize::try_from((*times).max(0)).unwrap_or(usize::MAX);
            if a.all.len().checked_mul(times).is_none_or(|all| all > 1024) {
                return Err(wrong(Reason::TooLarge));
            }
            Value::tuple(std::iter::repeat_n(&a.all, times).flatten().cloned().collect(), site)
        }
        (Op::Eq | Op::Ne, a, b) if !matches!((a, b), (Value::Number(..), Value::Number(..))) => match (a, b) {
            (Value::Unknown(why), _) | (_, Value::Unknown(why)) => Err(*why),
            (Value::Bool(_), Value::Bool(_))
            | (Value::Text(_), Value::Text(_))
            | (Value::Library(_), Value::Library(_))
            | (Value::None, _)
            | (_, Value::None) => Ok(Value::Bool(a.same(b) == (op == Op::Eq))),
            _ => Err(wrong(Reason::Expression)),
        },
        (Op::Div, a, b) => Ok(match (ratio(a, site)?, ratio(b, site)?) {
            ((a, below), (b, above)) if b != 0 => {
                let limit = |part: i128| (part.abs() < 1 << 26).then_some(part).ok_or(wrong(Reason::Overflow));
                let (sign, above) = (b.signum(), limit(a)? * limit(above)?);
                Value::Ratio(above * sign, limit(below)? * limit(b)?.abs())
            }
            _ => return Err(wrong(Reason::Expression)),
        }),
        (Op::Pow, a, b) => Ok(Value::number(power(a.as_number(site)?, b.as_number(site)?).map_err(wrong)?, site)),
        // Python refuses it: whatever this is, the program has another value there.
        (Op::Sub | Op::FloorDiv | Op::Shl | Op::Shr, a, b) if [a, b].iter().any(|value| no_number(value)) => {
            Err(wrong(Reason::Dependent))
        }
        (_, a, b) => binary(op, a.as_number(site)?, b.as_number(site)?, site),
    }
}

/// What is no number, and nothing that a class may have taught to be one.
fn no_number(value: &Value) -> bool {
    match value {
        Value::Text(_) | Value::Tuple(_) | Value::Dict(..) | Value::Function(..) => true,
        Value::Library(path) => cute::bits(path).is_some(),
        _ => false,
    }
}

/// A number as a fraction.
fn ratio(value: &Value, site: Site) -> Resolved<(i128, i128)> {
    match value {
        Value::Ratio(above, below) => Ok((*above, *below)),
        other => Ok((other.as_number(site)?, 1)),
    }
}
