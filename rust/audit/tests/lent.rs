//! What other templates, aliases and constants lend to a template that nobody gives values: the sets that stand together, the nearest,
//! and nothing of another name or kind.

use crate::common;

use common::{is, layouts, texts};
use razorgirl_audit::audit_sources;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::source::{Source, Sources};

const BACKWARD: &str =
    "template <int kRows_, int kCols_> struct Backward { using L = Layout<Shape<Int<kRows_>, Int<kCols_>>>; };";

#[test]
fn values_that_stand_together_elsewhere_are_tried_together() {
    let forward =
        "template <int kRows, int kCols> struct Forward {}; using A = Forward<8, 4>; using B = Forward<16, 2>;";
    is(
        &format!("{forward}{BACKWARD}"),
        &["kRows_ = 8, kCols_ = 4? (8,4):(1,8)", "kRows_ = 16, kCols_ = 2? (16,2):(1,16)"],
    );
    // One that shares fewer names does not join them.
    let one = "template <int kRows> struct One {}; using C = One<64>;";
    is(
        &format!("{one}{forward}{BACKWARD}"),
        &["kRows_ = 8, kCols_ = 4? (8,4):(1,8)", "kRows_ = 16, kCols_ = 2? (16,2):(1,16)"],
    );
    // What is instantiated itself borrows nothing.
    let own = "using D = Backward<2, 2>;";
    is(&format!("{forward}{BACKWARD}{own}"), &["kRows_ = 2, kCols_ = 2 (2,2):(1,2)"]);
    // Nobody instantiates the other either: it has nothing to lend, nor from what it could borrow itself.
    let none = "template <int kRows, int kCols> struct Forward { using L = Layout<Int<kRows * kCols>>; };";
    assert_eq!(layouts(&[("a.hpp", &format!("{none}{BACKWARD}"))]), [Err(Reason::Dependent), Err(Reason::Dependent)]);
}

#[test]
fn what_is_left_open_is_borrowed_from_another() {
    let others = "template <int kRows> struct A {}; using A8 = A<8>; template <int kCols> struct B {}; using B4 = B<4>; using B2 = B<2>;";
    is(&format!("{others}{BACKWARD}"), &["kRows_ = 8, kCols_ = 4? (8,4):(1,8)", "kRows_ = 8, kCols_ = 2? (8,2):(1,8)"]);
    // Half a layout is none.
    let half = "template <int kRows> struct A {}; using A8 = A<8>;";
    assert_eq!(texts(&format!("{half}{BACKWARD}")), Err(Reason::Dependent));
}

#[test]
fn what_conditions_say_of_the_parameter_itself_stays() {
    let forward = "template <int kRows, int kCols> struct Forward {}; using A = Forward<8, 4>;";
    let own = BACKWARD.replace("{ using", "{ static_assert(kRows_ == 32 || kRows_ == 64); using");
    is(
        &format!("{forward}{own}"),
        &["kRows_ = 32, kCols_ = 4? (32,4):(1,32)", "kRows_ = 64, kCols_ = 4? (64,4):(1,64)"],
    );
    // What they say of another parameter of the name gives way to values that stand together.
    let other = "template <int kRows> struct Other { static_assert(kRows == 1 || kRows == 2); };";
    is(&format!("{forward}{other}{BACKWARD}"), &["kRows_ = 8, kCols_ = 4? (8,4):(1,8)"]);
    // What is forbidden is not borrowed.
    let forbids = BACKWARD.replace("{ using", "{ static_assert(kRows_ % 16 == 0); using");
    let forward =
        "template <int kRows, int kCols> struct Forward {}; using A = Forward<8, 4>; using B = Forward<16, 2>;";
    is(&format!("{forward}{forbids}"), &["kRows_ = 16, kCols_ = 2? (16,2):(1,16)"]);
}

#[test]
fn aliases_and_constants_lend_by_their_names() {
    let tile = "template <class ClusterShape_> struct Main { using L = Layout<ClusterShape_>; };";
    is(&format!("using ClusterShape = Shape<_2, _1>; {tile}"), &["? (2,1):(1,0)"]);
    // Of a template: in each way in which that is instantiated.
    let launch = "template <int N> struct Launch { using ClusterShape = Shape<Int<N>, _4>; }; using A = Launch<2>; using B = Launch<3>;";
    is(&format!("{launch}{tile}"), &["? (2,4):(1,2)", "? (3,4):(1,3)"]);
    // An element of known size lends as well.
    let vector =
        "template <class ElementOut_> struct Main { using L = Layout<Int<128 / sizeof_bits_v<ElementOut_>>>; };";
    is(&format!("using ElementOut = cutlass::half_t; {vector}"), &["? 8:1"]);
    assert_eq!(texts(&format!("using ElementOut = cutlass::arch::Sm90; {vector}")), Err(Reason::Dependent));
    // The others: another name; a class, which says what kind of thing it is; a value where a type is meant; a variable that changes.
    for other in [
        "using Cluster = Shape<_2, _1>;",
        "struct Big { using L = Shape<_2, _1>; }; using ClusterShape = Big;",
        "constexpr int ClusterShape = 2;",
        "using ClusterShape = Shape<Unknown, _1>;",
    ] {
        assert_eq!(texts(&format!("{other}{tile}")), Err(Reason::Dependent), "{other}");
    }
    let stages = "template <int kStages> struct Pipe { using L = Layout<Int<kStages>>; };";
    is(&format!("constexpr int kStages = 3; {stages}"), &["kStages = 3? 3:1"]);
    assert_eq!(texts(&format!("int kStages = 3; {stages}")), Err(Reason::Dependent));
    // A name of CuTe's, and a short one, are anybody's.
    let any = "template <class Shape_> struct Main { using L = Layout<Shape_>; };";
    assert_eq!(texts(&format!("struct A {{ using Shape = cute::Shape<_2, _1>; }}; {any}")), Err(Reason::Dependent));
    let short = "template <int N> struct Pipe { using L = Layout<Int<N>>; };";
    assert_eq!(texts(&format!("constexpr int N = 3; {short}")), Err(Reason::Dependent));
}

#[test]
fn a_shape_of_run_time_values_is_one() {
    let text = "using ClusterShape = Shape<int, int, _1>;
        template <class ClusterShape_> struct Main { using L = Layout<ClusterShape_>; };";
    assert_eq!(texts(text), Err(Reason::RunTime));
}

#[test]
fn what_is_given_and_not_understood_says_nothing() {
    // A script writes `input_t`, and nobody knows `rows()`.
    let tile = "template <class Element_, int kRows_> struct Tile { using L = Layout<Shape<Int<kRows_>, Int<16 / sizeof(Element_)>>>; };";
    let given = "using T = Tile<input_t, 8>; using Element = float;";
    is(&format!("{given}{tile}"), &["kRows_ = 8? (8,4):(1,8)"]);
    let given = "using T = Tile<float, rows()>; constexpr int kRows = 2;";
    is(&format!("{given}{tile}"), &["kRows_ = 2? (2,4):(1,2)"]);
    // Nothing is listed or lent: the reason stays.
    assert_eq!(texts(&format!("using T = Tile<input_t, 8>; {tile}")), Err(Reason::UnknownName));
    // Where another instantiation is understood, this one is why not all are.
    let given = "using T = Tile<float, rows()>; using U = Tile<float, 4>; constexpr int kRows = 2;";
    assert_eq!(texts(&format!("{given}{tile}")), Err(Reason::Call));
    // A type that is declared is what it is.
    let given = "struct input_t { int a[3]; }; using T = Tile<input_t, 8>; using Element = float;";
    assert_eq!(texts(&format!("{given}{tile}")), Err(Reason::Expression));
}

#[test]
fn clusters_whose_size_is_known_at_run_time_only() {
    let main = |cluster: &str| {
        format!(
            "template <class ClusterShape> struct Main {{ void load() {{
                auto cluster = cutlass::detail::select_cluster_shape(ClusterShape{{}}, hw.cluster_shape);
                auto all = tiled_divide(make_layout(cluster), make_tile(Unknown{{}}));
                auto l = make_layout(size<1>(all)); }} }};
             using M = Main<{cluster}>;"
        )
    };
    let found = |text: &str| layouts(&[("a.hpp", text)]);
    assert_eq!(found(&main("Shape<int, int, _1>")), [Err(Reason::RunTime), Err(Reason::RunTime)]);
    // A static one is known, and what it is divided by is not.
    let known = found(&main("Shape<_2, _1, _1>"));
    assert_eq!(known[0], Ok(vec!["(2,1,1):(1,0,0)".to_owned()]));
    assert!(known[1].as_ref().is_err_and(|why| *why != Reason::RunTime));
}

#[test]
fn the_nearest_file_lends() {
    let tile = "template <int kStages> struct Pipe { using L = Layout<Int<kStages>>; };";
    let files = [
        ("src/norm/a.hpp", "constexpr int kStages = 3;"),
        ("src/gemm/b.hpp", "constexpr int kStages = 5;"),
        ("src/gemm/c.hpp", tile),
    ];
    assert_eq!(layouts(&files), [Ok(vec!["kStages = 5? 5:1".to_owned()])]);
    assert_eq!(layouts(&[files[0], files[2]]), [Ok(vec!["kStages = 3? 3:1".to_owned()])]);
}

#[test]
fn a_default_that_hangs_on_borrowed_values_has_theirs() {
    let text = "template <int kRows> struct Base { static constexpr int kWide = kRows * 2; };
        using A = Base<8>;
        template <int kRows_, class Of = Base<kRows_>> struct Derived { using L = Layout<Int<Of::kWide>>; };";
    is(text, &["kRows_ = 8? 16:1"]);
}

/// A finding is made where all sets that are tried are wrong, and says so.
#[test]
fn a_finding_needs_all_borrowed_sets_to_be_wrong() {
    let audit = |text: &str| {
        let files = vec![Source::new("a.hpp", text.as_bytes().to_vec())];
        audit_sources(Sources { files, unreadable: Vec::new() }, None)
    };
    let tile = "template <int kRows_> struct Tile { using L = Layout<Shape<Int<kRows_>, _8>, Stride<_8, _2>>; };";
    let forward = |more: &str| format!("template <int kRows> struct Forward {{}}; using A = Forward<8>; {more}{tile}");
    let report = audit(&forward(""));
    assert_eq!((report.layouts.resolved, report.findings.len()), (1, 1));
    assert!(
        report.findings[0].notes.iter().any(|note| note.contains("all of the 1 sets of values that the code lists")),
        "{:?}",
        report.findings[0].notes
    );
    // One row overlaps with none.
    let report = audit(&forward("using B = Forward<1>;"));
    assert_eq!((report.layouts.resolved, report.findings.len()), (1, 0));
}

/// Of a class that has a function `make_layout`, that is the one that is called.
#[test]
fn a_make_layout_of_ones_own_is_not_cutes() {
    let class = |member: &str| {
        format!("struct Plan {{ {member} void run(int t) {{ auto l = make_layout(Shape<_8, _4>{{}}); }} }};")
    };
    assert_eq!(texts(&class("")), Ok(vec!["(8,4):(1,8)".to_owned()]));
    let own = class("struct Layout { size_t bytes; }; Layout make_layout(int t) const { return {}; }");
    assert_eq!(texts(&own), Err(Reason::NotCute));
    // One that may give a layout of CuTe's is not known.
    assert_eq!(texts(&class("auto make_layout(int t) const { return f(t); }")), Err(Reason::Call));
    // A call of CuTe's inside of it declares nothing.
    let calls = class("auto rows(int t) const { return size(make_layout(Shape<_8, _4>{})); }");
    assert_eq!(texts(&calls), Ok(vec!["(8,4):(1,8)".to_owned()]));
}

#[test]
fn parts_that_are_not_known_are_no_obstacle_to_others() {
    let text = |mode: usize| {
        format!(
            "using Tile = decltype(shape_div(Shape<_256, _128, Int<unknown()>>{{}}, Shape<_2, _1, _1>{{}}));
            using L = Layout<Shape<decltype(get<{mode}>(Tile{{}})), _2>>;"
        )
    };
    assert_eq!(texts(&text(0)), Ok(vec!["(128,2):(1,128)".to_owned()]));
    assert!(texts(&text(2)).is_err());
}

#[test]
fn a_mode_is_kept_by_whatever_name() {
    for keep in ["_", "X", "Underscore", "cute::Underscore"] {
        let text = format!(
            "void f() {{ auto d = logical_divide(Layout<Shape<_4, _2, _8>>{{}}, Shape<{keep}, {keep}, _2>{{}}); auto l = make_layout(get<0>(d), get<2, 1>(d)); }}"
        );
        assert_eq!(texts(&text), Ok(vec!["(4,4):(1,16)".to_owned()]), "{keep}");
    }
}
