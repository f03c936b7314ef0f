//! A page that a maintainer can act on: each class of wrong answer with a request, what shows it, and a test that fails.

use super::report::{Example, Report};
use crate::habits::Habits;
use crate::peers::Writing;
use serde_json::Value;
use std::fmt::Write as _;

impl Report {
    /// The page; `name` stands where the library has not said its own, and `writing` says how its Python is written.
    pub fn to_markdown(&self, name: &str, writing: Option<&Writing>) -> String {
        let habits = &self.habits;
        let said = [habits.name.as_deref().unwrap_or(name), habits.version.as_deref().unwrap_or_default()];
        let mut text = format!("# {}\n\n", said.join(" ").trim());
        let _ = writeln!(
            text,
            "{} cases an operation, seed {}, part {}. Each answer was compared with the definition by enumeration. To repeat it:\n\n\
             ```sh\nrazorgirl conform --peer {name} --cases {} --seed {} --report {name}.md\n```\n",
            self.plan.cases, self.plan.seed, self.plan.shard, self.plan.cases, self.plan.seed
        );
        for line in told(habits) {
            let _ = writeln!(text, "- {line}");
        }
        let _ = write!(text, "\n{}", self.to_table());
        let wrong = || {
            let examples = self.plan.ops.iter().zip(&self.examples);
            examples.flat_map(|(op, all)| all.iter().map(move |example| (op, example)))
        };
        for (op, example) in wrong().filter(|(_, example)| matches!(example.verdict, "wrong" | "crashed" | "timed out"))
        {
            text.push_str(&section(op, example, habits, writing, self));
        }
        text
    }
}

/// What the library said of itself, in sentences.
fn told(habits: &Habits) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(bits) = habits.integer_bits {
        all.push(format!("Integers have {bits} bits: larger ones were not sent."));
    }
    if habits.last_fastest {
        all.push("The last mode is the fastest: layouts below are written in that order where Python is shown.".into());
    }
    if habits.unwraps_rank1 {
        all.push("A tuple of one mode and that mode are the same.".into());
    }
    if habits.no_rank0 {
        all.push("There are no tuples of no modes: none were sent.".into());
    }
    for (op, condition) in &habits.contract {
        all.push(format!("`{op}` is for layouts that are {}: others were not sent.", condition.name()));
    }
    all
}

fn section(op: &str, example: &Example, habits: &Habits, writing: Option<&Writing>, report: &Report) -> String {
    let counts = report.plan.ops.iter().position(|name| name == op).and_then(|at| report.counts.get(at));
    let count = counts.map_or(0, |counts| {
        let of = |kinds: &std::collections::BTreeMap<&'static str, u64>| kinds.get(example.kind).copied();
        match example.verdict {
            "wrong" => of(&counts.wrong),
            "crashed" => of(&counts.crashed),
            _ => Some(counts.timed_out),
        }
        .unwrap_or(0)
    });
    let what = if example.kind.is_empty() { example.verdict } else { example.kind };
    let mut text = format!("\n## `{op}`: {what} ({count})\n\n");
    let args = example.request["args"].as_array().cloned().unwrap_or_default();
    let shown: Vec<String> = args.iter().map(notation).collect();
    let _ = writeln!(text, "- asked: `{op}` of `{}`", shown.join("`, `"));
    if !example.answer.is_null() {
        let _ = writeln!(text, "- answered: `{}`", notation(&example.answer["result"]));
    }
    let right = serde_json::from_str(&example.right).map_or_else(|_| example.right.clone(), |value| notation(&value));
    let _ = writeln!(text, "- the definition has: `{right}`");
    if !example.why.is_empty() {
        let _ = writeln!(text, "- seen from outside: {}", example.why);
    }
    if let Some(test) = writing.and_then(|writing| test(op, example.kind, &example.request, habits, writing)) {
        let _ = write!(text, "\n```python\n{test}```\n");
    }
    text
}

/// In CuTe notation, as far as it is a layout, a tuple or a number.
fn notation(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("({})", items.iter().map(notation).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => match (fields.get("shape"), fields.get("stride")) {
            (Some(shape), Some(stride)) => format!("{}:{}", notation(shape), notation(stride)),
            _ => value.to_string(),
        },
        Value::Null => "_".into(),
        other => other.to_string(),
    }
}

/// A value in Python.
fn python(value: &Value, writing: &Writing) -> Option<String> {
    Some(match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| python(item, writing)).collect::<Option<Vec<_>>>()?;
            if let [item] = items.as_slice() { format!("({item},)") } else { format!("({})", items.join(", ")) }
        }
        Value::Object(fields) => {
            let [shape, stride] = [fields.get("shape")?, fields.get("stride")?].map(|part| python(part, writing));
            writing.layout.replace("{shape}", &shape?).replace("{stride}", &stride?)
        }
        Value::Null => "None".into(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    })
}

/// A test that fails as long as the answer is as it was: what the operation promises, at every index. Where no line says that,
/// the program prints the answer.
fn test(op: &str, kind: &str, request: &Value, habits: &Habits, writing: &Writing) -> Option<String> {
    let sent = habits.outgoing(request).ok()?;
    let args = sent["args"].as_array()?;
    let base = op.trim_end_matches("_complete").trim_end_matches("_ceil").trim_end_matches("_extended");
    let called = writing.names.iter().find(|(name, _)| *name == base).map_or(base, |(_, called)| called);
    let names: Vec<String> =
        (0..args.len()).map(|i| ["A", "B", "C"].get(i).map(ToString::to_string)).collect::<Option<_>>()?;
    let mut text = format!("{}\n\n", writing.imports);
    for (name, arg) in names.iter().zip(args) {
        let _ = writeln!(text, "{name} = {}", python(arg, writing)?);
    }
    let _ = writeln!(text, "R = {called}({})", names.join(", "));
    let at = |layout: &str, index: &str| writing.at.replace("{layout}", layout).replace("{index}", index);
    let size = |layout: &str| writing.size.replace("{layout}", layout);
    let offsets = |layout: &str| format!("[{} for i in range({})]", at(layout, "i"), size(layout));
    let layouts = args.iter().take(2).all(Value::is_object);
    let promise = match (base, kind) {
        ("composition", "value" | "carry") if layouts => {
            format!("{} == [{} for i in range({})]", offsets("R"), at("A", &at("B", "i")), size("B"))
        }
        ("left_inverse", "value") => format!("all({} == i for i in range({}))", at("R", &at("A", "i")), size("A")),
        ("right_inverse", "value") => format!("all({} == i for i in range({}))", at("A", &at("R", "i")), size("R")),
        ("complement", "gaps") => format!(
            "{{{} + {} for i in range({}) for j in range({})}} == set(range({} * {}))",
            at("A", "i"),
            at("R", "j"),
            size("A"),
            size("R"),
            size("A"),
            size("R")
        ),
        ("complement", "overlap") => format!(
            "len({{{} + {} for i in range({}) for j in range({})}}) == {} * {}",
            at("A", "i"),
            at("R", "j"),
            size("A"),
            size("R"),
            size("A"),
            size("R")
        ),
        ("logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide", "lost") => {
            format!("set({}) <= set({})", offsets("A"), offsets("R"))
        }
        (product, "overlap") if product.ends_with("product") => {
            format!("len(set({})) == {}", offsets("R"), size("R"))
        }
        _ => return Some(text + "print(R)\n"),
    };
    let _ = writeln!(text, "assert {promise}");
    Some(text)
}
