//! Integer division, TMA correctness and schedules: Rust against Lean.
//!
//! What is small is asked exhaustively. Rust is held against brute force in its own tests; here both sides have to agree.

use razorgirl_conform::generate::{Rng, schedule, schedules};
use serde_json::{Value, json};
use spec_tests::Oracle;
use std::collections::BTreeMap;

fn rust(request: &Value) -> Value {
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request} is answered by no JSON ({error}): {line}"))
}

fn divisions(rng: &mut Rng, asked: &mut Vec<Value>) {
    for kind in ["euclid", "trunc", "ceil"] {
        for a in -12_i64..=12 {
            for b in -7_i64..=7 {
                asked.push(json!({"op": "div", "args": [kind, a, b]}));
            }
        }
        for (a, b) in
            [(i64::MIN, -1), (i64::MIN, 1), (i64::MIN, 0), (i64::MAX, -1), (i64::MIN, i64::MIN), (i64::MAX, 2)]
        {
            asked.push(json!({"op": "div", "args": [kind, a, b]}));
        }
        for _ in 0..500 {
            let (a, b) = (rng.bits().cast_signed(), rng.bits().cast_signed() >> rng.below(63));
            asked.push(json!({"op": "div", "args": [kind, a, b]}));
        }
    }
    asked.push(json!({"op": "div", "args": ["floor", 1, 2]}));
    asked.push(json!({"op": "div", "args": ["euclid", 1]}));
    asked.push(json!({"op": "div", "args": ["euclid", json!(1.5), 2]}));
}

fn theorem(asked: &mut Vec<Value>) {
    for s in 1..=20 {
        for b in 1..=20 {
            for e in 1..=20 {
                asked.push(json!({"op": "fttc", "args": [[s], [b], [e]]}));
            }
        }
    }
    for n in 0..5_u32.pow(6) {
        let digit = |place: u32| n / 5_u32.pow(place) % 5 + 1;
        let pair = |place: u32| [digit(place), digit(place + 1)];
        asked.push(json!({"op": "fttc", "args": [pair(0), pair(2), pair(4)]}));
    }
    for args in [
        json!([[0], [1], [1]]),
        json!([[1], [1]]),
        json!([[1, 2], [1], [1]]),
        json!([[4], [-1], [1]]),
        json!([[], [], []]),
    ] {
        asked.push(json!({"op": "fttc", "args": args}));
    }
}

fn scheduled(rng: &mut Rng, asked: &mut Vec<Value>) {
    for n in 0..20_000 {
        let one = schedule(rng, 8, 48);
        asked.push(json!({"op": "schedule_eval", "args": [one]}));
        if n % 2 == 0 {
            asked.push(json!({"op": "schedule_predicates", "args": [one]}));
        } else {
            asked.push(json!({"op": "schedule_equivalent", "args": schedules(rng, 6, 48)}));
        }
    }
    for steps in [
        json!([{"split": 0, "factor": 0}]),
        json!([{"split": 1, "factor": 2}]),
        json!([{"split_outer": 0, "factor": 0}]),
        json!([{"merge": [0, 0]}]),
        json!([{"merge": [0, 1]}]),
        json!([{"reorder": [1]}]),
        json!([{"reorder": []}]),
        json!([{"resize": 0, "left": -3, "right": -3}]),
        json!([{"swizzle": "and", "axes": [0, 1]}]),
        json!([{"swizzle": "xor", "axes": [0, 0]}]),
        json!([{"cut": 0}]),
        json!([7]),
        json!({"split": 0, "factor": 2}),
    ] {
        let one = json!({"extents": [6], "steps": steps});
        for op in ["schedule_eval", "schedule_predicates"] {
            asked.push(json!({"op": op, "args": [one]}));
        }
        asked.push(json!({"op": "schedule_equivalent", "args": [one, one]}));
    }
    for extents in [json!([0]), json!([-2]), json!([3, 0]), json!("x"), json!(null)] {
        asked.push(json!({"op": "schedule_eval", "args": [{"extents": extents, "steps": []}]}));
    }
}

#[test]
fn rust_and_lean_agree() {
    let mut rng = Rng::new(0x7363_6865_6475_6c65);
    let mut asked = vec![];
    divisions(&mut rng, &mut asked);
    theorem(&mut asked);
    scheduled(&mut rng, &mut asked);
    for (id, request) in asked.iter_mut().enumerate() {
        request["id"] = json!(id);
    }
    let lines: Vec<String> = asked.iter().map(Value::to_string).collect();
    let answers = Oracle::open().and_then(|oracle| oracle.ask(&lines)).expect("Lean evaluates the requests");
    let (mut counts, mut refused) = (BTreeMap::<&str, u64>::new(), 0);
    for (request, answer) in asked.iter().zip(&answers) {
        let lean: Value = serde_json::from_str(answer).expect("Lean answers JSON");
        let rust = rust(request);
        let code = |answer: &Value| answer["error"]["code"].as_str().map(str::to_owned);
        assert_eq!(
            (rust.get("result"), code(&rust)),
            (lean.get("result"), code(&lean)),
            "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}"
        );
        // a witness is one on either side
        if let Some(witness) = lean.get("witness").filter(|witness| !witness.is_null()) {
            assert!(!rust["witness"].is_null(), "{request}: {witness} is a witness for Lean");
        }
        refused += u64::from(code(&rust).is_some());
        *counts.entry(request["op"].as_str().unwrap_or("?")).or_default() += 1;
    }
    println!("{} requests, {refused} refused: {counts:?}", asked.len());
    assert!(counts["schedule_eval"] >= 20_000 && counts["fttc"] >= 23_000);
}
