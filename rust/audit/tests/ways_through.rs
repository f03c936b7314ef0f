//! Guards that leave for nothing to do, kernels whose head is a macro, what macros instantiate, and values under names that are easily missed.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A kernel that slices for eight times as many threads as it has rows.
fn kernel(params: &str, before: &str) -> String {
    format!("template <int N> __global__ void k(half_t* p{params}) {{ {before} {} }}\n", slices("N"))
}

fn slices(rows: &str) -> String {
    format!(
        "auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<Int<{rows}>,_8>, Stride<_8,_1>>{{}}, \
         Layout<Shape<_1,_8>>{{}}); auto t = copy.get_slice(threadIdx.x); \
         Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<Int<{rows}>,_64>, Stride<_64,_1>>{{}}); clear(t.partition_D(g));"
    )
}

fn found(text: &str) -> Vec<Code> {
    let mut found = codes(text);
    found.retain(|code| *code != Code::BlockBeyond);
    found
}

/// A launch with 64 threads of what slices for 128.
#[test]
fn guards_in_kernels() {
    let text = |guard: &str, params: &str, args: &str| {
        let run = format!("void run(half_t* p, int m, Q q, bool big) {{ k<16><<<1, 64>>>(p{args}); }}");
        found(&format!("struct Q {{ int m; }};\n{}{run}", kernel(params, guard)))
    };
    for (guard, params, args) in [
        ("if (m == 0) return;", ", int m", ", m"),
        ("if (m <= 0) { return; }", ", int m", ", m"),
        ("if (m < 1) return;", ", int m", ", m"),
        ("int i = threadIdx.x; if (0 == m) return; if (q.m == 0) return;", ", int m, Q q", ", m, q"),
        ("if (m == 0 || q.m < 1) return;", ", int m, Q q", ", m, q"),
        ("if (blockIdx.x >= m) return;", ", int m", ", m"),
    ] {
        assert_eq!(text(guard, params, args), [Code::BlockThreads], "{guard}");
    }
    for (guard, params, args) in [
        // Something is done first, or instead.
        ("p[0] = 1; if (m == 0) return;", ", int m", ", m"),
        ("if (m == 0) { p[0] = 0; return; }", ", int m", ", m"),
        ("if (m == 0) { clear(p); } else return;", ", int m", ", m"),
        // It may say how large the block is, or is known.
        ("if (m == 1) return;", ", int m", ", m"),
        ("if (m != 0) return;", ", int m", ", m"),
        ("if (m == 0 && q.m == 1) return;", ", int m, Q q", ", m, q"),
        ("if (m == 0 || m == 8) return;", ", int m", ", m"),
        ("if (!big) return;", ", bool big", ", big"),
        ("if (m == 0) return;", ", int m", ", 0"),
        ("if (blockDim.x == 64) return;", "", ""),
        ("if (m == 0 || blockDim.x == 64) return;", ", int m", ", m"),
        ("if (threadIdx.x < 64) return;", "", ""),
    ] {
        assert!(text(guard, params, args).is_empty(), "{guard} {args}");
    }
}

#[test]
fn guards_in_functions_that_a_kernel_calls() {
    let text = |before: &str, guard: &str, call: &str| {
        found(&format!(
            "template <int N> __device__ void row(half_t* p, int block, int n) {{ {guard} {} }}\n\
             template <int N> __global__ void k(half_t* p, int n) {{ {before} {call} }}\n\
             void run(half_t* p, int n) {{ k<16><<<n, 64>>>(p, n); }}",
            slices("N")
        ))
    };
    let index = "const int b = blockIdx.x;";
    for (before, guard, call) in [
        (index, "", "row<N>(p, b, n);"),
        (index, "if (block * 64 >= n) return;", "row<N>(p, b, n);"),
        ("", "if (block >= n) return;", "row<N>(p, blockIdx.y, n);"),
        ("if (blockIdx.x >= n) return;", "", "row<N>(p, blockIdx.x, n);"),
    ] {
        assert_eq!(text(before, guard, call), [Code::BlockThreads], "{guard} {call}");
    }
    for (before, guard, call) in [
        (index, "if (n > 3) return;", "row<N>(p, b, n);"),
        (index, "if (block * 64 >= n) return;", "row<N>(p, n, n);"),
        ("int b = blockIdx.x; b += 4;", "if (block * 64 >= n) return;", "row<N>(p, b, n);"),
        ("if (n > 3) return;", "", "row<N>(p, 0, n);"),
        ("", "if (blockDim.x < 128) return;", "row<N>(p, 0, n);"),
    ] {
        assert!(text(before, guard, call).is_empty(), "{before} {guard} {call}");
    }
}

/// What a host asks of a letter or an enumeration says nothing of sizes.
#[test]
fn arms_of_a_host() {
    for arms in [
        "if (c == 'T') { @ return; }",
        "if (c == 'T') @ else @",
        "if (mode == Mode::A) { @ } else { @ }",
        "switch (mode) { case Mode::A: @ break; case Mode::B: @ }",
        "switch (c) { case 'a': @ break; default: @ }",
        "if (m == 0) return; @",
    ] {
        let text = |block: &str| {
            let arms = arms.replace('@', &format!("k<16><<<1, {block}>>>(p);"));
            found(&format!(
                "enum class Mode {{ A, B }};\n{}void run(half_t* p, int m, char c, Mode mode) {{ {arms} }}",
                kernel("", "")
            ))
        };
        assert_eq!(text("64"), [Code::BlockThreads], "{arms}");
        assert!(text("128").is_empty(), "{arms}");
    }
}

const SWITCH: &str = "#define BOOL_SWITCH(COND, NAME, ...) [&] { if (COND) { constexpr static bool NAME = true; return __VA_ARGS__(); } \
    else { constexpr static bool NAME = false; return __VA_ARGS__(); } }()\n#define UNSUPPORTED printf(\"no\");\n";

/// As `FlashAttention` 2 has it: the head is a macro, the work on one side of an `#if`, and the launch in a switch.
#[test]
fn heads_that_are_macros() {
    let space = format!(
        "namespace F {{\nstruct P {{ half_t* p; int n; }};\n\
         template <int R_> struct Traits {{ static constexpr int R = R_; static constexpr int kThreads = R * 8; }};\n\
         template <class T, bool A, class PP> inline __device__ void row(PP const& q, int m) {{ half_t* p = q.p; {} }}\n\
         template <class T, bool A, class PP> inline __device__ void work(PP const& p) {{ const int m = blockIdx.x; F::row<T, A>(p, m); }}\n",
        slices("T::R")
    );
    let head = "#define MODIFIER\n#define KERNEL(name, ...) \\\ntemplate <typename T, __VA_ARGS__> \\\n__global__ void name(MODIFIER const P p)\nKERNEL(k, bool A) {\n";
    let device = head.replace("__global__", "__device__");
    for head in ["template <class T, bool A> __global__ void k(P const p) {\n", head, &device] {
        for body in ["F::work<T, A>(p);\n", "#if defined(X)\nF::work<T, A>(p);\n#else\nUNSUPPORTED\n#endif\n"] {
            for launch in [
                "k<T, true><<<1, @>>>(p);",
                "auto kernel = &k<T, true>; // auto kernel = &k<T, false>;\n kernel<<<1, @>>>(p);",
                "BOOL_SWITCH(p.n > 3, A, [&] { auto kernel = &k<T, A>; kernel<<<1, @>>>(p); });",
                "CHECK(cudaFuncSetAttribute(k<T, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096)); k<T, true><<<1, @>>>(p);",
            ] {
                for (block, wrong) in [("T::kThreads / 2", true), ("2048", true), ("T::kThreads", false)] {
                    let text = format!(
                        "{SWITCH}{space}{head}{body}}}\ntemplate <class T> void run(P const& p) {{ {} }}\n}}\n\
                         void go(F::P& p) {{ F::run<F::Traits<32>>(p); }}",
                        launch.replace('@', block)
                    );
                    let expected =
                        if wrong && !head.contains("__device__") { vec![Code::BlockThreads] } else { Vec::new() };
                    assert_eq!(found(&text), expected, "{text}");
                }
            }
        }
    }
}

/// A branch that only asks CUDA to do something does not leave.
#[test]
fn a_check_of_cuda_comes_back() {
    let text = |branch: &str| {
        found(&format!(
            "{}template <int B> void run(half_t* p) {{ if (B >= 1024) {{ {branch} }} k<16><<<1, 64, B>>>(p); }}\ntemplate void run<4096>(half_t*);",
            kernel("", "")
        ))
    };
    assert_eq!(text("CUDA_CHECK(cudaFuncSetAttribute(k<16>, kMost, B));"), [Code::BlockThreads]);
    assert!(text("CHECK_RETURN(cudaGetLastError());").is_empty());
    assert!(text("REFUSE(cudaGetLastError());").is_empty());
    assert!(text("CUDA_CHECK(refuse(B));").is_empty());
}

#[test]
fn templates_that_macros_instantiate() {
    let go = format!("{}template <int N> void go(half_t* p) {{ k<N><<<1, 128>>>(p); }}\n", kernel("", ""));
    for (uses, wrong) in [
        ("#define INST(N) template void go<N>(half_t*);\nINST(16)\nINST(32)\n", true),
        ("#define INST(N) template void go<N>(half_t*);\nINST(16)\n", false),
        ("#define INST(N) template void go<N>(half_t*);\nINST(16)\n// INST(32)\n#if 0\nINST(32)\n#endif\n", false),
        ("#define INST(N) template void go<N>(half_t*);\n#define TWICE INST(32)\nINST(16)\n", false),
        ("#define INST(T, N) template void go<N>(T*);\nINST(half_t, 32)\n", true),
        (
            "#define CASE(N) case N: go<N>(p); break;\nvoid run(half_t* p, int n) { switch (n) { CASE(16) CASE(32) } }\n",
            true,
        ),
        (
            "#define CASE(N) case N: go<N>(p); break;\nvoid run(half_t* p, int n) { switch (n) { CASE(16) CASE(8) } }\n",
            false,
        ),
        ("#define INST(N) template void Mine::go<N>(half_t*);\nINST(32)\n", false),
    ] {
        let expected = if wrong { vec![Code::BlockThreads] } else { Vec::new() };
        assert_eq!(found(&format!("{go}{uses}")), expected, "{uses}");
    }
}

/// Blocks under names: around 128 threads, and beyond what there is.
#[test]
fn blocks_under_names() {
    for (before, run) in [
        ("static const dim3 block(@);", "k<16><<<1, block>>>(p);"),
        ("constexpr dim3 block{@, 1, 1};", "k<16><<<1, block>>>(p);"),
        ("const dim3 kBlock = dim3(@);", "k<16><<<1, kBlock>>>(p);"),
        ("", "auto [m, n] = std::pair{16, @}; k<16><<<1, n>>>(p);"),
        ("", "const auto [m, n] = std::make_tuple(16, @); k<m><<<1, n>>>(p);"),
        ("const int kT = @;", "auto [a, b] = std::pair(1, kT); k<16><<<dim3(a), dim3(b)>>>(p);"),
        ("struct P { int n; int m; };", "P q{.n = 16, .m = @}; k<16><<<1, q.m>>>(p);"),
        ("struct P { int n = 3; int m = 4; };", "const P q = {.m = @}; k<16><<<1, q.m>>>(p);"),
        ("struct P { int n; int m; };", "constexpr P q{.n = 16, .m = @}; k<q.n><<<1, q.m>>>(p);"),
        ("enum class B { Small = 64, Wide = @ };", "k<16><<<1, int(B::Wide)>>>(p);"),
        ("enum class B { Small = 64, Wide = @ };", "k<16><<<1, static_cast<int>(B::Wide)>>>(p);"),
    ] {
        for (block, wrong) in [("64", true), ("127", true), ("128", false), ("2048", true)] {
            let text = format!("{}{before}\nvoid run(half_t* p) {{ {run} }}", kernel("", "")).replace('@', block);
            let expected = if wrong { vec![Code::BlockThreads] } else { Vec::new() };
            assert_eq!(found(&text), expected, "{text}");
        }
    }
    for (before, run) in [
        ("dim3 block(64);", "k<16><<<1, block>>>(p);"),
        (
            "#ifdef A\nstatic const dim3 block(64);\n#else\nstatic const dim3 block(128);\n#endif\n",
            "k<16><<<1, block>>>(p);",
        ),
        ("static const dim3 block(64);", "dim3 block(128); k<16><<<1, block>>>(p);"),
        (
            "static const dim3 block(64);\nnamespace mine { static const dim3 block(128); }",
            "using mine::block; k<16><<<1, block>>>(p);",
        ),
        ("const dim3 block(Params);", "k<16><<<1, block>>>(p);"),
        ("", "auto [m, n] = std::pair{16, 64}; n = 128; k<16><<<1, n>>>(p);"),
        ("", "auto [m, n] = std::pair{16, 64}; grow(n); k<16><<<1, n>>>(p);"),
        ("", "auto [m, n] = Mine{16, 64}; k<16><<<1, n>>>(p);"),
        ("", "auto [m, n] = std::pair<int, Twice>{16, 64}; k<16><<<1, n>>>(p);"),
        ("", "auto& [m, n] = std::pair{16, 64}; k<16><<<1, n>>>(p);"),
        ("struct P { int n; int m; };", "P q{.n = 16, .m = 64}; q.m = 128; k<16><<<1, q.m>>>(p);"),
    ] {
        let text = format!("{}{before}\nvoid run(half_t* p) {{ {run} }}", kernel("", ""));
        assert!(found(&text).is_empty(), "{text}");
    }
}

#[test]
fn swizzles_that_functions_return() {
    let layout = "Layout<Shape<_8,_64>, Stride<_64,_1>>{}";
    for (text, wrong) in [
        (format!("auto layout() {{ return composition(Swizzle<3,3,2>{{}}, {layout}); }}"), true),
        (format!("auto layout() {{ return composition(Swizzle<3,3,3>{{}}, {layout}); }}"), false),
        (
            format!(
                "template <int B> auto layout() {{ return composition(Swizzle<B,3,2>{{}}, {layout}); }}\nusing L = decltype(layout<3>());"
            ),
            true,
        ),
        (
            format!(
                "template <int B> auto layout() {{ return composition(Swizzle<B,3,2>{{}}, {layout}); }}\nusing L = decltype(layout<2>());"
            ),
            false,
        ),
        (
            "template <int B, int M, int S> struct Swizzle { };\nauto layout() { return composition(Swizzle<3,3,2>{}, 4); }"
                .to_owned(),
            false,
        ),
    ] {
        let expected = if wrong { vec![Code::Swizzle] } else { Vec::new() };
        let mut found = found(&text);
        found.retain(|code| *code == Code::Swizzle);
        assert_eq!(found, expected, "{text}");
    }
}
