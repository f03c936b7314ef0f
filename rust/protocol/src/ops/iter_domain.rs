//! Schedules of axes.

use crate::answer::{Answer, Output};
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::Outcome;
use crate::table::{Op, STRICT, form};
use razorgirl::iter_domain::{Equivalence, Schedule, Which};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "schedule_equivalent",
        meaning: "whether two schedules are the same loops over the same elements, holes included",
        notes: "`\"witness\"` is a loop point where they differ, or `null`",
        forms: &[form!(_; S: Schedule, T: Schedule => equivalent(S, T))],
        modes: STRICT,
        idle: &[],
        beside: &["witness"],
        lean: &["Razorgirl.IterDomain.Schedule.equivalent"],
        cute: None,
        example: (&["[8] split(0,2)", "[8] split(0,4)"], "false\nwitness: none"),
    },
    Op {
        name: "schedule_eval",
        meaning: "the element at each loop point, none for holes",
        notes: "the last loop fastest; row-major indices of the tensor; at most 2^20 points",
        forms: &[form!(_; S: Schedule => answer(elements(S)?))],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.IterDomain.Schedule.elements"],
        cute: None,
        example: (&["[3] split(0,2)"], "(0,1,2,none)"),
    },
    Op {
        name: "schedule_predicates",
        meaning: "the numbers of the axes that have to be checked so that no hole is touched",
        notes: "",
        forms: &[
            form!(_; S: Schedule => answer(S.predicates().iter().map(|predicate| predicate.axis as u64).collect::<Vec<u64>>())),
        ],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.IterDomain.Schedule.predicates"],
        cute: None,
        example: (&["[3] split(0,2)"], "(0)"),
    },
];

/// Loop points that are answered at most.
const MAX_POINTS: u128 = 1 << 20;

fn equivalent(left: &Schedule, right: &Schedule) -> Outcome {
    let differ = |witness: Output| Ok(Answer::new(false).beside("witness", witness));
    match left.equivalent(right, Which::Loops) {
        Equivalence::Equal { .. } => Ok(Answer::new(true).beside("witness", Output::None)),
        Equivalence::Differ { at, .. } => differ(at.into()),
        Equivalence::Extents { .. } => differ(Output::None),
        Equivalence::Unknown { bound } => Err(Refusal::new(
            Code::TooLarge,
            format!("not decided: the rules do not show them equal, no difference was found, and the loops have over {bound} points"),
        )
        .with_help("ask with smaller extents, or with splits that divide")),
    }
}

fn elements(schedule: &Schedule) -> Result<Output, Refusal> {
    if schedule.points().is_none_or(|points| points > MAX_POINTS) {
        return Err(Refusal::new(Code::TooLarge, format!("the loops have more than {MAX_POINTS} points"))
            .with_help("ask with smaller extents"));
    }
    Ok(Output::Elements(schedule.elements().collect()))
}
