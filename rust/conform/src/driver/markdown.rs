//! A page that a maintainer can act on: each class of wrong answer with a request, what shows it, and a test that fails.

use super::failing;
use super::report::{Example, Report};
use crate::capabilities::Capabilities;
use crate::peers::{Language, Writing};
use serde_json::Value;
use std::fmt::Write as _;

impl Report {
    /// The page; `name` stands where the library has not said its own, and `writing` says how its Python is written.
    pub fn to_markdown(&self, name: &str, writing: Option<&Writing>) -> String {
        let capabilities = &self.capabilities;
        let said = [capabilities.name.as_deref().unwrap_or(name), capabilities.version.as_deref().unwrap_or_default()];
        let mut text = format!("# {}\n\n", said.join(" ").trim());
        let _ = writeln!(
            text,
            "{} cases an operation, seed {}, part {}. Each answer was compared with the definition by enumeration. To repeat it:\n\n\
             ```sh\nrazorgirl conform --peer {name} --cases {} --seed {} --report {name}.md\n```\n",
            self.plan.cases, self.plan.seed, self.plan.shard, self.plan.cases, self.plan.seed
        );
        for line in stated_capabilities(capabilities) {
            let _ = writeln!(text, "- {line}");
        }
        let _ = write!(text, "\n{}", self.to_table());
        let wrong = || {
            let examples = self.plan.ops.iter().zip(&self.examples);
            examples.flat_map(|(op, all)| all.iter().map(move |example| (op, example)))
        };
        for (op, example) in wrong().filter(|(_, example)| matches!(example.verdict, "wrong" | "crashed" | "timed out"))
        {
            text.push_str(&section(op, example, capabilities, writing, self));
        }
        text
    }
}

/// What the library said of itself, in sentences.
fn stated_capabilities(capabilities: &Capabilities) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(bits) = capabilities.integer_bits {
        all.push(format!("Integers have {bits} bits: larger ones were not sent."));
    }
    if capabilities.last_fastest {
        all.push("The last mode is the fastest: layouts below are written in that order where Python is shown.".into());
    }
    if capabilities.unwraps_rank1 {
        all.push("A tuple of one mode and that mode are the same.".into());
    }
    if capabilities.no_rank0 {
        all.push("There are no tuples of no modes: none were sent.".into());
    }
    for (op, condition) in &capabilities.contract {
        all.push(format!("`{op}` is for layouts that are {}: others were not sent.", condition.name()));
    }
    all
}

fn section(
    op: &str,
    example: &Example,
    capabilities: &Capabilities,
    writing: Option<&Writing>,
    report: &Report,
) -> String {
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
    if let Some(test) = writing.and_then(|writing| failing::test(op, example, capabilities, writing)) {
        let fence = writing.map_or("", |writing| match writing.language {
            Language::Python => "python",
            Language::Cpp => "cpp",
        });
        let _ = write!(text, "\n```{fence}\n{test}```\n");
    }
    text
}

/// A value of the protocol in CuTe notation, as far as it is a layout, a tuple or a number.
pub fn notation(value: &Value) -> String {
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
