//! Bytes where bits are asked for, on whatever way the number of bytes comes there; alignments of arrays in all words; arrays by `size`.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(text: &str) -> Vec<Code> {
    let text = format!("#include <cute/tensor.hpp>\n{text}");
    let sources = Sources { files: vec![Source::new("a.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
}

/// `AV` stands for the template that takes bits.
fn aligned(text: &str) -> Vec<Code> {
    codes(&text.replace("AV<", "cute::AutoVectorizingCopyWithAssumedAlignment<"))
}

fn wrong(texts: &[&str]) {
    for text in texts {
        assert_eq!(aligned(text), [Code::AlignmentInBytes], "{text}");
    }
}

fn silent(texts: &[&str]) {
    for text in texts {
        assert!(aligned(text).is_empty(), "{text}");
    }
}

#[test]
fn bytes_that_come_through_templates() {
    wrong(&[
        "template <int A> using Op = AV<A>; using X = Op<sizeof(cute::uint128_t)>;",
        "template <int A> using Op = AV<A>; using Y = Op<16>; using X = Op<sizeof(float) * 4>;",
        "template <int A> using Op = AV<A>; using X = Op<alignof(float4)>;",
        "template <class T, int A> struct S { using Op = AV<A>; }; using X = S<float, sizeof(uint4)>::Op;",
        "template <class T, int A> auto f() { using Op = AV<A>; return cute::Copy_Atom<Op, T>{}; } auto c = f<float, sizeof(uint4)>();",
        "template <class T, int N> struct S { using Op = AV<N * sizeof(T)>; }; using X = S<float, 4>::Op;",
        "template <class T, int kVec> struct S { using Op = AV<kVec * sizeof(T)>; }; template struct S<cute::half_t, 8>;",
        "template <class T, int N = 16 / sizeof(T)> struct S { using Op = AV<N * sizeof(T)>; }; using X = S<cute::half_t>::Op;",
        "template <class T> void f() { constexpr int kA = sizeof(T); copy(AV<kA>{}, a, b); } template void f<uint4>();",
        "template <class T, int kBytes> __global__ void k(T* p) { copy(AV<kBytes>{}, a, b); } void r(float* p) { k<float, 16><<<1, 1>>>(p); }",
    ]);
    silent(&[
        "template <int A> using Op = AV<A>; using X = Op<16>;",
        "template <int A> using Op = AV<A>; using X = Op<8 * sizeof(cute::uint128_t)>;",
        "template <int A> using Op = AV<A>; using X = Op<cute::sizeof_bits_v<float>>;",
        "template <int A> using Op = AV<A * 8>; using X = Op<sizeof(cute::uint128_t)>;",
        // Eight of something, which may be bits of a byte.
        "template <class T, int N> struct S { using Op = AV<N * sizeof(T)>; }; template struct S<cute::half_t, 8>;",
        // Nobody says what they are.
        "template <int kBytes> using Op = AV<kBytes>;",
    ]);
}

#[test]
fn bytes_that_come_through_constants() {
    wrong(&[
        "struct Cfg { static constexpr int kAccess = sizeof(uint4); }; using X = AV<Cfg::kAccess>;",
        "struct Cfg { enum { kAccess = sizeof(uint4) }; }; using X = AV<Cfg::kAccess>;",
        "struct Base { static constexpr int kA = sizeof(uint4); }; struct D : Base {}; using X = AV<D::kA>;",
        "namespace n { inline constexpr std::size_t kA = sizeof(uint4); } using X = AV<n::kA>;",
        "template <class T> inline constexpr int kAccess = sizeof(T); using X = AV<kAccess<uint4>>;",
        "template <bool W> struct C { static constexpr int kA = W ? sizeof(uint4) : sizeof(float); }; using X = AV<C<true>::kA>;",
        "constexpr size_t a() { return sizeof(uint4); } using X = AV<a()>;",
        "template <class T> constexpr int a() { return 4 * sizeof(T); } using X = AV<a<float>()>;",
        "using X = AV<cute::C<sizeof(uint4)>::value>;",
        "#define VEC_ALIGN (sizeof(float4))\nusing X = AV<VEC_ALIGN>;",
        "#define VEC_ALIGN sizeof(cute::uint128_t)\nusing X = AV<VEC_ALIGN>;",
        "#define VEC_ALIGN (alignof(float4))\nusing X = AV<VEC_ALIGN>;",
        "using X = AV<cute::sizeof_bytes_v<cute::uint128_t>>;",
        "using X = AV<cute::sizeof_bits_v<float> * 4 / 8>;",
    ]);
    silent(&[
        "struct Cfg { static constexpr int kAccess = sizeof(uint4) * 8; }; using X = AV<Cfg::kAccess>;",
        "struct Cfg { static constexpr int kAccess = cute::sizeof_bits_v<float>; }; using X = AV<Cfg::kAccess>;",
        "template <bool W> struct C { static constexpr int kA = W ? 16 : sizeof(float); }; using X = AV<C<true>::kA>;",
        "constexpr size_t a() { return 8 * sizeof(uint4); } using X = AV<a()>;",
        "#define VEC_ALIGN (sizeof(float4) * 8)\nusing X = AV<VEC_ALIGN>;",
        "#define VEC_ALIGN sizeof(float4) * 8\nusing X = AV<VEC_ALIGN>;",
        "using X = AV<sizeof(float) << 3>;",
        "using X = AV<sizeof(float) * 2 * 4>;",
        "constexpr int kA = sizeof(float) * 4; using X = AV<kA * 2>;",
        // The bits of each of eight threads.
        "constexpr int kThreads = 8; using X = AV<cute::sizeof_bits_v<float> * 8 / kThreads>;",
        "struct Vec { float x[4]; }; struct Cfg { static constexpr int kA = 8 * sizeof(Vec); }; using X = AV<Cfg::kA>;",
    ]);
}

#[test]
fn bytes_by_the_name_of_a_constant() {
    wrong(&[
        "constexpr int kAlignmentBytes = 16; using X = AV<kAlignmentBytes>;",
        "#define ALIGN_BYTES 16\nusing X = AV<ALIGN_BYTES>;",
        "template <class T> struct Vec { static constexpr int kBits = 128; static constexpr int kBytes = kBits / 8; }; using X = AV<Vec<float>::kBytes>;",
        "struct Vec { static constexpr int kBits = 128; static constexpr int kSize = kBits / 8; }; using X = AV<Vec::kSize>;",
    ]);
    silent(&[
        "constexpr int kAlignment = 16; using X = AV<kAlignment>;",
        "constexpr int kBits = 16; using X = AV<kBits>;",
        "constexpr int kAlignmentBytes = 16; using X = AV<kAlignmentBytes * 8>;",
        "constexpr int kBitsPerByte = 8; constexpr int kBytes = 2; using X = AV<kBytes * kBitsPerByte>;",
        // As good as 128 bits.
        "constexpr int kAlignBytes = 128; using X = AV<kAlignBytes>;",
        "constexpr int kBytesLog2 = 4; using X = AV<kBytesLog2>;",
        "using X = AV<16>;",
    ]);
}

/// An array of a kernel, and what stands before its name and after it.
fn array(before: &str, after: &str) -> Vec<Code> {
    codes(&format!(
        "using namespace cute;
         using SL = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{{}}, Shape<_64, _64>{{}}));
         __global__ void k() {{
           __shared__ {before} half_t b{after};
           Tensor s = make_tensor(make_smem_ptr(b), SL{{}});
         }}"
    ))
}

#[test]
fn alignments_of_arrays_in_all_words() {
    for extent in ["[cosize_v<SL>]", "[cosize(SL{})]", "[64 * 64]", "[4096]"] {
        for (bytes, expected) in
            [("16", vec![Code::Misaligned]), ("64", vec![Code::Misaligned]), ("1024", vec![]), ("kAlign", vec![])]
        {
            for before in ["alignas(#)", "__align__(#)", "CUTE_ALIGNAS(#)", "__attribute__((aligned(#)))"] {
                let before = before.replace('#', bytes);
                assert_eq!(array(&before, extent), expected, "{before} {extent}");
            }
        }
        assert!(array("", extent).is_empty(), "{extent}");
    }
    // The array itself is aligned, and the words are another's.
    assert!(array("__align__(16) alignas(1024)", "[4096]").is_empty());
}

#[test]
fn alignments_of_tensors_that_lie_elsewhere() {
    let text = |declared: &str, pointer: &str| {
        format!(
            "using namespace cute;
             using SL = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{{}}, Shape<_64, _64>{{}}));
             struct S {{ alignas(16) half_t a[4096]; }};
             __global__ void k(half_t* p) {{ {declared} Tensor s = make_tensor(make_smem_ptr({pointer}), SL{{}}); }}"
        )
    };
    assert_eq!(codes(&text("__shared__ alignas(16) half_t b[4096];", "b")), [Code::Misaligned]);
    assert_eq!(codes(&text("__shared__ alignas(16) cute::array<half_t, 4096> b;", "b.data()")), [Code::Misaligned]);
    for (declared, pointer) in [
        ("extern __shared__ alignas(16) half_t b[];", "b"),
        ("__shared__ alignas(1024) S b;", "b.a"),
        ("__shared__ alignas(16) half_t b[8192];", "b + 4096"),
        ("alignas(16) half_t b[4096];", "b"),
        ("", "p"),
    ] {
        assert!(codes(&text(declared, pointer)).is_empty(), "{declared} {pointer}");
    }
    // A swizzle of elements is nobody's but the kernel's.
    let own = text("__shared__ alignas(16) half_t b[4096];", "b").replace(
        "decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}))",
        "decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_64,_64>, Stride<_64,_1>>{}))",
    );
    assert!(codes(&own).is_empty());
}

#[test]
fn alignments_of_classes() {
    let text = |head: &str, declared: &str| {
        format!(
            "using namespace cute;
             using SL = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{{}}, Shape<_64, _64>{{}}));
             {head} {{ half_t a[cosize_v<SL>]; }};
             __global__ void k() {{ {declared} Storage s; f(s); }}"
        )
    };
    for head in
        ["struct __align__(16) Storage", "struct alignas(16) Storage", "struct Storage : cute::aligned_struct<16, Tag>"]
    {
        assert_eq!(codes(&text(head, "__shared__")), [Code::Misaligned], "{head}");
        // An object may be aligned better than its class.
        for declared in ["__shared__ alignas(1024)", "__shared__ __align__(kAlign)", ""] {
            assert!(codes(&text(head, declared)).is_empty(), "{head} {declared}");
        }
    }
    for head in [
        "struct __align__(1024) Storage",
        "struct Storage : cute::aligned_struct<128>",
        "struct Storage",
        "struct alignas(kAlign) Storage",
    ] {
        assert!(codes(&text(head, "__shared__")).is_empty(), "{head}");
    }
}

#[test]
fn arrays_by_size_in_other_words() {
    let text = |before: &str, extent: &str, stride: &str| {
        format!(
            "using namespace cute;
             using SL = Layout<Shape<_8,_64>, Stride<{stride},_1>>;
             __global__ void k() {{ {before} __shared__ half_t b[{extent}]; copy(make_tensor(make_smem_ptr(b), SL{{}}), d); }}"
        )
    };
    for (before, extent) in [
        ("", "size(SL{})"),
        ("", "decltype(size(SL{}))::value"),
        ("constexpr int kSize = size(SL{});", "kSize"),
        ("constexpr int kSize = decltype(size(SL{}))::value;", "kSize"),
    ] {
        let found = [Code::SmallArray];
        assert_eq!(codes(&text(before, extent, "_72")), found, "{before} {extent}");
        assert!(codes(&text(before, extent, "_64")).is_empty(), "{before} {extent}");
    }
    for (before, extent) in [
        ("constexpr int kSize = cosize(SL{});", "kSize"),
        ("constexpr int kSize = size(SL{}) + 64;", "kSize"),
        ("constexpr int kSize = size(SL{}); { constexpr int kSize = 1024; f(SL{}); }", "kSize + 64"),
        ("int kSize = size(SL{}); kSize = 1024;", "kSize"),
    ] {
        let other = text(before, extent, "_72").replace("make_smem_ptr(b)", "make_smem_ptr(c)");
        assert!(codes(&other).is_empty(), "{before} {extent}");
        assert!(!codes(&text(before, extent, "_72")).contains(&Code::SizedArray), "{before} {extent}");
    }
}
