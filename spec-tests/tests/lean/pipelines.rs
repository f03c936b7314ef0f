//! The explorer of pipelines against Lean: what it calls right for every trip count has a certificate that Lean accepts, and what the
//! hardware breaks is refuted by Lean's own steps.

use crate::oracle_answers::lean;
use razorgirl_pipeline::{Bounds, Hardware, Law, Verdict, check, parse};
use serde_json::{Value, json};
use std::path::Path;

/// States of each of Lean's certificates at most. The larger fixtures need more.
const STATES: u32 = 1_700;
/// The trip count with which Lean tries to refute what the explorer does not.
const TRIPS: i64 = 2;

/// A ring with these consumers, loads, counts, bytes and parity.
fn ring(stages: u32, consumers: u32, loads: &[u32], full: u32, empty: u32, bytes: u32, flipped: &str) -> String {
    let each = |line: &dyn Fn(usize, u32) -> String| -> String {
        loads.iter().enumerate().map(|(i, &bytes)| line(i, bytes)).collect()
    };
    let buffers = each(&|i, _| format!("buffer A{i}[p]\n"));
    let issues = each(&|i, bytes| format!("    tma A{i}[p] full[p] {bytes}\n"));
    let reads = each(&|i, _| format!("    read A{i}[p]\n"));
    format!(
        "pipeline ring\nparam K\npipe p stages {stages}\nbarrier full[p] count {full}\nbarrier empty[p] count {empty}\n{buffers}\
         role producer\n  loop K\n    wait empty[p]{flipped}\n    arrive_expect full[p] {bytes}\n{issues}    next p\n\
         role consumer *{consumers}\n  loop K\n    wait full[p]\n{reads}    arrive empty[p]\n    next p\n"
    )
}

/// The text of each pipeline that Lean models: the fixtures of the crate, and small rings.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/pipeline/tests/pipelines");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut all: Vec<(String, String)> =
        files.iter().map(|file| (file.display().to_string(), std::fs::read_to_string(file).unwrap())).collect();
    for stages in 1..=2 {
        for (full, empty) in [(1, 1), (2, 1), (1, 2)] {
            for bytes in [0, 16, 32] {
                for flipped in ["", " flipped"] {
                    let name = format!("{stages} stages, {full}, {empty}, {bytes}{flipped}");
                    all.push((name, ring(stages, 1, &[16], full, empty, bytes, flipped)));
                }
            }
        }
    }
    for (consumers, loads) in [(1, &[16_u32, 32][..]), (1, &[16, 16, 16]), (2, &[16])] {
        let text = ring(1, consumers, loads, 1, consumers, loads.iter().sum(), " flipped");
        all.push((format!("{consumers} consumers, loads {loads:?}"), text));
    }
    all.retain(|(_, text)| parse(text).unwrap().for_lean().is_ok());
    all
}

/// The trip count with which the hardware breaks a law that Lean's definition has.
fn breaks(verdict: &Verdict) -> Option<i64> {
    let failure = verdict.failure.as_ref()?;
    let Hardware::Breaks(fault) = &failure.hardware else { return None };
    let modelled = matches!(fault.law, Law::Deadlock | Law::OverArrival | Law::Race | Law::WrongTile);
    modelled.then(|| failure.parameters[0].1)
}

fn verdict(text: &str) -> Verdict {
    check(&parse(text).unwrap(), &Bounds::default())
}

pub fn requests() -> Vec<Value> {
    let ask = |text: &str| -> Value {
        let program = parse(text).unwrap();
        let numbers: Value = serde_json::from_str(&program.for_lean().unwrap()).unwrap();
        json!({"op": "pipeline", "args": [numbers, STATES, breaks(&verdict(text)).unwrap_or(TRIPS)]})
    };
    texts().iter().map(|(_, text)| ask(text)).collect()
}

#[test]
fn lean_certifies_or_refutes_what_the_explorer_decides() {
    let (mut certified, mut refuted, mut open) = (0, 0, vec![]);
    let texts = texts();
    for ((name, text), (_, lean)) in texts.iter().zip(lean("pipelines")) {
        let verdict = verdict(text);
        match (lean["result"]["certified"].as_bool().unwrap(), lean["result"]["refuted"].as_bool().unwrap()) {
            (true, false) => {
                assert!(breaks(&verdict).is_none(), "{name}: Lean certifies it, and {verdict:?}");
                certified += 1;
            }
            (false, true) => {
                assert!(!verdict.every_trip_count(), "{name}: Lean refutes it");
                refuted += 1;
            }
            (false, false) => {
                assert!(breaks(&verdict).is_none(), "{name}: Lean does not refute it, and {verdict:?}");
                open.push(name);
            }
            (true, true) => panic!("{name}: certified and refuted"),
        }
    }
    println!("{certified} certified, {refuted} refuted, {} open: {open:#?}", open.len());
    assert!(certified >= 6 && refuted >= 45, "{certified} certified, {refuted} refuted, open: {open:#?}");
}
