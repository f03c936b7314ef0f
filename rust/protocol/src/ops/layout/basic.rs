//! What a layout is.

use crate::code::{Code, Refusal};
use crate::kind::{Argument, Kind, Modes};
use crate::ops::answer;
use crate::table::{Form, MAX_OFFSETS, Op, Parameter, form, mismatch};
use razorgirl::Layout;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "cosize",
        meaning: "1 + the largest offset",
        forms: &[form!(_; L: Layout => answer(L.cosize()))],
        lean: &["Razorgirl.Layout.cosize"],
        cute: Some("cosize"),
        example: (&["(4,8):(1,8)"], "60"),
        ..Op::PLAIN
    },
    Op {
        name: "coshape",
        meaning: "`cosize`, for layouts with integer strides",
        forms: &[form!(_; L: Layout => answer(L.coshape()))],
        lean: &["Razorgirl.Layout.cosize"],
        cute: Some("coshape"),
        example: (&["(4,8):(1,8)"], "60"),
        ..Op::PLAIN
    },
    Op {
        name: "eval",
        meaning: "all offsets in linear order",
        notes: "the first mode fastest; at most 2^20 offsets",
        forms: &[form!(_; L: Layout => answer(offsets(L)?))],
        also: &["swizzled_eval", "coord_eval"],
        lean: &["Razorgirl.FlatLayout.offsets"],
        example: (&["(2,3):(3,1)"], "(0,3,1,4,2,5)"),
        ..Op::PLAIN
    },
    Op {
        name: "flatten",
        meaning: "all leaves as one tuple",
        notes: "a leaf is not changed; a layout gives a layout",
        forms: &[form!(_; X: Modes => match X {
            Modes::Shape(shape) => answer(shape.flatten().extents().clone()),
            Modes::Layout(layout) => answer(layout.flatten()),
        })],
        lean: &["Razorgirl.Layout.flatten"],
        cute: Some("flatten"),
        example: (&["((4,2),8):((1,4),8)"], "(4,2,8):(1,4,8)"),
        ..Op::PLAIN
    },
    Op {
        name: "make_layout",
        meaning: "the column-major layout of one shape, or the layout with one mode for each layout",
        notes: "no arguments give `():()`; a shape and its strides give one layout",
        forms: &[Form {
            parameters: &[Parameter { name: "X", kind: Kind::Modes }],
            repeated: true,
            run: |arguments, _| {
                if let [Argument::Modes(Modes::Shape(shape))] = arguments {
                    return answer(Layout::column_major(shape));
                }
                let layouts = arguments.iter().map(|argument| match argument {
                    Argument::Modes(Modes::Layout(layout)) => Ok(layout.clone()),
                    Argument::Modes(Modes::Shape(_)) => {
                        Err(Refusal::new(Code::Parse, "only one argument can be a shape")
                            .with_help("give one shape, or layouts such as (4,8):(1,4)"))
                    }
                    _ => Err(mismatch()),
                });
                answer(Layout::concat(&layouts.collect::<Result<Vec<_>, _>>()?)?)
            },
        }],
        lean: &["Razorgirl.Layout.concat", "Razorgirl.Layout.columnMajor"],
        cute: Some("make_layout"),
        example: (&["4:1", "(2,3):(4,8)"], "(4,(2,3)):(1,(4,8))"),
        ..Op::PLAIN
    },
];

fn offsets(layout: &Layout) -> Result<Vec<u64>, Refusal> {
    if layout.size() > MAX_OFFSETS {
        return Err(Refusal::new(
            Code::TooLarge,
            format!("{} offsets are more than the {MAX_OFFSETS} that are listed", layout.size()),
        )
        .with_help("`call` gives the offset of one coordinate")
        .with_help("`cosize`, `coalesce`, `is_injective` and `is_contiguous` answer without listing offsets"));
    }
    Ok(layout.offsets().collect())
}
