//! Who gets what of a layout.

use crate::answer::{Answer, Output};
use crate::ops::answer;
use crate::table::{COMPLETE, Op, Outcome, form};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "make_layout_tv",
        meaning: "the extents of the tile, and the layout from (thread, value) to indices in the tile",
        notes: "`{\"tiler\":[…],\"layout\":L}`",
        forms: &[form!(_; threads: Layout, values: Layout => {
            let made = razorgirl::Layout::make_layout_tv(threads, values)?;
            answer(Output::Named(vec![("tiler", made.tiler.into()), ("layout", made.layout.into())]))
        })],
        idle: COMPLETE,
        lean: &["Razorgirl.Layout.makeLayoutTV"],
        cute: Some("make_layout_tv"),
        example: (&["(4,32):(32,1)", "(4,4):(4,1)"], "tiler (16,128), layout ((32,4),(4,4)):((64,4),(16,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "inner_partition",
        meaning: "one tile of A: its layout and its offset",
        notes: "the tile of `zipped_divide` at a coordinate of the rest",
        forms: &[form!(_; A: Layout, tiler: Tiler, crd: Coord => placed(A.inner_partition(tiler, crd)?))],
        idle: COMPLETE,
        beside: &["offset"],
        lean: &["Razorgirl.Layout.innerPartition"],
        cute: Some("inner_partition"),
        example: (&["(8,6):(1,8)", "<4,3>", "(1,1)"], "(4,3):(1,8)\noffset: 28"),
        ..Op::PLAIN
    },
    Op {
        name: "local_tile",
        meaning: "the same as `inner_partition`",
        forms: &[form!(_; A: Layout, tiler: Tiler, crd: Coord => placed(A.local_tile(tiler, crd)?))],
        idle: COMPLETE,
        beside: &["offset"],
        lean: &["Razorgirl.Layout.localTile"],
        cute: Some("local_tile"),
        example: (&["(128,64):(64,1)", "<32,16>", "(2,_)"], "(32,16,4):(64,1,16)\noffset: 4096"),
        ..Op::PLAIN
    },
    Op {
        name: "outer_partition",
        meaning: "the elements of A at one coordinate of every tile: their layout and offset",
        notes: "the rest of `zipped_divide` at a coordinate of the tile",
        forms: &[form!(_; A: Layout, tiler: Tiler, crd: Coord => placed(A.outer_partition(tiler, crd)?))],
        idle: COMPLETE,
        beside: &["offset"],
        lean: &["Razorgirl.Layout.outerPartition"],
        cute: Some("outer_partition"),
        example: (&["(8,6):(1,8)", "<4,3>", "(1,1)"], "(2,2):(4,24)\noffset: 9"),
        ..Op::PLAIN
    },
    Op {
        name: "local_partition",
        meaning: "the elements of A of thread i: their layout and offset",
        notes: "`outer_partition` by the extents of the thread layout, at the coordinate of thread i",
        forms: &[form!(_; A: Layout, threads: Layout, i: Index => placed(A.local_partition(threads, *i)?))],
        idle: COMPLETE,
        beside: &["offset"],
        lean: &["Razorgirl.Layout.localPartition"],
        cute: Some("local_partition"),
        example: (&["(8,6):(1,8)", "(4,3):(3,1)", "5"], "(2,2):(4,24)\noffset: 17"),
        ..Op::PLAIN
    },
];

#[expect(clippy::unnecessary_wraps, reason = "a row of the table answers with an outcome")]
fn placed(placed: razorgirl::LayoutAndOffset) -> Outcome {
    let razorgirl::LayoutAndOffset { layout, offset, .. } = placed;
    Ok(Answer::new(layout).beside("offset", offset))
}
