//! Without strides of 0.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "filter_zeros",
        meaning: "the layout with extent 1 in each mode of stride 0",
        forms: &[form!(_; L: Layout => answer(L.filter_zeros()))],
        lean: &["Razorgirl.Layout.filterZeros"],
        cute: Some("filter_zeros"),
        example: (&["(4,(2,8)):(0,(1,0))"], "(1,(2,1)):(0,(1,0))"),
        ..Op::PLAIN
    },
    Op {
        name: "filter",
        meaning: "`coalesce` after `filter_zeros`",
        notes: "with a profile: at each leaf of the profile; further modes do not change",
        forms: &[
            form!(_; L: Layout => answer(L.filter())),
            form!(_; L: Layout, profile: Profile => answer(L.filter_by(profile)?)),
        ],
        lean: &["Razorgirl.Layout.filter", "Razorgirl.Layout.filterBy"],
        cute: Some("filter"),
        example: (&["(4,(2,8)):(0,(1,0))"], "2:1"),
        ..Op::PLAIN
    },
];
