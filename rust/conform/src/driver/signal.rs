//! How a process ended, if a signal did it.

use std::process::ExitStatus;

/// The signal of an assertion that failed.
pub(super) const ABORT: i32 = 6;

/// Signals that a fault of a program raises, as POSIX numbers them on every system that we run on; the bus error, whose
/// number differs, and all others are deaths without a name.
const FAULTS: [(i32, &str); 3] = [(4, "died of SIGILL"), (8, "died of SIGFPE"), (11, "died of SIGSEGV")];

/// The signal, also where a shell stood between and says 128 more.
pub(super) fn of(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    let known = |signal: &i32| *signal == ABORT || FAULTS.iter().any(|(number, _)| number == signal);
    signal.or_else(|| status.code().map(|code| code - 128)).filter(known)
}

/// What is said of a death by this signal.
pub(super) fn name(signal: i32) -> &'static str {
    FAULTS.iter().find(|(number, _)| *number == signal).map_or("died", |(_, name)| name)
}

/// What is said of a death that an adapter tells of in words, such as `SIGFPE`.
pub(super) fn named(message: &str) -> &'static str {
    let signal = message.split_whitespace().next().unwrap_or_default();
    FAULTS.iter().find(|(_, name)| !signal.is_empty() && name.ends_with(signal)).map_or("died", |(_, name)| name)
}
