//! Child processes that may hang, and locks between processes.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek};
use std::path::Path;
use std::process::ExitStatus;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use duct::Expression;

use crate::progress::Progress;

/// What a process that ended left behind.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ended {
    /// Both outputs.
    pub fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs `command` without input; `None` when it did not end within `limit` (it is then killed).
///
/// Output goes through files: a grandchild that outlives its parent would keep a pipe open.
pub fn run(command: &Expression, limit: Duration) -> Result<Option<Ended>> {
    let mut outputs = [tempfile::tempfile()?, tempfile::tempfile()?];
    let [stdout, stderr] = outputs.each_ref().map(File::try_clone);
    let command = command.stdin_null().stdout_file(stdout?).stderr_file(stderr?).unchecked();
    let running = command.start().with_context(|| format!("cannot start {command:?}"))?;
    let Some(ended) = running.wait_timeout(limit)? else {
        running.kill()?;
        return Ok(None);
    };
    let status = ended.status;
    let [stdout, stderr] = outputs.each_mut().map(read_all);
    Ok(Some(Ended { status, stdout: stdout?, stderr: stderr? }))
}

fn read_all(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A lock held by one process (and one holder in it) at a time; given back when dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock `path`, and says what it waits for if another holds it.
    pub fn take(path: &Path, what: &str, progress: Progress) -> Result<Self> {
        let file = lock_file(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress.line(&format!("waiting for another process that is {what}"));
                file.lock()?;
            }
            Err(TryLockError::Error(e)) => return Err(e).with_context(|| format!("cannot lock {}", path.display())),
        }
        Ok(Self { _file: file })
    }

    /// Takes one of `count` locks in `dir`: at most that many holders on this machine.
    pub fn one_of(dir: &Path, name: &str, count: usize) -> Result<Self> {
        let files = (0..count).map(|i| lock_file(&dir.join(format!("{name}-{i}.lock")))).collect::<Result<Vec<_>>>()?;
        loop {
            for file in &files {
                if file.try_lock().is_ok() {
                    return Ok(Self { _file: file.try_clone()? });
                }
            }
            sleep(Duration::from_millis(50));
        }
    }
}

fn lock_file(path: &Path) -> Result<File> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    let open = File::options().create(true).truncate(false).write(true).open(path);
    open.with_context(|| format!("cannot open {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use duct::cmd;

    use super::*;

    #[test]
    fn a_process_that_hangs_is_ended() {
        let start = Instant::now();
        let ended = run(&cmd!("sh", "-c", "sleep 60 & sleep 60"), Duration::from_millis(200)).unwrap();
        assert!(ended.is_none() && start.elapsed() < Duration::from_secs(10));
        let ended = run(&cmd!("sh", "-c", "echo a; echo b >&2; exit 3"), Duration::from_secs(10));
        let ended = ended.unwrap().unwrap();
        assert_eq!((ended.status.code(), ended.stdout.as_str(), ended.stderr.as_str()), (Some(3), "a\n", "b\n"));
    }

    #[test]
    fn locks_exclude() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::one_of(dir.path(), "slot", 2).unwrap();
        let _second = Lock::one_of(dir.path(), "slot", 2).unwrap();
        let path = dir.path().to_path_buf();
        let third = std::thread::spawn(move || Lock::one_of(&path, "slot", 2).map(|_| Instant::now()));
        sleep(Duration::from_millis(300));
        let freed = Instant::now();
        drop(first);
        assert!(third.join().unwrap().unwrap() >= freed);
    }
}
