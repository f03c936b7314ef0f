//! Triton's encodings as linear layouts.

use crate::ops::answer;
use crate::table::{Op, form};
use razorgirl::linear_layout::encodings::{self, MmaVersion};

pub(in crate::ops) const ROWS: &[Op] = &[
    Op {
        name: "encoding_blocked",
        meaning: "Triton's blocked encoding of a tensor",
        notes: "sizes per thread, threads per warp, warps; the order names the fastest dimension first; register bases that become \
                zero, because the shape is smaller than the tile of a thread, are removed as in Triton 3.9; with keep_zero_bases \
                true they are kept, as in Triton 3.6 to 3.8",
        forms: &[
            form!(_; sizes: Sizes, threads: Sizes, warps: Sizes, order: Places, shape: Sizes =>
                answer(encodings::blocked(sizes, threads, warps, order, shape, false)?)),
            form!(_; sizes: Sizes, threads: Sizes, warps: Sizes, order: Places, shape: Sizes, keep_zero_bases: Truth =>
                answer(encodings::blocked(sizes, threads, warps, order, shape, *keep_zero_bases)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.blocked"],
        example: (
            &["(1,2)", "(2,2)", "(1,1)", "(1,0)", "(2,4)"],
            r#"{"in":[["register",[[0,1]]],["lane",[[0,2],[1,0]]],["warp",[]],["block",[]]],"out":[["dim0",2],["dim1",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_dot_blocked",
        meaning: "an operand of a dot product by fused multiply-add over a blocked encoding",
        notes: "operand 0 or 1; each thread has all of K",
        forms: &[
            form!(_; operand: Rank, sizes: Sizes, threads: Sizes, warps: Sizes, order: Places, shape: Sizes => answer(encodings::dot_blocked(*operand, sizes, threads, warps, order, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.dotBlocked"],
        example: (
            &["0", "(1,1)", "(2,2)", "(1,1)", "(1,0)", "(2,4)"],
            r#"{"in":[["register",[[0,1],[0,2]]],["lane",[[0,0],[1,0]]],["warp",[]],["block",[]]],"out":[["dim0",2],["dim1",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_dot_mma_v2",
        meaning: "an operand of mma version 2, with `width` adjacent elements along K in each lane",
        notes: "operand 0 is A, 1 is B",
        forms: &[
            form!(_; operand: Rank, width: Pow2, warps: Sizes, instruction: Sizes, shape: Sizes => answer(encodings::dot_mma(MmaVersion::V2, *operand, *width, warps, instruction, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.dotMma"],
        example: (
            &["1", "2", "(1,1)", "(16,8)", "(16,8)"],
            r#"{"in":[["register",[[1,0],[8,0]]],["lane",[[2,0],[4,0],[0,1],[0,2],[0,4]]],["warp",[]],["block",[]]],"out":[["dim0",16],["dim1",8]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_dot_mma_v3",
        meaning: "operand A of mma version 3",
        notes: "operand 0; the instruction is M, N, K",
        forms: &[
            form!(_; operand: Rank, width: Pow2, warps: Sizes, instruction: Sizes, shape: Sizes => answer(encodings::dot_mma(MmaVersion::V3, *operand, *width, warps, instruction, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.dotMma"],
        example: (
            &["0", "2", "(1,1)", "(16,8,16)", "(16,16)"],
            r#"{"in":[["register",[[0,1],[8,0],[0,8]]],["lane",[[0,2],[0,4],[1,0],[2,0],[4,0]]],["warp",[]],["block",[]]],"out":[["dim0",16],["dim1",16]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_mma_v2",
        meaning: "the accumulator of mma version 2",
        forms: &[
            form!(_; warps: Sizes, instruction: Sizes, shape: Sizes => answer(encodings::mma_v2(warps, instruction, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.mmaV2"],
        example: (
            &["(1,1)", "(16,8)", "(16,16)"],
            r#"{"in":[["register",[[0,1],[8,0],[0,8]]],["lane",[[0,2],[0,4],[1,0],[2,0],[4,0]]],["warp",[]],["block",[]]],"out":[["dim0",16],["dim1",16]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_mma_v3",
        meaning: "the accumulator of mma version 3",
        notes: "the instruction is M, N, K",
        forms: &[
            form!(_; warps: Sizes, instruction: Sizes, shape: Sizes => answer(encodings::mma_v3(warps, instruction, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.mmaV3"],
        example: (
            &["(1,1)", "(16,8,16)", "(16,16)"],
            r#"{"in":[["register",[[0,1],[8,0],[0,8]]],["lane",[[0,2],[0,4],[1,0],[2,0],[4,0]]],["warp",[]],["block",[]]],"out":[["dim0",16],["dim1",16]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_nvmma_shared",
        meaning: "shared memory for matrix instructions, with rows of this many bytes, swizzled",
        notes: "bytes 0, 32, 64 or 128; bits 8, 16 or 32; an error if the matrix is smaller than 8 rows of the swizzle",
        forms: &[
            form!(_; bytes: Index, bits: Index, transposed: Truth, shape: Sizes => answer(encodings::nvmma_shared(*bytes, *bits, *transposed, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.nvmmaShared"],
        example: (
            &["32", "16", "false", "(8,16)"],
            r#"{"in":[["offset",[[0,1],[0,2],[0,4],[0,8],[1,0],[2,0],[4,8]]],["block",[]]],"out":[["dim0",8],["dim1",16]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_slice_blocked",
        meaning: "the slice of a blocked encoding along a dimension",
        notes: "the shape is the shape of the tensor, without this dimension",
        forms: &[
            form!(_; dim: Rank, sizes: Sizes, threads: Sizes, warps: Sizes, order: Places, shape: Sizes => answer(encodings::slice_blocked(*dim, sizes, threads, warps, order, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.sliceBlocked"],
        example: (
            &["0", "(1,2)", "(2,2)", "(1,1)", "(1,0)", "(4)"],
            r#"{"in":[["register",[[1]]],["lane",[[2],[0]]],["warp",[]],["block",[]]],"out":[["dim0",4]]}"#,
        ),
        ..Op::PLAIN
    },
    Op {
        name: "encoding_swizzled_shared",
        meaning: "swizzled shared memory",
        notes: "in row r the column is XORed with vec * (r / per_phase mod max_phase)",
        forms: &[
            form!(_; vec: Pow2, per_phase: Pow2, max_phase: Pow2, order: Places, shape: Sizes => answer(encodings::swizzled_shared(*vec, *per_phase, *max_phase, order, shape)?)),
        ],
        lean: &["Razorgirl.LinearLayout.Encoding.swizzledShared"],
        example: (
            &["1", "1", "4", "(1,0)", "(4,4)"],
            r#"{"in":[["offset",[[0,1],[0,2],[1,1],[2,2]]],["block",[]]],"out":[["dim0",4],["dim1",4]]}"#,
        ),
        ..Op::PLAIN
    },
];
