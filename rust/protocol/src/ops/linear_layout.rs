//! Linear layouts: F2-linear maps between named dimensions.

use crate::answer::Output;
use crate::code::{Code, Refusal};
use crate::ops::answer;
use crate::table::{MAX_OFFSETS, Op, Outcome, form};
use razorgirl::LinearLayout;
use razorgirl::linear_layout::swizzled_of_columns;

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "linear_apply",
        meaning: "the images of points",
        notes: "each point has one coordinate for each input dimension and no other; coordinates are taken modulo the size of the \
                dimension; points times output dimensions at most 2^20",
        forms: &[form!(_; L: Linear, points: Points => images(L, points))],
        lean: &["Razorgirl.LinearLayout.applyTo"],
        example: (
            &[r#"{"in":[["o",[[0,1],[0,2],[1,1],[2,2]]]],"out":[["row",4],["col",4]]}"#, r#"[{"o":13}]"#],
            r#"[{"row":3,"col":2}]"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_compose",
        meaning: "the layout B after A",
        notes: "the inputs of B must have the names of the outputs of A, in any order, and must not be smaller",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.compose(B)?))],
        lean: &["Razorgirl.LinearLayout.compose"],
        example: (
            &[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, r#"{"in":[["x",[[2],[1]]]],"out":[["y",4]]}"#],
            r#"{"in":[["r",[[2]]]],"out":[["y",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_concat_ins",
        meaning: "the inputs of both side by side",
        notes: "the image is the exclusive or of both images; the outputs must be equal, the inputs disjoint",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.concat_ins(B)?))],
        lean: &["Razorgirl.LinearLayout.concatIns"],
        example: (
            &[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, r#"{"in":[["l",[[1]]]],"out":[["x",2]]}"#],
            r#"{"in":[["r",[[1]]],["l",[[1]]]],"out":[["x",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_concat_outs",
        meaning: "the outputs of both side by side",
        notes: "the inputs must be equal, the outputs disjoint",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.concat_outs(B)?))],
        lean: &["Razorgirl.LinearLayout.concatOuts"],
        example: (
            &[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, r#"{"in":[["r",[[3]]]],"out":[["y",4]]}"#],
            r#"{"in":[["r",[[1,3]]]],"out":[["x",2],["y",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_contiguous_along",
        meaning: "how many elements are contiguous along an output dimension, regardless of the other outputs",
        notes: "a power of two",
        forms: &[form!(_; L: Linear, d: Dim => answer(1_u64 << L.contiguous_bits(d)?))],
        lean: &["Razorgirl.LinearLayout.contiguousBits"],
        example: (&[r#"{"in":[["o",[[0,1],[0,2],[1,1],[2,2]]]],"out":[["row",4],["col",4]]}"#, "col"], "4"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_divide_left",
        meaning: "the layout C over the dimensions of A with A = B * C, if there is one",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.divide_left(B)))],
        lean: &["Razorgirl.LinearLayout.divideLeft"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#, r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#],
            r#"{"in":[["r",[]],["l",[[1],[2]]]],"out":[["x",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_divide_right",
        meaning: "the layout C over the dimensions of A with A = C * B, if there is one",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.divide_right(B)))],
        lean: &["Razorgirl.LinearLayout.divideRight"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#, r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#],
            r#"{"in":[["r",[[1]]],["l",[]]],"out":[["x",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_ensure_not_larger",
        meaning: "the layout with no output dimension larger than these sizes",
        notes: "a component that does not fit becomes 0; bases of `register` that this made 0 are dropped unless `broadcast`",
        forms: &[form!(_; L: Linear, sizes: Dims, broadcast: Truth => answer(L.ensure_not_larger(sizes, *broadcast)?))],
        lean: &["Razorgirl.LinearLayout.ensureNotLarger"],
        example: (
            &[r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#, r#"[["x",2]]"#, "true"],
            r#"{"in":[["l",[[1],[0]]]],"out":[["x",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_ensure_not_smaller",
        meaning: "the layout with no output dimension smaller than these sizes",
        notes: "missing bits are appended to the first input dimension, which must exist",
        forms: &[form!(_; L: Linear, sizes: Dims => answer(L.ensure_not_smaller(sizes)?))],
        lean: &["Razorgirl.LinearLayout.ensureNotSmaller"],
        example: (
            &[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, r#"[["x",8]]"#],
            r#"{"in":[["r",[[1],[2],[4]]]],"out":[["x",8]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_eq",
        meaning: "whether both have the same dimensions in the same order, and the same bases",
        forms: &[form!(_; A: Linear, B: Linear => answer(A == B))],
        lean: &["Razorgirl.LinearLayout"],
        example: (&[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#], "false"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_flatten_ins",
        meaning: "the input dimensions as one, named after the first",
        forms: &[form!(_; L: Linear => answer(L.flatten_ins()))],
        lean: &["Razorgirl.LinearLayout.flattenIns"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#],
            r#"{"in":[["r",[[1],[2],[4]]]],"out":[["x",8]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_flatten_outs",
        meaning: "the output dimensions as one, named after the first",
        forms: &[form!(_; L: Linear => answer(L.flatten_outs()))],
        lean: &["Razorgirl.LinearLayout.flattenOuts"],
        example: (
            &[r#"{"in":[["o",[[0,1],[0,2],[1,1],[2,2]]]],"out":[["row",4],["col",4]]}"#],
            r#"{"in":[["o",[[4],[8],[5],[10]]]],"out":[["row",16]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_free_variable_masks",
        meaning: "for each input dimension the mask of the bits whose bases depend on earlier ones",
        forms: &[form!(_; L: Linear => answer(Output::Dims(L.free_variable_masks())))],
        lean: &["Razorgirl.LinearLayout.freeVariableMasks"],
        example: (&[r#"{"in":[["r",[[1]]],["l",[[1],[2]]]],"out":[["x",4]]}"#], r#"[["r",0],["l",1]]"#),
        ..Op::PLAIN
    },
    Op {
        name: "linear_from_bases_inferred",
        meaning: "the layout whose output dimensions have just the bits that its bases need, if that is surjective",
        forms: &[form!(_; bases: Bases, outs: Names => answer(LinearLayout::from_bases(bases, outs)?))],
        lean: &["Razorgirl.LinearLayout.fromBases"],
        example: (&[r#"[["r",[[2],[1]]]]"#, r#"["x"]"#], r#"{"in":[["r",[[2],[1]]]],"out":[["x",4]]}"#),
        ..Op::PLAIN
    },
    Op {
        name: "linear_get_reps",
        meaning: "the repetitions of a tile: L with the bases of the tile set to 0",
        notes: "`null` if the bases of the tile are not the first bases of each input, or another basis changes an output bit of the tile",
        forms: &[form!(_; L: Linear, tile: Linear => answer(L.reps_of(tile)?))],
        lean: &["Razorgirl.LinearLayout.repsOf"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#, r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#],
            r#"{"in":[["r",[[0]]],["l",[[2],[4]]]],"out":[["x",8]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_invert",
        meaning: "the two-sided inverse of L, if it exists",
        forms: &[form!(_; L: Linear => answer(L.invert()))],
        lean: &["Razorgirl.LinearLayout.invert"],
        example: (
            &[r#"{"in":[["o",[[0,1],[0,2],[1,1],[2,2]]]],"out":[["row",4],["col",4]]}"#],
            r#"{"in":[["row",[[5],[10]]],["col",[[1],[2]]]],"out":[["o",16]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_invert_and_compose",
        meaning: "the layout C with A after C equal to B",
        notes: "the identity on dimensions on which both agree and which do not depend on the others, elsewhere the least solution; \
                `null` if there is no solution",
        forms: &[form!(_; B: Linear, A: Linear => answer(B.invert_and_compose(A)?))],
        lean: &["Razorgirl.LinearLayout.invertAndCompose"],
        example: (
            &[r#"{"in":[["r",[[2]]]],"out":[["x",4]]}"#, r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#],
            r#"{"in":[["r",[[2]]]],"out":[["l",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_is_identity_on_out_dim",
        meaning: "whether the input and the output dimension of that name have the same size, and the output equals the input",
        notes: "the input may change other outputs",
        forms: &[form!(_; L: Linear, d: Dim => answer(L.is_identity_on_out_dim(d)))],
        lean: &["Razorgirl.LinearLayout.isIdentityOnOutDim"],
        example: (&[r#"{"in":[["r",[[1,0]]],["l",[[0,1]]]],"out":[["r",2],["l",2]]}"#, "r"], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_is_trivial_over",
        meaning: "whether the layout is the identity on these dimensions, independently of the others",
        forms: &[form!(_; L: Linear, names: Names => answer(L.is_trivial_over(names)?))],
        lean: &["Razorgirl.LinearLayout.isTrivialOver"],
        example: (&[r#"{"in":[["r",[[1,0]]],["l",[[0,1]]]],"out":[["r",2],["l",2]]}"#, r#"["r"]"#], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_lstsq",
        meaning: "the layout X with A after X equal to B; each basis is the least solution",
        notes: "`null` if there is no solution, the names of the outputs differ, or an output of B is larger than that of A",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.least_squares(B)))],
        lean: &["Razorgirl.LinearLayout.leastSquares"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[1],[2]]]],"out":[["x",4]]}"#, r#"{"in":[["u",[[3]]]],"out":[["x",4]]}"#],
            r#"{"in":[["u",[[1,2]]]],"out":[["r",2],["l",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_matrix",
        meaning: "the matrix: a row for each output bit, an entry for each input bit",
        forms: &[form!(_; L: Linear => answer(Output::List(L.matrix().into_iter().map(Output::Naturals).collect())))],
        lean: &["Razorgirl.LinearLayout.matrix"],
        example: (
            &[r#"{"in":[["o",[[0,1],[0,2],[1,1],[2,2]]]],"out":[["row",4],["col",4]]}"#],
            "((0,0,1,0),(0,0,0,1),(1,0,1,0),(0,1,0,1))",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_mul",
        meaning: "the direct sum by name: A gives the low bits of each dimension, B the high bits",
        notes: "shared names must be in the same order in both",
        forms: &[form!(_; A: Linear, B: Linear => answer(A.product(B)?))],
        lean: &["Razorgirl.LinearLayout.product"],
        example: (
            &[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#],
            r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_num_consecutive",
        meaning: "how many leading values of the first input map to the same values of the first output, whose low bits no other basis \
                changes",
        notes: "a power of two",
        forms: &[form!(_; L: Linear => answer(1_u64 << L.consecutive_bits()))],
        lean: &["Razorgirl.LinearLayout.consecutiveBits"],
        example: (&[r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#], "2"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_predicates",
        meaning: "whether the layout is surjective, injective, and bijective",
        notes: r#"`{"surjective":bool,"injective":bool,"invertible":bool}`"#,
        forms: &[form!(_; L: Linear => answer(Output::Named(vec![
            ("surjective", L.is_surjective().into()),
            ("injective", L.is_injective().into()),
            ("invertible", L.is_invertible().into()),
        ])))],
        lean: &[
            "Razorgirl.LinearLayout.isSurjective",
            "Razorgirl.LinearLayout.isInjective",
            "Razorgirl.LinearLayout.isInvertible",
        ],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[1],[2]]]],"out":[["x",4]]}"#],
            "surjective true, injective false, invertible false",
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_pseudoinvert",
        meaning: "the layout that maps each output point to its least preimage, if L is surjective",
        notes: "inputs are packed first dimension lowest",
        forms: &[form!(_; L: Linear => answer(L.pseudoinvert()))],
        lean: &["Razorgirl.LinearLayout.pseudoinvert"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[1],[2]]]],"out":[["x",4]]}"#],
            r#"{"in":[["x",[[1,0],[0,2]]]],"out":[["r",2],["l",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_quotient",
        meaning: "the layout of the other dimensions, if L is trivial over these",
        forms: &[form!(_; L: Linear, names: Names => answer(L.quotient(names)?))],
        lean: &["Razorgirl.LinearLayout.quotient"],
        example: (
            &[r#"{"in":[["r",[[1,0]]],["l",[[0,1]]]],"out":[["r",2],["l",2]]}"#, r#"["r"]"#],
            r#"{"in":[["l",[[1]]]],"out":[["l",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_remove_zero_bases",
        meaning: "L without the zero bases of an input dimension",
        forms: &[form!(_; L: Linear, d: Dim => answer(L.remove_zero_bases(d)?))],
        lean: &["Razorgirl.LinearLayout.removeZeroBases"],
        example: (&[r#"{"in":[["r",[[0],[1]]]],"out":[["x",2]]}"#, "r"], r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#),
        ..Op::PLAIN
    },
    Op {
        name: "linear_reshape_ins",
        meaning: "L with other input dimensions of the same total size",
        notes: "the packed point does not change",
        forms: &[form!(_; L: Linear, dims: Dims => answer(L.reshape_ins(dims.clone())?))],
        lean: &["Razorgirl.LinearLayout.reshapeIns"],
        example: (
            &[r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#, r#"[["a",2],["b",2]]"#],
            r#"{"in":[["a",[[1]]],["b",[[2]]]],"out":[["x",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_reshape_outs",
        meaning: "L with other output dimensions of the same total size",
        notes: "the packed point does not change",
        forms: &[form!(_; L: Linear, dims: Dims => answer(L.reshape_outs(dims.clone())?))],
        lean: &["Razorgirl.LinearLayout.reshapeOuts"],
        example: (
            &[r#"{"in":[["l",[[1],[2]]]],"out":[["x",4]]}"#, r#"[["a",2],["b",2]]"#],
            r#"{"in":[["l",[[1,0],[0,1]]]],"out":[["a",2],["b",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_resize_in",
        meaning: "L with another size of an input dimension",
        notes: "new bits have basis 0",
        forms: &[form!(_; L: Linear, d: Dim, size: Pow2 => answer(L.resize_in(d, size.ilog2())?))],
        lean: &["Razorgirl.LinearLayout.resizeIn"],
        example: (
            &[r#"{"in":[["r",[[1]]]],"out":[["x",2]]}"#, "r", "4"],
            r#"{"in":[["r",[[1],[0]]]],"out":[["x",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_resize_out",
        meaning: "L with a smaller size of an output dimension",
        notes: "a component that does not fit becomes 0, which is not reduction modulo the size",
        forms: &[form!(_; L: Linear, d: Dim, size: Pow2 => answer(L.resize_out(d, size.ilog2())?))],
        lean: &["Razorgirl.LinearLayout.resizeOut"],
        example: (
            &[r#"{"in":[["r",[[1],[5],[2]]]],"out":[["x",8]]}"#, "x", "4"],
            r#"{"in":[["r",[[1],[0],[2]]]],"out":[["x",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_strided_1d",
        meaning: "one input dimension `i` and one output dimension `o`: o = i · stride",
        notes: "sizes must be powers of two; size 0 gives no dimensions",
        forms: &[
            form!(_; size: Index, stride: Index => answer(if *size == 0 { LinearLayout::empty() } else { LinearLayout::strided_1d(*size, *stride, "i", "o")? })),
        ],
        lean: &["Razorgirl.LinearLayout.strided1D"],
        example: (&["4", "2"], r#"{"in":[["i",[[2],[4]]]],"out":[["o",8]]}"#),
        ..Op::PLAIN
    },
    Op {
        name: "linear_sublayout",
        meaning: "L restricted to these input and output dimensions, in the order of L",
        notes: "the other inputs are fixed at 0",
        forms: &[form!(_; L: Linear, ins: Names, outs: Names => answer(L.sublayout(ins, outs)?))],
        lean: &["Razorgirl.LinearLayout.sublayout"],
        example: (
            &[r#"{"in":[["r",[[1,0]]],["l",[[0,1]]]],"out":[["r",2],["l",2]]}"#, r#"["r"]"#, r#"["r"]"#],
            r#"{"in":[["r",[[1]]]],"out":[["r",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_sublayout_is_zero",
        meaning: "whether these outputs do not depend on these inputs",
        forms: &[form!(_; L: Linear, ins: Names, outs: Names => answer(L.sublayout_is_zero(ins, outs)?))],
        lean: &["Razorgirl.LinearLayout.sublayoutIsZero"],
        example: (&[r#"{"in":[["r",[[1,0]]],["l",[[0,1]]]],"out":[["r",2],["l",2]]}"#, r#"["r"]"#, r#"["l"]"#], "true"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_to_swizzled",
        meaning: "the swizzled layout that equals L, if there is one",
        notes: "from packed inputs to packed outputs, first dimension lowest; the layout is coalesced; the fewest bits, then the \
                least M and |S|, S above 0 before S below 0",
        forms: &[form!(_; L: Linear => answer(swizzled_of_columns(L.columns())))],
        lean: &["Razorgirl.LinearLayout.swizzledOfColumns"],
        example: (&[r#"{"in":[["i",[[1],[2],[5],[10]]]],"out":[["o",16]]}"#], "Sw<2,0,2> o 0 o 16:1"),
        ..Op::PLAIN
    },
    Op {
        name: "linear_transpose_ins",
        meaning: "the input dimensions in another order",
        forms: &[form!(_; L: Linear, names: Names => answer(L.transpose_ins(names)?))],
        lean: &["Razorgirl.LinearLayout.transposeIns"],
        example: (
            &[r#"{"in":[["r",[[1]]],["l",[[2],[4]]]],"out":[["x",8]]}"#, r#"["l","r"]"#],
            r#"{"in":[["l",[[2],[4]]],["r",[[1]]]],"out":[["x",8]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_transpose_outs",
        meaning: "the output dimensions in another order",
        forms: &[form!(_; L: Linear, names: Names => answer(L.transpose_outs(names)?))],
        lean: &["Razorgirl.LinearLayout.transposeOuts"],
        example: (
            &[r#"{"in":[["r",[[1,0]]],["l",[[0,1]]]],"out":[["r",2],["l",2]]}"#, r#"["l","r"]"#],
            r#"{"in":[["r",[[0,1]]],["l",[[1,0]]]],"out":[["l",2],["r",2]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "linear_zeros_1d",
        meaning: "one input dimension `i` and one output dimension `o`: o = 0",
        notes: "sizes must be powers of two; size 0 gives no dimensions",
        forms: &[
            form!(_; size: Index, outs: Index => answer(if *size == 0 { LinearLayout::empty() } else { LinearLayout::zeros_1d(*size, *outs, "i", "o")? })),
        ],
        lean: &["Razorgirl.LinearLayout.zeros1D"],
        example: (&["2", "4"], r#"{"in":[["i",[[0]]]],"out":[["o",4]]}"#),
        ..Op::PLAIN
    },
];

fn images(layout: &LinearLayout, points: &[Vec<(String, u64)>]) -> Outcome {
    let numbers = (points.len() as u64).saturating_mul(layout.outs().len() as u64);
    if numbers > MAX_OFFSETS {
        return Err(Refusal::new(Code::TooLarge, format!("{numbers} coordinates are more than {MAX_OFFSETS}"))
            .with_help("ask for fewer points at a time"));
    }
    let image = |point: &Vec<(String, u64)>| {
        let point: Vec<(&str, u64)> = point.iter().map(|(name, x)| (name.as_str(), *x)).collect();
        layout.apply(&point)
    };
    answer(Output::Points(points.iter().map(image).collect::<razorgirl::Result<_>>()?))
}
