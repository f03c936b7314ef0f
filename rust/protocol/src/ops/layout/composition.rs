//! One layout after another.

use crate::answer::{Answer, Output};
use crate::mode::Mode;
use crate::ops::answer;
use crate::table::{Op, STRICT_COMPLETE, form};
use razorgirl::Layout;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "composition",
        meaning: "the layout R with R(c) = A(B(c))",
        notes: "defined if the composite exists for all strides of A's coalesced shape; with `\"mode\":\"complete\"` whenever it exists \
                (at most 2^24 coordinates of B are enumerated)",
        forms: &[form!(mode; A: Layout, B: Layout => match mode {
            Mode::Complete => answer(A.composition_complete(B)?),
            Mode::Strict | Mode::Containing => answer(A.composition(B)?),
        })],
        modes: STRICT_COMPLETE,
        also: &["swizzled_composition", "coord_composition"],
        lean: &["Razorgirl.Layout.composition", "Razorgirl.Layout.compositionComplete"],
        cute: Some("composition"),
        example: (&["(6,2):(8,2)", "(4,3):(3,1)"], "((2,2),3):((24,2),8)"),
        ..Op::PLAIN
    },
    Op {
        name: "composition_by_mode",
        meaning: "composition mode by mode",
        notes: "modes of A beyond the tiler are dropped, as in CuTe C++ (pycute keeps them)",
        forms: &[form!(mode; A: Layout, tiler: Tiler => match mode {
            Mode::Complete => answer(A.composition_complete_by(tiler)?),
            Mode::Strict | Mode::Containing => answer(A.composition_by(tiler)?),
        })],
        modes: STRICT_COMPLETE,
        lean: &["Razorgirl.Layout.compositionBy", "Razorgirl.Layout.compositionCompleteBy"],
        cute: Some("composition"),
        example: (&["(12,(4,8)):(59,(13,1))", "<3:4,8:2>"], "(3,(2,4)):(236,(26,1))"),
        ..Op::PLAIN
    },
    Op {
        name: "composition_extended",
        meaning: "composition, where the last mode of A grows if B reaches past A",
        notes: "`\"grown\"` is `[from,to]`, two layouts of one mode, or `null`; the last mode of extent > 1 grows",
        forms: &[form!(_; A: Layout, B: Layout => {
            let extended = A.composition_extended(B)?;
            let grown = extended.grown.map(|(from, to)| {
                let layout = |mode| Layout::from_modes([mode]).map(|layout| Output::Layout(layout.coalesce()));
                Ok::<_, razorgirl::Error>(Output::List(vec![layout(from)?, layout(to)?]))
            });
            Ok(Answer::new(extended.layout).beside("grown", grown.transpose()?))
        })],
        beside: &["grown"],
        lean: &["Razorgirl.Layout.compositionExtended"],
        cute: Some("composition"),
        example: (&["(4,2):(1,4)", "12:1"], "12:1\ngrown: (2:4,3:4)"),
        ..Op::PLAIN
    },
    Op {
        name: "largest_extent",
        meaning: "the largest extent, at most its own, with which a leaf of B composes together with the other leaves; `null` if there \
                is none",
        notes: "leaves are counted from 0, from left to right",
        forms: &[form!(_; A: Layout, B: Layout, leaf: Index => {
            let leaf = usize::try_from(*leaf).unwrap_or(usize::MAX);
            answer(A.largest_extent(B, leaf)?.map_or(Output::None, Output::Natural))
        })],
        lean: &["Razorgirl.FlatLayout.extentFor"],
        example: (&["(7,4):(4,1)", "6:3", "0"], "3"),
        ..Op::PLAIN
    },
];
