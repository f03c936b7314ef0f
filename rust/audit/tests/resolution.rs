//! What counts as a compile-time constant, and how it is worked out.

use std::collections::BTreeMap;

use razorgirl_audit::ast::Unit;
use razorgirl_audit::eval::{Program, Reason};
use razorgirl_audit::source::Source;
use razorgirl_audit::survey::Survey;
use razorgirl_audit::syntax::Reader;

/// Surveys files given as path and text.
fn survey(files: &[(&str, &str)]) -> Survey {
    let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    let mut reader = Reader::default();
    let units: Vec<Unit> = sources.iter().enumerate().map(|(index, source)| reader.read(index, source)).collect();
    Survey::of(&Program::new(&sources, &units))
}

/// The layouts of one text, in order, or why they are not known.
fn layouts(text: &str) -> Vec<Result<String, Reason>> {
    let found = survey(&[("a.hpp", text)]).layouts;
    let shown = found.into_iter().map(|found| match found.layout {
        Ok(layout) => Ok(format!("{}:{}", layout.shape.tuple, layout.stride.tuple)),
        Err(why) => Err(why.reason),
    });
    shown.collect()
}

/// The only layout of a text.
fn layout(text: &str) -> Result<String, Reason> {
    let mut all = layouts(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

fn is(text: &str, layout_text: &str) {
    assert_eq!(layout(text).as_deref(), Ok(layout_text), "{text}");
}

#[test]
fn types() {
    is("using L = Layout<Shape<_8,_4>,Stride<_4,_1>>;", "(8,4):(4,1)");
    is("using L = cute::Layout<cute::Shape <cute::Int<8>, C<4>>, cute::Stride<Int<(2*2)>, _1>>;", "(8,4):(4,1)");
    is("using L = Layout<Shape<Shape<_4,_2>,_8>>;", "((4,2),8):((1,4),8)");
    is("using L = Layout<_32>;", "32:1");
    is("using L = Layout<_4,_2>;", "4:2");
    is("using L = ::cute::Layout<Int<0x10>>;", "16:1");
    is("typedef Layout<Shape<_2,_1>> L;", "(2,1):(1,0)");
    is("using L = ComposedLayout<Swizzle<3,4,3>, flag, Layout<Shape<_8>>>;", "(8):(1)");
    is("auto l = Layout<Shape<_2,_3>, Stride<_3,_1>>{};", "(2,3):(3,1)");
    is("void f(Layout<_8> const& l);", "8:1");
    is("using L = Layout<Shape<_8,_4>, LayoutRight>;", "(8,4):(4,1)");
}

#[test]
fn calls() {
    is("auto l = make_layout(make_shape(_8{}, Int<4>{}), make_stride(4, 1));", "(8,4):(4,1)");
    is("auto l = cute::make_layout(Shape<_8,_4>{}, Stride<_4,_1>{});", "(8,4):(4,1)");
    is("auto l = make_layout(make_shape(8, 4), LayoutRight{});", "(8,4):(4,1)");
    is("auto l = make_layout(make_shape(8, make_shape(2, 2)), GenColMajor{});", "(8,(2,2)):(1,(8,16))");
    is("auto l = make_layout(make_shape(32_c));", "(32):(1)");
    is("auto l = make_layout(make_shape(int32_t(8), static_cast<int>(4)));", "(8,4):(1,8)");
    is("using L = decltype(make_layout(make_shape(Int<ceil_div(9,4)>{})));", "(3):(1)");
    assert_eq!(
        layouts("auto l = make_layout(make_layout(_4{}, _2{}), make_layout(_2{}));").first(),
        Some(&Ok("(4,2):(2,1)".to_owned()))
    );
    is(
        "void f() { auto s = Shape<_8,Shape<_4,_2>>{}; auto l = make_layout(get<1>(s), make_stride(size<1>(s), rank(s))); }",
        "(4,2):(8,2)",
    );
}

#[test]
fn names_of_the_same_file() {
    is("constexpr int N = 4, M = N * 2; using S = Shape<Int<M>,Int<N>>; using L = Layout<S>;", "(8,4):(1,8)");
    is("namespace a { using X = _4; namespace b { using L = Layout<Shape<X>>; } }", "(4):(1)");
    is("namespace a { namespace b { using X = _4; } } using namespace a::b; using L = Layout<Shape<X>>;", "(4):(1)");
    is("namespace a { using X = _4; } namespace c = a; using a::X; using L = Layout<Shape<X,c::X>>;", "(4,4):(1,4)");
    is("using X = _8; struct T { using X = _4; using L = Layout<Shape<X>>; };", "(4):(1)");
    is("struct B { using X = _4; }; struct T : B { using L = Layout<Shape<X>>; };", "(4):(1)");
    is("enum { A = 3, B }; using L = Layout<Shape<Int<A>,Int<B>>>;", "(3,4):(1,3)");
    is("template <int N> struct K { static constexpr int value = N * 2; }; using L = Layout<Int<K<4>::value>>;", "8:1");
    is(
        "template <bool B> struct K { using type = _4; }; template <> struct K<true> { using type = _8; }; using L = Layout<typename K<true>::type>;",
        "8:1",
    );
    is(
        "template <class T> struct K { using type = _4; }; template <class A, class B> struct K<P<A,B>> { using type = B; }; using L = Layout<typename K<P<_1,_2>>::type>;",
        "2:1",
    );
    is("void f() { using X = _4; { using X = _8; } auto l = Layout<X>{}; }", "4:1");
    is("void f() { auto n = Int<4>{}; auto l = make_layout(n); }", "4:1");
    is("constexpr bool wide = 3 > 2; using L = Layout<Int<wide ? 64 : 32>>;", "64:1");
    is("using L = Layout<cute::conditional_t<true, _2, _3>>;", "2:1");
}

#[test]
fn alias_templates() {
    let text =
        "template <int M, class T = _2> using AB = Layout<Shape<_4,Shape<Int<M>,T>>, Stride<_0,Stride<_1,Int<M>>>>;
                using One = AB<8>; using Two = AB<16, _4>;";
    let survey = survey(&[("a.hpp", text)]);
    assert_eq!(survey.layouts[0].layout.as_ref().unwrap_err().reason, Reason::Dependent);
    let shown: Vec<String> =
        survey.instances.iter().map(|(_, layout)| format!("{}:{}", layout.shape.tuple, layout.stride.tuple)).collect();
    assert_eq!(shown, ["(4,(8,2)):(0,(1,8))", "(4,(16,4)):(0,(1,16))"]);
}

#[test]
fn across_files() {
    let found = survey(&[
        (
            "x/a.hpp",
            "namespace lib { namespace d { template <int N> using Rows = Layout<Shape<Int<N>,_2>>; } constexpr int kN = 8; }",
        ),
        ("x/b.cuh", "namespace lib { using namespace d; using L = Rows<kN>; }"),
        ("x/c.cu", "using L = Layout<Int<lib::kN>>;"),
    ]);
    assert_eq!(found.instances.len(), 1);
    assert_eq!(found.instances[0].1.shape.tuple.to_string(), "(8,2)");
    assert_eq!(found.layouts[1].layout.as_ref().unwrap().shape.tuple.to_string(), "8");
}

#[test]
fn a_source_file_keeps_its_names_to_itself() {
    let found = survey(&[("a.cu", "constexpr int N = 8;"), ("b.hpp", "using L = Layout<Int<N>>;")]);
    assert_eq!(found.layouts[0].layout.as_ref().unwrap_err().reason, Reason::UnknownName);
}

#[test]
fn headers_that_disagree_are_ambiguous() {
    let found = survey(&[
        ("a.hpp", "constexpr int N = 8;"),
        ("b.hpp", "constexpr int N = 4;"),
        ("c.hpp", "using L = Layout<Int<N>>;"),
    ]);
    assert_eq!(found.layouts[0].layout.as_ref().unwrap_err().reason, Reason::Ambiguous);
}

#[test]
fn reasons() {
    let cases: [(&str, Reason); 20] = [
        ("template <int N> using L = Layout<Int<N>>;", Reason::Dependent),
        ("template <class T> struct S { using L = Layout<typename T::Shape>; };", Reason::Dependent),
        ("template <class T> struct S { using L = Layout<Int<sizeof_bits<T>::value>>; };", Reason::Dependent),
        ("using L = Layout<Nowhere>;", Reason::UnknownName),
        ("struct S {}; using L = Layout<S::X>;", Reason::UnknownMember),
        ("void f(int n) { auto l = make_layout(n); }", Reason::RunTime),
        ("void f() { int n = 4; n = 5; auto l = make_layout(n); }", Reason::RunTime),
        ("using L = Layout<Shape<int,_4>>;", Reason::RunTime),
        ("auto l = make_layout(tile_to_shape(a, b));", Reason::Call),
        ("using L = Layout<Int<sizeof(T)>>;", Reason::UnknownName),
        ("using L = Layout<Int<1 / 0>>;", Reason::Expression),
        ("#if A\nusing X = _4;\n#else\nusing X = _8;\n#endif\nusing L = Layout<X>;", Reason::Ambiguous),
        ("using L = Layout<Int<-4>>;", Reason::Negative),
        ("using L = Layout<_m4>;", Reason::Negative),
        ("auto l = make_layout(make_shape(0, 4));", Reason::ZeroExtent),
        ("using L = Layout<Int<(1 << 100)>>;", Reason::Overflow),
        ("using L = Layout<Shape<Int<4294967296>,Int<4294967296>,Int<4294967296>>>;", Reason::Overflow),
        ("using X = Y; using Y = X; using L = Layout<X>;", Reason::TooDeep),
        ("template <int N> using D = Shape<D<N+1>,D<N+1>>; using L = Layout<D<0>>;", Reason::TooLarge),
        ("using L = Layout<Stride>;", Reason::UnknownName),
    ];
    for (text, reason) in cases {
        assert_eq!(layout(text), Err(reason), "{text}");
    }
}

#[test]
fn another_librarys_layout_is_none_of_ours() {
    let all = layouts("namespace other { template <class T> class Layout {}; using L = Layout<_4>; }");
    assert_eq!(all, [Err(Reason::NotCute)]);
}

#[test]
fn numbers_of_a_type_are_not_hidden_by_comments_and_line_breaks() {
    is("using L = Layout<Shape < /* rows */ _8, // and\n _4>,\n Stride<_4, _1>>;", "(8,4):(4,1)");
}

#[test]
fn syntax_errors_cost_only_what_is_inside() {
    let text = "using A = Layout<_4>;\n@@ } ) Layout<_8> @\nusing B = Layout<_2>;\n";
    let good: Vec<_> = layouts(text).into_iter().filter_map(Result::ok).collect();
    assert_eq!(good, ["4:1", "2:1"]);
}

#[test]
fn traits_take_members_from_bases_in_other_files() {
    let base = "namespace cute { template <> struct MMA_Traits<Op> {
        using Shape_MNK = Shape<_8,_8,_4>; using ThrID = Layout<_32>;
        using ALayout = Layout<Shape<Shape<_4,_8>,_1>,Stride<Stride<_8,_1>,_0>>; using BLayout = ALayout;
        using CLayout = Layout<Shape<Shape<_4,_8>,_2>,Stride<Stride<_16,_1>,_8>>; }; }";
    let derived = "namespace cute {
        using Alias = arch::Other;
        template <> struct MMA_Traits<Alias> : MMA_Traits<Op> {};
        template <class T, int... Ns> struct MMA_Traits<Generic<T, Ns...>> : MMA_Traits<arch::Other> { };
        template <> struct MMA_Traits<Leaf> : MMA_Traits<Generic<float, 1, 2>> { using U = MMA_Traits<Op>; using ThrID = typename U::ThrID; };
        template <> struct MMA_Traits<Orphan> : MMA_Traits<Missing> {}; }";
    let survey = survey(&[("z.hpp", base), ("a.hpp", derived)]);
    let resolved: BTreeMap<&str, bool> =
        survey.mma.iter().map(|traits| (traits.name.as_str(), traits.value.is_ok())).collect();
    let expected = BTreeMap::from([
        ("MMA_Traits<Op>", true),
        ("MMA_Traits<Alias>", true),
        ("MMA_Traits<Generic<T, Ns...>>", true),
        ("MMA_Traits<Leaf>", true),
        ("MMA_Traits<Orphan>", false),
    ]);
    assert_eq!(resolved, expected);
}

/// A specialisation that may be meant is not passed over: unknown is not no.
#[test]
fn what_may_be_specialised_is_not_taken_for_the_primary_template() {
    let k = "template <bool B> struct K { using type = _4; }; template <> struct K<true> { using type = _8; };";
    is(&format!("{k} using L = Layout<typename K<(2 > 1)>::type>;"), "8:1");
    assert_eq!(layout(&format!("{k} using L = Layout<typename K<(sizeof(T) > 4)>::type>;")), Err(Reason::UnknownName));
    assert_eq!(
        layout(&format!("{k} template <bool B> struct S {{ using L = Layout<typename K<B>::type>; }};")),
        Err(Reason::Dependent)
    );
    // Arguments by default take part in the choice.
    let k = "template <class T, class E = _0> struct K { using type = _4; };
             template <class T> struct K<T, _0> { using type = _8; };";
    is(&format!("{k} using L = Layout<typename K<float>::type>;"), "8:1");
    is(&format!("{k} using L = Layout<typename K<float, _1>::type>;"), "4:1");
    let k = "template <class T, class E = void> struct K { using type = _4; };
             template <class T> struct K<T, enable_if_t<(sizeof(T) > 4)>> { using type = _8; };";
    assert_eq!(layout(&format!("{k} using L = Layout<typename K<float>::type>;")), Err(Reason::Dependent));
}

#[test]
fn bases_hide_names_as_in_cpp() {
    is(
        "using X = _8; template <class T> struct B { using X = _4; }; template <class T> struct D : B<T> { using L = Layout<X>; };",
        "8:1",
    );
    is(
        "using X = _8; template <class T> struct B { using X = _4; }; struct D : B<int> { using L = Layout<X>; };",
        "4:1",
    );
    is("using X = _8; struct D : std::true_type { using L = Layout<X>; };", "8:1");
    assert_eq!(layout("using X = _8; struct D : Unseen { using L = Layout<X>; };"), Err(Reason::UnknownName));
}

#[test]
fn an_underscore_is_no_number() {
    assert!(layout("auto l = make_layout(make_shape(_, _4{}));").is_err());
    assert!(layout("using L = Layout<Shape<_,_4>,Stride<_1,Underscore>>;").is_err());
}

/// That a chain is too long for who asks at its end says nothing of its beginning.
#[test]
fn a_long_chain_does_not_spoil_its_links() {
    let chain: Vec<String> = (1..400).map(|i| format!("using A{i} = A{};", i - 1)).collect();
    let chain = chain.join("\n");
    let all = layouts(&format!(
        "using A0 = _4; {chain} using L = Layout<A399>; using M = Layout<A20>; using N = Layout<A60>;"
    ));
    assert_eq!(all, [Err(Reason::TooDeep), Ok("4:1".to_owned()), Ok("4:1".to_owned())]);
}

#[test]
fn code_that_is_never_compiled_is_not_read() {
    let text =
        "#if 0\nusing L = Layout<_4,_0>;\n#elif 1\nusing X = _8;\n#else\nusing X = _2;\n#endif\nusing L = Layout<X>;";
    assert_eq!(layouts(text), [Ok("8:1".to_owned())]);
    let text = "struct S {\n#if 0\n  using L = Layout<_4>;\n};\nstruct T {\n#endif\n  using L = Layout<_8>;\n};";
    assert_eq!(layouts(text), [Ok("8:1".to_owned())]);
}

#[test]
fn casts_keep_a_number_only_where_it_fits() {
    is(
        "auto l = make_layout(make_shape(int32_t(8), static_cast<bool>(4), static_cast<std::int8_t>(127)));",
        "(8,1,127):(1,0,8)",
    );
    assert_eq!(layout("auto l = make_layout(static_cast<int8_t>(300));"), Err(Reason::Overflow));
    assert_eq!(layout("using L = Layout<Int<uint32_t(-1)>>;"), Err(Reason::Overflow));
}
