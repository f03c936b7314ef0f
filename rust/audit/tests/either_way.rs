//! What is wrong whichever side of an `#if` is compiled, and whichever kernel a launch chooses; and what is right on one of them.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A slice of a copy by eight times as many threads as it has rows.
fn work(rows: &str) -> String {
    format!(
        "auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<Int<{rows}>,_8>, Stride<_8,_1>>{{}}, \
         Layout<Shape<_1,_8>>{{}}); auto t = copy.get_slice(threadIdx.x); \
         Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<Int<{rows}>,_64>, Stride<_64,_1>>{{}}); clear(t.partition_D(g));"
    )
}

/// Threads of which each side of the kernel slices, and blocks around them: an error where the block is too small for all of them.
const SIDES: [(u64, u64); 4] = [(16, 32), (32, 16), (16, 16), (32, 64)];
const BLOCKS: [u64; 5] = [32, 64, 127, 128, 512];

/// Too few threads for the slices on each side.
fn short(sides: (u64, u64), block: u64) -> Vec<Code> {
    if block < 8 * sides.0.min(sides.1) { vec![Code::BlockThreads] } else { Vec::new() }
}

fn for_each(text: impl Fn(u64, u64, u64) -> String) {
    for sides in SIDES {
        // As many as one side has threads, and around that.
        for block in BLOCKS.into_iter().chain([8 * sides.0, 8 * sides.1]) {
            let text = text(sides.0, sides.1, block);
            let mut found = codes(&text);
            // Threads beyond the slices are another matter.
            found.retain(|code| *code != Code::BlockBeyond);
            assert_eq!(found, short(sides, block), "{text}");
        }
    }
}

#[test]
fn slices_on_both_sides() {
    for_each(|a, b, block| {
        format!(
            "__global__ void k(half_t* p) {{\n#if __CUDA_ARCH__ >= 800\n {}\n#else\n {}\n#endif\n}}\nvoid run(half_t* p) {{ k<<<1, {block}>>>(p); }}",
            work(&a.to_string()),
            work(&b.to_string())
        )
    });
}

#[test]
fn types_of_a_class_and_of_a_file() {
    for (open, close) in [("struct T {", "};"), ("namespace T {", "}")] {
        for_each(|a, b, block| {
            format!(
                "{open}\n#if __CUDA_ARCH__ >= 800\n using Rows = Int<{a}>;\n#else\n using Rows = Int<{b}>;\n#endif\n{close}\n\
                 __global__ void k(half_t* p) {{ {} }}\nvoid run(half_t* p) {{ k<<<1, {block}>>>(p); }}",
                work("8").replace("Int<8>", "T::Rows")
            )
        });
    }
}

/// The nearest declaration is not meant alone: it stands on one side.
#[test]
fn variables_of_a_function() {
    let threads = |rows: u64| format!("using Threads = Layout<Shape<Int<{rows}>,_8>, Stride<_8,_1>>;");
    let body = work("64").replace("Layout<Shape<Int<64>,_8>, Stride<_8,_1>>", "Threads");
    for_each(|a, b, block| {
        format!(
            "__global__ void k(half_t* p) {{\n#ifdef WIDE\n {}\n#else\n {}\n#endif\n{body}\n}}\nvoid run(half_t* p) {{ k<<<1, {block}>>>(p); }}",
            threads(a),
            threads(b)
        )
    });
    // On its own side, a declaration is meant alone.
    for_each(|a, b, block| {
        format!(
            "__global__ void k(half_t* p) {{\n#ifdef WIDE\n {} {body}\n#else\n {} {body}\n#endif\n}}\nvoid run(half_t* p) {{ k<<<1, {block}>>>(p); }}",
            threads(a),
            threads(b)
        )
    });
}

/// Conditions that do not go together: each combination of their sides counts.
#[test]
fn several_conditions() {
    let text = |first: [u64; 2], second: [u64; 2], block: u64| {
        codes(&format!(
            "struct T {{\n#if A\n static constexpr int kRows = {};\n#else\n static constexpr int kRows = {};\n#endif\n\
             #ifdef B\n static constexpr int kTimes = {};\n#else\n static constexpr int kTimes = {};\n#endif\n}};\n\
             __global__ void k(half_t* p) {{ {} }}\nvoid run(half_t* p) {{ k<<<1, {block}>>>(p); }}",
            first[0],
            first[1],
            second[0],
            second[1],
            work("T::kRows * T::kTimes")
        ))
    };
    assert_eq!(text([16, 32], [1, 2], 64), [Code::BlockThreads]);
    // 16 rows of each alone are enough for 128 threads, and so is the first side of one with the second of the other.
    assert!(text([16, 32], [1, 2], 128).is_empty());
    assert!(text([32, 16], [1, 2], 128).is_empty());
    assert_eq!(text([32, 64], [1, 2], 128), [Code::BlockThreads]);
}

#[test]
fn atoms_of_a_tiled_mma() {
    let text = |tile: &str| {
        codes(&format!(
            "struct T {{\n#if __CUDA_ARCH__ >= 800\n using A = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;\n#else\n \
             using A = MMA_Atom<SM75_16x8x8_F32F16F16F32_TN>;\n#endif\n using M = TiledMMA<A, Layout<Shape<_4,_1,_1>>, Tile<{tile},_16,_16>>;\n}};"
        ))
    };
    assert_eq!(text("_40"), [Code::MmaTile]);
    assert!(text("_64").is_empty());
    // A template, for what it is instantiated with; and K = 8 is a whole number of the one atom alone.
    let template = |tile: &str, depth: &str| {
        codes(&format!(
            "template <int N> struct T {{\n#if __CUDA_ARCH__ >= 800\n using A = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;\n#else\n \
             using A = MMA_Atom<SM75_16x8x8_F32F16F16F32_TN>;\n#endif\n\
             using M = TiledMMA<A, Layout<Shape<Int<N>,_1,_1>>, Tile<{tile},_16,{depth}>>;\n}};\nT<4>::M m;"
        ))
    };
    assert_eq!(template("Int<24 * N>", "_16"), [Code::MmaTile]);
    assert!(template("Int<16 * N>", "_16").is_empty());
    assert!(template("Int<16 * N>", "_8").is_empty());
}

/// A kernel for 128 and one for 256 threads, and how a launch says which it is.
fn chosen(launch: &str, block: &str) -> Vec<Code> {
    let mut found = codes(&format!(
        "using Fn = void (*)(half_t*);\ntemplate <bool B> __global__ void k(half_t* p) {{ {} }}\nvoid run(half_t* p, int flag) {{ {} }}",
        work("B ? 16 : 32"),
        launch.replace('@', block)
    ));
    found.retain(|code| *code != Code::BlockBeyond);
    found
}

#[test]
fn kernels_that_a_launch_chooses() {
    for launch in [
        "auto kernel = flag ? &k<true> : &k<false>; kernel<<<1, @>>>(p);",
        "auto kernel = flag ? k<true> : k<false>; kernel<<<1, @>>>(p);",
        "(flag ? k<true> : k<false>)<<<1, @>>>(p);",
        "void (*kernel)(half_t*) = flag ? &k<true> : &k<false>; kernel<<<1, @>>>(p);",
        "const auto* kernel = flag ? &k<true> : &k<false>; kernel<<<1, @>>>(p);",
        "auto kernel = flag == 1 ? &k<true> : flag == 2 ? &k<false> : &k<true>; kernel<<<1, @>>>(p);",
        "static constexpr void (*table[])(half_t*) = {&k<true>, &k<false>}; table[flag]<<<1, @>>>(p);",
        "static constexpr Fn table[] = {&k<true>, &k<false>}; table[flag]<<<1, @>>>(p);",
        "const Fn table[2] = {k<true>, k<false>}; auto kernel = table[flag]; kernel<<<1, @>>>(p);",
        "// kernel = other;\n auto kernel = flag ? &k<true> : &k<false>; kernel<<<1, @>>>(p);",
    ] {
        for (block, wrong) in [("1056", true), ("64", true), ("127", true), ("128", false), ("256", false)] {
            let expected = if wrong { vec![Code::BlockThreads] } else { Vec::new() };
            assert_eq!(chosen(launch, block), expected, "{launch} {block}");
        }
        // More shared memory than there is.
        assert_eq!(chosen(launch, "128, 300000"), [Code::BlockThreads], "{launch}");
    }
    for launch in [
        // Each with its own block, or another kernel.
        "auto kernel = flag ? &k<true> : &k<false>; kernel<<<1, flag ? 128 : 256>>>(p);",
        "auto kernel = flag ? &k<true> : &k<false>; kernel = other; kernel<<<1, 64>>>(p);",
        "auto kernel = flag ? &k<true> : other; kernel<<<1, 64>>>(p);",
        "auto kernel = flag ? &k<true> : pick(flag); kernel<<<1, 64>>>(p);",
        "void (*kernel)(half_t*) = flag ? &k<true> : &k<false>; if (flag) kernel = &other<true>; kernel<<<1, 64>>>(p);",
        "Fn table[] = {&k<true>, &k<false>}; fill(table); table[flag]<<<1, 64>>>(p);",
        "static constexpr Fn table[] = {&k<true>, other}; table[flag]<<<1, 64>>>(p);",
    ] {
        assert!(chosen(launch, "").is_empty(), "{launch}");
    }
    // More than 48 KiB: whoever names the kernels may allow them that.
    assert!(chosen("auto kernel = flag ? &k<true> : &k<false>; kernel<<<1, @>>>(p);", "128, 65536").is_empty());
}
