//! A child process with its pipes drained by threads, so that no pipe can block us and no output can fill our memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Longest line that is kept; an answer of 2^20 offsets fits.
const MAX_LINE: usize = 32 << 20;
/// Lines that wait for us; a peer that says more has to wait itself.
const WAITING: usize = 16;
/// The end of standard error that is kept for messages.
const ERRORS: usize = 4096;

/// What came out of a process.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
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
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Said>,
    errors: Arc<Mutex<Vec<u8>>>,
}

#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    // a group of its own: it can be ended as a whole, and Ctrl-C on the terminal reaches only us
    shell.args(["-c", command]).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

#[cfg(unix)]
fn end(child: &mut Child) {
    // before it is waited for: until then nobody else can have its number
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn end(child: &mut Child) {
    let _ = child.kill();
}

impl Process {
    /// Starts a command line as a shell reads it.
    pub fn start(command: &str) -> std::io::Result<Process> {
        let mut child = shell(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        let (send, lines) = mpsc::sync_channel(WAITING);
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_all(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &send));
        }
        if let Some(stderr) = child.stderr.take() {
            let errors = Arc::clone(&errors);
            thread::spawn(move || keep_the_end(stderr, &errors));
        }
        Ok(Process { child, input: Some(input), lines, errors })
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
    pub fn read(&self, patience: Duration) -> Said {
        match self.lines.recv_timeout(patience) {
            Ok(said) => said,
            Err(RecvTimeoutError::Timeout) => Said::Nothing,
            Err(RecvTimeoutError::Disconnected) => Said::End,
        }
    }

    /// Ends it, and says how it ended if it had done so by itself.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.input = None;
        end(&mut self.child);
        self.child.wait().ok()
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

fn write_all(mut stdin: ChildStdin, to_write: &Receiver<Vec<u8>>) {
    for bytes in to_write {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, send: &SyncSender<Said>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line);
        let said = match read {
            Err(_) | Ok(0) => Said::End,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Said::Line(line)
            }
            Ok(n) if n >= MAX_LINE => Said::TooLong,
            // the end came before the end of the line
            Ok(_) => Said::Line(line),
        };
        let last = matches!(said, Said::End | Said::TooLong);
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
