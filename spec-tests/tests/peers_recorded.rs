//! Recorded answers of further implementations, through the judges of `razorgirl conform`.
//!
//! What whoever recorded an answer thought of it (`semantic`) was found out by other code than ours. Wherever that and our
//! verdict differ, the difference has a name here, or the test fails. The snapshots hold the counts, file by file, and an
//! example of each difference.

use razorgirl_conform::judge::{Verdict, judge};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// One recorded call.
struct Line {
    request: Value,
    answer: Value,
    /// what the recorder thought of the answer
    semantic: Option<bool>,
    reason: String,
}

fn read(line: &Value) -> Line {
    let (op, args, result) = match line["op"].as_str().unwrap_or_default() {
        // the categories package names its operands, the inner one first
        "layout_compose" => {
            let args = json!([line["args"]["B"], line["args"]["A"]]);
            ("composition", args, line["result"].get("layout").cloned())
        }
        "composition_truth" => {
            let args = json!([line["args"]["outer"], line["args"]["inner"]]);
            let composite = &line["result"]["composite"];
            ("composition", args, (!composite.is_null()).then(|| composite.clone()))
        }
        op => (op, line["args"].clone(), line.get("result").or_else(|| line.get("cpp")).cloned()),
    };
    let answer = match result {
        Some(result) => json!({"id": 0, "result": result}),
        None => json!({"id": 0, "error": {"code": "refused"}}),
    };
    let text = |keys: [&str; 2]| keys.iter().find_map(|key| line.get(*key)).cloned().unwrap_or(Value::Null);
    Line {
        request: json!({"id": 0, "op": op, "args": args}),
        answer,
        semantic: text(["semantic", "cpp_semantic"]).as_bool(),
        reason: text(["reason", "cpp_reason"]).as_str().unwrap_or_default().to_owned(),
    }
}

fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Right => "right".into(),
        Verdict::Extended(why) => format!("extended: {why}"),
        Verdict::RefusedRightly => "refused rightly".into(),
        Verdict::ExistsOutside(_) => "exists, outside our contract".into(),
        Verdict::RefusedThoughExists(_) => "refused though it exists".into(),
        Verdict::Wrong(wrong) => format!("wrong: {}", wrong.kind),
        Verdict::Unjudged => "unjudged".into(),
    }
}

/// Why our verdict is another than the recorder's; `None` when it should not be.
fn explained(line: &Line, verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        // complement(2:8, 18) = (8,2):(1,16): side by side they hit each address of [0,32) once, two whole blocks, yet
        // cosize(R) = 24 is over the 18 that CuTe's own post-condition allows. The post-condition is what is false.
        Verdict::Extended("cotarget rounded up") if line.reason.starts_with("too-large") => {
            Some("CuTe's bound on the cosize of a complement does not hold where the complement is right")
        }
        // beyond the domain the recorder lets C++ decide, where a last extent of 1 keeps its stride and grows; pycute
        // grows the coalesced layout, which has no such mode: (2,1):(1,7) after 2:4 is 2:4 there
        Verdict::Extended("last mode grown") if line.reason.starts_with("value_out_of_domain") => {
            Some("growth past the domain: a last extent of 1 grows in C++, the mode before it in pycute")
        }
        _ => None,
    }
}

fn replay(name: &str, unexplained: &mut String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("vectors/algebra/{name}.jsonl"));
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let mut counts = BTreeMap::<String, u64>::new();
    let mut differences = BTreeMap::<&str, (u64, String)>::new();
    for line in text.lines() {
        let line = read(&serde_json::from_str(line).expect("each line is JSON"));
        let verdict = judge(&line.request, &line.answer, false);
        let op = line.request["op"].as_str().unwrap_or("?");
        *counts.entry(format!("{op:>20}  {}", in_words(&verdict))).or_default() += 1;
        let differs = line.semantic.is_some_and(|fine| fine != verdict.is_fine());
        if differs {
            let shown = format!(
                "{op} {}\n    answered {}\n    recorded as {} {}\n    judged {verdict:?}",
                line.request["args"],
                line.answer["result"],
                if line.semantic == Some(true) { "right" } else { "wrong:" },
                line.reason
            );
            match explained(&line, &verdict) {
                Some(why) => differences.entry(why).or_insert((0, shown)).0 += 1,
                None => {
                    let _ = writeln!(unexplained, "{name}: {shown}");
                }
            }
        }
    }
    let mut report = String::new();
    for (outcome, count) in counts {
        let _ = writeln!(report, "{count:>6} {outcome}");
    }
    for (why, (count, example)) in differences {
        let _ = writeln!(report, "\n{count} differ from the recorder's view: {why}\n  such as {example}");
    }
    report
}

#[test]
fn recorded_peers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/algebra");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the vectors are in the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    names.sort();
    assert_eq!(names.len(), 19);
    let mut unexplained = String::new();
    let reports: Vec<String> = names.iter().map(|name| replay(name, &mut unexplained)).collect();
    assert!(unexplained.is_empty(), "nobody has explained these\n{unexplained}");
    for (name, report) in names.into_iter().zip(reports) {
        insta::assert_snapshot!(name, report);
    }
}
