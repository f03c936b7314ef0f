#![forbid(unsafe_code)]
#![no_std]
#![doc = include_str!("../README.md")]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod functions;
mod list;
mod primitive;

use core::fmt;

pub use list::List;

/// An extent with its stride: the function `i ↦ stride·i` on `[0, extent)`.
///
/// In order of stride, ties by extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mode {
    /// What one step adds to the offset. It comes first in the order of modes (see [`functions::sort`]).
    pub stride: u64,
    /// How many coordinates; at least 1 in a valid layout.
    pub extent: u64,
}

impl Mode {
    /// The mode `extent:stride`.
    ///
    /// ```
    /// use razorgirl_extracted::Mode;
    ///
    /// assert_eq!(Mode::new(4, 8).to_string(), "4:8");
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(extent: u64, stride: u64) -> Self {
        Self { stride, extent }
    }

    /// How many steps.
    #[inline]
    #[must_use]
    pub const fn extent(self) -> u64 {
        self.extent
    }

    /// How far each step goes.
    #[inline]
    #[must_use]
    pub const fn stride(self) -> u64 {
        self.stride
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.extent, self.stride)
    }
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
