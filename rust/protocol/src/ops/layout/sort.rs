//! Modes by stride.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "sort",
    meaning: "the leaves in order of stride and extent, flattened",
    notes: "the same offsets in another order",
    forms: &[form!(_; L: Layout => answer(L.sort()))],
    lean: &["Razorgirl.Layout.sort"],
    cute: Some("sort"),
    example: (&["(4,(2,3)):(6,(1,2))"], "(2,3,4):(1,2,6)"),
    ..Op::PLAIN
}];
