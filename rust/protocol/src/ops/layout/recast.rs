//! Elements of another size.

use crate::mode::Mode;
use crate::ops::answer;
use crate::table::{CONTAINING, Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "upcast",
        meaning: "L with n elements combined into one",
        notes: "where these are reached wholly: the answer has the offsets of L, each as often; containing: o div n of every \
                offset o, where all are multiples of n",
        forms: &[form!(mode; L: Layout, n: Count => {
            answer(if mode == Mode::Containing { L.upcast_containing(*n)? } else { L.upcast(*n)? })
        })],
        modes: CONTAINING,
        lean: &["Razorgirl.Layout.upcast"],
        cute: Some("upcast"),
        example: (&["(8,4):(1,8)", "2"], "(4,4):(1,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "downcast",
        meaning: "L with each element split into n",
        forms: &[form!(_; L: Layout, n: Count => answer(L.downcast(*n)?))],
        lean: &["Razorgirl.Layout.downcast"],
        cute: Some("downcast"),
        example: (&["(8,4):(1,8)", "2"], "(16,4):(1,16)"),
        ..Op::PLAIN
    },
    Op {
        name: "recast",
        meaning: "the layout recast from elements of size old to elements of size new",
        notes: "with the same bits, each as often: upcast by new/gcd, then downcast by old/gcd; containing: the element of \
                size new that contains each",
        forms: &[form!(mode; L: Layout, old: Count, new: Count => {
            answer(if mode == Mode::Containing { L.recast_containing(*old, *new)? } else { L.recast(*old, *new)? })
        })],
        modes: CONTAINING,
        also: &["swizzled_recast"],
        lean: &["Razorgirl.Layout.recast"],
        cute: Some("recast_layout"),
        example: (&["(8,4):(1,8)", "8", "16"], "(4,4):(1,4)"),
        ..Op::PLAIN
    },
];
