//! Divisions, products, thread-value layouts and partitions: Rust against the definitions, and Rust against Lean.

use razorgirl_conform::generate::{Rng, TILING_OPS, request};
use razorgirl_conform::model::{Layout, faults};
use razorgirl_conform::{Verdict, judge};
use serde_json::{Value, json};
use spec_tests::Oracle;
use std::collections::BTreeMap;

const SEED: u64 = 0x7469_6c69_6e67;

fn rust(request: &Value) -> Value {
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request} is answered by no JSON ({error}): {line}"))
}

/// A random request; every third asks for completeness.
fn asked(rng: &mut Rng, id: u64) -> Value {
    let op = TILING_OPS[usize::try_from(id).unwrap_or(0) % TILING_OPS.len()];
    let mut request = request(rng, id, op, 1 << 10);
    if rng.once_in(3) {
        request["mode"] = json!("complete");
    }
    request
}

#[test]
fn rust_agrees_with_the_definition() {
    let mut rng = Rng::new(SEED);
    let (mut judged, mut unjudged) = (0, 0);
    for id in 0..60_000 {
        let request = asked(&mut rng, id);
        let answer = rust(&request);
        let verdict = judge(&request, &answer, true);
        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
        // by the law alone, as a peer would be judged
        let law = judge(&request, &answer, false);
        assert!(law.is_fine(), "{law:?}\nrequest: {request}\nanswer:  {answer}");
        judged += 1;
        unjudged += u64::from(verdict == Verdict::Unjudged);
    }
    println!("{judged} requests, of which {unjudged} were too large to judge");
    assert!(unjudged < 1_200, "{unjudged}");
}

#[test]
fn every_division_of_a_small_layout_is_right_or_refused_rightly() {
    // all layouts with two modes of at most 4, all tiles of one mode
    let mut judged = 0;
    for code in 0..4_u64.pow(2) * 6_u64.pow(2) {
        let (s0, s1, d0, d1) = (code % 4 + 1, code / 4 % 4 + 1, code / 16 % 6, code / 96);
        let layout = json!({"shape": [s0, s1], "stride": [d0, d1]});
        for extent in 1..=s0 * s1 + 1 {
            for stride in 0..=s0 * s1 {
                let tile = json!({"shape": extent, "stride": stride});
                for op in ["logical_divide", "logical_product"] {
                    let request = json!({"id": 0, "op": op, "args": [layout, tile]});
                    let answer = rust(&request);
                    for exact in [true, false] {
                        let verdict = judge(&request, &answer, exact);
                        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
                    }
                    judged += 1;
                }
            }
        }
    }
    println!("{judged} divisions and products");
}

#[test]
fn rust_and_lean_agree() {
    let mut rng = Rng::new(SEED + 1);
    let mut batch: Vec<Value> = (0..10_000).map(|id| asked(&mut rng, id)).collect();
    // where it refuses, the oracle goes through coordinates to tell why: only of what is small
    batch.retain(|request| {
        let args = request["args"].as_array().map_or(&[][..], Vec::as_slice);
        args.iter().filter_map(|arg| Layout::read(arg).ok()).all(|arg| arg.size() <= 512.into())
    });
    let lines: Vec<String> = batch.iter().map(Value::to_string).collect();
    let answers = Oracle::open().and_then(|oracle| oracle.ask(&lines)).expect("Lean evaluates the requests");
    let (mut accepted, mut refused) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    let mut other_codes = 0;
    for (request, answer) in batch.iter().zip(&answers) {
        let lean: Value = serde_json::from_str(answer).expect("Lean answers JSON");
        let rust = rust(request);
        let op = request["op"].as_str().unwrap_or_default().to_owned();
        match (rust.get("result"), lean.get("result")) {
            (Some(a), Some(b)) => {
                let same = razorgirl_conform::judge::same(a, b)
                    && ["offset", "index", "bounds"].iter().all(|field| rust.get(*field) == lean.get(*field));
                assert!(same, "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}");
                *accepted.entry(op).or_default() += 1;
            }
            (None, None) => {
                // several faults: the protocol reports the first in its order, the oracle what it meets first
                let args = request["args"].as_array().map_or(&[][..], Vec::as_slice);
                let code = |answer: &Value| answer["error"]["code"].as_str().unwrap_or_default().to_owned();
                if code(&rust) != code(&lean) {
                    let all = faults(&op, args, "internal");
                    other_codes += 1;
                    let explained = all.iter().any(|fault| *fault == code(&rust)) || several_modes(request);
                    assert!(explained, "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}");
                }
                *refused.entry(op).or_default() += 1;
            }
            _ => panic!("Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}"),
        }
    }
    println!("accepted {accepted:?}\nrefused {refused:?}\nrefused for different reasons: {other_codes}");
    for op in TILING_OPS {
        assert!(accepted.get(op).is_some_and(|&n| n >= 30), "{op}: {:?} accepted", accepted.get(op));
    }
    assert!(other_codes < 300, "{other_codes}");
}

/// Whether the tiler has several modes, of which each may be refused for a reason of its own.
fn several_modes(request: &Value) -> bool {
    request["args"]
        .as_array()
        .is_some_and(|args| args.iter().any(|arg| arg.as_array().is_some_and(|list| list.len() > 1)))
}
