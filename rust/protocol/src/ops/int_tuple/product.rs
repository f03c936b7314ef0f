//! Products of the leaves.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::IntTuple;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "prefix_product",
        meaning: "the product of all extents before each",
        notes: "multiplied by `start` (1 by default); if `start` is a tuple, mode by mode",
        forms: &[
            form!(_; X: ShapeOf => answer(X.prefix_product(&IntTuple::leaf(1))?)),
            form!(_; X: ShapeOf, start: Numbers => answer(X.prefix_product(start)?)),
        ],
        lean: &["Razorgirl.IntTuple.prefixProduct"],
        cute: Some("prefix_product"),
        example: (&["(4,(2,8))"], "(1,(4,8))"),
        ..Op::PLAIN
    },
    Op {
        name: "inner_product",
        meaning: "sum of the products of leaves",
        notes: "both must be tuples of integers >= 0 with the same profile",
        forms: &[form!(_; a: Numbers, b: Numbers => answer(a.inner_product(b)?))],
        lean: &["Razorgirl.IntTuple.innerProduct"],
        cute: Some("inner_product"),
        example: (&["(1,(2,3))", "(4,(5,6))"], "32"),
        ..Op::PLAIN
    },
];
