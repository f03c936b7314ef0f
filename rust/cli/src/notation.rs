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

/// A layout as the protocol writes it.
pub fn layout_json(layout: &Layout) -> Value {
    json!({"shape": ints(layout.shape().extents()), "stride": ints(&layout.stride())})
}

fn ints(tuple: &IntTuple) -> Value {
    tuple_json(tuple, &|n: u64| Value::from(n))
}

/// An argument in CuTe notation as JSON: a layout where there is a `:` outside of brackets, a tiler where there is one within
/// (`<3:3,(2,4):(1,8)>`), else a tuple with `_` as null.
pub fn argument(text: &str) -> razorgirl::Result<Value> {
    let text = text.trim();
    let parts = split(text, ':');
    if parts.len() == 2 {
        return Ok(layout_json(&text.parse()?));
    }
    match inside(text) {
        Some(modes) if text.contains([':', '<']) => {
            split(modes, ',').into_iter().map(argument).collect::<razorgirl::Result<Vec<_>>>().map(Value::Array)
        }
        _ if text.contains(':') => Ok(layout_json(&text.parse()?)),
        _ => {
            let coord: Coord = text.parse()?;
            Ok(tuple_json(&coord, &|entry: Option<u64>| entry.map_or(Value::Null, Value::from)))
        }
    }
}

/// The text between the brackets that the whole text is in.
fn inside(text: &str) -> Option<&str> {
    let modes = text.strip_prefix(['(', '<'])?.strip_suffix([')', '>'])?;
    // `(1):(2)` begins and ends with brackets too, which are not a pair
    let mut depth = 0_i64;
    let closes = modes.chars().any(|c| {
        depth += step(c);
        depth < 0
    });
    (!closes && !modes.trim().is_empty()).then_some(modes)
}

fn step(c: char) -> i64 {
    match c {
        '(' | '<' => 1,
        ')' | '>' => -1,
        _ => 0,
    }
}

/// The text apart at a separator, where it stands outside of brackets.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0_i64;
    text.split(|c| {
        depth += step(c);
        c == separator && depth == 0
    })
    .collect()
}

/// A result in CuTe notation.
pub fn result(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Array(items) => format!("({})", items.iter().map(result).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => match (fields.get("shape"), fields.get("stride")) {
            (Some(shape), Some(stride)) => format!("{}:{}", result(shape), result(stride)),
            _ => value.to_string(),
        },
        other => other.to_string(),
    }
}

/// An argument in CuTe notation: as [`result`], but what has no value is `_`, and a list with layouts in it is a tiler.
pub fn given(value: &Value) -> String {
    match value {
        Value::Null => "_".into(),
        Value::Array(items) => {
            let modes = items.iter().map(given).collect::<Vec<_>>().join(",");
            if items.iter().any(has_layout) { format!("<{modes}>") } else { format!("({modes})") }
        }
        other => result(other),
    }
}

fn has_layout(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|items| items.iter().any(has_layout))
}

/// A coordinate of the layout's own nesting for a linear index below its size.
pub fn coordinate(shape: &Shape, index: u64) -> String {
    shape.idx2crd(index).map_or_else(|_| index.to_string(), |coord| coord.to_string())
}
