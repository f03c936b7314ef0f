//! A compact layout in a given order.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Layout;

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "make_ordered_layout",
    meaning: "the compact layout of a shape, with strides in the given order",
    notes: "where the order has an integer, X may have a tuple; modes of equal order are ordered from left to right (in C++ their \
            strides collide)",
    forms: &[form!(_; X: ShapeOf, order: Order => answer(Layout::ordered(X, order)?))],
    lean: &["Razorgirl.Layout.ordered"],
    cute: Some("make_ordered_layout"),
    example: (&["(4,2,8)", "(2,0,1)"], "(4,2,8):(16,1,2)"),
    ..Op::PLAIN
}];
