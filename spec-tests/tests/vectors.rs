//! The recorded answers of other implementations, replayed.
//!
//! Each call goes through our protocol and is judged by the definition; then it is compared with the peer's answer. The
//! snapshot holds what came of it, file by file, and every line where both answer and differ.

use razorgirl_conform::judge::{judge, same};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The request and the peer's answer (`None`: refused) of a recorded line; `None` when it is no call of ours.
fn call(line: &Value) -> Option<(Value, Option<Value>)> {
    let op = line["op"].as_str()?;
    let args = &line["args"];
    let refused = ["error", "cpp_error"].iter().any(|key| line.get(key).is_some());
    let (op, args, result) = match op {
        "find_layout" => (op, json!([args["f"]]), Some(line["result"]["exact"].clone())),
        "nested_refines" => ("refines", json!([args["Sprime"], args["S"]]), line.get("result").cloned()),
        "sort_flat_layout" => ("sort", json!([args["L"]]), line["result"].get("layout").cloned()),
        "coshape" => ("cosize", args.clone(), line.get("result").cloned()),
        _ => (op, args.clone(), line.get("result").or_else(|| line.get("cpp")).cloned()),
    };
    let known = razorgirl_protocol::ops().iter().any(|known| known.name == op);
    let result =
        if refused || result.as_ref().is_some_and(|result| result.get("error").is_some()) { None } else { result };
    known.then(|| (json!({"id": line["id"], "op": op, "args": args}), result))
}

fn replay(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let mut counts = BTreeMap::<String, u64>::new();
    let mut differing = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        let Some((request, peer)) = call(&line) else { continue };
        let ours: Value =
            serde_json::from_str(&razorgirl_protocol::answer(request.to_string().as_bytes())).expect("we answer JSON");
        let verdict = judge(&request, &ours, true);
        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {ours}");
        let outcome = match (&peer, ours.get("result")) {
            (Some(peer), Some(ours)) if same(peer, ours) => "same".to_owned(),
            (Some(peer), Some(ours)) => {
                differing.push(format!("{} {}\n    peer {peer}\n    ours {ours}", request["op"], request["args"]));
                "both answer, and differ".to_owned()
            }
            (None, None) => "both refuse".to_owned(),
            (None, Some(_)) => "only the peer refuses".to_owned(),
            (Some(_), None) => format!("only we refuse: {}", ours["error"]["code"].as_str().unwrap_or("?")),
        };
        *counts.entry(format!("{:>18}  {outcome}", request["op"].as_str().unwrap_or("?"))).or_default() += 1;
    }
    let mut report = String::new();
    for (outcome, count) in counts {
        let _ = writeln!(report, "{count:>6} {outcome}");
    }
    for line in differing {
        let _ = writeln!(report, "\n{line}");
    }
    report
}

#[test]
fn recorded_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the vectors are in the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        insta::assert_snapshot!(name.clone(), replay(&folder.join(format!("{name}.jsonl"))));
    }
}
