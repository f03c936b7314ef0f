//! Tuples of one mode, and of none.

use crate::judge::{self, Verdict, definition};
use razorgirl_protocol::{Form, Kind, Op};
use serde_json::{Value, json};

/// Arguments that are nested as a shape is.
pub(super) const NESTED: &[Kind] = &[
    Kind::Layout,
    Kind::ShapeOf,
    Kind::Modes,
    Kind::Shape,
    Kind::Strides,
    Kind::Numbers,
    Kind::Coord,
    Kind::Profile,
    Kind::Tiler,
];

/// Further ones that have tuples of modes.
const WITH_TUPLES: &[Kind] = &[Kind::Order, Kind::Swizzled, Kind::Coordinates, Kind::Written];

/// Those in which a tuple of one mode and that mode are two things.
const MEANT: &[Kind] = &[Kind::Coord, Kind::Profile, Kind::Tiler, Kind::Swizzled, Kind::Coordinates];

fn has_tuples(kind: Kind) -> bool {
    NESTED.contains(&kind) || WITH_TUPLES.contains(&kind)
}

/// Whether the request, or what the definition answers to it, has a tuple without modes.
pub(super) fn has_rank0(request: &Value) -> bool {
    let args = request.get("args").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let Some(form) = form(request, args.len()) else { return false };
    let is_tuple = |place: usize| form.parameter(place).is_some_and(|parameter| has_tuples(parameter.kind));
    let mut tuples = args.iter().enumerate().filter(|(place, _)| is_tuple(*place));
    tuples.clone().any(|(_, arg)| empty(arg))
        || tuples.next().is_some() && definition(request).is_some_and(|is| empty(&is))
}

fn empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(empty),
        Value::Object(fields) => fields.values().any(empty),
        _ => false,
    }
}

/// A verdict that is not wrong, if there is one for the answer nested as the definition nests it, or for the request
/// without its tuples of one mode.
pub(super) fn judge(request: &Value, answer: &Value, exact: bool) -> Option<Verdict> {
    let result = answer.get("result")?;
    let plain = unwrapped_request(request);
    for request in [request, &plain] {
        for like in [definition(request), Some(result.clone())].into_iter().flatten() {
            let answer = json!({"id": answer.get("id"), "result": rewrapped(&like, result)});
            let verdict = judge::judge(request, &answer, exact);
            if verdict.is_fine() {
                return Some(match verdict {
                    Verdict::Right => Verdict::Extended("one-mode tuples unwrapped"),
                    other => other,
                });
            }
        }
    }
    None
}

/// A tuple of one mode as that mode, at every level.
fn unwrapped(value: &Value) -> Value {
    match value {
        Value::Array(items) => match items.as_slice() {
            [item] => unwrapped(item),
            items => Value::Array(items.iter().map(unwrapped).collect()),
        },
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), unwrapped(field))).collect())
        }
        leaf => leaf.clone(),
    }
}

/// The request without its tuples of one mode; in a tiler and in a list these mean something.
pub(super) fn unwrapped_request(request: &Value) -> Value {
    let mut plain = request.clone();
    let Some(args) = plain.get_mut("args").and_then(Value::as_array_mut) else { return plain };
    let Some(form) = form(request, args.len()) else { return plain };
    for (place, arg) in args.iter_mut().enumerate() {
        let loose = |kind| has_tuples(kind) && !MEANT.contains(&kind);
        if form.parameter(place).is_some_and(|parameter| loose(parameter.kind)) {
            *arg = unwrapped(arg);
        }
    }
    plain
}

/// The list of arguments that a request means.
pub(super) fn form(request: &Value, count: usize) -> Option<&'static Form> {
    Op::named(super::op(request))?.forms.iter().find(|form| form.takes(count))
}

/// A value nested like another, as far as one-mode tuples go.
fn rewrapped(like: &Value, value: &Value) -> Value {
    match (like, value) {
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            Value::Array(wanted.iter().zip(items).map(|(like, item)| rewrapped(like, item)).collect())
        }
        (Value::Array(wanted), value) if wanted.len() == 1 => json!([rewrapped(&wanted[0], value)]),
        (like, Value::Array(items)) if items.len() == 1 => rewrapped(like, &items[0]),
        (Value::Object(wanted), Value::Object(fields)) => {
            let nested = fields.iter().map(|(name, field)| {
                (name.clone(), wanted.get(name).map_or_else(|| field.clone(), |like| rewrapped(like, field)))
            });
            Value::Object(nested.collect())
        }
        (_, other) => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nests_like_the_definition() {
        assert_eq!(rewrapped(&json!([[3], 2]), &json!([3, 2])), json!([[3], 2]));
        assert_eq!(rewrapped(&json!([3]), &json!([[3]])), json!([3]));
        assert_eq!(rewrapped(&json!(3), &json!([3])), json!(3));
        assert_eq!(rewrapped(&json!([3, 4]), &json!([3])), json!(3));
    }

    #[test]
    fn only_the_nesting_is_forgiven() {
        let request = json!({"id": 1, "op": "filter_zeros", "args": [{"shape": [[3]], "stride": [[2]]}]});
        let answer = |shape: Value, stride: Value| json!({"id": 1, "result": {"shape": shape, "stride": stride}});
        assert!(super::judge(&request, &answer(json!([3]), json!([2])), false).is_some());
        assert!(super::judge(&request, &answer(json!([3]), json!([1])), false).is_none());
        assert!(super::judge(&request, &answer(json!([3, 1]), json!([2, 0])), false).is_none());
    }
}
