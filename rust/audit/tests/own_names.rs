//! Functions and classes of somebody's own that have the names of CuTe's, and swizzles that are named without being made: nothing is said of
//! them. The same beside CuTe's own name is found.

use crate::common;

use common::codes;
use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn of(files: &[(&str, &str)]) -> Vec<Code> {
    let files = files.iter().map(|(name, text)| Source::new(*name, text.as_bytes().to_vec())).collect();
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    report.findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn a_swizzle_of_ones_own_is_not_cutes() {
    let inline = "namespace mine { inline namespace v2 { template <int R, int C, int P> struct Swizzle { }; } }
        namespace mine { using B = Swizzle<4, 3, 0>; }";
    assert_eq!(of(&[("k.cu", inline)]), []);
    let header = "#pragma once\nnamespace mine { template <int R, int C, int P> struct Swizzle { }; }";
    let uses = "#include \"sw.hpp\"\nnamespace mine { using B = Swizzle<4, 3, 0>; }";
    assert_eq!(of(&[("k.cu", uses), ("sw.hpp", header)]), []);
    // Somebody else's header says nothing of a file that does not include it.
    let other = "namespace mine { using B = Swizzle<4, 3, 0>; }";
    assert_eq!(of(&[("k.cu", other), ("sw.hpp", header)]), [Code::Swizzle]);
    let function =
        "namespace t { template <int B, int M, int S> constexpr int Swizzle(int x) { return x ^ (B + M + S); }
        constexpr int q = Swizzle<4, 3, 2>(7); }";
    assert_eq!(of(&[("k.cu", function)]), []);
    let said =
        "namespace mine { template <int R, int C, int P> struct Swizzle { }; }\nusing B = cute::Swizzle<4, 3, 0>;";
    assert_eq!(of(&[("k.cu", said)]), [Code::Swizzle]);
}

#[test]
fn functions_of_ones_own_are_not_cutes() {
    let call = "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>, Stride<_9,_1>>{},
        Layout<Shape<_1,_4>>{})";
    let own =
        "namespace kern { template <class A, class S, class N> auto make_tiled_copy(A a, S s, N n) { return a; } }";
    assert_eq!(codes(&format!("{own}\nusing C = decltype(kern::{call});")), []);
    assert_eq!(codes(&format!("{own}\nusing C = decltype(cute::{call});")), [Code::TiledCopy]);
    assert_eq!(codes(&format!("using C = decltype({call});")), [Code::TiledCopy]);
    // Whatever a namespace has that no file opens, it is not CuTe's; unless that is what it is called.
    assert_eq!(codes(&format!("using C = decltype(kern::{call});")), []);
    assert_eq!(codes(&format!("namespace ct = cute;\nusing C = decltype(ct::{call});")), [Code::TiledCopy]);
    let lambda = format!(
        "auto f() {{ auto make_tiled_copy = [](auto a, auto pitch, auto) {{ return pitch; }}; return {call}; }}"
    );
    assert_eq!(codes(&lambda), []);
    let composed = "composition(Layout<Shape<_6,_2>, Stride<_1,_7>>{}, Layout<Shape<_3,_2>, Stride<_2,_3>>{})";
    let own = "namespace fn { template <class F, class G> constexpr auto composition(F f, G g) { return g; } }";
    assert_eq!(codes(&format!("{own}\nauto R = fn::{composed};")), []);
    let member = |own: &str| {
        format!(
            "struct Sched {{ {own}
               __device__ int run() const {{
                 return local_partition(t, Layout<Shape<_32,_8>, Stride<_64,_1>>{{}}, threadIdx.x); }} }};"
        )
    };
    let own = "template <class T, class L> __device__ int local_partition(T t, L, int i) const { return t + i; }";
    assert_eq!(codes(&member(own)), []);
    assert_eq!(codes(&member("")), [Code::LocalPartition]);
}

#[test]
fn traits_and_alignments_of_ones_own_mean_what_their_files_say() {
    let mma = |own: &str| {
        format!(
            "namespace sim {{ using namespace cute; {own} struct Op16 {{}};
             template <> struct MMA_Traits<Op16> {{
               using Shape_MNK = Shape<_16,_16,_16>; using ThrID = Layout<_32>;
               using ALayout = Layout<Shape<_4,_4>, Stride<_1,_4>>; using BLayout = ALayout; using CLayout = ALayout;
             }}; }}"
        )
    };
    assert_eq!(codes(&mma("template <class Op> struct MMA_Traits;")), []);
    assert_eq!(codes(&mma("")), [Code::Uneven]);
    let own = "namespace ours { template <int Bytes> struct AutoVectorizingCopyWithAssumedAlignment { }; }";
    let used = "using Copy = ours::AutoVectorizingCopyWithAssumedAlignment<sizeof(cute::uint128_t)>;";
    assert_eq!(codes(&format!("{own}\n{used}")), []);
    assert_eq!(
        codes("using Copy = AutoVectorizingCopyWithAssumedAlignment<sizeof(uint128_t)>;"),
        [Code::AlignmentInBytes]
    );
}

#[test]
fn what_names_a_swizzle_makes_none() {
    for text in [
        "template <int B> using Sw = std::conditional_t<(B <= 3), Swizzle<B, 3, 3>, Swizzle<3, 3, 3>>;
         using A = decltype(composition(Sw<4>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{}));",
        "template <class S> struct is_valid : std::true_type {}; template <> struct is_valid<Swizzle<5,0,1>> : std::false_type {};",
        "#define EXAMPLE_OF_A_BAD_SWIZZLE cute::Swizzle<4, 3, 2>",
        "#define EXAMPLE \\\n  cute::Swizzle<4, 3, 2>\n",
    ] {
        assert_eq!(codes(text), [], "{text}");
    }
    for text in [
        "using S = Swizzle<4, 3, 2>;",
        "auto s = Swizzle<4, 3, 2>{};",
        "using L = ComposedLayout<Swizzle<4, 3, 2>, _0, Layout<Shape<_8,_64>, Stride<_64,_1>>>;",
        "#define A 4\nusing S = Swizzle<4, 3, 2>;",
    ] {
        assert_eq!(codes(text), [Code::Swizzle], "{text}");
    }
}

/// A class means the one in a header that is included; of two that might be meant nothing is said.
#[test]
fn classes_of_one_name_in_two_headers() {
    let traits = |pad: u32| {
        format!(
            "#pragma once\nstruct Traits {{ using L = Layout<Shape<_64,_64>, Stride<Int<{pad}>,_1>>; static constexpr int kPad = {pad}; }};"
        )
    };
    let kernel = |header: &str, array: u32| {
        format!(
            "{header}#include <cute/tensor.hpp>\n__global__ void k(half_t* p) {{ __shared__ half_t st[64*{array}];
             Tensor s = make_tensor(make_smem_ptr(st), Traits::L{{}}); p[0] = s(0); }}"
        )
    };
    let run =
        |files: &[(&str, String)]| of(&files.iter().map(|(path, text)| (*path, text.as_str())).collect::<Vec<_>>());
    let own = "#include \"traits.h\"\n";
    let two = |array: u32, header: &str| {
        [
            ("x/traits.h", traits(80)),
            ("x/kernel.cu", kernel(own, 80)),
            ("y/traits.h", traits(72)),
            ("y/kernel.cu", kernel(header, array)),
        ]
    };
    assert_eq!(run(&two(72, own)), []);
    assert_eq!(run(&two(71, own)), [Code::SmallArray]);
    // Templates, too.
    let templates = two(72, own).map(|(path, text)| {
        let text = text
            .replace("struct Traits {", "template <int N> struct Traits {")
            .replace("Traits::L{}", "Traits<1>::L{}");
        (path, text)
    });
    assert_eq!(run(&templates), []);
    let wrong = templates.map(|(path, text)| (path, text.replace("st[64*72]", "st[64*71]")));
    assert_eq!(run(&wrong), [Code::SmallArray]);
    // What is included is not known, and either may be meant.
    assert_eq!(run(&two(60, "")), []);
    // The same in both.
    let alike = [("x/traits.h", traits(80)), ("y/traits.h", traits(80)), ("kernel.cu", kernel("", 64))];
    assert_eq!(run(&alike), [Code::SmallArray]);
}
