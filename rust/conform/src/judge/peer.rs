//! Answers of other implementations: the function counts, not the normal form.

use super::{Verdict, complement, composition, inverse, tiles};
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
        _ => tiles::judge(op, args, result),
    };
    // operands that our protocol does not take: refusing them is right, and answers are not our business
    verdict.unwrap_or(if result.is_some() { Verdict::Unjudged } else { Verdict::RefusedRightly })
}
