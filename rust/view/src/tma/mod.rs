//! Whether a tensor map fits the hardware, and whether its copies are correct.

mod read;
mod report;
mod smem;

use crate::failure::Failure;
use razorgirl::SwizzledLayout;
use razorgirl::tma::Descriptor;
use serde_json::Value;

pub use read::{address, list};
pub use report::Report;

/// A tensor map, and the layout of shared memory that its copies write.
#[derive(Debug)]
pub struct Question {
    descriptor: Descriptor,
    smem: Option<SwizzledLayout>,
}

impl Question {
    /// Reads a JSON object with `dims`, `box`, `dtype` and the other names of a tensor map.
    ///
    /// # Errors
    /// A name or value that a tensor map does not have, and lists of different lengths.
    pub fn read(value: &Value) -> Result<Self, Failure> {
        read::question(value)
    }

    /// The verdicts. With `weak`, holes of a tile need not be filled with zeros.
    pub fn report(&self, weak: bool) -> Report<'_> {
        Report::new(self, weak)
    }
}
