//! Which values the parameters of templates have, and what the layouts in them come to for each: the right ones, and no others.

use razorgirl_audit::ast::Unit;
use razorgirl_audit::audit_sources;
use razorgirl_audit::eval::{MAX_INSTANCES, Program, Reason};
use razorgirl_audit::report::Report;
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::survey::Survey;
use razorgirl_audit::syntax::Reader;
use razorgirl_audit::uses::Family;

fn sources(files: &[(&str, &str)]) -> Vec<Source> {
    files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect()
}

/// Each layout of some files: what it is for which values (tried values with a question mark), or why it is not known.
fn layouts(files: &[(&str, &str)]) -> Vec<Result<Vec<String>, Reason>> {
    let sources = sources(files);
    let mut reader = Reader::default();
    // Every statement with template arguments is read.
    let marks = |source: &Source| -> Vec<u32> {
        source.text.match_indices('<').map(|(at, _)| u32::try_from(at - 1).unwrap()).collect()
    };
    let units: Vec<Unit> =
        sources.iter().enumerate().map(|(index, source)| reader.read_marked(index, source, &marks(source))).collect();
    let program = Program::new(&sources, &units);
    let mut survey = Survey::of(&program);
    survey.instantiate(&program);
    let shown = survey.layouts.iter().map(|found| {
        let layout = found.layout.as_ref().map_err(|why| why.reason)?;
        let text = |layout: &razorgirl_audit::eval::Constant| format!("{}:{}", layout.shape.tuple, layout.stride.tuple);
        if found.cases.is_empty() {
            return Ok(vec![text(layout)]);
        }
        let case = |case: &razorgirl_audit::survey::Case| {
            let doubt = if case.tried { "?" } else { "" };
            format!("{}{doubt} {}", case.holds, text(&case.layout)).trim_start().to_owned()
        };
        Ok(found.cases.iter().map(case).collect())
    });
    shown.collect()
}

/// The last layout of a text.
fn last(text: &str) -> Result<Vec<String>, Reason> {
    layouts(&[("a.hpp", text)]).pop().unwrap()
}

fn is(text: &str, cases: &[&str]) {
    assert_eq!(last(text), Ok(cases.iter().map(|case| (*case).to_owned()).collect()), "{text}");
}

fn audit(files: &[(&str, &str)]) -> Report {
    audit_sources(Sources { files: sources(files), unreadable: Vec::new() }, None)
}

const ROWS: &str = "template <int kRows> struct Tile { using L = Layout<Shape<Int<kRows>, _2>>; };";

#[test]
fn listed_values_are_tried_where_nothing_is_instantiated() {
    let tile = |more: &str| format!("template <int kRows> struct Tile {{ {more} using L = Layout<Int<kRows>>; }};");
    is(&tile("static_assert(kRows == 64 || kRows == 128);"), &["kRows = 64? 64:1", "kRows = 128? 128:1"]);
    // A demand that is no list, and nothing at all.
    assert_eq!(last(&tile("static_assert(kRows % 32 == 0);")), Err(Reason::Dependent));
    assert_eq!(last(&tile("")), Err(Reason::Dependent));
    is("template <int kRows = 8> struct Tile { using L = Layout<Int<kRows>>; };", &["kRows = 8? 8:1"]);
    // A `bool` is one of two.
    is(
        "template <bool kWide> struct Tile { using L = Layout<Int<kWide ? 8 : 4>>; };",
        &["kWide = 0? 4:1", "kWide = 1? 8:1"],
    );
    // What is instantiated is not joined by what is only listed.
    let text = tile("static_assert(kRows == 64 || kRows == 128);") + "using T = Tile<64>;";
    is(&text, &["kRows = 64 64:1"]);
}

#[test]
fn what_a_static_assert_forbids_is_not_tried() {
    let text =
        "template <int N, bool kWide> struct Tile { static_assert(N == 4 || N == 8); static_assert(!kWide || N > 4);
        using L = Layout<Shape<Int<N>, Int<kWide ? 2 : 1>>>; };";
    is(text, &["N = 4, kWide = 0? (4,1):(1,0)", "N = 8, kWide = 0? (8,1):(1,0)", "N = 8, kWide = 1? (8,2):(1,8)"]);
}

#[test]
fn a_branch_is_looked_at_only_where_it_is_compiled() {
    let text = format!(
        "{ROWS} template <int N> void run() {{
            if constexpr (N == 64) {{ go<Tile<N / 2>>(); }} else if constexpr (N == 128) {{ go<Tile<N>>(); }}
            else {{ go<Tile<7>>(); }} }}
         void all() {{ run<64>(); run<128>(); }}"
    );
    is(&text, &["kRows = 32 (32,2):(1,32)", "kRows = 128 (128,2):(1,128)"]);
    // Nobody calls it: the values that the branches name are tried, and what is in the last branch has none of them.
    let text = text.split("void all").next().unwrap();
    is(text, &["kRows = 32? (32,2):(1,32)", "kRows = 128? (128,2):(1,128)"]);
    // A layout in the branch itself.
    let text = "template <int N> void run() { if constexpr (N > 8) { auto l = Layout<Int<N>>{}; } }
        void all() { run<4>(); run<16>(); }";
    is(text, &["N = 16 16:1"]);
}

#[test]
fn switches_may_name_their_constant_themselves() {
    let switch = "#define DIM_SWITCH(D, ...) \\\n [&] { if (D <= 32) { \\\n constexpr static int kDim = 32; \\\n return __VA_ARGS__(); \\\n } else { \\\n constexpr static int kDim = 64; \\\n return __VA_ARGS__(); } }()\n";
    let text = format!("{switch}{ROWS} void start(int d) {{ DIM_SWITCH(d, [&] {{ go<Tile<kDim>>(); }}); }}");
    is(&text, &["kRows = 32 (32,2):(1,32)", "kRows = 64 (64,2):(1,64)"]);
    // Another macro of that name with other values: none is known to hold.
    let other = switch.replace("64", "96");
    assert_eq!(last(&format!("{other}{text}")), Err(Reason::Dependent));
}

#[test]
fn what_a_macro_lists_for_a_name_is_tried_for_a_parameter_of_that_name() {
    let dispatch = "#define DISPATCH(d, DIM, ...) \\\n switch (d) { case 64: { constexpr int DIM = 64; __VA_ARGS__ } \\\n case 96: { constexpr int DIM = 96; __VA_ARGS__ } }\nvoid f(int d) { DISPATCH(d, HEAD_DIM, { run(); }) }\n";
    let tile = "template <int HEAD_DIM_> struct T { static constexpr int n = HEAD_DIM_; using L = Layout<Int<n>>; };";
    is(&format!("{dispatch}{tile}"), &["HEAD_DIM_ = 64? 64:1", "HEAD_DIM_ = 96? 96:1"]);
    let tile = tile.replace("HEAD_DIM", "HEAD_SIZE");
    assert_eq!(last(&format!("{dispatch}{tile}")), Err(Reason::Dependent));
}

/// Eight switches that a layout does not mention would make 256 instances of each.
#[test]
fn parameters_that_a_layout_does_not_hang_on_make_no_instances() {
    let bools: Vec<String> = (0..8).map(|i| format!("bool b{i}")).collect();
    let (params, names) = (bools.join(", "), bools.join(", ").replace("bool ", ""));
    let text = format!(
        "{ROWS} template <class K, {params}> void kernel() {{ auto l = Layout<Int<K::n>>{{}}; }}
         template <int N> struct Traits {{ static constexpr int n = N; }};
         template <int N, {params}> void run() {{ kernel<Traits<N>, {names}>(); }}
         template <{params}> void pick() {{ run<32, {names}>(); run<64, {names}>(); }}"
    );
    let found = last(&text).unwrap();
    assert_eq!(found, ["32:1", "64:1"]);
}

#[test]
fn more_instances_than_are_tried_are_not_resolved_but_checked() {
    let uses = |count: usize| (0..count).map(|i| format!("using T{i} = Tile<{}>;", i + 1)).collect::<Vec<_>>().concat();
    let tile = "template <int N> struct Tile { using L = Layout<Shape<Int<N>, _8>, Stride<_8, _2>>; };";
    let text = format!("{tile}{}", uses(MAX_INSTANCES));
    assert_eq!(last(&text).unwrap().len(), MAX_INSTANCES);
    let text = format!("{tile}{}", uses(MAX_INSTANCES + 1));
    assert_eq!(last(&text), Err(Reason::Instances));
    // N rows of 8 that are 8 apart, with a stride of 2: the second row is in the first.
    let report = audit(&[("a.hpp", &text)]);
    assert_eq!(report.findings.len(), 1);
    assert!(report.findings[0].notes.iter().any(|note| note.contains("for N = 2,")), "{:?}", report.findings[0].notes);
}

#[test]
fn values_that_are_only_listed_make_a_finding_where_all_of_them_are_wrong() {
    let tile = |stride: &str| {
        format!(
            "template <int N, bool kPad> struct Tile {{ static_assert(N == 4 || N == 8);
             using L = Layout<Shape<_8, Int<N>>, Stride<{stride}, _1>>; }};"
        )
    };
    // Too small for either N.
    let report = audit(&[("a.hpp", &tile("_2"))]);
    assert_eq!(report.findings.len(), 1);
    let notes = &report.findings[0].notes;
    assert!(notes.iter().any(|note| note.contains("all of the 2 sets of values that the code lists")), "{notes:?}");
    assert!(report.findings[0].fix.is_none());
    // Too small for N = 8 alone, which nobody may ever use.
    assert!(audit(&[("a.hpp", &tile("_4"))]).findings.is_empty());
    assert!(audit(&[("a.hpp", &tile("Int<N>"))]).findings.is_empty());
    // But if somebody does, it is wrong.
    let text = tile("_4") + "using T = Tile<8, false>;";
    assert_eq!(audit(&[("a.hpp", &text)]).findings.len(), 1);
}

#[test]
fn functions_of_one_name_in_two_namespaces_are_two() {
    let text = format!(
        "{ROWS} namespace a {{ template <int N> void run() {{ go<Tile<N>>(); }} }}
         namespace b {{ template <int N> void run() {{ }} }}
         void start() {{ a::run<4>(); b::run<8>(); }}"
    );
    is(&text, &["kRows = 4 (4,2):(1,4)"]);
    let inside = format!(
        "{ROWS} namespace a {{ template <int N> void run() {{ go<Tile<N>>(); }} void start() {{ run<4>(); }} }}
         namespace b {{ template <int N> void run() {{ }} void start() {{ run<8>(); }} }}"
    );
    is(&inside, &["kRows = 4 (4,2):(1,4)"]);
}

#[test]
fn sizes_of_types_that_are_known_by_name() {
    let vector = |space: &str| {
        format!(
            "template <class T> struct V {{ static constexpr int n = sizeof(cute::uint128_t) / sizeof(T);
             using L = Layout<Int<n>>; }}; namespace mine {{ struct half_t {{ char a[4]; }}; }} using X = V<{space}half_t>;"
        )
    };
    is(&vector("cutlass::"), &["8:1"]);
    assert_eq!(last(&vector("mine::")), Err(Reason::Expression));
    is("using L = Layout<Int<sizeof_bits_v<float>>>;", &["32:1"]);
    is("using L = Layout<Int<std::is_same_v<half_t, bfloat16_t> ? 2 : 4>>;", &["4:1"]);
    // `int` may be `int32_t`, and an unknown name may be anything.
    let is_same = |a: &str, b: &str| last(&format!("using L = Layout<Int<std::is_same_v<{a}, {b}> ? 2 : 4>>;"));
    assert_eq!(is_same("int", "int32_t"), Ok(vec!["2:1".to_owned()]));
    assert_eq!(is_same("half", "__half"), Ok(vec!["2:1".to_owned()]));
    assert_eq!(is_same("char", "int8_t"), Err(Reason::Expression));
    assert_eq!(is_same("Mystery", "float"), Err(Reason::UnknownName));
}

#[test]
fn names_as_cpp_reads_them() {
    // A member of the type of an expression.
    is("using S = Shape<_8, _4>; using L = Layout<Int<decltype(size<1>(S{}))::value>>;", &["4:1"]);
    // An alias is not yet declared in what it stands for.
    is(
        "template <int N> struct Rows { using type = Layout<Int<N>>; };
         void f() { using Rows = Rows<4>; go<Rows>(); }",
        &["N = 4 4:1"],
    );
    // Names of CuTe's that a namespace takes over.
    is(
        "namespace a { using cute::_4; using cute::Shape; using cute::Int; using L = Layout<Shape<_4, Int<2>>>; }",
        &["(4,2):(1,4)"],
    );
    assert_eq!(
        last("namespace a { struct _4; using other::Shape; using L = Layout<Shape<Int<2>, Int<2>>>; }"),
        Err(Reason::UnknownName)
    );
}

#[test]
fn a_number_known_at_run_time_is_the_reason_whatever_else_is_open() {
    let text = "template <int N> void f(int stride) { auto l = make_layout(make_shape(Int<N>{}, _4{}), make_stride(stride, _1{})); }";
    assert_eq!(last(text), Err(Reason::RunTime));
    assert_eq!(last(&text.replace("int stride", "Int<8> stride")), Err(Reason::Dependent));
}

#[test]
fn another_librarys_layout_in_a_template_is_not_cutes() {
    let text = "namespace other { template <class S, class D> struct Layout {};
        template <class S> void f() { Layout<S, int> l; } }";
    assert_eq!(last(text), Err(Reason::NotCute));
    let text = "template <class S> void f() { Layout<S, _1> l; }";
    assert_eq!(last(text), Err(Reason::Dependent));
}

/// One copy of a library that says that a tile has so many rows.
fn copy(root: &str, rows: usize) -> Vec<(String, String)> {
    let traits = format!(
        "namespace cute {{ constexpr int kRows = {rows};
         template <> struct MMA_Traits<Toy> {{ using Shape_MNK = Shape<Int<kRows>, _8, _4>; using ThrID = Layout<_32>;
         using ALayout = Layout<Shape<_32, Int<kRows * 4 / 32>>, Stride<_1, _32>>;
         using BLayout = Layout<Shape<_32, _1>, Stride<_1, _0>>;
         using CLayout = Layout<Shape<_32, Int<kRows * 8 / 32>>, Stride<_1, _32>>; }};
         template <> struct MMA_Traits<Derived> : MMA_Traits<Toy> {{}}; }}"
    );
    vec![
        (
            format!("{root}/include/cute/layout.hpp"),
            "namespace cute { template <class S, class D> struct Layout {}; }".to_owned(),
        ),
        (format!("{root}/include/cute/atom/traits.hpp"), traits),
    ]
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

#[test]
fn a_name_means_what_the_nearest_copy_of_a_library_says() {
    let mut files = copy("p/one/cutlass", 8);
    files.extend(copy("p/two/cutlass", 16));
    let tile = "using L = Layout<Int<cute::kRows>>;".to_owned();
    for path in ["p/one/kernel.cu", "p/one/cutlass/test/kernel.cu", "p/two/kernel.hpp", "p/kernel.cu"] {
        files.push((path.to_owned(), tile.clone()));
    }
    let found = layouts(&borrowed(&files));
    let [one, test, two, between] = &found[found.len() - 4..] else { panic!("{found:?}") };
    assert_eq!(*one, Ok(vec!["8:1".to_owned()]));
    assert_eq!(*test, Ok(vec!["8:1".to_owned()]));
    assert_eq!(*two, Ok(vec!["16:1".to_owned()]));
    // As near to one as to the other, and they differ.
    assert_eq!(*between, Err(Reason::Ambiguous));
}

#[test]
fn several_copies_together_are_resolved_as_each_alone() {
    let alone = audit(&borrowed(&copy("a", 8)));
    assert_eq!((alone.mma.found, alone.mma.resolved), (2, 2));
    let files: Vec<_> = (1..=7).flat_map(|index| copy(&format!("v{index}/cutlass"), 8 * index)).collect();
    let together = audit(&borrowed(&files));
    assert_eq!((together.mma.found, together.mma.resolved), (14, 14));
    assert!(together.findings.is_empty(), "{:?}", together.findings);
}

#[test]
fn calls_of_layout_algebra_are_counted() {
    let text = "using Atom = Layout<Shape<_8,_64>,Stride<_64,_1>>;
        using A = decltype(tile_to_shape(Atom{}, Shape<_128,_64>{}));
        void f(Other o) { auto a = make_tiled_copy(Op{}, Layout<_32>{}, Layout<_4>{}); auto b = zipped_divide(o, _2{}); }";
    let report = audit(&[("a.cu", text)]);
    let used = report.algebra(|_| true);
    let of = |family| used.get(&family).map(|used| (used.found, used.resolved));
    assert_eq!(of(Family::TileToShape), Some((1, 1)));
    assert_eq!(of(Family::TiledCopy), Some((1, 1)));
    assert_eq!(of(Family::Divide), Some((1, 0)));
    assert_eq!(of(Family::Tma), None);
}
