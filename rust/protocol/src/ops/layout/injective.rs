//! Injective, contiguous.

use crate::answer::{Answer, Output};
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::Outcome;
use crate::table::{Op, form};
use razorgirl::{Injectivity, Layout};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "is_injective",
        meaning: "whether no two indices share an offset",
        notes: "`\"collision\"` is `[i,j]`, two linear indices with one offset, or `null`",
        forms: &[form!(_; L: Layout => injective(L))],
        beside: &["collision"],
        lean: &["Razorgirl.FlatLayout.isInjective", "Razorgirl.FlatLayout.collision"],
        example: (&["(2,2):(1,1)"], "false\ncollision: (1,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "is_contiguous",
        meaning: "whether L is a bijection onto [0, cosize)",
        forms: &[form!(_; L: Layout => answer(L.is_contiguous()))],
        lean: &["Razorgirl.FlatLayout.isContiguous"],
        example: (&["(4,8):(8,1)"], "true"),
        ..Op::PLAIN
    },
];

/// The most steps that are searched and points that are enumerated.
const MAX_POINTS: u64 = 1 << 24;

fn injective(layout: &Layout) -> Outcome {
    let collision = match layout.injectivity(MAX_POINTS) {
        Injectivity::Injective => return Ok(Answer::new(true).beside("collision", Output::None)),
        Injectivity::Collision { i, j, .. } => Output::Naturals(vec![i, j]),
        Injectivity::Crowded => Output::None,
        Injectivity::Unknown => return Err(undecided(layout)),
    };
    Ok(Answer::new(false).beside("collision", collision))
}

fn undecided(layout: &Layout) -> Refusal {
    let size = layout.size();
    Refusal::new(
        Code::TooLarge,
        format!("not decided within {MAX_POINTS} steps of search, and {size} points are too many to list"),
    )
    .with_help("decide it for the modes that overlap: those whose stride is no larger than what the smaller strides reach together")
}
