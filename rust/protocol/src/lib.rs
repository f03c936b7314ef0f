//! The razorgirl protocol: JSON lines in, JSON lines out. `PROTOCOL.md` beside the sources describes it.
//!
//! [`ops`] is the table of operations: parameters, meaning, and name in CuTe. A [`Call`] is an operation with arguments, read
//! from JSON or CuTe notation; one function of the library computes its result. [`answer`] answers one line, [`serve`] a
//! stream of lines.

mod answer;
mod call;
mod category;
mod code;
pub mod document;
mod dtype;
mod expr;
mod extracted;
mod kind;
mod line;
mod linear;
mod mode;
mod near;
mod notation;
mod ops;
mod read;
mod refit;
mod request;
mod schedule;
mod serve;
mod suggest;
mod table;

/// The longest line that is read, in bytes without its end: 16 MiB.
pub const MAX_LINE: usize = 16 << 20;

/// The most bytes of a longer line that are skipped before [`serve`] returns an error: 1 GiB.
pub const MAX_SKIPPED: u64 = 1 << 30;

pub use answer::{Answer, Output, layout_to_json, tuple_to_json};
pub use call::{BadArgument, Call};
pub use code::{Code, Refusal};
pub use dtype::ElementType;
pub use extracted::extracted;
pub use kind::{Argument, Division, Kind, Mapping, Modes, ShapeOrStride, Values};
pub use line::{Engine, answer, answer_by};
pub use mode::Mode;
pub use notation::split;
pub use ops::index_code;
pub use read::{layout_from_json, plain_names};
pub use schedule::schedule_from_json;
pub use serve::{serve, serve_by};
pub use suggest::Suggestion;
pub use table::{Form, MAX_OFFSETS, Op, Parameter, concepts, ops};
