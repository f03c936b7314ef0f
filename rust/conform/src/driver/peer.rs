//! A conversation with a peer: questions in, and for each an answer or what happened instead.

use super::Plan;
use super::process::{Process, ProcessOutput};
use super::signal;
use crate::capabilities::Capabilities;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Lines in a row that answer nothing before a peer is said to flood.
const STRAY_LINES: u64 = 1000;
/// Bytes in a row that answer nothing before a peer is said to flood.
const STRAY_BYTES: usize = 1 << 20;

/// Values in one answer; more is no answer to anything that is asked.
const MAX_VALUES: usize = 1 << 21;

/// What came of one request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// an answer with the id of the request
    Answer(Value),
    /// in a word or two, and with what is known
    Crashed(&'static str, String),
    /// no answer in time
    TimedOut,
    /// we were told to stop
    Stopped,
}

/// A peer cannot be started, or never answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotStart(pub String);

impl std::fmt::Display for CannotStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotStart {}

/// Who is asked.
pub(super) trait Ask {
    /// What comes of each request, in order.
    fn ask(&mut self, requests: &[Value]) -> Vec<Outcome>;
}

impl Ask for Peer<'_> {
    fn ask(&mut self, requests: &[Value]) -> Vec<Outcome> {
        self.ask(requests)
    }
}

/// One peer: at most one process at a time, started when it is needed.
pub(super) struct Peer<'a> {
    plan: &'a Plan,
    stop: &'a AtomicBool,
    process: Option<Process>,
    /// processes started so far
    pub starts: u64,
    /// lines that were no answers
    pub stray: u64,
}

impl<'a> Peer<'a> {
    pub fn new(plan: &'a Plan, stop: &'a AtomicBool) -> Self {
        Peer { plan, stop, process: None, starts: 0, stray: 0 }
    }

    /// The operations that the peer says it has; `None` when it does not say.
    pub fn offered(&mut self) -> Result<Option<BTreeSet<String>>, CannotStart> {
        let answer = if self.plan.batch.is_some() {
            self.ask(&[json!({"id": "ops", "op": "ops", "args": []})]).pop()
        } else {
            Some(self.start())
        };
        match answer {
            Some(Outcome::Answer(answer)) => Ok(answer
                .get("result")
                .and_then(Value::as_array)
                .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())),
            Some(Outcome::Crashed(how, detail)) => Err(self.cannot_start(&format!("it {how}: {detail}"))),
            Some(Outcome::TimedOut) => Err(self.cannot_start(&format!(
                "no answer within {} s; --start-timeout gives it longer",
                self.plan.start_timeout.as_secs_f64()
            ))),
            Some(Outcome::Stopped) | None => Ok(None),
        }
    }

    /// What the peer says of itself, in answer to `hello`.
    pub fn hello(&mut self) -> Result<Capabilities, CannotStart> {
        match self.ask(&[json!({"id": "hello", "op": "hello", "args": []})]).pop() {
            Some(Outcome::Answer(answer)) => {
                Capabilities::read(answer.get("result").unwrap_or(&Value::Null)).map_err(|why| self.cannot_start(&why))
            }
            Some(Outcome::Crashed(how, detail)) => Err(self.cannot_start(&format!("to hello, it {how}: {detail}"))),
            Some(Outcome::TimedOut) => Err(self.cannot_start("no answer to hello in time")),
            Some(Outcome::Stopped) | None => Ok(Capabilities::default()),
        }
    }

    fn cannot_start(&self, why: &str) -> CannotStart {
        CannotStart(format!("the peer `{}` does not answer the first request: {why}", self.plan.command))
    }

    /// What comes of each request, in order. A process that fails is ended; the next request meets a fresh one.
    pub fn ask(&mut self, requests: &[Value]) -> Vec<Outcome> {
        let mut outcomes = Vec::with_capacity(requests.len());
        while outcomes.len() < requests.len() {
            if self.stop.load(Ordering::Relaxed) {
                outcomes.resize(requests.len(), Outcome::Stopped);
                break;
            }
            let rest = requests.get(outcomes.len()..).unwrap_or_default();
            if self.plan.batch.is_some() {
                self.batch(rest, &mut outcomes);
            } else if self.process.is_some() || self.started(&mut outcomes) {
                self.converse(rest, &mut outcomes);
            }
        }
        outcomes
    }

    /// A fresh process that has answered; else the failure is the outcome of the next request.
    fn started(&mut self, outcomes: &mut Vec<Outcome>) -> bool {
        let started = self.start();
        let fine = matches!(started, Outcome::Answer(_));
        if !fine {
            outcomes.push(started);
        }
        fine
    }

    fn start(&mut self) -> Outcome {
        self.starts += 1;
        match Process::start(&self.plan.command) {
            Err(error) => return Outcome::Crashed("cannot be started", error.to_string()),
            Ok(process) => self.process = Some(process),
        }
        let hello = json!({"id": "ops", "op": "ops", "args": []});
        self.send(&hello);
        self.answer(&hello, self.plan.start_timeout)
    }

    fn send(&self, request: &Value) {
        if let Some(process) = &self.process {
            process.write(format!("{request}\n").into_bytes());
        }
    }

    fn converse(&mut self, requests: &[Value], outcomes: &mut Vec<Outcome>) {
        for request in requests {
            self.send(request);
            outcomes.push(self.answer(request, self.plan.timeout));
            if self.process.is_none() {
                return;
            }
        }
    }

    fn batch(&mut self, requests: &[Value], outcomes: &mut Vec<Outcome>) {
        self.starts += 1;
        match Process::start(&self.plan.command) {
            Err(error) => {
                outcomes.push(Outcome::Crashed("cannot be started", error.to_string()));
                return;
            }
            Ok(process) => self.process = Some(process),
        }
        for request in requests {
            self.send(request);
        }
        if let Some(process) = &mut self.process {
            process.close();
        }
        let mut patience = self.plan.start_timeout;
        for request in requests {
            outcomes.push(self.answer(request, patience));
            patience = self.plan.timeout;
            if self.process.is_none() {
                return;
            }
        }
        self.process = None;
    }

    /// Waits for the answer to a request; whatever else happens ends the process.
    fn answer(&mut self, request: &Value, patience: Duration) -> Outcome {
        let start = Instant::now();
        let left = || patience.saturating_sub(start.elapsed());
        let (mut lines, mut bytes) = (0, 0);
        let mut garbage = None;
        let outcome = loop {
            let Some(process) = &self.process else { break Outcome::Crashed("died", String::new()) };
            match process.read(left().min(Duration::from_millis(100))) {
                ProcessOutput::Line(line) => match read_answer(&line, request.get("id")) {
                    Read::Answer(answer) => return Outcome::Answer(answer),
                    Read::Wrong(id) => {
                        let asked = request.get("id").unwrap_or(&Value::Null);
                        break Outcome::Crashed("answered a wrong id", format!("id {id} in answer to {asked}"));
                    }
                    Read::Garbage => {
                        self.stray += 1;
                        lines += 1;
                        bytes += line.len();
                        if lines > STRAY_LINES || bytes > STRAY_BYTES {
                            break Outcome::Crashed("flooded its output", quoted(&line));
                        }
                        garbage.get_or_insert_with(|| quoted(&line));
                    }
                },
                ProcessOutput::TooLong => break Outcome::Crashed("flooded its output", "a line without an end".into()),
                ProcessOutput::End => break self.died(request),
                ProcessOutput::Nothing if self.stop.load(Ordering::Relaxed) => break Outcome::Stopped,
                ProcessOutput::Nothing if left().is_zero() => {
                    break match garbage {
                        Some(line) => Outcome::Crashed("answered garbage", line),
                        None => Outcome::TimedOut,
                    };
                }
                ProcessOutput::Nothing => {}
            }
        };
        // a conversation that has lost its order cannot go on
        self.process = None;
        outcome
    }

    fn died(&mut self, request: &Value) -> Outcome {
        // its output ends a moment before it does
        thread::sleep(Duration::from_millis(20));
        let Some(process) = &mut self.process else { return Outcome::Crashed("died", String::new()) };
        let status = process.end();
        let errors = process.errors();
        let last = errors.lines().last().unwrap_or_default().to_owned();
        let how = match status.and_then(signal::of) {
            // an assertion is how many libraries refuse
            Some(signal::ABORT) => {
                return Outcome::Answer(json!({
                    "id": request.get("id"),
                    "error": {"code": "aborted", "message": last, "help": []},
                }));
            }
            Some(signal) => signal::name(signal),
            None => "died",
        };
        let status = status.map_or_else(String::new, |status| status.to_string());
        Outcome::Crashed(how, if last.is_empty() { status } else { format!("{status}: {last}") })
    }
}

enum Read {
    Answer(Value),
    Wrong(Value),
    Garbage,
}

fn read_answer(line: &[u8], id: Option<&Value>) -> Read {
    // a value takes many times the room of its text
    if line.iter().filter(|&&byte| byte == b',').nth(MAX_VALUES).is_some() {
        return Read::Garbage;
    }
    let Ok(answer @ Value::Object(_)) = serde_json::from_slice::<Value>(line) else { return Read::Garbage };
    match answer.get("id") {
        given if given == id => Read::Answer(answer),
        // a line that the peer could not read that far
        Some(Value::Null) if answer.get("error").is_some() => Read::Answer(answer),
        None => Read::Garbage,
        Some(other) => Read::Wrong(other.clone()),
    }
}

fn quoted(line: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(line).chars().take(80).collect();
    format!("{text:?}")
}
