//! What is missing beside a layout.

use razorgirl::Layout;

use crate::code::{Code, Refusal};
use crate::operand::Operand;
use crate::value::Leaf;
use crate::write::Answer;

use super::{Options, Outcome, mismatch};

/// The cotarget as a number.
fn cotarget(leaf: Leaf, options: &Options) -> Result<u128, Refusal> {
    match leaf {
        Leaf::Fits(cotarget) => Ok(cotarget.into()),
        Leaf::Huge { start, end } => options
            .args()
            .get(start as usize..end as usize)
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| Refusal::new(Code::Overflow, "size or cosize of the complement is 2^64 or more")),
        // Below 1, as a cotarget of 0 is.
        _ => Ok(0),
    }
}

fn answered(complement: razorgirl::Result<Layout>) -> Outcome {
    complement.map(|layout| Answer::layout(&layout)).map_err(Refusal::from)
}

pub(super) fn complement(operands: &[Operand], options: &Options) -> Outcome {
    match operands {
        [Operand::Layout(layout)] => answered(layout.build()?.complement()),
        [Operand::Layout(layout), Operand::Cotarget(leaf)] => {
            let layout = layout.build()?;
            answered(layout.complement_in(cotarget(*leaf, options)?))
        }
        _ => Err(mismatch()),
    }
}

pub(super) fn complement_ceil(operands: &[Operand], options: &Options) -> Outcome {
    match operands {
        [Operand::Layout(layout), Operand::Cotarget(leaf)] => {
            let layout = layout.build()?;
            answered(layout.complement_ceil(cotarget(*leaf, options)?))
        }
        _ => Err(mismatch()),
    }
}
