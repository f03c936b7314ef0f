//! The fundamental theorem of TMA correctness.
//!
//! A tile that holds an element of the tensor and, past the end of its box, another element of the tensor cannot be loaded
//! so that all holes are filled: the hardware tells elements of the tensor from what is outside of it, but not boxes from
//! one another. That happens in a dimension exactly when the element stride is below the box, does not divide it, and the
//! box is smaller than the tensor.

use alloc::vec::Vec;
use razorgirl_extracted::functions;

use super::Dimension;
use crate::error::{Error, ErrorKind, Result};

/// Where strong correctness fails.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fttc {
    /// dimensions, 0 the innermost
    pub violations: Vec<usize>,
}

impl Fttc {
    /// Whether every hole of every tile can be filled with zeros.
    #[must_use]
    pub fn is_strong(&self) -> bool {
        self.violations.is_empty()
    }
}

pub(super) fn violated(dimension: &Dimension) -> bool {
    let Dimension { size, box_size, element_stride, .. } = *dimension;
    functions::fttc_violations(&[(size, (box_size, element_stride))]).is_ok_and(|found| !found.is_empty())
}

/// Whether a load by boxes can be strongly correct: every element of the tensor at its place and every hole zero.
///
/// One entry for each dimension, innermost first: elements of the tensor, elements of a box, element stride.
///
/// # Errors
/// [`Incongruent`](ErrorKind::Incongruent) when the lists differ in length, [`Extent`](ErrorKind::Extent) for a 0.
///
/// ```
/// use razorgirl::tma::fttc;
///
/// assert_eq!(fttc(&[16, 8], &[8, 4], &[3, 2])?.violations, [0]);
/// assert!(fttc(&[16], &[8], &[4])?.is_strong());
/// assert!(fttc(&[8], &[8], &[3])?.is_strong()); // one box: what is past its end is outside of the tensor
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Linear in the rank. nvFuser: TMA modeling in depth, Theorem 6.
///
/// Lean: `Razorgirl.Tma.violations`
pub fn fttc(sizes: &[u64], boxes: &[u64], element_strides: &[u64]) -> Result<Fttc> {
    same_length(sizes, boxes, element_strides)?;
    let dimension =
        |d: usize| Dimension { size: sizes[d], box_size: boxes[d], element_stride: element_strides[d], stride: 0 };
    Ok(Fttc { violations: (0..sizes.len()).filter(|&d| violated(&dimension(d))).collect() })
}

pub(super) fn same_length(sizes: &[u64], boxes: &[u64], element_strides: &[u64]) -> Result<()> {
    if boxes.len() != sizes.len() || element_strides.len() != sizes.len() {
        return Err(Error::new(
            ErrorKind::Incongruent,
            format!("{} sizes, {} boxes, {} element strides", sizes.len(), boxes.len(), element_strides.len()),
        )
        .with_help("give one of each for each dimension, innermost first"));
    }
    for (name, values) in [("tensor size", sizes), ("box size", boxes), ("element stride", element_strides)] {
        if let Some(d) = values.iter().position(|&value| value == 0) {
            return Err(Error::new(ErrorKind::Extent, format!("{name} of dimension {d} is 0"))
                .with_leaf(d)
                .with_help("sizes, boxes and element strides are at least 1"));
        }
    }
    Ok(())
}
