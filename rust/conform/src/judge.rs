//! Whether an answer is right.

use crate::model::{Expected, Layout, expected};
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

/// What became of one request.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// the answer that the definition gives
    Right,
    /// refused, and the definition refuses too
    RefusedRightly,
    /// an answer that the definition contradicts
    Wrong(String),
    /// refused although an answer exists
    RefusedThoughExists(String),
    /// answered although the definition refuses
    AcceptedWrongly(String),
    /// too large to judge by enumeration
    Unjudged,
}

impl Verdict {
    /// Nothing to complain about.
    pub fn is_fine(&self) -> bool {
        matches!(self, Verdict::Right | Verdict::RefusedRightly | Verdict::Unjudged)
    }
}

/// Judges an answer by the definition. Codes of refusals are compared too when `codes` is set: they are part of our own
/// protocol, not of other libraries' contracts.
pub fn judge(request: &Value, answer: &Value, codes: bool) -> Verdict {
    let no_args = Vec::new();
    let op = request.get("op").and_then(Value::as_str).unwrap_or_default();
    let args = request.get("args").and_then(Value::as_array).unwrap_or(&no_args);
    if request.get("id") != answer.get("id") && codes {
        return Verdict::Wrong(format!("the id is {:?}", answer.get("id")));
    }
    let result = answer.get("result");
    let error = answer.get("error");
    match (expected(op, args), result, error) {
        (_, None, None) => Verdict::Wrong("neither a result nor an error".into()),
        (_, Some(_), Some(_)) => Verdict::Wrong("both a result and an error".into()),
        (Expected::Unjudged, Some(result), _) => check_witness(op, args, answer, result).unwrap_or(Verdict::Unjudged),
        (Expected::Unjudged, None, _) => Verdict::Unjudged,
        (Expected::Value(value), Some(result), _) => {
            if same(&value, result) {
                check_witness(op, args, answer, result).unwrap_or(Verdict::Right)
            } else {
                Verdict::Wrong(format!("expected {value}, got {result}"))
            }
        }
        (Expected::Value(value), None, Some(error)) => {
            Verdict::RefusedThoughExists(format!("expected {value}, got {error}"))
        }
        (Expected::Refused(code), Some(result), _) => {
            Verdict::AcceptedWrongly(format!("expected the refusal {code}, got {result}"))
        }
        (Expected::Refused(code), None, Some(error)) => {
            if codes && error.get("code").and_then(Value::as_str) != Some(code) {
                Verdict::Wrong(format!("expected the refusal {code}, got {error}"))
            } else {
                Verdict::RefusedRightly
            }
        }
    }
}

/// A claimed collision must collide; a claimed injective layout must not carry one.
fn check_witness(op: &str, args: &[Value], answer: &Value, result: &Value) -> Option<Verdict> {
    if op != "is_injective" {
        return None;
    }
    let witness = answer.get("collision")?;
    if witness.is_null() {
        return (result == &Value::Bool(false)).then(|| Verdict::Wrong("no collision is named".into()));
    }
    let layout = Layout::read(args.first()?).ok()?;
    let pair: Vec<BigInt> = witness.as_array()?.iter().filter_map(read_int).collect();
    let [i, j] = pair.as_slice() else { return Some(Verdict::Wrong(format!("{witness} is no pair of indices"))) };
    let size = layout.size();
    let zero = BigInt::from(0);
    let holds = i != j && *i >= zero && *j >= zero && *i < size && *j < size && layout.at(i) == layout.at(j);
    if !holds || result == &Value::Bool(true) {
        return Some(Verdict::Wrong(format!("{witness} is no collision")));
    }
    Some(Verdict::Right)
}

/// Equal, up to strides under extents of 1.
pub fn same(a: &Value, b: &Value) -> bool {
    normalized(a) == normalized(b)
}

fn normalized(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut()
        && let (Some(shape), Some(mut stride)) = (object.get("shape").cloned(), object.remove("stride"))
    {
        forget(&shape, &mut stride);
        object.insert("stride".into(), stride);
    }
    // slice_and_offset answers [shape, stride, offset]
    if let Some([shape, stride, _]) = value.as_array_mut().map(Vec::as_mut_slice)
        && shape.is_array()
        && stride.is_array()
    {
        forget(&shape.clone(), stride);
    }
    value
}

fn forget(shape: &Value, stride: &mut Value) {
    match (shape, stride) {
        (Value::Array(shapes), Value::Array(strides)) => {
            for (shape, stride) in shapes.iter().zip(strides) {
                forget(shape, stride);
            }
        }
        (shape, stride) => {
            if read_int(shape) == Some(BigInt::from(1)) && stride.is_number() {
                *stride = Value::from(0);
            }
        }
    }
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
    fn a_false_witness_is_wrong() {
        let request = json!({"id":1,"op":"is_injective","args":[{"shape":[2,2],"stride":[1,1]}]});
        assert_eq!(judge(&request, &json!({"id":1,"result":false,"collision":[1,2]}), true), Verdict::Right);
        assert!(!judge(&request, &json!({"id":1,"result":false,"collision":[0,2]}), true).is_fine());
    }
}
