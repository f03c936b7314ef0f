//! Swizzle after offset after layout.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::{MAX_OFFSETS, Op, form};
use razorgirl::SwizzledLayout;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "swizzled_call",
        meaning: "the offset of a coordinate, or the swizzled layout of the modes under a null",
        notes: "the offset of the fixed modes is added to the offset before the swizzle; a result that is a layout is always a tuple",
        forms: &[form!(_; crd: Coord, R: Swizzled => if crd.leaves().contains(&None) {
            answer(R.slice(crd)?)
        } else {
            answer(R.offset_of(crd)?)
        })],
        lean: &["Razorgirl.SwizzledLayout.call", "Razorgirl.SwizzledLayout.slice"],
        cute: Some("ComposedLayout::operator()"),
        example: (&["(1,_)", "Sw<3,3,3> o 0 o (8,64):(64,1)"], "Sw<3,3,3> o 64 o (64):(1)"),
        ..Op::PLAIN
    },
    Op {
        name: "swizzled_composition",
        meaning: "R ∘ B: the layouts are composed; swizzle and offset do not change",
        forms: &[form!(_; R: Swizzled, B: Layout => answer(R.composition(B)?))],
        lean: &["Razorgirl.SwizzledLayout.composition"],
        cute: Some("composition"),
        example: (&["Sw<3,3,3> o 0 o (8,64):(64,1)", "(4,2):(1,8)"], "Sw<3,3,3> o 0 o (4,2):(64,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "swizzled_eval",
        meaning: "all offsets in linear order: swizzle(offset + layout(i))",
        notes: "the first mode fastest; at most 2^20 offsets; B must be from 0 to 64, M at least 0, S may be any integer; CuTe \
                requires |S| >= B",
        forms: &[form!(_; R: Swizzled => answer(offsets(R)?))],
        lean: &["Razorgirl.SwizzledLayout.offsets"],
        example: (&["Sw<3,0,3> o 24 o 8:1"], "(27,26,25,24,31,30,29,28)"),
        ..Op::PLAIN
    },
    Op {
        name: "swizzled_offset_moves",
        meaning: "whether every offset is the constant offset plus the offset of the same layout with constant offset 0",
        notes: "exactly then the constant offset may be added to the pointer instead; this holds for every layout whose offset is a \
                multiple of the period 2^(B+M+|S|)",
        forms: &[form!(_; R: Swizzled => answer(R.offset_moves()?))],
        lean: &["Razorgirl.SwizzledLayout.offsetMoves"],
        example: (&["Sw<3,3,3> o 32 o (8,32):(64,1)"], "false"),
        ..Op::PLAIN
    },
    Op {
        name: "swizzled_plain",
        meaning: "the first offset and the layout of the differences, if the offsets are a constant plus a layout; else `null`",
        notes: "`{\"offset\":n,\"shape\":[…],\"stride\":[…]}`: coalesced, strides may be below 0",
        forms: &[form!(_; R: Swizzled => answer(R.plain()?.map(|plain| {
            let (extents, strides) = plain.modes.iter().copied().unzip::<u64, i128, Vec<u64>, Vec<i128>>();
            Output::Named(vec![
                ("offset", plain.first.into()),
                ("shape", extents.into()),
                ("stride", Output::Integers(strides)),
            ])
        })))],
        lean: &["Razorgirl.SwizzledLayout.plain?"],
        example: (&["Sw<3,0,3> o 24 o 8:1"], "offset 27, shape (4,2), stride (-1,4)"),
        ..Op::PLAIN
    },
    Op {
        name: "swizzled_recast",
        meaning: "the layout recast from elements of size old to elements of size new, including swizzle and offset",
        notes: "with the same bits, each as often; one size is a power of two times the other, and M moves by its logarithm: from \
                bytes to elements and back",
        forms: &[form!(_; R: Swizzled, old: Count, new: Count => answer(R.recast(*old, *new)?))],
        lean: &["Razorgirl.SwizzledLayout.recast"],
        cute: Some("recast_layout"),
        example: (&["Sw<3,4,3> o 0 o (8,128):(128,1)", "8", "16"], "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ..Op::PLAIN
    },
];

fn offsets(layout: &SwizzledLayout) -> Result<Vec<u64>, Refusal> {
    if layout.size() > MAX_OFFSETS {
        return Err(Refusal::new(
            Code::TooLarge,
            format!("{} offsets are more than the {MAX_OFFSETS} that are listed", layout.size()),
        )
        .with_help("`swizzled_call` gives the offset of one coordinate, and slices"));
    }
    Ok(layout.offsets().collect::<razorgirl::Result<_>>()?)
}
