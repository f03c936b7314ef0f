//! A tile for so many threads.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::Layout;

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "domain_distribute",
    meaning: "a tile of gcd(n, size) elements that divides X",
    notes: "as a layout of linear indices",
    forms: &[form!(_; X: ShapeOf, n: Count => answer(Layout::domain_distribute(X, *n)?))],
    lean: &["Razorgirl.Layout.domainDistribute"],
    cute: Some("domain_distribute"),
    example: (&["(8,6)", "12"], "(4,3):(1,8)"),
    ..Op::PLAIN
}];
