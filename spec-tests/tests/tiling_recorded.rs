//! Recorded answers of CuTe C++, pycute and its successor to divisions and products.
//!
//! Ours are judged by the definition, theirs by what the operation promises; then both are compared. Whoever recorded an
//! answer thought of it what other code than ours had found out (`semantic`). Wherever that and our verdict differ, the
//! difference has a name here, or the test fails. The snapshots hold the counts and an example of each difference.

use razorgirl_conform::judge::{Verdict, judge, same};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The request and the answer of a recorded line.
fn call(line: &Value) -> (Value, Value) {
    let result = line.get("result").or_else(|| line.get("cpp"));
    let refused = ["error", "cpp_error"].iter().any(|key| line.get(key).is_some());
    let answer = match result {
        Some(result) if !refused => json!({"id": 0, "result": result}),
        _ => json!({"id": 0, "error": {"code": "refused"}}),
    };
    (json!({"id": 0, "op": line["op"], "args": line["args"]}), answer)
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&razorgirl_protocol::answer(request.to_string().as_bytes())).expect("we answer JSON")
}

/// The leaves of a layout, whose order is all that a function of the index depends on; extents of 1 do not matter.
fn modes(layout: &Value) -> Value {
    let flat = ask(&json!({"id": 0, "op": "coalesce", "args": [layout]}));
    flat.get("result").cloned().unwrap_or(Value::Null)
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

/// What a peer's answer is beside ours.
fn beside(peer: &Value, ours: &Value, verdict: &Verdict) -> String {
    let code = || ours["error"]["code"].as_str().unwrap_or("?").to_owned();
    match (peer.get("result"), ours.get("result")) {
        (Some(a), Some(b)) if same(a, b) => "the same".into(),
        (Some(a), Some(b)) if modes(a) == modes(b) => "the same function, nested in another way".into(),
        (Some(_), Some(_)) => format!("another function ({})", in_words(verdict)),
        (None, None) => "both refuse".into(),
        (None, Some(_)) => "only the peer refuses".into(),
        (Some(_), None) => format!("only we refuse: {} ({})", code(), in_words(verdict)),
    }
}

/// Why our verdict is another than the recorder's; `None` when it should not be.
fn explained(line: &Value, verdict: &Verdict, is_ours: bool) -> Option<&'static str> {
    let reason = ["reason", "cpp_reason"].iter().find_map(|key| line.get(*key)).and_then(Value::as_str).unwrap_or("");
    let from_nvlabs = line["id"].as_str().is_some_and(|id| id.starts_with("nvlabs"));
    match verdict {
        // by an integer, that of NVlabs multiplies where pycute divides; the recorder looked for pycute's answer
        Verdict::Right if is_ours && (from_nvlabs || reason.contains("int-tiler-bug")) => {
            Some("the answer is the definition's; the recorder took it for pycute's fault with integers")
        }
        Verdict::Right if is_ours && ["mode0", "rank"].iter().any(|start| reason.starts_with(start)) => {
            Some("the answer is the definition's; the recorder took it for pycute's fault with integers")
        }
        // beyond the layout the recorder lets C++ decide, where a last extent of 1 keeps its stride and grows
        Verdict::Extended("tiles reach past the layout") if reason.contains("tile_value_out_of_domain") => {
            Some("padding: a last extent of 1 grows in C++, and has no stride in pycute")
        }
        Verdict::Extended("modes of extent 1 left out") if reason.contains("int-tiler-bug") => {
            Some("the offsets are the definition's, without a mode of extent 1; the recorder compares modes")
        }
        _ => None,
    }
}

fn replay(name: &str, unexplained: &mut String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("vectors/tiling/{name}.jsonl"));
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let mut counts = BTreeMap::<String, u64>::new();
    let mut compared = BTreeMap::<String, (u64, String)>::new();
    let mut differences = BTreeMap::<&str, (u64, String)>::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        let (request, peer) = call(&line);
        let ours = ask(&request);
        let exact = judge(&request, &ours, true);
        assert!(exact.is_fine(), "{exact:?}\nrequest: {request}\nanswer:  {ours}");
        let verdict = judge(&request, &peer, false);
        let op = request["op"].as_str().unwrap_or("?");
        *counts.entry(format!("{op:>24}  {}", in_words(&verdict))).or_default() += 1;
        let shown = format!("{op} {}\n    peer {}\n    ours {}", request["args"], peer["result"], ours["result"]);
        compared.entry(beside(&peer, &ours, &verdict)).or_insert_with(|| (0, shown.clone())).0 += 1;
        let semantic = ["semantic", "cpp_semantic"].iter().find_map(|key| line.get(*key)).and_then(Value::as_bool);
        if semantic.is_some_and(|fine| fine != verdict.is_fine()) {
            let thought = if semantic == Some(true) { "right" } else { "wrong" };
            let reason = ["reason", "cpp_reason"].iter().find_map(|key| line.get(*key)).cloned().unwrap_or_default();
            let is_ours = ours.get("result").zip(peer.get("result")).is_some_and(|(a, b)| same(a, b));
            match explained(&line, &verdict, is_ours) {
                Some(why) => differences.entry(why).or_insert((0, shown)).0 += 1,
                None => {
                    let _ = writeln!(
                        unexplained,
                        "{name}: {shown}\n    recorded as {thought} {reason}\n    judged {verdict:?}"
                    );
                }
            }
        }
    }
    let mut report = String::new();
    for (outcome, count) in counts {
        let _ = writeln!(report, "{count:>6} {outcome}");
    }
    for (outcome, (count, example)) in compared {
        let _ = writeln!(report, "\n{count} beside ours: {outcome}\n  such as {example}");
    }
    for (why, (count, example)) in differences {
        let _ = writeln!(report, "\n{count} differ from the recorder's view: {why}\n  such as {example}");
    }
    report
}

#[test]
fn recorded_divisions_and_products() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/tiling");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the vectors are in the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    names.sort();
    assert_eq!(names.len(), 17);
    let mut unexplained = String::new();
    let reports: Vec<String> = names.iter().map(|name| replay(name, &mut unexplained)).collect();
    assert!(unexplained.is_empty(), "nobody has explained these\n{unexplained}");
    for (name, report) in names.into_iter().zip(reports) {
        insta::assert_snapshot!(name, report);
    }
}
