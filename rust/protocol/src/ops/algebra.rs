//! From layouts to layouts, sizes and offsets.

use razorgirl::{Layout, Profile};

use crate::code::{Code, Refusal, both};
use crate::operand::{Operand, unit};
use crate::write::{Answer, put, put_list};

use super::{Options, Outcome, mismatch};

/// The most offsets that are listed.
const MAX_OFFSETS: u64 = 1 << 20;

pub(super) fn on_layout(operands: &[Operand], answer: impl FnOnce(&Layout) -> Outcome) -> Outcome {
    match operands {
        [Operand::Layout(layout)] => answer(&layout.build()?),
        _ => Err(mismatch()),
    }
}

fn by_profile(
    operands: &[Operand],
    whole: impl FnOnce(&Layout) -> Layout,
    parts: impl Fn(&Layout, &Profile) -> razorgirl::Result<Layout>,
) -> Outcome {
    match operands {
        [Operand::Layout(layout)] => Ok(Answer::layout(&whole(&layout.build()?))),
        [Operand::Layout(layout), Operand::Profile(profile)] => {
            let built = layout.build();
            if built.is_err() {
                // A profile that does not fit is reported before an extent that is wrong.
                let nesting = parts(&unit(layout.shape.profile())?, profile).map_err(Refusal::from);
                both(nesting, built)?;
                return Err(mismatch());
            }
            Ok(Answer::layout(&parts(&built?, profile)?))
        }
        _ => Err(mismatch()),
    }
}

pub(super) fn coalesce(operands: &[Operand], _: &Options) -> Outcome {
    by_profile(operands, Layout::coalesce, Layout::coalesce_by)
}

pub(super) fn filter(operands: &[Operand], _: &Options) -> Outcome {
    by_profile(operands, Layout::filter, Layout::filter_by)
}

pub(super) fn filter_zeros(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::layout(&layout.filter_zeros())))
}

pub(super) fn sort(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::layout(&layout.sort())))
}

pub(super) fn cosize(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::plain(layout.cosize())))
}

pub(super) fn eval(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| {
        if layout.size() > MAX_OFFSETS {
            return Err(Refusal::new(
                Code::TooLarge,
                format!("{} offsets are more than the {MAX_OFFSETS} that are listed", layout.size()),
            )
            .with_help("`call` gives the offset of one coordinate")
            .with_help("`cosize`, `coalesce`, `is_injective` and `is_contiguous` answer without listing offsets"));
        }
        Ok(Answer::write(|text| put_list(text, layout.offsets(), put)))
    })
}

pub(super) fn make_layout(operands: &[Operand], _: &Options) -> Outcome {
    let mut layouts = Ok(Vec::with_capacity(operands.len()));
    for operand in operands {
        let Operand::Layout(layout) = operand else {
            return Err(mismatch());
        };
        layouts = both(layouts, layout.build()).map(|(mut layouts, layout)| {
            layouts.push(layout);
            layouts
        });
    }
    Ok(Answer::layout(&Layout::concat(&layouts?)?))
}
