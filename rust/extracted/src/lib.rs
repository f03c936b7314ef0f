#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub mod functions;
mod list;
mod primitive;

pub use list::List;

/// One mode `extent:stride`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// How many coordinates; at least 1 in a valid layout.
    pub extent: u64,
    /// What one step adds to the offset.
    pub stride: u64,
}

/// Why a function has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A number of the operands, of the answer, or a size or cosize is 2^64 or more.
    Overflow,
    /// A divisor is 0. Valid operands never meet this where the theorem does not say so.
    DivZero,
    /// No entry at that place of a list. Valid operands never meet this.
    Bounds,
    /// The question has no answer; the kind of refusal, as `razorgirl::ErrorKind::code` names it.
    Refuse(&'static str),
}
