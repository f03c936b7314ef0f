//! Recorded answers of CuTe C++ and pycute to what rearranges, divides, makes and recasts.
//!
//! Ours are judged by the definition. Where a peer says something else, the difference has a name here that the numbers
//! have to bear out, or the test fails. The snapshots hold the counts and an example of each difference.

use razorgirl_conform::judge::{judge, same};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

fn ask(op: &str, args: &[&Value]) -> Value {
    let request = json!({"id": 0, "op": op, "args": args});
    serde_json::from_str(&razorgirl_protocol::answer(request.to_string().as_bytes())).expect("we answer JSON")
}

/// The request of a recorded line. pycute takes the shape that a coordinate goes to before the one that it comes from, and
/// takes the former for both when there is one only.
fn request(line: &Value, peer: &str) -> Value {
    let args = line["args"].as_array().cloned().unwrap_or_default();
    let args = match (line["op"].as_str(), args.as_slice()) {
        (Some("crd2crd"), [coord, to, from]) if peer == "pycute" => vec![coord.clone(), from.clone(), to.clone()],
        (Some("crd2crd"), [coord, to]) => vec![coord.clone(), to.clone(), to.clone()],
        _ => args,
    };
    json!({"id": line["id"], "op": line["op"], "args": args})
}

/// The integers of a nested list.
fn integers(tree: &Value) -> Vec<i64> {
    match tree {
        Value::Array(modes) => modes.iter().flat_map(integers).collect(),
        leaf => leaf.as_i64().into_iter().collect(),
    }
}

fn product(tree: &Value) -> i64 {
    integers(tree).into_iter().product()
}

fn has_negative(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_negative),
        Value::Object(fields) => fields.values().any(has_negative),
        leaf => leaf.as_i64().is_some_and(|n| n < 0),
    }
}

/// Why a peer answers something else than we do, or what we refuse, or refuses what we answer. `None` if nobody knows.
fn explained(request: &Value, peer: Option<&Value>, ours: &Value) -> Option<&'static str> {
    let args = request["args"].as_array().map_or(&[][..], Vec::as_slice);
    let code = ours["error"]["code"].as_str();
    match (request["op"].as_str()?, args, peer) {
        _ if code == Some("stride") && args.iter().any(has_negative) => Some("strides below 0 are not taken"),
        ("make_ordered_layout", _, Some(peer)) if ours.get("result").is_some() => {
            let overlaps = ask("is_injective", &[peer])["result"] == json!(false);
            overlaps.then_some("C++ gives parts of equal rank the same stride, so that offsets collide")
        }
        ("make_layout_like", _, Some(peer)) if ours.get("result").is_some() => {
            let moving = ask("filter_zeros", &[peer])["result"].clone();
            let overlaps = ask("is_injective", &[&moving])["result"] == json!(false);
            overlaps.then_some("C++ gives modes of equal stride the same stride, so that offsets collide")
        }
        ("upcast", [layout, n], Some(peer)) if code == Some("not_divisible") => {
            // elements that nobody fills
            let whole = product(&peer["shape"]) * n.as_i64()? <= product(&layout["shape"]);
            (!whole).then_some("C++ rounds the extent up: the last element is no whole one")
        }
        ("upcast", [layout, n], Some(peer)) if code == Some("not_contiguous") => {
            let (n, reached) = (n.as_i64()?, integers(&ask("eval", &[layout])["result"]));
            let elements = integers(&ask("eval", &[peer])["result"]);
            let part = elements.iter().any(|e| (e * n..(e + 1) * n).any(|offset| !reached.contains(&offset)));
            part.then_some("C++ looks at strides alone: of some elements only a part is reached")
        }
        ("downcast", [layout, n], Some(peer)) => {
            let larger = product(&peer["shape"]) > product(&layout["shape"]) * n.as_i64()?;
            larger.then_some("C++ makes a mode of extent 1 and stride 1 longer as well: more parts than there are")
        }
        ("downcast", [layout, _], None) => {
            let single = integers(&layout["shape"]).iter().filter(|extent| **extent == 1).count() == 1;
            single.then_some("C++ needs a stride of 1; the parts lie in the only mode of extent 1")
        }
        ("ceil_div", [shape, n], Some(peer)) if code == Some("not_divisible") => {
            let covers = product(peer) * n.as_i64()? >= product(shape);
            (!covers).then_some("C++ rounds what is left of the divisor up: the tiles do not cover the shape")
        }
        ("crd2crd", [coord, from, to], Some(peer)) => {
            let before = ask("crd2idx", &[coord, from]);
            let after = ask("crd2idx", &[peer, to]);
            let moved = before.get("result") != after.get("result") || before.get("result").is_none();
            moved.then_some("mode by mode, without a look at the sizes: another index, or one outside of a shape")
        }
        ("crd2crd", [coord, from, to], None) => {
            let tuples = [coord, from, to].iter().all(|arg| arg.is_array());
            tuples.then_some("pycute goes mode by mode, and asks for the same nesting of all three")
        }
        _ => None,
    }
}

fn replay(name: &str, unexplained: &mut String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("vectors/structure/{name}.jsonl"));
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let mut counts = BTreeMap::<String, u64>::new();
    let mut differences = BTreeMap::<&str, (u64, String)>::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        let request = request(&line, name.split('_').next().unwrap_or_default());
        let op = request["op"].as_str().unwrap_or("?").to_owned();
        let ours: Value =
            serde_json::from_str(&razorgirl_protocol::answer(request.to_string().as_bytes())).expect("we answer JSON");
        let verdict = judge(&request, &ours, true);
        assert!(verdict.is_fine(), "{verdict:?}\nrequest: {request}\nanswer:  {ours}");
        let peer = line.get("result").or_else(|| line.get("cpp")).filter(|peer| peer.get("error").is_none());
        let outcome = match (peer, ours.get("result")) {
            (Some(peer), Some(ours)) if same(peer, ours) => "same".to_owned(),
            (Some(_), Some(_)) => "both answer, and differ".to_owned(),
            (None, None) => "both refuse".to_owned(),
            (None, Some(_)) => "only the peer refuses".to_owned(),
            (Some(_), None) => format!("only we refuse: {}", ours["error"]["code"].as_str().unwrap_or("?")),
        };
        if outcome != "same" && outcome != "both refuse" {
            let shown = format!("{op} {}\n    peer {}\n    ours {ours}", request["args"], peer.unwrap_or(&Value::Null));
            match explained(&request, peer, &ours) {
                Some(why) => differences.entry(why).or_insert((0, shown)).0 += 1,
                None => {
                    let _ = writeln!(unexplained, "{name}: {shown}");
                }
            }
        }
        *counts.entry(format!("{op:>20}  {outcome}")).or_default() += 1;
    }
    let mut report = String::new();
    for (outcome, count) in counts {
        let _ = writeln!(report, "{count:>6} {outcome}");
    }
    for (why, (count, example)) in differences {
        let _ = writeln!(report, "\n{count}: {why}\n  such as {example}");
    }
    report
}

#[test]
fn recorded_structure() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/structure");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the vectors are in the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    names.sort();
    assert_eq!(names.len(), 7);
    let mut unexplained = String::new();
    let reports: Vec<String> = names.iter().map(|name| replay(name, &mut unexplained)).collect();
    assert!(unexplained.is_empty(), "nobody has explained these\n{unexplained}");
    for (name, report) in names.into_iter().zip(reports) {
        insta::assert_snapshot!(name, report);
    }
}
