//! The same offsets under another shape.

use crate::mode::Mode;
use crate::ops::answer;
use crate::table::{Op, STRICT_COMPLETE, form};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "with_shape",
    meaning: "the layout with this shape, or a refinement of it, and the same offset at every index",
    forms: &[form!(mode; L: Layout, X: ShapeOf => match mode {
        Mode::Complete => answer(L.with_shape_complete(X)?),
        Mode::Strict | Mode::Containing => answer(L.with_shape(X)?),
    })],
    modes: STRICT_COMPLETE,
    lean: &["Razorgirl.Layout.withShape", "Razorgirl.Layout.withShapeComplete"],
    cute: Some("Layout::with_shape"),
    example: (&["(2,2,2):(1,2,4)", "8"], "8:1"),
    ..Op::PLAIN
}];
