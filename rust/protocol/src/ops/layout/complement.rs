//! What is missing beside a layout.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "complement",
        meaning: "the layout R for which (L, R) is a bijection onto [0, size of L's block), or onto [0, N)",
        forms: &[
            form!(_; L: Layout => answer(L.complement()?)),
            form!(_; L: Layout, N: Cotarget => answer(L.complement_in(*N)?)),
        ],
        lean: &["Razorgirl.Layout.complement", "Razorgirl.Layout.complementIn"],
        cute: Some("complement"),
        example: (&["(2,2):(1,6)", "24"], "(3,2):(2,12)"),
        ..Op::PLAIN
    },
    Op {
        name: "complement_ceil",
        meaning: "the complement with N rounded up to a multiple of L's block",
        notes: "as CuTe rounds",
        forms: &[form!(_; L: Layout, N: Cotarget => answer(L.complement_ceil(*N)?))],
        lean: &["Razorgirl.Layout.complementCeil"],
        cute: Some("complement"),
        example: (&["(2,2):(1,6)", "20"], "(3,2):(2,12)"),
        ..Op::PLAIN
    },
];
