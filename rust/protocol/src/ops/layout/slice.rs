//! A coordinate with `_` in it: modes kept, modes fixed.

use crate::answer::Output;
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::CallResult;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "call",
        meaning: "the offset of a coordinate, or the layout of the modes at `null`",
        notes: "a result that is a layout is always a tuple",
        forms: &[form!(_; crd: Coord, L: Layout => match L.call(crd)? {
            CallResult::Offset(offset) => answer(offset),
            CallResult::Sublayout(layout) => answer(layout),
        })],
        also: &["swizzled_call", "coord_call"],
        lean: &["Razorgirl.Layout.call", "Razorgirl.Layout.sliceModes"],
        cute: Some("Layout::operator()"),
        example: (&["(1,4)", "(4,8):(1,4)"], "17"),
        ..Op::PLAIN
    },
    Op {
        name: "slice",
        meaning: "the modes at `null`",
        notes: "a bare `null` gives L itself, a bare integer `()`",
        forms: &[form!(_; crd: Coord, L: Layout => answer(L.slice(crd)?))],
        lean: &["Razorgirl.Layout.slice"],
        cute: Some("slice"),
        example: (&["(_,1)", "(4,8):(1,4)"], "(4):(1)"),
        ..Op::PLAIN
    },
    Op {
        name: "dice",
        meaning: "the modes at an integer",
        notes: "a bare integer gives L itself, a bare `null` `()`",
        forms: &[form!(_; crd: Coord, L: Layout => answer(L.dice(crd)?))],
        lean: &["Razorgirl.Layout.dice"],
        cute: Some("dice"),
        example: (&["(_,1)", "(4,8):(1,4)"], "(8):(4)"),
        ..Op::PLAIN
    },
    Op {
        name: "slice_and_offset",
        meaning: "the shape and stride of the modes at `null`, and the offset of the other modes",
        notes: "`[shape, stride, offset]`; the shape is always a tuple",
        forms: &[form!(_; crd: Coord, L: Layout => {
            let razorgirl::LayoutAndOffset { layout: kept, offset, .. } = L.slice_and_offset(crd)?;
            let shape = kept.shape().extents().clone();
            answer(Output::List(vec![shape.into(), kept.stride().into(), offset.into()]))
        })],
        lean: &["Razorgirl.Layout.sliceAndOffset"],
        cute: Some("slice_and_offset"),
        example: (&["(_,1)", "(4,8):(1,4)"], "((4),(1),4)"),
        ..Op::PLAIN
    },
];
