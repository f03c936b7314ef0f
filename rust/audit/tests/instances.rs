//! Layouts in templates are looked at for the arguments with which the code base instantiates them, and for no others.

use razorgirl_audit::audit_sources;
use razorgirl_audit::report::Report;
use razorgirl_audit::source::{Source, Sources};

fn audit(files: &[(&str, &str)]) -> Report {
    let files = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    audit_sources(Sources { files, unreadable: Vec::new() }, None)
}

/// Resolved and found layouts, and the notes of the findings.
fn of(files: &[(&str, &str)]) -> (usize, usize, Vec<String>) {
    let report = audit(files);
    let notes =
        report.findings.iter().flat_map(|finding| finding.notes.clone()).filter(|note| note.starts_with("for "));
    (report.layouts.resolved, report.layouts.found, notes.collect())
}

const TRAITS: &str = "template <int kRows, int kCols> struct Traits {
  static constexpr int kStride = kCols / 2;
  using L = Layout<Shape<Int<kRows>, Int<kCols>>, Stride<Int<kStride>, _1>>;
};";

#[test]
fn every_instance_is_looked_at_and_the_wrong_one_is_named() {
    let (resolved, found, notes) = of(&[("t.hpp", TRAITS), ("a.cu", "using T = Traits<8, 4>;")]);
    assert_eq!((resolved, found), (1, 1));
    assert_eq!(notes, ["for kRows = 8, kCols = 4, as the template is instantiated"]);
    // One row has nothing to share.
    assert_eq!(of(&[("t.hpp", TRAITS), ("a.cu", "using T = Traits<1, 4>;")]), (1, 1, vec![]));
    // Nobody instantiates it: no value is made up.
    assert_eq!(of(&[("t.hpp", TRAITS), ("a.cu", "int x;")]), (0, 1, vec![]));
}

#[test]
fn arguments_are_followed_through_functions_and_local_constants() {
    let launch = "template <int Rows> void run(int p) { constexpr static int Cols = 4; go<Traits<Rows, Cols>>(p); }";
    let call = "void start() { run<16>(0); }";
    let (resolved, _, notes) = of(&[("t.hpp", TRAITS), ("l.hpp", launch), ("a.cu", call)]);
    assert_eq!(resolved, 1);
    assert_eq!(notes, ["for kRows = 16, kCols = 4, as the template is instantiated"]);
    // Two functions of that name: it is not known which is called.
    let other = "template <int Rows> void run(float p) { }";
    assert_eq!(of(&[("t.hpp", TRAITS), ("l.hpp", launch), ("a.cu", call), ("o.hpp", other)]).0, 0);
}

#[test]
fn a_sum_of_coordinates_in_a_template_is_meant() {
    let text = "template <int N> struct Rotation { using L = Layout<Shape<Int<N>, Int<N>>, Stride<_1, _1>>; };
using T = Rotation<8>;";
    assert_eq!(of(&[("a.hpp", text)]), (1, 1, vec![]));
    assert!(audit(&[("a.hpp", text)]).findings.is_empty());
    assert_eq!(audit(&[("a.hpp", "using L = Layout<Shape<_8, _8>, Stride<_1, _1>>;")]).findings.len(), 1);
}

#[test]
fn switches_give_the_values_that_they_list() {
    let switch = "#define ROW_SWITCH(n, kN, ...) \\\n [&] { if (n < 9) { constexpr int kN = 1; return __VA_ARGS__(); } \\\n else { constexpr int kN = 8; return __VA_ARGS__(); } }()\n";
    let call = "void start(int n) { ROW_SWITCH(n, kN, [&] { go<Traits<kN, 4>>(n); }); }";
    let (resolved, _, notes) = of(&[("t.hpp", TRAITS), ("s.hpp", switch), ("a.cu", call)]);
    assert_eq!(resolved, 1);
    assert_eq!(notes.len(), usize::from(resolved == 1));
}

#[test]
fn a_switch_with_two_definitions_lists_what_both_list() {
    let rows = "#define ROW_SWITCH(n, kN, ...) \\\n [&] { if (n < 9) { constexpr int kN = 1; return __VA_ARGS__(); } \\\n else { constexpr int kN = 8; return __VA_ARGS__(); } }()\n";
    let short = "#ifdef SHORT\n#define FEW_SWITCH(n, kN, ...) \\\n [&] { constexpr int kN = 1; return __VA_ARGS__(); }()\n#else\n";
    let call = "void start(int n) { FEW_SWITCH(n, kN, [&] { go<Traits<kN, 4>>(n); }); }";
    let values = |other: &str| {
        let report = audit(&[("t.hpp", TRAITS), ("s.hpp", &format!("{rows}{short}{other}#endif\n")), ("a.cu", call)]);
        let mut all: Vec<String> = report.known.iter().map(|known| known.shape.to_string()).collect();
        all.sort_unstable();
        (report.layouts.resolved, all)
    };
    let both = (1, vec!["(1,4)".to_owned(), "(8,4)".to_owned()]);
    // `#define DROPOUT_SWITCH BOOL_SWITCH` stands in flash-attn.
    assert_eq!(values("#define FEW_SWITCH ROW_SWITCH\n"), both);
    // What is not read may list more.
    assert_eq!(values("#define FEW_SWITCH(n, kN, ...) dispatch<MAX>(n)\n"), (0, vec![]));
    assert_eq!(values("#define FEW_SWITCH OTHER_SWITCH\n"), (0, vec![]));
}

#[test]
fn templates_that_instantiate_each_other_end() {
    let text = "template <int N> struct A { using X = B<N + 1>; using L = Layout<Int<N>>; };
template <int N> struct B { using X = A<N + 1>; using L = Layout<Int<N>>; };
using T = A<1>;";
    let report = audit(&[("a.hpp", text)]);
    assert_eq!(report.layouts.found, 2);
}

#[test]
fn the_algebra_is_computed_by_the_library() {
    let text = "using Atom = Layout<Shape<_8,_64>,Stride<_64,_1>>;
using A = decltype(make_layout(shape(tile_to_shape(Atom{}, Shape<_128,_64>{}))));
using B = decltype(make_layout(logical_divide(Layout<_8>{}, _2{}), Layout<_3,_8>{}));
using C = decltype(make_layout(make_ordered_layout(Shape<_2,_4>{}, Step<_1,_0>{})));
using D = decltype(make_layout(composition(Layout<Shape<_6,_2>,Stride<_8,_2>>{}, Layout<Shape<_4,_3>,Stride<_3,_1>>{})));";
    let report = audit(&[("a.hpp", text)]);
    // The last divides nowhere: what CuTe makes of it is not guessed.
    assert_eq!(report.open.len(), report.layouts.found - report.layouts.resolved);
    assert!(report.layouts.resolved + 1 >= report.layouts.found, "{:?}", report.layouts);
    assert!(report.findings.is_empty());
}

#[test]
fn layouts_on_declarations_that_differ_are_looked_at_in_many_instances() {
    // A hundred layouts in each of 64 instances: more than are looked at in one pass over a copy of CUTLASS.
    let layouts =
        (0..100).fold(String::new(), |text, at| text + &format!("using L{at} = Layout<Shape<Int<kN>, S>>;\n"));
    let mentions = (1..=64).fold(String::new(), |text, at| text + &format!("using A{at} = T<{at}>;\n"));
    let text = |second: &str| {
        format!(
            "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\nusing S = Int<2>;\n#else\nusing S = {second};\n#endif\n\
             template <int kN> struct T {{ {layouts} }};\n{mentions}"
        )
    };
    let (resolved, found, _) = of(&[("a.cu", &text("Int<4>"))]);
    assert_eq!((resolved, found), (100, 100));
    // A side that is not known leaves them open.
    assert_eq!(of(&[("a.cu", &text("Unknown"))]).0, 0);
}
