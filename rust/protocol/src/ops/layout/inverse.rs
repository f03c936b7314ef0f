//! From offsets back to indices.

use crate::mode::Mode;
use crate::ops::answer;
use crate::table::{Op, STRICT_COMPLETE, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "right_inverse",
        meaning: "R with L(R(i)) = i for i below size(R)",
        notes: "R consists of the longest chain of whole modes of `coalesce(L)`",
        forms: &[form!(_; L: Layout => answer(L.right_inverse()))],
        lean: &["Razorgirl.Layout.rightInverse"],
        cute: Some("right_inverse"),
        example: (&["(4,8):(8,1)"], "(8,4):(4,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "left_inverse",
        meaning: "R with R(L(i)) = i",
        notes: "by whole modes: where no two coordinates share an offset and the sorted strides of `coalesce(L)` divide one \
                another in turn; complete: any such R, searched for layouts of cosize up to 2^12, at most 2^24 steps of one offset each",
        forms: &[form!(mode; L: Layout => {
            answer(if mode == Mode::Complete { L.left_inverse_complete()? } else { L.left_inverse()? })
        })],
        modes: STRICT_COMPLETE,
        lean: &["Razorgirl.Layout.leftInverse", "Razorgirl.Layout.leftInverseComplete"],
        cute: Some("left_inverse"),
        example: (&["(4,8):(16,2)"], "(2,8,4):(0,4,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "quasi_left_inverse",
        meaning: "R with L(R(L(i))) = L(i)",
        notes: "for layouts that repeat offsets only by strides of 0",
        forms: &[form!(_; L: Layout => answer(L.quasi_left_inverse()?))],
        lean: &["Razorgirl.Layout.quasiLeftInverse"],
        example: (&["(4,8):(0,2)"], "(2,8):(0,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "inverse",
        meaning: "the two-sided inverse of a bijection onto [0, size)",
        forms: &[form!(_; L: Layout => answer(L.inverse()?))],
        lean: &["Razorgirl.Layout.inverse"],
        example: (&["(4,8):(8,1)"], "(8,4):(4,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "nullspace",
        meaning: "the modes of stride 0 as a layout of indices",
        notes: "modes of extent > 1",
        forms: &[form!(_; L: Layout => answer(L.nullspace()))],
        lean: &["Razorgirl.Layout.nullspace"],
        cute: Some("nullspace"),
        example: (&["(4,8):(0,1)"], "4:1"),
        ..Op::PLAIN
    },
];
