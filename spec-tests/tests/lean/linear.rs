//! Linear layouts and swizzles: Rust against Lean, and against recorded answers of Triton.

use crate::oracle_answers::{lean, rust};
use serde_json::{Value, json};
use std::collections::BTreeMap;

use razorgirl_conform::generate::Rng;

fn records(variable: &str, path: &str) -> Vec<Value> {
    // other records, drawn likewise, may be put in their place
    let path =
        std::env::var(variable).unwrap_or_else(|_| format!("{}/vectors/linear/{path}", env!("CARGO_MANIFEST_DIR")));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Triton's answers: 60 for each operation, drawn at random; `"abort"` where the process died.
fn recorded() -> Vec<Value> {
    records("RAZORGIRL_LINEAR_VECTORS", "triton_3.9.jsonl")
}

/// Triton's encodings, bank conflicts with what counting words finds (`brute`), and layouts of shared memory.
fn recorded_memory() -> Vec<Value> {
    records("RAZORGIRL_MEMORY_VECTORS", "triton_3.9_memory.jsonl")
}

/// Whether two names that both layouts have, on one side, stand in another order in one of them.
fn disagree(args: &Value) -> bool {
    let names = |layout: usize, side: &str| -> Vec<Value> {
        args[layout][side].as_array().into_iter().flatten().map(|dim| dim[0].clone()).collect()
    };
    ["in", "out"].iter().any(|side| {
        let (a, b) = (names(0, side), names(1, side));
        let of = |first: &[Value], second: &[Value]| -> Vec<Value> {
            first.iter().filter(|name| second.contains(name)).cloned().collect()
        };
        of(&a, &b) != of(&b, &a)
    })
}

#[test]
fn recorded_answers_are_ours_where_there_is_one() {
    let (mut same, mut aborts, mut reordered, mut wrong) = (BTreeMap::<String, u64>::new(), 0, 0, vec![]);
    for record in recorded() {
        let answer = rust(&json!({"op": record["op"], "args": record["args"]}));
        let op = record["op"].as_str().unwrap_or_default();
        if record["result"] == "abort" {
            aborts += 1;
        } else if answer.get("result") == Some(&record["result"]) {
            *same.entry(op.to_owned()).or_default() += 1;
        } else if op == "linear_mul" && answer["error"]["code"] == "incongruent" && disagree(&record["args"]) {
            // Triton documents that shared names have to stand in one order, and does not enforce it: it answers with
            // the order of one of them.
            reordered += 1;
        } else {
            wrong.push(format!("{record}\nours: {answer}"));
        }
    }
    println!("{same:?}, {aborts} aborts of Triton, {reordered} products that it reorders");
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n\n"));
    assert!(same.len() >= 37 && same.values().all(|count| *count >= 20), "{same:?}");
}

/// Bank conflicts are what counting words finds. Triton compares the spans of tensor coordinates and forgets the bits below
/// a word, so that its count is sometimes too low (its pull request 9661 would have mended it), and never too high.
#[test]
fn recorded_bank_conflicts_are_counted_word_by_word() {
    let (mut same, mut low) = (0, 0);
    for record in recorded_memory().iter().filter(|record| record["op"] == "bank_conflicts") {
        let answer = rust(&json!({"op": "bank_conflicts", "args": record["args"]}));
        let brute = json!({"vector": record["brute"][0], "wavefronts": record["brute"][1]});
        assert_eq!(answer["result"], brute, "{record}");
        // Triton counts wavefronts beyond the first
        match (record["triton"].as_u64(), record["brute"][1].as_u64()) {
            (Some(triton), Some(brute)) if triton + 1 == brute => same += 1,
            (Some(triton), Some(brute)) => {
                assert!(triton + 1 < brute, "{record}");
                low += 1;
            }
            _ => {}
        }
    }
    println!("{same} counted alike, {low} too low in Triton");
    assert!(same >= 60 && low >= 20, "{same} {low}");
}

/// Bytes, 8 x 32, `SwizzledSharedLayout(vec=1, per_phase=4, max_phase=2, order=[1,0])`: Triton reports no conflict, but lanes
/// 0 and 1 ask bank 0 for words 0 and 32.
#[test]
fn a_basis_that_also_moves_within_the_word_does_not_hide_a_conflict() {
    let memory = rust(&json!({"op": "encoding_swizzled_shared", "args": [1, 4, 2, [1, 0], [8, 32]]}))["result"].clone();
    let registers = json!({
        "in": [["lane", [[4, 0], [0, 8], [0, 2], [1, 0], [0, 4]]], ["warp", [[0, 1], [2, 0], [0, 16]]]],
        "out": [["dim0", 8], ["dim1", 32]],
    });
    let answer = rust(&json!({"op": "bank_conflicts", "args": [registers, memory, 8]}));
    assert_eq!(answer["result"], json!({"vector": 1, "wavefronts": 2}), "{memory}");
}

/// A layout of memory without conflicts exists for every two patterns. Triton's search compares basis vectors and not
/// spans: for general layouts it aborts, or claims what is not so.
#[test]
fn recorded_patterns_have_memory_without_conflicts() {
    let mut answered = 0;
    for record in recorded_memory().iter().filter(|record| record["op"] == "optimal_swizzle") {
        let answer = rust(&json!({"op": "optimal_swizzle", "args": record["args"]}));
        assert_eq!(answer["result"]["wavefronts"], json!([1, 1]), "{record}\n{answer}");
        answered += 1;
    }
    assert!(answered >= 50, "{answered}");
}

/// Triton's encodings, one by one. For a matrix smaller than its swizzle Triton dies (issue 4727 of its tracker): here there
/// is none. A tensor of one element has a layout without offsets, which Gluon refuses.
#[test]
fn recorded_encodings_are_ours() {
    let (mut same, mut aborts, mut refused) = (BTreeMap::<String, u64>::new(), 0, 0);
    for record in recorded_memory() {
        let op = record["op"].as_str().unwrap_or_default().to_owned();
        if !op.starts_with("encoding_") {
            continue;
        }
        let answer = rust(&json!({"op": op, "args": record["args"]}));
        match &record["result"] {
            Value::String(text) if text == "abort" => {
                assert_eq!(answer.get("result"), Some(&Value::Null), "{record}\n{answer}");
                aborts += 1;
            }
            Value::String(_) => {
                assert_eq!(answer["result"]["in"][0], json!(["offset", []]), "{record}\n{answer}");
                refused += 1;
            }
            result => {
                assert_eq!(answer.get("result"), Some(result), "{record}\n{answer}");
                *same.entry(op).or_default() += 1;
            }
        }
    }
    println!("{same:?}, {aborts} aborts of Triton, {refused} refused by it");
    assert!(same.len() == 9 && same.values().all(|count| *count >= 25) && aborts > 0 && refused > 0, "{same:?}");
}

/// Parameters of encodings that the records do not have.
fn encodings(rng: &mut Rng) -> Vec<Value> {
    let mut power = |most: u64| 1_u64 << rng.below(most + 1);
    let mut two = |a: u64, b: u64| json!([power(a), power(b)]);
    let (sizes, threads, warps, shape) = (two(3, 3), two(5, 5), two(2, 2), two(8, 8));
    let order = if rng.once_in(2) { json!([0, 1]) } else { json!([1, 0]) };
    let (n, dim, width) = (8_u64 << rng.below(5), rng.below(2), 1_u64 << rng.below(4));
    let instruction = json!([16, 8]);
    [
        ("blocked", json!([sizes, threads, warps, order, shape])),
        ("blocked", json!([sizes, threads, warps, order, shape, rng.once_in(2)])),
        ("dot_blocked", json!([dim, sizes, threads, warps, order, shape])),
        ("slice_blocked", json!([dim, sizes, threads, warps, order, [shape[0]]])),
        ("mma_v2", json!([warps, instruction, shape])),
        ("mma_v3", json!([warps, [16, n, 16], shape])),
        ("dot_mma_v2", json!([dim, width, warps, instruction, shape])),
        ("dot_mma_v3", json!([0, width, warps, [16, n, 16], shape])),
        ("swizzled_shared", json!([width, n / 8, 1_u64 << rng.below(5), order, shape])),
        ("nvmma_shared", json!([rng.pick(&[0, 32, 64, 128]), rng.pick(&[8, 16, 32]), rng.once_in(2), shape])),
        // one thing wrong
        ("blocked", json!([[3, 1], threads, warps, order, shape])),
        ("blocked", json!([sizes, threads, warps, [0, 0], shape])),
        ("blocked", json!([sizes, threads, [1], order, shape])),
        ("mma_v2", json!([warps, [4, 8], shape])),
        ("dot_mma_v3", json!([1, width, warps, [16, n, 16], shape])),
        ("nvmma_shared", json!([16, 8, false, shape])),
        ("swizzled_shared", json!([width, 3, 1, order, shape])),
    ]
    .map(|(name, args)| json!({"op": format!("encoding_{name}"), "args": args}))
    .to_vec()
}

/// A linear layout with up to so many bits a side, over these names.
fn layout(rng: &mut Rng, most: u64, ins: &[&str], outs: &[(&str, u64)]) -> Value {
    let dims: Vec<Value> = ins
        .iter()
        .map(|name| {
            let rows: Vec<Value> = (0..rng.below(most + 1))
                .map(|_| outs.iter().map(|(_, bits)| json!(rng.below(1 << bits))).collect())
                .collect();
            json!([name, rows])
        })
        .collect();
    let outs: Vec<Value> = outs.iter().map(|(name, bits)| json!([name, 1_u64 << bits])).collect();
    json!({"in": dims, "out": outs})
}

/// Whether Lean is asked everything, and not one in four: that takes minutes.
fn all() -> bool {
    std::env::var_os("RAZORGIRL_LINEAR_ALL").is_some()
}

/// `RAZORGIRL_BANK_CASES`: how many bank counts, and as many layouts of shared memory, Lean is asked for alone.
/// `RAZORGIRL_BANK_SEED`: others than without it. For long runs, of which
/// `RAZORGIRL_BANK_CASES=10000 cargo test --release -p spec-tests --test lean linear::rust_and_lean_agree` is one.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// Bank counts and layouts of shared memory, drawn at random.
fn banks(rng: &mut Rng, count: u64) -> Vec<Value> {
    let asked = ["bank_conflicts", "optimal_swizzle"].into_iter().flat_map(|name| (0..count).map(move |id| (name, id)));
    asked.map(|(name, id)| razorgirl_conform::generate::request(rng, id, name, 1 << 12)).collect()
}

/// Every linear layout of three columns of three bits: is it a swizzle after a layout?
fn three_by_three() -> impl Iterator<Item = Value> {
    let layout = |code: u64| json!({"in": [["i", [[code & 7], [code >> 3 & 7], [code >> 6]]]], "out": [["o", 8]]});
    (0..512).map(move |code| json!({"op": "linear_to_swizzled", "args": [layout(code)]}))
}

pub fn requests() -> Vec<Value> {
    let mut rng = Rng::new(0x6632_6c69 + number("RAZORGIRL_BANK_SEED").unwrap_or(0));
    if let Some(count) = number("RAZORGIRL_BANK_CASES") {
        return numbered(banks(&mut rng, count));
    }
    let mut asked: Vec<Value> = recorded()
        .into_iter()
        .step_by(if all() { 1 } else { 7 })
        .map(|record| json!({"op": record["op"], "args": record["args"]}))
        .collect();
    let step = if all() { 1 } else { 5 };
    asked.extend(
        recorded_memory().into_iter().step_by(step).map(|record| json!({"op": record["op"], "args": record["args"]})),
    );
    for _ in 0..if all() { 200 } else { 8 } {
        asked.extend(encodings(&mut rng));
    }
    asked.extend(banks(&mut rng, if all() { 10_000 } else { 60 }));
    asked.extend(three_by_three());
    // every swizzle with few bits, and any
    for (bits, base) in (0..4).flat_map(|bits| (0..3).map(move |base| (bits, base))) {
        for shift in -4_i64..=4 {
            asked.push(json!({"op": "swizzle", "args": [bits, base, shift, rng.below(1 << 10)]}));
            asked.push(json!({"op": "swizzle", "args": [bits, base, shift, rng.bits()]}));
        }
    }
    for _ in 0..400 {
        let shift = i64::try_from(rng.below(160)).unwrap_or(0) - 80;
        asked.push(json!({"op": "swizzle", "args": [rng.below(80), rng.below(80), shift, rng.bits()]}));
    }
    for bits in 62..68 {
        asked.push(json!({"op": "swizzle", "args": [bits, 1, 2, rng.bits()]}));
        let layout = json!({"swizzle": [bits, 0, 2], "offset": 5, "shape": [4, 4], "stride": [1, 4]});
        asked.push(json!({"op": "swizzled_eval", "args": [layout]}));
    }
    // all 2 x 2 layouts by each other
    let small = |code: u64| json!({"in": [["i", [[code & 3], [code >> 2]]]], "out": [["i", 4]]});
    for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))).step_by(if all() { 1 } else { 5 }) {
        for op in ["compose", "invert_and_compose", "lstsq", "mul", "divide_left", "divide_right", "get_reps"] {
            asked.push(json!({"op": format!("linear_{op}"), "args": [small(a), small(b)]}));
        }
    }
    // large ones, up to 63 bits a side
    for _ in 0..if all() { 120 } else { 20 } {
        let bits = 1 + rng.below(20);
        let outs = [("x", bits), ("y", rng.below(21)), ("z", rng.below(21))];
        let a = layout(&mut rng, 21, &["register", "lane", "warp"], &outs);
        let b = layout(&mut rng, 16, &["lane", "other"], &outs);
        for op in ["invert", "pseudoinvert", "free_variable_masks", "predicates", "num_consecutive", "flatten_ins"] {
            asked.push(json!({"op": format!("linear_{op}"), "args": [a]}));
        }
        for op in ["lstsq", "invert_and_compose", "mul", "divide_left", "divide_right", "get_reps", "concat_ins"] {
            asked.push(json!({"op": format!("linear_{op}"), "args": [a, b]}));
        }
        asked.push(json!({"op": "linear_contiguous_along", "args": [a, "x"]}));
        asked.push(json!({"op": "linear_transpose_outs", "args": [a, ["z", "x", "y"]]}));
        asked.push(json!({"op": "linear_ensure_not_larger", "args": [a, [["x", 2], ["y", 2], ["z", 2]], false]}));
    }
    // malformed ones
    for layout in [
        json!({"in": [["i", [[1]]]], "out": [["o", 3]]}),
        json!({"in": [["i", [[1]]]], "out": [["o", 0]]}),
        json!({"in": [["i", [[2]]]], "out": [["o", 2]]}),
        json!({"in": [["i", [[1, 1]]]], "out": [["o", 2]]}),
        json!({"in": [["i", [[1]]], ["i", [[1]]]], "out": [["o", 2]]}),
        json!({"in": [["i", [[1, 1]]]], "out": [["o", 2], ["o", 2]]}),
        json!({"in": [["i", vec![json!([1]); 64]]], "out": [["o", 2]]}),
        json!({"in": [], "out": [["o", 1_u64 << 32], ["p", 1_u64 << 32]]}),
        json!({"in": [["i", [[-1]]]], "out": [["o", 2]]}),
        json!({"in": 1, "out": []}),
        json!([1, 2]),
    ] {
        asked.push(json!({"op": "linear_invert", "args": [layout]}));
    }
    // an output that must grow without an input, and coordinates of other dimensions
    let none = json!({"in": [], "out": [["x", 1]]});
    for size in [1, 4] {
        asked.push(json!({"op": "linear_ensure_not_smaller", "args": [none, [["x", size]]]}));
    }
    let lanes = json!({"in": [["lane", [[1], [2]]]], "out": [["x", 4]]});
    for point in
        [json!({"lane": 1}), json!({"lane": 1, "warp": 3}), json!({"warp": 3}), json!({"lane": 1, "warp": "x"})]
    {
        asked.push(json!({"op": "linear_apply", "args": [lanes, [point]]}));
    }
    numbered(asked)
}

fn numbered(mut requests: Vec<Value>) -> Vec<Value> {
    for (n, request) in requests.iter_mut().enumerate() {
        request["id"] = json!(n);
    }
    requests
}

/// 196 of the 512 layouts of three columns of three bits are a swizzle after a layout, and 316 are not.
#[test]
fn of_three_by_three_layouts_196_are_swizzled() {
    let swizzled = three_by_three().filter(|request| !rust(request)["result"].is_null()).count();
    assert_eq!(swizzled, 196);
}

#[test]
fn rust_and_lean_agree() {
    let answered = lean("linear");
    let (mut accepted, mut wrong) = (0_usize, vec![]);
    for (request, lean) in answered {
        let rust = rust(request);
        accepted += usize::from(rust.get("result").is_some());
        if rust.get("result") != lean.get("result") || rust["error"]["code"] != lean["error"]["code"] {
            wrong.push(format!("request: {request}\nrust: {rust}\nlean: {lean}"));
        }
    }
    println!("{} requests, {accepted} of them answered", answered.len());
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n\n"));
    assert!(accepted * 2 > answered.len(), "{accepted}");
}
