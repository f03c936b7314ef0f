//! Conditions inside of a kernel: a slice, a tensor or a descriptor in an arm that a launch or an instance does not take is no finding, and in
//! one that it takes it stays one.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

const COPY: &str =
    "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32,_8>>{}, Layout<Shape<_4,_1>>{})";

/// A kernel with a copy `c` by 256 threads and a tensor `g` of its tile, and functions that launch it.
fn kernel(head: &str, body: &str, run: &str) -> Vec<Code> {
    codes(&format!(
        "enum class Mode {{ Small, Big }};
         {head} {{
           Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_128,_8>>{{}});
           auto c = {COPY};
           {body}
         }}
         {run}"
    ))
}

const SLICE: &str = "clear(c.get_slice(threadIdx.x).partition_D(g));";

fn with(params: &str, body: &str, run: &str) -> Vec<Code> {
    kernel(&format!("__global__ void k(float* p{params})"), body, &format!("void run(float* p) {{ {run} }}"))
}

/// Each launch agrees with the arm that it takes; and a launch with too few threads that takes the arm of the slice does not.
#[test]
fn arms_by_what_the_kernel_is_given() {
    for (params, arm, right, wrong) in [
        (", bool big", "if (big) @ else p[0] = 0;", "true", "false"),
        (", bool big", "if (!big) p[0] = 0; else { @ }", "true", "false"),
        (", bool big", "if (!big) { for (int i = 0; i < 9; ++i) p[i] = 0; return; } @", "true", "false"),
        (", bool big", "if (!big) goto small; @ return; small: p[0] = 0;", "true", "false"),
        (", bool big", "if (big && blockDim.x > 0) { @ }", "true", "false"),
        (", int mode", "switch (mode) { case 1: @ break; default: p[0] = 0; }", "1", "0"),
        (", int mode", "switch (mode) { case 0: p[0] = 0; break; default: @ }", "1", "0"),
        (", int mode", "switch (mode) { case 3: case 1: @ break; case 0: p[0] = 0; }", "1", "0"),
        (", int mode", "switch (mode) { case 0: { p[0] = 0; return; } case 1: { @ } }", "1", "0"),
        (", Mode m", "switch (m) { case Mode::Big: @ break; case Mode::Small: break; }", "Mode::Big", "Mode::Small"),
        (", Mode m", "if (m == Mode::Big) { @ }", "Mode::Big", "Mode::Small"),
        (", int n", "if (n < 1024) { for (int i = 0; i < n; ++i) p[i] = 0; return; } @", "1024", "1000"),
        (", int n", "for (int i = 0; i < n; ++i) @", "1", "0"),
        (", int n", "while (n > 3) { @ }", "4", "3"),
        (", int n", "if (blockIdx.x < n) { @ }", "1", "0"),
        (", int n", "auto s = c.get_slice(threadIdx.x); if (n) clear(s.partition_D(g));", "1", "0"),
        (
            ", int n",
            "auto s = c.get_slice(threadIdx.x); auto t = s.partition_D(g); if (n > 0) { return; } clear(t);",
            "",
            "1",
        ),
    ] {
        let body = arm.replace('@', SLICE);
        if !right.is_empty() {
            let run = format!("k<<<1, 256>>>(p, {right}); k<<<1, 128>>>(p, {wrong});");
            assert!(with(params, &body, &run).is_empty(), "{arm}");
            let run = format!("k<<<1, 128>>>(p, {right});");
            assert_eq!(with(params, &body, &run), [Code::BlockThreads], "{arm}");
        }
        let run = format!("k<<<1, 128>>>(p, {wrong});");
        assert!(with(params, &body, &run).is_empty(), "{arm}");
    }
}

/// A flag that nobody knows may say how large the block is.
#[test]
fn arms_that_are_not_known() {
    for (params, arm) in [
        (", bool big", "if (big) { @ }"),
        (", bool const* big", "if (*big) { @ }"),
        (", float* q", "if (q) { @ }"),
        (", Args args", "if (args.big) { @ }"),
        (", int n", "if (is_big(n)) { @ }"),
        (", int n", "if (gridDim.x == 1) { @ }"),
        (", int n", "if (blockIdx.x >= n) { @ }"),
        (", int mode", "switch (mode) { case 0: p[0] = 1; case 1: @ }"),
    ] {
        let run = "k<<<1, 256>>>(p, read()); k<<<1, 128>>>(p, read());";
        assert!(with(params, &arm.replace('@', SLICE), run).is_empty(), "{arm}");
    }
}

#[test]
fn arms_by_the_block() {
    for (arm, few, threads) in [
        ("if (blockDim.x == 256) @ else p[0] = 0;", false, 128),
        ("if (blockDim.x != 256) { *p = 1; return; } @", false, 128),
        ("if (blockDim.x < 256) { for (int i = 0; i < 9; ++i) p[i] = 0; return; } @", false, 128),
        ("const int n = blockDim.x; if (n >= 256) { @ }", false, 128),
        ("if (int(blockDim.x) / 32 == 8) { @ }", false, 128),
        ("if (blockDim.x * blockDim.y == 256) { @ }", false, 128),
        ("if (threadIdx.x >= 128) { @ }", false, 128),
        ("if (threadIdx.x / 32 == 5) { @ }", false, 128),
        // Here some thread of the block takes the slice, and those beyond are missing.
        ("if (blockDim.x == 128) @ else p[0] = 0;", true, 128),
        ("if (blockDim.x > 256) { *p = 1; return; } @", true, 128),
        ("if (threadIdx.x < 128) { @ }", true, 128),
        ("if (threadIdx.x >= 64) { @ }", true, 128),
        ("if (threadIdx.x == 127) { @ }", true, 128),
        ("if (blockIdx.x == 0) { @ }", true, 128),
        ("if (blockIdx.x >= 1) return; @", true, 128),
        ("if (blockIdx.x >= tiles) return; @", true, 128),
        ("for (int i = 0; i < 3; ++i) { @ }", true, 128),
        ("for (int i = blockIdx.x; i < 3; i += gridDim.x) { @ }", true, 128),
        ("{ @ }", true, 128),
    ] {
        let expected = if few { vec![Code::BlockThreads] } else { Vec::new() };
        assert_eq!(with("", &arm.replace('@', SLICE), &format!("k<<<1, {threads}>>>(p);")), expected, "{arm}");
        if !arm.contains("blockDim.x == 128") {
            assert!(with("", &arm.replace('@', SLICE), "k<<<1, 256>>>(p);").is_empty(), "{arm}");
        }
    }
    let parts = "if (blockDim.x >= 256) clear(local_partition(g, Layout<Shape<_32,_8>>{}, threadIdx.x));
                 else clear(local_partition(g, Layout<Shape<_32,_2>>{}, threadIdx.x));";
    assert!(with("", parts, "k<<<1, 256>>>(p); k<<<1, 64>>>(p);").is_empty());
    assert_eq!(with("", parts, "k<<<1, 32>>>(p);"), [Code::BlockThreads]);
}

/// By a constant of the template, as plain code and as code that is left out.
#[test]
fn arms_by_the_template() {
    let head = "template <int NT> __global__ void __launch_bounds__(NT) k(float* p)";
    let run = |threads: [u32; 2]| {
        let [a, b] = threads;
        format!("void run(float* p) {{ k<{a}><<<1, {a}>>>(p); k<{b}><<<1, {b}>>>(p); }}")
    };
    for arm in [
        "if (NT >= 256) @ else for (int i = threadIdx.x; i < 1024; i += NT) p[i] = 0.f;",
        "if (NT >= 256) { auto s = c.get_slice(threadIdx.x); clear(s.partition_D(g)); return; } p[0] = 0;",
        "if (NT < 256) { for (int i = threadIdx.x; i < 1024; i += NT) p[i] = 0.f; return; } @",
        "if constexpr (NT < 256) { for (int i = threadIdx.x; i < 1024; i += NT) p[i] = 0.f; return; } @",
        "if constexpr (NT < 256) { return; } auto s = c.get_slice(threadIdx.x); clear(s.partition_D(g));",
        "if constexpr (NT >= 256) { p[0] = 1; } else { p[0] = 0; return; } @",
        "constexpr bool big = NT >= 256; if (big) { @ }",
        "switch (NT) { case 256: @ break; case 128: p[0] = 0; }",
    ] {
        let body = arm.replace('@', SLICE);
        assert!(kernel(head, &body, &run([256, 128])).is_empty(), "{arm}");
        let low = body.replace("256", "64");
        let found = kernel(head, &low, &run([64, 128]));
        assert!(found.contains(&Code::Launch) && found.contains(&Code::BlockThreads), "{arm} {found:?}");
    }
    // What does not leave says nothing of what follows.
    let found = kernel(head, &format!("if constexpr (NT < 256) {{ p[0] = 1; }} {SLICE}"), &run([256, 128]));
    assert!(found.contains(&Code::Launch) && found.contains(&Code::BlockThreads), "{found:?}");
}

/// What follows a `return` under `if constexpr` is compiled all the same, and so is what it demands.
#[test]
fn demands_behind_a_return() {
    let text = |demand: &str| {
        codes(&format!(
            "template <int N> __global__ void k(half_t* o) {{
               if constexpr (N > 600) {{ return; }}
               {demand}
               __shared__ half_t s[512];
               Tensor t = make_tensor(make_smem_ptr(s), Layout<Shape<_8,_64>, Stride<Int<N / 8>,_1>>{{}}); o[0] = t(0);
             }}
             template __global__ void k<512>(half_t*); template __global__ void k<576>(half_t*);"
        ))
    };
    assert_eq!(text(""), [Code::SmallArray]);
    assert!(text("static_assert(N == 512);").is_empty());
}

/// RG024 says what holds for each launch that the bound allows.
#[test]
fn arms_in_kernels_with_bounds() {
    let head = |params: &str| format!("__global__ void __launch_bounds__(128) k(float* p{params})");
    for (params, arm, found) in [
        ("", "@", true),
        ("", "if (threadIdx.x < 64) { @ }", true),
        ("", "if (blockIdx.x == 0) { @ }", true),
        (", bool big", "if (big) { @ }", false),
        ("", "if (blockDim.x == 256) { @ }", false),
        ("", "if (threadIdx.x >= 128) { @ }", false),
        ("", "if (false) { @ }", false),
        ("", "if (true) { @ }", true),
    ] {
        let expected = if found { vec![Code::Launch] } else { Vec::new() };
        assert_eq!(kernel(&head(params), &arm.replace('@', SLICE), ""), expected, "{arm}");
    }
}

const PLAIN: &str = "Tensor t = make_tensor(make_smem_ptr(s), Layout<Shape<_8,_64>, Stride<_64,_1>>{}); o[0] = t(0);";
const PADDED: &str = "Tensor t = make_tensor(make_smem_ptr(s), Layout<Shape<_8,_64>, Stride<_72,_1>>{}); o[0] = t(0);";

#[test]
fn tensors_in_dead_arms() {
    let both = "template __global__ void k<true>(half_t*); template __global__ void k<false>(half_t*);";
    let text = |size: &str, body: &str, rest: &str| {
        let body = body.replace('@', PADDED).replace('#', PLAIN);
        codes(&format!(
            "template <bool Pad> __global__ void k(half_t* o) {{ __shared__ half_t s[{size}]; {body} }} {rest}"
        ))
    };
    for body in [
        "if (Pad) { @ } else { # }",
        "if (!Pad) { # } else { @ }",
        "if (!Pad) { # return; } @",
        "if constexpr (!Pad) { # return; } @",
        "if constexpr (Pad) { @ } else { # }",
        "switch (int(Pad)) { case 1: { @ break; } default: { # } }",
        "constexpr bool kPad = Pad; if (kPad && o != nullptr) { @ }",
    ] {
        assert!(text("Pad ? 568 : 512", body, both).is_empty(), "{body}");
        assert_eq!(text("Pad ? 560 : 512", body, both), [Code::SmallArray], "{body}");
    }
    // Which constant it is that nobody knows, or that it is false.
    let plain = |body: &str| {
        let body = body.replace('@', PADDED);
        codes(&format!("__global__ void k(half_t* o, int mode, bool* flag) {{ __shared__ half_t s[512]; {body} }}"))
    };
    for body in [
        "constexpr bool kPad = false; if (kPad) { @ }",
        "if (kUnknown) { @ }",
        "if (Traits::kPad) { @ }",
        "if (is_padded<half_t>()) { @ }",
        "if (sizeof(half_t) == 4) { @ }",
        "constexpr bool kPad = Traits::kPad; if (mode > 1 && kPad) { @ }",
        "if (true) { return; } @",
    ] {
        assert!(plain(body).is_empty(), "{body}");
    }
    // Who asks at run time may take either arm.
    for body in [
        "@",
        "constexpr bool kPad = true; if (kPad) { @ }",
        "if (mode == 1) { @ }",
        "if (threadIdx.x == 0) { @ }",
        "if (thread0()) { @ }",
        "if (*flag) { @ }",
        "if (mode < 3) return; @",
        "const int n = mode / 2; if (n > 4) { @ }",
        "for (int i = 0; i < mode; ++i) { @ }",
        "switch (mode) { case 1: { @ break; } default: break; }",
    ] {
        assert_eq!(plain(body), [Code::SmallArray], "{body}");
    }
}

#[test]
fn descriptors_in_dead_arms() {
    let text = |body: &str| {
        let encode = "return cuTensorMapEncodeTiled(m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, d, sizes, strides, box, es, \
                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, \
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);";
        codes(&format!(
            "template <int BM> CUresult f(CUtensorMap* m, void* d) {{
               cuuint64_t sizes[2] = {{64, 4096}}; cuuint64_t strides[1] = {{128}}; cuuint32_t es[2] = {{1, 1}};
               {}
               return CUDA_ERROR_INVALID_VALUE;
             }}
             void r(CUtensorMap* m, void* d) {{ f<128>(m, d); f<512>(m, d); }}",
            body.replace('@', &format!("{{ cuuint32_t box[2] = {{64, BM}}; {encode} }}"))
        ))
    };
    for body in
        ["if (BM <= 256) @", "if (BM > 256) { return CUDA_ERROR_INVALID_VALUE; } @", "switch (BM) { case 128: @ }"]
    {
        assert!(text(body).is_empty(), "{body}");
    }
    for body in ["@", "if (BM > 64) @", "if (m != nullptr) @"] {
        assert_eq!(text(body), [Code::TmaLimits], "{body}");
    }
}

/// A function that takes a copy and a tensor, and a kernel in which 128 threads slice for 256.
fn halves(functions: &str, body: &str) -> Vec<Code> {
    codes(&format!(
        "using C256 = decltype({COPY});
         {functions}
         __global__ void __launch_bounds__(128) k(float* p) {{
           Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_128,_8>>{{}});
           C256 c;
           {body}
         }}
         void run(float* p) {{ k<<<1, 128>>>(p); }}"
    ))
}

#[test]
fn threads_that_take_two_slices() {
    let upper = "template <class G> __device__ void upper(C256 c, G& g) { clear(c.get_slice(threadIdx.x + 128).partition_D(g)); }";
    let half = "template <int H, class G> __device__ void half(C256 c, G& g) { clear(c.get_slice(threadIdx.x + 128 * H).partition_D(g)); }";
    let same =
        "template <class G> __device__ void same(C256 c, G& g) { clear(c.get_slice(threadIdx.x).partition_D(g)); }";
    for (function, body) in [
        (upper, "clear(c.get_slice(threadIdx.x).partition_D(g)); upper(c, g);"),
        (half, "auto a = c.get_slice(threadIdx.x); clear(a.partition_D(g)); half<1>(c, g);"),
        ("", "clear(c.get_slice(threadIdx.x).partition_D(g)); C256 d; clear(d.get_slice(threadIdx.x | 128).partition_D(g));"),
        ("", "clear(c.get_slice(threadIdx.x).partition_D(make_tensor(make_gmem_ptr(p + 512 * blockIdx.x), Layout<Shape<_128,_8>>{})));"),
        ("", "auto t = c.get_slice(threadIdx.x); for (int s = 0; s < 2; ++s) {
               Tensor h = make_tensor(make_gmem_ptr(p + s * 4 * blockDim.x), Layout<Shape<_128,_8>>{}); clear(t.partition_D(h)); }"),
    ] {
        assert!(halves(function, body).is_empty(), "{body}");
    }
    for (function, body) in [
        ("", "clear(c.get_slice(threadIdx.x).partition_D(g));"),
        (same, "clear(c.get_slice(threadIdx.x).partition_D(g)); same(c, g);"),
        ("", "clear(c.get_slice(threadIdx.x).partition_D(g)); C256 d; clear(d.get_slice(threadIdx.x).partition_D(g));"),
        (
            "",
            "clear(c.get_slice(threadIdx.x).partition_D(make_tensor(make_gmem_ptr(p + 1024 * blockIdx.x), Layout<Shape<_128,_8>>{})));",
        ),
        (
            "",
            "clear(c.get_slice(threadIdx.x).partition_D(make_tensor(make_gmem_ptr(p + 512), Layout<Shape<_128,_8>>{})));",
        ),
    ] {
        assert_eq!(halves(function, body), [Code::Launch, Code::BlockThreads], "{body}");
    }
}

/// Nothing gets past a `return` that hangs on nothing.
#[test]
fn launches_behind_a_return_are_not_made() {
    assert_eq!(with("", SLICE, "k<<<1, 256>>>(p); k<<<1, 128>>>(p); return;"), [Code::BlockThreads]);
    assert_eq!(with("", SLICE, "{ k<<<1, 256>>>(p); return; } k<<<1, 128>>>(p);"), [Code::BlockThreads]);
    assert_eq!(with("", SLICE, "k<<<1, 256>>>(p); return; k<<<1, 128>>>(p);"), []);
    assert_eq!(with("", SLICE, "k<<<1, 256>>>(p); throw 1; { k<<<1, 128>>>(p); }"), []);
}

/// What the threads that are not there would take, those that are take again, of a tensor that lies behind: 128 of 256 threads take columns 0
/// to 3, and column 4 begins at 512.
#[test]
fn a_second_tensor_is_the_other_half() {
    let body = |second: &str| {
        let body = format!("auto s = c.get_slice(threadIdx.x); clear(s.partition_D(g)); {second}");
        with("", &body, "k<<<1, 128>>>(p);")
    };
    for second in [
        "clear(s.partition_D(make_tensor(make_gmem_ptr(p + 512), Layout<Shape<_128,_8>>{})));",
        "clear(s.partition_D(make_tensor(make_gmem_ptr(p + 512), Shape<_128,_8>{}, LayoutLeft{})));",
        "for (int i = 0; i < 2; ++i) clear(s.partition_D(make_tensor(make_gmem_ptr(p + i * 512), Shape<_128,_8>{}, LayoutLeft{})));",
        "for (int i = 0; i < 2; ++i, p += 512) clear(s.partition_D(make_tensor(make_gmem_ptr(p), Shape<_128,_8>{}, LayoutLeft{})));",
    ] {
        assert_eq!(body(second), [], "{second}");
    }
    for second in [
        "",
        "clear(s.partition_D(make_tensor(make_gmem_ptr(p + 1024), Layout<Shape<_128,_8>>{})));",
        "for (int i = 0; i < 2; ++i, p += 1024) clear(s.partition_D(make_tensor(make_gmem_ptr(p), Shape<_128,_8>{}, LayoutLeft{})));",
    ] {
        assert_eq!(body(second), [Code::BlockThreads], "{second}");
    }
}
