//! Tiled copies: wrong ones are found, and what only looks like one is left alone.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn found(atom: &str, threads: &str, values: &str) -> Vec<String> {
    let text = format!(
        "using namespace cute;\nusing Copy = decltype(make_tiled_copy({atom}{{}}, {threads}{{}}, {values}{{}}));\n\
         void kernel() {{ auto copy = make_tiled_copy({atom}{{}}, {threads}{{}}, {values}{{}}); }}\n"
    );
    let sources = Sources { files: vec![Source::new("kernel.cu", text.into())], unreadable: vec![] };
    let report = audit_sources(sources, None);
    assert!(report.findings.iter().all(|finding| finding.code == Code::TiledCopy), "{:?}", report.findings);
    report.findings.into_iter().map(|finding| finding.title).collect()
}

const ATOM: &str = "Copy_Atom<UniversalCopy<uint128_t>, half_t>";
const THREADS: &str = "Layout<Shape<_16,_8>, Stride<_8,_1>>";
const VALUES: &str = "Layout<Shape<_1,_8>>";

#[test]
fn right_ones_are_left_alone() {
    assert!(found(ATOM, THREADS, VALUES).is_empty());
    assert!(
        found(ATOM, "Layout<Shape<_16,Shape<_2,_4>>, Stride<_1,Stride<_64,_16>>>", "Layout<Shape<_2,_8>>").is_empty()
    );
    // Eight values of 8 bits are half a vector, of an unknown type nothing is known, and a stride of 0 may be meant.
    assert!(found("Copy_Atom<UniversalCopy<uint64_t>, int8_t>", THREADS, VALUES).is_empty());
    assert!(found("Copy_Atom<UniversalCopy<uint128_t>, Element>", THREADS, "Layout<Shape<_1,_4>>").is_empty());
    assert!(found("Copy_Atom<DefaultCopy, half_t>", THREADS, "Layout<Shape<_1,_3>>").is_empty());
    assert!(found(ATOM, "Layout<Shape<_16,_8>, Stride<_0,_1>>", VALUES).is_empty());
}

#[test]
fn gaps_are_found() {
    let threads = found(ATOM, "Layout<Shape<_16,_8>, Stride<_9,_1>>", VALUES);
    assert!(!threads.is_empty() && threads.iter().all(|title| title.contains("thread layout")), "{threads:?}");
    let values = found(ATOM, THREADS, "Layout<Shape<_2,_8>, Stride<_16,_1>>");
    assert!(!values.is_empty() && values.iter().all(|title| title.contains("value layout")), "{values:?}");
}

#[test]
fn vectors_that_do_not_divide_are_found() {
    for atom in [ATOM, "Copy_Atom<Copy_Traits<SM80_CP_ASYNC_CACHEALWAYS<cute::uint128_t>>, cute::half_t>"] {
        let titles = found(atom, THREADS, "Layout<Shape<_1,_4>>");
        assert!(!titles.is_empty() && titles.iter().all(|title| title.contains("64 bits")), "{titles:?}");
    }
}

/// The atom is an argument of a function, which says its type.
#[test]
fn atoms_that_a_function_is_given() {
    let of = |atom: &str, values: u32, param: &str| {
        let text = format!(
            "using namespace cute;
             template <class Element, int kValues, class Atom>
             constexpr auto selector({param}) {{
               constexpr auto threads = Layout<Shape<_16,_8>, Stride<_8,_1>>{{}};
               constexpr auto values = Layout<Shape<_1, Int<kValues>>>{{}};
               return make_tiled_copy(atom, threads, values);
             }}
             using Q = decltype(selector<half_t, {values}>({atom}{{}}));"
        );
        let sources = Sources { files: vec![Source::new("kernel.cu", text.into())], unreadable: vec![] };
        audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    for param in ["Atom atom", "Atom const& atom"] {
        assert_eq!(of(ATOM, 4, param), [Code::TiledCopy], "{param}");
        assert_eq!(of(ATOM, 8, param), [], "{param}");
        assert_eq!(of("Copy_Atom<UniversalCopy<uint64_t>, half_t>", 4, param), [], "{param}");
        assert_eq!(of("Unknown", 4, param), [], "{param}");
    }
}
