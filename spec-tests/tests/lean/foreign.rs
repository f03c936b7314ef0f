//! Arguments that are not what an operation takes: an unknown field, a value of another kind. Rust and Lean refuse the same ones, and
//! answer the others alike.

use crate::oracle_answers::{lean, rust, without_offset};
use razorgirl_conform::generate::foreign;
use razorgirl_protocol::{Kind, Op};
use serde_json::{Value, json};

/// One of so many is asked.
const EVERY: usize = 23;

/// Lean reads no text in isl's notation, no expressions and no schedules in words.
fn has_text(request: &Value) -> bool {
    let texts = [Kind::Relation, Kind::Expr, Kind::Schedule];
    let op = request["op"].as_str().and_then(Op::named);
    let takes = op.is_none_or(|op| {
        op.forms.iter().any(|form| form.parameters.iter().any(|parameter| texts.contains(&parameter.kind)))
    });
    takes && request["args"].as_array().is_none_or(|args| args.iter().any(Value::is_string))
}

pub fn requests() -> Vec<Value> {
    let asked = foreign().map(|case| case.request).filter(|request| !has_text(request)).step_by(EVERY);
    asked
        .enumerate()
        .map(|(id, mut request)| {
            request["id"] = json!(id);
            request
        })
        .collect()
}

#[test]
fn rust_and_lean_refuse_the_same() {
    let (mut answered, mut refused, mut wrong) = (0, 0, vec![]);
    for (request, lean) in lean("foreign") {
        let rust = rust(request);
        match (rust.get("result"), lean.get("result")) {
            (Some(a), Some(b)) if razorgirl_conform::judge::same(&without_offset(a), &without_offset(b)) => {
                answered += 1;
            }
            // the code of an index is in another language than Lean's list of offsets
            (Some(_), Some(_)) if request["op"] == "index_code" => answered += 1,
            (None, None) => refused += 1,
            _ => wrong.push(format!("request: {request}\nrust: {rust}\nlean: {lean}")),
        }
    }
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lean("foreign").len(), first.join("\n\n"));
    assert!(answered >= 20 && refused >= 500, "{answered} answered, {refused} refused");
}
