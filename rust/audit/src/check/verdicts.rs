//! What all checks say together.

use serde::Serialize;

use crate::finding::{Finding, Remark};

/// Findings that are kept; the rest is counted. A finding with its words takes some kilobytes.
pub const MAX_FINDINGS: usize = 1 << 14;

/// What all checks say.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// Defects, by place.
    pub findings: Vec<Finding>,
    /// Defects beyond the [`MAX_FINDINGS`] that are kept.
    pub unlisted: usize,
    /// What is not a defect but worth knowing.
    pub remarks: Vec<Remark>,
    /// Numbers about matrix operands.
    pub operands: Operands,
    /// Numbers about copy atoms.
    pub copies: Copies,
    /// Numbers about layouts outside of traits.
    pub plain: Plain,
    /// Numbers about shared memory.
    pub shared: Shared,
}

impl Verdicts {
    /// Adds a defect.
    pub fn find(&mut self, finding: Finding) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        } else {
            self.unlisted += 1;
        }
    }

    /// Adds what is said of places, by checks that count nothing else.
    pub fn append(&mut self, places: Self) {
        places.findings.into_iter().for_each(|finding| self.find(finding));
        self.unlisted += places.unlisted;
        self.remarks.extend(places.remarks);
        self.shared = places.shared;
    }
}

/// Numbers about the matrices of all traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Operands {
    /// Layouts that were compared with their tile.
    pub checked: usize,
    /// Those that hit every element once.
    pub once: usize,
    /// Those that hit every element equally often, but more than once.
    pub evenly: usize,
    /// Operands that the threads read through one descriptor: their thread mode has stride 0.
    pub descriptors: usize,
    /// Traits whose `ThrID` is not the identity.
    pub scattered_threads: usize,
    /// Layouts too large to enumerate.
    pub too_large: usize,
    /// Layouts that were compared with the fragment of their instruction, or are read through its descriptor.
    pub fragments: usize,
}

/// Numbers about copy atoms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Copies {
    /// Source, destination and reference reach the same bits.
    pub same: usize,
    /// They reach as many bits, but others: the instruction moves them around, as tensor memory does.
    pub moved: usize,
    /// They reach different numbers of bits.
    pub different: usize,
    /// It could not be told.
    pub untold: usize,
}

/// Numbers about layouts outside of traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Plain {
    /// Layouts in which no two coordinates share an offset, broadcasts aside.
    pub injective: usize,
    /// Layouts with a stride of 0 under an extent above 1.
    pub broadcasts: usize,
    /// Layouts with sizes or offsets of 2^64 or more, or too large to search for overlaps.
    pub untold: usize,
}

/// Numbers about shared memory: swizzles, arrays and tensors, compositions, partitions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// Places about which a rule could say something.
    pub places: usize,
    /// Those where everything that a rule needs is a constant, for some instance if they stand in a template.
    pub known: usize,
    /// Of these, those with too many coordinates to go through.
    pub untold: usize,
    /// Launches beyond those that are followed: their kernels are checked as if nobody launched them.
    pub launches_left: usize,
}
