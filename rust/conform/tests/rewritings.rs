//! What depends on a function alone does not depend on how the function is written: every operation where that holds, our
//! own library, operands split, merged, filled with modes of extent 1 and nested otherwise.

use razorgirl_conform::driver::{Plan, Shard};
use razorgirl_conform::generate::{Rng, operation, renested, rewritten};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// An operation with the places of layouts of which only the function counts, and of those whose extents count besides,
/// because the answer has to refine their shape. The answer, where it is a layout, is then the same function.
///
/// `upcast` is of the second kind: `48:1` has elements of 8, and `(12,4):(1,12)` has none that refine it. `downcast` and
/// `recast` are of neither: the parts of an element need a mode to lie in, one of stride 1 or the only one of extent 1, so
/// `2:2` in 4 parts is refused where `(1,2):(0,2)` is `(4,2):(1,8)`.
type Row = (&'static str, &'static [usize], &'static [usize]);

const BY_FUNCTION: &[Row] = &[
    ("coalesce", &[0], &[]),
    ("complement", &[0], &[]),
    ("complement_ceil", &[0], &[]),
    ("composition", &[0], &[1]),
    ("composition_complete", &[0], &[1]),
    ("composition_extended", &[], &[1]),
    ("coshape", &[0], &[]),
    ("cosize", &[0], &[]),
    ("eval", &[0], &[]),
    ("filter", &[0], &[]),
    ("inverse", &[0], &[]),
    ("is_contiguous", &[0], &[]),
    ("is_injective", &[0], &[]),
    ("left_inverse", &[0], &[]),
    ("left_inverse_complete", &[0], &[]),
    ("logical_divide", &[0], &[1]),
    ("logical_product", &[0], &[1]),
    ("max_alignment", &[0], &[]),
    ("max_common_layout", &[0, 1], &[]),
    ("max_common_vector", &[0, 1], &[]),
    ("nullspace", &[0], &[]),
    ("quasi_left_inverse", &[0], &[]),
    ("right_inverse", &[0], &[]),
    ("upcast", &[], &[0]),
    ("with_shape_complete", &[0], &[]),
];

/// A way to write a layout otherwise.
type How = fn(&mut Rng, &Value) -> Option<Value>;

/// Requests of each operation.
const CASES: u64 = 400;

fn ask(request: &Value) -> Value {
    serde_json::from_str(&razorgirl_protocol::answer(request.to_string().as_bytes())).expect("we answer JSON")
}

/// The function that is answered, or that there is none.
fn meaning(answer: &Value) -> Value {
    let Some(result) = answer.get("result") else { return Value::from("a refusal") };
    if result.get("shape").is_none() {
        return result.clone();
    }
    ask(&serde_json::json!({"id": 1, "op": "coalesce", "args": [result]}))["result"].clone()
}

#[test]
fn an_operation_does_not_depend_on_how_a_layout_is_written() {
    let plan = Plan {
        command: String::new(),
        ops: BY_FUNCTION.iter().map(|(op, ..)| (*op).to_owned()).collect(),
        cases: CASES,
        seed: 5,
        shard: Shard::ALL,
        jobs: 1,
        batch: None,
        timeout: Duration::ZERO,
        start_timeout: Duration::ZERO,
        exact: true,
        examples: 1,
    };
    let mut rng = Rng::new(17);
    let mut compared: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut differ = String::new();
    for number in 0..plan.total() {
        let case = plan.case(number);
        let (name, functions, shapes) = BY_FUNCTION[case.op];
        assert!(operation(name).is_some(), "{name}");
        let mut other = case.request.clone();
        let hows: [(&[usize], How); 2] = [(functions, rewritten), (shapes, renested)];
        for (places, how) in hows {
            for place in places {
                // a tiler that is no layout stays
                if let Some(written) = case.request["args"].get(*place).and_then(|layout| how(&mut rng, layout)) {
                    other["args"][*place] = written;
                }
            }
        }
        // a profile names modes, which are others now
        let by_profile =
            matches!(name, "coalesce" | "filter") && case.request["args"].as_array().map(Vec::len) == Some(2);
        // a list of tilers names modes, too
        let by_mode = name.starts_with("logical") && !case.request["args"][1].is_object();
        if other == case.request || by_profile || by_mode {
            continue;
        }
        let [a, b] = [&case.request, &other].map(|request| meaning(&ask(request)));
        let counts = compared.entry(name).or_default();
        counts.0 += 1;
        counts.1 += u64::from(a != "a refusal");
        if a != b && differ.lines().count() < 12 {
            let _ = writeln!(differ, "{name} {}: {a}, but {}: {b}", case.request["args"], other["args"]);
        }
    }
    assert!(differ.is_empty(), "\n{differ}");
    for (name, ..) in BY_FUNCTION {
        let (all, answered) = compared.get(name).copied().unwrap_or_default();
        assert!(all > CASES / 8 && answered > CASES / 20, "{name}: {answered} answers among {all}");
    }
}

#[test]
fn the_inverse_of_a_split_mode() {
    for (shape, stride) in ["[4,2,2]:[1,4,9]", "[8,2]:[1,9]", "[[2,2],[2,1],2]:[[1,2],[4,7],9]"].map(|text| {
        let (shape, stride) = text.split_once(':').expect("a colon");
        (serde_json::from_str::<Value>(shape).expect("JSON"), serde_json::from_str::<Value>(stride).expect("JSON"))
    }) {
        let layout = serde_json::json!({"shape": shape, "stride": stride});
        let answer = ask(&serde_json::json!({"id": 1, "op": "left_inverse", "args": [layout]}));
        assert_eq!(answer["result"], serde_json::json!({"shape": [9, 2], "stride": [1, 8]}), "{layout}: {answer}");
    }
}
