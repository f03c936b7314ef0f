//! The razorgirl protocol: JSON lines in, JSON lines out. `PROTOCOL.md` beside the sources describes it.
//!
//! [`answer`] answers a line, [`serve`] a stream of them, [`ops`] lists the operations.

mod answer;
mod code;
mod json;
mod operand;
mod ops;
mod request;
mod schedule;
mod serve;
mod value;
mod write;

/// The longest line that is read, in bytes without its end: 16 MiB.
pub const MAX_LINE: usize = 16 << 20;

/// The most of a longer line that is read past before the conversation ends, in bytes: 1 GiB.
pub const MAX_SKIPPED: u64 = 1 << 30;

pub use answer::answer;
pub use code::{Code, Refusal};
pub use json::{layout_from_json, layout_to_json, tuple_to_json};
pub use ops::{Op, ops};
pub use schedule::schedule_from_json;
pub use serve::serve;
