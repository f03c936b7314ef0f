//! Schedules of axes.

use crate::answer::{Answer, Output};
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::Outcome;
use crate::table::{Op, form};
use razorgirl::iter_domain::{Equality, Equivalence, Schedule};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "schedule_equivalent",
        meaning: "whether two schedules are the same program: the same loops, and at every loop point the same element or a hole in both",
        notes: "`\"witness\"` is a loop point where they differ, or `null`; if the rules of integer division do not decide, points are \
                enumerated while points times axes and steps are at most 2^27",
        forms: &[form!(_; S: Schedule, T: Schedule => equivalent(S, T, Equality::Program))],
        beside: &["witness"],
        lean: &["Razorgirl.IterDomain.Schedule.equivalent"],
        example: (&["[4] resize(0,0,-2) resize(0,0,2)", "[4]"], "false\nwitness: (3)"),
        ..Op::PLAIN
    },
    Op {
        name: "schedule_equivalent_e2",
        meaning: "whether two schedules are equal for nvFuser: the same loops, and the same tensor index at every loop point, including \
                holes",
        notes: "out-of-range intermediate axes are ignored; `\"witness\"` and the bound as for `schedule_equivalent`",
        forms: &[form!(_; S: Schedule, T: Schedule => equivalent(S, T, Equality::E2))],
        beside: &["witness"],
        lean: &["Razorgirl.IterDomain.Schedule.equivalentE2"],
        example: (&["[4] resize(0,0,-2) resize(0,0,2)", "[4]"], "true\nwitness: none"),
        ..Op::PLAIN
    },
    Op {
        name: "schedule_equivalent_valid_items",
        meaning: "whether two schedules have the same loops, and the steps map every element to the same loop point, or to none in both",
        notes: "a cyclic swizzle whose second axis is the longer one also computes elements at other points, which only \
                `schedule_equivalent` compares; `\"witness\"` is an element for which the two schedules differ, or `null`; the bound as \
                for `schedule_equivalent`",
        forms: &[form!(_; S: Schedule, T: Schedule => equivalent(S, T, Equality::ValidItems))],
        beside: &["witness"],
        lean: &["Razorgirl.IterDomain.Schedule.equivalentE1"],
        example: (&["[1,1] merge(0,1) split(0,2)", "[1,1] split(1,2) merge(0,1)"], "true\nwitness: none"),
        ..Op::PLAIN
    },
    Op {
        name: "schedule_eval",
        meaning: "the element at each loop point, `null` for holes",
        notes: "the last loop varies fastest; row-major indices of the tensor; at most 2^20 points, and points times axes and steps at \
                most 2^27",
        forms: &[form!(_; S: Schedule => answer(Output::Elements(S.elements()?.collect())))],
        lean: &["Razorgirl.IterDomain.Schedule.elements"],
        example: (&["[3] split(0,2)"], "(0,1,2,none)"),
        ..Op::PLAIN
    },
    Op {
        name: "schedule_predicates",
        meaning: "the numbers of the axes whose bounds must be checked so that no hole is accessed",
        notes: "sufficient, not always necessary",
        forms: &[
            form!(_; S: Schedule => answer(S.predicates().iter().map(|predicate| predicate.axis as u64).collect::<Vec<u64>>())),
        ],
        lean: &["Razorgirl.IterDomain.Schedule.predicates"],
        example: (&["[3] split(0,2)"], "(0)"),
        ..Op::PLAIN
    },
    Op {
        name: "schedule_essential",
        meaning: "the numbers of a minimal set of axes whose bounds must be checked",
        notes: "of `schedule_predicates` those that do not follow from the others; all loop points are gone through, at most 2^20, and \
                points times axes and steps at most 2^27",
        forms: &[
            form!(_; S: Schedule => answer(S.essential()?.iter().map(|predicate| predicate.axis as u64).collect::<Vec<u64>>())),
        ],
        lean: &["Razorgirl.IterDomain.Schedule.essential"],
        example: (&["[2] split(0,3) split(1,2)"], "(0)"),
        ..Op::PLAIN
    },
    Op {
        name: "schedule_axes",
        meaning: "for each loop the layout into the row-major tensor; `null` if a step is not a layout operation",
        notes: "the element at a loop point is at the sum of their offsets; there are layouts where the schedule only splits, merges and \
                reorders, and after every step the loops have any",
        forms: &[form!(_; S: Schedule => answer(match S.axes()? {
            Some(axes) => Output::List(axes.into_iter().map(Output::Layout).collect()),
            None => Output::None,
        }))],
        lean: &["Razorgirl.IterDomain.Schedule.axes"],
        example: (&["[12] split(0,3) merge(1,0)"], "((4,3):(3,1))"),
        ..Op::PLAIN
    },
];

fn equivalent(left: &Schedule, right: &Schedule, which: Equality) -> Outcome {
    let differ = |witness: Output| Ok(Answer::new(false).beside("witness", witness));
    let undecided = |why: &str| {
        Refusal::new(Code::TooLarge, format!("not decided: {why}"))
            .with_help("ask with smaller extents, or with splits that divide")
    };
    match left.equivalent_by(right, which) {
        Equivalence::Equal { .. } => Ok(Answer::new(true).beside("witness", Output::None)),
        Equivalence::Differ { at, .. } => differ(at.into()),
        Equivalence::Extents { .. } => differ(Output::None),
        Equivalence::Unknown { bound } => Err(undecided(&format!(
            "the rules do not show them equal, no difference was found, and points times axes and steps are more than {bound}"
        ))),
        _ => Err(undecided("whether the schedules are equal is not decided")),
    }
}
