//! RG035: static shared memory of a kernel, against the 48 KiB that `ptxas` gives any.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::source::{Source, Sources};

fn findings(text: &str) -> Vec<Finding> {
    let files = vec![Source::new("kernel.cu", format!("using namespace cute;\n{HEAD}{text}").into_bytes())];
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{text}");
    report.findings
}

fn codes(text: &str) -> Vec<Code> {
    findings(text).into_iter().map(|finding| finding.code).collect()
}

/// A layout, so that the file is read.
const HEAD: &str = "using Tile = Layout<Shape<_128, _64>, Stride<_64, _1>>;\n";

fn of(body: &str) -> Vec<Code> {
    codes(&format!("__global__ void kernel(float* out, int n) {{ {body} }}"))
}

/// Mutants around the limit, in each way to write an array: what this file counts itself is what is found.
#[test]
fn mutants_around_the_limit() {
    let (mut wrong, mut right) = (0, 0);
    for (ty, size) in [
        ("float", 4),
        ("half_t", 2),
        ("cutlass::bfloat16_t", 2),
        ("unsigned char", 1),
        ("uint64_t", 8),
        ("float4", 16),
        ("volatile int", 4),
    ] {
        let most = 49_152 / size;
        for count in [1, most / 2, most - 1, most, most + 1, 2 * most] {
            let bytes = count * size;
            for declaration in [
                format!("__shared__ {ty} s[{count}];"),
                format!("__shared__ alignas(128) {ty} s[{count}];"),
                format!("static __shared__ __align__(16) {ty} s[{count}];"),
                format!("constexpr int kCount = {count}; __shared__ {ty} s[kCount];"),
                format!("__shared__ {ty} s[{count}][1];"),
                format!("struct Storage {{ {ty} s[{count}]; }}; __shared__ Storage s;"),
            ] {
                if ty.starts_with("volatile") && declaration.starts_with("struct") {
                    continue;
                }
                let expected: &[Code] = if bytes > 49_152 { &[Code::StaticShared] } else { &[] };
                assert_eq!(of(&format!("{declaration} fill(s, out);")), expected, "{declaration}");
                if bytes > 49_152 { wrong += 1 } else { right += 1 }
            }
        }
    }
    assert!(wrong > 70 && right > 140, "{wrong} {right}");
}

/// Tiles and classes, whose sizes are those of layouts.
#[test]
fn tiles_and_classes() {
    let storage =
        "struct Storage { array_aligned<half_t, cosize_v<Tile>> a; array_aligned<half_t, cosize_v<Tile>> b; };";
    for body in [
        "__shared__ half_t a[cosize_v<Tile>][4]; fill(a);".to_owned(),
        "__shared__ cute::array_aligned<float, 2 * cosize_v<Tile>> s; fill(s.data());".to_owned(),
        format!("{storage} __shared__ Storage s[2]; fill(s[0].a);"),
        format!("{storage} __shared__ Storage s; __shared__ float t[4097]; fill(s.a); fill(t);"),
        "__shared__ union { float a[12289]; float b[4]; } s; fill(s.a);".to_owned(),
        "union U { float a[12289]; float b[4]; }; __shared__ U s; fill(s.a);".to_owned(),
        // What else there is may have any size.
        "__shared__ float a[12288], b[1]; fill(a, b);".to_owned(),
        "__shared__ typename Other::Storage s; __shared__ float a[12289]; fill(a, s);".to_owned(),
        "struct S { Barrier full[4]; float a[12289]; }; __shared__ S s; fill(s.a);".to_owned(),
    ] {
        assert_eq!(of(&body), [Code::StaticShared], "{body}");
    }
    for body in [
        "__shared__ half_t a[cosize_v<Tile>][3]; fill(a);".to_owned(),
        format!("{storage} __shared__ Storage s; __shared__ float t[4096]; fill(s.a); fill(t);"),
        "__shared__ union { float a[12288]; float b[12288]; } s; fill(s.a);".to_owned(),
        "union U { float a[12288]; float b[12288]; }; __shared__ U s; fill(s.a);".to_owned(),
        "struct S { union { float a[12288]; float b[12288]; }; }; __shared__ S s; fill(s.a);".to_owned(),
        // Pointers are eight bytes, or not known; what is dynamic or a reference takes nothing.
        "__shared__ float* a[5000]; fill(a);".to_owned(),
        "extern __shared__ float a[]; float (&b)[20000] = *reinterpret_cast<float (*)[20000]>(a); fill(b);".to_owned(),
        "extern __shared__ float a[20000]; fill(a);".to_owned(),
        "float a[20000]; fill(a);".to_owned(),
        "__shared__ Barrier s[20000]; fill(s);".to_owned(),
        "__shared__ float s[N]; fill(s);".to_owned(),
        "__shared__ int4_t s[49152]; fill(s);".to_owned(),
    ] {
        assert_eq!(of(&body), [], "{body}");
    }
    // An array of somebody's own is as large as it says.
    let own = |member: &str| {
        let class = format!("template <class T, int N> struct Array {{ {member} }};");
        codes(&format!("{class}\n__global__ void k(float* out) {{ __shared__ Array<float, 20000> s; fill(s); }}"))
    };
    assert_eq!(own("T* p;"), []);
    assert_eq!(own("T p[N];"), [Code::StaticShared]);
    // The function of a device is none that ptxas gives memory by itself, and one of a namespace is dynamic or another's.
    assert_eq!(codes("__device__ void f() { __shared__ float s[20000]; fill(s); }"), []);
    assert_eq!(codes("__shared__ float s[20000];\n__global__ void k(float* out) { fill(s); }"), []);
    assert_eq!(codes("void k() { __shared__ float s[20000]; fill(s); }"), []);
}

/// What lives together.
#[test]
fn blocks_and_sides() {
    for body in [
        "__shared__ float a[8192]; { __shared__ float b[8192]; fill(a, b); }",
        "for (int i = 0; i < n; ++i) { __shared__ float a[12289]; fill(a); }",
        "if (threadIdx.x < 32) { __shared__ float a[12289]; fill(a); }",
        "\n#if __CUDA_ARCH__ >= 900\n__shared__ float a[12289]; fill(a);\n#endif\n",
        "\n#if WIDE\n__shared__ float a[16384];\n#else\n__shared__ float a[12289];\n#endif\nfill(a);",
        "if constexpr (true) { __shared__ float a[12289]; fill(a); }",
        "\n#if 1\n__shared__ float a[12289];\n#endif\n__shared__ float b[12289]; fill(b);",
    ] {
        assert_eq!(of(body), [Code::StaticShared], "{body}");
    }
    for body in [
        "{ __shared__ float a[8192]; fill(a); } { __shared__ float b[8192]; fill(b); }",
        "if constexpr (true) { __shared__ float a[8192]; fill(a); } else { __shared__ float b[8192]; fill(b); }",
        "if constexpr (false) { __shared__ float a[12289]; fill(a); }",
        "if constexpr (kWide) { __shared__ float a[12289]; fill(a); }",
        "if (false) { __shared__ float a[12289]; fill(a); }",
        "if constexpr (true) { return; } __shared__ float a[12289]; fill(a);",
        "\n#if WIDE\n__shared__ float a[12289]; fill(a);\n#endif\n",
        "\n#if 0\n__shared__ float a[12289]; fill(a);\n#endif\n",
        "\n#if WIDE\n__shared__ float a[16384];\n#else\n__shared__ float a[12288];\n#endif\nfill(a);",
        "\n#if WIDE\n__shared__ float a[8192]; fill(a);\n#else\n__shared__ float b[8192]; fill(b);\n#endif\n",
        "\n#if __CUDA_ARCH__ >= 900\n__shared__ float a[8192]; fill(a);\n#endif\n#if __CUDA_ARCH__ >= 800\n__shared__ float b[8192]; fill(b);\n#endif\n",
        "\n#if __CUDA_ARCH__ < 300\n__shared__ float a[12289]; fill(a);\n#endif\n",
        "__shared__ float a[12289];\n#ifdef USES\nfill(a);\n#endif\n",
    ] {
        assert_eq!(of(body), [], "{body}");
    }
}

/// What nobody uses, compilers leave out.
#[test]
fn what_is_not_used() {
    for body in [
        "__shared__ float a[12289];",
        "__shared__ float a[12289]; (void)a; /* a[0] = 1; */",
        "__shared__ float a[12289]; if constexpr (kUse) { fill(a); }",
        "__shared__ float a[12289]; if (kUse) { fill(a); }",
        "__shared__ float a[12289]; float* p = a; if constexpr (kUse) { fill(p); }",
        "__shared__ float a[12289]; out[0] = sizeof(a);",
    ] {
        assert_eq!(of(body), [], "{body}");
    }
    let body = "__shared__ float a[12289]; float* p = a; if (n > 4) { fill(p); }";
    assert_eq!(of(body), [Code::StaticShared]);
}

/// Templates hold what their instances and launches give them.
#[test]
fn templates_and_launches() {
    let kernel = "template <int N, class T>\n__global__ void kernel(T* out) { __shared__ T s[N][64]; fill(s, out); }\n";
    for (use_, wrong) in [
        ("template __global__ void kernel<192, float>(float*);", false),
        ("template __global__ void kernel<193, float>(float*);", true),
        ("void run(float* p) { kernel<192, float><<<1, 128>>>(p); }", false),
        ("void run(float* p) { kernel<193, float><<<1, 128>>>(p); }", true),
        ("void run(half_t* p) { kernel<384, half_t><<<1, 128>>>(p); }", false),
        ("void run(half_t* p) { kernel<385><<<1, 128>>>(p); }", true),
        (
            "template <int N> void run(float* p) { kernel<N, float><<<1, 128>>>(p); }\ntemplate void run<256>(float*);",
            true,
        ),
        // What is only listed may never be compiled.
        ("", false),
    ] {
        let expected: &[Code] = if wrong { &[Code::StaticShared] } else { &[] };
        assert_eq!(codes(&format!("{kernel}{use_}")), expected, "{use_}");
    }
    let found = findings(&format!("{kernel}template __global__ void kernel<193, float>(float*);"));
    let notes = &found[0].notes;
    assert!(notes.iter().any(|note| note.contains("N = 193")), "{notes:?}");
    assert_eq!(
        found[0].title,
        "kernel has 49408 bytes of static shared memory, and no kernel may have more than 49152"
    );
    let some = "struct S { Barrier full[4]; float a[12289]; };\n__global__ void k() { __shared__ S s; fill(s); }";
    assert_eq!(
        findings(some)[0].title,
        "k has at least 49156 bytes of static shared memory, and no kernel may have more than 49152"
    );
    // What hangs on nothing is too much in every instance.
    let text = "template <int N>\n__global__ void kernel(float* out) { __shared__ float s[12289]; __shared__ float t[N]; fill(s, t); }";
    assert_eq!(codes(text), [Code::StaticShared]);
    // An arm that an instance does not have.
    let text = |wide: bool| {
        format!(
            "template <bool Wide>\n__global__ void kernel(float* out) {{
               if constexpr (Wide) {{ __shared__ float s[12289]; fill(s); }} else {{ __shared__ float s[64]; fill(s); }}
             }}\ntemplate __global__ void kernel<{wide}>(float*);"
        )
    };
    assert_eq!(codes(&text(true)), [Code::StaticShared]);
    assert_eq!(codes(&text(false)), []);
}

/// Other devices have other limits.
#[test]
fn other_devices() {
    let kernel = "__global__ void kernel(float* out) { __shared__ float s[12289]; fill(s); }";
    assert_eq!(codes(kernel), [Code::StaticShared]);
    for other in ["#include <hip/hip_runtime.h>\n", "#ifdef USE_ROCM\n#endif\n", "#if defined(__HIPCC__)\n#endif\n"] {
        assert_eq!(codes(&format!("{other}{kernel}")), [], "{other}");
    }
}
