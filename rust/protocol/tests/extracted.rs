//! Requests answered by the functions that are extracted from Lean.

use razorgirl_protocol::{Call, Engine, Mode, Op, answer, answer_by, extracted, serve_by};
use serde_json::{Value, json};

fn both(request: &Value) -> [Value; 2] {
    let line = request.to_string();
    [answer(line.as_bytes()), answer_by(line.as_bytes(), Engine::Extracted)]
        .map(|answer| serde_json::from_str(&answer).unwrap())
}

/// The same answer, or a refusal with the same code.
#[track_caller]
fn agree(op: &str, args: &Value) {
    let [library, found] = both(&json!({"id": 1, "op": op, "args": args}));
    let codes = [&library, &found].map(|answer| answer["error"]["code"].as_str().unwrap_or_default().to_owned());
    // A layout that repeats offsets has no chain of blocks either, and may leave offsets out: the library looks for a
    // collision to show.
    if codes[0] != "not_injective" || !["not_divisible", "not_contiguous"].contains(&codes[1].as_str()) {
        assert_eq!(codes[0], codes[1], "{op} {args}");
    }
    if library.get("error").is_none() {
        assert_eq!(library, found, "{op} {args}");
    }
}

/// Layouts with up to three modes in every nesting of them.
fn small() -> Vec<Value> {
    let mut all = vec![json!({"shape": [], "stride": []})];
    let modes: Vec<(u64, u64)> = (1..=4).flat_map(|extent| [0, 1, 2, 4, 6].map(|stride| (extent, stride))).collect();
    for &(a, d) in &modes {
        all.push(json!({"shape": a, "stride": d}));
        for &(b, e) in &modes {
            all.push(json!({"shape": [a, b], "stride": [d, e]}));
            for &(c, f) in modes.iter().step_by(3) {
                all.push(json!({"shape": [a, [b, c]], "stride": [d, [e, f]]}));
            }
        }
    }
    all
}

#[test]
fn operations_on_one_layout_agree_on_all_small_ones() {
    let layouts = small();
    for name in extracted() {
        let op = Op::named(name).unwrap();
        let Some(form) = op.forms.iter().find(|form| form.parameters.len() == 1) else { continue };
        let kind = form.parameters[0].kind.expects();
        for layout in layouts.iter().filter(|_| kind.contains("layout")) {
            agree(name, &json!([layout]));
        }
    }
}

/// Two layouts, or a layout and how far to complete it: refusals may name another fault that the request has as well.
#[test]
fn operations_on_two_arguments_agree_on_small_ones() {
    let layouts: Vec<Value> = small().into_iter().step_by(7).collect();
    let answered = |op: &str, args: Value| {
        let [library, found] = both(&json!({"id": 1, "op": op, "args": args}));
        assert_eq!(library.get("result"), found.get("result"), "{op} {args}");
        library.get("result").is_some()
    };
    let (mut composed, mut divided, mut copied, mut completed) = (0, 0, 0, 0);
    for first in &layouts {
        for second in layouts.iter().step_by(5) {
            composed += u32::from(answered("composition", json!([first, second])));
            divided += u32::from(answered("logical_divide", json!([first, second])));
            copied += u32::from(answered("logical_product", json!([first, second])));
        }
        for cotarget in [0, 1, 8, 12, 24, 48] {
            completed += u32::from(answered("complement", json!([first, cotarget])));
            completed += u32::from(answered("complement_ceil", json!([first, cotarget])));
        }
    }
    let counts = [composed, divided, copied, completed];
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    let nested = json!({"shape": [[4, 1], [], 3], "stride": [[3, 0], [], 1]});
    assert!(answered("composition", json!([{"shape": [6, 2], "stride": [8, 2]}, nested])));
}

/// Of each operation the function answers the example, or what is asked of its first argument alone.
#[test]
fn examples_are_answered_by_the_function() {
    for name in extracted() {
        let (arguments, _) = Op::named(name).unwrap().example;
        let arguments = match name {
            // The criterion says nothing of a layout that is not injective.
            "is_injective" => &["(4,8):(8,1)"][..],
            // By a tiler mode by mode, the library divides.
            "logical_divide" => &["(4,2,3):(2,1,8)", "4:2"],
            _ => arguments,
        };
        let first = &arguments[..1];
        let calls = [arguments, first].map(|arguments| Call::from_notation(name, arguments, Mode::Strict));
        let found = calls.iter().flatten().find_map(|call| Some((call, call.run_extracted()?)));
        let (call, found) = found.unwrap_or_else(|| panic!("{name}: its example is left to the library"));
        assert_eq!(found, call.run(), "{call}");
    }
}

#[test]
fn small_divisions_agree() {
    for kind in ["euclid", "trunc", "ceil"] {
        for divisor in [i64::MIN, -7, -3, -2, -1, 0, 1, 2, 3, 7, i64::MAX] {
            for dividend in (-20..=20).chain([i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX]) {
                agree("div", &json!([kind, dividend, divisor]));
            }
        }
    }
}

#[test]
fn coordinates_of_a_small_shape_agree() {
    let layout = json!({"shape": [2, [3, 2]], "stride": [6, [1, 40]]});
    for (a, b, c) in (0..3).flat_map(|a| (0..4).flat_map(move |b| (0..3).map(move |c| (a, b, c)))) {
        for coordinate in [json!([a, [b, c]]), json!([a, 3 * c + b]), json!([a, b, c]), json!([a, [null, c]])] {
            agree("call", &json!([coordinate, layout]));
            agree("crd2idx", &json!([coordinate, [2, [3, 2]]]));
        }
    }
}

#[test]
fn small_copies_agree() {
    for size in 1..=6 {
        for length in 1..=6 {
            for stride in 1..=6 {
                agree("fttc", &json!([[size, 16], [length, 8], [stride, 3]]));
            }
        }
    }
    agree("fttc", &json!([[1, 2], [1], [1]]));
    agree("fttc", &json!([[], [], []]));
}

#[test]
fn ops_lists_them_and_the_rest_is_answered_too() {
    let [library, found] = both(&json!({"id": 1, "op": "ops", "args": []}));
    assert_eq!(library["result"], found["result"]);
    assert!(library.get("extracted").is_none());
    assert_eq!(found["extracted"], json!(extracted()));
    for request in [
        json!({"id": 1, "op": "rank", "args": [[4, 2]]}),
        json!({"id": 2, "op": "nothing", "args": []}),
        json!({"id": 3, "op": "coalesce", "args": []}),
        json!({"id": 4, "op": "coalesce", "args": [{"shape": 0, "stride": 1}]}),
        json!({"id": 5, "op": "coalesce", "args": [{"shape": [2, 2], "stride": [1, 2]}, [0, 0]]}),
        json!({"id": 6, "op": "coalesce", "args": [{"shape": 4, "stride": 1}], "mode": "complete"}),
    ] {
        let [library, found] = both(&request);
        assert_eq!(library, found);
    }
    let mut served = Vec::new();
    serve_by(&b"{\"id\":1,\"op\":\"size\",\"args\":[[4,2]]}\n"[..], &mut served, Engine::Extracted).unwrap();
    assert_eq!(served, b"{\"id\":1,\"result\":8}\n");
}

/// Numbers at the edge of 64 bits, and more modes than anybody has.
#[test]
fn edges_agree() {
    let half = 1_u64 << 63;
    for layout in [
        json!({"shape": [2, 2], "stride": [half - 1, 1]}),
        json!({"shape": [half, 1], "stride": [1, half]}),
        json!({"shape": [2, 3], "stride": [half, 0]}),
        json!({"shape": [half, 2], "stride": [0, 0]}),
        json!({"shape": [u64::MAX, 1], "stride": [1, u64::MAX]}),
        json!({"shape": [1_u64 << 32, 1_u64 << 31], "stride": [1_u64 << 31, 1]}),
        json!({"shape": vec![1; 60_000], "stride": vec![7; 60_000]}),
        json!({"shape": vec![2; 63], "stride": (0..63).map(|bit| 1_u64 << bit).collect::<Vec<_>>()}),
        json!({"shape": vec![2; 63], "stride": vec![0; 63]}),
    ] {
        for name in extracted() {
            let op = Op::named(name).unwrap();
            if op.forms.iter().any(|form| form.takes(1) && form.parameters[0].kind.expects().contains("layout")) {
                agree(name, &json!([layout]));
            }
        }
    }
}
