//! Traits against their instructions: right ones are left alone, every mutant is found, and so are the wrong ones of the wild.

use crate::mutants;

use razorgirl::Layout;
use razorgirl_audit::finding::{Code, Finding, Severity};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, Status, audit_sources};

const RIGHT: &str = include_str!("fixtures/instructions/right.hpp");
const WARPGROUP: &str = include_str!("fixtures/instructions/warpgroup.hpp");

fn audit(text: &str) -> Report {
    let sources = Sources { files: vec![Source::new("traits.hpp", text.into())], unreadable: vec![] };
    audit_sources(sources, None)
}

fn traits(operation: &str, shape: &str, threads: &str, [a, b, c]: [&str; 3]) -> String {
    format!(
        "template <> struct MMA_Traits<{operation}> {{ using Shape_MNK = Shape<{shape}>; using ThrID = Layout<{threads}>; using ALayout = \
         {a}; using BLayout = {b}; using CLayout = {c}; }};"
    )
}

fn found(report: &Report) -> Vec<(Code, Option<&str>)> {
    report.findings.iter().map(|finding| (finding.code, finding.subject.as_deref())).collect()
}

fn fixed(finding: &Finding) -> Layout {
    let fix = finding.fix.as_ref().unwrap_or_else(|| panic!("no fix: {finding:?}"));
    assert!(fix.exact && fix.checked.contains("PTX ISA"), "{fix:?}");
    fix.layout.parse().unwrap()
}

fn equal(a: &Layout, b: &str) -> bool {
    a.offsets().eq(b.parse::<Layout>().unwrap().offsets())
}

#[test]
fn right_traits_are_left_alone() {
    for (text, traits) in [(RIGHT, 20), (WARPGROUP, 2)] {
        let report = audit(text);
        assert!(report.findings.is_empty(), "{:#?}", report.findings);
        assert_eq!(report.mma.found, report.mma.resolved);
        assert_eq!((report.mma.found, report.operands.fragments), (traits, 3 * traits));
    }
}

#[test]
fn every_mutant_is_found() {
    // One trait at a time: a file of one is read sooner than a file of all.
    let traits = RIGHT.split("};").filter(|text| text.contains("MMA_Traits"));
    let one = |text: String| mutants::mutants(&format!("namespace cute {{ {text}}}; }}"));
    let mutants: Vec<_> = traits
        .map(|text| text.split_once("template").unwrap().1)
        .flat_map(|text| one(format!("template{text}")))
        .collect();
    let missed: Vec<&str> = mutants
        .iter()
        .filter(|mutant| audit(&mutant.text).status() != Status::Findings)
        .map(|one| one.what.as_str())
        .collect();
    assert!(missed.is_empty(), "{} of {} missed: {missed:#?}", missed.len(), mutants.len());
    assert!(mutants.len() > 400, "{}", mutants.len());
}

const C: &str = "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8>>>";

#[test]
fn both_operands_that_cutlass_pull_request_1856_mended_are_found() {
    let a = "Layout<Shape<_32,Shape<_8,_4,_2,_2>>,Stride<_64,Stride<_64,_16,_8,_2048>>>";
    let b = "Layout<Shape<_32,Shape<_32,_2>>,Stride<_32,Stride<_1,_1024>>>";
    let report = audit(&traits("SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "_16,_8,_256", "_32", [a, b, C]));
    let name = |matrix: &str| format!("{matrix} of MMA_Traits<SM80_16x8x256_S32U1U1S32_TN_XORPOPC>");
    let (a, b) = (name("ALayout"), name("BLayout"));
    assert_eq!(found(&report), [(Code::Uneven, Some(a.as_str())), (Code::Fragment, Some(b.as_str()))]);
    // The instruction's own, element by element: value i of lane 4·g + p.
    for (finding, rows) in report.findings.iter().zip([16, 8]) {
        let fixed = fixed(finding);
        let values = fixed.size() / 32;
        for (lane, i) in (0..32).flat_map(|lane| (0..values).map(move |i| (lane, i))) {
            let (row, column) = if rows == 16 {
                (lane / 4 + i / 32 % 2 * 8, lane % 4 * 32 + i % 32 + i / 64 * 128)
            } else {
                (lane / 4, lane % 4 * 32 + i % 32 + i / 32 * 128)
            };
            assert_eq!(fixed.at(lane + 32 * i).unwrap(), row + rows * column);
        }
        assert_eq!(finding.fix.as_ref().unwrap().edits.len(), 1);
    }
}

#[test]
fn a_fix_makes_the_finding_go_away() {
    let a = "Layout<Shape<_32,Shape<_8,_4,_2,_2>>,Stride<_64,Stride<_64,_16,_8,_2048>>>";
    let b = "Layout<Shape<_32,Shape<_32,_2>>,Stride<_32,Stride<_1,_1024>>>";
    let mut text = traits("SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "_16,_8,_256", "_32", [a, b, C]);
    let mut edits: Vec<_> = audit(&text).findings.iter().flat_map(|one| one.fix.clone().unwrap().edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.place));
    for edit in edits {
        text.replace_range(edit.place.span.range(), &edit.text);
    }
    assert!(audit(&text).findings.is_empty(), "{text}");
}

const PERMUTED_A: &str = "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_16,_1>,Stride<_64,_8>>>";
const PERMUTED_B: &str = "Layout<Shape<Shape<_4,_8>,_2>,Stride<Stride<_8,_1>,_32>>";
const OWN_B: &str = "Layout<Shape<Shape<_4,_8>,_2>,Stride<Stride<_16,_1>,_8>>";

#[test]
fn a_permutation_of_k_in_both_is_a_note_and_in_one_an_error() {
    let of = |operands| audit(&traits("SM80_16x8x8_F32F16F16F32_TN", "_16,_8,_8", "_32", operands));
    let both = of([PERMUTED_A, PERMUTED_B, C]);
    assert_eq!(both.findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::Permuted; 2]);
    assert!(both.findings.iter().all(|one| one.code.severity() == Severity::Note));
    assert_eq!(both.status(), Status::Clean);
    let one = of([PERMUTED_A, OWN_B, C]);
    assert_eq!(one.findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::Fragment]);
    assert!(equal(&fixed(&one.findings[0]), "((4,8),(2,2)):((32,1),(16,8))"));
    assert_eq!(one.status(), Status::Findings);
    // The same two bits of K, exchanged in A alone and then in C's rows alone.
    let rows = "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_2>,Stride<_16,_1>>>";
    assert_eq!(of([C, OWN_B, rows]).findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::Fragment]);
    assert_eq!(of([rows, OWN_B, rows]).findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::Permuted; 2]);
}

#[test]
fn threads_are_counted_by_their_lane() {
    let a = "Layout<Shape<_8,_4>,Stride<_1,_8>>";
    let c = "Layout<Shape<_8,_8>,Stride<_1,_8>>";
    let of = |threads| audit(&traits("SM70_8x8x4_F16F16F16F16_TN", "_8,_8,_4", threads, [a, a, c]));
    assert!(of("Shape<_4,_2>,Stride<_1,_16>").findings.is_empty());
    // Eight lanes in a row are two quads of different pairs.
    let wrong = of("_8");
    assert_eq!(wrong.findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::Fragment; 3]);
}

#[test]
fn what_is_not_known_is_not_judged() {
    // Right but for the type: another instruction with the same shape has other fragments.
    for operation in [
        "SM80_16x8x8_F32F16F16F32_SP",
        "SM80_16x8x8",
        "MP22_16x8x8_F32F16F16F32_TN",
        "SM90_SPARSE_16x8x8_F32F16F16F32_TN",
    ] {
        let report = audit(&traits(operation, "_16,_8,_8", "_32", [PERMUTED_A, OWN_B, C]));
        assert!(report.findings.is_empty(), "{operation}: {:?}", report.findings);
        assert_eq!(report.operands.fragments, 0);
    }
}
