//! What functions of the code base return, arguments that are deduced from a call, tiled MMAs and tensors, and declarations that
//! differ on the sides of an `#if`: the right layouts, and no others.

use razorgirl_audit::audit_sources;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::report::Report;
use razorgirl_audit::source::{Source, Sources};

fn audit(files: &[(&str, &str)]) -> Report {
    let files = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    audit_sources(Sources { files, unreadable: Vec::new() }, None)
}

/// The layouts of the last file on the lines that end with `// here`: what each is and for what, or why it is not known.
fn here(files: &[(&str, &str)]) -> Vec<Result<String, Reason>> {
    let report = audit(files);
    let file = files.len() - 1;
    let mut found = Vec::new();
    let at = |place: razorgirl_audit::finding::Place| {
        let end = report.text(place)[place.span.end as usize..].split('\n').next().unwrap();
        (place.file == file && end.ends_with("// here")).then_some(place.span.start)
    };
    for known in &report.known {
        if let Some(at) = at(known.place) {
            let holds = known.holds.as_deref().map_or(String::new(), |holds| format!("{holds} "));
            found.push((at, Ok(format!("{holds}{}:{}", known.shape, known.stride).trim_start().to_owned())));
        }
    }
    found.retain(|(at, _)| report.resolved.iter().any(|place| place.file == file && place.span.start == *at));
    for open in &report.open {
        if let Some(at) = at(open.place) {
            found.push((at, Err(open.reason)));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, found)| found).collect()
}

fn is(text: &str, layouts: &[&str]) {
    let layouts: Vec<Result<String, Reason>> = layouts.iter().map(|layout| Ok((*layout).to_owned())).collect();
    assert_eq!(here(&[("a.cu", text)]), layouts, "{text}");
}

fn is_not(text: &str, reason: Reason) {
    assert_eq!(here(&[("a.cu", text)]), [Err(reason)], "{text}");
}

/// A layout whose extent is what an expression comes to.
fn of(functions: &str, value: &str) -> String {
    format!("{functions}\nusing L = Layout<Int<{value}>>; // here")
}

#[test]
fn functions_of_constants_are_followed() {
    for (functions, value, extent) in [
        ("constexpr int rows() { return 8; }", "rows()", "8:1"),
        ("constexpr int twice(int x) { return 2 * x; }", "twice(3) + 1", "7:1"),
        ("template <int N> constexpr int up(int x) { return (x + N - 1) / N * N; }", "up<8>(9)", "16:1"),
        (
            "constexpr int pick(int x) { if (x > 4) { return 32; } else if (x == 4) return 16; return 8; }",
            "pick(4) + pick(5) + pick(1)",
            "56:1",
        ),
        (
            "template <class T> constexpr int bits() { if constexpr (sizeof(T) == 2) { return 16; } else { return 8; } }",
            "bits<cutlass::half_t>()",
            "16:1",
        ),
        (
            "struct S { static constexpr int k = 4; static constexpr int f(int a, int b = 3) { return a * b * k; } };",
            "S::f(2)",
            "24:1",
        ),
        ("namespace n { constexpr bool big(int x) { return x; } }", "n::big(7) ? 4 : 2", "4:1"),
        (
            "template <class A> constexpr auto area(A a) { return size<0>(a) * size<1>(a); }",
            "area(Shape<_3, _5>{})",
            "15:1",
        ),
    ] {
        is(&of(functions, value), &[extent]);
    }
}

/// Those that loop are in `programs.rs`.
#[test]
fn functions_that_do_more_are_not() {
    for functions in [
        // What a variable is when it may have been changed.
        "constexpr int f(int x) { int y = x; g(y); return y; }",
        "constexpr int f(int x) {\n#if A\n return 2;\n#else\n return 3;\n#endif\n}",
        // A condition that is not known.
        "constexpr int f(int x) { if (g(x)) { return 2; } return 3; }",
        // A lambda's returns are its own.
        "constexpr int f(int x) { auto h = [](int y) { return 8; }; return h(x); }",
        // Two that differ, and one that is only declared.
        "constexpr int f(int x) { return x; } constexpr int f(long x) { return 2 * x; }",
        "constexpr int f(int x);",
        // More than the type has room for.
        "constexpr int8_t f(int x) { return 100 * x; }",
        "constexpr int f(int x) { return f(x); }",
    ] {
        let found = here(&[("a.cu", &of(functions, "f(4)"))]);
        assert!(matches!(found.as_slice(), [Err(_)]), "{functions}: {found:?}");
    }
    // The same name in another file that this one cannot see says nothing, and in one that it can see, enough to doubt.
    let ours = of("constexpr int f(int x) { return x; }", "f(4)");
    assert_eq!(here(&[("b.cu", "constexpr int f(int x) { return 7; }"), ("a.cu", &ours)]), [Ok("4:1".to_owned())]);
    let theirs = [("b.hpp", "constexpr int f(int x) { return 7; }"), ("c.hpp", "constexpr int f(int x) { return 8; }")];
    let user = of("", "f(4)");
    let found = here(&[theirs[0], theirs[1], ("a.cu", &user)]);
    assert!(matches!(found.as_slice(), [Err(_)]), "{found:?}");
}

#[test]
fn arguments_are_deduced_from_calls() {
    let transposed =
        "template <class L> auto transposed(L l) {\n return make_layout(get<1>(l), get<0>(l)); // here\n }";
    is(&format!("{transposed} void a() {{ auto t = transposed(Layout<Shape<_2, _4>>{{}}); }}"), &["(4,2):(2,1)"]);
    // By the pattern of the parameter's type, through a caller.
    is(
        "template <class T, class S> void inner(Layout<T, S> l) { auto a =\n make_layout(T{}); // here\n }
         template <class L> void outer(L l) { inner(l); } void a() { outer(Layout<_8, _2>{}); }",
        &["T = 8 8:1"],
    );
    // A number of the run, not of its type.
    is_not(
        "template <class N> void f(N n) { auto a =\n make_layout(n); // here\n } void a(int n) { f(n); }",
        Reason::RunTime,
    );
    is_not(
        "struct Params { int rows; }; template <class P> void f(P const& p) { auto a =\n make_layout(p.rows); // here\n }
         void a(Params params) { f(params); }",
        Reason::RunTime,
    );
    // The type of a member says what it is, whatever the object.
    is(
        "struct Params { Shape<_4, _2> tile; }; template <class P> void f(P const& p) { auto a =\n make_layout(p.tile); // here\n }
         void a(Params params) { f(params); }",
        &["(4,2):(1,4)"],
    );
    // Nobody calls it, or two functions of that name are there to be called.
    is_not(transposed, Reason::Dependent);
    is_not(
        &format!(
            "template <class L> int transposed(L l, int) {{ return 1; }} {transposed} void a() {{ transposed(Layout<_2>{{}}); }}"
        ),
        Reason::Dependent,
    );
}

/// Two instructions, as CUTLASS has them.
const TRAITS: &str = "namespace cute {
template <class Op> struct MMA_Traits;
template <> struct MMA_Traits<SM80_16x8x16_F32F16F16F32_TN> {
  using Shape_MNK = Shape<_16, _8, _16>;
  using ThrID = Layout<_32>;
  using CLayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>;
};
template <> struct MMA_Traits<SM75_16x8x8_F32F16F16F32_TN> {
  using Shape_MNK = Shape<_16, _8, _8>;
  using ThrID = Layout<_32>;
  using CLayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>;
};
}
";

const MMA: &str = "using namespace cute;
using Mma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _4, _1>>, Tile<_32, _64, _16>>;
";

#[test]
fn a_tiled_mma_has_a_tile_threads_and_fragments() {
    let file = |text: &str| format!("{MMA}void f() {{ Mma mma;\n{text} // here\n}}");
    let is = |text: &str, layout: &str| {
        let text = file(text);
        assert_eq!(here(&[("cute/mma.hpp", TRAITS), ("a.cu", &text)]), [Ok(layout.to_owned())], "{text}");
    };
    is("auto a = make_layout(tile_shape(mma));", "(32,64,16):(1,32,2048)");
    is("auto a = make_layout(Int<decltype(mma.template tile_size_mnk<1>())::value>{});", "64:1");
    is("auto a = make_layout(Int<size(Mma{})>{});", "256:1");
    is("auto t = mma.get_thr_layout_vmnk(); auto a = make_layout(size<1>(t), size<2>(t));", "2:4");
    is("auto a = make_layout(Int<decltype(size<2>(typename Mma::AtomShape_MNK{}))::value>{});", "16:1");
    // 64 rows are two tiles of 32, and 64 columns one tile, in which each of four warps has two of 8: what a thread has of each
    // instruction is 2 x 2 values.
    is(
        "auto acc = partition_fragment_C(mma, Shape<_64, _64>{}); auto a = make_layout(get<1>(acc.layout()), get<0>(acc.layout()));",
        "(2,(2,2)):(4,(1,2))",
    );
    is(
        "auto acc = partition_fragment_C(mma, Shape<_64, _64>{}); auto a = make_layout(acc.shape());",
        "((2,2),2,2):((1,2),4,8)",
    );
    // Not a tile of the MMA; an accumulator that is not in registers; and nobody's MMA.
    for text in [
        "auto acc = partition_fragment_C(mma, Shape<_24, _64>{}); auto a = make_layout(acc.shape());",
        "auto m = make_tiled_mma(SM100_MMA_F16BF16_SS{}); auto acc = partition_fragment_C(m, Shape<_64, _64>{}); auto a = make_layout(acc.shape());",
        "auto a = make_layout(tile_shape(other));",
    ] {
        let text = file(text);
        let found = here(&[("cute/mma.hpp", TRAITS), ("a.cu", &text)]);
        assert!(matches!(found.as_slice(), [Err(_)]), "{text}: {found:?}");
    }
}

#[test]
fn the_type_of_a_tiled_mma_is_deduced() {
    let text = format!(
        "{MMA}template <int N, class... Args, class TiledMMA>
auto copy(Copy_Atom<Args...> const& atom, TiledMMA const& tiled_mma) {{
  constexpr int K = decltype(tiled_mma.template tile_size_mnk<2>())::value;
  return make_tile(
    make_layout(Int<K * N>{{}})); // here
}}
template <class T> struct Kernel {{ void run() {{ Mma mma; auto c = copy<3>(typename T::Atom{{}}, mma); }} }};"
    );
    assert_eq!(here(&[("cute/mma.hpp", TRAITS), ("a.cu", &text)]), [Ok("N = 3 48:1".to_owned())]);
}

#[test]
fn each_side_of_an_if_is_taken() {
    let base = "template <int N> struct Base {
#if __CUDA_ARCH__ >= 800
  using Atom = _16; using Element = cutlass::half_t;
#else
  using Atom = _8; using Element = cutlass::bfloat16_t;
#endif
};
";
    let text = format!("{base}using L = Layout<typename Base<1>::Atom>; // here");
    is(&text, &["first of the declarations that differ 16:1", "second of the declarations that differ 8:1"]);
    // Of the same size on both sides.
    is(&format!("{base}using L = Layout<Int<sizeof(typename Base<1>::Element)>>; // here"), &["2:1"]);
    // In two files: not two sides of anything.
    let two =
        [("a.hpp", "using Atom = _16;"), ("b.hpp", "using Atom = _8;"), ("c.cu", "using L = Layout<Atom>; // here")];
    assert_eq!(here(&two), [Err(Reason::Ambiguous)]);
    // One side is not known.
    let text = format!("{}using L = Layout<typename Base<1>::Atom>; // here", base.replace("_8;", "Missing;"));
    is_not(&text, Reason::Ambiguous);
}

#[test]
fn functions_on_tuples() {
    for (value, layout) in [
        ("make_layout(append(Shape<_2, _3>{}, _4{}))", "(2,3,4):(1,2,6)"),
        ("make_layout(append<4>(Shape<_2, _3>{}, _1{}))", "(2,3,1,1):(1,2,0,0)"),
        ("make_layout(prepend(_2{}, _4{}))", "(4,2):(1,4)"),
        (
            "make_layout(stride(append<3>(Layout<Shape<_2, _3>, Stride<_5, _9>>{}, Layout<_4, _7>{})))",
            "(5,9,7):(1,5,45)",
        ),
        ("make_layout(shape_div(Shape<_8, _6>{}, Shape<_2, _3>{}))", "(4,2):(1,4)"),
        ("make_layout(shape_div(Shape<_8, _6>{}, _16{}))", "(1,3):(0,1)"),
        ("make_layout(conditional_return<false>(_2{}, _4{}))", "4:1"),
        ("make_layout(replace<1>(Shape<_2, _3>{}, _7{}))", "(2,7):(1,2)"),
        ("make_layout(product_each(Shape<Shape<_2, _3>, _4>{}))", "(6,4):(1,6)"),
        ("make_layout(get<0, 1>(Layout<Shape<Shape<_2, _3>, _4>>{}), get<1>(Layout<Shape<_2, _5>>{}))", "(3,5):(2,2)"),
    ] {
        let text = format!("using namespace cute; void f() {{ auto a = {value}; // here\n}}");
        let found = here(&[("a.cu", &text)]);
        assert_eq!(found.first(), Some(&Ok(layout.to_owned())), "{text}");
    }
    // What CuTe refuses.
    for value in [
        "make_layout(shape_div(_6{}, _4{}))",
        "make_layout(append<1>(Shape<_2, _3>{}, _1{}))",
        "make_layout(get<2>(Layout<Shape<_2, _5>>{}))",
    ] {
        let text = format!("using namespace cute; void f() {{ auto a = {value}; // here\n}}");
        assert_eq!(here(&[("a.cu", &text)]).first(), Some(&Err(Reason::Call)), "{text}");
    }
}

#[test]
fn a_macro_can_be_the_head_of_a_kernel() {
    let text = |head: &str| {
        format!(
            "#define KERNEL(kernelName, ...) \\
template<typename Traits, __VA_ARGS__> \\
__global__ void kernelName({head}const Params params)
struct Params {{ int rows; }};
template <int N> struct Sizes {{ static constexpr int kRows = N; }};
template <typename T, int M, typename P> void inner(P const& params) {{
  auto a =
    make_layout(Int<T::kRows * M>{{}}); // here
  auto b =
    make_layout(params.rows); // here
}}
KERNEL(outer, bool Flag, int Count) {{ inner<Traits, Count>(params); }}
void run() {{ auto kernel = &outer<Sizes<8>, true, 4>; }}"
        )
    };
    assert_eq!(
        here(&[("a.cu", &text(""))]),
        [Ok("M = 4 32:1".to_owned()), Err(Reason::RunTime)],
        "the values come through the kernel"
    );
    // With a body of its own, the macro is more than a head.
    let found = here(&[("a.cu", &text("").replace("Params params)\n", "Params params) { }\n"))]);
    assert!(found.iter().all(Result::is_err), "{found:?}");
}
