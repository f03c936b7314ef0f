//! Answers of other implementations: the function counts, not the normal form.

use super::{Verdict, complement, composition, inverse, tiling};
use crate::model::{Layout, Refusal};
use serde_json::Value;

/// Judges an answer (`None`: a refusal) to a request of the algebra.
pub(super) fn judge(op: &str, args: &[Value], result: Option<&Value>) -> Verdict {
    let verdict = match op {
        "composition" | "composition_complete" => composition::composition(args, result, false),
        "composition_extended" => composition::composition(args, result, true),
        "composition_by_mode" => composition::by_mode(args, result),
        "complement" | "complement_cotarget" => complement::complement(args, result, false),
        "complement_ceil" => complement::complement(args, result, true),
        "right_inverse" => inverse::right(args, result),
        "left_inverse" => inverse::left(args, result),
        "quasi_left_inverse" => inverse::quasi(args, result),
        "inverse" => inverse::both(args, result),
        "nullspace" => inverse::nullspace(args, result),
        "max_common_layout" => inverse::common_layout(args, result),
        "max_common_vector" => inverse::common_vector(args, result),
        _ => tiling::judge(op, args, result),
    };
    // operands that our protocol does not take: refusing them is right, and answers are not our business
    verdict.unwrap_or(if result.is_some() { Verdict::Unjudged } else { Verdict::RefusedRightly })
}

/// An operand.
pub(super) fn operand(args: &[Value], i: usize) -> Result<Layout, Refusal> {
    args.get(i).ok_or(Refusal("arity")).and_then(Layout::read)
}

/// A layout in an answer, of any size.
pub(super) fn answered(value: &Value) -> Result<Layout, Verdict> {
    Layout::read_any_size(value).map_err(|Refusal(code)| match code {
        "extent" => Verdict::wrong("extent 0", format!("{value} has an extent below 1")),
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
