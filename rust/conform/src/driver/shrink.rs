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
        all.extend(rescaled(first, second).into_iter().map(|(first, second)| with(vec![first, second])));
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
            let fewer = (0..items.len()).filter(|_| items.len() > 1).map(|i| without(value, i));
            let alone = items.iter().filter(|_| items.len() == 1).cloned();
            let each = items.iter().enumerate().flat_map(|(i, item)| {
                smaller(item).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[i] = item;
                    Value::Array(items)
                })
            });
            fewer.chain(alone).chain(each).collect()
        }
        number => lower(number, 1).into_iter().map(Value::from).collect(),
    }
}

fn lower(number: &Value, least: u64) -> Vec<u64> {
    let Some(n) = number.as_u64() else { return Vec::new() };
    let mut all: Vec<u64> =
        [least, n / 4, n / 2, n.saturating_sub(1)].into_iter().filter(|m| *m < n && *m >= least).collect();
    all.sort_unstable();
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

/// The flat modes of a layout.
fn flat(layout: &Value) -> Option<Vec<(u64, u64)>> {
    let (mut shape, mut stride) = (Vec::new(), Vec::new());
    flatten(layout.get("shape")?, &mut shape);
    flatten(layout.get("stride")?, &mut stride);
    let numbers = |list: &[Value]| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
    Some(numbers(&shape)?.into_iter().zip(numbers(&stride)?).collect())
}

fn layout(modes: &[(u64, u64)]) -> Value {
    let (shape, stride): (Vec<u64>, Vec<u64>) = modes.iter().copied().unzip();
    json!({"shape": shape, "stride": stride})
}

/// An outer layout with one mode shorter, merged into the next, or left out, and an inner one whose strides step in the
/// same modes as before: `(8,2):(1,9)` after `2:8` becomes `(2,2):(1,9)` after `2:2`.
fn rescaled(outer: &Value, inner: &Value) -> Vec<Pair> {
    let (Some(outer), Some(inner)) = (flat(outer), flat(inner)) else { return Vec::new() };
    let mut all = Vec::new();
    for i in 0..outer.len() {
        if let (Some(&(extent, stride)), Some(&(next, step))) = (outer.get(i), outer.get(i + 1))
            && extent.checked_mul(stride) == Some(step)
            && let Some(merged) = extent.checked_mul(next)
        {
            let mut modes = outer.clone();
            modes[i].0 = merged;
            modes.remove(i + 1);
            all.push((layout(&modes), layout(&inner)));
        }
        let extent = outer[i].0;
        let place: u64 = outer[..i].iter().fold(1, |place, mode| place.saturating_mul(mode.0));
        let above = place.saturating_mul(extent);
        if place == 0 || above == 0 {
            continue;
        }
        let digit = |stride: u64| stride / place % extent;
        let with = |shorter: u64, digit_of: &dyn Fn(usize, u64) -> u64| {
            let moved = |(j, (extent, stride)): (usize, &(u64, u64))| {
                let rest = (stride / above).saturating_mul(place.saturating_mul(shorter));
                let digit = digit_of(j, *stride).min(shorter - 1).saturating_mul(place);
                (*extent, rest.saturating_add(digit).saturating_add(stride % place))
            };
            let inner: Vec<(u64, u64)> = inner.iter().enumerate().map(moved).collect();
            let mut modes = outer.clone();
            if shorter == 1 && modes.len() > 1 {
                modes.remove(i);
            } else {
                modes[i].0 = shorter;
            }
            (layout(&modes), layout(&inner))
        };
        all.extend(lower(&Value::from(extent), 1).into_iter().map(|shorter| with(shorter, &|_, stride| digit(stride))));
        // a smaller step in a mode that is as much shorter as the inner mode then reaches less far
        for (j, (steps, stride)) in inner.iter().enumerate() {
            for smaller in lower(&Value::from(digit(*stride)), 1) {
                let less = steps.saturating_sub(1).saturating_mul(digit(*stride) - smaller);
                if let Some(shorter @ 2..) = extent.checked_sub(less) {
                    all.push(with(shorter, &|other, stride| if other == j { smaller } else { digit(stride) }));
                }
            }
        }
    }
    all
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
            // a layout that repeats offsets shows less
            let steps = lower(step, 1).into_iter().map(|d| (extent.clone(), Value::from(d)));
            extents.chain(steps).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::composition::strict;
    use crate::model::{Layout, Refusal};

    #[test]
    fn keeps_what_carries() {
        let request = json!({"op": "composition", "args": [
            {"shape": [6, [5, 6], 2], "stride": [1, [6, 30], 0]}, {"shape": [6, 3], "stride": [5, 78]}]});
        let carries = |request: &Value| {
            let [Ok(outer), Ok(inner)] = [0, 1].map(|i| Layout::read(&request["args"][i])) else { return false };
            let alone = |mode: &Layout| strict(&outer, mode).is_ok();
            strict(&outer, &inner) == Err(Refusal("carries")) && inner.top().iter().all(alone)
        };
        let small = shrink(&request, carries);
        let sum: u64 = [0, 1].into_iter().filter_map(|i| flat(&small["args"][i])).flatten().map(|mode| mode.0).sum();
        assert!(carries(&small) && sum <= 10, "{small}");
    }

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
        assert_eq!(small["args"], json!([{"shape": 3, "stride": 1}, 1]));
    }
}
