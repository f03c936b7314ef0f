//! Whatever it is given, the audit ends, soon, and without a panic.

#![allow(clippy::format_collect)]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use razorgirl_audit::report::{Export, Json, Sarif, Text};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, audit_sources};

/// Audits texts and writes the report in every format.
fn audit(texts: &[&[u8]]) -> Report {
    let files = texts.iter().enumerate().map(|(index, text)| Source::new(format!("{index}.hpp"), text.to_vec()));
    let report = audit_sources(Sources { files: files.collect(), unreadable: Vec::new() }, None);
    for format in [&Text { remarks: true, color: true, ..Text::default() } as &dyn Export, &Json::default(), &Sarif] {
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
    audit(&[&utf16]);
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

/// A fixture as raw material.
const MATERIAL: [&str; 4] = [
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
        audit(&[&text, MATERIAL[1].as_bytes()]);
    }
}
