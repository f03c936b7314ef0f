//! How large blocks may be.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "max_alignment",
    meaning: "the largest block that is hit wholly or not at all",
    notes: "every aligned block of this size, as the strides show it",
    forms: &[form!(_; L: Layout => answer(L.max_alignment()))],
    lean: &["Razorgirl.Layout.maxAlignment"],
    cute: Some("max_alignment"),
    example: (&["(4,8):(1,16)"], "4"),
    ..Op::PLAIN
}];
