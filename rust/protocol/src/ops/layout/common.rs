//! What two layouts have in common.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "max_common_layout",
        meaning: "the common prefix of both right inverses",
        notes: "the common leading modes, at the first difference with equal strides the smaller extent: both map it to \
                0, 1, 2, …, and where both are injective nothing reaches further",
        forms: &[form!(_; A: Layout, B: Layout => answer(A.max_common_layout(B)))],
        lean: &["Razorgirl.Layout.maxCommonLayout"],
        cute: Some("max_common_layout"),
        example: (&["(4,8):(1,4)", "(4,8):(1,8)"], "4:1"),
        ..Op::PLAIN
    },
    Op {
        name: "max_common_vector",
        meaning: "the size of the largest common layout",
        forms: &[form!(_; A: Layout, B: Layout => answer(A.max_common_vector(B)))],
        lean: &["Razorgirl.Layout.maxCommonVector"],
        cute: Some("max_common_vector"),
        example: (&["(4,8):(1,4)", "(4,8):(1,8)"], "4"),
        ..Op::PLAIN
    },
];
