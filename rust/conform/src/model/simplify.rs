//! Index expressions: what they are worth, point by point.

use super::refusal::{Refusal, Result};
use crate::generate::Rng;
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

/// How deep the lists of an expression may be nested.
const MAX_NESTED: usize = 32;
/// The most variables, literals and operators of a request, an operator as often as it stands between two operands.
const MAX_NODES: usize = 1 << 10;
/// The same for an answer.
const ANSWER_NODES: usize = 1 << 13;
/// How many points an answer is tried at: at least all of two variables, which have at most 33 values each.
const POINTS: usize = 1 << 11;
/// Which points are drawn where there are more.
const SEED: u64 = 0x706f_696e_7473;

/// An index expression.
pub(crate) enum Expr {
    Var(u32),
    Int(BigInt),
    /// An operator between operands, of which the left ones are taken first.
    Op(u8, Vec<Expr>),
}

/// The bounds of a variable, both included.
type Range = (Option<BigInt>, Option<BigInt>);

/// Values of variables.
type Point = Vec<(u32, BigInt)>;

/// What is to be simplified.
pub(crate) struct Task {
    truncates: bool,
    expr: Expr,
    ranges: Vec<Range>,
}

fn signed(value: &Value) -> Result<BigInt> {
    let n = read_int(value).ok_or(Refusal("parse"))?;
    if i64::try_from(&n).is_ok() { Ok(n) } else { Err(Refusal("overflow")) }
}

impl Expr {
    /// Reads an expression, which may be nested so deep and have so many nodes left, with integers that `int` takes.
    fn read(value: &Value, deeper: usize, left: &mut usize, int: fn(&Value) -> Result<BigInt>) -> Result<Self> {
        let spend = |left: &mut usize| left.checked_sub(1).map(|rest| *left = rest).ok_or(Refusal("too_large"));
        spend(left)?;
        let Value::Array(list) = value else { return int(value).map(Self::Int) };
        let deeper = deeper.checked_sub(1).ok_or(Refusal("too_large"))?;
        match list.split_first() {
            Some((Value::String(x), [number])) if x == "x" => match read_int(number).ok_or(Refusal("parse"))? {
                n if n < BigInt::ZERO => Err(Refusal("out_of_domain")),
                n => u32::try_from(&n).map(Self::Var).map_err(|_| Refusal("overflow")),
            },
            Some((Value::String(operator), operands)) => {
                let many = matches!(operator.as_str(), "+" | "*") && operands.len() >= 2;
                if !(many || matches!(operator.as_str(), "/" | "%") && operands.len() == 2) {
                    return Err(Refusal("parse"));
                }
                let mut read = Vec::new();
                for (place, operand) in operands.iter().enumerate() {
                    // the list itself stands for the first two
                    if place >= 2 {
                        spend(left)?;
                    }
                    read.push(Self::read(operand, deeper, left, int)?);
                }
                Ok(Self::Op(operator.as_bytes()[0], read))
            }
            _ => Err(Refusal("parse")),
        }
    }

    /// An answer: numbers of any size, nested as it comes.
    pub(crate) fn answer(value: &Value) -> Option<Self> {
        Self::read(value, 1 << 7, &mut { ANSWER_NODES }, |value| read_int(value).ok_or(Refusal("parse"))).ok()
    }

    /// Variables, literals and operators, an operator as often as it stands between two operands.
    fn nodes(&self) -> usize {
        match self {
            Self::Var(_) | Self::Int(_) => 1,
            Self::Op(_, operands) => operands.iter().map(|operand| operand.nodes() + 1).sum::<usize>() - 1,
        }
    }

    /// Whether an operator stands between two literals.
    pub(crate) fn is_uncomputed(&self) -> bool {
        let Self::Op(_, operands) = self else { return false };
        let literal = |operand: &Self| matches!(operand, Self::Int(_));
        operands.iter().take(2).all(literal) || operands.iter().any(Self::is_uncomputed)
    }

    fn variables(&self, found: &mut Vec<u32>) {
        match self {
            Self::Var(x) if !found.contains(x) => found.push(*x),
            Self::Op(_, operands) => operands.iter().for_each(|operand| operand.variables(found)),
            _ => {}
        }
    }

    /// The value; by 0, a quotient is 0 and a remainder the dividend.
    fn value(&self, truncates: bool, at: &[(u32, BigInt)]) -> BigInt {
        let (operator, operands) = match self {
            Self::Var(x) => return at.iter().find(|(y, _)| x == y).map_or(BigInt::ZERO, |(_, n)| n.clone()),
            Self::Int(n) => return n.clone(),
            Self::Op(operator, operands) => (operator, operands),
        };
        let values = operands.iter().map(|operand| operand.value(truncates, at));
        let both = |a: BigInt, b: BigInt| match operator {
            b'+' => a + b,
            b'*' => a * b,
            b'/' if b == BigInt::ZERO => BigInt::ZERO,
            _ if b == BigInt::ZERO => a,
            b'/' if truncates => a / b,
            _ if truncates => a % b,
            // what is left is never negative
            operator => {
                let size = BigInt::from(b.magnitude().clone());
                let rest = ((&a % &size) + &size) % &size;
                if *operator == b'/' { (a - rest) / b } else { rest }
            }
        };
        values.reduce(both).unwrap_or_default()
    }

    /// No number on the way has more bits than this.
    fn bits(&self, ranges: &[Range]) -> u64 {
        match self {
            Self::Int(n) => n.bits() + 1,
            Self::Var(x) => {
                let (lo, hi) = usize::try_from(*x).ok().and_then(|x| ranges.get(x)).cloned().unwrap_or_default();
                1 + lo.into_iter().chain(hi).map(|end| end.bits()).max().unwrap_or(0)
            }
            Self::Op(_, operands) => operands.iter().map(|operand| operand.bits(ranges)).sum(),
        }
    }
}

impl Task {
    /// Reads the arguments; or everything that is wrong with them. Text is not read.
    pub(crate) fn read(args: &[Value]) -> std::result::Result<Option<Self>, Vec<&'static str>> {
        let (kind, expr, ranges) = match args {
            [kind, expr] => (kind, expr, None),
            [kind, expr, ranges] => (kind, expr, Some(ranges)),
            _ => return Err(vec!["arity"]),
        };
        let mut faults = vec![];
        if !matches!(kind.as_str(), Some("euclid" | "trunc")) {
            faults.push("parse");
        }
        let mut all = vec![];
        match ranges {
            None => {}
            Some(Value::Array(list)) => {
                for range in list {
                    match read_range(range) {
                        Ok(range) => all.push(range),
                        Err(Refusal(code)) => faults.push(code),
                    }
                }
            }
            Some(_) => faults.push("parse"),
        }
        match Expr::read(expr, MAX_NESTED, &mut { MAX_NODES }, signed) {
            _ if expr.is_string() => return if faults.is_empty() { Ok(None) } else { Err(faults) },
            Err(Refusal(code)) => faults.push(code),
            Ok(expr) if faults.is_empty() => {
                return Ok(Some(Self { truncates: kind.as_str() == Some("trunc"), expr, ranges: all }));
            }
            Ok(_) => {}
        }
        Err(faults)
    }

    /// Whether no number that is met has more than 64 bits, so that there is nothing to refuse.
    pub(crate) fn is_small(&self) -> bool {
        self.expr.bits(&self.ranges) <= 60
    }

    /// Whether the answer has more nodes than the expression.
    pub(crate) fn is_longer_in(&self, answer: &Expr) -> bool {
        answer.nodes() > self.expr.nodes()
    }

    /// A point within the ranges at which an answer has another value: the point, the value, and the other one.
    pub(crate) fn differs(&self, answer: &Expr) -> Option<(Point, BigInt, BigInt)> {
        let mut variables = vec![];
        self.expr.variables(&mut variables);
        answer.variables(&mut variables);
        let values: Vec<(u32, Vec<BigInt>)> = variables.into_iter().map(|x| (x, self.values(x))).collect();
        let points = values.iter().fold(1_usize, |n, (_, values)| n.saturating_mul(values.len()));
        let mut drawn = Rng::new(SEED);
        (0..points.min(POINTS)).find_map(|mut number| {
            let at: Point = values
                .iter()
                .map(|(x, values)| {
                    // every point in turn where they are few
                    if points <= POINTS {
                        let value = values[number % values.len()].clone();
                        number /= values.len();
                        (*x, value)
                    } else {
                        (*x, drawn.pick(values).clone())
                    }
                })
                .collect();
            let (value, other) = (self.expr.value(self.truncates, &at), answer.value(self.truncates, &at));
            (value != other).then_some((at, value, other))
        })
    }

    /// Values of a variable: all of a short range, else those about its ends and about 0.
    fn values(&self, variable: u32) -> Vec<BigInt> {
        let range = usize::try_from(variable).ok().and_then(|x| self.ranges.get(x)).cloned().unwrap_or_default();
        let about: Vec<BigInt> = match &range {
            (Some(lo), Some(hi)) => vec![lo + 4, hi - 4, (lo + hi) / 2],
            (Some(end), None) => vec![end + 4, end + 100],
            (None, Some(end)) => vec![end - 4, end - 100],
            (None, None) => vec![BigInt::ZERO, 100.into(), (-100).into()],
        };
        let inside =
            |n: &BigInt| range.0.as_ref().is_none_or(|lo| lo <= n) && range.1.as_ref().is_none_or(|hi| n <= hi);
        let mut values: Vec<BigInt> =
            about.iter().flat_map(|n| (-5..=5).map(move |by| n + by)).filter(inside).collect();
        values.sort_by_key(|n| (n.magnitude().clone(), n.clone()));
        values.dedup();
        values
    }
}

fn read_range(value: &Value) -> Result<Range> {
    let bound = |value: &Value| if value.is_null() { Ok(None) } else { signed(value).map(Some) };
    match value {
        Value::Null => Ok((None, None)),
        Value::Array(ends) => match ends.as_slice() {
            [lo, hi] => match (bound(lo)?, bound(hi)?) {
                (Some(lo), Some(hi)) if lo > hi => Err(Refusal("out_of_domain")),
                range => Ok(range),
            },
            _ => Err(Refusal("parse")),
        },
        _ => Err(Refusal("parse")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(kind: &str, expr: Value, ranges: Value) -> Task {
        Task::read(&[json!(kind), expr, ranges]).ok().flatten().unwrap()
    }

    #[test]
    fn values_are_those_of_the_division() {
        let quotient = || json!(["/", ["x", 0], 2]);
        let remainder = || json!(["%", ["x", 0], 2]);
        for (kind, of, at, expected) in [
            ("euclid", quotient(), -3, -2),
            ("trunc", quotient(), -3, -1),
            ("euclid", remainder(), -3, 1),
            ("trunc", remainder(), -3, -1),
            ("trunc", json!(["/", 7, 0]), 0, 0),
            ("euclid", json!(["%", 7, 0]), 0, 7),
            ("euclid", json!(["/", ["x", 0], -2]), -3, 2),
        ] {
            let task = task(kind, of, json!([]));
            assert_eq!(task.expr.value(task.truncates, &[(0, at.into())]), expected.into());
        }
    }

    #[test]
    fn another_value_is_found() {
        let task = task("trunc", json!(["%", ["+", ["*", ["x", 0], 4], ["x", 1]], 4]), json!([null, [0, 9]]));
        assert!(task.differs(&Expr::answer(&json!(["%", ["x", 1], 4])).unwrap()).is_some());
        assert!(task.differs(&Expr::answer(&json!(["%", ["+", ["x", 1], ["*", 4, ["x", 0]]], 4])).unwrap()).is_none());
    }

    /// No variable may be left out, in whatever order its values come.
    #[test]
    fn each_variable_takes_all_its_values() {
        let sum = |variables: &[u32]| {
            let terms = variables.iter().map(|x| json!(["x", x]));
            std::iter::once(json!("+")).chain(terms).collect::<Value>()
        };
        let task = task("euclid", sum(&[0, 1, 2]), json!([[0, 2], [0, null]]));
        for kept in [&[0, 1][..], &[0, 2], &[1, 2]] {
            assert!(task.differs(&Expr::answer(&sum(kept)).unwrap()).is_some(), "{kept:?}");
        }
        assert!(task.differs(&Expr::answer(&sum(&[2, 1, 0])).unwrap()).is_none());
    }

    /// As many nodes as the library counts: of n operands, n and the n - 1 operators between them.
    #[test]
    fn long_expressions_are_refused() {
        let zeros = |n: usize| std::iter::once(json!("+")).chain(vec![json!(0); n]).collect::<Value>();
        let faults = |expr: Value| Task::read(&[json!("euclid"), expr]).err();
        assert_eq!(faults(zeros(512)), None);
        assert_eq!(faults(zeros(513)), Some(vec!["too_large"]));
        assert_eq!(faults(json!(["*", zeros(512), 1])), Some(vec!["too_large"]));
        assert_eq!(faults(zeros(1_000_000)), Some(vec!["too_large"]));
        assert!(Expr::answer(&zeros(ANSWER_NODES / 2)).is_some());
        assert!(Expr::answer(&zeros(ANSWER_NODES / 2 + 1)).is_none());
        // a peer's answer of any length is judged, and ends nobody
        let task = task("euclid", json!(0), json!([]));
        assert!(task.differs(&Expr::answer(&zeros(4_000)).unwrap()).is_none());
        assert!(Expr::answer(&zeros(1_000_000)).is_none());
    }
}
