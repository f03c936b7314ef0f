//! Shapes divided by shapes.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "ceil_div",
        meaning: "how many tiles cover the shape, mode by mode",
        notes: "an integer divides a tuple from left to right; an error where the tiles of CuTe's quotient do not cover the shape",
        forms: &[form!(_; shape: Shape, tile: Shape => answer(shape.ceil_div(tile)?.extents().clone()))],
        lean: &["Razorgirl.IntTuple.ceilDiv"],
        cute: Some("ceil_div"),
        example: (&["(10,8)", "(4,4)"], "(3,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "shape_div",
        meaning: "`ceil_div`, where at each step one of the two numbers must divide the other",
        forms: &[form!(_; shape: Shape, tile: Shape => answer(shape.shape_div(tile)?.extents().clone()))],
        lean: &["Razorgirl.IntTuple.shapeDiv"],
        cute: Some("shape_div"),
        example: (&["(8,6)", "(4,2)"], "(2,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "round_up",
        meaning: "each extent rounded up to a multiple",
        notes: "modes without a tile do not change",
        forms: &[form!(_; shape: Shape, tile: Shape => answer(shape.round_up(tile)?.extents().clone()))],
        lean: &["Razorgirl.IntTuple.roundUp"],
        cute: Some("round_up"),
        example: (&["(10,8)", "(4,4)"], "(12,8)"),
        ..Op::PLAIN
    },
    Op {
        name: "evenly_divides",
        meaning: "whether tiles cover the shape exactly",
        notes: "at each leaf of the tiler, tile × `ceil_div` is the size of the corresponding mode",
        forms: &[form!(_; X: ShapeOf, tiler: Shape => answer(X.evenly_divided_by(tiler)))],
        lean: &["Razorgirl.IntTuple.evenlyDivides"],
        cute: Some("evenly_divides"),
        example: (&["(8,6)", "(4,2)"], "true"),
        ..Op::PLAIN
    },
];
