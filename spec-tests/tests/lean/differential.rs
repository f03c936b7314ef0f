//! Rust against the plain model of the definitions, and Rust against Lean.
//!
//! Every operation of the protocol, exhaustively on small layouts and at random on large ones. A counterexample is printed
//! as one request: paste it into `razorgirl run` or the oracle.

use crate::oracle_answers::{lean, rust, without_offset};
use razorgirl_conform::generate::{
    Rng, flat_layouts, flat_layouts_of_rank, malformed, names, operation, request, unary_request,
};
use razorgirl_conform::model::Layout;
use razorgirl_conform::{Verdict, judge};
use razorgirl_protocol::Kind;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SEED: u64 = 0x7a20_6172_6c67_6972;

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
    asked.push(json!({"id": 0, "op": "left_inverse", "mode": "complete", "args": [layout]}));
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

/// A random request for an operation of the table; modes that change nothing are asked for now and then.
fn asked(rng: &mut Rng, id: u64, name: &str, max_size: u64) -> Value {
    let mut request = request(rng, id, name, max_size);
    let idle = operation(name).map_or(&[][..], |(op, _)| op.idle);
    if !idle.is_empty() && rng.once_in(3) {
        request["mode"] = json!(rng.pick(idle).name());
    }
    request
}

/// So many random requests for each operation, with what is judged by the definition, and by the law alone where that is
/// how a peer is judged.
#[test]
fn rust_agrees_with_the_definition_on_random_requests() {
    for (n, name) in (0_u64..).zip(names()) {
        let mut rng = Rng::new(SEED + 10 * n);
        let (mut accepted, mut unjudged) = (0_u64, 0_u64);
        for id in 0..1_500 {
            let max_size = if rng.once_in(3) { u64::MAX } else { 1 << 12 };
            let request = asked(&mut rng, id, name, max_size);
            let answer = rust(&request);
            let verdict = judge(&request, &answer, true);
            assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {answer}");
            let law = judge(&request, &answer, false);
            // a composite that exists only for these strides: strict composition is not meant to find it
            let accidental = matches!(law, Verdict::RefusedThoughExists(_)) && request["mode"] != "complete";
            assert!(law.is_fine() || accidental, "{law:?}\nrequest: {request}\nanswer:  {answer}");
            accepted += u64::from(answer.get("result").is_some());
            unjudged += u64::from(verdict == Verdict::Unjudged);
        }
        println!("{name}: {accepted} accepted, {unjudged} too large to judge");
        assert!(accepted >= 150, "{name}: {accepted} accepted");
        assert!(unjudged < 75, "{name}: {unjudged} too large to judge");
    }
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

/// Two answers say the same: equal results and fields beside them up to strides of extent 1, or refusals with codes that
/// both apply. Collisions and witnesses may differ: each is checked for itself.
fn agree(request: &Value, rust: &Value, lean: &Value) -> bool {
    let same = razorgirl_conform::judge::same;
    let beside = operation(&op_of(request)).map_or(&[][..], |(op, _)| op.beside);
    let beside = beside.iter().filter(|field| !["collision", "witness"].contains(*field));
    rust["id"] == lean["id"]
        && match (rust.get("result"), lean.get("result")) {
            (Some(a), Some(b)) => {
                same(&without_offset(a), &without_offset(b))
                    && beside.into_iter().all(|field| lean.get(*field).is_none_or(|lean| same(&rust[*field], lean)))
            }
            (None, None) => {
                let applies = |answer: &Value| judge(request, answer, true).is_fine();
                // of divisions, products and modes Lean tells the code alone: the witness that Rust tells is judged with it
                let mut lean = lean.clone();
                if let (Some(witness), None) = (rust["error"].get("witness"), lean["error"].get("witness")) {
                    lean["error"]["witness"] = witness.clone();
                }
                let same_code = rust["error"]["code"] == lean["error"]["code"];
                same_code && rust["error"].get("witness") == lean["error"].get("witness")
                    || (same_code || !has_proved_code(request))
                        && (applies(rust) && applies(&lean) || several_modes(request))
            }
            _ => false,
        }
}

/// Of these Lean prints the code that is proved, of the place that is proved to be refused. So Rust's code is to be the same one,
/// and not only one that applies.
const PROVED_CODES: [&str; 21] = [
    "blocked_product",
    "composition",
    "composition_by_mode",
    "composition_extended",
    "flat_divide",
    "flat_product",
    "inner_partition",
    "local_partition",
    "logical_divide",
    "logical_divide_ceil",
    "logical_product",
    "outer_partition",
    "raked_product",
    "swizzled_composition",
    "tile_to_shape",
    "tiled_divide",
    "tiled_product",
    "with_shape",
    "zipped_divide",
    "zipped_divide_ceil",
    "zipped_product",
];

fn has_proved_code(request: &Value) -> bool {
    operation(&op_of(request)).is_some_and(|(op, _)| PROVED_CODES.contains(&op.name))
}

/// Whether a tiler has several modes, of which each may be refused for a reason of its own.
fn several_modes(request: &Value) -> bool {
    args_of(request).iter().any(|arg| arg.as_array().is_some_and(|list| list.len() > 1))
}

/// Lean goes through coordinates where it refuses, lists them for some operations, and searches left inverses without a
/// bound on the steps: of what is large it is not asked.
fn few(request: &Value) -> bool {
    let op = op_of(request);
    if op == "left_inverse" && request["mode"] == "complete" {
        let layout = args_of(request).first().and_then(|arg| Layout::read(arg).ok());
        // above 2^12 neither searches
        return layout.is_none_or(|layout| layout.cosize() <= 128.into() || layout.cosize() > 4096.into());
    }
    if op == "linear_to_swizzled" {
        // Lean lists every swizzle of so many bits before it looks: 54,000 of 30
        let outs = request["args"][0]["out"].as_array().into_iter().flatten();
        let bits: u32 = outs.filter_map(|dim| dim[1].as_u64()?.checked_ilog2()).sum();
        return bits <= 12;
    }
    let listed = ["eval", "is_injective", "is_contiguous", "find_layout", "find_layout_over"].contains(&op.as_str());
    let composes = razorgirl_conform::model::composes(&op) || op == "index_code";
    let sizes = || args_of(request).iter().filter_map(|arg| Layout::read(arg).ok()).map(|layout| layout.size());
    if listed {
        return !matches!(judge(request, &rust(request), true), Verdict::Unjudged);
    }
    // where they refuse, these go through all coordinates too
    !(composes || ["with_shape", "swizzled_composition", "coord_composition"].contains(&op.as_str()))
        || sizes().all(|size| size <= 512.into())
}

/// A request as Lean reads it: it knows no text in isl's notation, and is given the pairs that the library reads there. What the
/// library refuses to read is not asked.
fn without_texts(mut request: Value) -> Option<Value> {
    let is_relation = |kind: Kind| kind == Kind::Relation;
    let op = operation(&op_of(&request))?.0;
    let args = request["args"].as_array_mut()?;
    if !op.forms.iter().any(|form| form.parameters.iter().any(|parameter| is_relation(parameter.kind))) {
        return Some(request);
    }
    for arg in args.iter_mut().filter(|arg| arg.is_string()) {
        *arg = Kind::Relation.read_json(&arg.to_string(), 1).ok()?.to_json();
    }
    Some(request)
}

/// What Rust answers as Lean would: of index code the offsets that it computes.
fn as_lean(request: &Value, mut answer: Value) -> Value {
    if request["op"] == "index_code"
        && let Some(text) = answer["result"]["code"].as_str()
    {
        // of a swizzled layout those of the layout inside
        let of = &request["args"][0];
        let inside = json!({"shape": of["shape"], "stride": of["stride"]});
        let size = Layout::read(&inside).ok().and_then(|layout| u32::try_from(&layout.size()).ok());
        let language = request["args"][1].as_str().unwrap_or_default();
        answer["result"] = razorgirl_conform::judge::computed(text, language, size.unwrap_or(0)).unwrap_or(Value::Null);
    }
    answer
}

/// Every operation of the table, all modes and all fields.
pub fn requests() -> Vec<Value> {
    let mut batch: Vec<Value> = vec![json!({"id": "ops", "op": "ops", "args": []})];
    let mut rng = Rng::new(SEED + 2);
    // over 2,000 for each unary operation out of 22,765 layouts, and in proportion for the others
    for layout in flat_layouts() {
        batch.extend(questions(&layout).into_iter().filter(|question| {
            let often = UNARY.iter().any(|op| question["op"] == *op) && args_of(question).len() == 1;
            let searched = question["op"] == "left_inverse";
            chosen(
                question,
                if often {
                    10
                } else if searched {
                    20
                } else {
                    400
                },
            )
        }));
    }
    for name in names() {
        // linear layouts have a test of their own
        for id in 0..if name.starts_with("linear_") { 40 } else { 200_u64 } {
            let max_size = if rng.once_in(3) { u64::MAX } else { 1 << 9 };
            batch.extend(without_texts(asked(&mut rng, id, name, max_size)));
        }
    }
    for id in 0..1_000_u64 {
        batch.push(malformed(&mut rng, id));
    }
    batch.retain(few);
    for (i, request) in batch.iter_mut().enumerate().skip(1) {
        request["id"] = json!(i);
    }
    batch
}

#[test]
fn rust_and_lean_agree() {
    let answered = lean("differential");
    let (mut counts, mut accepted) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    let mut wrong = Vec::new();
    for (request, lean) in answered {
        let rust = as_lean(request, rust(request));
        if !agree(request, &rust, lean) {
            wrong.push(format!("request: {request}\nrust: {rust}\nlean: {lean}"));
        }
        *counts.entry(op_of(request)).or_default() += 1;
        *accepted.entry(op_of(request)).or_default() += u64::from(rust.get("result").is_some());
    }
    println!("{} requests: {counts:?}\naccepted {accepted:?}", answered.len());
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "Rust and Lean disagree on {} requests\n{}", wrong.len(), first.join("\n\n"));
    for op in UNARY {
        assert!(counts[op] >= 2_000, "{op}: only {} requests went through Lean", counts[op]);
    }
    for name in names() {
        let op = operation(name).map_or("", |(op, _)| op.name);
        // of 40 and of 200 requests
        let enough = if op.starts_with("linear_") { 10 } else { 20 };
        assert!(accepted.get(op).is_some_and(|&n| n >= enough), "{op}: {:?} accepted", accepted.get(op));
    }
}
