//! Elements of another size: every small layout, Rust against bits that are counted, and Rust against Lean.

use crate::oracle_answers::{lean, rust};
use razorgirl_conform::{Verdict, judge};
use serde_json::{Value, json};

/// All layouts of this rank with extents up to `extent` and strides up to `stride`.
fn layouts(rank: usize, extent: u64, stride: u64) -> Vec<Value> {
    let mut all = vec![(Vec::new(), Vec::new())];
    for _ in 0..rank {
        all = all
            .into_iter()
            .flat_map(|(shape, strides)| {
                (1..=extent).flat_map(move |s| {
                    let (shape, strides) = (shape.clone(), strides.clone());
                    (0..=stride).map(move |d| ([&shape[..], &[s]].concat(), [&strides[..], &[d]].concat()))
                })
            })
            .collect();
    }
    all.into_iter().map(|(shape, stride)| json!({"shape": shape, "stride": stride})).collect()
}

/// The requests about elements of one layout.
fn conversions(layout: &Value, counts: &[u64]) -> Vec<Value> {
    let mut all = Vec::new();
    for n in counts {
        all.push(json!({"id": 0, "op": "upcast", "args": [layout, n]}));
        all.push(json!({"id": 0, "op": "upcast", "args": [layout, n], "mode": "containing"}));
        all.push(json!({"id": 0, "op": "downcast", "args": [layout, n]}));
    }
    for (old, new) in [(3, 8), (16, 6), (4, 6), (8, 16), (16, 8), (3, 2)] {
        all.push(json!({"id": 0, "op": "recast", "args": [layout, old, new]}));
        all.push(json!({"id": 0, "op": "recast", "args": [layout, old, new], "mode": "containing"}));
    }
    all
}

#[test]
fn rust_reaches_the_bits() {
    let (mut right, mut refused) = (0_u64, 0_u64);
    let all = [layouts(1, 12, 24), layouts(2, 6, 8), layouts(3, 3, 6)].concat();
    for request in all.iter().flat_map(|layout| conversions(layout, &[1, 2, 3, 4, 6, 8, 12])) {
        let answer = rust(&request);
        match judge(&request, &answer, true) {
            Verdict::Right => right += 1,
            Verdict::RefusedRightly => refused += 1,
            other => panic!("{other:?}\nrequest: {request}\nanswer:  {answer}"),
        }
    }
    println!("right {right}, refused rightly {refused}");
    assert!(right > 60_000 && refused > 60_000, "{right} {refused}");
}

/// What was answered wrongly once: 3 bytes that became 24, and others like it.
#[test]
fn bytes_that_were_made_up() {
    for (op, args) in [
        ("recast", json!([{"shape":1,"stride":1}, 3, 8])),
        ("recast", json!([{"shape":2,"stride":3}, 16, 6])),
        ("recast", json!([{"shape":[2,3,2],"stride":[3,6,18]}, 4, 6])),
        ("upcast", json!([{"shape":1,"stride":1}, 4])),
        ("upcast", json!([{"shape":[2],"stride":[1]}, 4])),
    ] {
        let answer = rust(&json!({"id": 0, "op": op, "args": args}));
        assert_eq!(answer["error"]["code"], "not_contiguous", "{op} {args}: {answer}");
    }
}

/// Every small layout, to other sizes.
pub fn requests() -> Vec<Value> {
    let all = [layouts(1, 12, 12), layouts(2, 4, 4), layouts(3, 2, 3)].concat();
    all.iter().flat_map(|layout| conversions(layout, &[2, 3, 4])).collect()
}

#[test]
fn rust_and_lean_agree_on_every_small_layout() {
    for (request, lean) in lean("recast") {
        let rust = rust(request);
        assert_eq!(rust["result"], lean["result"], "request: {request}\nrust: {rust}\nlean: {lean}");
        assert_eq!(rust["error"]["code"], lean["error"]["code"], "request: {request}\nrust: {rust}\nlean: {lean}");
    }
}
