//! Drives an implementation that speaks the protocol: a child process, or a function of this one.
//!
//! A process is trusted with nothing: it may hang, die, flood its output, answer garbage or somebody else's question. It
//! is then ended with everything that it has started, the case is counted, and a fresh one goes on with the next.

mod case;
mod failing;
mod markdown;
mod peer;
mod process;
mod report;
mod run;
mod shrink;
mod signal;

pub use case::{Case, Shard};
pub use markdown::notation;
pub use peer::CannotStart;
pub use report::{Counts, Ending, Example, Report};
pub use run::{run, run_within};

use std::time::Duration;

/// What to ask, and whom.
#[derive(Clone, Debug)]
pub struct Plan {
    /// command line of the peer, as a shell reads it
    pub command: String,
    /// operations, some of the [`names`](crate::generate::names)
    pub ops: Vec<String>,
    /// cases for each operation
    pub cases: u64,
    /// what the cases are drawn from
    pub seed: u64,
    /// which of the cases to ask
    pub shard: Shard,
    /// processes side by side
    pub jobs: usize,
    /// requests that a process is given at once, before its input ends; `None`: one at a time, in one long conversation
    pub batch: Option<usize>,
    /// longest time without an answer
    pub timeout: Duration,
    /// longest time until the first answer of a process
    pub start_timeout: Duration,
    /// hold the peer to the normal form and the codes of our own protocol
    pub exact: bool,
    /// wrong answers of each kind to make small and show, for each operation
    pub examples: usize,
}

/// The name in the protocol of an operation as it is listed here.
pub fn protocol_name(label: &str) -> &str {
    crate::generate::operation(label).map_or(label, |(op, _)| op.name)
}
