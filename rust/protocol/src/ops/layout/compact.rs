//! Compact layouts of a shape.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Layout;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "make_layout_left",
        meaning: "the column-major layout of a shape",
        forms: &[form!(_; X: ShapeOf => answer(Layout::column_major(X)))],
        lean: &["Razorgirl.Layout.columnMajor"],
        cute: Some("make_layout(LayoutLeft)"),
        example: (&["(4,(2,8))"], "(4,(2,8)):(1,(4,8))"),
        ..Op::PLAIN
    },
    Op {
        name: "make_layout_right",
        meaning: "the row-major layout of a shape",
        forms: &[form!(_; X: ShapeOf => answer(Layout::row_major(X)))],
        lean: &["Razorgirl.Layout.rowMajor"],
        cute: Some("make_layout(LayoutRight)"),
        example: (&["(4,(2,8))"], "(4,(2,8)):(16,(8,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "make_layout_like",
        meaning: "the compact layout with the shape of L and the order of its strides",
        notes: "modes of stride 0 have stride 0 in the result",
        forms: &[form!(_; L: Layout => answer(L.make_layout_like()))],
        lean: &["Razorgirl.Layout.makeLayoutLike"],
        cute: Some("make_layout_like"),
        example: (&["(4,(2,8)):(16,(0,1))"], "(4,(2,8)):(8,(0,1))"),
        ..Op::PLAIN
    },
];
