//! One layout after another.

use razorgirl::Layout;

use crate::code::{Refusal, both};
use crate::operand::Operand;
use crate::write::{Answer, put_layout, put_list};

use super::{Options, Outcome, mismatch};

pub(super) fn on_layouts(operands: &[Operand], answer: impl FnOnce(&Layout, &Layout) -> Outcome) -> Outcome {
    match operands {
        [Operand::Layout(outer), Operand::Layout(inner)] => {
            let (outer, inner) = both(outer.build(), inner.build())?;
            answer(&outer, &inner)
        }
        _ => Err(mismatch()),
    }
}

fn layout(result: razorgirl::Result<Layout>) -> Outcome {
    result.map(|layout| Answer::layout(&layout)).map_err(Refusal::from)
}

pub(super) fn composition(operands: &[Operand], options: &Options) -> Outcome {
    let complete = options.complete()?;
    on_layouts(operands, |outer, inner| {
        layout(if complete { outer.composition_complete(inner) } else { outer.composition(inner) })
    })
}

pub(super) fn composition_by_mode(operands: &[Operand], options: &Options) -> Outcome {
    let complete = options.complete()?;
    let [Operand::Layout(outer), Operand::Tiler(tiler)] = operands else {
        return Err(mismatch());
    };
    let (outer, tiler) = tiler.build_for(outer)?;
    layout(if complete { outer.composition_complete_by(&tiler) } else { outer.composition_by(&tiler) })
}

pub(super) fn composition_extended(operands: &[Operand], _: &Options) -> Outcome {
    on_layouts(operands, |outer, inner| {
        let extended = outer.composition_extended(inner)?;
        let answer = Answer::layout(&extended.layout);
        Ok(answer.beside("grown", |text| match extended.grown {
            None => text.push_str("null"),
            Some((from, to)) => put_list(text, [from, to], |text, mode| {
                if let Ok(layout) = Layout::from_modes([mode]) {
                    put_layout(text, &layout.coalesce());
                }
            }),
        }))
    })
}
