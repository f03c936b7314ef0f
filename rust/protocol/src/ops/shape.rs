//! Questions about shapes alone.

use razorgirl::Shape;

use crate::code::both;
use crate::operand::{AnyShape, Operand};
use crate::write::Answer;

use super::{Options, Outcome, mismatch};

fn on_shape(operands: &[Operand], answer: impl FnOnce(&AnyShape) -> Answer) -> Outcome {
    match operands {
        [Operand::Shape(shape)] => Ok(answer(&shape.build()?)),
        _ => Err(mismatch()),
    }
}

fn on_shapes(operands: &[Operand], answer: impl FnOnce(&Shape, &Shape) -> bool) -> Outcome {
    match operands {
        [Operand::Shape(a), Operand::Shape(b)] => {
            let (a, b) = both(a.build(), b.build())?;
            Ok(Answer::plain(answer(&a.into_shape(), &b.into_shape())))
        }
        _ => Err(mismatch()),
    }
}

pub(super) fn size(operands: &[Operand], _: &Options) -> Outcome {
    on_shape(operands, |shape| {
        Answer::plain(match shape {
            AnyShape::Shape(shape) => shape.size(),
            AnyShape::Layout(layout) => layout.size(),
        })
    })
}

pub(super) fn rank(operands: &[Operand], _: &Options) -> Outcome {
    on_shape(operands, |shape| Answer::plain(shape.profile().rank()))
}

pub(super) fn depth(operands: &[Operand], _: &Options) -> Outcome {
    on_shape(operands, |shape| Answer::plain(shape.profile().depth()))
}

pub(super) fn flatten(operands: &[Operand], _: &Options) -> Outcome {
    on_shape(operands, |shape| match shape {
        AnyShape::Shape(shape) => Answer::tuple(shape.flatten().extents()),
        AnyShape::Layout(layout) => Answer::layout(&layout.flatten()),
    })
}

pub(super) fn congruent(operands: &[Operand], _: &Options) -> Outcome {
    on_shapes(operands, Shape::congruent)
}

pub(super) fn compatible(operands: &[Operand], _: &Options) -> Outcome {
    on_shapes(operands, Shape::compatible)
}

pub(super) fn refines(operands: &[Operand], _: &Options) -> Outcome {
    on_shapes(operands, Shape::refines)
}
