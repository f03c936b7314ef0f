//! What two layouts have in common.

use crate::ops::answer;
use crate::table::{Op, STRICT, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "max_common_layout",
        meaning: "the largest layout that both map to 0, 1, 2, …",
        notes: "along the right inverse of B",
        forms: &[form!(_; A: Layout, B: Layout => answer(A.max_common_layout(B)?))],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.Layout.maxCommonLayout"],
        cute: Some("max_common_layout"),
        example: (&["(4,8):(1,4)", "(4,8):(1,8)"], "4:1"),
    },
    Op {
        name: "max_common_vector",
        meaning: "the size of the largest common layout",
        notes: "",
        forms: &[form!(_; A: Layout, B: Layout => answer(A.max_common_vector(B)?))],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.Layout.maxCommonVector"],
        cute: Some("max_common_vector"),
        example: (&["(4,8):(1,4)", "(4,8):(1,8)"], "4"),
    },
];
