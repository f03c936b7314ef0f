//! A request and its two answers.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use spec_tests::{Oracle, Session};

static SESSION: Mutex<Option<Session>> = Mutex::new(None);

/// What the library answers.
pub fn rust(request: &Value) -> Value {
    let line = razorgirl_protocol::answer(request.to_string().as_bytes());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request} is answered by no JSON ({error}): {line}"))
}

/// What Lean answers to a batch, by the process that all tests share. After a failure the next test starts another.
pub fn lean(batch: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = batch.iter().map(Value::to_string).collect();
    let mut shared = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    let asked = shared.take().map_or_else(|| Oracle::open()?.session(), Ok).and_then(|mut session| {
        let answers = session.ask(&lines)?;
        Ok((session, answers))
    });
    let (session, answers) = asked.expect("Lean evaluates the requests");
    *shared = Some(session);
    assert_eq!(answers.len(), batch.len());
    answers.iter().map(|answer| serde_json::from_str(answer).expect("Lean answers JSON")).collect()
}
