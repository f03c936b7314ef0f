//! Trees as people have them: programs beside each other, headers without a layout, namespaces and brackets that the grammar loses.

use razorgirl_audit::audit_sources;
use razorgirl_audit::report::Report;
use razorgirl_audit::source::{Source, Sources};

fn audit(files: &[(&str, &str)]) -> Report {
    let files = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    audit_sources(Sources { files, unreadable: Vec::new() }, None)
}

/// The rules of the findings.
fn rules(files: &[(&str, &str)]) -> Vec<String> {
    audit(files).findings.iter().map(|finding| finding.code.id().to_owned()).collect()
}

/// The layouts that are known, in the order of the text.
fn known(files: &[(&str, &str)]) -> Vec<String> {
    let mut known = audit(files).known;
    known.sort_by_key(|known| known.place);
    known.iter().map(|known| format!("{}:{}", known.shape, known.stride)).collect()
}

/// A program with a template of a common name, instantiated by a function of a common name.
fn program(stride: &str, rows: u32, columns: u32) -> String {
    format!(
        "using namespace cute;
namespace spec {{ template <class T, int kRows, int kCols> struct Spec {{
  using L = decltype(make_layout(make_shape(Int<8>{{}}, Int<32>{{}}), make_stride({stride}, Int<1>{{}})));
}}; }}
template <class T, int kN> void run() {{ using S = spec::Spec<T, {rows}, kN>; typename S::L l; }}
void go() {{ run<half_t, {columns}>(); }}"
    )
}

#[test]
fn programs_do_not_see_each_others_templates() {
    let big = program("Int<kCols>{}", 128, 64);
    let small = program("Int<kCols * 8>{}", 16, 4);
    assert_eq!(known(&[("big.cu", &big), ("small.cu", &small)]), ["(8,32):(64,1)", "(8,32):(32,1)"]);
    assert_eq!(rules(&[("big.cu", &big), ("small.cu", &small)]), [""; 0]);
    // Its own value is wrong.
    let wrong = program("Int<kCols>{}", 16, 4);
    assert_eq!(rules(&[("big.cu", &big), ("small.cu", &wrong)]), ["RG002"]);
    // A program that another includes is part of it: then it is not known which function is meant, and both values are tried.
    let includes = format!("#include \"small.cu\"\n{big}");
    assert_eq!(known(&[("big.cu", &includes), ("small.cu", &small)]).len(), 4);
}

#[test]
fn static_functions_of_one_name_in_two_programs() {
    let text = |columns: u32| {
        format!(
            "template <class T> static int base(T const* a) {{
  auto const rows{{cute::Int<128 * 2 / sizeof(T)>{{}}}};
  auto const layout{{cute::make_layout(cute::make_shape(rows, cute::Int<{columns}>{{}}))}};
  return size(layout);
}}
template <class T> int launch(T const* a) {{ return base(a); }}
template int launch<float>(float const* a);"
        )
    };
    let (a, b) = (text(32), text(16));
    assert_eq!(known(&[("a.cu", &a), ("b.cu", &b)]), ["(64,32):(1,64)", "(64,16):(1,64)"]);
}

const STORAGE: &str = "#pragma once
template <class T> struct Storage { T data[4096]; };
constexpr int kThreads = 64;
";

const KERNEL: &str = "using namespace cute;
using L = Layout<Shape<_64,_64>, Stride<Int<72>,_1>>;
__global__ void k() {
  __shared__ Storage<half_t> s;
  auto t = make_tensor(make_smem_ptr(s.data), L{});
}";

#[test]
fn headers_without_a_layout_are_read_where_one_includes_them() {
    let kernel = |include: &str| format!("#include {include}\n{KERNEL}");
    // 63 * 72 + 63 is beyond 4096.
    for include in ["\"storage.h\"", "\"../common/storage.h\"", "<common/storage.h>"] {
        let files = [("p/common/storage.h", STORAGE), ("p/src/k.cu", &kernel(include))];
        assert_eq!(rules(&files), ["RG011"], "{include}");
    }
    let right = kernel("\"storage.h\"").replace("72", "64");
    assert_eq!(rules(&[("p/storage.h", STORAGE), ("p/k.cu", &right)]), [""; 0]);
    // Nobody includes this one.
    assert_eq!(rules(&[("p/other.h", STORAGE), ("p/k.cu", &kernel("\"storage.h\""))]), [""; 0]);
}

#[test]
fn a_layout_of_a_used_namespace_is_not_cutes() {
    let own = "namespace img { template <class A, class B> struct Layout {}; }\nusing namespace img;\n";
    let layout = "using L = Layout<Shape<Int<8>, Int<4>>, Stride<Int<1>, Int<4>>>;";
    assert_eq!(rules(&[("a.cu", &format!("{own}{layout}"))]), [""; 0]);
    assert_eq!(rules(&[("a.cu", &format!("using namespace cute;\n{layout}"))]), ["RG002"]);
    assert_eq!(rules(&[("a.cu", layout)]), ["RG002"]);
}

#[test]
fn brackets_that_read_as_shifts() {
    let text = |stride: &str| {
        format!(
            "void k() {{
  constexpr int N = 4;
  auto l = Layout<Shape<Shape<Int<N>, Int<16/N>>, Shape<Int<N>, Int<32/N>>>,
                  Stride<Stride<_16, _1>, Stride<Int<{stride}>, Int<16*N>>>>{{}};
  f(make_layout(Shape<Int<N>, C<16/N>>{{}}, Stride<Int<16 / N>, Int<1>>{{}}));
}}"
        )
    };
    assert_eq!(rules(&[("a.cu", &text("16/N"))]), [""; 0]);
    assert_eq!(known(&[("a.cu", &text("16/N"))]), ["((4,4),(4,8)):((16,1),(4,64))", "(4,4):(4,1)"]);
    assert_eq!(rules(&[("a.cu", &text("N/2"))]), ["RG002"]);
    // What is not known nests as it is written.
    let open = "template <int N> auto g() {
  return Layout<Shape<Shape<C<N>, C<16/N>>, Shape<C<N>, C<f(N)/N>>>, Stride<Stride<_16, _1>, Stride<C<16/N>, C<16*N>>>>{};
}";
    assert_eq!(rules(&[("a.cu", open)]), [""; 0]);
    assert_eq!(rules(&[("a.cu", &open.replace("Stride<_16, _1>", "_16"))]), ["RG001"]);
}

#[test]
fn a_namespace_that_the_grammar_loses() {
    // The broken function takes the namespace's beginning with it.
    let text = "namespace cute
{
template <class Shape, class Stride = LayoutLeft::Apply<Shape> >
struct Layout : private cute::tuple<Shape, Stride> { Layout(Shape const& shape = {}, Stride const& stride = {}) {} };
template <class A, __REQUIRES((is_tuple<A>::value || is_integral<A>::value) && (x<A>::value || y<A>::value))>
auto f(A const& a = {}) { if constexpr (g<A>::value) { } else { } }
}
namespace mine {
using L = cute::Layout<Shape<_8, _4>, Stride<_1, _8>>;
using namespace cute;
using M = Layout<Shape<_8, _4>, Stride<_1, _8>>;
}";
    assert_eq!(known(&[("cute/layout.hpp", text)]), ["(8,4):(1,8)", "(8,4):(1,8)"]);
}

#[test]
fn a_parameter_is_not_a_whole_swizzled_layout() {
    let text = "template <class A, class O, class B, class S>
auto tile(ComposedLayout<A,O,B> const& layout, S const& s) { return tile_to_shape(layout, s); }
using SmemLayoutAtom = decltype(composition(Swizzle<2,3,3>{}, make_layout(make_shape(_3{}, _24{}), make_stride(_24{}, _1{}))));
using Smem = decltype(tile(SmemLayoutAtom{}, make_shape(Int<96>{}, Int<96>{})));
struct Storage { array<half_t, cosize_v<SmemLayoutAtom>> smem; };";
    assert_eq!(rules(&[("a.cu", text)]), [""; 0]);
    assert_eq!(rules(&[("a.cu", &text.replace("SmemLayoutAtom", "SmemLayout"))]), ["RG009"]);
}

#[test]
fn what_is_less_than_a_byte_takes_one() {
    let sizes = "template <class T> struct S { using L = Layout<Shape<Int<sizeof(T)>, Int<sizeof_bits_v<T>>>>; };";
    let of = |element: &str| known(&[("a.hpp", &format!("{sizes} using A = S<{element}>;"))]);
    assert_eq!(of("cutlass::float_e2m1_t"), ["(1,4):(1,1)"].map(|text| text.replace("(1,1)", "(0,1)")));
    assert_eq!(of("cute::uint4_t"), ["(1,4):(0,1)"]);
    assert_eq!(of("cutlass::float_e2m3_t"), ["(1,6):(0,1)"]);
    assert_eq!(of("half_t"), ["(2,16):(1,2)"]);
    assert_eq!(of("mine::float_e2m1_t"), [""; 0]);
}

#[test]
fn layouts_of_folders_that_are_read_for_names_only_are_not_counted() {
    let library =
        "namespace lib { using A = Layout<Shape<_8, _4>>; template <int N> using B = Layout<Shape<Int<N>>>; }";
    let own = "using C = lib::B<4>;\nusing D = Layout<Shape<lib::A, N>>;\nusing E = lib::A;";
    let files = || vec![Source::new("lib.hpp", library.into()), Source::new("a.cu", own.into())];
    let of = |files: Vec<Source>| {
        let report = audit_sources(Sources { files, unreadable: Vec::new() }, None);
        (report.layouts.found, report.resolved.len(), report.open.len())
    };
    let whole = of(files());
    let mut named = files();
    named[0].included = true;
    named[0].relevant = false;
    let part = of(named);
    assert_eq!(whole.0 - part.0, 2, "{whole:?} {part:?}");
    assert!(part.0 > 0 && part.2 > 0, "{part:?}");
}

#[test]
fn braces_around_a_value_say_it_once() {
    let kernel = |partition: &str| {
        format!(
            "using TiledMma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _2, _1>>, Tile<_32, _32, _16>>;
__global__ void k() {{
  __shared__ half_t smem[128 * 32];
  auto const s = make_tensor(make_smem_ptr(smem), make_layout(Shape<_128, _32>{{}}, Stride<_1, _128>{{}}));
  TiledMma mma;
  auto const copy = make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, half_t>{{}}, mma);
  auto const thread = copy.get_slice(threadIdx.x);
  auto part{partition};
}}"
        )
    };
    for partition in [" = thread.partition_S(s)", "{thread.partition_S(s)}", "(thread.partition_S(s))"] {
        assert_eq!(rules(&[("a.cu", &kernel(partition))]), ["RG015"], "{partition}");
    }
}

/// Files of one text are parsed once, and mean what their own folders say.
#[test]
fn files_of_one_text() {
    let kernel = "#include \"rows.h\"\nusing namespace cute;\nusing A = Layout<Shape<_8, _4>, Stride<_1, Int<rows>>>;\n\
                  template <int N> struct T { using B = Layout<Shape<_8, _4>, Stride<_1, Int<N>>>; };\nT<rows>::B b;\n";
    let of = |path: &str, text: &str| Source::new(path, text.as_bytes().to_vec());
    let files = vec![
        of("a/kernel.cu", kernel),
        of("a/rows.h", "constexpr int rows = 8;\n"),
        of("b/kernel.cu", kernel),
        of("b/rows.h", "constexpr int rows = 3;\n"),
        of("c/kernel.cu", kernel),
        of("c/rows.h", "constexpr int rows = 8;\n"),
    ];
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    let found: Vec<_> = report.findings.iter().map(|finding| report.path(finding.place)).collect();
    assert_eq!(found, ["b/kernel.cu", "b/kernel.cu"]);
}

/// Many files are looked at in shares, none of which is left out or comes before another.
#[test]
fn shares_of_many_files() {
    let text = |stride: usize| {
        format!(
            "using namespace cute;\ntemplate <int kRows> struct S {{ using L = Layout<Shape<Int<kRows>,_8>, Stride<_1,Int<{stride}>>>; }};
             void go() {{ typename S<16>::L l; {} }}",
            "auto m = make_layout(make_shape(_4{}, _2{}), make_stride(_2{}, _1{})); ".repeat(24)
        )
    };
    let texts: Vec<(String, String)> = (0..140).map(|at| (format!("f{at:03}.cu"), text(16 + at))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let expected: Vec<String> = (0..140)
        .flat_map(|at| std::iter::once(format!("(16,8):(1,{})", 16 + at)).chain(vec!["(4,2):(2,1)".to_owned(); 24]))
        .collect();
    assert_eq!(known(&files), expected);
}
