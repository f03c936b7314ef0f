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
    /// A number that was needed is 2^64 or more. The theorem of the function says for which operands this happens.
    Overflow,
    /// A divisor is 0: an extent, a weight or an element stride of 0. Valid operands never meet this.
    DivZero,
    /// No entry at that place of a list. Valid operands never meet this.
    Bounds,
    /// The question has no answer: the kind of refusal, as `razorgirl::ErrorKind::code` names it, or `none` where nothing is found.
    Refuse(&'static str),
}

impl Fault {
    /// The kind in a word: what a definition refuses with, or what went wrong.
    ///
    /// ```
    /// use razorgirl_extracted::{Fault, functions::complement_in};
    ///
    /// assert_eq!(complement_in(&[], 0).unwrap_err().code(), "extent");
    /// assert_eq!(Fault::Overflow.code(), "overflow");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Overflow => "overflow",
            Self::DivZero => "division by 0",
            Self::Bounds => "out of bounds",
            Self::Refuse(code) => code,
        }
    }
}
