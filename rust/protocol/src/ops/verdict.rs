//! Injective, contiguous.

use razorgirl::Injectivity;

use crate::code::{Code, Refusal};
use crate::operand::Operand;
use crate::write::{Answer, put, put_list};

use super::algebra::on_layout;
use super::{Options, Outcome};

/// The most steps that are searched and points that are enumerated.
const MAX_POINTS: u64 = 1 << 24;

pub(super) fn is_contiguous(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| Ok(Answer::plain(layout.is_contiguous())))
}

pub(super) fn is_injective(operands: &[Operand], _: &Options) -> Outcome {
    on_layout(operands, |layout| {
        let null = |text: &mut String| text.push_str("null");
        match layout.injectivity(MAX_POINTS) {
            Injectivity::Injective => Ok(Answer::plain(true).beside("collision", null)),
            Injectivity::Collision { i, j, .. } => {
                Ok(Answer::plain(false).beside("collision", |text| put_list(text, [i, j], put)))
            }
            Injectivity::Crowded => Ok(Answer::plain(false).beside("collision", null)),
            Injectivity::Unknown => Err(Refusal::new(
                Code::TooLarge,
                format!("not decided within {MAX_POINTS} steps of search, and {} points are too many to list", layout.size()),
            )
            .with_help("decide it for the modes that overlap: those whose stride is no larger than what the smaller strides reach together")),
        }
    })
}
