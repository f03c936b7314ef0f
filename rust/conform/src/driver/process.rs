//! A child process with its pipes drained by threads, so that no pipe can block us and no output can fill our memory.

use duct::{Expression, Handle, cmd};
use std::io::{BufRead, BufReader, PipeWriter, Read, Write};
use std::process::ExitStatus;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Longest line that is kept; an answer of 2^20 offsets fits.
const MAX_LINE: usize = 24 << 20;
/// Lines that wait for us; a peer that says more has to wait itself.
const WAITING: usize = 4;
/// The end of standard error that is kept for messages.
const ERRORS: usize = 4096;

/// What came out of a process.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProcessOutput {
    /// a line, without its end
    Line(Vec<u8>),
    /// a line that is too long to be an answer
    TooLong,
    /// the output has ended
    End,
    /// nothing yet
    Nothing,
}

/// A running process; ended with its whole group when dropped.
#[derive(Debug)]
pub(super) struct Process {
    handle: Handle,
    ended: bool,
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<ProcessOutput>,
    errors: Arc<Mutex<Vec<u8>>>,
}

#[cfg(unix)]
fn shell(command: &str) -> Expression {
    use std::os::unix::process::CommandExt;
    // a group of its own: it can be ended as a whole, and Ctrl-C on the terminal reaches only us
    cmd("sh", ["-c", command]).before_spawn(|shell| {
        shell.process_group(0);
        Ok(())
    })
}

#[cfg(not(unix))]
fn shell(command: &str) -> Expression {
    cmd("cmd", ["/C", command])
}

/// Ends what a process has started, as far as the system groups it; the process has not been waited for, so nobody else
/// can have its number.
#[cfg(unix)]
fn end_group(handle: &Handle) {
    let leader = handle.pids().first().and_then(|&pid| i32::try_from(pid).ok());
    if let Some(leader) = leader.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: &Handle) {}

fn thread(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

impl Process {
    /// Starts a command line as a shell reads it.
    pub fn start(command: &str) -> std::io::Result<Process> {
        let (its_input, stdin) = std::io::pipe()?;
        let (stdout, its_output) = std::io::pipe()?;
        let (stderr, its_errors) = std::io::pipe()?;
        let whole = shell(command).stdin_file(its_input).stdout_file(its_output).stderr_file(its_errors).unchecked();
        let handle = whole.start()?;
        // our copies of its ends, without which the pipes end when it does
        drop(whole);
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        let (send, lines) = mpsc::sync_channel(WAITING);
        let errors = Arc::new(Mutex::new(Vec::new()));
        let process = Process { handle, ended: false, input: Some(input), lines, errors: Arc::clone(&errors) };
        thread(move || write_all(stdin, &to_write))?;
        thread(move || read_lines(stdout, &send))?;
        thread(move || keep_the_end(stderr, &errors))?;
        Ok(process)
    }

    /// Gives it some input, sooner or later.
    pub fn write(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// Ends its input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line.
    pub fn read(&self, patience: Duration) -> ProcessOutput {
        match self.lines.recv_timeout(patience) {
            Ok(said) => said,
            Err(RecvTimeoutError::Timeout) => ProcessOutput::Nothing,
            Err(RecvTimeoutError::Disconnected) => ProcessOutput::End,
        }
    }

    /// Ends it, and says how it ended if it had done so by itself.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.input = None;
        if !self.ended {
            self.ended = true;
            end_group(&self.handle);
            let _ = self.handle.kill();
        }
        self.handle.wait().ok().map(|output| output.status)
    }

    /// The last lines of its standard error.
    pub fn errors(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&errors).trim().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn write_all(mut stdin: PipeWriter, to_write: &Receiver<Vec<u8>>) {
    for bytes in to_write {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, send: &SyncSender<ProcessOutput>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line);
        let said = match read {
            Err(_) | Ok(0) => ProcessOutput::End,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                ProcessOutput::Line(line)
            }
            Ok(n) if n >= MAX_LINE => ProcessOutput::TooLong,
            // the end came before the end of the line
            Ok(_) => ProcessOutput::Line(line),
        };
        let last = matches!(said, ProcessOutput::End | ProcessOutput::TooLong);
        if send.send(said).is_err() || last {
            return;
        }
    }
}

fn keep_the_end(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(buffer.get(..n).unwrap_or_default());
        let over = kept.len().saturating_sub(ERRORS);
        kept.drain(..over);
    }
}
