//! One question to the protocol.

use crate::failure::Failure;
use serde_json::{Value, json};

/// The whole answer, or the refusal.
pub fn answer(op: &str, args: &[Value]) -> Result<Value, Failure> {
    let request = json!({"id": 0, "op": op, "args": args});
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    let answer: Value = serde_json::from_str(&line).map_err(std::io::Error::from)?;
    let Some(error) = answer.get("error") else { return Ok(answer) };
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let help = error.get("help").and_then(Value::as_array).cloned().unwrap_or_default();
    Err(Failure::Refused {
        code: text("code"),
        message: text("message"),
        help: help.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect(),
    })
}

/// The result alone.
pub fn ask(op: &str, args: &[Value]) -> Result<Value, Failure> {
    answer(op, args).map(|answer| answer.get("result").cloned().unwrap_or(Value::Null))
}
