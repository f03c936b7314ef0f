//! Requests in which one argument is not what the operation takes: it has a field that is not understood, or is a value of
//! another kind. All of them are derived from the table of operations.

use super::{Rng, names, request};
use razorgirl_protocol::{Call, Kind, Mode, Op, ops};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// A request, and whether it has a field that no reader understands: then only a refusal is right.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// the request
    pub request: Value,
    /// such a field is there
    pub unknown_field: bool,
}

/// Fields that no value has.
const UNKNOWN: [&str; 4] = ["swizle", "Stride", "x", ""];
/// Fields that values of some kinds have.
const KNOWN: [&str; 10] = ["swizzle", "offset", "shape", "stride", "in", "out", "m", "domain", "map", "extents"];

/// Layouts of other kinds than the plain ones.
static LAYOUTS: LazyLock<[Value; 5]> = LazyLock::new(|| {
    [
        json!({"swizzle": [1, 0, 1], "offset": 3, "shape": 4, "stride": 1}),
        json!({"swizzle": [2, 1, -2], "offset": 0, "shape": [4, [2, 2]], "stride": [4, [1, 2]]}),
        json!({"shape": [4, 8], "stride": [{"1@0": 1}, {"1@1": 1}]}),
        json!({"offset": 3, "shape": 4, "stride": 1}),
        json!([{"swizzle": [1, 0, 1], "offset": 3, "shape": 4, "stride": 1}]),
    ]
});

/// A value of each kind: the arguments of all examples in the table.
static VALUES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut values: Vec<Value> = vec![json!(null), json!(true), json!({})];
    values.extend(LAYOUTS.iter().cloned());
    for op in ops() {
        for value in example(op.name, op.example.0) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    values
});

fn example(name: &str, arguments: &[&str]) -> Vec<Value> {
    let call = Call::from_notation(name, arguments, Mode::Strict).ok();
    call.map_or(Vec::new(), |call| call.to_json()["args"].as_array().cloned().unwrap_or_default())
}

/// The arguments of a request for each form of each operation.
fn bases() -> Vec<(&'static str, Vec<Value>)> {
    let mut rng = Rng::new(0x666f_7265_6967_6e00);
    let mut all = Vec::new();
    for op in ops() {
        let shown = example(op.name, op.example.0);
        let mut lengths = vec![shown.len()];
        all.push((op.name, shown));
        for form in op.forms.iter().filter(|form| !form.repeated) {
            if names().iter().any(|name| name == op.name) && !lengths.contains(&form.parameters.len()) {
                let drawn = (0..200).map(|id| request(&mut rng, id, op.name, 64)["args"].clone());
                let mut drawn = drawn.filter_map(|args| args.as_array().cloned());
                all.extend(drawn.find(|args| args.len() == form.parameters.len()).map(|args| (op.name, args)));
                lengths.push(form.parameters.len());
            }
        }
    }
    all
}

/// What an operation takes in a place of so many arguments.
fn kind(op: &Op, arguments: usize, place: usize) -> Option<Kind> {
    Some(op.form(arguments).ok()?.parameter(place)?.kind)
}

/// The values that the description of a kind shows: `[4,8] or {"shape":[4,8],"stride":[1,4]}` are two.
fn shown(kind: Kind) -> Vec<Value> {
    let (mut values, mut rest) = (Vec::new(), kind.json());
    while !rest.is_empty() {
        let mut json = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        values.push(json.next().and_then(Result::ok).unwrap_or_else(|| panic!("{kind:?} shows no JSON: {rest}")));
        rest = rest[json.byte_offset()..].trim_start_matches(", ").trim_start_matches(" or ");
    }
    values
}

/// Each object inside a value, with a field more.
fn with_field(value: &Value, name: &str, field: &Value) -> Vec<Value> {
    match value {
        Value::Object(fields) => {
            let mut all = Vec::new();
            if !fields.contains_key(name) {
                let mut more: Map<String, Value> = fields.clone();
                more.insert(name.to_owned(), field.clone());
                all.push(Value::Object(more));
            }
            for (own, inside) in fields {
                for changed in with_field(inside, name, field) {
                    let mut other = fields.clone();
                    other.insert(own.clone(), changed);
                    all.push(Value::Object(other));
                }
            }
            all
        }
        Value::Array(items) => {
            let changed = |(at, item): (usize, &Value)| {
                let replaced = with_field(item, name, field).into_iter();
                replaced.map(move |item| {
                    let mut other = items.clone();
                    other[at] = item;
                    Value::Array(other)
                })
            };
            items.iter().enumerate().flat_map(changed).collect()
        }
        _ => Vec::new(),
    }
}

/// Every argument of every form of every operation: with each foreign field, and as each other kind of value.
pub fn foreign() -> impl Iterator<Item = Foreign> {
    bases().into_iter().flat_map(|(op, args)| {
        (0..args.len()).flat_map(move |place| {
            let kind = Op::named(op).and_then(|op| kind(op, args.len(), place));
            // the names in a point are the dimensions' own
            let strict = kind != Some(Kind::Points);
            let with = |value: Value, unknown_field: bool| {
                let mut all = args.clone();
                all[place] = value;
                Foreign { request: json!({"id": null, "op": op, "args": all}), unknown_field }
            };
            let mut all = Vec::new();
            // as the example has it, in every other way to write it, and as another kind of layout
            let own = std::iter::once(args[place].clone()).chain(kind.map(shown).unwrap_or_default());
            for value in own.chain(LAYOUTS.iter().cloned()) {
                for name in UNKNOWN {
                    let changed = with_field(&value, name, &json!([1, 0, 1]));
                    all.extend(changed.into_iter().map(|value| with(value, strict)));
                }
            }
            for name in KNOWN {
                for field in [json!([1, 0, 1]), json!(3), json!({"1@0": 1})] {
                    all.extend(with_field(&args[place], name, &field).into_iter().map(|value| with(value, false)));
                }
            }
            for value in with_field(&args[place], "swizzle", &json!([1, 0, 1])) {
                all.extend(with_field(&value, "offset", &json!(3)).into_iter().map(|value| with(value, false)));
            }
            all.extend(VALUES.iter().map(|value| with(value.clone(), false)));
            all
        })
    })
}
