//! Elements of another size.

use crate::ops::answer;
use crate::table::{Op, STRICT, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "upcast",
        meaning: "L in elements of n elements",
        notes: "",
        forms: &[form!(_; L: Layout, n: Count => answer(L.upcast(*n)?))],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.Layout.upcast"],
        cute: Some("upcast"),
        example: (&["(8,4):(1,8)", "2"], "(4,4):(1,4)"),
    },
    Op {
        name: "downcast",
        meaning: "L in n-th parts of its elements",
        notes: "",
        forms: &[form!(_; L: Layout, n: Count => answer(L.downcast(*n)?))],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.Layout.downcast"],
        cute: Some("downcast"),
        example: (&["(8,4):(1,8)", "2"], "(16,4):(1,16)"),
    },
    Op {
        name: "recast",
        meaning: "elements of size old as elements of size new",
        notes: "",
        forms: &[form!(_; L: Layout, old: Count, new: Count => answer(L.recast(*old, *new)?))],
        modes: STRICT,
        idle: &[],
        beside: &[],
        lean: &["Razorgirl.Layout.recast"],
        cute: Some("recast_layout"),
        example: (&["(8,4):(1,8)", "8", "16"], "(4,4):(1,4)"),
    },
];
