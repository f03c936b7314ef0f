//! The laws of a pipeline, and how one is broken.

use std::fmt;

/// What must hold in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Some role can always go on until all have exited.
    Deadlock,
    /// A write overlaps no other access of the buffer.
    Race,
    /// A read finds the tile of its own trip.
    WrongTile,
    /// A barrier is in the phase that a wait is for, or in the next one.
    Phase,
    /// A wait has seen a phase complete before somebody arrives in the next one.
    UnobservedPhase,
    /// No more arrivals in a phase than the barrier expects.
    OverArrival,
    /// The tx-count stays within ±(2^20 - 1).
    TxRange,
    /// No bytes are missing or left over at the end.
    Transactions,
    /// Nobody touches shared memory of a CTA that has exited.
    ExitedCta,
    /// Asynchronous groups are waited for before the role exits.
    ExitInFlight,
    /// All uses of a named barrier agree in the number of threads.
    NamedBarrier,
}

impl Law {
    /// The name of the law in messages and JSON, such as `wrong_tile`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Race => "race",
            Self::WrongTile => "wrong_tile",
            Self::Phase => "phase",
            Self::UnobservedPhase => "unobserved_phase",
            Self::OverArrival => "over_arrival",
            Self::TxRange => "tx_range",
            Self::Transactions => "transactions",
            Self::ExitedCta => "exited_cta",
            Self::ExitInFlight => "exit_in_flight",
            Self::NamedBarrier => "named_barrier",
        }
    }

    /// The law in a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Deadlock => "some role can always make progress until every role has exited",
            Self::Race => "a write of a buffer overlaps no other access of it",
            Self::WrongTile => "a read finds the tile of its own trip",
            Self::Phase => {
                "at a wait the barrier is in the phase that is waited for, or in the next one; a wait sees only the parity"
            }
            Self::UnobservedPhase => {
                "a wait observes that a phase is complete before a thread arrives in the next phase"
            }
            Self::OverArrival => "a phase takes as many arrivals as the barrier was initialised with",
            Self::TxRange => "the tx-count of an mbarrier stays within ±(2^20 - 1)",
            Self::Transactions => "the bytes that are expected are the bytes that arrive",
            Self::ExitedCta => "no thread arrives on, and no TMA writes to, shared memory of a CTA that has exited",
            Self::ExitInFlight => "a role waits for its asynchronous groups before it exits",
            Self::NamedBarrier => {
                "every bar.sync and bar.arrive on a named barrier gives the same number of threads, and exactly as many arrive"
            }
        }
    }
}

/// A broken law, with the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// which law
    pub law: Law,
    /// who breaks it, where, with the numbers
    pub message: String,
}

impl Fault {
    pub(crate) fn new(law: Law, message: impl Into<String>) -> Self {
        Self { law, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law.code(), self.message)
    }
}

impl std::error::Error for Fault {}
