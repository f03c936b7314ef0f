//! Requests that are large in every way that a line allows: each is answered, and none is a fault of ours.

use razorgirl_protocol::answer;
use serde_json::{Value, json};

/// A value for each kind of argument.
struct Family {
    layout: Value,
    tuple: Value,
    number: Value,
}

fn families() -> Vec<Family> {
    let layout = |shape: Value, stride: Value| json!({"shape": shape, "stride": stride});
    let many = 32_800_usize;
    let digits: Value = serde_json::from_str(&"9".repeat(5_000)).expect("a number");
    let deep = |leaf: u64| (0..64).fold(json!(leaf), |tuple, _| json!([tuple]));
    let powers: Vec<u64> = (0..63).map(|i| 1 << (62 - i)).collect();
    vec![
        Family {
            layout: layout(json!(vec![1; many]), json!(vec![0; many])),
            tuple: json!(vec![1; many]),
            number: json!(many - 1),
        },
        Family {
            layout: layout(json!(vec![[1, 1]; many / 2]), json!(vec![[0, 0]; many / 2])),
            tuple: json!((0..many).collect::<Vec<_>>()),
            number: json!(0),
        },
        Family {
            layout: layout(json!(vec![2; 63]), json!(powers)),
            tuple: json!(vec![2; 63]),
            number: json!(u64::MAX),
        },
        Family { layout: layout(json!(u64::MAX), json!(0)), tuple: json!(u64::MAX), number: json!(1_u64 << 63) },
        Family { layout: layout(deep(4), deep(1)), tuple: deep(4), number: json!(-1) },
        Family {
            layout: layout(json!([digits, 2]), json!([1, digits])),
            tuple: json!([digits]),
            number: digits.clone(),
        },
        Family {
            layout: layout(json!([1_u64 << 31, 1_u64 << 31]), json!([3, 5])),
            tuple: json!([null, 1_u64 << 31]),
            number: json!(1_u64 << 20),
        },
    ]
}

#[test]
fn every_operation_answers_large_requests() {
    // linear layouts have values of their own below
    let ops = razorgirl_protocol::ops().iter().filter(|op| !op.name.starts_with("linear_"));
    let families: Vec<([String; 3], bool)> = families()
        .iter()
        .map(|Family { layout, tuple, number }| {
            let many = tuple.as_array().is_some_and(|modes| modes.len() > 1_000);
            ([layout, tuple, number].map(Value::to_string), many)
        })
        .collect();
    let mut asked = 0;
    for op in ops {
        let takes = op.forms.iter().map(|form| form.parameters.len()).max().unwrap_or(0);
        for (of, many) in &families {
            // three arguments of many modes take a minute, and meet nothing that two do not; nor do more than it takes
            for count in 1..=if *many { takes.min(2) } else { 3 } {
                let places = u32::try_from(count).expect("few arguments");
                for code in 0..3_usize.pow(places) {
                    let args: Vec<&str> = (0..places).map(|i| &*of[code / 3_usize.pow(i) % 3]).collect();
                    let request = format!(r#"{{"id":0,"op":"{}","args":[{}]}}"#, op.name, args.join(","));
                    let answer = answer(request.as_bytes());
                    assert!(!answer.contains(r#""code":"internal""#), "{} {code} of {count}: {answer}", op.name);
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 10_000, "{asked}");
}

/// Linear layouts as large as a line allows, and what stands beside them.
fn linear_values() -> Vec<Value> {
    let dims = |count: usize, size: u64| -> Vec<Value> { (0..count).map(|i| json!([format!("d{i}"), size])).collect() };
    let empty = |count: usize| -> Vec<Value> { (0..count).map(|i| json!([format!("d{i}"), []])).collect() };
    let units: Vec<Value> = (0..63).map(|bit| json!([1_u64 << bit])).collect();
    let wide: Vec<Value> = (0..63).map(|bit| json!((0..63).map(|i| u64::from(i >= bit)).collect::<Vec<_>>())).collect();
    let names: Vec<String> = (0..2_000).map(|i| format!("d{i}")).collect();
    let point: Value = (0..256).map(|i| (format!("d{i}"), json!(u64::MAX))).collect();
    vec![
        json!({"in": [["d0", units]], "out": [["d0", 1_u64 << 63]]}),
        json!({"in": [["d0", wide]], "out": dims(63, 2)}),
        json!({"in": [["d0", []], ["d1", vec![json!([0]); 63]]], "out": [["d0", 1]]}),
        json!({"in": empty(256), "out": dims(256, 1)}),
        json!({"in": empty(2_000), "out": dims(2_000, 1)}),
        json!({"in": [["d0", vec![json!([1]); 2_000]]], "out": [["d0", 2]]}),
        json!({"in": [["x".repeat(10_000), []]], "out": [["y".repeat(10_000), 1]]}),
        json!(names),
        json!(dims(63, 2)),
        json!([point]),
        json!("d0"),
        json!(1_u64 << 63),
        json!(u64::MAX),
        json!(true),
    ]
}

#[test]
fn operations_on_linear_layouts_answer_large_requests() {
    let values = linear_values();
    let list = razorgirl_protocol::ops().iter().filter(|op| {
        op.forms
            .iter()
            .any(|form| form.parameters.iter().any(|parameter| parameter.kind == razorgirl_protocol::Kind::Linear))
            || op.name.starts_with("linear_")
            || op.name == "swizzle"
    });
    let mut answered = 0;
    for op in list {
        let count = op.forms[0].parameters.len();
        // each value first, and beside it others
        for code in 0..4 * values.len() {
            let at = |i: usize| code + i * (code / values.len() + 1) * if i == 1 { 1 } else { 3 };
            let args: Vec<&Value> = (0..count).map(|i| &values[at(i) % values.len()]).collect();
            let answer = answer(json!({"id": 0, "op": op.name, "args": args}).to_string().as_bytes());
            assert!(!answer.contains(r#""code":"internal""#), "{} {code}: {answer}", op.name);
            assert!(answer.len() < 1 << 22, "{} {code}: {} bytes", op.name, answer.len());
            answered += usize::from(answer.contains(r#""result""#));
        }
    }
    assert!(answered > 150, "{answered}");
}

/// Encodings of tensors with as many dimensions as a line allows: beyond 256 they are refused, at once.
#[test]
fn encodings_answer_large_tensors() {
    use razorgirl_protocol::Kind;
    let mut answered = 0;
    for op in razorgirl_protocol::ops().iter().filter(|op| op.name.starts_with("encoding_")) {
        for rank in [1, 2, 3, 62, 256, 257, 200_000] {
            for size in if rank > 257 { vec![1_u64] } else { vec![1_u64, 2, 1 << 62] } {
                let of = |kind: Kind| match kind {
                    Kind::Sizes => json!(vec![size; rank]),
                    Kind::Places => json!((0..rank).rev().collect::<Vec<_>>()),
                    _ => json!(1),
                };
                let args: Vec<Value> = op.forms[0].parameters.iter().map(|parameter| of(parameter.kind)).collect();
                let answer = answer(json!({"id": 0, "op": op.name, "args": args}).to_string().as_bytes());
                assert!(!answer.contains(r#""code":"internal""#), "{} {rank}: {answer}", op.name);
                assert!(!answer.contains(r#""code":"arity""#), "{} {rank}: {answer}", op.name);
                assert!(rank <= 256 || answer.contains(r#""error""#), "{} {rank}: {answer}", op.name);
                answered += usize::from(answer.contains(r#""result""#));
            }
        }
    }
    assert!(answered > 10, "{answered}");
}

/// Found by the fuzz target `protocol`: an id that came on several lines went out on several.
#[test]
fn an_answer_is_one_line_whatever_its_id() {
    for id in ["{\"a\":[1,\n2.50]\r\n}", "[\n]", "\n7\n"] {
        let answered = answer(format!("{{\"id\":{id},\"op\":\"size\",\"args\":[4]}}").as_bytes());
        assert!(!answered.contains(['\n', '\r']) && answered.ends_with(r#","result":4}"#), "{answered}");
        let [sent, echoed]: [Value; 2] = [id.into(), answered].map(|text: String| serde_json::from_str(&text).unwrap());
        assert_eq!(echoed["id"], sent);
    }
}

/// Relations with long tuples, many pairs and many strides: what is answered stays small.
#[test]
fn relations_answer_large_requests() {
    let long = json!([[[0], vec![7; 1 << 19]]]);
    let many: Value = (0..1 << 16).map(|x| json!([[x], [0]])).collect();
    let too_many: Value = (0..=(1 << 16)).map(|x| json!([[x], [0]])).collect();
    let one = json!([[[0], [0]]]);
    let asked = [
        ("relation_compose", json!([long, many]), "too_large"),
        ("relation_of", json!([[[vec![0; (1 << 20) + 1], []]]]), "too_large"),
        ("relation_of", json!([too_many]), "too_large"),
        ("relation_of", json!([{"shape": 1_u64 << 40, "stride": 0}]), "too_large"),
        ("layout_from_relation", json!([one, {"stride": vec![0; 100_000]}]), "too_large"),
        ("layout_from_relation", json!([many, {"stride": vec![0; 1_000]}]), "result"),
        ("layout_from_relation", json!([many, {"shape": vec![2; 16]}]), "result"),
        ("layout_from_relation", json!([one, {"shape": vec![1; 100_000]}]), "result"),
        ("layout_from_relation", json!([one, {"shape": 1, "stride": 0}]), "parse"),
        ("layout_from_relation", json!([[], {"shape": 1}]), "no_layout"),
        ("relation_of", json!([[[[0], [0], [0]]]]), "parse"),
    ];
    for (op, args, expected) in asked {
        let answer = answer(json!({"id": 0, "op": op, "args": args}).to_string().as_bytes());
        assert!(answer.contains(&format!("\"{expected}\"")), "{op}: {answer:.300}");
    }
}
