//! Simplified index expressions: at every point that is tried, the answer is worth what was asked about.

use super::{Verdict, refused};
use crate::model::simplify::{Expr, Task};
use serde_json::Value;

pub(super) fn judge(args: &[Value], result: Option<&Value>, error: Option<&Value>, codes: bool) -> Verdict {
    let task = match Task::read(args) {
        Ok(Some(task)) => task,
        Ok(None) => return Verdict::Unjudged,
        Err(faults) if result.is_none() => return refused(error, &faults, codes),
        Err(faults) => return Verdict::wrong("accepted", format!("this has to be refused: {}", faults.join(" or "))),
    };
    let Some(result) = result else {
        // what becomes too large on the way may be refused
        return if task.is_small() {
            Verdict::RefusedThoughExists("no number on the way is large".into())
        } else {
            refused(error, &["overflow", "too_large"], codes)
        };
    };
    let Some(answer) = Expr::answer(result) else {
        return Verdict::wrong("malformed", "the answer is no index expression");
    };
    match task.differs(&answer) {
        None if codes && task.is_longer_in(&answer) => {
            Verdict::wrong("longer", "the answer is longer than the expression")
        }
        None if codes && answer.is_uncomputed() => {
            Verdict::wrong("uncomputed", "an operator of the answer stands between two literals")
        }
        None => Verdict::Right,
        Some((at, value, other)) => {
            let at: Vec<String> = at.iter().map(|(x, n)| format!("x{x} = {n}")).collect();
            Verdict::wrong("value", format!("at {} the expression is {value}, the answer {other}", at.join(", ")))
        }
    }
}

/// What is right, in words.
pub(super) fn right_answer(args: &[Value]) -> String {
    match Task::read(args) {
        Ok(_) => "an expression of the same value".into(),
        Err(faults) => format!("a refusal ({})", faults.join(" or ")),
    }
}
