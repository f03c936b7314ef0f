//! Peers whose last mode is the fastest: every tuple of modes is reversed on its way, at every level.
//!
//! What an operation makes of a layout and puts side by side, (tile, rest) or (block, copies), keeps its order; so do lists
//! that are no tuples of modes. Operations that count modes from one end, or pad and drop them there, mean something else
//! to such a peer: these are not asked.

use super::unwrap::{NESTED, form};
use razorgirl_protocol::Kind;
use serde_json::{Value, json};

/// Operations that mean the same in either order.
const MIRRORED: &[&str] = &[
    "call",
    "ceil_div",
    "coalesce",
    "compatible",
    "complement",
    "complement_ceil",
    "composition",
    "composition_by_mode",
    "composition_extended",
    "congruent",
    "coshape",
    "cosize",
    "crd2crd",
    "crd2idx",
    "depth",
    "downcast",
    "eval",
    "filter",
    "filter_zeros",
    "flatten",
    "idx2crd",
    "inverse",
    "is_contiguous",
    "is_injective",
    "left_inverse",
    "make_layout",
    "make_layout_like",
    "max_common_layout",
    "max_common_vector",
    "nullspace",
    "quasi_left_inverse",
    "rank",
    "recast",
    "right_inverse",
    "shape_div",
    "size",
    "slice_and_offset",
    "upcast",
    "weakly_congruent",
    "with_shape",
];

/// Operations that put two parts of a layout side by side.
const PAIRED: &[&str] = &["logical_divide", "logical_product", "zipped_divide", "zipped_product"];

fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().rev().map(reversed).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), reversed(field))).collect())
        }
        leaf => leaf.clone(),
    }
}

/// Whether a guide has a mode for each mode of what it guides: otherwise the modes left over are at another end.
fn aligned(guide: &Value, shape: &Value) -> bool {
    let shape = shape.get("shape").unwrap_or(shape);
    match (guide, shape) {
        (Value::Array(guides), Value::Array(modes)) => {
            guides.len() == modes.len() && guides.iter().zip(modes).all(|(guide, mode)| aligned(guide, mode))
        }
        (Value::Array(guides), _) => guides.len() == 1,
        _ => true,
    }
}

/// The request as such a peer means it; nothing where it means something else.
pub(super) fn outgoing(request: &Value) -> Option<Value> {
    let op = super::op(request);
    if !MIRRORED.contains(&op) && !PAIRED.contains(&op) {
        return None;
    }
    let args = request.get("args").and_then(Value::as_array)?;
    let form = form(request, args.len())?;
    let mut sent = Vec::with_capacity(args.len());
    for (place, arg) in args.iter().enumerate() {
        let kind = form.parameter(place)?.kind;
        let divides = place == 1 && matches!(op, "ceil_div" | "shape_div" | "with_shape");
        if (matches!(kind, Kind::Profile | Kind::Tiler) || divides) && !aligned(arg, args.first()?) {
            return None;
        }
        sent.push(if NESTED.contains(&kind) { reversed(arg) } else { arg.clone() });
    }
    if op == "make_layout" {
        sent.reverse();
    }
    let mut translated = request.clone();
    translated["args"] = Value::Array(sent);
    Some(translated)
}

/// The answer of such a peer in our order.
pub(super) fn incoming(request: &Value, mut answer: Value) -> Value {
    let op = super::op(request);
    let Some(result) = answer.get("result") else { return answer };
    let ours = match op {
        // in linear order, which is that of the peer
        "eval" => result.clone(),
        "slice_and_offset" => {
            result.as_array().map_or_else(|| result.clone(), |all| all.iter().map(reversed).collect())
        }
        op if PAIRED.contains(&op) => {
            let tiler = &request["args"][1];
            let parts = |value: &Value| if op.starts_with("zipped") { pair(value) } else { pairs(value, tiler) };
            match (result.get("shape"), result.get("stride")) {
                (Some(shape), Some(stride)) => json!({"shape": parts(shape), "stride": parts(stride)}),
                _ => result.clone(),
            }
        }
        _ => reversed(result),
    };
    answer["result"] = ours;
    answer
}

/// The two parts, each reversed.
fn pair(value: &Value) -> Value {
    match value.as_array().map(Vec::as_slice) {
        Some([first, second]) => json!([reversed(first), reversed(second)]),
        _ => reversed(value),
    }
}

/// Two parts for each layout of a tiler, which is in our order.
fn pairs(value: &Value, tiler: &Value) -> Value {
    match (tiler, value) {
        (Value::Array(tilers), Value::Array(items)) if tilers.len() == items.len() => {
            items.iter().rev().zip(tilers).map(|(item, tiler)| pairs(item, tiler)).collect()
        }
        // a tuple of one mode has become that mode
        (Value::Array(tilers), value) if tilers.len() == 1 => pairs(value, &tilers[0]),
        (Value::Array(_) | Value::Null, value) => reversed(value),
        (_, value) => pair(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use razorgirl_protocol::Op;

    #[test]
    fn names_are_operations() {
        for name in MIRRORED.iter().chain(PAIRED) {
            assert!(Op::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn both_ways() {
        let request = json!({"id": 1, "op": "logical_divide", "args": [
            {"shape": [4, [2, 3]], "stride": [1, [4, 8]]}, [2, {"shape": 3, "stride": 2}]]});
        let sent = outgoing(&request).expect("as many modes");
        assert_eq!(sent["args"][0]["shape"], json!([[3, 2], 4]));
        assert_eq!(sent["args"][1], json!([{"shape": 3, "stride": 2}, 2]));
        let answer =
            json!({"id": 1, "result": {"shape": [[[5, 3], 7], [2, [4, 6]]], "stride": [[[1, 1], 1], [1, [1, 1]]]}});
        assert_eq!(incoming(&request, answer)["result"]["shape"], json!([[2, [6, 4]], [[3, 5], 7]]));
        let fewer = json!({"id": 1, "op": "coalesce", "args": [{"shape": [4, 2], "stride": [1, 4]}, [0]]});
        assert_eq!(outgoing(&fewer), None);
        assert_eq!(outgoing(&json!({"id": 1, "op": "take", "args": [[4, 2], 0, 1]})), None);
    }
}
