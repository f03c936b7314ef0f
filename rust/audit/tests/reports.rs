//! Faults that people reported to public projects, written anew, and the same programs without the fault: which rule finds each, or why none does.

use std::fs;
use std::path::Path;

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

use crate::common;

/// What is expected of a case.
enum Expected {
    /// These rules, and no others.
    Finds(&'static [Code]),
    /// Nothing is wrong.
    Clean,
    /// Something is wrong that no rule finds, for this reason.
    Missed(&'static str),
}

use Expected::{Clean, Finds, Missed};

const CASES: [(&str, Expected); 17] = [
    ("bad_copy_nondivisible", Finds(&[Code::Divided])),
    (
        "bad_cutlass1858_valdir",
        Missed("which modes a vector runs along is known to the copy's static assertion, which the compiler reports"),
    ),
    ("bad_cutlass2740_asm", Missed("operands of inline assembly are not read")),
    (
        "bad_deepgemm433_swizzlemode",
        Missed("which descriptor a cp.async.bulk.tensor in inline assembly uses is not followed"),
    ),
    (
        "bad_emmy200_swizzlebase",
        Missed(
            "where a block of dynamic shared memory begins is not known, and RG033 compares two swizzled arrays of one class",
        ),
    ),
    ("bad_fa2482_partition144", Finds(&[Code::Divided])),
    ("bad_flashinfer4628_storage", Finds(&[Code::BlockThreads])),
    ("bad_flashinfer636_plain", Missed("alignment of addresses in plain CUDA is read off the compiled PTX")),
    ("bad_mma_partition96", Finds(&[Code::Divided])),
    ("bad_mslk303_int32", Missed("the largest index of a run-time extent is not worked out")),
    ("good_copy_nondivisible", Clean),
    ("good_cutlass1858_valdir", Clean),
    ("good_emmy200_swizzlebase", Clean),
    ("good_fa2482_partition144", Clean),
    ("good_flashinfer4628_storage", Clean),
    ("good_hpcops44_interleave", Clean),
    ("good_mma_partition96", Clean),
];

fn codes_of(name: &str) -> Vec<Code> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(format!("{name}.cu"));
    let text = fs::read(&path).unwrap();
    let sources = Sources { files: vec![Source::new(path, text)], unreadable: vec![] };
    let mut codes: Vec<Code> = audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

#[test]
fn each_report_is_found_or_has_a_reason() {
    for (name, expected) in &CASES {
        let found = codes_of(name);
        match expected {
            Finds(rules) => assert_eq!(&found, rules, "{name}"),
            Clean => assert_eq!(found, [], "{name}"),
            // What is found after all belongs into the table.
            Missed(why) => assert!(found.is_empty() && !why.is_empty(), "{name}: {found:?}"),
        }
    }
}

#[test]
fn every_case_is_in_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, CASES.map(|(name, _)| name.to_owned()));
}

/// Functions that are called among template arguments are calls: nothing is defined there.
#[test]
fn a_call_among_template_arguments_defines_nothing() {
    let text = |value: u32| {
        format!(
            "constexpr int rows(int x) {{ return x / {value}; }}
             using A = Layout<_8>; auto s = Swizzle<3, 3, rows(8)>{{}}; using T = C<Swizzle<3, 3, rows(8)>{{}}>;"
        )
    };
    assert_eq!(common::codes(&text(4)), [Code::Swizzle]);
    assert_eq!(common::codes(&text(1)), []);
}

/// Tiles that do not divide, in each way to divide, and the same that do.
#[test]
fn tiles_that_do_not_divide() {
    let text = |rows: u32, body: &str| {
        format!(
            "using C = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_16, _8>, Stride<_8, _1>>{{}}, \
             Layout<Shape<_1, _8>>{{}}));
             using M = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_1, _1, _1>>>;
             __global__ void k(half_t* p) {{
               C c; M m; auto t = c.get_slice(threadIdx.x); auto u = m.get_slice(threadIdx.x);
               Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<Int<{rows}>, _64>, Stride<_64, _1>>{{}});
               {body}
             }}"
        )
    };
    for body in [
        "clear(t.partition_D(g));",
        "Tensor x = u.partition_A(g); clear(x);",
        "Tensor x = u.partition_C(g); cute::fill(x, half_t(1));",
        "Tensor x = t.partition_S(g); Tensor r = make_fragment_like(x); copy(c, x, r);",
        "Tensor x = local_tile(g, Shape<_16, _64>{}, make_coord(2, 0)); clear(x);",
    ] {
        assert_eq!(common::codes(&text(40, body)), [Code::Divided], "{body}");
        assert_eq!(common::codes(&text(48, body)), [], "{body}");
        // Where coordinates are compared, the rest may be left out.
        let compared = format!("if (threadIdx.x < 4) {{ p[1] = half_t(0); }} {body}");
        assert_eq!(common::codes(&text(40, &compared)), [], "{body}");
    }
    for body in [
        // The second tile is whole, and loops and grids may go over whole tiles alone.
        "Tensor x = local_tile(g, Shape<_16, _64>{}, make_coord(1, 0)); clear(x);",
        "Tensor x = local_tile(g, Shape<_16, _64>{}, make_coord(blockIdx.x, 0)); clear(x);",
        "for (int i = 0; i < 2; ++i) { Tensor x = local_tile(g, Shape<_16, _64>{}, make_coord(i, 0)); clear(x); }",
        // Only some of the part is used, or what a predicate leaves.
        "Tensor x = t.partition_S(g); for (int m = 0; m < 2; ++m) { copy(c, x(_, m, _), r(_, m, _)); }",
        "Tensor x = t.partition_S(g); copy(c.with(inside), x, r);",
        "Tensor x = t.partition_S(g); mine::copy_rows(x, r, 40);",
        "bool all = threadIdx.x < 64; Tensor x = t.partition_S(g); if (all) { copy(c, x, r); }",
        // A fragment is as large as the tiles, and reads nothing.
        "Tensor x = u.partition_fragment_C(g); clear(x);",
        // The copy engine leaves out what lies past the end.
        "auto e = make_tiled_copy(Copy_Atom<SM90_TMA_LOAD, half_t>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, \
         Layout<Shape<_1, _8>>{}); Tensor x = e.get_slice(0).partition_S(g); clear(x);",
    ] {
        assert_eq!(common::codes(&text(40, body)), [], "{body}");
    }
}
