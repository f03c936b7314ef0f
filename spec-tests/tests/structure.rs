//! Modes rearranged, shapes divided, layouts made and recast: Rust against the definitions, and Rust against Lean.

use razorgirl_conform::generate::{Rng, STRUCTURE_OPS, request};
use razorgirl_conform::model::faults;
use razorgirl_conform::{Verdict, judge};
use serde_json::Value;
use spec_tests::Oracle;
use std::collections::BTreeMap;

const SEED: u64 = 0x7374_7275_6374;

fn rust(request: &Value) -> Value {
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request} is answered by no JSON ({error}): {line}"))
}

fn asked(rng: &mut Rng, id: u64) -> Value {
    let op = STRUCTURE_OPS[usize::try_from(id).unwrap_or(0) % STRUCTURE_OPS.len()];
    let max_size = if rng.once_in(4) { u64::MAX } else { 1 << 12 };
    request(rng, id, op, max_size)
}

#[test]
fn rust_agrees_with_the_definition() {
    let mut rng = Rng::new(SEED);
    let (mut unjudged, mut accepted) = (0, BTreeMap::<String, u64>::new());
    for id in 0..112_000 {
        let request = asked(&mut rng, id);
        let answer = rust(&request);
        let verdict = judge(&request, &answer, true);
        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
        unjudged += u64::from(verdict == Verdict::Unjudged);
        if answer.get("result").is_some() {
            *accepted.entry(request["op"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
    }
    println!("accepted {accepted:?}, too large to judge {unjudged}");
    assert!(unjudged < 200, "{unjudged}");
    for op in STRUCTURE_OPS.iter().filter(|op| **op != "with_shape_complete") {
        assert!(accepted.get(*op).is_some_and(|&n| n >= 1_000), "{op}: {:?} accepted", accepted.get(*op));
    }
}

#[test]
fn rust_and_lean_agree() {
    let mut rng = Rng::new(SEED + 1);
    let batch: Vec<Value> = (0..28_000).map(|id| asked(&mut rng, id)).collect();
    let lines: Vec<String> = batch.iter().map(Value::to_string).collect();
    let answers = Oracle::open().and_then(|oracle| oracle.ask(&lines)).expect("Lean evaluates the requests");
    let (mut accepted, mut refused, mut other_codes) =
        (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new(), 0);
    for (request, answer) in batch.iter().zip(&answers) {
        let lean: Value = serde_json::from_str(answer).expect("Lean answers JSON");
        let rust = rust(request);
        let op = request["op"].as_str().unwrap_or_default().to_owned();
        match (rust.get("result"), lean.get("result")) {
            (Some(a), Some(b)) => {
                let same = razorgirl_conform::judge::same(a, b);
                assert!(same, "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}");
                *accepted.entry(op).or_default() += 1;
            }
            (None, None) => {
                // several faults: the protocol reports the first in its order, the oracle what it meets first
                let args = request["args"].as_array().map_or(&[][..], Vec::as_slice);
                let code = |answer: &Value| answer["error"]["code"].as_str().unwrap_or_default().to_owned();
                if code(&rust) != code(&lean) {
                    let all = faults(&op, args, "internal");
                    let known = |code: String| all.iter().any(|fault| *fault == code);
                    other_codes += 1;
                    let explained = known(code(&rust)) && known(code(&lean));
                    assert!(explained, "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}");
                }
                *refused.entry(op).or_default() += 1;
            }
            _ => panic!("Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}"),
        }
    }
    println!("accepted {accepted:?}\nrefused {refused:?}\nrefused for different reasons: {other_codes}");
    for op in STRUCTURE_OPS.iter().filter(|op| **op != "with_shape_complete") {
        assert!(accepted.get(*op).is_some_and(|&n| n >= 200), "{op}: {:?} accepted", accepted.get(*op));
    }
    assert!(other_codes < 300, "{other_codes}");
}
