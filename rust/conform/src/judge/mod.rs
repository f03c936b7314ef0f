//! Whether an answer is right.

mod answer;
mod code;
mod complement;
mod composition;
mod cute;
mod divide;
mod fair;
mod inverse;
mod pairs;
mod peer;
mod product;
mod relation;
mod same;
mod schedule;
mod simplify;
mod tiles;
mod verdict;

pub use code::computed;
pub use fair::{Excuse, excuse};
pub use same::same;
pub use verdict::{Verdict, Wrong};

use crate::model::code::NAME as INDEX_CODE;
use crate::model::coordinates::is_written;
use crate::model::linear::bank::{self, Suggested};
use crate::model::tma::tile_faults;
use crate::model::{Expected, Layout, category, composes, expected, faults, recast, witness};
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

/// The operation whose answer is an expression, of which only the values count.
const SIMPLIFY: &str = "simplify";

/// Judges an answer by the definition.
///
/// With `codes` it must be the answer of our own protocol: the normal form, the codes of the refusals, and nothing beyond
/// the domain. Without, a peer is held to the function that its answer denotes, and to its own documented contract where
/// that reaches further than ours.
pub fn judge(request: &Value, answer: &Value, codes: bool) -> Verdict {
    let no_args = Vec::new();
    let op = request.get("op").and_then(Value::as_str).unwrap_or_default();
    let args = request.get("args").and_then(Value::as_array).unwrap_or(&no_args);
    let mode = request.get("mode").and_then(Value::as_str);
    let complete = mode == Some("complete");
    let op = meant(op, mode, args);
    if request.get("id") != answer.get("id") && codes {
        return Verdict::wrong("id", format!("the id is {:?}", answer.get("id")));
    }
    let result = answer.get("result");
    let error = answer.get("error");
    match (result, error) {
        (None, None) => return Verdict::wrong("malformed", "neither a result nor an error"),
        (Some(_), Some(_)) => return Verdict::wrong("malformed", "both a result and an error"),
        _ => {}
    }
    if op == SIMPLIFY {
        return simplify::judge(args, result, error, codes);
    }
    if op == INDEX_CODE {
        return code::judge(args, result, error, codes);
    }
    if !codes && composes(op) {
        return peer::judge(op, args, result);
    }
    if let Some(result) = result
        && !codes
        && let Some(verdict) = relation::judge(op, args, result)
    {
        return verdict;
    }
    if let Some(result) = result
        && !codes
        && !is_expected(op, args, complete, result)
        && let Some(rule) = cute::documented(op, args, result)
    {
        return Verdict::Extended(rule);
    }
    if let Some(result) = result
        && recast::same_bits(op, args, result) == Some(false)
    {
        return Verdict::wrong("bits", recast::bits_differ(op, args, result));
    }
    if op == "optimal_swizzle" && expected(op, args, complete) == Expected::Unjudged {
        let exists = "memory without conflicts exists for every two patterns";
        return match result.map(|result| bank::suggested(args, result)) {
            None => Verdict::RefusedThoughExists(exists.into()),
            Some(Suggested::Holds) => Verdict::Right,
            Some(Suggested::Differs(differs)) => Verdict::wrong("memory", differs),
            Some(Suggested::Unknown) => Verdict::Unjudged,
        };
    }
    if let Some(verdict) = schedule::judge(op, args, answer, codes) {
        return verdict;
    }
    // any pair of tiles at one place may be named
    if op == "tma_tile_fault"
        && let Some(several) = tile_faults(args).filter(|several| several.len() > 1)
    {
        return match result {
            None => Verdict::RefusedThoughExists(format!("the answer is {}", several[0])),
            Some(result) if several.iter().any(|fault| same(fault, result)) => Verdict::Right,
            Some(_) => Verdict::wrong("value", format!("the answer is {}", several[0])),
        };
    }
    if let Some(result) = result
        && expected(op, args, complete) == Expected::Unjudged
        && let Some(verdict) = category::several(op, args, result)
    {
        return verdict;
    }
    if op == "left_inverse"
        && complete
        && let Some(Ok(layout)) = args.first().map(Layout::read)
    {
        return inverse::complete_left(&layout, result);
    }
    match (expected(op, args, complete), result, error) {
        (Expected::With(value, fields), Some(result), _) => {
            if !same(&value, result) {
                return Verdict::wrong("value", format!("the answer is {value}"));
            }
            let differs =
                |(name, field): &&(&'static str, Value)| answer.get(name).is_none_or(|found| !same(field, found));
            match fields.iter().find(differs) {
                Some((name, field)) => Verdict::wrong("beside", format!("{name} is {field}")),
                None => Verdict::Right,
            }
        }
        (Expected::Exactly(value), Some(result), _) if value == *result => Verdict::Right,
        (Expected::Exactly(value), Some(_), _) => Verdict::wrong("value", format!("the answer is {value}")),
        (Expected::Unjudged, None, _) if category::has(op) => Verdict::RefusedThoughExists("there is one".to_owned()),
        (Expected::Unjudged, Some(result), _) => check_witness(op, args, answer, result).unwrap_or(Verdict::Unjudged),
        (Expected::Unjudged, None, _) => Verdict::Unjudged,
        (Expected::Value(value), Some(result), _) => {
            if same(&value, result) {
                check_witness(op, args, answer, result).unwrap_or(Verdict::Right)
            } else {
                fair::differs(op, args, &value, result)
            }
        }
        (Expected::Value(value) | Expected::Exactly(value) | Expected::With(value, _), None, _) => {
            Verdict::RefusedThoughExists(format!("the answer is {value}"))
        }
        // what lies outside our domain may lie inside a peer's
        (Expected::Refused(code), Some(_), _) if !codes && OUTSIDE.contains(&code) => Verdict::Unjudged,
        (Expected::Refused(code), Some(result), _) => fair::accepted(op, args, result, &[code]),
        (Expected::RefusedAs(all), Some(result), _) => fair::accepted(op, args, result, all),
        (Expected::Refused(code), None, error) => {
            let told = error.and_then(|error| error.get("witness"));
            match (codes && shows(error)).then(|| witness::fault(op, args, complete, told)).flatten() {
                Some(fault) => Verdict::wrong("witness", fault),
                None => refused(error, &faults(op, args, code), codes),
            }
        }
        (Expected::RefusedAs(all), None, error) => {
            let told = error.and_then(|error| error.get("witness"));
            if let Some(fault) = (codes && shows(error)).then(|| witness::fault(op, args, complete, told)).flatten() {
                return Verdict::wrong("witness", fault);
            }
            let more = all.first().map_or(Vec::new(), |code| faults(op, args, code));
            refused(error, &[all, &more].concat(), codes)
        }
    }
}

/// Whether a refusal speaks of operands: arguments that are too many show nothing.
fn shows(error: Option<&Value>) -> bool {
    error.is_none_or(|error| error["code"] != "arity" || error.get("witness").is_some())
}

fn is_expected(op: &str, args: &[Value], complete: bool, result: &Value) -> bool {
    matches!(expected(op, args, complete), Expected::Value(value) | Expected::With(value, _) if same(&value, result))
}

/// What the definition answers to a request, if that is a value.
pub(crate) fn definition(request: &Value) -> Option<Value> {
    let args = request.get("args").and_then(Value::as_array)?;
    let op = request.get("op").and_then(Value::as_str)?;
    match expected(meant(op, request.get("mode").and_then(Value::as_str), args), args, true) {
        Expected::Value(value) | Expected::Exactly(value) | Expected::With(value, _) => Some(value),
        _ => None,
    }
}

/// Whether there is a definition to judge an operation by.
pub fn knows(op: &str) -> bool {
    op == SIMPLIFY || op == INDEX_CODE || expected(op, &[], false) != Expected::Refused("unknown_op")
}

/// The operation as the model names it: by its mode, and by the kind of the layouts that it is about.
fn meant<'a>(op: &'a str, mode: Option<&str>, args: &[Value]) -> &'a str {
    if mode.is_none_or(|mode| mode == "strict") {
        let swizzled = args.iter().any(|arg| arg.get("swizzle").is_some());
        let coordinates = !swizzled && args.iter().any(is_written);
        return match op {
            "call" if swizzled => "swizzled_call",
            "composition" if swizzled => "swizzled_composition",
            "eval" if swizzled => "swizzled_eval",
            "recast" if swizzled => "swizzled_recast",
            "call" if coordinates => "coord_call",
            "coalesce" if coordinates => "coord_coalesce",
            "composition" if coordinates => "coord_composition",
            "eval" if coordinates => "coord_eval",
            op => op,
        };
    }
    match (op, mode) {
        ("upcast", Some("containing")) => "upcast_containing",
        ("recast", Some("containing")) => "recast_containing",
        _ => op,
    }
}

/// What the definition answers, in words: a value, or the codes of a refusal.
pub fn right_answer(request: &Value) -> String {
    let no_args = Vec::new();
    let op = request.get("op").and_then(Value::as_str).unwrap_or_default();
    let args = request.get("args").and_then(Value::as_array).unwrap_or(&no_args);
    let op = meant(op, request.get("mode").and_then(Value::as_str), args);
    if op == SIMPLIFY {
        return simplify::right_answer(args);
    }
    if op == INDEX_CODE {
        return code::right_answer(args);
    }
    match expected(op, args, true) {
        Expected::Value(value) | Expected::Exactly(value) | Expected::With(value, _) => value.to_string(),
        Expected::Refused(code) => format!("a refusal ({code})"),
        Expected::RefusedAs(codes) => format!("a refusal ({})", codes.join(" or ")),
        Expected::Unjudged => "unknown".into(),
    }
}

/// Refusals that say where our domain ends, not that no answer exists.
const OUTSIDE: [&str; 6] = ["out_of_domain", "overflow", "extent", "stride", "incongruent", "too_large"];

fn refused(error: Option<&Value>, expected: &[&str], codes: bool) -> Verdict {
    let code = error.and_then(|error| error.get("code")).and_then(Value::as_str).unwrap_or_default();
    if codes && !expected.contains(&code) {
        Verdict::wrong("code", format!("the code is {}", expected.join(" or ")))
    } else {
        Verdict::RefusedRightly
    }
}

/// A claimed collision must collide; a claimed injective layout must not carry one.
fn check_witness(op: &str, args: &[Value], answer: &Value, result: &Value) -> Option<Verdict> {
    if op != "is_injective" {
        return None;
    }
    let witness = answer.get("collision")?;
    if witness.is_null() {
        return (result == &Value::Bool(false)).then(|| Verdict::wrong("collision", "no collision is named"));
    }
    let layout = Layout::read(args.first()?).ok()?;
    let pair: Vec<BigInt> = witness.as_array()?.iter().filter_map(read_int).collect();
    let [i, j] = pair.as_slice() else {
        return Some(Verdict::wrong("collision", format!("{witness} is no pair of indices")));
    };
    let size = layout.size();
    let zero = BigInt::from(0);
    let holds = i != j && *i >= zero && *j >= zero && *i < size && *j < size && layout.at(i) == layout.at(j);
    if !holds || result == &Value::Bool(true) {
        return Some(Verdict::wrong("collision", format!("{witness} is no collision")));
    }
    Some(Verdict::Right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strides_under_extent_one_do_not_matter() {
        assert!(same(&json!({"shape":[1,[2,1]],"stride":[7,[1,9]]}), &json!({"shape":[1,[2,1]],"stride":[0,[1,0]]})));
        assert!(!same(&json!({"shape":[1,2],"stride":[7,1]}), &json!({"shape":[1,2],"stride":[7,2]})));
    }

    #[test]
    fn a_wrong_answer_is_wrong() {
        let request = json!({"id":1,"op":"coalesce","args":[{"shape":[2,4],"stride":[1,2]}]});
        let right = json!({"id":1,"result":{"shape":8,"stride":1}});
        let wrong = json!({"id":1,"result":{"shape":[2,4],"stride":[1,2]}});
        let refused = json!({"id":1,"error":{"code":"overflow","message":"","help":[]}});
        assert_eq!(judge(&request, &right, true), Verdict::Right);
        assert!(matches!(judge(&request, &wrong, true), Verdict::Wrong(_)));
        assert!(matches!(judge(&request, &refused, true), Verdict::RefusedThoughExists(_)));
    }

    #[test]
    fn memory_that_exists_is_not_refused() {
        let lanes = json!({"in":[["lane",[[1],[2]]]],"out":[["x",4]]});
        let refused = json!({"id":1,"error":{"code":"too_large","message":"","help":[]}});
        let request = |bits: u64| json!({"id":1,"op":"optimal_swizzle","args":[lanes,lanes,bits]});
        assert!(matches!(judge(&request(32), &refused, true), Verdict::RefusedThoughExists(_)));
        assert!(!judge(&request(32), &json!({"id":1,"result":null}), true).is_fine());
        let refused = json!({"id":1,"error":{"code":"out_of_domain","message":"","help":[]}});
        assert_eq!(judge(&request(12), &refused, true), Verdict::RefusedRightly);
    }

    #[test]
    fn a_refusal_without_its_witness_is_wrong() {
        let request = json!({"id":1,"op":"find_layout_over","args":[4,[0,1,1,0]]});
        let refused = |witness| json!({"id":1,"error":{"code":"no_layout","message":"","help":[],"witness":witness}});
        let right = json!({"axis":0,"index":3});
        assert_eq!(judge(&request, &refused(right), true), Verdict::RefusedRightly);
        for wrong in [json!({"axis":0,"index":2}), json!({"axis":1,"index":3}), json!(null), json!({"coordinate":3})] {
            assert!(!judge(&request, &refused(wrong), true).is_fine());
        }
    }

    #[test]
    fn a_false_witness_is_wrong() {
        let request = json!({"id":1,"op":"is_injective","args":[{"shape":[2,2],"stride":[1,1]}]});
        assert_eq!(judge(&request, &json!({"id":1,"result":false,"collision":[1,2]}), true), Verdict::Right);
        assert!(!judge(&request, &json!({"id":1,"result":false,"collision":[0,2]}), true).is_fine());
    }
}
