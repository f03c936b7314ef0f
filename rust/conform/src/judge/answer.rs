//! Operands, answers and refusals as the judges of peers read them.

use super::Verdict;
use crate::model::{Layout, Refusal};
use serde_json::Value;

/// An operand.
pub(super) fn operand(args: &[Value], i: usize) -> Result<Layout, Refusal> {
    args.get(i).ok_or(Refusal("arity")).and_then(Layout::read)
}

/// A layout in an answer, of any size.
pub(super) fn answered(value: &Value) -> Result<Layout, Verdict> {
    Layout::read_any_size(value).map_err(|Refusal(code)| match code {
        "extent" => Verdict::wrong("extent 0", format!("{value} has no coordinates")),
        "stride" => Verdict::wrong("negative stride", format!("{value} has a stride below 0")),
        _ => Verdict::wrong("malformed", format!("{value} is no layout")),
    })
}

/// What a refusal is worth: `exists` shows an answer if there is one, and `None` if that is unknown.
#[allow(clippy::option_option, reason = "nothing is known, nothing exists, and something exists are three things")]
pub(super) fn refusal<T: std::fmt::Display>(exists: Option<Option<T>>) -> Verdict {
    match exists {
        Some(Some(answer)) => Verdict::RefusedThoughExists(format!("{answer} exists")),
        Some(None) => Verdict::RefusedRightly,
        None => Verdict::Unjudged,
    }
}
