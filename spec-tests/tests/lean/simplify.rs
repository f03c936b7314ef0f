//! The simplifier of index expressions: Rust against Lean, expression by expression, and both against the values.

use crate::oracle_answers::{lean, rust};
use razorgirl_conform::generate::{Rng, expr, ranges};
use razorgirl_conform::judge;
use serde_json::{Value, json};

/// All expressions with at most two operators over a few leaves.
fn small() -> Vec<Value> {
    let leaves = [json!(["x", 0]), json!(["x", 1]), json!(2), json!(6), json!(-3)];
    let join = |left: &[Value], right: &[Value]| -> Vec<Value> {
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        pairs.flat_map(|(a, b)| ["+", "*", "/", "%"].map(|operator| json!([operator, a, b]))).collect()
    };
    let one = join(&leaves, &leaves);
    [leaves.to_vec(), join(&one, &leaves), join(&leaves, &one), one].concat()
}

/// A sum of so many variables.
fn wide(terms: u64) -> Value {
    Value::from([vec![json!("+")], (0..terms).map(|n| json!(["x", n])).collect()].concat())
}

pub fn requests() -> Vec<Value> {
    let ask = |args: Value| json!({"op": "simplify", "args": args});
    let mut asked = vec![];
    for (number, e) in small().iter().enumerate() {
        for kind in ["euclid", "trunc"] {
            // in turn: indices of extents, no bounds, a negative one
            let ranges = [json!([[0, 5], [0, 2]]), json!([]), json!([[-4, 7], [1, null]])];
            asked.push(ask(json!([kind, e, ranges[number % 3]])));
        }
    }
    let mut rng = Rng::new(0x7369_6d70);
    for n in 0..3_000 {
        let kind = ["euclid", "trunc"][n % 2];
        let depth = rng.between(3, 6);
        asked.push(ask(json!([kind, expr(&mut rng, depth), ranges(&mut rng)])));
    }
    let deep = |depth| (0..depth).fold(json!(["x", 0]), |inside, _| json!(["%", inside, 7]));
    for args in [
        json!(["trunc", deep(31)]),
        json!(["trunc", deep(33)]),
        json!(["trunc", wide(64)]),
        json!(["trunc", wide(513)]),
        json!(["ceil", 1]),
        json!(["trunc"]),
        json!(["trunc", 1, [], []]),
        json!(["trunc", ["-", 1, 2]]),
        json!(["trunc", ["/", 1, 2, 3]]),
        json!(["trunc", []]),
        json!(["trunc", null]),
        json!(["trunc", ["x", -1]]),
        json!(["trunc", ["x", 1_u64 << 32]]),
        json!(["trunc", 1_u64 << 63]),
        json!(["trunc", 1, 3]),
        json!(["trunc", 1, [[1]]]),
        json!(["trunc", 1, [[2, 1]]]),
    ] {
        asked.push(ask(args));
    }
    for (id, request) in asked.iter_mut().enumerate() {
        request["id"] = json!(id);
    }
    asked
}

/// As many terms as are taken at all. Lean is not asked, which takes 100 s over these.
#[test]
fn rust_takes_512_terms() {
    let request = json!({"id": 0, "op": "simplify", "args": ["trunc", wide(512)]});
    let answer = rust(&request);
    assert_eq!(answer["result"].as_array().map(Vec::len), Some(513), "{answer}");
    let verdict = judge(&request, &answer, true);
    assert!(verdict.is_fine(), "{verdict:?}");
}

#[test]
fn rust_and_lean_simplify_alike() {
    let answered = lean("simplify");
    let (mut refused, mut changed, mut large, mut wrong) = (0, 0, 0, vec![]);
    for (request, lean) in answered {
        let rust = rust(request);
        for (name, answer) in [("Rust", &rust), ("Lean", lean)] {
            let verdict = judge(request, answer, true);
            assert!(verdict.is_fine(), "{name}: {verdict:?}\nrequest: {request}\nanswer:  {answer}");
        }
        let code = |answer: &Value| answer["error"]["code"].as_str().map(str::to_owned);
        // Lean's numbers have no end
        if lean.get("result").is_some() && matches!(code(&rust).as_deref(), Some("overflow" | "too_large")) {
            large += 1;
        } else if (rust.get("result"), code(&rust)) != (lean.get("result"), code(lean)) {
            wrong.push(format!("request: {request}\nrust: {rust}\nlean: {lean}"));
        }
        refused += u64::from(rust.get("result").is_none());
        changed += u64::from(rust.get("result").is_some_and(|result| *result != request["args"][1]));
    }
    println!("{} requests: {changed} changed, {refused} refused, {large} of them by Rust alone", answered.len());
    let first = &wrong[..wrong.len().min(10)];
    assert!(wrong.is_empty(), "Rust and Lean disagree on {} requests\n{}", wrong.len(), first.join("\n\n"));
    assert!(changed > 6_000 && large < 60, "{changed} {large}");
}
