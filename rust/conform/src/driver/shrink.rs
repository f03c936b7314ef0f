//! Smaller requests that are answered wrong in the same way.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Requests that are tried for one example.
const TRIES: u32 = 600;
/// How long is tried for one example.
const TIME: Duration = Duration::from_secs(10);

/// The smallest request near `request` that `still_wrong` holds for.
pub(super) fn shrink(request: &Value, mut still_wrong: impl FnMut(&Value) -> bool) -> Value {
    let start = Instant::now();
    let mut best = request.clone();
    let mut tries = 0;
    'again: loop {
        for candidate in smaller_requests(&best) {
            if tries >= TRIES || start.elapsed() > TIME {
                return best;
            }
            tries += 1;
            if still_wrong(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

fn smaller_requests(request: &Value) -> Vec<Value> {
    let Some(args) = request.get("args").and_then(Value::as_array) else { return Vec::new() };
    let with = |args: Vec<Value>| {
        let mut request = request.clone();
        request["args"] = Value::Array(args);
        request
    };
    let mut all = Vec::new();
    // a layout and a tiler, or two layouts of the same rank, lose a mode together
    if let [first, second] = args.as_slice() {
        for i in 0..modes(first).min(modes(second)) {
            all.push(with(vec![without(first, i), without(second, i)]));
        }
    }
    for (i, arg) in args.iter().enumerate() {
        for smaller in smaller(arg) {
            let mut args = args.clone();
            args[i] = smaller;
            all.push(with(args));
        }
    }
    all
}

fn modes(value: &Value) -> usize {
    value.get("shape").unwrap_or(value).as_array().map_or(0, Vec::len)
}

fn without(value: &Value, i: usize) -> Value {
    let drop = |list: &Value| {
        let mut items = list.as_array().cloned().unwrap_or_default();
        items.remove(i);
        Value::Array(items)
    };
    match (value.get("shape"), value.get("stride")) {
        (Some(shape), Some(stride)) => json!({"shape": drop(shape), "stride": drop(stride)}),
        _ => drop(value),
    }
}

/// Values that are smaller in some way, the largest steps first.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(_) => {
            let (Some(shape), Some(stride)) = (value.get("shape"), value.get("stride")) else { return Vec::new() };
            let pairs = dropped(shape, stride).into_iter().chain(lowered(shape, stride));
            pairs.map(|(shape, stride)| json!({"shape": shape, "stride": stride})).collect()
        }
        Value::Array(items) => {
            let each = items.iter().enumerate().flat_map(|(i, item)| {
                smaller(item).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[i] = item;
                    Value::Array(items)
                })
            });
            each.collect()
        }
        number => lower(number, 1).into_iter().map(Value::from).collect(),
    }
}

fn lower(number: &Value, least: u64) -> Vec<u64> {
    let Some(n) = number.as_u64() else { return Vec::new() };
    let mut all: Vec<u64> =
        [least, n / 4, n / 2, n.saturating_sub(1)].into_iter().filter(|m| *m < n && *m >= least).collect();
    all.dedup();
    all
}

type Pair = (Value, Value);

/// One mode less, or less nesting.
fn dropped(shape: &Value, stride: &Value) -> Vec<Pair> {
    let (Value::Array(shapes), Value::Array(strides)) = (shape, stride) else { return Vec::new() };
    let mut all = Vec::new();
    if let ([shape], [stride]) = (shapes.as_slice(), strides.as_slice()) {
        all.push((shape.clone(), stride.clone()));
    }
    if shapes.iter().any(Value::is_array) {
        let (mut flat_shape, mut flat_stride) = (Vec::new(), Vec::new());
        flatten(shape, &mut flat_shape);
        flatten(stride, &mut flat_stride);
        all.push((Value::Array(flat_shape), Value::Array(flat_stride)));
    }
    for i in 0..shapes.len() {
        if shapes.len() > 1 {
            let (mut shapes, mut strides) = (shapes.clone(), strides.clone());
            shapes.remove(i);
            strides.remove(i);
            all.push((Value::Array(shapes), Value::Array(strides)));
        }
        for (shape, stride) in dropped(&shapes[i], &strides[i]) {
            let (mut shapes, mut strides) = (shapes.clone(), strides.clone());
            shapes[i] = shape;
            strides[i] = stride;
            all.push((Value::Array(shapes), Value::Array(strides)));
        }
    }
    all
}

fn flatten(value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, into)),
        leaf => into.push(leaf.clone()),
    }
}

/// One extent or stride lower.
fn lowered(shape: &Value, stride: &Value) -> Vec<Pair> {
    match (shape, stride) {
        (Value::Array(shapes), Value::Array(strides)) => {
            let mut all = Vec::new();
            for i in 0..shapes.len().min(strides.len()) {
                for (shape, stride) in lowered(&shapes[i], &strides[i]) {
                    let (mut shapes, mut strides) = (shapes.clone(), strides.clone());
                    shapes[i] = shape;
                    strides[i] = stride;
                    all.push((Value::Array(shapes), Value::Array(strides)));
                }
            }
            all
        }
        (extent, step) => {
            let extents = lower(extent, 2).into_iter().map(|e| (Value::from(e), step.clone()));
            let steps = lower(step, 0).into_iter().map(|d| (extent.clone(), Value::from(d)));
            extents.chain(steps).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_smallest() {
        let request = json!({"op": "complement", "args": [{"shape": [4, [8, 3], 1], "stride": [9, [70, 2], 5]}, 100]});
        // wrong whenever some extent is at least 3
        let wrong = |request: &Value| {
            let mut extents = Vec::new();
            flatten(&request["args"][0]["shape"], &mut extents);
            extents.iter().any(|extent| extent.as_u64() >= Some(3))
        };
        let small = shrink(&request, wrong);
        assert_eq!(small["args"], json!([{"shape": 3, "stride": 0}, 1]));
    }
}
