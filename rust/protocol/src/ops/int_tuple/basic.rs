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
        meaning: "how deep the modes are nested",
        notes: "0 for a leaf, else 1 + the deepest mode; 1 for `[]`",
        forms: &[form!(_; X: ShapeOf => answer(X.depth()))],
        lean: &["Razorgirl.HTuple.depth"],
        cute: Some("depth"),
        example: (&["((4,2),8)"], "2"),
        ..Op::PLAIN
    },
    Op {
        name: "congruent",
        meaning: "whether both have the same nesting",
        forms: &[form!(_; X: ShapeOf, Y: ShapeOf => answer(X.congruent(Y)))],
        lean: &["Razorgirl.HTuple.congruent"],
        cute: Some("congruent"),
        example: (&["(4,(2,2))", "(1,(1,1))"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "weakly_congruent",
        meaning: "whether the nesting of the first is coarser than that of the second, or the same",
        notes: "a leaf stands for anything",
        forms: &[form!(_; coarse: ShapeOf, fine: ShapeOf => answer(coarse.profile().weakly_congruent(fine.profile())))],
        lean: &["Razorgirl.HTuple.weaklyCongruent"],
        cute: Some("weakly_congruent"),
        example: (&["(4,4)", "(4,(2,2))"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "compatible",
        meaning: "whether every leaf of the first has the size of what the second has in its place",
        forms: &[form!(_; coarse: ShapeOf, fine: ShapeOf => answer(coarse.compatible(fine)))],
        lean: &["Razorgirl.IntTuple.compatible"],
        cute: Some("compatible"),
        example: (&["(4,4)", "(4,(2,2))"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "refines",
        meaning: "the same as compatible, arguments the other way round",
        forms: &[form!(_; fine: ShapeOf, coarse: ShapeOf => answer(fine.refines(coarse)))],
        lean: &["Razorgirl.IntTuple.refines"],
        example: (&["(4,(2,2))", "(4,4)"], "true"),
        ..Op::PLAIN
    },
];
