//! Whatever it is given, the audit ends, soon, and without a panic.

#![allow(clippy::format_collect)]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use razorgirl_audit::report::{Export, Json, Sarif, Text};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, Status, audit_sources};

/// Audits texts and writes the report in every format.
fn audit(texts: &[&[u8]]) -> Report {
    let files = texts.iter().enumerate().map(|(index, text)| Source::new(format!("{index}.hpp"), text.to_vec()));
    let report = audit_sources(Sources { files: files.collect(), unreadable: Vec::new() }, None);
    for format in
        [&Text { remarks: true, color: true, ..Text::default() } as &dyn Export, &Json::default(), &Sarif::default()]
    {
        format.write(&report, &mut std::io::sink()).unwrap();
    }
    report
}

/// Audits one text, which must not take long even in a debug build on a busy machine.
fn quick(text: &str) -> Report {
    let start = Instant::now();
    let report = audit(&[text.as_bytes()]);
    let head: String = text.chars().take(60).collect();
    assert!(start.elapsed() < Duration::from_secs(60), "{head}… took {:?}", start.elapsed());
    report
}

#[test]
fn deep_nesting() {
    let n = 10_000;
    quick(&format!("using L = Layout<{}_4{}>;", "Shape<".repeat(n), ">".repeat(n)));
    quick(&format!("auto l = make_layout({}4{});", "make_shape(".repeat(n), ")".repeat(n)));
    quick(&format!("using L = Layout<Int<{}4{}>>;", "(".repeat(n), ")".repeat(n)));
    quick(&format!("using L = Layout<Int<{}4>>;", "-".repeat(n)));
    quick(&format!("using L = Layout<Int<1{}>>;", "+1".repeat(n)));
    quick(&format!("{}using L = Layout<_4>;{}", "namespace a {".repeat(n), "}".repeat(n)));
    quick(&format!("void f() {} Layout<_4> x; {}", "{".repeat(n), "}".repeat(n)));
    quick(&format!("using L = Layout<typename {}Z>;", "A::".repeat(n)));
    quick(&"Layout<".repeat(n));
    quick(&"make_layout(".repeat(n));
    quick(&"template <class T = Layout<".repeat(n));
    quick(&"#if A\nLayout<_4> {\n".repeat(n / 4));
    quick(&"#if 0\nLayout<_4> {\n".repeat(n / 4));
    quick(&format!("#if {}0{}\nLayout<_4>\n#endif\n", "(".repeat(n), ")".repeat(n)));
    quick(&format!("namespace {}a {{ using L = Layout<_4>; }}", "a::".repeat(n)));
    quick(&format!("using namespace {}a; using L = Layout<Zz>;", "a::".repeat(n)));
}

#[test]
fn circles() {
    quick("using A = B; using B = C; using C = A; using L = Layout<A>;");
    quick("struct A : B { using L = Layout<X>; }; struct B : C {}; struct C : A {};");
    quick("template <> struct MMA_Traits<A> : MMA_Traits<B> {}; template <> struct MMA_Traits<B> : MMA_Traits<A> {};");
    quick(
        "template <> struct MMA_Traits<MMA_Traits<A>> : MMA_Traits<MMA_Traits<MMA_Traits<A>>> {}; using L = Layout<_4>;",
    );
    quick("template <int N> struct S { using X = typename S<N+1>::X; }; using L = Layout<S<0>::X>;");
    quick("template <int N> struct S : S<N+1> {}; using L = Layout<S<0>::X>;");
    quick(
        "template <class T> struct S<typename S<T>::X> { using X = S<S<X>>; }; using L = Layout<typename S<S<_4>>::X>;",
    );
    quick(
        "namespace a { using namespace b; } namespace b { using namespace a; } using namespace a; using L = Layout<Zz>;",
    );
    quick("namespace a = b; namespace b = a; using L = Layout<a::X>;");
    quick("using x::x; using L = Layout<x>; namespace y { using y::z; using K = Layout<z>; }");
    quick("constexpr int N = N + 1; using L = Layout<Int<N>>;");
    // An inheriting constructor names its class, and inside of a template nothing is remembered of it.
    quick("template <class T> struct A { using Base::Base; using N = Base; }; using L = Layout<A<float>::N>;");
    quick("template <class T> struct A { using A::B; using B::A; }; using L = Layout<A<float>::B>;");
    quick("template <class T> struct A { using N = typename A<T>::N; }; using L = Layout<A<float>::N>;");
    quick("template <class T> struct A : A<T>::B { using B::X; }; using L = Layout<A<_4>::X>;");
    quick("template <class T> struct A : B<T> {}; template <class T> struct B : A<T> {}; using L = Layout<A<_4>::X>;");
    quick("template <class T> struct A { static constexpr int n = A<T>::n; }; using L = Layout<Int<A<_4>::n>>;");
    quick(
        "template <class T, class U = A<T>> struct A {}; template <> struct A<_4, A<_4>> {}; using L = Layout<A<_4>::X>;",
    );
    quick("template <int N = N> using A = Layout<Int<N>>; using L = A<>;");
}

#[test]
fn explosions() {
    let doubling: String = (1..200).map(|i| format!("using A{i} = Shape<A{0},A{0}>;", i - 1)).collect();
    quick(&format!("using A0 = _2; {doubling} using L = Layout<A199>;"));
    quick("template <int N, class T> using D = D<N-1, Shape<T,T>>; using L = Layout<D<60,_1>>;");
    quick(
        "template <int N> struct F { static constexpr int v = F<N-1>::v + F<N-2>::v; }; using L = Layout<Int<F<90>::v>>;",
    );
    // Each of them is soon worked out, and what they come to nests ever deeper, or doubles.
    let chain: String = (1..20_000).map(|i| format!("using A{i} = X<A{}>;\n", i - 1)).collect();
    quick(&format!("using A0 = _2; {chain} using L = Layout<A19999>;"));
    let doubling: String = (1..200).map(|i| format!("using A{i} = X<A{0},A{0}>;", i - 1)).collect();
    quick(&format!(
        "using A0 = _2; {doubling} template <class T> struct S {{}}; template <class T> struct S<X<T,T>> {{}};
         using L = Layout<S<A199>::N>;"
    ));
    let wide = "_2,".repeat(20_000);
    quick(&format!("using L = Layout<Shape<{wide}_2>>;"));
    let bases = (0..300).map(|i| format!("struct B{i} : B{} , B{} {{}};", i + 1, i + 2)).collect::<String>();
    quick(&format!("{bases} struct T : B0 {{ using L = Layout<Nothing>; }};"));
    quick(&"using A = Layout<B>; using B = Layout<A>;".repeat(2_000));
    quick(&"auto make_layout = make_layout(make_layout);".repeat(2_000));
}

#[test]
fn giant_numbers() {
    let max = u64::MAX;
    for text in [
        format!("using L = Layout<Shape<Int<{max}>,Int<{max}>>,Stride<Int<{max}>,Int<{max}>>>;"),
        format!("using L = Layout<Shape<Int<{max}>,_2>,Stride<_1,_1>>;"),
        format!("using L = Layout<_{max}{max}{max}>;"),
        "using L = Layout<Int<(1<<126) * 4>>;".to_owned(),
        "using L = Layout<Int<-170141183460469231731687303715884105727 - 9>>;".to_owned(),
        "using L = Layout<Int<(0 - (1 << 63)) / (0 - 1)>>;".to_owned(),
        "using L = Layout<Int<1 << -1>>; using M = Layout<Int<1 >> 200>>; using N = Layout<Int<~0>>;".to_owned(),
    ] {
        quick(&text);
    }
}

#[test]
fn giant_tiles() {
    let traits = |m: &str, layout: &str| {
        format!(
            "template <> struct MMA_Traits<X> {{ using Shape_MNK = Shape<{m},{m},{m}>; using ThrID = Layout<_1>;
             using ALayout = {layout}; using BLayout = {layout}; using CLayout = {layout}; }};"
        )
    };
    quick(&traits("Int<4294967296>", "Layout<Shape<_1,_4>>"));
    quick(&traits("Int<18446744073709551615>", "Layout<Shape<_1,_4>>"));
    quick(&traits("_4096", "Layout<Shape<_1,Int<16777216>>,Stride<_0,_3>>"));
    quick(&traits("_4096", "Layout<Shape<Int<4294967296>,Int<2147483648>>,Stride<_1,_1>>"));
    // Many tiles, each of which would have to be counted element by element.
    let many: String = (0..200)
        .map(|i| traits("_4096", &format!("Layout<Shape<_1,Int<16777216>>,Stride<_0,Int<{}>>>", i + 2)))
        .collect();
    let report = quick(&many);
    assert!(report.operands.too_large > 0);
    let many: String = (0..2_000)
        .map(|i| format!("using L{i} = Layout<Shape<Int<1000>,Int<1000>>,Stride<_1,Int<{}>>>;", i % 900 + 1))
        .collect();
    let report = quick(&many);
    assert!(report.plain.untold > 0);
    let mut text = Vec::new();
    Text::default().write(&report, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("not judged:") && text.contains("beyond what one run searches"), "{text}");
}

/// Beyond the bounds something is said, and nothing is called fine.
#[test]
fn more_than_one_run_takes() {
    let long = format!("using L = Layout<_4>;{}", "f();".repeat(2 << 20));
    let report = audit(&[long.as_bytes(), b"using L = Layout<_4>;"]);
    assert_eq!((report.status(), report.layouts.resolved), (Status::Incomplete, 1));
    assert!(report.given_up[0].why.contains("4 MiB"), "{:?}", report.given_up);
    assert_eq!(report.layouts.unresolved.values().sum::<usize>(), 1);
    // A defect beside it is told all the same.
    let report = audit(&[long.as_bytes(), b"using L = Layout<Shape<_8,_4>,Stride<_1,_4>>;"]);
    assert_eq!(report.status(), Status::Findings);
}

#[test]
fn odd_bytes() {
    audit(&[
        b"",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbfusing L = Layout<_4>;",
        b"Layout<\0\0_4\0>",
        "Layout<\u{1F600}>".as_bytes(),
    ]);
    let utf16: Vec<u8> = "using L = Layout<_4>;".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(audit(&[&utf16]).layouts.resolved, 1);
    let line = format!("using L = Layout<Shape<_8,_4>,Stride<_1,_4>>;{}", " ".repeat(1 << 20));
    assert_eq!(quick(&line).findings.len(), 1);
    let same_line = format!("{}using L = Layout<Shape<_8,_4>,Stride<_1,_4>>;", "using X = _4; ".repeat(20_000));
    assert_eq!(quick(&same_line).findings.len(), 1);
    quick(&"\u{e9}Layout<\u{e9}>".repeat(20_000));
    quick(&"/*".repeat(100_000));
    quick(&"\"".repeat(100_000));
    quick(&"R\"(".repeat(20_000));
    quick(&"{}".repeat(100_000));
    quick(&format!("Layout<_4> {}", "<".repeat(100_000)));
    quick(&format!("Layout<_4> {}", "a b c ; ) > ".repeat(20_000)));
}

/// Names that lead to each other in every way that the evaluator follows.
const TEMPLATES: &str = "
namespace lib {
template <class T, int N = 4> struct Base { using Type = T; static constexpr int value = N * 2; using Shape = Shape<Int<N>,_2>; };
template <class T> struct Base<T, 8> : Base<T> { using Base<T>::Base; using Other = typename Base<T>::Type; };
template <class T> struct Derived : Base<T, Base<T>::value> { using Super = Base<T, 8>; using Super::Super; using N = Int<Super::value>; };
template <class... Ts> struct Pack { template <int K> using At = Derived<Pack<Ts...>>; using First = At<0>; };
template <class T> using Alias = typename Derived<T>::N;
template <class A, class B> struct Pick { using type = A; };
template <class A> struct Pick<A, A> { using type = typename Pick<A, Alias<A>>::type; };
using One = Derived<float>; using Two = Pick<One, Alias<One>>; namespace inner { using namespace lib; using lib::One; }
constexpr int kRows = One::value, kColumns = kRows + Base<int, kRows>::value;
using L = Layout<Shape<Int<kRows>, Alias<Two>>, Stride<_1, Int<kColumns>>>;
using M = Layout<typename Pack<One, Two>::First::Shape>; using K = Layout<Int<inner::One::value>>;
template <> struct MMA_Traits<One> : MMA_Traits<Two> { using Shape_MNK = typename Base<One>::Shape; using ThrID = L; };
template <class T> struct MMA_Traits<Derived<T>> : MMA_Traits<Pick<T, T>> { using ALayout = M; using BLayout = ALayout; };
}
";

/// Templates that are instantiated in every way that is followed, and some that are not.
const INSTANCES: &str = "
#define DIM_SWITCH(D, ...) \\
  [&] { if (D < 64) { \\
    constexpr static int kDim = 32; \\
    return __VA_ARGS__(); } else { \\
    constexpr static int kDim = 64; \\
    return __VA_ARGS__(); } }()
#define ROW_SWITCH(R, kRows, ...) [&] { constexpr int kRows = 8; return __VA_ARGS__(); }()
template <int kRows_, int kCols, class T = half_t, bool kWide = false> struct Traits {
  static constexpr int kRows = kRows_; static_assert(kRows == 8 || kRows == 16); static_assert(!kWide || kCols > 8);
  static constexpr int kVector = sizeof(uint128_t) / sizeof(T);
  using Atom = std::conditional_t<kWide, Layout<Shape<Int<kRows>, Int<kCols>>>, Layout<Shape<Int<kVector>, _1>>>;
  using L = decltype(tile_to_shape(Atom{}, Shape<Int<kRows * 2>, Int<kCols>>{})); using Traits = Traits<8, 4>; };
template <class K, bool A, bool B> void kernel(int n) {
  using K = K; if constexpr (K::kRows == 8) { auto l = Layout<Int<K::kVector>, Int<decltype(size<0>(K::Atom{}))::value>>{}; }
  else if constexpr (A && !B) { auto m = make_layout(make_shape(Int<K::kRows>{}, n)); kernel<K, B, A>(n); } }
namespace a { template <int N, class U> void run(U u) { kernel<Traits<N, N * 2, U>, true, N == 8>(u); run<N / 2, Traits<N, 1>>(u); } }
namespace b { template <int N> void run() { a::run<N, float>(0); } using cute::_4; using cute::Shape; }
void start(int d) { DIM_SWITCH(d, [&] { ROW_SWITCH(d, kRows, [&] { a::run<kRows, bfloat16_t>(1); b::run<kDim>(); }); }); }
";

/// A fixture as raw material.
const MATERIAL: [&str; 6] = [
    TEMPLATES,
    INSTANCES,
    include_str!("fixtures/defects/toy_traits.hpp"),
    include_str!("fixtures/defects/toy_layouts.hpp"),
    include_str!("fixtures/defects/kernel.cu"),
    include_str!("fixtures/sound/sound.hpp"),
];

const TOKENS: [&str; 32] = [
    "<",
    ">",
    ">>",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "::",
    "Layout<",
    "Shape<",
    "Stride<",
    "Int<",
    "_4",
    "_0",
    "-1",
    "template <int N>",
    "struct ",
    "using ",
    "namespace a {",
    "MMA_Traits<",
    "typename ",
    "#if A\n",
    "#else\n",
    "#endif\n",
    "/*",
    "\"",
    "'",
    "\\\n",
    "18446744073709551615",
    "decltype(",
];

#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize, usize),
    Insert(usize, usize),
    Repeat(usize, usize),
    Byte(usize, u8),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = 0..10_000_usize;
    prop_oneof![
        (at.clone(), 1..200_usize).prop_map(|(at, length)| Mutation::Delete(at, length)),
        (at.clone(), 0..TOKENS.len()).prop_map(|(at, token)| Mutation::Insert(at, token)),
        (at.clone(), 1..200_usize).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        (at, any::<u8>()).prop_map(|(at, byte)| Mutation::Byte(at, byte)),
    ]
}

fn mutate(text: &str, mutations: &[Mutation]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for mutation in mutations {
        let length = bytes.len().max(1);
        match *mutation {
            Mutation::Delete(at, count) => {
                let at = at % length;
                let end = (at + count).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            Mutation::Insert(at, token) => {
                let at = at % length;
                bytes.splice(at..at, TOKENS[token].bytes());
            }
            Mutation::Repeat(at, count) => {
                let at = at % length;
                let part = bytes[at..(at + count).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            Mutation::Byte(at, byte) => {
                let at = at % length;
                if let Some(slot) = bytes.get_mut(at) {
                    *slot = byte;
                }
            }
        }
    }
    bytes
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        audit(&[&bytes]);
    }

    #[test]
    fn any_words(words in prop::collection::vec(0..TOKENS.len(), 0..120)) {
        let text: String = words.into_iter().map(|word| TOKENS[word]).collect();
        audit(&[text.as_bytes()]);
    }

    #[test]
    fn mutated_sources(which in 0..MATERIAL.len(), mutations in prop::collection::vec(mutation(), 1..12)) {
        let text = mutate(MATERIAL[which], &mutations);
        audit(&[&text, MATERIAL[2].as_bytes()]);
    }
}

/// Pseudo-random numbers that are the same everywhere (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound.max(1) as u64).unwrap()
    }
}

/// Words and signs, so that a mutant is still nearly C++.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// How many mutants there are: `RAZORGIRL_MUTANTS=10000` asks for more than every run has.
fn mutants() -> u64 {
    std::env::var("RAZORGIRL_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500)
}

/// Names exchanged for each other, and pieces copied, moved and left out: such mutants lead the evaluator in circles.
#[test]
fn exchanged_names() {
    for seed in 0..mutants() {
        let mut dice = Dice(seed);
        let text = MATERIAL[if seed % 2 == 0 { 0 } else { dice.below(MATERIAL.len()) }];
        let mut tokens = tokens(text);
        let names: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].starts_with(char::is_alphabetic)).collect();
        for _ in 0..=dice.below(8) {
            let at = dice.below(tokens.len());
            let end = (at + 1 + dice.below(24)).min(tokens.len());
            match dice.below(6) {
                0 => drop(tokens.drain(at..end)),
                1 => {
                    let piece = tokens[at..end].to_vec();
                    let to = dice.below(tokens.len());
                    tokens.splice(to..to, piece);
                }
                _ => {
                    let [from, to] = [0, 0].map(|_: i32| names[dice.below(names.len())].min(tokens.len() - 1));
                    tokens[to] = tokens[from];
                }
            }
            if tokens.is_empty() {
                break;
            }
        }
        audit(&[tokens.concat().as_bytes()]);
    }
}
