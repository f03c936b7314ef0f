//! A test that fails, in a library's own language, for a class of wrong answers.

use super::report::Example;
use crate::capabilities::Capabilities;
use crate::model::Layout;
use crate::peers::{Language, Writing};
use serde_json::Value;
use std::fmt::Write as _;

/// A value in Python.
fn python(value: &Value, writing: &Writing) -> Option<String> {
    Some(match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| python(item, writing)).collect::<Option<Vec<_>>>()?;
            if let [item] = items.as_slice() { format!("({item},)") } else { format!("({})", items.join(", ")) }
        }
        Value::Object(fields) => {
            let [shape, stride] = [fields.get("shape")?, fields.get("stride")?].map(|part| {
                let written = python(part, writing)?;
                Some(if writing.tuples && !part.is_array() { format!("({written},)") } else { written })
            });
            writing.layout.replace("{shape}", &shape?).replace("{stride}", &stride?)
        }
        Value::Null => "None".into(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    })
}

/// A test that fails as long as the answer is as it was. What the operation promises at every index, where that fits in a
/// line; else what was answered wrong, at the witness. A refusal passes where the definition refuses.
pub(super) fn test(op: &str, example: &Example, capabilities: &Capabilities, writing: &Writing) -> Option<String> {
    let sent = capabilities.outgoing(&example.request).ok()?;
    let args = sent["args"].as_array()?;
    let base = ["_complete", "_ceil", "_extended", "_by_mode"].iter().fold(op, |name, end| name.trim_end_matches(end));
    let called = writing.names.iter().find(|(name, _)| *name == base).map_or(base, |(_, called)| called);
    let names: Vec<String> =
        (0..args.len()).map(|i| ["A", "B", "C"].get(i).map(ToString::to_string)).collect::<Option<_>>()?;
    if writing.language == Language::Cpp {
        return cpp(called, &names, args, example, writing);
    }
    let promise = promise(base, example.kind, args, writing);
    let promise = promise.or_else(|| first_mode(base, example.kind, args, capabilities, writing));
    let promise = promise.or_else(|| promised(&example.right, capabilities, writing));
    let counted = promise.as_ref().is_some_and(|promise| promise.contains("Counter("));
    let standard = if counted { "from collections import Counter\n\n" } else { "" };
    let mut text = format!("{standard}{}\n\n", writing.imports.trim_end());
    for (name, arg) in names.iter().zip(args) {
        // the operation that it gathers
        let gathered = ["logical_divide", "logical_product"]
            .get(arg.as_u64().map_or(2, |kind| usize::try_from(kind).unwrap_or(2)));
        let value = match gathered {
            Some(gathered) if base == "hier_unzip" && name == "A" => (*gathered).to_owned(),
            _ => python(arg, writing)?,
        };
        let _ = writeln!(text, "{name} = {value}");
    }
    let call = format!("R = {called}({})", names.join(", "));
    if example.verdict != "wrong" {
        let _ = writeln!(text, "{call}  # {}: {}", example.verdict, example.why);
        return Some(text);
    }
    let refuses = example.right.starts_with("a refusal");
    let (indent, otherwise) = if refuses { ("    ", "a refusal is right") } else { ("", "") };
    if refuses {
        let _ = writeln!(text, "try:\n    {call}\nexcept Exception:\n    pass  # {otherwise}\nelse:");
    } else {
        let _ = writeln!(text, "{call}");
    }
    let _ = match promise {
        Some(promise) => writeln!(text, "{indent}assert {promise}, {:?}", example.why),
        None => writeln!(text, "{indent}raise AssertionError({:?})", example.why),
    };
    Some(text)
}

/// A value in C++.
fn cpp_value(value: &Value, writing: &Writing) -> Option<String> {
    Some(match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| cpp_value(item, writing)).collect::<Option<Vec<_>>>()?;
            format!("make_tuple({})", items.join(", "))
        }
        Value::Object(fields) => {
            let [shape, stride] = [fields.get("shape")?, fields.get("stride")?].map(|part| cpp_value(part, writing));
            writing.layout.replace("{shape}", &shape?).replace("{stride}", &stride?)
        }
        Value::Null => "_".into(),
        Value::Number(number) => format!("int64_t({number})"),
        _ => return None,
    })
}

/// A program that fails, by an assertion.
fn cpp(called: &str, names: &[String], args: &[Value], example: &Example, writing: &Writing) -> Option<String> {
    let mut text = format!("{}\n\nint main() {{\n", writing.imports);
    for (name, arg) in names.iter().zip(args) {
        let _ = writeln!(text, "  auto {name} = {};", cpp_value(arg, writing)?);
    }
    let _ = writeln!(text, "  auto R = {called}({});\n  // {}", names.join(", "), example.why);
    let layouts = args.iter().take(2).all(Value::is_object);
    if called == "composition" && layouts {
        text.push_str("  assert(size(R) == size(B));\n");
        text.push_str("  for (int64_t i = 0; i < size(B); ++i) assert(R(i) == A(B(i)));\n");
    } else if example.kind == "lost" {
        // an offset twice is two elements
        text.push_str("  for (int64_t i = 0; i < size(A); ++i) {\n    int64_t held = 0, kept = 0;\n");
        text.push_str("    for (int64_t j = 0; j < size(A); ++j) held += A(j) == A(i);\n");
        text.push_str("    for (int64_t j = 0; j < size(R); ++j) kept += R(j) == A(i);\n");
        text.push_str("    assert(kept >= held);\n  }\n");
    } else if let Some(offsets) = offsets_of(&example.right) {
        let _ = writeln!(text, "  std::vector<int64_t> offsets{{{}}};", offsets.join(", "));
        text.push_str("  assert(size(R) == int64_t(offsets.size()));\n");
        text.push_str("  for (int64_t i = 0; i < size(R); ++i) assert(R(i) == offsets[i]);\n");
    } else {
        let _ = writeln!(text, "  assert(!{:?});", example.why);
    }
    text.push_str("}\n");
    Some(text)
}

/// What the operation promises.
fn promise(base: &str, kind: &str, args: &[Value], writing: &Writing) -> Option<String> {
    let at = |layout: &str, index: &str| writing.at.replace("{layout}", layout).replace("{index}", index);
    let size = |layout: &str| writing.size.replace("{layout}", layout);
    let offsets = |layout: &str| format!("[{} for i in range({})]", at(layout, "i"), size(layout));
    let both = || {
        format!("{{{} + {} for i in range({}) for j in range({})}}", at("A", "i"), at("R", "j"), size("A"), size("R"))
    };
    let layouts = args.iter().take(2).all(Value::is_object);
    Some(match (base, kind) {
        (_, "extent 0") => format!("{} > 0", size("R")),
        ("composition", "value" | "carry") if layouts => {
            format!("{} == [{} for i in range({})]", offsets("R"), at("A", &at("B", "i")), size("B"))
        }
        ("composition", "size") if layouts => format!("{} == {}", size("R"), size("B")),
        ("left_inverse", "value") => format!("all({} == i for i in range({}))", at("R", &at("A", "i")), size("A")),
        ("right_inverse", "value") => format!("all({} == i for i in range({}))", at("A", &at("R", "i")), size("R")),
        ("complement", "gaps") => format!("{} == set(range({} * {}))", both(), size("A"), size("R")),
        ("complement", "overlap") => format!("len({}) == {} * {}", both(), size("A"), size("R")),
        ("complement", "reach") if args.len() == 2 => format!("max({}) >= B - 1", both()),
        ("logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide", "lost") => {
            // an offset twice is two elements
            format!("not Counter({}) - Counter({})", offsets("A"), offsets("R"))
        }
        (product, "overlap") if product.ends_with("product") => {
            format!("len(set({})) == {}", offsets("R"), size("R"))
        }
        _ => return None,
    })
}

/// What is in the first mode of a quotient and of a product: a tile, and the block that is repeated.
fn first_mode(
    base: &str,
    kind: &str,
    args: &[Value],
    capabilities: &Capabilities,
    writing: &Writing,
) -> Option<String> {
    let first = writing.first.filter(|_| !capabilities.last_fastest)?.replace("{layout}", "R");
    let at = |layout: &str, index: &str| writing.at.replace("{layout}", layout).replace("{index}", index);
    let offsets = format!("[{} for i in range({})]", at(&first, "i"), writing.size.replace("{layout}", &first));
    let [whole, by] = if base == "hier_unzip" { ["B", "C"] } else { ["A", "B"] };
    let by_layout = args.last().is_some_and(Value::is_object);
    Some(match kind {
        "block" => {
            format!("{offsets} == [{} for i in range({})]", at(whole, "i"), writing.size.replace("{layout}", whole))
        }
        "tile" if by_layout => format!(
            "{offsets} == [{} for i in range({})]",
            at(whole, &at(by, "i")),
            writing.size.replace("{layout}", by)
        ),
        _ => return None,
    })
}

/// Offsets that are written out.
const WRITTEN: u64 = 64;

/// The offsets of the definition's layout, in the order of one number.
fn offsets_of(right: &str) -> Option<Vec<String>> {
    let layout = Layout::read(&serde_json::from_str(right).ok()?).ok()?;
    (layout.size() <= WRITTEN.into()).then(|| layout.offsets().iter().map(ToString::to_string).collect())
}

/// That this number, or these offsets, are the answer's. Tiles and rests of a library whose last mode is the fastest lie otherwise.
fn promised(right: &str, capabilities: &Capabilities, writing: &Writing) -> Option<String> {
    if let Ok(number) = right.parse::<u128>() {
        return Some(format!("R == {number}"));
    }
    let offsets = if capabilities.last_fastest { None } else { offsets_of(right) }?;
    let at = writing.at.replace("{layout}", "R").replace("{index}", "i");
    let size = writing.size.replace("{layout}", "R");
    Some(format!("[{at} for i in range({size})] == [{}]", offsets.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::named;
    use serde_json::json;

    fn written(peer: &str, op: &str, kind: &'static str, args: &Value, right: &str) -> String {
        let example = Example {
            case: 0,
            verdict: "wrong",
            kind,
            request: json!({"id": 1, "op": op, "args": args}),
            answer: json!({"id": 1, "result": 1}),
            right: right.into(),
            why: "offset 3 is missed".into(),
            shrunk_from: None,
        };
        let writing = named(peer).expect("it is known").writing.expect("its language is known");
        test(op, &example, &Capabilities::default(), &writing).expect("a test")
    }

    /// No class is left with a program that passes.
    #[test]
    fn every_class_has_a_test_that_can_fail() {
        let layout = json!({"shape": [2, 2], "stride": [1, 5]});
        for kind in ["value", "extent 0", "reach", "lost", "a kind that nobody has thought of"] {
            for right in ["a refusal (carries)", r#"{"shape":2,"stride":1}"#, "unknown"] {
                let text = written("pycute", "complement", kind, &json!([layout, 12]), right);
                let program = written("cute", "complement", kind, &json!([layout, 12]), right);
                assert!(program.contains("assert(") && program.contains("complement(A, B)"), "{program}");
                assert!(text.contains("assert ") || text.contains("raise AssertionError"), "{text}");
                assert_eq!(text.contains("except Exception"), right.starts_with("a refusal"), "{text}");
            }
        }
        let block =
            written("pycute", "logical_product_by_mode", "block", &json!([layout, 1]), r#"{"shape":2,"stride":3}"#);
        assert!(
            block.contains("R = logical_product(A, B)\nassert [R[0](i) for i in range(size(R[0]))] == [A(i) for"),
            "{block}"
        );
        let tuples = written("tilefoundry", "coalesce", "value", &json!([{"shape": 2, "stride": 5}]), "unknown");
        assert!(tuples.contains("A = Layout((2,), (5,))\n"), "{tuples}");
        let number = written("pycute", "size", "value", &json!([layout]), "4");
        assert!(number.contains("assert R == 4, "), "{number}");
        assert!(
            written("pycute", "coalesce", "value", &json!([layout]), r#"{"shape":2,"stride":3}"#).contains("== [0, 3]")
        );
    }
}
