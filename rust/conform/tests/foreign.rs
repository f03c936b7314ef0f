//! What is in a value and is not understood is refused: foreign fields and foreign kinds in every argument of every operation.

use razorgirl_conform::generate::foreign;
use razorgirl_conform::{Verdict, judge};
use razorgirl_protocol::{Engine, answer_by};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn what_is_not_understood_is_refused_and_the_rest_is_answered_by_its_definition() {
    let (mut asked, mut answered, mut wrong) = (0_u64, 0_u64, Vec::new());
    let (mut swizzled, mut coordinates) = (BTreeSet::new(), BTreeSet::new());
    for case in foreign() {
        let line = case.request.to_string();
        asked += 1;
        for engine in [Engine::Library, Engine::Extracted] {
            let answer: Value = serde_json::from_str(&answer_by(line.as_bytes(), engine)).expect("answers are JSON");
            assert_ne!(answer["error"]["code"], "internal", "{line}: {answer}");
            if answer.get("result").is_none() {
                continue;
            }
            answered += 1;
            let verdict = judge(&case.request, &answer, true);
            if case.unknown_field || !verdict.is_fine() {
                wrong.push(format!("{verdict:?}\n  {line}\n  {answer}"));
            }
            for (sign, ops) in [("\"swizzle\":[", &mut swizzled), ("\"1@0\":", &mut coordinates)] {
                if verdict == Verdict::Right && case.request["args"].to_string().contains(sign) {
                    ops.insert(case.request["op"].as_str().unwrap_or_default().to_owned());
                }
            }
        }
    }
    println!("{asked} requests, {answered} answers; swizzled layouts: {swizzled:?}");
    let first = &wrong[..wrong.len().min(12)];
    assert!(wrong.is_empty(), "{} answers are wrong\n{}", wrong.len(), first.join("\n"));
    assert!(asked > 20_000 && answered > 1_000, "{asked} requests, {answered} answers");
    for op in ["call", "composition", "eval", "recast", "size", "rank", "swizzled_eval"] {
        assert!(swizzled.contains(op), "{op} takes no swizzled layout");
    }
    for op in ["call", "coalesce", "eval", "size", "coord_eval"] {
        assert!(coordinates.contains(op), "{op} takes no layout of coordinates");
    }
}
