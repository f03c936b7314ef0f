//! Rows and columns of modes exchanged.

use crate::ops::both::{either, pair};
use crate::table::{Op, form};
use razorgirl::{IntTuple, Layout};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "zip",
        meaning: "the transposed nesting: modes of modes exchanged",
        notes: "of X, or of the pair (X,Y); all is one row where the first mode is a leaf",
        forms: &[
            form!(_; X: Modes => either(X, IntTuple::zip, Layout::zip)),
            form!(_; X: Modes, Y: Modes => pair(X, Y, |a, b| IntTuple::tuple(&[a.clone(), b.clone()])?.zip(), Layout::zip_with)),
        ],
        lean: &["Razorgirl.Layout.zip", "Razorgirl.Layout.zipPair"],
        cute: Some("zip"),
        example: (&["((4,2),(3,5)):((1,4),(8,24))"], "((4,3),(2,5)):((1,8),(4,24))"),
        ..Op::PLAIN
    },
    Op {
        name: "unzip",
        meaning: "the pairs at the leaves of the guide, separated",
        notes: "first parts in mode 0, second parts and further modes in mode 1",
        forms: &[
            form!(_; X: Modes, guide: Profile => either(X, |shape| shape.unzip(guide), |layout| layout.unzip(guide))),
        ],
        lean: &["Razorgirl.Layout.unzipBy"],
        cute: Some("tile_unzip"),
        example: (&["((4,2),(3,5),7):((1,4),(8,24),120)", "(*,*)"], "((4,3),(2,5,7)):((1,8),(4,24,120))"),
        ..Op::PLAIN
    },
];
