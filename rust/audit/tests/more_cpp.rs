//! The same meaning in other words: functions in launches, functions of the device, alignments that are computed, macros that stand for types,
//! zeros that braces leave. What is wrong is found, and what only looks like it is left alone.

use razorgirl_audit::audit_sources;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::report::Report;
use razorgirl_audit::source::{Source, Sources};

fn report(text: &str) -> Report {
    let text = format!("#include <cute/tensor.hpp>\nusing namespace cute;\n{text}");
    let sources = Sources { files: vec![Source::new("kernel.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None)
}

fn findings(text: &str) -> Vec<Finding> {
    report(text).findings
}

fn codes(text: &str) -> Vec<Code> {
    let mut codes: Vec<Code> = findings(text).into_iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

/// A copy by 256 threads of a tile of 32 rows.
const COPY: &str = "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, \
                    Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{})";

/// What a kernel does with such a copy.
const WORK: &str = "Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _32>, Stride<_32, _1>>{}); \
                    auto d = c.get_slice(threadIdx.x).partition_D(g); fill(d, 0.f);";

#[test]
fn blocks_that_functions_return() {
    let kernel = format!("__global__ void k(float* p) {{ auto c = {COPY}; {WORK} }}");
    let text = |function: &str, launch: &str| format!("{kernel} {function} void run(float* p, int n) {{ {launch} }}");
    let threads = "constexpr int threads(int rows) { return rows >= 128 ? 256 : 128; }";
    for launch in [
        "k<<<1, threads(64)>>>(p);",
        "dim3 block(threads(64)); k<<<1, block>>>(p);",
        "cudaLaunchConfig_t cfg = {}; cfg.blockDim = dim3(threads(64), 1, 1); cudaLaunchKernelEx(&cfg, k, p);",
    ] {
        assert_eq!(codes(&text(threads, launch)), [Code::BlockThreads], "{launch}");
        assert!(codes(&text(threads, &launch.replace("64", "128"))).is_empty(), "{launch}");
        // Not known, not a constant, or another's.
        assert!(codes(&text(threads, &launch.replace("64", "n"))).is_empty(), "{launch}");
        assert!(codes(&text("int threads(int rows);", launch)).is_empty(), "{launch}");
        let two =
            "constexpr int threads(int rows) { return 128; } struct S { static int threads(int) { return 256; } };";
        let other = launch.replace("threads(64)", "S::threads(64)");
        assert!(codes(&text(two, &other)).is_empty(), "{other}");
    }
    // A block that something else may change is not known.
    let changed = "dim3 block(threads(64)); grow(block); k<<<1, block>>>(p);";
    assert!(codes(&text(&format!("{threads} void grow(dim3& b) {{ b.x = 256; }}"), changed)).is_empty());
}

#[test]
fn copies_that_functions_return() {
    let kernel = format!("template <class C> __global__ void k(float* p, C c) {{ {WORK} }}");
    let build = format!("auto build() {{ return {COPY}; }}");
    let text = |launch: &str| format!("{kernel} {build} void run(float* p, int n) {{ auto c = build(); {launch} }}");
    assert_eq!(codes(&text("k<<<1, 128>>>(p, c);")), [Code::BlockThreads]);
    assert!(codes(&text("k<<<1, 256>>>(p, c);")).is_empty());
    assert!(codes(&text("k<<<1, n>>>(p, c);")).is_empty());
    let args = "template <class C> struct Args { float* out; C copy; };";
    let kernel = "template <class C> __global__ void k(Args<C> args) { auto p = args.out; \
                  Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _32>, Stride<_32, _1>>{}); \
                  auto d = args.copy.get_slice(threadIdx.x).partition_D(g); fill(d, 0.f); }";
    let build = format!("auto build(float* p) {{ auto c = {COPY}; return Args<decltype(c)>{{p, c}}; }}");
    let text = |block: &str| {
        format!(
            "{args} {kernel} {build} void run(float* p) {{ auto a = build(p); dim3 b; b.x = {block}; k<<<1, b>>>(a); }}"
        )
    };
    assert_eq!(codes(&text("128")), [Code::BlockThreads]);
    assert!(codes(&text("256")).is_empty());
}

#[test]
fn functions_that_a_kernel_calls() {
    let body = format!("__device__ void body(float* p) {{ auto c = {COPY}; {WORK} }}");
    let text = |body: &str, kernel: &str, block: &str| {
        format!(
            "{body} __global__ void k(float* p, int n) {{ {kernel} }} void run(float* p) {{ k<<<1, {block}>>>(p, 1); }}"
        )
    };
    assert_eq!(codes(&text(&body, "body(p);", "128")), [Code::BlockThreads]);
    assert!(codes(&text(&body, "body(p);", "256")).is_empty());
    let macros = body.replace("__device__", "CUTE_DEVICE");
    assert_eq!(codes(&text(&macros, "body(p);", "128")), [Code::BlockThreads]);
    // Two functions deep, and a template.
    let deep = format!("{body} template <class T> __device__ void outer(T* p) {{ body(p); }}");
    assert_eq!(codes(&text(&deep, "outer(p);", "128")), [Code::BlockThreads]);
    // More threads than there is work for may be held back.
    assert!(codes(&text(&body, "body(p);", "512")).is_empty());
    // Called under a condition, not at all, for another kernel, or another function of that name.
    for kernel in ["if (blockDim.x == 256) body(p);", "if (n > 1) { body(p); }", "n += 1;", "while (n--) body(p);", ""]
    {
        assert!(codes(&text(&body, kernel, "128")).is_empty(), "{kernel}");
    }
    let other = format!("{body} __global__ void q(float* p) {{ body(p); }}");
    assert!(codes(&text(&other, "n += 1;", "128")).is_empty());
    let hidden = format!("namespace a {{ {body} }} __device__ void body(float* p) {{ p[0] = 0; }}");
    assert!(codes(&text(&hidden, "body(p);", "128")).is_empty());
    let host = body.replace("__device__ ", "");
    assert!(codes(&text(&host, "", "128")).is_empty());
    let early = "if (blockDim.x < 256) return; body(p);";
    assert!(codes(&text(&body, early, "128")).is_empty());
    // What the function itself asks first.
    for guard in ["if (blockDim.x < 256) return;", "if (p == nullptr) return;"] {
        let guarded = body.replace("body(float* p) {", &format!("body(float* p) {{ {guard}"));
        assert!(codes(&text(&guarded, "body(p);", "128")).is_empty(), "{guard}");
    }
    let inner = body.replace("body(float* p) {", "body(float* p) { if (blockDim.x > 128) {") + " }";
    assert!(codes(&text(&inner, "body(p);", "128")).is_empty());
    // By which thread is the caller's affair.
    let index = body.replace("float* p", "float* p, int t").replace("threadIdx.x", "t");
    assert!(codes(&text(&index, "body(p, threadIdx.x % 64);", "128")).is_empty());
}

#[test]
fn names_in_member_functions_are_those_of_the_class() {
    let text = |class: &str, rest: &str| {
        format!(
            "template <int W> struct G {{ static constexpr auto atoms() {{ return Layout<Shape<_2, _2, _1>, Stride<_1, Int<{class}>, _0>>{{}}; }} \
             static constexpr auto mma() {{ return make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{{}}, atoms()); }} }}; {rest}"
        )
    };
    let used = "using M = decltype(G<2>::mma()); M m;";
    assert_eq!(codes(&text("2 * W", used)), [Code::MmaThreads]);
    assert!(codes(&text("W", used)).is_empty());
    // A function outside of the class has the name as well, and is not meant.
    let outside = format!(
        "constexpr auto atoms() {{ return Layout<Shape<_2, _2, _1>, Stride<_1, _4, _0>>{{}}; }} {}",
        text("W", used)
    );
    assert!(codes(&outside).is_empty());
    // In no instance, nothing is known.
    assert!(codes(&text("2 * W", "")).is_empty());
}

fn storage(alignment: &str, more: &str) -> String {
    format!(
        "using LA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{{}}, Shape<_64, _64>{{}})); {more} \
         struct St {{ {alignment} cute::array_aligned<half_t, cosize_v<LA>> a; }};"
    )
}

#[test]
fn alignments_that_are_computed() {
    for alignment in [
        "alignas(sizeof(uint4))",
        "alignas(sizeof(cute::uint128_t))",
        "alignas(alignof(uint4))",
        "alignas(kAlign)",
        "alignas(kAlign * 2)",
        "CUTE_ALIGNAS(kAlign)",
        "alignas(4 * sizeof(float))",
    ] {
        let text = storage(alignment, "constexpr int kAlign = 16;");
        assert_eq!(codes(&text), [Code::Misaligned], "{alignment}");
    }
    for (alignment, more) in [
        ("alignas(kAlign)", "constexpr int kAlign = 1024;"),
        ("alignas(8 * sizeof(uint4))", ""),
        // Not known, or not decided.
        ("alignas(kAlign)", ""),
        ("alignas(sizeof(Unknown))", ""),
        ("alignas(sizeof(uint4)) alignas(kMore)", ""),
        ("alignas(sizeof(uint4)) alignas(128)", ""),
        ("alignas(f(16))", "constexpr int f(int n) { return 8 * n; }"),
    ] {
        assert!(codes(&storage(alignment, more)).is_empty(), "{alignment} {more}");
    }
    // A constant of the class that the array is part of.
    let inside = |bytes: &str| {
        format!(
            "template <class T> struct Main {{ using LA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{{}}, Shape<_64, _64>{{}})); \
             static constexpr size_t kAlign = {bytes}; struct Storage {{ alignas(kAlign) cute::ArrayEngine<T, cosize_v<LA>> a; }}; }}; \
             using M = Main<half_t>; M m;"
        )
    };
    assert_eq!(codes(&inside("sizeof(uint128_t)")), [Code::Misaligned]);
    assert!(codes(&inside("1024")).is_empty());
}

#[test]
fn slices_that_blocks_take() {
    let kernel = |stride: u64, slice: &str, by: &str| {
        format!(
            "__global__ void k(half_t* p, int n) {{ auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, \
             Layout<Shape<_16, _8>, Stride<_8, _1>>{{}}, Layout<Shape<_1, _8>>{{}}); \
             auto m = make_tensor(make_gmem_ptr(p), Shape<_16, _64, _4>{{}}, Stride<_64, _1, Int<{stride}>>{{}}); {slice} \
             auto d = c.get_slice(threadIdx.x).partition_D({by}); auto r = make_fragment_like(d); copy(c, r, d); }} void run(half_t* p) {{ k<<<dim3(4, 4, 4), 128>>>(p, 1); }}"
        )
    };
    // Of one block alone, or one among others, nothing is known.
    let wrong = kernel(1026, "", "m(_, _, blockIdx.z)");
    assert!(codes(&wrong.replace("dim3(4, 4, 4)", "dim3(4, 4, 1)")).is_empty());
    assert!(codes(&wrong.replace("dim3(4, 4, 4)", "4")).is_empty());
    assert!(codes(&kernel(1026, "if (blockIdx.x) return;", "m(_, _, blockIdx.x)")).is_empty());
    for (slice, by) in [
        ("", "m(_, _, blockIdx.x)"),
        ("auto s = m(_, _, blockIdx.z);", "s"),
        ("int b = blockIdx.y; auto s = m(_, _, b);", "s"),
        ("auto s = m(_, _, blockIdx.x);", "local_tile(s, Shape<_16, _64>{}, make_coord(0, 0))"),
    ] {
        assert_eq!(codes(&kernel(1026, slice, by)), [Code::Vectors], "{slice} {by}");
        assert!(codes(&kernel(1032, slice, by)).is_empty(), "{slice} {by}");
    }
    // A coordinate that may be a multiple of what makes it right, or is one.
    for (slice, by) in [
        ("", "m(_, _, 0)"),
        ("", "m(_, _, 4 * blockIdx.x)"),
        ("", "m(_, _, n)"),
        ("int b = blockIdx.y; b *= 4; auto s = m(_, _, b);", "s"),
        ("int blockIdx_x = n; auto s = m(_, _, blockIdx_x);", "s"),
    ] {
        assert!(codes(&kernel(1026, slice, by)).is_empty(), "{slice} {by}");
    }
}

/// Stores of C by 32 bits: rows of 128 bytes lie in the same banks, rows of 144 do not.
#[test]
fn copies_for_the_accumulator() {
    let text = |row: u64, atoms: &str, traits: &str| {
        format!(
            "{traits} __global__ void k(half_t* o) {{ __shared__ alignas(16) half_t b[64 * {row}]; \
             auto mma = make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{{}}, Layout<{atoms}>{{}}); \
             Tensor s = make_tensor(make_smem_ptr(b), Layout<Shape<_64, _64>, Stride<Int<{row}>, _1>>{{}}); \
             auto c = make_tiled_copy_C(Copy_Atom<UniversalCopy<uint32_t>, half_t>{{}}, mma); \
             auto d = c.get_slice(threadIdx.x).partition_D(s); auto r = make_fragment_like(d); copy(c, r, d); }}"
        )
    };
    assert_eq!(codes(&text(64, "Shape<_4, _1, _1>", "")), [Code::Banks]);
    assert!(codes(&text(72, "Shape<_4, _1, _1>", "")).is_empty());
    assert_eq!(codes(&text(64, "Shape<_2, _2, _1>", "")), [Code::Banks]);
    // Threads along K share C, and what they do is not followed.
    assert!(codes(&text(64, "Shape<_2, _1, _2>", "")).is_empty());
}

#[test]
fn members_of_an_instruction_by_its_name() {
    let layout = |of: &str| {
        let all = findings(&format!("using L = Layout<{of}, Stride<_1, _1, _1>>;"));
        all.first().map(|finding| finding.layout.clone())
    };
    let op = "SM80_16x8x16_F32F16F16F32_TN";
    assert_eq!(layout(&format!("typename MMA_Traits<{op}>::Shape_MNK")), Some("(16,8,16):(1,1,1)".to_owned()));
    assert_eq!(layout(&format!("typename MMA_Atom<{op}>::Shape_MNK")), Some("(16,8,16):(1,1,1)".to_owned()));
    assert_eq!(
        layout(&format!("typename TiledMMA<MMA_Atom<{op}>>::Atom::Shape_MNK")),
        Some("(16,8,16):(1,1,1)".to_owned())
    );
    assert_eq!(layout("typename MMA_Traits<SM80_Mine>::Shape_MNK"), None);
    // Traits among the files say it themselves.
    let own = format!(
        "template <class T> struct MMA_Traits; template <> struct MMA_Traits<{op}> {{ using Shape_MNK = Shape<_2, _2, _2>; }}; \
         using L = Layout<typename MMA_Traits<{op}>::Shape_MNK, Stride<_1, _1, _1>>;"
    );
    assert_eq!(findings(&own).first().map(|finding| finding.layout.clone()), Some("(2,2,2):(1,1,1)".to_owned()));
}

/// Whether a constant is known to be 8: rows of 8 elements are a distance of 4 apart.
fn is_eight(declarations: &str, constant: &str) -> bool {
    let text = format!("{declarations} using L = Layout<Shape<_2, Int<{constant}>>, Stride<_4, _1>>;");
    findings(&text).first().is_some_and(|finding| finding.layout == "(2,8):(4,1)")
}

#[test]
fn numbers_in_other_words() {
    for (declarations, constant) in [
        ("using N = std::integral_constant<int, 8>;", "N::value"),
        ("", "std::integral_constant<int, 8>::value"),
        ("struct N : Int<8> {};", "N::value"),
        ("template <int M> struct N : std::integral_constant<int, 2 * M> {};", "N<4>::value"),
        ("#define TWICE(n) ((n) * 2)\n", "TWICE(4)"),
        ("#define SUM(a, b) \\\n  ((a) + (b))\n", "SUM(3, 5)"),
        ("struct A { static constexpr int b = 80; };", "(std::conditional_t<A::b >= 80, Int<8>, Int<1>>::value)"),
    ] {
        assert!(is_eight(declarations, constant), "{declarations} {constant}");
    }
    for (declarations, constant) in [
        ("struct N : Int<8>, Int<4> {};", "N::value"),
        ("struct N : Int<8> { static constexpr int value = 2; };", "N::value"),
        ("struct A { static constexpr int b = 75; };", "(std::conditional_t<A::b >= 80, Int<8>, Int<1>>::value)"),
        // What comes apart where it is put, has other parameters, or is defined twice.
        ("#define TWICE(n) (n * 2)\n", "TWICE(3 + 1)"),
        ("#define TWICE(n) n * 2\n", "TWICE(4)"),
        ("#define TWICE(n, m) ((n) * 2)\n", "TWICE(4)"),
        (
            "namespace std { template <class T, T v> struct integral_constant { static constexpr T value = 3; }; }",
            "std::integral_constant<int, 8>::value",
        ),
    ] {
        assert!(!is_eight(declarations, constant), "{declarations} {constant}");
    }
}

#[test]
fn macros_that_stand_for_types() {
    let copy = |define: &str, threads: &str, values: &str| {
        format!(
            "{define}\nauto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, {threads}{{}}, {values}{{}});"
        )
    };
    let object = "#define THR Layout<Shape<_16, _8>, Stride<_8, _1>>";
    assert_eq!(codes(&copy(object, "THR", "Layout<Shape<_1, _4>>")), [Code::TiledCopy]);
    assert!(codes(&copy(object, "THR", "Layout<Shape<_1, _8>>")).is_empty());
    let function = "#define ROWS(M, N) cute::Layout<cute::Shape<cute::Int<M>, cute::Int<N>>, \\\n  cute::Stride<cute::Int<N>, cute::_1>>";
    assert_eq!(codes(&copy(function, "ROWS(16, 8)", "ROWS(1, 4)")), [Code::TiledCopy]);
    assert!(codes(&copy(function, "ROWS(16, 8)", "ROWS(1, 8)")).is_empty());
    // Another definition, or a type of that name in a function.
    let twice = format!("{object}\n#undef THR\n#define THR Layout<Shape<_16, _4>, Stride<_8, _1>>");
    assert!(codes(&copy(&twice, "THR", "Layout<Shape<_1, _8>>")).is_empty());
    // With each of the two it is wrong.
    assert_eq!(codes(&copy(&twice, "THR", "Layout<Shape<_1, _4>>")), [Code::TiledCopy]);
}

/// The least of two sizes counts what the one of the two counts that it is.
#[test]
fn the_least_of_bytes_and_elements() {
    let text = |constants: &str, value: &str| {
        format!(
            "constexpr int kElems = 8; {constants} \
             using A = Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<{value}>, half_t>;"
        )
    };
    for (constants, value) in [
        ("constexpr int kMaxVec = 16; constexpr int kVec = cute::min(kMaxVec, kElems * int(sizeof(half_t)));", "kVec"),
        ("constexpr int kN = cute::min(128, kElems * int(sizeof(half_t)));", "kN"),
    ] {
        assert_eq!(codes(&text(constants, value)), [Code::AlignmentInBytes], "{constants}");
    }
    for (constants, value) in [
        (
            "constexpr int kMaxVec = 128; constexpr int kVec = cute::min(kMaxVec, kElems * int(sizeof_bits_v<half_t>));",
            "kVec",
        ),
        ("constexpr int kN = cute::min(16, 8 * kElems * int(sizeof(half_t)));", "kN"),
        ("constexpr int kMaxVec = 4; constexpr int kN = cute::min(kMaxVec, kElems * int(sizeof(half_t)));", "kN"),
        ("constexpr int kMaxBits = 16; constexpr int kN = cute::min(kMaxBits, kElems * int(sizeof(half_t)));", "kN"),
    ] {
        assert!(codes(&text(constants, value)).is_empty(), "{constants}");
    }
}

fn encoded(declarations: &str, lists: [&str; 5]) -> String {
    let [rank, sizes, strides, boxes, steps] = lists;
    format!(
        "CUresult f(CUtensorMap* m, void* p, int n) {{ {declarations} return cuTensorMapEncodeTiled(m, CU_TENSOR_MAP_DATA_TYPE_UINT8, {rank}, p, \
         {sizes}, {strides}, {boxes}, {steps}, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, \
         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE); }}"
    )
}

#[test]
fn what_braces_leave_is_zero() {
    let text = |steps: &str| {
        let declarations = format!(
            "cuuint64_t gd[2] = {{128, 512}}; cuuint64_t gs[1] = {{128}}; cuuint32_t bd[2] = {{128, 64}}; {steps}"
        );
        encoded(&declarations, ["2", "gd", "gs", "bd", "st"])
    };
    for steps in [
        "cuuint32_t st[2] = {1};",
        "cuuint32_t st[2] = {};",
        "uint32_t st[2]{}; st[0] = 1;",
        "unsigned st[2] = {}; st[1] = 1;",
    ] {
        assert_eq!(codes(&text(steps)), [Code::TmaLimits], "{steps}");
    }
    for steps in [
        "cuuint32_t st[2] = {1, 1};",
        "cuuint32_t st[2]; st[0] = 1;",
        "cuuint32_t st[2] = {}; st[0] = 1; st[1] = 1;",
        "cuuint32_t st[2] = {}; for (int i = 0; i < 2; ++i) st[i] = 1;",
        "cuuint32_t st[2] = {}; std::fill(st, st + 2, 1);",
        "cuuint32_t st[2] = {}; if (n) st[1] = 1; st[0] = 1; more(st);",
        "Step st[2] = {1};",
    ] {
        assert!(codes(&text(steps)).is_empty(), "{steps}");
    }
    let object = |fill: &str| {
        let declarations = format!(
            "struct Args {{ cuuint64_t dim[2]; cuuint64_t stride[1]; cuuint32_t box[2]; cuuint32_t step[2]; }}; {fill} a.dim[0] = 256; a.dim[1] = 512; \
             a.stride[0] = 256; a.box[0] = 128; a.box[1] = 64; a.step[0] = 1;"
        );
        encoded(&declarations, ["2", "a.dim", "a.stride", "a.box", "a.step"])
    };
    assert_eq!(codes(&object("Args a{};")), [Code::TmaLimits]);
    assert_eq!(codes(&object("Args a = {};")), [Code::TmaLimits]);
    assert!(codes(&object("Args a;")).is_empty());
    assert!(codes(&object("Args a{}; a.step[1] = 1;")).is_empty());
    assert!(codes(&object("Args a{}; fill(a);")).is_empty());
}

#[test]
fn ranks_by_the_size_of_a_list() {
    let text = |rank: &str, list: &str, more: &str| {
        let declarations = format!(
            "{list} gd{more} cuuint64_t gs[1] = {{128}}; cuuint32_t bd[2] = {{24, 64}}; cuuint32_t st[2] = {{1, 1}};"
        );
        let data = if list.starts_with("std") { "gd.data()" } else { "gd" };
        encoded(&declarations, [rank, data, "gs", "bd", "st"])
    };
    let vector = "std::vector<cuuint64_t>";
    for (rank, list, more) in [
        ("gd.size()", vector, " = {128, 512};"),
        ("static_cast<cuuint32_t>(gd.size())", vector, "{128, (cuuint64_t)n};"),
        ("(cuuint32_t)gd.size()", "std::array<cuuint64_t, 2>", "{128, 512};"),
        ("std::size(gd)", "std::array<cuuint64_t, 2>", "{128, 512};"),
        ("sizeof(gd) / sizeof(gd[0])", "cuuint64_t", "[2] = {128, 512};"),
    ] {
        assert_eq!(codes(&text(rank, list, more)), [Code::TmaLimits], "{rank} {list}");
    }
    for (rank, list, more) in [
        ("gd.size()", vector, " = {128, 512}; gd.push_back(n);"),
        ("gd.size()", vector, "(n, 1);"),
        ("other.size()", vector, " = {128, 512};"),
        ("sizeof(gd) / sizeof(int)", "cuuint64_t", "[2] = {128, 512};"),
        ("gd.size() + 1", vector, " = {128, 512};"),
    ] {
        assert!(codes(&text(rank, list, more)).is_empty(), "{rank} {list} {more}");
    }
}

#[test]
fn switches_with_a_constant_of_their_own_on_one_line() {
    let text = |last: u64| {
        format!(
            "#define DIM_SWITCH(D, ...) [&] {{ \\\n if (D <= 64) {{ constexpr static int kDim = 64; return __VA_ARGS__(); }} \\\n \
             else {{ constexpr static int kDim = {last}; return __VA_ARGS__(); }} }}()\n\
             template <int kDim> __global__ void pack(half_t const* x, int n) {{ \
             auto tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_32, _4>, Stride<_4, _1>>{{}}, Layout<Shape<_1, _8>>{{}}); \
             Tensor m = make_tensor(make_gmem_ptr(x), make_shape(n, Int<kDim>{{}}), make_stride(Int<kDim>{{}}, _1{{}})); \
             Tensor g = local_tile(m, Shape<_32, _32>{{}}, make_coord(blockIdx.x, blockIdx.y)); auto t = tc.get_slice(threadIdx.x); \
             auto s = t.partition_S(g); auto r = make_fragment_like(s); copy(tc, s, r); }} \
             void run(half_t const* x, int n, int d) {{ DIM_SWITCH(d, [&] {{ pack<kDim><<<1, 128>>>(x, n); }}); }}"
        )
    };
    assert_eq!(codes(&text(100)), [Code::Vectors]);
    assert!(codes(&text(104)).is_empty());
}

#[test]
fn what_is_known_at_run_time_only_is_called_so() {
    let why = |text: &str| {
        let report = report(text);
        report.open.first().map(|open| open.reason)
    };
    let run_time = Some(Reason::RunTime);
    assert_eq!(why("using L = decltype(make_layout(make_shape(0, 0, 0)));"), run_time);
    assert_eq!(why("void f(torch::Tensor a) { auto l = make_layout(make_shape(a.size(0), _4{})); }"), run_time);
    assert_eq!(
        why("void f() { auto a = torch::empty({4, 4}); auto l = make_layout(make_shape(a.size(0), _4{})); }"),
        run_time
    );
    assert_ne!(why("auto l = make_layout(make_shape(0, 4));"), run_time);
    assert_ne!(why("using L = decltype(make_layout(make_shape(Int<0>{}, _4{})));"), run_time);
    assert_ne!(why("void f(mine::Tensor a) { auto l = make_layout(make_shape(a.size(0), _4{})); }"), run_time);
}

/// Of a swizzle that takes vectors apart no banks are counted, whether or not a copy of them is known to be reached.
#[test]
fn banks_are_counted_of_vectors_that_lie_together() {
    let text = |base: u32, guard: &str| {
        format!(
            "__global__ void k(half_t* g, int n) {{ __shared__ alignas(16) half_t b[64 * 64]; \
             auto copy_a = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_64, _2>, Stride<_2, _1>>{{}}, Layout<Shape<_1, _8>>{{}}); \
             Tensor s = make_tensor(make_smem_ptr(b), composition(Swizzle<1, {base}, 4>{{}}, Layout<Shape<_64, _64>, Stride<_64, _1>>{{}})); \
             auto d = copy_a.get_slice(threadIdx.x).partition_D(s); auto r = make_fragment_like(d); {guard} copy(copy_a, r, d); }}"
        )
    };
    assert_eq!(codes(&text(2, "")), [Code::SwizzleSplits]);
    assert_eq!(codes(&text(3, "")), [Code::Banks]);
    for guard in ["if (other(n))", "while (n > g[0])"] {
        assert!(codes(&text(2, guard)).is_empty(), "{guard}");
        assert_eq!(codes(&text(3, guard)), [Code::Banks], "{guard}");
    }
}
