//! A layout in tiles.

use crate::answer::{Answer, Output};
use crate::ops::answer;
use crate::table::{COMPLETE, Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "logical_divide",
        meaning: "A cut into tiles: (tile, rest), or mode by mode",
        notes: "`A ∘ (T, complement(T, size A))` for a layout T; a list divides mode by mode, and further modes are not divided; `null` \
                does not divide a mode",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.logical_divide(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.logicalDivideBy"],
        cute: Some("logical_divide"),
        example: (&["(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"], "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"),
        ..Op::PLAIN
    },
    Op {
        name: "logical_divide_by_mode",
        meaning: "logical_divide, as the recorded answers of other libraries name it",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.logical_divide(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.logicalDivideBy"],
        example: (&["(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"], "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"),
        ..Op::PLAIN
    },
    Op {
        name: "zipped_divide",
        meaning: "division: (tiles, rests)",
        notes: "further modes are among the rests; a `null` has the tile `1:0`",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.zipped_divide(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.zippedDivide"],
        cute: Some("zipped_divide"),
        example: (&["(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"], "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"),
        ..Op::PLAIN
    },
    Op {
        name: "tiled_divide",
        meaning: "division: (tiles, rest, …)",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.tiled_divide(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.tiledDivide"],
        cute: Some("tiled_divide"),
        example: (&["(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"], "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "flat_divide",
        meaning: "division, one mode for each of the tiles and the rests",
        forms: &[form!(_; A: Layout, tiler: Tiler => answer(A.flat_divide(tiler)?))],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.flatDivide"],
        cute: Some("flat_divide"),
        example: (&["(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"], "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "logical_divide_ceil",
        meaning: "A cut into tiles that may reach past it, with the coordinates that are padding",
        notes: "`\"index\"` and `\"bounds\"`: for each divided mode the layout from coordinates to indices, and the size of the mode: \
                larger indices are padding; `\"padded\"`: the number of padded coordinates",
        forms: &[form!(_; A: Layout, tiler: Tiler => {
            let divided = A.logical_divide_ceil(tiler)?;
            let index = divided.parts.iter().map(|part| part.index.clone().into()).collect();
            let bounds: Vec<u64> = divided.parts.iter().map(|part| part.bound).collect();
            let padded = divided.padded();
            Ok(Answer::new(divided.layout)
                .beside("index", Output::List(index))
                .beside("bounds", bounds)
                .beside("padded", padded))
        })],
        idle: COMPLETE,
        beside: &["index", "bounds", "padded"],
        lean: &["Razorgirl.Layout.logicalDivideCeilBy"],
        example: (&["10:1", "4"], "(4,3):(1,4)\nindex: ((4,3):(1,4))\nbounds: (10)\npadded: 2"),
        ..Op::PLAIN
    },
    Op {
        name: "zipped_divide_ceil",
        meaning: "division whose tiles may reach past A: (tiles, rests)",
        notes: "as `logical_divide_ceil`, which also says which coordinates are padding; `\"padded\"`: the number of padded coordinates",
        forms: &[form!(_; A: Layout, tiler: Tiler => {
            let divided = A.zipped_divide_ceil(tiler)?;
            let padded = divided.size() - A.size();
            Ok(Answer::new(divided).beside("padded", padded))
        })],
        idle: COMPLETE,
        beside: &["padded"],
        lean: &["Razorgirl.Layout.zippedDivideCeil"],
        cute: Some("zipped_divide"),
        example: (&["(5,3):(1,5)", "<2:1,2:1>"], "((2,2),(3,2)):((1,5),(2,10))\npadded: 9"),
        ..Op::PLAIN
    },
    Op {
        name: "nearest_tile",
        meaning: "the tile that divides A: T, or else the nearest one that differs from it in one number, or none",
        notes: "an extent above 1 that stays above 1, or the stride of such a mode, which does not become 0; as near, the first mode \
                counts, its extent before its stride, the smaller number first",
        forms: &[form!(_; A: Layout, T: Layout => answer(A.nearest_tile(T)?))],
        lean: &["Razorgirl.Layout.nearestTile"],
        example: (&["16:1", "7:1"], "8:1"),
        ..Op::PLAIN
    },
];
