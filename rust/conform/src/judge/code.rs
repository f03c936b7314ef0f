//! Index code: the text that was answered, run at every index.

use super::{Verdict, refused};
use crate::model::code::CodeRequest;
use crate::model::code::text::Code;
use crate::tree::{int_json, read_int};
use num_bigint::BigInt;
use serde_json::Value;

pub(super) fn judge(args: &[Value], result: Option<&Value>, error: Option<&Value>, codes: bool) -> Verdict {
    let asked = match CodeRequest::read(args) {
        Ok(asked) => asked,
        Err(faults) if result.is_none() => return refused(error, &faults, codes),
        Err(faults) => return Verdict::wrong("accepted", format!("this has to be refused: {}", faults.join(" or "))),
    };
    let Some(result) = result else {
        return if asked.overflows() {
            refused(error, &["overflow"], codes)
        } else {
            Verdict::RefusedThoughExists("no bit leaves 64 bits".into())
        };
    };
    fault(&asked, result).map_or(Verdict::Right, |(kind, text)| Verdict::wrong(kind, text))
}

fn fault(asked: &CodeRequest, result: &Value) -> Option<(&'static str, String)> {
    let Some(code) = result["code"].as_str().and_then(|text| Code::read(text, &asked.language)) else {
        return Some(("malformed", format!("the code is no function `offset` in {}", asked.language)));
    };
    for (index, offset) in asked.points() {
        match code.run(&index) {
            Ok(value) if value == offset => {}
            Ok(value) => {
                return Some(("value", format!("at {index} the offset is {offset}, the code computes {value}")));
            }
            Err(why) => return Some(("undefined", format!("at {index}: {why}"))),
        }
    }
    let number = |field: &str| read_int(&result[field]);
    let limit = |bits: &BigInt| BigInt::from(1) << u64::try_from(bits).unwrap_or(0);
    if code.bits().is_some_and(|bits| number("bits") != Some(bits.into())) {
        return Some(("beside", "`bits` is not that of the code".into()));
    }
    if number("bits").is_none_or(|bits| asked.points().iter().any(|(c, o)| *c.max(o) >= limit(&bits))) {
        return Some(("beside", "`bits` does not hold every index and offset".into()));
    }
    let expression = match result["expression"].as_str() {
        Some(text) => code.returns(text),
        None => result["expression"].is_null() && code.has_statement(),
    };
    if !expression {
        return Some(("beside", "`expression` is not what the code returns".into()));
    }
    if number("operations") != Some(code.operators().into()) {
        return Some(("beside", format!("the code has {} operators", code.operators())));
    }
    if code.divides_by_a_power() {
        return Some(("beside", "the code divides by a power of two".into()));
    }
    if let Some(plain) = asked.plain_operations()
        && (number("plain_operations") != Some(plain.into()) || code.operators() > plain)
    {
        return Some(("beside", format!("the plain formula has {plain} operators, the code {}", code.operators())));
    }
    None
}

/// What is right, in words.
pub(super) fn right_answer(args: &[Value]) -> String {
    match CodeRequest::read(args) {
        Ok(asked) => format!("code with the offsets of the layout, in {}", asked.language),
        Err(faults) => format!("a refusal ({})", faults.join(" or ")),
    }
}

/// What answered index code computes at each index below `count`: numbers, or null where it has no value.
///
/// ```
/// use serde_json::json;
///
/// let code = "def offset(c):\n    return c // 2 + c";
/// assert_eq!(razorgirl_conform::judge::computed(code, "python", 4), Some(json!([0, 1, 3, 4])));
/// ```
pub fn computed(code: &str, language: &str, count: u32) -> Option<Value> {
    let code = Code::read(code, language)?;
    Some((0..count).map(|index| code.run(&index.into()).map_or(Value::Null, |value| int_json(&value))).collect())
}
