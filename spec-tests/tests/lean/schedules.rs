//! Integer division, TMA correctness and schedules: Rust against Lean.
//!
//! What is small is asked exhaustively. Rust is held against brute force in its own tests; here both sides have to agree.

use crate::oracle_answers::{lean, rust, without_offset};
use razorgirl_conform::generate::{Rng, schedule, schedules};
use razorgirl_conform::judge::same;
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
    for s in 1..=12 {
        for b in 1..=12 {
            for e in 1..=12 {
                asked.push(json!({"op": "fttc", "args": [[s], [b], [e]]}));
            }
        }
    }
    for n in 0..4_u32.pow(6) {
        let digit = |place: u32| n / 4_u32.pow(place) % 4 + 1;
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

fn shared_memory(rng: &mut Rng, asked: &mut Vec<Value>) {
    for bytes in [16, 32, 64, 128] {
        for address in 0..1024 {
            asked.push(json!({"op": "tma_swizzle", "args": [bytes, address]}));
        }
        for _ in 0..100 {
            asked.push(json!({"op": "tma_swizzle", "args": [bytes, rng.bits() >> rng.below(60)]}));
        }
    }
    asked.push(json!({"op": "tma_swizzle", "args": [48, 0]}));
    let modes = |rng: &mut Rng, extents: u64, unit: u64| {
        let rank = rng.between(1, 3);
        let mut packed = unit;
        let modes: Vec<(u64, u64)> = (0..rank)
            .map(|_| {
                let extent = rng.between(1, extents);
                let stride = if rng.once_in(5) { unit * rng.below(9) } else { packed };
                packed *= extent;
                (extent, stride)
            })
            .collect();
        let (extents, strides): (Vec<u64>, Vec<u64>) = modes.into_iter().unzip();
        json!({"shape": extents, "stride": strides})
    };
    for _ in 0..2000 {
        let tile = modes(rng, 4, 1);
        let size: u64 = tile["shape"].as_array().into_iter().flatten().filter_map(Value::as_u64).product();
        let unit = if rng.once_in(8) { rng.between(1, 4) } else { size };
        let n = if rng.once_in(10) { rng.between(1, 64) } else { size };
        asked.push(json!({"op": "tma_tile_fault", "args": [tile, modes(rng, 5, unit), n]}));
    }
    asked.push(json!({"op": "tma_tile_fault", "args": [{"shape": 4, "stride": 1}, {"shape": 8, "stride": 4}, 512]}));
    asked.push(json!({"op": "tma_tile_fault", "args": [{"shape": 4, "stride": 1}, {"shape": 8, "stride": 4}, 0]}));
}

fn scheduled(rng: &mut Rng, asked: &mut Vec<Value>) {
    for n in 0..4_000 {
        let one = schedule(rng, 8, 48);
        asked.push(json!({"op": "schedule_eval", "args": [one]}));
        asked.push(json!({"op": "schedule_predicates", "args": [one]}));
        if n % 4 == 0 {
            asked.push(json!({"op": "schedule_axes", "args": [one]}));
        }
        // Lean goes through every point of both
        if n % 8 == 0 {
            asked.push(json!({"op": "schedule_essential", "args": [one]}));
            let pair = schedules(rng, 6, 48);
            for op in ["schedule_equivalent", "schedule_equivalent_e2", "schedule_equivalent_valid_items"] {
                asked.push(json!({"op": op, "args": pair}));
            }
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
    let of = |extents: Value, steps: Value| json!({"extents": extents, "steps": steps});
    let resized = json!([{"resize": 0, "left": 0, "right": -2}, {"resize": 0, "left": 0, "right": 2}]);
    let cut = json!([{"resize": 0, "left": -1, "right": 0}, {"resize": 0, "left": 1, "right": 0}]);
    let swizzled = json!([{"swizzle": "xor", "axes": [0, 1]}, {"swizzle": "xor", "axes": [0, 1]}]);
    let padded = [json!({"resize": 0, "left": 0, "right": 1}), json!({"resize": 1, "left": 0, "right": 1})];
    let turned = json!([{"reorder": [1, 0]}, padded[0], padded[1]]);
    for pair in [
        [of(json!([4]), resized), of(json!([4]), json!([]))],
        [of(json!([3, 3]), swizzled), of(json!([3, 3]), json!([]))],
        [of(json!([4]), json!([])), of(json!([4]), cut)],
        [of(json!([1, 1]), json!(padded)), of(json!([1, 1]), turned)],
    ] {
        for op in ["schedule_equivalent", "schedule_equivalent_e2", "schedule_equivalent_valid_items"] {
            asked.push(json!({"op": op, "args": pair}));
        }
    }
    asked.push(json!({"op": "schedule_predicates", "args": [{"extents": vec![1; 1025]}]}));
    for extents in [json!([0]), json!([-2]), json!([3, 0]), json!("x"), json!(null)] {
        asked.push(json!({"op": "schedule_eval", "args": [{"extents": extents, "steps": []}]}));
    }
}

/// Divisions, the theorem, tiles in shared memory, schedules.
pub fn requests() -> Vec<Value> {
    let mut rng = Rng::new(0x7363_6865_6475_6c65);
    let mut asked = vec![];
    divisions(&mut rng, &mut asked);
    theorem(&mut asked);
    shared_memory(&mut rng, &mut asked);
    scheduled(&mut rng, &mut asked);
    for (id, request) in asked.iter_mut().enumerate() {
        request["id"] = json!(id);
    }
    asked
}

#[test]
fn rust_and_lean_agree() {
    let answered = lean("schedules");
    let (mut counts, mut refused) = (BTreeMap::<&str, u64>::new(), 0);
    let mut faults = BTreeMap::<String, u64>::new();
    for (request, lean) in answered {
        let rust = rust(request);
        let code = |answer: &Value| answer["error"]["code"].as_str().map(str::to_owned);
        let results = match (rust.get("result"), lean.get("result")) {
            // up to strides of extent 1
            (Some(rust), Some(lean)) => same(&without_offset(rust), &without_offset(lean)),
            (rust, lean) => rust.is_none() && lean.is_none(),
        };
        assert!(
            results && code(&rust) == code(lean),
            "Rust and Lean disagree\nrequest: {request}\nrust: {rust}\nlean: {lean}"
        );
        // a witness is one on either side
        if let Some(witness) = lean.get("witness").filter(|witness| !witness.is_null()) {
            assert!(!rust["witness"].is_null(), "{request}: {witness} is a witness for Lean");
        }
        if request["op"] == "tma_tile_fault" && code(&rust).is_none() {
            *faults.entry(rust["result"]["fault"].as_str().unwrap_or("none").to_owned()).or_insert(0) += 1;
        }
        refused += u64::from(code(&rust).is_some());
        *counts.entry(request["op"].as_str().unwrap_or("?")).or_default() += 1;
    }
    println!("{} requests, {refused} refused: {counts:?}", answered.len());
    assert!(counts["schedule_eval"] >= 4_000 && counts["fttc"] >= 5_800);
    assert!(faults.len() == 5 && faults.values().all(|&count| count > 25), "{faults:?}");
}
