//! Recorded answers: `RAZORGIRL_LEAN=recorded` for machines without any Lean.
//!
//! `recorded/*.jsonl`: first a line that says which definitions answered, then a request and its answer a line.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lean::tree::LeanTree;
use crate::project::definitions;

/// Requests and what Lean answered.
#[derive(Debug, Clone)]
pub struct Recorded {
    dir: PathBuf,
    /// By the request without its id.
    answers: HashMap<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// sha256 of the Lean files that the answers depend on.
    definitions: String,
    /// Which Lean answered.
    lean: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// As it was asked; a string when it is not a JSON object.
    request: Value,
    answer: Value,
}

impl Recorded {
    /// Where this repository's records are.
    pub fn dir() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded")
    }

    /// Reads all records in `dir`.
    ///
    /// # Errors
    /// There is none, one is damaged, or one was made with other definitions than those of `tree`.
    pub fn load(dir: &Path, tree: &LeanTree) -> Result<Self> {
        let current = definitions(tree)?;
        let mut paths: Vec<PathBuf> = match fs::read_dir(dir) {
            Ok(entries) => {
                entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "jsonl")).collect()
            }
            Err(_) => Vec::new(),
        };
        paths.sort();
        if paths.is_empty() {
            bail!("there are no recorded answers in {}; `spec-tests record NAME` writes them", dir.display());
        }
        let mut answers = HashMap::new();
        for path in &paths {
            let shown = path.display();
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
            let mut lines = text.lines();
            let header: Header = serde_json::from_str(lines.next().unwrap_or_default())
                .with_context(|| format!("{shown}: the first line must say which definitions answered"))?;
            if header.definitions != current {
                bail!("{shown} is stale: it was recorded with other definitions than those in lean/; record it again");
            }
            for (n, line) in lines.enumerate() {
                let entry: Entry = serde_json::from_str(line).with_context(|| format!("{shown}: line {}", n + 2))?;
                answers.insert(key(&entry.request), entry.answer);
            }
        }
        Ok(Self { dir: dir.to_path_buf(), answers })
    }

    /// The recorded answers to `requests`, with their ids.
    ///
    /// # Errors
    /// One of them was not recorded.
    pub fn ask(&self, requests: &[String]) -> Result<Vec<String>> {
        let answer = |request: &String| {
            let request = read(request);
            let recorded = self.answers.get(&key(&request));
            let mut answer =
                recorded.with_context(|| format!("no recorded answer in {} to {request}", self.dir.display()))?.clone();
            if let (Some(answer), Some(id)) = (answer.as_object_mut(), request.get("id")) {
                answer.insert("id".to_string(), id.clone());
            }
            Ok(show(&answer))
        };
        requests.iter().map(answer).collect()
    }

    /// Writes `dir/name.jsonl`.
    ///
    /// # Errors
    /// The file cannot be written, or an answer is not JSON.
    pub fn write(
        dir: &Path,
        name: &str,
        tree: &LeanTree,
        lean: &str,
        requests: &[String],
        answers: &[String],
    ) -> Result<PathBuf> {
        let header = Header { definitions: definitions(tree)?, lean: lean.to_string() };
        let mut text = serde_json::to_string(&header)? + "\n";
        for (request, answer) in requests.iter().zip(answers) {
            let entry = Entry { request: read(request), answer: serde_json::from_str(answer)? };
            text = text + &serde_json::to_string(&entry)? + "\n";
        }
        fs::create_dir_all(dir)?;
        let path = dir.join(name).with_extension("jsonl");
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

fn read(request: &str) -> Value {
    match serde_json::from_str(request) {
        Ok(value @ Value::Object(_)) => value,
        _ => Value::String(request.to_string()),
    }
}

fn key(request: &Value) -> String {
    let mut request = request.clone();
    if let Some(fields) = request.as_object_mut() {
        fields.remove("id");
    }
    request.to_string()
}

/// With the id first, as the oracle writes it.
fn show(answer: &Value) -> String {
    let id = answer.get("id").unwrap_or(&Value::Null);
    let mut text = format!("{{\"id\":{id}");
    for (name, value) in answer.as_object().into_iter().flatten().filter(|(name, _)| *name != "id") {
        let _ = write!(text, ",{}:{value}", Value::from(name.as_str()));
    }
    text + "}"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(dir: &Path, text: &str) -> LeanTree {
        fs::create_dir_all(dir.join("lean")).unwrap();
        fs::write(dir.join("lean/Oracle.lean"), format!("module\n{}\n{text}\n", crate::lean::tree::SECTION)).unwrap();
        LeanTree::read(&dir.join("lean")).unwrap()
    }

    #[test]
    fn answers_again_until_the_definitions_change() {
        let dir = tempfile::tempdir().unwrap();
        let records = dir.path().join("recorded");
        let now = tree(dir.path(), "def a := 1");
        assert!(Recorded::load(&records, &now).unwrap_err().to_string().contains("no recorded answers"));

        let requests = [r#"{"id":1,"op":"size","args":[18446744073709551616]}"#, "[1", ""].map(String::from);
        let answers =
            [r#"{"id":1,"result":18446744073709551616}"#, r#"{"id":null,"error":{}}"#, r#"{"id":null,"error":{}}"#];
        Recorded::write(&records, "some", &now, "test", &requests, &answers.map(String::from)).unwrap();
        let recorded = Recorded::load(&records, &now).unwrap();
        assert_eq!(recorded.ask(&requests).unwrap(), answers);
        let other_id = [r#"{"args":[18446744073709551616],"op":"size","id":[2]}"#.to_string()];
        assert_eq!(recorded.ask(&other_id).unwrap(), [r#"{"id":[2],"result":18446744073709551616}"#]);
        let unknown = recorded.ask(&[r#"{"id":1,"op":"size","args":[2]}"#.to_string()]).unwrap_err().to_string();
        assert!(unknown.contains("no recorded answer") && unknown.contains(r#""args":[2]"#), "{unknown}");

        let later = tree(dir.path(), "def a := 2");
        assert!(Recorded::load(&records, &later).unwrap_err().to_string().contains("stale"));
    }
}
