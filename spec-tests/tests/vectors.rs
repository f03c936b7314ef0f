//! The recorded answers of other implementations, replayed.
//!
//! Each call goes through our protocol and is judged by the definition; then it is compared with the peer's answer. The
//! snapshot holds what came of it, file by file, and every line where both answer and differ.

use razorgirl_conform::Verdict;
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

/// What is known to be wrong where the categories package and the definition differ; `None` where nothing is.
///
/// T1: it recurses for ever on unequal leaves. T3: two neighbours at the basepoint are coalesced to it. T4: it refuses entries of
/// 1 that T has left when U is exhausted. T5: its complement keeps modes of extent 1, and rounds where none exists.
fn fault(op: &str, args: &[Value], peer: Option<&Value>, ours: Option<&Value>) -> Option<&'static str> {
    let has_one = |tuple: &Value| tuple.to_string().split(|c: char| !c.is_ascii_digit()).any(|entry| entry == "1");
    match (op, peer, ours) {
        ("nested_refines", None, Some(Value::Bool(false))) => Some("T1"),
        ("tuple_predicates", Some(peer), Some(ours)) => {
            let mut mended = peer.clone();
            mended["is_coalesced"] = json!(false);
            let map = args[0]["map"].as_array().into_iter().flatten().collect::<Vec<_>>();
            (mended == *ours && map.windows(2).any(|pair| *pair[0] == 0 && *pair[1] == 0)).then_some("T3")
        }
        ("mutual_refinement", None, Some(_)) => has_one(&args[0]).then_some("T4"),
        ("weak_composite", None, Some(_)) => has_one(&args[0]["codomain"]).then_some("T4"),
        ("flat_complement", Some(peer), Some(ours)) => {
            // the same function in more modes
            let coalesced = |layout: &Value| {
                let request = json!({"op": "coalesce", "args": [layout]});
                razorgirl_protocol::answer(request.to_string().as_bytes())
            };
            (coalesced(peer) == coalesced(ours)).then_some("T5, modes")
        }
        ("flat_complement", Some(peer), None) => {
            // what it answers is no complement: together they do not have the size that was asked for, or they collide
            let modes = |layout: &Value, part: &str| layout[part].as_array().cloned().unwrap_or_default();
            let both = |part: &str| [modes(peer, part), modes(&args[0], part)].concat();
            let whole = json!({"op": "is_contiguous", "args": [{"shape": both("shape"), "stride": both("stride")}]});
            let whole: Value = serde_json::from_str(&razorgirl_protocol::answer(whole.to_string().as_bytes())).ok()?;
            let size: u64 = both("shape").iter().filter_map(Value::as_u64).product();
            (whole["result"] != json!(true) || json!(size) != args[1]).then_some("T5, no complement")
        }
        _ => None,
    }
}

/// The categories package on morphisms: the definition decides, and each difference has a known fault behind it.
#[test]
fn recorded_morphisms() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/category");
    let mut counts = BTreeMap::<String, u64>::new();
    for entry in std::fs::read_dir(&folder).expect("the vectors are in the repository") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("text");
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("each line is JSON");
            let Some(name) = line["op"].as_str() else { continue };
            let op = razorgirl_protocol::Op::named(name).unwrap_or_else(|| panic!("there is no operation {name}"));
            let form = &op.forms[0];
            let args: Vec<Value> =
                form.parameters.iter().map(|parameter| line["args"][parameter.name].clone()).collect();
            let request = json!({"id": 0, "op": name, "args": args});
            let answer = razorgirl_protocol::answer(request.to_string().as_bytes());
            let ours: Value = serde_json::from_str(&answer).expect("we answer JSON");
            let verdict = judge(&request, &ours, true);
            assert!(
                verdict.is_fine() && verdict != Verdict::Unjudged,
                "{verdict:?}\nrequest: {request}\nanswer:  {ours}"
            );
            let peer = Some(&line["result"]).filter(|result| result.get("error").is_none());
            let outcome = match (peer, ours.get("result")) {
                (Some(peer), Some(ours)) if peer == ours => "same",
                (None, None) => "both refuse",
                (peer, ours) => fault(name, &args, peer, ours)
                    .unwrap_or_else(|| panic!("no fault is known behind {line}\nours: {ours:?}")),
            };
            *counts.entry(format!("{name:>28}  {outcome}")).or_default() += 1;
        }
    }
    let report: Vec<String> = counts.iter().map(|(outcome, count)| format!("{count:>6} {outcome}")).collect();
    insta::assert_snapshot!("tract_morphisms", report.join("\n"));
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

/// What `relation_…` answers to these arguments.
fn asked(op: &str, args: &Value) -> Value {
    let request = json!({"id": 1, "op": op, "args": args});
    let answer: Value =
        serde_json::from_str(&razorgirl_protocol::answer(request.to_string().as_bytes())).expect("JSON");
    let verdict = judge(&request, &answer, true);
    assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}");
    answer["result"].clone()
}

/// Pairs of numbers as pairs of lists.
fn pairs(numbers: &Value) -> Value {
    let pair = |pair: &Value| json!([[pair[0]], [pair[1]]]);
    numbers.as_array().expect("a list").iter().map(pair).collect()
}

fn recorded(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/relation").join(name);
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn layouts_are_the_relations_that_isl_has() {
    let lines = recorded("islpy_layout.jsonl");
    assert!(lines.len() > 200);
    for line in &lines {
        let ours = asked("relation_of", &json!([{"shape": line["shape"], "stride": line["stride"]}]));
        let graph: Value =
            (0..).zip(line["graph"].as_array().expect("a list")).map(|(x, o): (u64, _)| json!([[x], [o]])).collect();
        assert_eq!(ours["graph"], graph, "{line}");
        assert_eq!(ours["least_preimages"], pairs(&line["inverse_lexmin"]), "{line}");
        assert_eq!(ours["gaps"], line["gaps"], "{line}");
        let back = asked("relation_inverse", &json!([graph]));
        assert_eq!(back["graph"].as_array().map(Vec::len), graph.as_array().map(Vec::len), "{line}");
    }
}

#[test]
fn composites_are_the_relations_that_isl_has() {
    let lines = recorded("islpy_composition.jsonl");
    assert!(lines.len() > 200);
    let promoted = lines.iter().filter(|line| line["promotion"] == true).count();
    assert!(promoted > 20 && promoted + 20 < lines.len());
    for line in &lines {
        let of = |side: &str| json!({"shape": line[side][0], "stride": line[side][1]});
        let ours = asked("relation_compose", &json!([of("g"), of("f")]));
        assert_eq!(ours["graph"], pairs(&line["graph"]), "{line}");
        assert_eq!(ours["promotes"], line["promotion"], "{line}");
    }
}

#[test]
fn swizzles_are_the_relations_that_isl_has() {
    let lines = recorded("islpy_swizzle.jsonl");
    assert!(lines.len() > 25);
    for line in &lines {
        let graph = line["graph"].as_array().expect("a list");
        let swizzle = json!([line["b"], line["m"], line["s"]]);
        let ours = asked("relation_of", &json!([{"swizzle": swizzle, "offset": 0, "shape": graph.len(), "stride": 1}]));
        let listed: Value = (0..).zip(graph).map(|(x, o): (u64, _)| json!([[x], [o]])).collect();
        assert_eq!(ours["graph"], listed, "{line}");
        assert_eq!(ours["least_preimages"], pairs(&line["inverse_lexmin"]), "{line}");
    }
}

#[test]
fn linear_layouts_are_the_relations_that_isl_has() {
    let lines = recorded("islpy_linear.jsonl");
    assert!(lines.len() > 200);
    for line in &lines {
        let mut vectors = line["vals"].as_array().expect("a list").iter();
        let bits = |extent: &Value| extent.as_u64().expect("a number").ilog2() as usize;
        let coordinates = line["crd"].as_array().expect("a list").iter().enumerate();
        let ins: Vec<Value> = coordinates
            .map(|(place, extent)| {
                json!([format!("c{place}"), vectors.by_ref().take(bits(extent)).collect::<Vec<_>>()])
            })
            .collect();
        let indices = line["idx"].as_array().expect("a list").iter().enumerate();
        let outs: Vec<Value> = indices.map(|(place, extent)| json!([format!("i{place}"), extent])).collect();
        let ours = asked("relation_of", &json!([{"in": ins, "out": outs}]));
        assert_eq!(ours["graph"], line["graph"], "{line}");
        assert_eq!(ours["least_preimages"], line["inverse_colexmin"], "{line}");
        assert_eq!(ours["gaps"], line["gaps"], "{line}");
    }
}
