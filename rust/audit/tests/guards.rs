//! What stands between a wrong number and the copy or launch that would use it: conditions, demands, branches and blocks that something else
//! changes. Where such a guard may keep the number out nothing is said, and without it the finding is made.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(text: &str) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new("kernel.cu", text.into())], unreadable: vec![] };
    let mut codes: Vec<Code> = audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect();
    codes.retain(|code| *code != Code::Banks);
    codes.dedup();
    codes
}

const COPY: &str = "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, \
                    Layout<Shape<_1, _8>>{})";

/// A kernel that copies V halves at once to rows at a distance that it is given, and functions that launch it.
fn launched(host: &str) -> String {
    format!(
        "#include <cute/tensor.hpp>
         using namespace cute;
         template <int V> __global__ void k(half_t* p, int ld) {{
           auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint_bit_t<V * 16>>, half_t>{{}},
             Layout<Shape<_16, _8>, Stride<_8, _1>>{{}}, Layout<Shape<_1, Int<V>>>{{}});
           auto g = make_tensor(make_gmem_ptr(p), make_layout(make_shape(_16{{}}, _64{{}}), make_stride(ld, _1{{}})));
           auto d = c.get_slice(threadIdx.x).partition_D(g);
           auto r = make_fragment_like(d);
           clear(r);
           copy(c, r, d);
         }}
         {host}"
    )
}

/// Hosts that are given 68 by their callers, with a guard and without one.
#[test]
fn launches_behind_a_guard_are_left_alone() {
    let run = |body: &str| {
        launched(&format!(
            "void run(half_t* p, int ld) {{ {body} }}\nvoid all(half_t* p) {{ run(p, 68); run(p, 72); }}"
        ))
    };
    let wide = "k<8><<<1, 128>>>(p, ld);";
    assert_eq!(codes(&run(wide)), [Code::Vectors]);
    for guard in [
        "bool wide = true; if (ld % 8 != 0) wide = false; if (wide)",
        "bool wide = true; wide = wide && ld % 8 == 0; if (wide)",
        "bool wide; wide = ld % 8 == 0; if (wide)",
        "bool wide = ld % 8 == 0; if (wide)",
        "int v = 8; while (ld % v) v /= 2; if (v == 8)",
        "int v = 8; while (ld % v) v /= 2; if (v >= 8)",
        "int err = 0; if (ld % 8) ++err; if (err) return;",
        "cudaError_t err = cudaSuccess; if (ld % 8) err = cudaErrorInvalidValue; if (err != cudaSuccess) return;",
        "Options o; o.w = true; if (ld % 8) o.w = false; if (o.w)",
        "auto check = [&](int a) { return ld % a == 0; }; bool wide = check(8); if (wide)",
        "if ((reinterpret_cast<uintptr_t>(p) | uintptr_t(ld * 2)) % 16 == 0)",
        "if (is_wide(ld))",
        "CHECK(ld % 8 == 0);",
        "TORCH_CHECK(ld % 8 == 0, \"rows of whole vectors\");",
        "assert(ld % 8 == 0);",
        "require(ld % 8 == 0);",
        "bool ok = ld % 8 == 0; CHECK(ok);",
        "CHECK_EQ(ld % 8, 0);",
        "throw_if(ld % 8 != 0);",
        "ld % 8 == 0 || (fail(), 0);",
        "if (ld % 8) fatal(\"misaligned\");",
        "for (int a : {4, 8}) { if (ld % a) return; }",
        "{ CHECK(ld % 8 == 0); }",
        "if (p != nullptr) { if (ld % 8) return; }",
        "if (ld % 8 == 0) { } else { return; }",
        "for (; ld % 8 == 0;)",
        "while (ld % 8 == 0)",
        "BOOL_SWITCH(ld % 8 == 0, Wide, [&] { });  if (ld % 8) throw 1;",
    ] {
        assert!(codes(&run(&format!("{guard} {{ {wide} }}"))).is_empty(), "{guard}");
    }
    for body in [
        "ld % 8 == 0 && (launch(p), true); switch (ld % 8) { case 0: k<8><<<1, 128>>>(p, ld); }",
        "auto go = [&] { k<8><<<1, 128>>>(p, ld); }; if (ld % 8 == 0) go();",
        "if_aligned(ld % 8 == 0, [&] { k<8><<<1, 128>>>(p, ld); });",
    ] {
        assert!(codes(&run(body)).is_empty(), "{body}");
    }
    // What has nothing to do with the size, or lets it through.
    for guard in [
        "if (ld > 8)",
        "if (ld % 4 == 0)",
        "CHECK(ld % 4 == 0);",
        "CHECK(p != nullptr);",
        "if (p == nullptr) return;",
        "if (cudaSetDevice(0) != cudaSuccess) return;",
        "cudaError_t err = cudaSetDevice(0); if (err != cudaSuccess) return;",
        "printf(\"%d\", ld == 68);",
        "for (int i = 0; i < 3; ++i)",
        "if (ld % 8) { printf(\"slow\"); }",
    ] {
        assert_eq!(codes(&run(&format!("{guard} {{ {wide} }}"))), [Code::Vectors], "{guard}");
    }
}

/// A flag that comes with the size may say that the size is none for the launch.
#[test]
fn flags_that_are_not_known_are_guards() {
    let text = |call: &str| {
        launched(&format!(
            "bool is_wide(int ld);
             void run(half_t* p, int ld, bool wide) {{ if (wide) k<8><<<1, 128>>>(p, ld); else k<1><<<1, 128>>>(p, ld); }}
             void all(half_t* p) {{ {call} }}"
        ))
    };
    assert_eq!(codes(&text("run(p, 68, true);")), [Code::Vectors]);
    assert!(codes(&text("run(p, 68, false);")).is_empty());
    assert!(codes(&text("run(p, 68, is_wide(68));")).is_empty());
    // A function that is called before may throw.
    let text = |check: &str| {
        launched(&format!(
            "void validate(int ld) {{ using L = Layout<_1>; {check} }}
             void run(half_t* p, int ld) {{ validate(ld); k<8><<<1, 128>>>(p, ld); }}
             void all(half_t* p) {{ run(p, 68); }}"
        ))
    };
    assert!(codes(&text("if (ld % 8) throw 1;")).is_empty());
    assert_eq!(codes(&text("printf(\"%d\", ld);")), [Code::Vectors]);
}

/// A kernel with a partition of padded rows, and what is done with it.
fn partitioned(params: &str, body: &str, tail: &str) -> Vec<Code> {
    codes(&format!(
        "#include <cute/tensor.hpp>
         using namespace cute;
         template <int N> __global__ void k(half_t* p{params}) {{
           auto c = {COPY};
           auto g = make_tensor(make_gmem_ptr(p), make_layout(make_shape(_16{{}}, _64{{}}), make_stride(Int<68>{{}}, _1{{}})));
           auto d = c.get_slice(threadIdx.x).partition_D(g);
           auto r = make_fragment_like(d);
           clear(r);
           {body}
         }}
         {tail}"
    ))
}

/// Only what is copied with the vectors of the slice has such vectors.
#[test]
fn partitions_that_are_not_copied_by_vectors_are_left_alone() {
    let run = "void run(half_t* p) { k<0><<<1, 128>>>(p); }";
    for body in [
        "copy(c, r, d);",
        "cute::copy(c, r, d);",
        "copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, r, d);",
        "auto e = d(_, _, _); copy(c, r, e);",
        "for (int i = 0; i < size<2>(d); ++i) copy(c, r(_, _, i), d(_, _, i));",
        "for (int i = 0; i < size<2>(d); ++i) { copy(c, r(_, _, i), d(_, _, i)); }",
        "if (blockIdx.x == 0) { copy(c, r, d); }",
        "copy(c, r(_, _, 0), d(_, _, 0));",
        "copy(c, group_modes<1, 3>(r), group_modes<1, 3>(d));",
        "auto store = [&] { copy(c, r, d); }; store();",
        "if (threadIdx.x < size(c)) copy(c, r, d);",
        "if (threadIdx.x >= 128) return; copy(c, r, d);",
        "if (blockIdx.x < 3) copy(c, r, d);",
        "if constexpr (N == 0) copy(c, r, d);",
    ] {
        assert_eq!(partitioned("", body, run), [Code::Vectors], "{body}");
    }
    for body in [
        "",
        "fill(d, half_t(0));",
        "for (int i = 0; i < size(d); ++i) d(i) = r(i);",
        "copy(r, d);",
        "copy(AutoVectorizingCopyWithAssumedAlignment<16>{}, r, d);",
        "copy(Copy_Atom<UniversalCopy<half_t>, half_t>{}, r, d);",
        "copy_if(c, even_rows, r, d);",
        "copy(c.with(even_rows), r, d);",
        "if constexpr (N == 1) copy(c, r, d); else copy(r, d);",
        "bool ok = true; if (N == 0) ok = false; if (ok) copy(c, r, d);",
        "if (threadIdx.x < 8) copy(c, r, d);",
        "store(c, r, d);",
        "copy(c, r, other);",
    ] {
        assert!(partitioned("", body, run).is_empty(), "{body}");
    }
}

/// A batch may lie off the others, and be none that is copied.
#[test]
fn parts_at_one_place_are_looked_at_alone() {
    let text = |rows: u64, batch: u64, copied: &str| {
        codes(&format!(
            "using namespace cute;
             __global__ void k(half_t* p, int b) {{
               auto c = {COPY};
               auto g = make_tensor(make_gmem_ptr(p), make_layout(make_shape(_16{{}}, _64{{}}, _4{{}}), make_stride(Int<{rows}>{{}}, _1{{}}, Int<{batch}>{{}})));
               auto d = c.get_slice(threadIdx.x).partition_D(g);
               auto r = make_fragment_like(d(_, _, _, 0));
               copy(c, r, {copied});
             }}"
        ))
    };
    assert_eq!(text(64, 1026, "d(_, _, _, b)"), [Code::Vectors]);
    assert_eq!(text(64, 1026, "d"), [Code::Vectors]);
    assert!(text(64, 1026, "d(_, _, _, 0)").is_empty());
    assert!(text(64, 1024, "d(_, _, _, b)").is_empty());
    assert_eq!(text(68, 1088, "d(_, _, _, 0)"), [Code::Vectors]);
}

/// What functions, methods and macros end the program for may be a part of an object that they are given.
#[test]
fn demands_of_objects_are_guards() {
    let run = |before: &str, guard: &str| {
        codes(&launched(&format!(
            "struct Problem {{ int ld; half_t* p; int vector; void validate() const {{ if (ld % 8) throw 1; }} int rows() const {{ return 1; }} }};
             #define CHECK_ALIGNED(x) do {{ if ((x) % 8) std::abort(); }} while (0)
             void need(int ld) {{ if (ld % 8) throw 1; }}
             void show(Problem const& o) {{ printf(\"%d\", o.ld); }}
             {before}
             void run(Problem const& o) {{ {guard} k<8><<<1, 128>>>(o.p, o.ld); }}
             void all(half_t* p, int n) {{ run({{68, p, n}}); }}"
        )))
    };
    let object = "void need(Problem const& o) { if (o.ld % 8) throw 1; }";
    for guard in [
        "need(o.ld);",
        "need(o);",
        "o.validate();",
        "CHECK_ALIGNED(o.ld);",
        "ENSURE(o);",
        "assert(o.ld % o.vector == 0);",
    ] {
        assert_eq!(run(object, guard), [], "{guard}");
    }
    for guard in ["", "show(o);", "o.rows();", "printf(\"%d\", o.ld);"] {
        assert_eq!(run("", guard), [Code::Vectors], "{guard}");
    }
}

/// Conditions in the kernel, between the partition and its copy or around both.
#[test]
fn copies_behind_a_guard_are_left_alone() {
    let text = |body: &str| {
        codes(&format!(
            "#include <cute/tensor.hpp>
             using namespace cute;
             __global__ void k(half_t* p, int ld, bool wide) {{
               auto c = {COPY};
               auto g = make_tensor(make_gmem_ptr(p), make_layout(make_shape(_16{{}}, _64{{}}), make_stride(ld, _1{{}})));
               {body}
             }}
             void run(half_t* p) {{ k<<<1, 128>>>(p, 68, f(68)); }}"
        ))
    };
    let part = "auto d = c.get_slice(threadIdx.x).partition_D(g); auto r = make_fragment_like(d);";
    let scalar = "copy(AutoVectorizingCopyWithAssumedAlignment<16>{}, r, d);";
    assert_eq!(text(&format!("{part} copy(c, r, d);")), [Code::Vectors]);
    assert_eq!(text(&format!("{part} if (ld % 4 == 0) copy(c, r, d);")), [Code::Vectors]);
    for body in [
        format!("{part} if (ld % 8 == 0) copy(c, r, d); else {scalar}"),
        format!("{part} if (ld % 8) {scalar} else copy(c, r, d);"),
        format!("{part} ld % 8 == 0 ? copy(c, r, d) : copy(r, d);"),
        format!("{part} ld % 8 == 0 && (copy(c, r, d), true);"),
        format!("{part} ld % 8 != 0 || (copy(c, r, d), true);"),
        format!("{part} if (wide) copy(c, r, d); else {scalar}"),
        format!("{part} bool ok = true; if (ld % 8) ok = false; if (ok) copy(c, r, d);"),
        format!("{part} if (ld % 8) {{ {scalar} return; }} copy(c, r, d);"),
        format!("{part} assert(ld % 8 == 0); copy(c, r, d);"),
        format!("{part} switch (ld % 8) {{ case 0: copy(c, r, d); }}"),
        format!("{part} for (int i = 0; i < (ld % 8 == 0); ++i) copy(c, r, d);"),
        format!("{part} int n = ld % 8 == 0; for (int i = 0; i < n; ++i) copy(c, r, d);"),
        format!("{part} if (threadIdx.x * ld % 8 == 0) copy(c, r, d);"),
        format!("bool ok = true; if (ld % 8) ok = false; if (ok) {{ {part} copy(c, r, d); }}"),
        format!("if (wide) {{ {part} copy(c, r, d); }}"),
    ] {
        assert!(text(&body).is_empty(), "{body}");
    }
}

/// CuTe asks for no more bits than the distances between one thread's vectors are multiples of; an own `copy` of vectors does.
#[test]
fn assumed_alignments_follow_the_rows_of_a_thread() {
    let text = |atom: &str, rows: u64| {
        codes(&format!(
            "using namespace cute;
             __global__ void k(half_t* p) {{
               auto c = make_tiled_copy(Copy_Atom<{atom}, half_t>{{}}, Layout<Shape<Int<{}>, _8>, Stride<_8, _1>>{{}}, Layout<Shape<Int<{rows}>, _8>>{{}});
               auto g = make_tensor(make_gmem_ptr(p), Layout<Shape<_16, _64>, Stride<Int<65>, _1>>{{}});
               auto d = c.get_slice(threadIdx.x).partition_D(g);
               auto r = make_fragment_like(d);
               copy(c, r, d);
             }}",
            16 / rows
        ))
    };
    assert_eq!(text("AutoVectorizingCopyWithAssumedAlignment<128>", 1), [Code::Vectors]);
    assert!(text("AutoVectorizingCopyWithAssumedAlignment<128>", 2).is_empty());
}

/// A kernel of 128 threads, and a host that launches it with a block.
fn block(host: &str) -> Vec<Code> {
    codes(&format!(
        "#include <cute/tensor.hpp>
         using namespace cute;
         __global__ void k(half_t* p) {{
           auto c = {COPY};
           Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_16, _64>, Stride<_64, _1>>{{}});
           auto d = c.get_slice(threadIdx.x).partition_D(g);
           fill(d, half_t(0));
         }}
         void shown(dim3 b) {{ using L = Layout<_1>; print(b.x); }}
         struct Tuner {{ void apply(dim3& b) const; }};
         {host}"
    ))
}

#[test]
fn blocks_that_something_may_change_are_not_known() {
    for before in [
        "",
        "int n = b.x * 2; printf(\"%u\", b.x);",
        "dim3 other = b; dim3 third(b); if (b.x > 3) { printf(\"many\"); }",
        "shown(b);",
        "unsigned const n = b.x;",
    ] {
        let host = format!("void run(half_t* p) {{ dim3 b(32); {before} k<<<1, b>>>(p); }}");
        assert_eq!(block(&host), [Code::BlockThreads], "{before}");
    }
    for before in [
        "fill(b);",
        "set(g, b);",
        "set(b.x);",
        "Tuner{}.apply(b);",
        "set<3>(b);",
        "++b.x;",
        "b.x++;",
        "b.x *= 4;",
        "std::tie(g, b) = two();",
        "std::swap(g, b);",
        "auto f = std::ref(b);",
        "rd >> b;",
        "auto& r = b; r.x = 128;",
        "auto&& r = b; r.x = 128;",
        "dim3& r(b); r.x = 128;",
        "dim3& r{b}; r.x = 128;",
        "Holder h{b};",
        "unsigned& n = b.x; n = 128;",
        "auto set = [](dim3& x) { x.x = 128; }; set(b);",
        "auto set = [&] { b.x = 128; }; set();",
        "auto set = [&x = b] { x.x = 128; }; set();",
    ] {
        let host = format!("void run(half_t* p) {{ dim3 g(1), b(32); {before} k<<<g, b>>>(p); }}");
        assert!(block(&host).is_empty(), "{before}");
        let host = format!("void run(half_t* p) {{ dim3 g, b; b.x = 32; {before} k<<<g, b>>>(p); }}");
        assert!(block(&host).is_empty(), "{before}");
    }
    for (before, found) in [
        ("", true),
        ("auto& b = c.blockDim; b.x = 128;", false),
        ("f(c.blockDim);", false),
        ("f(1, c.blockDim);", false),
        ("c.blockDim.x = 128;", false),
        ("std::tie(c.gridDim, c.blockDim) = two();", false),
        ("f(c);", false),
    ] {
        let host = format!(
            "void run(half_t* p) {{ cudaLaunchConfig_t c{{}}; c.gridDim = 1; c.blockDim = dim3(32); {before} cudaLaunchKernelEx(&c, k, p); }}"
        );
        assert_eq!(block(&host) == [Code::BlockThreads], found, "{before}");
    }
    // One of the file is everybody's.
    assert!(
        block("dim3 b = dim3(32); void tune() { b = dim3(128); } void run(half_t* p) { k<<<1, b>>>(p); }").is_empty()
    );
}

/// A kernel for 128 threads that is launched with 256.
fn beyond(defined: &str, body: &str) -> Vec<Code> {
    let made = format!(
        "auto c = {COPY}; Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_16, _64>, Stride<_64, _1>>{{}}); auto d = \
         c.get_slice(threadIdx.x).partition_D(g);"
    );
    let body = body.replace("MADE", &made);
    codes(&format!(
        "#include <cute/tensor.hpp>
         using namespace cute;
         {defined}
         __global__ void k(half_t* p, int n) {{ {body} }}
         void run(half_t* p, int n) {{ k<<<1, 256>>>(p, n); }}"
    ))
}

#[test]
fn kernels_that_may_hold_threads_back_are_left_alone() {
    for (defined, body) in [
        ("", "MADE fill(d, half_t(0));"),
        ("", "MADE CUTE_UNROLL for (int i = 0; i < size(d); ++i) d(i) = half_t(0);"),
        ("", "MADE for (int i = 0; i < n; ++i) { fill(d, half_t(i)); __syncthreads(); }"),
        ("", "MADE if (blockIdx.x == 0) fill(d, half_t(0)); if (thread0()) { print(d); }"),
        ("", "MADE auto zero = [&] { fill(d, half_t(0)); }; zero();"),
        ("template <class T> __device__ void zero(T& d) { using L = Layout<_1>; clear(d); }", "MADE zero(d);"),
    ] {
        assert_eq!(beyond(defined, body), [Code::BlockBeyond], "{defined} {body}");
    }
    for (defined, body) in [
        ("#define ONLY_FIRST(n) if (threadIdx.x >= (n)) return", "ONLY_FIRST(128); MADE fill(d, half_t(0));"),
        (
            "#define ONLY_FIRST(n) do { if (threadIdx.x >= (n)) return; } while (0)",
            "ONLY_FIRST(128); MADE fill(d, half_t(0));",
        ),
        ("#define IF_FIRST if (threadIdx.x < 128)", "MADE IF_FIRST fill(d, half_t(0));"),
        ("#define IF_FIRST if (threadIdx.x < 128)", "IF_FIRST { MADE fill(d, half_t(0)); }"),
        ("#define if_first if (threadIdx.x < 128)", "MADE if_first fill(d, half_t(0));"),
        ("", "MADE IF_MMA_WARPS fill(d, half_t(0));"),
        ("", "GUARD(128); MADE fill(d, half_t(0));"),
        ("", "guard(128); MADE fill(d, half_t(0));"),
        (
            "template <class F> __device__ void first_n(int n, F f) { using L = Layout<_1>; if (threadIdx.x < n) f(); }",
            "first_n(128, [&] { MADE fill(d, half_t(0)); });",
        ),
        (
            "template <class T> __device__ void store(T d, int t) { using L = Layout<_1>; if (t < 128) clear(d); }",
            "MADE store(d, threadIdx.x);",
        ),
        ("", "MADE threadIdx.x < 128 && (fill(d, half_t(0)), true);"),
        ("", "MADE threadIdx.x >= 128 || (fill(d, half_t(0)), true);"),
        ("", "MADE bool is = threadIdx.x < 128; is && (fill(d, half_t(0)), true);"),
        ("", "MADE for (int i = 0; i < size(d); ++i) pred(i) && (d(i) = half_t(0), true);"),
        ("", "MADE int m = int(threadIdx.x < 128) * size(d); for (int i = 0; i < m; ++i) d(i) = half_t(0);"),
        (
            "",
            "MADE int a = threadIdx.x / 128; int b = a * size(d); for (int i = b; i < size(d); ++i) d(i) = half_t(0);",
        ),
        ("", "MADE int a = threadIdx.x; if (blockIdx.x == 0 and a < 128) fill(d, half_t(0));"),
        ("", "MADE int a = threadIdx.x; if (blockIdx.x < a) fill(d, half_t(0));"),
    ] {
        assert!(beyond(defined, body).is_empty(), "{defined} {body}");
    }
}
