//! `sizeof` of classes with arrays of classes, unions without a name and bases: what a launch asks for (RG031), in bytes.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

/// What is said of a launch that asks for the size of `S`, defined by a text.
fn said(classes: &str) -> Vec<(Code, String)> {
    let text = format!(
        "#include <cute/tensor.hpp>\nusing namespace cute;\n{classes}
         __global__ void k(float* o) {{ extern __shared__ char raw[]; o[threadIdx.x] = raw[threadIdx.x]; }}
         void run(float* o) {{ int smem = sizeof(S); k<<<1, 128, smem>>>(o); }}"
    );
    let report = audit_sources(Sources { files: vec![Source::new("k.cu", text.into())], unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{classes}");
    report.findings.into_iter().map(|finding| (finding.code, finding.title)).collect()
}

const STAGE: &str = "struct Stage { alignas(128) float a[100]; char c; };";
const BASE: &str = "struct Base { float b[33]; };";
const POINT: &str = "struct Point { double d; char c; };";

/// The sizes are those of g++ 12 for x86-64, whose layout of classes nvcc uses too.
#[test]
fn sizes_of_classes() {
    for (classes, size) in [
        (format!("{STAGE} struct S {{ Stage kv[3]; float q[100000]; }};"), 401_536),
        (format!("{STAGE} struct S {{ char c; Stage s[2][3]; float q[100000]; }};"), 403_200),
        (format!("{STAGE} struct S {{ std::array<Stage, 2> s; float q[100000]; }};"), 401_024),
        ("struct S { float x; union { double d[5]; alignas(64) float f[3]; }; char q[400000]; };".to_owned(), 400_128),
        (
            "struct S { struct Stage { alignas(32) float a[9]; } kv[4]; union { float u[7]; char v[40]; } p; char q[400000]; };"
                .to_owned(),
            400_320,
        ),
        (format!("{BASE} struct S : Base {{ alignas(16) char c[400000]; }};"), 400_144),
        (
            "struct alignas(256) A { float a[5]; }; struct S { char c; A s; struct { int k; double m; }; char q[400000]; };"
                .to_owned(),
            400_640,
        ),
        ("struct S { static constexpr int N = 4; union { float a[N]; double b; } u; char q[400000]; };".to_owned(), 400_016),
    ] {
        let title = format!(
            "this launch requests {size} bytes of shared memory, but a block has at most 232448"
        );
        assert_eq!(said(&classes), [(Code::BlockThreads, title)], "{classes}");
    }
}

/// Where a size depends on more than is known, the smallest that it can be is shown.
#[test]
fn lower_bounds() {
    for (classes, least) in [
        // Whether a member follows in the padding of a base depends on what else the base has.
        (format!("{POINT} struct S : Point {{ char q[400000]; }};"), 400_016),
        ("struct S { virtual void f(); char q[400000]; };".to_owned(), 400_000),
        ("struct Stage { Unknown u; char c[100]; }; struct S { Stage s[4000]; };".to_owned(), 400_000),
        (format!("{BASE} struct S : Base, Unknown {{ char q[400000]; }};"), 400_132),
    ] {
        let title =
            format!("this launch requests at least {least} bytes of shared memory, but a block has at most 232448");
        assert_eq!(said(&classes), [(Code::BlockThreads, title)], "{classes}");
    }
}

#[test]
fn near_misses_are_silent() {
    for classes in [
        // Members of a union share their bytes; of three arrays of classes 160 KB are one.
        "struct S { union { float a[10000]; float b[10000]; }; char q[9152]; };",
        "struct Stage { float a[4000]; }; struct S { Stage* kv[3]; Stage s[3]; };",
        "struct Stage { float a[4000]; }; struct S { static Stage kv[9]; struct Stage2 { Stage kv[9]; }; Stage s[3]; };",
        "struct Base { float b[6144]; }; struct S : Base { float c[6144]; };",
        "#pragma pack(push, 1)\nstruct A { char c; double d; }; struct S { A a[4096]; };\n#pragma pack(pop)",
        "#pragma  pack(push, 1)\nstruct A { char c; double d; }; struct S { A a[4096]; };\n#pragma  pack(pop)",
        "struct A { A(); double d; char c; }; struct B { [[no_unique_address]] A a; char c; }; struct S { B b[3072]; };",
        "struct V { float v[6000]; }; struct A : virtual V {}; struct B : virtual V {}; struct C : virtual V {};
         struct S : A, B, C {};",
        "template <class T, int N> struct array { T* p; }; struct S { array<float, 100000> a; };",
    ] {
        assert_eq!(said(classes), [], "{classes}");
    }
    for classes in [
        "struct S { union { float a[10000]; float b[10000]; }; char q[9153]; };",
        "struct Base { float b[6144]; }; struct S : Base { float c[6145]; };",
    ] {
        assert_eq!(
            said(classes).into_iter().map(|(code, _)| code).collect::<Vec<_>>(),
            [Code::LaunchShared],
            "{classes}"
        );
    }
}
