//! Coordinates and linear indices.

use crate::code::Refusal;
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::{HTuple, Layout, Literal, Shape};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "idx2crd",
        meaning: "the coordinate of a linear index",
        notes: "takes no strides: CuTe's form with strides is wrong for most layouts",
        forms: &[form!(_; i: Index, X: ShapeOf => answer(X.idx2crd(*i)?))],
        lean: &["Razorgirl.Coord.idx2crd"],
        cute: Some("idx2crd"),
        example: (&["13", "((4,2),8)"], "((1,1),1)"),
        ..Op::PLAIN
    },
    Op {
        name: "crd2idx",
        meaning: "the linear index of a coordinate, or its offset under strides",
        notes: "`null` counts as 0; for a layout as second argument its shape is used",
        forms: &[
            form!(_; crd: Coord, X: ShapeOf => answer(X.crd2idx(crd)?)),
            form!(_; crd: Coord, shape: Shape, stride: Strides => answer(strided(shape, stride)?.offset(crd)?)),
        ],
        lean: &["Razorgirl.Coord.crd2idx", "Razorgirl.Layout.call"],
        cute: Some("crd2idx"),
        example: (&["((1,1),1)", "((4,2),8)"], "13"),
        ..Op::PLAIN
    },
    Op {
        name: "crd2crd",
        meaning: "the coordinate in Y with the linear index that it has in X",
        notes: "C++ converts mode by mode where it can; pycute takes Y before X",
        forms: &[form!(_; crd: Coord, X: ShapeOf, Y: ShapeOf => answer(X.crd2crd(crd, Y)?))],
        lean: &["Razorgirl.Coord.crd2crd"],
        cute: Some("crd2crd"),
        example: (&["(1,1)", "(4,6)", "(6,4)"], "(5,0)"),
        ..Op::PLAIN
    },
];

fn strided(shape: &Shape, stride: &HTuple<Literal>) -> Result<Layout, Refusal> {
    Ok(Layout::from_literals(&shape.extents().map(Literal::Fits), stride)?)
}
