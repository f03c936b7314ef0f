//! Whatever comes in, one well-formed answer goes out.

use proptest::prelude::*;
use razorgirl_protocol::{Code, Kind, answer, ops, serve};
use serde_json::{Value, json};

/// One line, an object with the id and either a result or an error of the list.
fn well_formed(answered: &str) -> Value {
    assert!(!answered.contains('\n'));
    let value: Value = serde_json::from_str(answered).unwrap_or_else(|error| panic!("{error}: {answered}"));
    let object = value.as_object().unwrap();
    assert!(object.contains_key("id"), "{answered}");
    assert_ne!(object.contains_key("result"), object.contains_key("error"), "{answered}");
    if let Some(error) = object.get("error") {
        assert!(Code::ALL.iter().any(|code| error["code"] == code.name()), "{answered}");
        assert_ne!(error["code"], Code::Internal.name(), "{answered}");
        assert!(error["message"].is_string() && error["help"].is_array(), "{answered}");
    }
    value
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        8 => (0..5_u64).prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(json!(1.5)),
        1 => Just(json!("x")),
        2 => Just(Value::Null),
        1 => Just(json!(true)),
        1 => Just("340282366920938463463374607431768211456".parse().unwrap()),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            6 => prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            3 => (inner.clone(), inner.clone()).prop_map(|(shape, stride)| json!({"shape": shape, "stride": stride})),
            1 => inner.prop_map(|inner| json!({"shape": inner})),
        ]
    })
}

/// The same nesting with other leaves, so that layouts are often congruent.
fn relabelled(tree: &Value, seed: u64) -> Value {
    match tree {
        Value::Array(modes) => modes.iter().zip(1..).map(|(mode, k)| relabelled(mode, seed * 5 + k)).collect(),
        _ => json!(seed % 7),
    }
}

/// The same nesting with steps in a coordinate of two numbers.
fn steps(tree: &Value, seed: u64) -> Value {
    match tree {
        Value::Array(modes) => modes.iter().zip(1..).map(|(mode, k)| steps(mode, seed * 5 + k)).collect(),
        _ => json!({format!("1@{}", seed % 2): 1 + seed % 7}),
    }
}

/// A linear layout, or nearly one.
fn linear() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(vec!["register", "lane", "x", ""]);
    let row = prop::collection::vec(prop_oneof![9 => (0..4_u64).prop_map(Value::from), 1 => tree()], 0..3);
    let bases = prop::collection::vec((name(), prop::collection::vec(row, 0..4)), 0..3);
    let size = prop_oneof![9 => (0..4_u32).prop_map(|bits| json!(1 << bits)), 1 => tree()];
    let outs = prop::collection::vec((name(), size), 0..3);
    (bases, outs).prop_map(|(bases, outs)| json!({"in": bases, "out": outs}))
}

/// Nested integers of a range.
fn nested(leaves: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Value> {
    leaves.prop_recursive(3, 12, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Value::from))
}

fn number(range: std::ops::Range<u64>) -> impl Strategy<Value = Value> {
    prop_oneof![15 => range.prop_map(Value::from), 1 => any::<u64>().prop_map(Value::from)]
}

fn layout() -> impl Strategy<Value = Value> {
    (nested(number(1..6)), any::<u32>()).prop_map(|(shape, seed)| {
        let stride = relabelled(&shape, u64::from(seed) % 1000);
        json!({"shape": shape, "stride": stride})
    })
}

fn list(of: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(of, 0..4).prop_map(Value::from)
}

fn dimension() -> impl Strategy<Value = Value> {
    prop::sample::select(vec!["register", "lane", "x"]).prop_map(Value::from)
}

fn expression() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![number(0..9), (0..3_u64).prop_map(|variable| json!(["x", variable]))];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let sign = prop::sample::select(vec!["+", "*", "/", "%"]);
        (sign, inner.clone(), inner).prop_map(|(sign, a, b)| json!([sign, a, b]))
    })
}

/// Arguments of a kind, or nearly so. A kind that is new has to be added: [`arguments_of_every_kind_are_read`].
fn of_kind(kind: Kind) -> BoxedStrategy<Value> {
    let word = |words: &[&'static str]| prop::sample::select(words.to_vec()).prop_map(Value::from).boxed();
    let power = || (0..5_u32).prop_map(|bits| json!(1_u64 << bits));
    match kind {
        Kind::Layout => layout().boxed(),
        Kind::ShapeOf | Kind::Modes => prop_oneof![nested(number(1..6)), layout()].boxed(),
        Kind::Shape => nested(number(1..6)).boxed(),
        Kind::Strides | Kind::Numbers | Kind::Order | Kind::Profile => nested(number(0..6)).boxed(),
        Kind::Coord => nested(prop_oneof![3 => number(0..4), 1 => Just(Value::Null)]).boxed(),
        Kind::Tiler => nested(prop_oneof![4 => number(1..6), 1 => Just(Value::Null), 2 => layout()]).boxed(),
        Kind::Index | Kind::Rank => number(0..6).boxed(),
        Kind::Count | Kind::Cotarget => number(1..40).boxed(),
        Kind::Places | Kind::Values => list(number(0..4)).boxed(),
        Kind::Sizes => list(number(1..9)).boxed(),
        Kind::Integer => any::<i64>().prop_map(Value::from).boxed(),
        Kind::Division => word(&["euclid", "trunc", "ceil"]),
        Kind::Truncation => word(&["euclid", "trunc"]),
        Kind::Choice => number(0..2).boxed(),
        Kind::Schedule => {
            let step = prop_oneof![
                (0..3_u64, 1..5_u64).prop_map(|(axis, factor)| json!({"split": axis, "factor": factor})),
                (0..3_u64).prop_map(|outer| json!({"merge": [outer, outer + 1]})),
                (0..3_u64, -2..3_i64, -2..3_i64)
                    .prop_map(|(axis, left, right)| json!({"resize": axis, "left": left, "right": right})),
            ];
            (prop::collection::vec(1..9_u64, 0..3), prop::collection::vec(step, 0..4))
                .prop_map(|(extents, steps)| json!({"extents": extents, "steps": steps}))
                .boxed()
        }
        Kind::Expr => expression().boxed(),
        Kind::Ranges => {
            let range =
                prop_oneof![Just(Value::Null), (0..9_u64, 0..9_u64).prop_map(|(low, more)| json!([low, low + more]))];
            list(range).boxed()
        }
        Kind::Linear => linear().boxed(),
        Kind::Bases => linear().prop_map(|linear| linear["in"].clone()).boxed(),
        Kind::Dims => list((dimension(), power()).prop_map(|(name, size)| json!([name, size]))).boxed(),
        Kind::Dim => dimension().boxed(),
        Kind::Names => list(dimension()).boxed(),
        Kind::Points => {
            let point = prop::collection::hash_map(prop::sample::select(vec!["register", "lane", "x"]), 0..9_u64, 0..3);
            list(point.prop_map(|point| json!(point))).boxed()
        }
        Kind::Pow2 => power().boxed(),
        Kind::Truth => any::<bool>().prop_map(Value::from).boxed(),
        Kind::Swizzled => (layout(), 0..4_u32, 0..5_u32, -4..5_i32, 0..99_u64)
            .prop_map(|(mut layout, bits, base, shift, offset)| {
                layout["swizzle"] = json!([bits, base, shift]);
                layout["offset"] = json!(offset);
                layout
            })
            .boxed(),
        Kind::Coordinates => (nested(number(1..6)), any::<u32>())
            .prop_map(|(shape, seed)| {
                let stride = steps(&shape, u64::from(seed) % 1000);
                json!({"shape": shape, "stride": stride})
            })
            .boxed(),
        Kind::Written => (nested(number(1..6)), nested(number(0..6)))
            .prop_map(|(shape, stride)| json!({"shape": shape, "stride": stride}))
            .boxed(),
        Kind::Relation => {
            let tuple = || prop::collection::vec(-2..4_i64, 0..3);
            let pairs = prop::collection::vec((tuple(), tuple()), 0..5).prop_map(|pairs| json!(pairs));
            let isl = (0..4_i64, -1..9_i64).prop_map(|(stride, size)| {
                json!(format!("{{ [c] -> [{stride}c + c mod {}] : 0 <= c < {size} }}", stride + size))
            });
            let linear =
                (0..4_u64, 0..4_u64).prop_map(|(a, b)| json!({"in": [["lane", [[a], [b]]]], "out": [["x", 4]]}));
            prop_oneof![pairs, layout(), isl, linear].boxed()
        }
        Kind::ShapeOrStride => prop_oneof![
            nested(number(1..6)).prop_map(|shape| json!({"shape": shape})),
            nested(number(0..6)).prop_map(|stride| json!({"stride": stride})),
        ]
        .boxed(),
        Kind::Language => prop_oneof![Just(json!("c")), Just(json!("cuda")), Just(json!("python"))].boxed(),
        Kind::FinMap => (0..4_u64, list(number(0..4)))
            .prop_map(|(n, map)| json!({"m": map.as_array().map_or(0, Vec::len), "n": n, "map": map}))
            .boxed(),
        Kind::TupleMorphism => (list(number(1..4)), list(number(1..4)), list(number(0..4)))
            .prop_map(|(domain, codomain, map)| json!({"domain": domain, "codomain": codomain, "map": map}))
            .boxed(),
        Kind::NestMorphism => (nested(number(1..4)), nested(number(1..4)), list(number(0..4)))
            .prop_map(|(domain, codomain, map)| json!({"domain": domain, "codomain": codomain, "map": map}))
            .boxed(),
        _ => tree().boxed(),
    }
}

/// An operation and arguments of its kinds; now and then anything in the place of one.
fn call() -> impl Strategy<Value = (String, Vec<Value>)> {
    let forms: Vec<_> = ops().iter().flat_map(|op| op.forms.iter().map(move |form| (op.name, form))).collect();
    prop::sample::select(forms).prop_flat_map(|(name, form)| {
        let count =
            if form.takes(0) && form.takes(4) { 0..4 } else { form.parameters.len()..form.parameters.len() + 1 };
        let arguments = count.prop_flat_map(move |count| {
            let argument = |place| {
                let kind = form.parameter(place).map_or(tree().boxed(), |parameter| of_kind(parameter.kind));
                prop_oneof![19 => kind, 1 => tree()]
            };
            (0..count).map(argument).collect::<Vec<_>>()
        });
        (Just(name.to_owned()), arguments)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(line in prop::collection::vec(any::<u8>(), 0..200)) {
        well_formed(&answer(&line));
        let mut output = Vec::new();
        serve(&line[..], &mut output).unwrap();
        let lines = line.split(|byte| *byte == b'\n').count() - usize::from(line.is_empty() || line.ends_with(b"\n"));
        let text = String::from_utf8(output).unwrap();
        prop_assert_eq!(text.lines().count(), lines);
        text.lines().for_each(|line| { well_formed(line); });
    }

    #[test]
    fn any_text_of_json_signs(line in r#"[\[\]{}:,0-9a-f".\\ \-n]{0,80}"#) {
        well_formed(&answer(line.as_bytes()));
    }

    #[test]
    fn any_request(id in tree(), (op, args) in call()) {
        let request = json!({"id": id, "op": op, "args": args}).to_string();
        let answered = well_formed(&answer(request.as_bytes()));
        prop_assert_eq!(&answered["id"], &id);
        // Asked again, it says the same.
        prop_assert_eq!(answered, well_formed(&answer(request.as_bytes())));
    }

    /// Any name, any number of arguments, of any kind.
    #[test]
    fn any_call(op in prop_oneof![3 => call().prop_map(|(name, _)| name), 1 => "[a-z_]{0,12}"], args in prop::collection::vec(tree(), 0..4)) {
        well_formed(&answer(json!({"id": 1, "op": op, "args": args}).to_string().as_bytes()));
    }

    /// A request that has been damaged somewhere.
    #[test]
    fn any_damage((op, args) in call(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut request = json!({"id": 1, "op": op, "args": args}).to_string().into_bytes();
        let at = at.index(request.len());
        request[at] = byte;
        well_formed(&answer(&request));
        well_formed(&answer(&request[..at]));
    }

    /// Values are read as `serde_json` reads them: its verdict on a line is ours.
    #[test]
    fn json_is_what_serde_says(text in r#"[\[\]{}:,0-9".\\ \-nul]{0,12}"#) {
        let request = format!(r#"{{"id":1,"op":"rank","args":[{text}]}}"#);
        let answered = well_formed(&answer(request.as_bytes()));
        if serde_json::from_str::<Value>(&request).is_err() {
            prop_assert_eq!(&answered["error"]["code"], "parse");
        }
    }
}

/// A kind without arguments of its own would never be read: whatever is drawn would not parse.
#[test]
fn arguments_of_every_kind_are_read() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for kind in Kind::ALL {
        let form = |op: &'static &razorgirl_protocol::Op| {
            op.forms
                .iter()
                .find(|form| form.parameters.iter().any(|parameter| parameter.kind == kind))
                .map(|form| (op.name, form))
        };
        let Some((name, form)) = ops().iter().find_map(form) else { continue };
        let mut read = 0;
        for _ in 0..100 {
            let args: Vec<Value> = (form.parameters.iter())
                .map(|parameter| of_kind(parameter.kind).new_tree(&mut runner).unwrap().current())
                .collect();
            let answered = well_formed(&answer(json!({"id": 1, "op": name, "args": args}).to_string().as_bytes()));
            read += u32::from(answered["error"]["code"] != Code::Parse.name());
        }
        assert!(read > 70, "{kind:?}: {read} of 100 were read by {name}");
    }
}
