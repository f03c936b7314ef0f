//! Asking Lean: requests of the protocol in, answers out.

use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use duct::ReaderHandle;

use crate::lean::tree::LeanTree;
use crate::npm::message::Message;
use crate::process;
use crate::progress::Progress;
use crate::project::Project;
use crate::toolchain::{LeanToolchain, Program, ToolchainChoice, choose};

/// Deepest nesting of a request that Lean is asked: its JSON reader and ours recurse.
pub const MAX_NESTING: usize = 100;
/// Longest list in a request that Lean is asked: functions that recurse over a list take stack for each entry.
pub const MAX_ENTRIES: usize = 16_384;

/// Longest time without an answer, the start included.
const PATIENCE: Duration = Duration::from_secs(1200);

/// The Lean definitions, as something that answers requests.
#[derive(Debug)]
pub struct Oracle {
    project: Project,
    tree: LeanTree,
    toolchain: Box<dyn LeanToolchain>,
}

impl Oracle {
    /// The oracle of this repository, by the toolchain that `RAZORGIRL_LEAN` asks for.
    ///
    /// # Errors
    /// There is no Lean; the message says what to do.
    pub fn open() -> Result<Self> {
        Self::of(Project::repository(), Progress::to_stderr())
    }

    /// The oracle of `project`.
    ///
    /// # Errors
    /// There is no Lean, or the sources cannot be read.
    pub fn of(project: Project, progress: Progress) -> Result<Self> {
        let toolchain = choose(&project, ToolchainChoice::from_env()?, progress)?;
        let tree = project.tree()?;
        Ok(Self { project, tree, toolchain })
    }

    /// Which Lean answers.
    pub fn describe(&self) -> String {
        self.toolchain.describe()
    }

    /// Answers of a batch of requests, in order, by one Lean process. A request is one line of JSON.
    ///
    /// # Errors
    /// A request is beyond [`MAX_NESTING`] or [`MAX_ENTRIES`] or spans lines, the oracle has errors, or it ended before
    /// it answered everything. Errors that the protocol knows are answers.
    pub fn ask(&self, requests: &[String]) -> Result<Vec<String>> {
        if requests.is_empty() {
            return Ok(Vec::new());
        }
        requests.iter().enumerate().try_for_each(|(n, request)| {
            check_bounds(request).with_context(|| format!("request {} is not asked", n + 1))
        })?;
        answers(&self.toolchain.oracle(&self.project, &self.tree)?, requests)
    }
}

/// Runs the oracle once on a trivial request.
pub(crate) fn trial(toolchain: &dyn LeanToolchain, project: &Project, tree: &LeanTree) -> Result<()> {
    answers(&toolchain.oracle(project, tree)?, &[]).map(|_| ())
}

fn check_bounds(request: &str) -> Result<()> {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    for byte in request.bytes() {
        match byte {
            b'\n' => bail!("it spans several lines"),
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => open.push(1_usize),
            b']' | b'}' => {
                open.pop();
            }
            b',' => {
                if let Some(entries) = open.last_mut() {
                    *entries += 1;
                    if *entries > MAX_ENTRIES {
                        bail!("it has a list of over {MAX_ENTRIES} entries, which Lean's stack may not hold");
                    }
                }
            }
            _ => {}
        }
        if open.len() > MAX_NESTING {
            bail!("it is nested deeper than {MAX_NESTING}, which Lean's stack may not hold");
        }
    }
    Ok(())
}

/// A request that no one else makes: its answer shows that all before it have been answered. The exit status does not,
/// the WebAssembly build's is arbitrary.
fn sentinel() -> (String, String) {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    let nonce = format!("end-{nanos:x}-{}", std::process::id());
    (format!(r#"{{"id":"{nonce}","op":"ops","args":[]}}"#), format!(r#"{{"id":"{nonce}","result":"#))
}

fn answers(program: &Program, requests: &[String]) -> Result<Vec<String>> {
    let (last, last_answer) = sentinel();
    let mut input = tempfile::tempfile()?;
    for request in requests {
        writeln!(input, "{request}")?;
    }
    writeln!(input, "{last}")?;
    input.rewind()?;
    let mut errors = tempfile::tempfile()?;
    let oracle = program.command.stdin_file(input).stderr_file(errors.try_clone()?).unchecked();
    let oracle = Arc::new(oracle.reader().context("cannot start the oracle")?);
    let mut said = OracleOutput::default();
    let complete = read_answers(&oracle, requests.len(), &last_answer, &mut said);
    let status = oracle.try_wait()?.map_or_else(|| "killed".to_string(), |ended| ended.status.to_string());
    // All is said, or nothing will come any more.
    oracle.kill()?;
    if complete? {
        return Ok(said.answers);
    }
    let mut stderr = String::new();
    errors.rewind()?;
    errors.read_to_string(&mut stderr)?;
    let mut text = format!(
        "the oracle ended before it answered everything ({status}): {} answers to {} requests",
        said.answers.len(),
        requests.len()
    );
    for message in causes(&said.messages) {
        let place = program.joined.as_ref().and_then(|joined| joined.origin(message.pos.line));
        let (path, line) = place.unwrap_or(("Main.lean", message.pos.line));
        text = format!("{text}\n{}", message.show(path, line));
    }
    for line in said.other.iter().map(String::as_str).chain(stderr.lines()).take(40) {
        text = format!("{text}\n{line}");
    }
    bail!(text)
}

/// The errors, without those that only say that a definition uses another one with an error.
fn causes(messages: &[Message]) -> Vec<&Message> {
    let errors: Vec<&Message> = messages.iter().filter(|m| m.is_error()).collect();
    let own: Vec<&Message> =
        errors.iter().copied().filter(|m| !m.data.contains("which has no executable code")).collect();
    if own.is_empty() { errors } else { own }
}

/// What came out of the oracle.
#[derive(Default)]
struct OracleOutput {
    answers: Vec<String>,
    messages: Vec<Message>,
    other: Vec<String>,
}

/// Reads until the sentinel is answered (true), or the output ends (false).
fn read_answers(
    oracle: &Arc<ReaderHandle>,
    expected: usize,
    last_answer: &str,
    said: &mut OracleOutput,
) -> Result<bool> {
    let (send, lines) = mpsc::channel();
    let output = Arc::clone(oracle);
    thread::spawn(move || {
        for line in BufReader::new(&*output).lines() {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    loop {
        let line = match lines.recv_timeout(PATIENCE) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
            Err(RecvTimeoutError::Timeout) => {
                bail!(
                    "the oracle said nothing for {} minutes after {} answers",
                    PATIENCE.as_secs() / 60,
                    said.answers.len()
                )
            }
        };
        if line.starts_with(last_answer) {
            if said.answers.len() != expected {
                bail!("the oracle gave {} answers to {expected} requests", said.answers.len());
            }
            return Ok(true);
        }
        if line.starts_with("{\"id\":") {
            said.answers.push(line);
        } else if let Some(message) = Message::read(&line) {
            said.messages.push(message);
        } else {
            said.other.push(line);
        }
    }
}

/// Runs a program to its end and gives what it printed, without Lean's messages.
pub(crate) fn output(program: &Program) -> Result<Vec<String>> {
    let ended = process::run(&program.command, Duration::from_secs(3600))?.context("the Lean program did not end")?;
    let mut lines = Vec::new();
    for line in ended.stdout.lines() {
        match Message::read(line) {
            Some(message) if message.is_error() => {
                bail!("the Lean program has errors:\n{}", message.show("…", message.pos.line))
            }
            Some(_) => {}
            None => lines.push(line.to_string()),
        }
    }
    if !ended.stderr.trim().is_empty() && !ended.status.success() {
        lines.extend(ended.stderr.lines().map(|line| format!("stderr: {line}")));
    }
    Ok(lines)
}

/// Reads requests, one a line; empty lines are requests too.
///
/// # Errors
/// The input cannot be read.
pub fn read_requests(input: impl Read) -> Result<Vec<String>> {
    BufReader::new(input).lines().collect::<std::io::Result<_>>().context("cannot read the requests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        assert!(check_bounds(&"[".repeat(100)).is_ok());
        assert!(check_bounds(&"[".repeat(101)).unwrap_err().to_string().contains("nested deeper than 100"));
        assert!(check_bounds(&"[]".repeat(500)).is_ok());
        assert!(check_bounds(&format!("\"{}\"", "[,".repeat(50_000))).is_ok());
        assert!(check_bounds(&format!("[{}1]", "1,".repeat(16_383))).is_ok());
        assert!(check_bounds(&format!("[{}1]", "1,".repeat(16_384))).is_err());
        assert!(check_bounds("1\n2").is_err());
    }
}
