//! Producer-consumer pipelines of GPU kernels: deadlocks, races, phases of mbarriers.
//!
//! A pipeline is a text ([`parse`] documents it): roles such as a producer warp and consumer warpgroups, rings of stages,
//! mbarriers, named barriers, and the asynchronous units (TMA, `wgmma`, bulk stores, `cp.async`). [`check`] explores every
//! order of events, for each trip count up to a bound and, where the text allows it, for every trip count at once.
//!
//! ```
//! let text = "
//! pipeline ring
//! const S 3
//! param K
//! pipe p stages S
//! barrier full[p] count 1
//! barrier empty[p] count 2
//! buffer A[p]
//! role producer
//!   loop K
//!     wait empty[p] flipped
//!     arrive_expect full[p] 16384
//!     tma A[p] full[p] 16384
//!     next p
//! role consumer *2 threads 128
//!   loop K
//!     wait full[p]
//!     read A[p]
//!     arrive empty[p]
//!     next p
//! ";
//! let program = razorgirl_pipeline::parse(text)?;
//! let verdict = razorgirl_pipeline::check(&program, &razorgirl_pipeline::Bounds::default());
//! assert!(verdict.every_trip_count());
//!
//! // `empty` counts the 256 threads, of which two arrive: the fourth trip deadlocks
//! let program = razorgirl_pipeline::parse(&text.replace("count 2", "count 256"))?;
//! let verdict = razorgirl_pipeline::check(&program, &razorgirl_pipeline::Bounds::default());
//! let failure = verdict.failure.expect("a deadlock");
//! assert_eq!(failure.parameters, [("K".to_owned(), 4)]);
//! assert_eq!(failure.fault.law.code(), "deadlock");
//! # Ok::<(), razorgirl_pipeline::ParseError>(())
//! ```
//!
//! # What is modelled
//!
//! An mbarrier has a phase, pending arrivals and a signed tx-count; a wait sees the parity of its phase. An access of a buffer
//! is an interval: it ends as late as the program allows, and asynchronous reads and writes last until the role waits for them
//! (a TMA load until its bytes arrive on its barrier). So an overlap that some execution has is found. Not modelled: memory
//! ordering beyond barriers (proxy fences), `arrive_drop`, time.
//!
//! For every trip count: a trip count is a sequence of decisions «one more trip», which the roles share; positions in a ring are
//! kept relative to the slowest role, modulo two rounds of the ring, under which every step is the same. A finite set of
//! states that is closed under the steps then covers every trip count.
//!
//! The ring of one producer and `n` consumers is proved in Lean, `Razorgirl.Pipeline.Ring.correct_iff`; the tests compare
//! this crate's verdicts with that theorem. For pipelines of one CTA and one ring of mbarriers, Lean has the steps themselves and
//! the argument on trip counts (`Razorgirl.Pipeline.Program.correct_of_closed`): its own search certifies or refutes small ones
//! ([`Program::for_lean`]), which the tests compare with this crate too.

/// The declarations and operations of a pipeline, a line each.
pub const GRAMMAR: &str = include_str!("grammar.txt");

/// A ring of three stages with two consumer warpgroups, of which every law holds.
pub const EXAMPLE: &str = include_str!("example.txt");

mod canonical;
mod check;
mod explore;
mod expression;
mod fault;
mod fix;
mod lean;
mod machine;
mod parse;
mod program;
mod state;

pub use check::{Bounds, Failure, Hardware, TripCounts, Verdict, check};
pub use explore::Event;
pub use fault::{Fault, Law};
pub use fix::{Fix, fixes};
pub use parse::{ParseError, parse};
pub use program::Program;
