//! Modes picked, replaced, grouped, appended.

use crate::kind::Modes;
use crate::ops::both::{either, pair};
use crate::table::{Op, form};
use razorgirl::{IntTuple, Layout, Shape};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "append",
        meaning: "X extended to rank n by modes at the end",
        notes: "new modes are Y, or `1:0` (1 for a shape); a leaf counts as one mode",
        forms: &[
            form!(_; X: Modes, n: Rank => pair(X, &one(X)?, |a, b| a.append(*n, b), |a, b| a.append_with(*n, b))),
            form!(_; X: Modes, n: Rank, Y: Modes => pair(X, Y, |a, b| a.append(*n, b), |a, b| a.append_with(*n, b))),
        ],
        lean: &["Razorgirl.Layout.append"],
        cute: Some("append"),
        example: (&["(4,2):(1,4)", "4"], "(4,2,1,1):(1,4,0,0)"),
        ..Op::PLAIN
    },
    Op {
        name: "prepend",
        meaning: "X extended to rank n by modes at the front",
        notes: "new modes are Y, or `1:0` (1 for a shape); a leaf counts as one mode",
        forms: &[
            form!(_; X: Modes, n: Rank => pair(X, &one(X)?, |a, b| a.prepend(*n, b), |a, b| a.prepend_with(*n, b))),
            form!(_; X: Modes, n: Rank, Y: Modes => pair(X, Y, |a, b| a.prepend(*n, b), |a, b| a.prepend_with(*n, b))),
        ],
        lean: &["Razorgirl.Layout.prepend"],
        cute: Some("prepend"),
        example: (&["(4,2):(1,4)", "3"], "(1,4,2):(0,1,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "group",
        meaning: "the modes [b,e) as one mode",
        notes: "none where b = e",
        forms: &[
            form!(_; X: Modes, b: Index, e: Index => either(X, |shape| shape.group(range(*b, *e)), |layout| layout.group(range(*b, *e)))),
        ],
        lean: &["Razorgirl.Layout.group"],
        cute: Some("group"),
        example: (&["(4,7,3):(1,4,28)", "1", "3"], "(4,(7,3)):(1,(4,28))"),
        ..Op::PLAIN
    },
    Op {
        name: "take",
        meaning: "the modes [b,e)",
        notes: "the result is always a tuple",
        forms: &[
            form!(_; X: Modes, b: Index, e: Index => either(X, |shape| shape.take(range(*b, *e)), |layout| layout.take(range(*b, *e)))),
        ],
        lean: &["Razorgirl.Layout.take"],
        cute: Some("take"),
        example: (&["(4,(7,3)):(1,(4,28))", "1", "2"], "((7,3)):((4,28))"),
        ..Op::PLAIN
    },
    Op {
        name: "select",
        meaning: "the modes at these places",
        notes: "in this order; the result is always a tuple; places may repeat",
        forms: &[form!(_; X: Modes, i: Places => either(X, |shape| shape.select(i), |layout| layout.select(i)))],
        lean: &["Razorgirl.Layout.select"],
        cute: Some("select"),
        example: (&["(4,(7,3)):(1,(4,28))", "(1,0,0)"], "((7,3),4,4):((4,28),1,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "replace",
        meaning: "Y in place of mode n",
        notes: "if X is a leaf, the result is Y",
        forms: &[
            form!(_; X: Modes, n: Index, Y: Modes => pair(X, Y, |a, b| a.replace(place(*n), b), |a, b| a.replace(place(*n), b))),
        ],
        lean: &["Razorgirl.Layout.replace"],
        cute: Some("replace"),
        example: (&["(4,7):(1,4)", "1", "(2,3):(5,10)"], "(4,(2,3)):(1,(5,10))"),
        ..Op::PLAIN
    },
];

/// A mode of one element, of the same kind.
fn one(like: &Modes) -> razorgirl::Result<Modes> {
    let one = Shape::new(IntTuple::leaf(1))?;
    Ok(match like {
        Modes::Shape(_) => Modes::Shape(one),
        Modes::Layout(_) => Modes::Layout(Layout::column_major(&one)),
    })
}

/// The place of a mode. One that no mode can have is beyond all.
fn place(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn range(begin: u64, end: u64) -> std::ops::Range<usize> {
    place(begin)..place(end)
}
