//! Other people's functions and sources, judged.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use razorgirl_audit::policy::{Config, Mistake};
use razorgirl_audit::report::{Export, Json, Text};
use razorgirl_audit::{Status, policy};
use razorgirl_conform::capabilities::Capabilities;
use razorgirl_conform::driver::{Ending, Plan, Shard, run_within};
use razorgirl_conform::{Verdict, generate};
use serde_json::Value;

use crate::refusal::recorded;

/// The most cases of an operation.
const CASES: u64 = 100_000_000;

fn json(text: &str) -> PyResult<Value> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Whether an answer to a request of the protocol is right, as another implementation is judged: a verdict and why.
#[pyfunction]
pub(crate) fn judged(request: &str, answer: &str) -> PyResult<(&'static str, String)> {
    Ok(match razorgirl_conform::judge(&json(request)?, &json(answer)?, false) {
        Verdict::Right => ("right", String::new()),
        Verdict::Extended(why) => ("extended", why.to_owned()),
        Verdict::RefusedRightly => ("refused rightly", String::new()),
        Verdict::ExistsOutside(why) => ("exists outside", why),
        Verdict::RefusedThoughExists(why) => ("refused though it exists", why),
        Verdict::Wrong(wrong) => ("wrong", format!("{}: {}", wrong.kind, wrong.text)),
        Verdict::Unjudged => ("unjudged", String::new()),
    })
}

/// The operations that can be judged, each in each of its modes.
#[pyfunction]
pub(crate) fn judged_operations() -> Vec<&'static str> {
    generate::names().iter().map(String::as_str).collect()
}

/// Asks a function, which answers requests of the protocol by lines of it. The report as JSON and in words, and how it ended.
#[pyfunction]
pub(crate) fn conformed(
    py: Python<'_>,
    answer: &Bound<'_, PyAny>,
    ops: Vec<String>,
    cases: u64,
    seed: u64,
    examples: usize,
    capabilities: &str,
) -> PyResult<(String, String, &'static str)> {
    if let Some(unknown) = ops.iter().find(|op| !generate::names().contains(op)) {
        return Err(PyValueError::new_err(format!("there are no cases for {unknown}")));
    }
    if cases > CASES {
        return Err(PyValueError::new_err(format!("{cases} cases are more than {CASES}")));
    }
    let capabilities = Capabilities::read(&json(capabilities)?).map_err(PyValueError::new_err)?;
    let plan = Plan {
        command: "a function of this process".into(),
        ops,
        cases,
        seed,
        shard: Shard::ALL,
        jobs: 1,
        batch: None,
        timeout: Duration::ZERO,
        start_timeout: Duration::ZERO,
        exact: false,
        examples: examples.min(1000),
    };
    let (stop, failure) = (AtomicBool::new(false), RefCell::new(None));
    let mut ask = |request: &Value| {
        let said = py.check_signals().and_then(|()| answer.call1((request.to_string(),))?.extract::<String>());
        match said.and_then(|text| json(&text)) {
            Ok(value) => value,
            Err(error) => {
                // such as Ctrl-C: no refusal of the function, which are answers
                stop.store(true, Ordering::Relaxed);
                failure.replace(Some(error));
                Value::Null
            }
        }
    };
    let report = run_within(&plan, capabilities, &stop, &mut ask);
    if let Some(error) = failure.take() {
        return Err(error);
    }
    let ending = match report.ending() {
        Ending::Right => "right",
        Ending::Wrong => "wrong",
        Ending::Interrupted | Ending::NoVerdict(_) => "no verdict",
    };
    Ok((report.to_json().to_string(), report.to_text(), ending))
}

/// Audits files and folders: the report as JSON and in words, and what it comes to.
#[allow(clippy::needless_pass_by_value, reason = "values that are made of Python's are handed over")]
#[pyfunction]
pub(crate) fn audited(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    config: Option<PathBuf>,
) -> PyResult<(String, String, &'static str)> {
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        return Err(PyFileNotFoundError::new_err(format!("{}: no such file or folder", missing.display())));
    }
    let refused = |mistake: Mistake| {
        let text = mistake.to_string();
        recorded(py, mistake.code, &text, vec![mistake.fix])
    };
    let config = config.as_deref().map(Config::read).transpose().map_err(refused)?.unwrap_or_default();
    let (written, status) = py.detach(|| {
        let mut report = razorgirl_audit::audit_selected(&paths, &config.selection, None);
        policy::apply(&mut report, &config, None);
        let (mut json, mut text) = (Vec::new(), Vec::new());
        let written = Json { summary: false, unresolved: true }
            .write(&report, &mut json)
            .and_then(|()| Text::default().write(&report, &mut text));
        let status = match report.status() {
            Status::Clean => "clean",
            Status::Findings => "findings",
            Status::Incomplete => "incomplete",
        };
        (written.map(|()| (json, text)), status)
    });
    let (json, text) = written?;
    Ok((String::from_utf8_lossy(&json).into_owned(), String::from_utf8_lossy(&text).into_owned(), status))
}
