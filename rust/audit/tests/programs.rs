//! Functions with loops, enumerations, types of which the standard library or CuTe says something, and the order among
//! specialisations: what a compiler knows, and nothing where it is not sure.

use razorgirl_audit::audit_sources;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::source::{Source, Sources};

/// The shapes of the layouts of the last file, in order, or why they are not known.
fn extents(files: &[(&str, &str)]) -> Vec<Result<String, Reason>> {
    placed(files).into_iter().map(|(_, found)| found).collect()
}

/// The same, with where each begins.
fn placed(files: &[(&str, &str)]) -> Vec<(u32, Result<String, Reason>)> {
    let files: Vec<Source> = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    let last = files.len() - 1;
    let report = audit_sources(Sources { files, unreadable: Vec::new() }, None);
    let mut found = Vec::new();
    for known in report.known.iter().filter(|known| known.place.file == last) {
        if report.resolved.contains(&known.place) {
            found.push((known.place.span.start, Ok(known.shape.to_string())));
        }
    }
    for open in report.open.iter().filter(|open| open.place.file == last) {
        found.push((open.place.span.start, Err(open.reason)));
    }
    found.sort_by_key(|(at, _)| *at);
    found
}

/// What `Int<value>` comes to after some declarations.
fn of(declarations: &str, value: &str) -> Result<String, Reason> {
    let text = format!("namespace cute {{\n{declarations}\nusing Asked = Layout<Int<{value}>>;\n}}");
    let asked = u32::try_from(text.find("Layout<Int<").unwrap()).unwrap();
    placed(&[("a.cu", &text)]).into_iter().find(|(at, _)| *at == asked).unwrap().1
}

#[test]
fn functions_with_loops_are_run() {
    for (function, value, expected) in [
        ("constexpr int log2(int x) { int r = 0; while (x > 1) { x >>= 1; ++r; } return r; }", "log2(64)", "6"),
        ("constexpr unsigned up(unsigned v) { unsigned p = 1; while (p < v) p *= 2; return p; }", "up(33)", "64"),
        (
            "constexpr int most(int n) { for (int i = 8; i > 1; --i) { if (n % i == 0) { return i; } } return 1; }",
            "most(12)",
            "6",
        ),
        ("constexpr int sum(int n) { int s = 0; for (int i = n - 1; i >= 0; --i) s += i; return s; }", "sum(4)", "6"),
        (
            "constexpr int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }",
            "gcd(36, 48)",
            "12",
        ),
        (
            "constexpr int odd(int n) { int s = 0; for (int i = 0; ; ++i) { if (i == n) break; if (i % 2 == 0) continue; s += i; } return s; }",
            "odd(6)",
            "9",
        ),
        (
            "template <int N> constexpr int rest(int x) { int r = x; while (r >= N) { r -= N; } return r + sizeof(float); }",
            "rest<8>(29)",
            "9",
        ),
        // The inner x is another variable.
        ("constexpr int in(int x) { int s = x; { int x = 100; s += x; } s += x; return s; }", "in(2)", "104"),
        (
            "constexpr int cap(int n) { int s = 0; while (s < 100) { s += n; } return std::min(s, 64) + max(1, s % 2); }",
            "cap(30)",
            "65",
        ),
    ] {
        assert_eq!(of(function, value).as_deref(), Ok(expected), "{function}");
    }
}

#[test]
fn what_is_not_sure_of_a_loop_is_not_run() {
    for (function, value) in [
        // It does not end.
        ("constexpr int f(int n) { while (true) { n += 0; } return n; }", "f(4)"),
        // In C++ this wraps around.
        ("constexpr int f(unsigned n) { unsigned k = n - 5; while (k > 100) { k /= 2; } return k; }", "f(4)"),
        // -1 compared with a size is larger than it.
        ("constexpr int f(int n) { int k = n - 5; while (k < sizeof(float)) { ++k; } return k + 1; }", "f(4)"),
        // 2^31 is no int.
        ("constexpr int f(int n) { int k = 1; for (int i = 0; i < n; ++i) { k <<= 1; } return k; }", "f(31)"),
        // A pointer, a call that changes its argument, a lambda, a goto.
        ("constexpr int f(int n) { int k = n; int* p = &k; *p = 7; return k; }", "f(4)"),
        ("constexpr int f(int n) { int k = n; g(k); return k; }", "f(4)"),
        ("constexpr int f(int n) { int k = n; [&] { k = 9; }(); return k; }", "f(4)"),
        ("constexpr int f(int n) { again: if (n < 8) { n += 1; goto again; } return n; }", "f(4)"),
        ("constexpr int f(int n) { int k; while (n > 0) { --n; } return k; }", "f(4)"),
        ("constexpr float f(float n) { float k = 1; while (k < n) { k *= 2; } return k; }", "f(5)"),
    ] {
        assert!(of(function, value).is_err(), "{function}");
    }
}

#[test]
fn enumerators_have_values() {
    let scoped = "enum class Kind { Normal, Batched, Grouped = 7, Masked }; constexpr auto kind = Kind::Masked;";
    assert_eq!(of(scoped, "static_cast<int>(kind)").as_deref(), Ok("8"));
    assert_eq!(of(scoped, "int(Kind::Batched) + 1").as_deref(), Ok("2"));
    assert_eq!(of("enum Plain : int { A = 3, B }; ", "B + Plain::A").as_deref(), Ok("7"));
    let template =
        "enum class G { N, M };\ntemplate <G g> struct T { static constexpr int rows = g == G::M ? 4 : 8; };";
    assert_eq!(of(template, "T<G::M>::rows").as_deref(), Ok("4"));
    assert_eq!(of(template, "T<G::N>::rows").as_deref(), Ok("8"));
    // The names of a scoped one are not names beside it.
    assert_eq!(of("enum class Kind { Normal, Batched };", "Batched"), Err(Reason::UnknownName));
}

#[test]
fn types_are_known_by_their_names() {
    for (value, expected) in [
        ("sizeof(float[3])", "12"),
        ("sizeof(std::remove_extent_t<half_t[4]>)", "2"),
        ("sizeof(typename std::remove_extent<double[4]>::type)", "8"),
        ("tuple_element_t<1, Shape<_3, _7>>::value", "7"),
        ("std::is_same<half_t, half_t>::value + 1", "2"),
        ("is_static_v<Shape<int, _2>> ? 3 : 5", "5"),
        ("cute::is_static<Shape<_4, _2>>::value ? 3 : 5", "3"),
        ("sizeof_bits<uint4_t>::value", "4"),
        ("sizeof_bits_v<half_t>", "16"),
        ("not true or false ? 3 : 5", "5"),
        ("(true and not false) ? 3 : 5", "3"),
        ("size<1>(recast_layout<uint1_t, half_t>(Layout<Shape<_1, _128>>{}))", "8"),
        ("size(complement(Layout<_4, _2>{}, Int<24>{}))", "6"),
        ("stride<0>(right_inverse(Layout<Shape<_8, _4>, Stride<_4, _1>>{}))", "8"),
        // One side decides.
        ("(false && kNobodyKnows) ? 3 : 5", "5"),
        ("(kNobodyKnows || true) ? 3 : 5", "3"),
    ] {
        assert_eq!(of("", value).as_deref(), Ok(expected), "{value}");
    }
    // An item of an array is no type of an array.
    assert!(of("float values[4];", "sizeof(values[2])").is_err());
    for value in [
        "sizeof(Mystery)",
        "sizeof(Mystery[2])",
        "(true && kNobodyKnows) ? 3 : 5",
        "tuple_element_t<2, Shape<_3, _7>>::value",
    ] {
        assert!(of("", value).is_err(), "{value}");
    }
}

#[test]
fn the_more_special_of_two_patterns_is_meant() {
    let atoms = "template <class... Args> struct Traits;
        template <class Op, class T> struct Atom : Atom<Traits<Op>, T> {};
        template <class... Args, class T> struct Atom<Traits<Args...>, T> : Traits<Args...> {
          using Own = Traits<Args...>;
          static constexpr int rows = Own::rows * sizeof(T);
        };
        struct Load; struct Store;
        template <> struct Traits<Load> { static constexpr int rows = 8; };
        template <> struct Traits<Store> { static constexpr int rows = 4; };";
    let atoms = atoms.replacen(
        "template <class Op, class T> struct Atom :",
        "template <class... Args> struct Atom;\ntemplate <class Op, class T> struct Atom<Op, T> :",
        1,
    );
    assert_eq!(of(&atoms, "Atom<Load, half_t>::rows").as_deref(), Ok("16"));
    assert_eq!(of(&atoms, "Atom<Traits<Store>, float>::rows").as_deref(), Ok("16"));
    assert_eq!(of(&atoms, "Atom<Store, half_t>::rows").as_deref(), Ok("8"));
}

#[test]
fn an_assertion_of_cutes_among_members_is_read() {
    let text = "template <class Shape_> struct Mainloop {
          static constexpr bool dynamic = not cute::is_static_v<Shape_>;
          static constexpr int rows = size<0>(Shape_{});
          CUTE_STATIC_ASSERT_V(evenly_divides(Shape_{}, Shape<_2, _2>{}), \"the tile is no multiple, see above\");
          static constexpr int more = dynamic ? 1 : 2 * rows;
        };";
    assert_eq!(of(text, "Mainloop<Shape<_8, _4>>::more").as_deref(), Ok("16"));
}

/// What a call passes is what a deduced parameter is, through two templates; parameters that nobody needs make no instances.
#[test]
fn arguments_are_deduced_through_templates() {
    let text = "namespace cute {
        template <class Data, class Atom, class Threads> auto inner(Data&& data, Pair<Atom, Threads>& pair) {
          return make_layout(size<0>(Atom{}));
        }
        template <class Mma> auto outer(Mma& mma) { return inner(unknown_thing(), mma); }
        void kernel() {
          Pair<Shape<_16, _8>, _4> a;
          outer(a);
          Pair<Shape<_32, _8>, _2> b;
          outer(b);
        }
        }";
    let found = extents(&[("a.cu", text)]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|found| matches!(found.as_deref(), Ok("16" | "32"))), "{found:?}");
    assert_ne!(found[0], found[1]);
}

/// A name that only an instance needs is looked for in headers that hold no layout.
#[test]
fn headers_are_read_for_what_instances_name() {
    let header = "#pragma once\nnamespace lib { template <class T> struct Op { using Registers = T[4]; }; }";
    let text = "namespace cute {
        template <class Op_> struct Kernel { using L = Layout<Int<sizeof(typename Op_::Registers)>>; };
        using Used = Kernel<lib::Op<float>>;
        }";
    assert_eq!(extents(&[("op.hpp", header), ("a.cu", text)]), [Ok("16".to_owned())]);
}

#[test]
fn functions_of_the_standard_library_and_of_cutlass() {
    for (value, expected) in [
        ("std::min(4, int(128 / 8 / sizeof(float)))", "4"),
        ("std::max(16, 2 * 4)", "16"),
        ("cutlass::gcd(96 / 4, int(256))", "8"),
        ("std::lcm(4, 6)", "12"),
        ("cute::round_up(96, 64)", "128"),
        ("cute::round_up(96, _64{})", "128"),
        ("cutlass::ceil_div(96, 64)", "2"),
        ("cutlass::round_nearest(96, 64)", "128"),
    ] {
        assert_eq!(of("", value), Ok(expected.to_owned()), "{value}");
    }
    // Somebody's own may be another.
    for value in ["mine::gcd(4, 6)", "gcd(4, 6)", "std::round_up(4, 6)", "std::min(4, f())", "cutlass::gcd(-4, 6)"] {
        assert!(of("", value).is_err(), "{value}");
    }
}
