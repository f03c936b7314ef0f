//! A request and its two answers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;
use spec_tests::Oracle;

use crate::{differential, foreign, linear, pipelines, recast, schedules, simplify};

type Part = (&'static str, fn() -> Vec<Value>);

/// Who asks Lean, and what.
const PARTS: [Part; 7] = [
    ("differential", differential::requests),
    ("foreign", foreign::requests),
    ("linear", linear::requests),
    ("pipelines", pipelines::requests),
    ("recast", recast::requests),
    ("schedules", schedules::requests),
    ("simplify", simplify::requests),
];

/// Each part's requests with Lean's answers, of one process.
static ANSWERED: LazyLock<BTreeMap<&'static str, Vec<(Value, Value)>>> = LazyLock::new(|| {
    let asked = PARTS.map(|(name, requests)| (name, requests()));
    let lines: Vec<String> = asked.iter().flat_map(|(_, requests)| requests.iter().map(Value::to_string)).collect();
    let answers = Oracle::open().and_then(|oracle| oracle.ask(&lines)).expect("Lean evaluates the requests");
    assert_eq!(answers.len(), lines.len());
    let mut answers = answers.into_iter().map(|answer| serde_json::from_str(&answer).expect("Lean answers JSON"));
    asked.into_iter().map(|(name, requests)| (name, requests.into_iter().zip(answers.by_ref()).collect())).collect()
});

/// What the library answers.
pub fn rust(request: &Value) -> Value {
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request} is answered by no JSON ({error}): {line}"))
}

/// A result, but for which pair of tiles is named that share an offset: each is judged for itself.
pub fn without_offset(result: &Value) -> Value {
    let mut result = result.clone();
    if result["fault"] == "shared" {
        result["offset"] = Value::Null;
    }
    result
}

/// The requests of a part with Lean's answers.
pub fn lean(part: &str) -> &'static [(Value, Value)] {
    &ANSWERED[part]
}

/// First by name, so that Lean begins at once, beside the tests that need no answer of it.
#[test]
fn every_part_is_answered() {
    for (part, _) in PARTS {
        let refused = lean(part).iter().filter(|(_, answer)| answer.get("error").is_some()).count();
        assert!(refused < lean(part).len(), "{part}: Lean refuses all of {refused} requests");
    }
}
