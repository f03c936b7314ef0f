//! `docs/PEERS.md`: what `razorgirl conform` found in the libraries that it has adapters for, from the figures in `spec-tests/peers`.
//!
//! A report of a run is recorded once: its counts, and the smallest wrong answer of each class. The page is generated from
//! these files and from `trackers.json`, which says where a class is already reported.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use lean_runner::Project;
use razorgirl_conform::driver::notation;
use serde_json::{Map, Value, json};

use crate::properties::anchor;

const FILE: &str = "docs/PEERS.md";
const TRACKERS: &str = "trackers.json";

/// The folder of the recorded figures.
fn folder(project: &Project) -> PathBuf {
    project.root().join("spec-tests/peers")
}

fn read(path: &PathBuf) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

/// All that counts of a report: nothing of the machine it was made on.
fn recorded(report: &Value) -> Result<Value> {
    let ops = report["ops"].as_object().context("the report has no operations")?;
    let (mut counts, mut examples) = (Map::new(), Vec::new());
    for (op, found) in ops {
        let mut row = found.as_object().context("an operation has no counts")?.clone();
        let shown = row.remove("examples");
        // how long an answer may take is the machine's
        let slow = row.remove("timed_out");
        let offered = row.iter().any(|(name, count)| name != "not_offered" && sum(count) > 0);
        if !offered && slow.as_ref().is_none_or(|count| sum(count) == 0) {
            continue;
        }
        counts.insert(op.clone(), Value::Object(row));
        for example in shown.as_ref().and_then(Value::as_array).into_iter().flatten() {
            if example["verdict"] != "wrong" && example["verdict"] != "crashed" {
                continue;
            }
            examples.push(json!({
                "op": op, "verdict": example["verdict"], "kind": example["kind"], "args": example["request"]["args"],
                "answer": example["answer"]["result"], "right": example["right"], "why": example["why"],
            }));
        }
    }
    Ok(json!({
        "capabilities": report["capabilities"], "cases": report["cases"], "seed": report["seed"], "ops": counts, "examples": examples,
    }))
}

fn sum(count: &Value) -> u64 {
    match count {
        Value::Object(kinds) => kinds.values().map(sum).sum(),
        number => number.as_u64().unwrap_or(0),
    }
}

/// Keeps what counts of a report as the figures of a library; with `check` only says whether the figures are these.
///
/// # Errors
/// The report cannot be read, or with `check`: the first figure that is another one.
pub fn record(project: &Project, name: &str, report: &PathBuf, check: bool) -> Result<()> {
    let new = recorded(&read(report)?)?;
    let place = folder(project).join(format!("{name}.json"));
    if !check {
        let text = serde_json::to_string_pretty(&new)? + "\n";
        return fs::write(&place, text).with_context(|| format!("cannot write {}", place.display()));
    }
    let old = read(&place)?;
    for part in ["capabilities", "cases", "seed"] {
        if old[part] != new[part] {
            bail!("{name}: {part} is {}, recorded {}", new[part], old[part]);
        }
    }
    let of = |value: &Value| value["ops"].as_object().cloned().unwrap_or_default();
    let (old, new) = (of(&old), of(&new));
    for op in old.keys().chain(new.keys()) {
        if old.get(op) != new.get(op) {
            let shown = |ops: &Map<String, Value>| ops.get(op).map_or_else(|| "nothing".into(), Value::to_string);
            bail!("{name}, {op}: {}, recorded {}", shown(&new), shown(&old));
        }
    }
    Ok(())
}

/// The operations that fail for one reason go under one name.
fn family(op: &str) -> &str {
    match op {
        _ if op.starts_with("composition") => "composition",
        _ if op.starts_with("complement") => "complement",
        _ if op.contains("divide") => "divisions",
        _ if op.contains("product") => "products",
        other => other,
    }
}

/// One class of wrong answers of a library.
struct Class<'a> {
    ops: BTreeMap<&'a str, u64>,
    smallest: &'a Value,
}

fn classes(figures: &Value) -> Result<BTreeMap<(&str, &str), Class<'_>>> {
    let mut classes: BTreeMap<(&str, &str), Class> = BTreeMap::new();
    for example in figures["examples"].as_array().context("no examples")? {
        let text = |name: &str| example[name].as_str().unwrap_or_default();
        let (op, kind) = (text("op"), text("kind"));
        let column = if text("verdict") == "wrong" { "wrong" } else { "crashed" };
        let count = figures["ops"][op][column][kind].as_u64().unwrap_or(0);
        let class =
            classes.entry((family(op), kind)).or_insert_with(|| Class { ops: BTreeMap::new(), smallest: example });
        class.ops.insert(op, count);
        let length = |example: &Value| example["args"].to_string().len();
        if length(example) < length(class.smallest) {
            class.smallest = example;
        }
    }
    Ok(classes)
}

/// The page.
///
/// # Errors
/// The figures cannot be read, or a tracker is of no class.
pub fn page(project: &Project) -> Result<String> {
    let folder = folder(project);
    let mut names: Vec<String> = fs::read_dir(&folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .filter(|name| format!("{name}.json") != TRACKERS)
        .collect();
    names.sort();
    let peers: Vec<(String, Value)> = names
        .into_iter()
        .map(|name| Ok((name.clone(), read(&folder.join(format!("{name}.json")))?)))
        .collect::<Result<_>>()?;
    let mut trackers = known(&read(&folder.join(TRACKERS))?)?;
    let (_, first) = peers.first().context("no figures are recorded")?;
    let mut text = format!(
        "# Layout libraries compared with the definitions\n\n\
         `razorgirl conform` sent each library {} generated requests per operation (seed {}) and compared each answer with an\n\
         enumeration. Answers that are too large to enumerate are not counted.\n\n\
         - **Wrong**: the answer contradicts the meaning of the operation, and the witness needs no knowledge of razorgirl: a\n\
         \u{20} coordinate with two offsets, an offset that is missed, two coordinates that collide.\n\
         - **Refused though it exists**: the library reports an error, and a correct result exists.\n\
         - **Outside its contract**: the documentation of the library excludes the operands, or no definition covers them, for\n\
         \u{20} example the complement of a layout that is not injective.\n\
         - The other columns: [conform](../rust/conform/README.md).\n\n\
         `razorgirl conform --peer NAME --report NAME.md` writes a page for one library, with a failing test for each class.\n\
         `spec-tests/peers.sh --check` runs all libraries again and fails if a number differs from this page.\n\
         `cargo run -p spec-tests -- peers` generates this page from the recorded numbers in `spec-tests/peers`.\n",
        first["cases"], first["seed"]
    );
    text.push_str("\n| library | right | extended | refused rightly | refused though it exists | **wrong** | outside its contract | crashed |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (name, figures) in &peers {
        let all = |column: &str| -> u64 { rows(figures).map(|(_, row)| sum(&row[column])).sum() };
        let columns = [
            "right",
            "extended",
            "refused_rightly",
            "refused_though_exists",
            "wrong",
            "outside_its_contract",
            "crashed",
        ];
        let title = title(name, figures);
        let _ = write!(text, "| [{title}](#{}) |", anchor(&title));
        for column in columns {
            let _ = write!(
                text,
                " {} |",
                if column == "wrong" { format!("**{}**", all(column)) } else { all(column).to_string() }
            );
        }
        text.push('\n');
    }
    text.push_str(
        "\n[By operation](#by-operation) has the same numbers for each operation.\n\n\
         `cute-static` is CuTe C++ with static extents and strides. It compiles a fixed set of requests; a request that does not\n\
         compile counts as refused. `spec-tests/vectors` records more of its answers, and `spec-tests/tests/*_recorded.rs` checks them.\n\n\
         ## By operation\n\n\
         Each cell: right or extended / refused though an answer exists / **wrong** (crashes included). Correct refusals and requests\n\
         outside the contract are omitted.\n\n| operation |",
    );
    for (name, _) in &peers {
        let _ = write!(text, " {name} |");
    }
    let _ = write!(text, "\n|---|{}\n", "---:|".repeat(peers.len()));
    let mut ops: Vec<&str> = peers.iter().flat_map(|(_, figures)| rows(figures).map(|(op, _)| op)).collect();
    ops.sort_unstable();
    ops.dedup();
    for op in ops {
        let _ = write!(text, "| {op} |");
        for (_, figures) in &peers {
            match figures["ops"].get(op) {
                None => text.push_str(" |"),
                Some(row) => {
                    let of = |column: &str| sum(&row[column]);
                    let (fine, wrong) = (of("right") + of("extended"), of("wrong") + of("crashed"));
                    let wrong = if wrong > 0 { format!("**{wrong}**") } else { "0".into() };
                    let _ = write!(text, " {fine}/{}/{wrong} |", of("refused_though_exists"));
                }
            }
        }
        text.push('\n');
    }
    for (name, figures) in &peers {
        let _ = write!(text, "\n## {}\n\n", title(name, figures));
        let classes = classes(figures)?;
        if classes.is_empty() {
            text.push_str("No wrong answer was found.\n");
            continue;
        }
        text.push_str("| class | count | smallest request | answer | correct | witness | issue |\n|---|---|---|---|---|---|---|\n");
        for ((family, kind), class) in classes {
            let example = class.smallest;
            let args: Vec<String> = example["args"].as_array().into_iter().flatten().map(notation).collect();
            let often: Vec<String> = class.ops.iter().map(|(op, count)| format!("{op} {count}")).collect();
            let right = example["right"].as_str().unwrap_or_default();
            let right = serde_json::from_str(right).map_or_else(|_| right.to_owned(), |value| notation(&value));
            let tracker = trackers.remove(&(name.clone(), family.to_owned(), kind.to_owned()));
            let _ = writeln!(
                text,
                "| {family}: {kind} | {} | `{}` of {} | {} | {} | {} | {} |",
                often.join(", "),
                example["op"].as_str().unwrap_or_default(),
                args.iter().map(|arg| format!("`{arg}`")).collect::<Vec<_>>().join(", "),
                if example["answer"].is_null() {
                    "nothing".into()
                } else {
                    format!("`{}`", notation(&example["answer"]))
                },
                if right.starts_with("a refusal") { right } else { format!("`{right}`") },
                cell(example["why"].as_str().unwrap_or_default()),
                tracker.unwrap_or_else(|| "none found".into()),
            );
        }
    }
    if let Some(((name, family, kind), _)) = trackers.pop_first() {
        bail!("{TRACKERS} names {name}, {family}: {kind}, which is no class any more");
    }
    Ok(text)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn title(name: &str, figures: &Value) -> String {
    let said = |field: &str| figures["capabilities"][field].as_str();
    [said("name").unwrap_or(name), said("version").unwrap_or_default()].join(" ").trim().to_owned()
}

fn rows(figures: &Value) -> impl Iterator<Item = (&str, &Value)> {
    figures["ops"].as_object().into_iter().flatten().map(|(op, row)| (op.as_str(), row))
}

/// Where classes are reported: by library, family and kind.
fn known(trackers: &Value) -> Result<BTreeMap<(String, String, String), String>> {
    let mut known = BTreeMap::new();
    for entry in trackers.as_array().with_context(|| format!("{TRACKERS} is no list"))? {
        let text = |name: &str| {
            let value = entry[name].as_str().map(str::to_owned);
            value.with_context(|| format!("{TRACKERS}: {entry} has no {name}"))
        };
        known.insert((text("peer")?, text("family")?, text("kind")?), text("tracker")?);
    }
    Ok(known)
}

/// Writes the page, or with `check` only says whether it is what the figures say.
///
/// # Errors
/// As [`page`]; when only checked, also that the file is out of date.
pub fn update(project: &Project, check: bool) -> Result<()> {
    let path = project.root().join(FILE);
    let (text, kept) = (page(project)?, fs::read_to_string(&path).unwrap_or_default());
    if text == kept {
        return Ok(());
    }
    if check {
        bail!("{FILE} is out of date: run `cargo run -p spec-tests -- peers`");
    }
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
