//! Generators and judges for anything that speaks the razorgirl protocol.
//!
//! - [`generate`] draws requests, weighted to the corners where layout libraries go wrong: broken nesting, extents of 1,
//!   strides of 0, repeated strides, neighbours that almost merge, values at the edge of 64 bits.
//! - [`model`] is the algebra once more, written down as plainly as the definitions allow: arbitrary-precision integers,
//!   enumeration, no shortcut. It shares no code with the library.
//! - [`judge`](mod@judge) says whether an answer is right. It asks the definition, never another implementation.
//! - [`capabilities`] is what a peer says of itself: the same questions in its own order, and nothing that it does not take.
//! - [`peers`] has adapters of libraries, and the packages that each needs.
//! - [`driver`] puts these together: it asks a child process, survives whatever that does, and reports.
//!
//! Generators and judges work on JSON, not on the library's types: a peer that is written in another language sees the
//! same inputs and gets the same verdicts.

pub mod capabilities;
pub mod driver;
pub mod generate;
pub mod judge;
pub mod model;
pub mod peers;
pub mod tree;

pub use judge::{Verdict, Wrong, judge};
