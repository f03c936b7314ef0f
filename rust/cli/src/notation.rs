//! CuTe notation to the JSON of the protocol and back.

use razorgirl::{Coord, HTuple, IntTuple, Layout, Shape};
use serde_json::{Value, json};

/// A nested tuple as nested lists.
pub fn tuple_json<T: Copy + Default>(tuple: &HTuple<T>, leaf: &impl Fn(T) -> Value) -> Value {
    if tuple.is_leaf() {
        tuple.leaves().first().map_or(Value::Null, |&value| leaf(value))
    } else {
        Value::Array(tuple.modes().map(|mode| tuple_json(&mode, leaf)).collect())
    }
}

/// An argument in CuTe notation as JSON: a layout where there is a `:`, else a tuple with `_` as null.
pub fn argument(text: &str) -> razorgirl::Result<Value> {
    if text.contains(':') {
        let layout: Layout = text.parse()?;
        Ok(json!({"shape": ints(layout.shape().extents()), "stride": ints(&layout.stride())}))
    } else {
        let coord: Coord = text.parse()?;
        Ok(tuple_json(&coord, &|entry: Option<u64>| entry.map_or(Value::Null, Value::from)))
    }
}

fn ints(tuple: &IntTuple) -> Value {
    tuple_json(tuple, &|n: u64| Value::from(n))
}

/// A result in CuTe notation.
pub fn result(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(result).collect();
            format!("({})", items.join(","))
        }
        Value::Object(fields) => match (fields.get("shape"), fields.get("stride")) {
            (Some(shape), Some(stride)) => format!("{}:{}", result(shape), result(stride)),
            _ => value.to_string(),
        },
        other => other.to_string(),
    }
}

/// A coordinate of the layout's own nesting for a linear index below its size.
pub fn coordinate(shape: &Shape, index: u64) -> String {
    shape.idx2crd(index).map_or_else(|_| index.to_string(), |coord| coord.to_string())
}
