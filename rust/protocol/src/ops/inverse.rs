//! From offsets back to indices.

use razorgirl::Layout;

use crate::code::Refusal;
use crate::operand::Operand;
use crate::write::Answer;

use super::algebra::on_layout;
use super::composition::on_layouts;
use super::{Options, Outcome};

fn partial(operands: &[Operand], inverse: fn(&Layout) -> razorgirl::Result<Layout>) -> Outcome {
    on_layout(operands, |layout| inverse(layout).map(|inverse| Answer::layout(&inverse)).map_err(Refusal::from))
}

pub(super) fn right_inverse(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::layout(&layout.right_inverse())))
}

pub(super) fn nullspace(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::layout(&layout.nullspace())))
}

pub(super) fn left_inverse(operands: &[Operand], _: &Options) -> Outcome {
    partial(operands, Layout::left_inverse)
}

pub(super) fn quasi_left_inverse(operands: &[Operand], _: &Options) -> Outcome {
    partial(operands, Layout::quasi_left_inverse)
}

pub(super) fn inverse(operands: &[Operand], _: &Options) -> Outcome {
    partial(operands, Layout::inverse)
}

pub(super) fn max_common_layout(operands: &[Operand], _: &Options) -> Outcome {
    on_layouts(operands, |a, b| Ok(Answer::layout(&a.max_common_layout(b)?)))
}

pub(super) fn max_common_vector(operands: &[Operand], _: &Options) -> Outcome {
    on_layouts(operands, |a, b| Ok(Answer::plain(a.max_common_vector(b)?)))
}
