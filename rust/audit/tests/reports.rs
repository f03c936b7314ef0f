//! Faults that people reported to public projects, written anew, and the same programs without the fault: which rule finds each, or why none does.

use std::fs;
use std::path::Path;

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

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
    ("bad_emmy200_swizzlebase", Finds(&[Code::SwizzleBase])),
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

fn codes(name: &str) -> Vec<Code> {
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
        let found = codes(name);
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
