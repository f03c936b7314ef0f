//! Rust against the plain model of the definitions, and Rust against Lean.
//!
//! Every operation of the protocol, exhaustively on small layouts and at random on large ones. A counterexample is printed
//! as one request: paste it into `razorgirl run` or the oracle.

use razorgirl_conform::generate::{
    ALGEBRA_OPS, OPS, Rng, flat_layouts, flat_layouts_of_rank, malformed, request, unary_request,
};
use razorgirl_conform::model::{Expected, Layout, expected, faults};
use razorgirl_conform::{Verdict, judge};
use serde_json::{Value, json};
use spec_tests::Oracle;

const SEED: u64 = 0x7a20_6172_6c67_6972;

fn rust(request: &Value) -> Value {
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request} is answered by no JSON ({error}): {line}"))
}

#[track_caller]
fn check(request: &Value) {
    let answer = rust(request);
    let verdict = judge(request, &answer, true);
    assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
}

const UNARY: [&str; 12] = [
    "size",
    "cosize",
    "rank",
    "depth",
    "flatten",
    "eval",
    "coalesce",
    "filter",
    "filter_zeros",
    "sort",
    "is_injective",
    "is_contiguous",
];

/// Everything that is asked about one flat layout: the unary operations, its function, all its coordinates, all ways to
/// slice it, all profiles of its rank.
fn questions(layout: &Value) -> Vec<Value> {
    let mut asked: Vec<Value> = UNARY.iter().map(|op| unary_request(0, op, layout)).collect();
    let extents: Vec<u64> = layout["shape"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let offsets = rust(&unary_request(0, "eval", layout))["result"].clone();
    asked.push(json!({"id": 0, "op": "find_layout", "args": [offsets]}));
    let size: u64 = extents.iter().product();
    for index in 0..=size {
        asked.push(json!({"id": 0, "op": "idx2crd", "args": [index, layout["shape"]]}));
        asked.push(json!({"id": 0, "op": "call", "args": [index, layout]}));
    }
    for code in 0..1u32 << extents.len() {
        let coord: Vec<Value> =
            (0..extents.len()).map(|i| if code >> i & 1 == 1 { Value::Null } else { json!(extents[i] - 1) }).collect();
        for op in ["slice", "dice", "slice_and_offset", "call"] {
            asked.push(json!({"id": 0, "op": op, "args": [coord, layout]}));
        }
        asked.push(json!({"id": 0, "op": "crd2idx", "args": [coord, layout["shape"], layout["stride"]]}));
    }
    for rank in 0..=extents.len() + 1 {
        let profile = vec![0; rank];
        asked.push(json!({"id": 0, "op": "coalesce", "args": [layout, profile]}));
        asked.push(json!({"id": 0, "op": "filter", "args": [layout, profile]}));
    }
    asked
}

#[test]
fn rust_agrees_with_the_definition_on_every_small_layout() {
    let mut asked = 0u64;
    for layout in flat_layouts() {
        for question in questions(&layout) {
            check(&question);
            asked += 1;
        }
    }
    println!("{asked} questions about {} layouts", flat_layouts().count());
}

#[test]
fn rust_agrees_with_the_definition_on_every_pair_of_small_shapes() {
    let mut shapes: Vec<Value> = vec![json!([])];
    for rank in 1..=2 {
        for (extents, _) in flat_layouts_of_rank(rank, 6, 0) {
            shapes.push(json!(extents));
            shapes.push(json!([extents]));
            shapes.push(json!([extents, 2]));
            if rank == 1 {
                shapes.push(json!(extents[0]));
            }
        }
    }
    for a in &shapes {
        for b in &shapes {
            for op in ["congruent", "compatible", "refines"] {
                check(&json!({"id": 0, "op": op, "args": [a, b]}));
            }
        }
    }
}

#[test]
fn rust_agrees_with_the_definition_on_random_requests() {
    let mut rng = Rng::new(SEED);
    let mut unjudged = 0u64;
    for id in 0..150_000u64 {
        let op = OPS[usize::try_from(id).unwrap_or(0) % OPS.len()];
        let max_size = if rng.once_in(3) { u64::MAX } else { 1 << 14 };
        let request = request(&mut rng, id, op, max_size);
        let answer = rust(&request);
        let verdict = judge(&request, &answer, true);
        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
        unjudged += u64::from(verdict == Verdict::Unjudged);
    }
    assert!(unjudged < 3_000, "{unjudged} requests were too large to judge");
}

/// A random request for composition, complement or an inverse; every third composition asks for completeness.
fn algebra_request(rng: &mut Rng, id: u64, max_size: u64) -> Value {
    let op = ALGEBRA_OPS[usize::try_from(id).unwrap_or(0) % ALGEBRA_OPS.len()];
    let mut request = request(rng, id, op, max_size);
    if op.starts_with("composition") && op != "composition_extended" && rng.once_in(3) {
        request["mode"] = json!("complete");
    }
    request
}

#[test]
fn rust_agrees_with_the_definition_of_the_algebra() {
    let mut rng = Rng::new(SEED + 3);
    let mut unjudged = 0u64;
    for id in 0..60_000u64 {
        let max_size = if rng.once_in(3) { u64::MAX } else { 1 << 14 };
        let request = algebra_request(&mut rng, id, max_size);
        let answer = rust(&request);
        let verdict = judge(&request, &answer, true);
        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
        unjudged += u64::from(verdict == Verdict::Unjudged);
    }
    assert!(unjudged < 1_200, "{unjudged} requests were too large to judge");
}

#[test]
fn rust_refuses_what_is_malformed() {
    let mut rng = Rng::new(SEED + 1);
    for id in 0..20_000 {
        check(&malformed(&mut rng, id));
    }
}

/// One in so many of the questions about small layouts goes to Lean; which ones, the question's own hash decides.
fn chosen(question: &Value, one_in: u64) -> bool {
    let hash = question
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash % one_in == 0
}

fn op_of(request: &Value) -> String {
    request["op"].as_str().unwrap_or_default().to_owned()
}

fn args_of(request: &Value) -> &[Value] {
    request["args"].as_array().map_or(&[], Vec::as_slice)
}

/// Two answers say the same: equal results up to strides of extent 1, or the same code of refusal.
/// Where a request has several faults, each names one of them.
fn agree(request: &Value, rust: &Value, lean: &Value) -> bool {
    let code = |answer: &Value| answer["error"]["code"].as_str().unwrap_or_default().to_owned();
    let same_refusal = || {
        if code(rust) == code(lean) {
            return true;
        }
        let Expected::Refused(first) = expected(&op_of(request), args_of(request), false) else { return false };
        let all = faults(&op_of(request), args_of(request), first);
        [code(rust), code(lean)].iter().all(|code| all.iter().any(|fault| fault == code))
    };
    rust["id"] == lean["id"]
        && match (rust.get("result"), lean.get("result")) {
            (Some(a), Some(b)) => razorgirl_conform::judge::same(a, b),
            (None, None) => same_refusal(),
            _ => false,
        }
}

#[test]
fn rust_and_lean_agree() {
    let mut batch: Vec<Value> = vec![json!({"id": "ops", "op": "ops", "args": []})];
    let mut rng = Rng::new(SEED + 2);
    // over 2,000 for each unary operation out of 22,765 layouts, and in proportion for the others
    let before = batch.len();
    for layout in flat_layouts() {
        batch.extend(questions(&layout).into_iter().filter(|question| {
            let often = UNARY.iter().any(|op| question["op"] == *op) && args_of(question).len() == 1;
            chosen(question, if often { 10 } else { 400 })
        }));
    }
    let exhaustive = batch.len() - before;
    for id in 0..24_000u64 {
        let op = OPS[usize::try_from(id).unwrap_or(0) % OPS.len()];
        let max_size = if rng.once_in(3) { u64::MAX } else { 1 << 12 };
        batch.push(request(&mut rng, id, op, max_size));
    }
    for id in 0..1_000u64 {
        batch.push(malformed(&mut rng, id));
    }
    for id in 0..12_000u64 {
        let max_size = if rng.once_in(3) { u64::MAX } else { 1 << 9 };
        let request = algebra_request(&mut rng, id, max_size);
        // where the oracle lists coordinates to tell why it refuses, there must be few
        let few = args_of(&request).iter().filter_map(|arg| Layout::read(arg).ok()).all(|arg| arg.size() <= 512.into());
        if few || rust(&request).get("result").is_some() {
            batch.push(request);
        }
    }
    // Lean lists the coordinates of what it is asked about, on a stack of fixed size: larger ones are for the model only
    batch.retain(|request| {
        let listed = ["eval", "is_injective", "is_contiguous", "find_layout"].iter().any(|op| request["op"] == *op);
        !listed || !matches!(judge(request, &rust(request), true), Verdict::Unjudged)
    });
    for (i, request) in batch.iter_mut().enumerate().skip(1) {
        request["id"] = json!(i);
    }
    let lines: Vec<String> = batch.iter().map(Value::to_string).collect();
    let answers = Oracle::open().and_then(|oracle| oracle.ask(&lines)).expect("Lean evaluates the requests");
    assert_eq!(answers.len(), batch.len());
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    for (request, answer) in batch.iter().zip(&answers) {
        let lean: Value = serde_json::from_str(answer).expect("Lean answers JSON");
        let rust = rust(request);
        assert!(agree(request, &rust, &lean), "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}");
        *counts.entry(request["op"].as_str().unwrap_or("?").into()).or_default() += 1;
    }
    println!("{} requests, {exhaustive} of them about all small layouts: {counts:?}", batch.len());
    for op in UNARY {
        assert!(counts[op] >= 2_000, "{op}: only {} requests went through Lean", counts[op]);
    }
}
