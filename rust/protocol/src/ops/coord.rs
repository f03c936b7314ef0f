//! Coordinates: evaluation and slices.

use razorgirl::{Called, Coord, Layout, Literal};

use crate::code::{Code, Refusal, both};
use crate::operand::{Operand, RawCoord, RawLayout};
use crate::write::{Answer, put, put_tuple};

use super::{Options, Outcome, mismatch};

fn on_coord(operands: &[Operand], answer: impl FnOnce(&Coord, &Layout) -> Outcome) -> Outcome {
    match operands {
        [Operand::Coord(coord), Operand::Layout(layout)] => {
            let (coord, layout) = checked(coord, layout)?;
            answer(&coord, &layout)
        }
        _ => Err(mismatch()),
    }
}

/// Nesting first, then the numbers of the layout, then those of the coordinate.
fn checked(coord: &RawCoord, layout: &RawLayout) -> Result<(Coord, Layout), Refusal> {
    let (layout, ()) = both(layout.build(), coord.check_nesting(layout.shape.profile()))?;
    Ok((coord.build()?, layout))
}

pub(super) fn call(operands: &[Operand], _: &Options) -> Outcome {
    on_coord(operands, |coord, layout| {
        Ok(match layout.call(coord)? {
            Called::Offset(offset) => Answer::plain(offset),
            Called::Sublayout(layout) => Answer::layout(&layout),
        })
    })
}

pub(super) fn slice(operands: &[Operand], _: &Options) -> Outcome {
    on_coord(operands, |coord, layout| Ok(Answer::layout(&layout.slice(coord)?)))
}

pub(super) fn dice(operands: &[Operand], _: &Options) -> Outcome {
    on_coord(operands, |coord, layout| Ok(Answer::layout(&layout.dice(coord)?)))
}

pub(super) fn slice_and_offset(operands: &[Operand], _: &Options) -> Outcome {
    on_coord(operands, |coord, layout| {
        let (kept, offset) = layout.slice_and_offset(coord)?;
        Ok(Answer::write(|text| {
            text.push('[');
            put_tuple(text, kept.shape().extents());
            text.push(',');
            put_tuple(text, &kept.stride());
            text.push(',');
            put(text, offset);
            text.push(']');
        }))
    })
}

pub(super) fn idx2crd(operands: &[Operand], _: &Options) -> Outcome {
    let [Operand::Index(index), Operand::Shape(shape)] = operands else {
        return Err(mismatch());
    };
    let shape = shape.build()?.into_shape();
    let Literal::Fits(index) = index else {
        return Err(Refusal::new(Code::OutOfDomain, format!("the index is {index}, outside [0,{})", shape.size()))
            .with_help(format!("use an index below {}", shape.size())));
    };
    Ok(Answer::tuple(&shape.idx2crd(*index)?))
}

pub(super) fn crd2idx(operands: &[Operand], _: &Options) -> Outcome {
    match operands {
        [Operand::Coord(coord), Operand::Shape(shape)] => {
            let (built, ()) = both(shape.build(), coord.check_nesting(shape.profile()))?;
            Ok(Answer::plain(built.into_shape().crd2idx(&coord.build()?)?))
        }
        [Operand::Coord(coord), Operand::Tuple(shape), Operand::Tuple(stride)] => {
            let layout = RawLayout { shape: shape.clone(), stride: stride.clone() };
            let (coord, layout) = checked(coord, &layout)?;
            Ok(Answer::plain(layout.offset(&coord)?))
        }
        _ => Err(mismatch()),
    }
}
