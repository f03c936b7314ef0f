//! Layouts as they are written, tractable ones, and refinements.

use crate::answer::{Answer, Output};
use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::IntTuple;
use razorgirl::category::{layout_compose, mutual_refinement, relative};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "flat_complement",
        meaning: "the sorted coalesced complement of a flat layout in [0,N)",
        notes: "with the modes sorted by stride, extent · stride of each mode must divide the stride of the next mode, and of the last \
                mode N",
        forms: &[form!(_; L: Written, N: Count => answer(L.flat_complement(*N)?))],
        lean: &["Razorgirl.Category.flatComplement"],
        example: (&["(5,3):(6,2)", "240"], "(2,8):(1,30)"),
        ..Op::PLAIN
    },
    Op {
        name: "flat_concatenate",
        meaning: "the modes of two flat layouts, in one layout",
        forms: &[form!(_; A: Written, B: Written => answer(A.flat_concatenate(B)?))],
        lean: &["Razorgirl.Category.flatConcatenate"],
        example: (&["(2,1):(1,5)", "(4):(2)"], "(2,1,4):(1,5,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "is_tractable",
        meaning: "whether a morphism encodes it: with the modes sorted by stride and extent, extent · stride of each mode divides the \
                stride of the next mode, or is 0",
        notes: "`\"obstruction\"` is the first pair of consecutive modes in that order that violates this, counted from 0, or `null`",
        forms: &[
            form!(_; L: Written => Ok(Answer::new(L.is_tractable()).beside("obstruction", L.obstruction().map(|why| vec![why.below.0 as u64, why.above.0 as u64])))),
        ],
        beside: &["obstruction"],
        lean: &["Razorgirl.Category.isTractable", "Razorgirl.Category.obstruction"],
        example: (&["(2,2):(2,3)"], "false\nobstruction: (0,1)"),
        ..Op::PLAIN
    },
    Op {
        name: "layout_compose",
        meaning: "B after A by morphisms, with the steps: f of A, g of the coalesced B, their weak composite and its layout",
        notes: "both must be tractable; `composition` is defined wherever this is, and for further layouts",
        forms: &[form!(_; A: Written, B: Written => {
            let composed = layout_compose(A, B)?;
            let weak_layout = composed.weak.encoded_layout();
            answer(Output::Named(vec![
                ("f", composed.f.into()),
                ("g", composed.g.into()),
                ("weak", composed.weak.into()),
                ("weak_layout", weak_layout.into()),
                ("layout", composed.layout.into()),
            ]))
        })],
        lean: &["Razorgirl.Category.layoutCompose"],
        example: (
            &["(6,6):(6,1)", "(12,3,6):(1,72,12)"],
            "f (6,6)->(6,6) by (2,1), g (12,3,6)->(12,6,3) by (1,3,2), weak ((2,3),6)->((6,2),6,3) by (2,4,1), weak_layout ((2,3),6):((6,72),1), layout ((2,3),6):((6,72),1)",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "mutual_refinement",
        meaning: "a refinement of T and a refinement of U such that the first, flattened, is a prefix of the second, flattened",
        notes: "the result is the coarsest pair; one exists if size(T) ≤ size(U), T is () if U is, and, with the prefix products of T \
                and of U in one sorted list, each divides the next",
        forms: &[form!(_; T: Shape, U: Shape => {
            let found = mutual_refinement(T, U)?;
            let tuple = |shape: razorgirl::Shape| Output::from(shape.extents().clone());
            answer(Output::Named(vec![("Tprime", tuple(found.t)), ("Uprime", tuple(found.u))]))
        })],
        lean: &["Razorgirl.Category.mutualRefinement"],
        example: (&["(6,6)", "(2,6,3)"], "Tprime ((2,3),(2,3)), Uprime (2,(3,2),3)"),
        ..Op::PLAIN
    },
    Op {
        name: "nested_attrs",
        meaning: "the leaves, rank, length, size, depth, nesting and modes of a nested tuple",
        notes: "the nesting has 0 at its leaves",
        forms: &[form!(_; S: Shape => {
            let tuple = S.extents();
            let modes: Vec<Output> = tuple.modes().map(Output::from).collect();
            answer(Output::Named(vec![
                ("flatten", IntTuple::flat(tuple.leaves()).into()),
                ("rank", tuple.rank().into()),
                ("length", tuple.leaves().len().into()),
                ("size", S.size().into()),
                ("depth", tuple.depth().into()),
                ("profile", tuple.map(|_| 0).into()),
                ("modes", Output::List(modes)),
            ]))
        })],
        lean: &[
            "Razorgirl.HTuple.flatten",
            "Razorgirl.HTuple.rank",
            "Razorgirl.HTuple.length",
            "Razorgirl.IntTuple.size",
            "Razorgirl.HTuple.depth",
            "Razorgirl.HTuple.profile",
            "Razorgirl.HTuple.children",
        ],
        example: (
            &["((2,3),4)"],
            "flatten (2,3,4), rank 2, length 3, size 24, depth 2, profile ((0,0),0), modes ((2,3),4)",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "nested_refines",
        meaning: "whether Sprime has, in place of each entry of S, the same entry or a tuple with that product",
        notes: "as `refines`",
        forms: &[form!(_; Sprime: Shape, S: Shape => answer(Sprime.refines(S)))],
        lean: &["Razorgirl.IntTuple.refines"],
        example: (&["((2,3),4)", "(6,4)"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "nested_relative",
        meaning: "for each entry the tuple that refines it, and for each leaf of the refinement the entry that it belongs to",
        notes: "entries are counted from 1",
        forms: &[form!(_; Sprime: Shape, S: Shape => {
            let parts = relative(Sprime, S)?;
            let modes: Vec<Output> = parts.modes.into_iter().map(Output::from).collect();
            answer(Output::Named(vec![("relative_flattening", Output::List(modes)), ("underlying_map", parts.map.into())]))
        })],
        lean: &["Razorgirl.Category.relative"],
        example: (&["((3,(2,4)),6)", "((3,8),6)"], "relative_flattening (3,(2,4),6), underlying_map (1,2,2,3)"),
        ..Op::PLAIN
    },
    Op {
        name: "nullify_trivial_strides",
        meaning: "the layout with stride 0 in each mode of extent 1",
        forms: &[form!(_; L: Written => answer(L.nullify_trivial_strides()))],
        lean: &["Razorgirl.Category.nullifyTrivialStrides"],
        example: (&["(1,4):(7,2)"], "(1,4):(0,2)"),
        ..Op::PLAIN
    },
    Op {
        name: "sort_flat_layout",
        meaning: "the modes of a flat layout sorted by stride and extent, and the place that each had before",
        notes: "places are counted from 1; strides of modes of extent 1 matter",
        forms: &[form!(_; L: Written => {
            let (layout, permutation) = L.sort_flat()?;
            answer(Output::Named(vec![("layout", layout.into()), ("permutation", permutation.into())]))
        })],
        lean: &["Razorgirl.Category.sortFlat"],
        example: (&["(4,5,1):(3,8,6)"], "layout (4,1,5):(3,6,8), permutation (1,3,2)"),
        ..Op::PLAIN
    },
];
