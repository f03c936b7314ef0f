//! Size, nesting, and how shapes relate.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "size",
        meaning: "product of the extents",
        forms: &[form!(_; X: ShapeOf => answer(X.size()))],
        lean: &["Razorgirl.IntTuple.size"],
        cute: Some("size"),
        example: (&["((4,2),8)"], "64"),
        ..Op::PLAIN
    },
    Op {
        name: "rank",
        meaning: "number of modes at the top",
        notes: "1 for a leaf",
        forms: &[form!(_; X: ShapeOf => answer(X.rank()))],
        lean: &["Razorgirl.HTuple.rank"],
        cute: Some("rank"),
        example: (&["((4,2),8)"], "2"),
        ..Op::PLAIN
    },
    Op {
        name: "depth",
        meaning: "the nesting depth",
        notes: "0 for a leaf, else 1 + the deepest mode; 1 for `[]`",
        forms: &[form!(_; X: ShapeOf => answer(X.depth()))],
        lean: &["Razorgirl.HTuple.depth"],
        cute: Some("depth"),
        example: (&["((4,2),8)"], "2"),
        ..Op::PLAIN
    },
    Op {
        name: "congruent",
        meaning: "whether both have the same profile",
        forms: &[form!(_; X: ShapeOf, Y: ShapeOf => answer(X.congruent(Y)))],
        lean: &["Razorgirl.HTuple.congruent"],
        cute: Some("congruent"),
        example: (&["(4,(2,2))", "(1,(1,1))"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "weakly_congruent",
        meaning: "whether the second has the profile of the first, or a finer one",
        notes: "a leaf of the first matches any tuple",
        forms: &[form!(_; coarse: ShapeOf, fine: ShapeOf => answer(coarse.profile().weakly_congruent(fine.profile())))],
        lean: &["Razorgirl.HTuple.weaklyCongruent"],
        cute: Some("weakly_congruent"),
        example: (&["(4,4)", "(4,(2,2))"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "compatible",
        meaning: "whether each leaf of the first equals the size of the corresponding mode of the second",
        forms: &[form!(_; coarse: ShapeOf, fine: ShapeOf => answer(coarse.compatible(fine)))],
        lean: &["Razorgirl.IntTuple.compatible"],
        cute: Some("compatible"),
        example: (&["(4,4)", "(4,(2,2))"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "refines",
        meaning: "`compatible` with swapped arguments",
        forms: &[form!(_; fine: ShapeOf, coarse: ShapeOf => answer(fine.refines(coarse)))],
        lean: &["Razorgirl.IntTuple.refines"],
        example: (&["(4,(2,2))", "(4,4)"], "true"),
        ..Op::PLAIN
    },
];
