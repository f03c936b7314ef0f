//! Whatever comes in, one well-formed answer goes out.

use proptest::prelude::*;
use razorgirl_protocol::{Code, answer, ops, serve};
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

/// A linear layout, or nearly one.
fn linear() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(vec!["register", "lane", "x", ""]);
    let row = prop::collection::vec(prop_oneof![9 => (0..4_u64).prop_map(Value::from), 1 => tree()], 0..3);
    let bases = prop::collection::vec((name(), prop::collection::vec(row, 0..4)), 0..3);
    let size = prop_oneof![9 => (0..4_u32).prop_map(|bits| json!(1 << bits)), 1 => tree()];
    let outs = prop::collection::vec((name(), size), 0..3);
    (bases, outs).prop_map(|(bases, outs)| json!({"in": bases, "out": outs}))
}

fn argument() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => linear(),
        1 => prop::collection::vec(prop::sample::select(vec!["register", "lane", "x"]), 0..3).prop_map(|names| json!(names)),
        2 => tree(),
        3 => (tree(), any::<u32>()).prop_map(|(shape, seed)| {
            let stride = relabelled(&shape, u64::from(seed) % 1000);
            json!({"shape": shape, "stride": stride})
        }),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => (0..ops().len()).prop_map(|index| ops()[index].name.to_owned()),
        1 => "[a-z_]{0,12}",
    ]
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
    fn any_request(id in tree(), op in name(), args in prop::collection::vec(argument(), 0..4)) {
        let request = json!({"id": id, "op": op, "args": args}).to_string();
        let answered = well_formed(&answer(request.as_bytes()));
        prop_assert_eq!(&answered["id"], &id);
        // Asked again, it says the same.
        prop_assert_eq!(answered, well_formed(&answer(request.as_bytes())));
    }

    /// A request that has been damaged somewhere.
    #[test]
    fn any_damage(op in name(), args in prop::collection::vec(argument(), 0..3), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
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
