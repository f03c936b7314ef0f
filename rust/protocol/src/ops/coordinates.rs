//! Layouts of coordinates: strides such as `1@0`.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::{MAX_OFFSETS, Op, form};
use razorgirl::{CoordCallResult, CoordLayout};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "coord_call",
        meaning: "the value of a coordinate, or the layout of coordinates of the modes at `null`",
        notes: "the value of the fixed modes becomes the offset of the result; a result that is a layout is always a tuple",
        forms: &[form!(_; crd: Coord, E: Coordinates => match E.call(crd)? {
            CoordCallResult::Value(value) => answer(value),
            CoordCallResult::Sublayout(layout) => answer(*layout),
        })],
        lean: &["Razorgirl.CoordLayout.call", "Razorgirl.CoordLayout.slice"],
        cute: Some("Layout::operator()"),
        example: (&["(3,_)", "(4,8):(1@0,1@1)"], "ArithTuple(3,0) o (8):(1@1)"),
        ..Op::PLAIN
    },
    Op {
        name: "coord_coalesce",
        meaning: "the fewest modes with the same values in linear order",
        forms: &[form!(_; E: Coordinates => answer(E.coalesce()))],
        lean: &["Razorgirl.CoordLayout.coalesce"],
        cute: Some("coalesce"),
        example: (&["(8,(4,2)):(1@1,(1@0,4@0))"], "(8,8):(1@1,1@0)"),
        ..Op::PLAIN
    },
    Op {
        name: "coord_composition",
        meaning: "E ∘ B, if the composite exists for all strides of E's coalesced shape",
        notes: "as `composition`; a stride of the result is a sum of basis elements if a step of B moves in several modes; the offset \
                does not change",
        forms: &[form!(_; E: Coordinates, B: Layout => answer(E.composition(B)?))],
        lean: &["Razorgirl.CoordLayout.composition"],
        cute: Some("composition"),
        example: (&["(4,8):(1@0,1@1)", "(4,2):(5,16)"], "(4,2):(1@0+1@1,4@1)"),
        ..Op::PLAIN
    },
    Op {
        name: "coord_eval",
        meaning: "all values in linear order, each a coordinate",
        notes: "the first mode varies fastest; at most 2^20 numbers in all of them",
        forms: &[form!(_; E: Coordinates => answer(Output::List(values(E)?)))],
        lean: &["Razorgirl.CoordLayout.values"],
        example: (&["(2,3):(1@1,1@0)"], "((0,0),(0,1),(1,0),(1,1),(2,0),(2,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "identity_layout",
        meaning: "the layout that maps each coordinate of a shape to itself",
        notes: "a mode of extent 1 has stride 0; a shape of one integer has integers as coordinates; at most 1024 leaves",
        forms: &[form!(_; X: ShapeOf => answer(CoordLayout::identity(X)?))],
        lean: &["Razorgirl.CoordLayout.identity"],
        cute: Some("make_identity_layout"),
        example: (&["((4,2),8)"], "((4,2),8):((1@0@0,1@1@0),1@1)"),
        ..Op::PLAIN
    },
];

fn values(layout: &CoordLayout) -> Result<Vec<Output>, Refusal> {
    // numbers in all, so that long coordinates do not make more of them
    let count = layout.size().saturating_mul(layout.axes().len().max(1) as u64);
    if count > MAX_OFFSETS {
        return Err(Refusal::new(
            Code::TooLarge,
            format!("{count} numbers of {} values are more than the {MAX_OFFSETS} that are listed", layout.size()),
        )
        .with_help("`coord_call` gives the value of one coordinate, and slices"));
    }
    Ok(layout.values().map(Output::from).collect())
}
