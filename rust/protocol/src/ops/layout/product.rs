//! Copies of a layout.

use crate::ops::answer;
use crate::table::{COMPLETE, Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "logical_product",
        meaning: "copies of A arranged by a layout: (A, copies), or mode by mode",
        notes: "`(A, complement(A, N) ∘ T)`, where N is the least multiple of A's block that is at least size(A)·cosize(T); modes of A \
                of stride 0 are left out of the complement; a list multiplies mode by mode",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.logical_product(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.logicalProductBy"],
        cute: Some("logical_product"),
        example: (&["(2,2):(4,1)", "6:1"], "((2,2),(2,3)):((4,1),(2,8))"),
        ..Op::PLAIN
    },
    Op {
        name: "logical_product_by_mode",
        meaning: "logical_product, as the recorded answers of other libraries name it",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.logical_product(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.logicalProductBy"],
        example: (&["(2,5):(5,1)", "<3:5,4:6>"], "((2,3),(5,4)):((5,10),(1,30))"),
        ..Op::PLAIN
    },
    Op {
        name: "zipped_product",
        meaning: "product: (blocks, copies)",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.zipped_product(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.zippedProduct"],
        cute: Some("zipped_product"),
        example: (&["(2,5):(5,1)", "<3:5,4:6>"], "((2,5),(3,4)):((5,1),(10,30))"),
        ..Op::PLAIN
    },
    Op {
        name: "tiled_product",
        meaning: "product: (blocks, copies, …)",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.tiled_product(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.tiledProduct"],
        cute: Some("tiled_product"),
        example: (&["(2,5):(5,1)", "<3:5,4:6>"], "((2,5),3,4):((5,1),10,30)"),
        ..Op::PLAIN
    },
    Op {
        name: "flat_product",
        meaning: "product, with one mode for each block and each copy count",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.flat_product(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.flatProduct"],
        cute: Some("flat_product"),
        example: (&["(2,5):(5,1)", "<3:5,4:6>"], "(2,5,3,4):(5,1,10,30)"),
        ..Op::PLAIN
    },
    Op {
        name: "hier_unzip",
        meaning: "zipped_divide (0) or zipped_product (1), as pycute names them",
        forms: &[form!(_; which: Choice, A: Layout, tiler: Tiler => {
            answer(if *which { A.zipped_product(tiler)? } else { A.zipped_divide(tiler)? })
        })],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.zippedDivide", "Razorgirl.Layout.zippedProduct"],
        cute: Some("hier_unzip"),
        example: (
            &["0", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"],
            "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "blocked_product",
        meaning: "copies of A arranged by T, mode by mode; each copy is contiguous in the coordinates",
        notes: "the logical product of both with equally many modes, as `((A0,T0),(A1,T1),…)`",
        forms: &[form!(_; A: Layout, T: Layout => answer(A.blocked_product(T)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.blockedProduct"],
        cute: Some("blocked_product"),
        example: (&["(2,5):(5,1)", "(3,4):(1,3)"], "((2,3),(5,4)):((5,10),(1,30))"),
        ..Op::PLAIN
    },
    Op {
        name: "raked_product",
        meaning: "copies of A arranged by T, mode by mode; the copies are interleaved",
        notes: "the same as `((T0,A0),(T1,A1),…)`",
        forms: &[form!(_; A: Layout, T: Layout => answer(A.raked_product(T)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.rakedProduct"],
        cute: Some("raked_product"),
        example: (&["(2,5):(5,1)", "(3,4):(1,3)"], "((3,2),(4,5)):((10,5),(30,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "tile_to_shape",
        meaning: "copies of L that fill a shape",
        notes: "the order gives the order of the copies; the default is column-major",
        forms: &[
            form!(_; L: Layout, shape: Shape => answer(L.tile_to_shape(shape, None)?)),
            form!(_; L: Layout, shape: Shape, order: Order => answer(L.tile_to_shape(shape, Some(order))?)),
        ],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.tileToShape"],
        cute: Some("tile_to_shape"),
        example: (&["8:1", "(24,4,2)"], "((8,3),(1,4),(1,2)):((1,8),(0,24),(0,96))"),
        ..Op::PLAIN
    },
];
