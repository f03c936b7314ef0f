//! The real thing: every trait of the CUTLASS wheel is resolved that can be, and exactly the two wrong layouts are found.

#[path = "../../rust/audit/tests/mutants/mod.rs"]
mod mutants;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use razorgirl_audit::Report;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::report::{Export, Text};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Status, audit_sources};

/// The folder with CUTLASS' include, examples and tools. There is no way around it: without the wheel the test fails.
fn sources() -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fetch-cutlass.sh");
    let output = Command::new("bash").arg(&script).output().expect("bash is there");
    assert!(
        output.status.success(),
        "{} could not fetch the CUTLASS wheel (it needs python3 with venv, pip and a package index):\n{}",
        script.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

fn audit() -> Report {
    let root = sources();
    let report = razorgirl_audit::audit(&["include", "examples", "tools"].map(|tree| root.join(tree)), None);
    assert!(report.sources.unreadable.is_empty(), "{:?}", report.sources.unreadable);
    report
}

/// File name and line of a finding, and of every trait that has it from there.
fn place(report: &Report, finding: &Finding) -> (String, usize) {
    let path = report.path(finding.place);
    let name = Path::new(&path).file_name().unwrap().to_string_lossy().into_owned();
    (name, report.region(finding.place).start.line)
}

fn inherits(finding: &Finding) -> Vec<&str> {
    finding.affected.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn cutlass_has_two_wrong_layouts() {
    let report = audit();
    let found: Vec<(Code, (String, usize))> =
        report.findings.iter().map(|finding| (finding.code, place(&report, finding))).collect();
    let file = "mma_traits_sm80.hpp".to_owned();
    // The notes are about the layouts of an example, which says so itself, and what it writes to the last one.
    let copies = "sm80_mma_multistage.hpp".to_owned();
    assert_eq!(
        found,
        [
            (Code::Uneven, (file.clone(), 460)),
            (Code::Incongruent, (file, 679)),
            (Code::Banks, (copies.clone(), 204)),
            (Code::Banks, (copies, 206)),
            (Code::Banks, ("ampere_conv_kernel.h".to_owned(), 243)),
        ]
    );

    let stride = &report.findings[0];
    assert_eq!(stride.subject.as_deref(), Some("BLayout of MMA_Traits<SM80_16x8x32_S32S4S4S32_TN>"));
    assert!(stride.title.contains("160 of the 256 elements"), "{}", stride.title);
    let fix = stride.fix.as_ref().unwrap();
    assert_eq!(fix.change, "thread stride _32 → _64");
    assert_eq!(fix.layout, "((4,8),(8)):((64,1),(8))");
    assert_eq!((fix.edits.len(), fix.edits[0].text.as_str()), (1, "_64"));
    // With the trait that defines it, eight have the wrong stride.
    assert_eq!(
        inherits(stride),
        [
            "MMA_Traits<SM80_16x8x32_S32S4S4S32_TN_SATURATE>",
            "MMA_Traits<SM80_16x8x32_S32S4U4S32_TN>",
            "MMA_Traits<SM80_16x8x32_S32S4U4S32_TN_SATURATE>",
            "MMA_Traits<SM80_16x8x32_S32U4S4S32_TN>",
            "MMA_Traits<SM80_16x8x32_S32U4S4S32_TN_SATURATE>",
            "MMA_Traits<SM80_16x8x32_S32U4U4S32_TN>",
            "MMA_Traits<SM80_16x8x32_S32U4U4S32_TN_SATURATE>",
        ]
    );

    let brackets = &report.findings[1];
    assert_eq!(brackets.layout, "((4,8),(32,2)):((512,1),((16,8)))");
    assert_eq!(brackets.subject.as_deref(), Some("ALayout of MMA_Traits<SM80_16x8x128_S32U1U1S32_TN_XORPOPC>"));
    assert_eq!(brackets.fix.as_ref().unwrap().layout, "((4,8),(32,2)):((512,1),(16,8))");
    assert!(stride.fix.as_ref().unwrap().exact && brackets.fix.as_ref().unwrap().exact);
    assert_eq!(inherits(brackets), ["MMA_Traits<SM80_16x8x128_S32U1U1S32_TN_ANDPOPC>"]);
}

#[test]
fn cutlass_traits_are_resolved() {
    let report = audit();
    assert_eq!(report.mma.found, 2_250);
    assert!(report.mma.resolved >= 2_200, "{:?}", report.mma);
    // What is left are the tensor-core instructions of Blackwell, whose M and N are template parameters.
    assert_eq!(report.mma.unresolved, BTreeMap::from([(Reason::Dependent, report.mma.found - report.mma.resolved)]));
    assert_eq!(report.operands.checked, 3 * report.mma.resolved);
    assert_eq!(report.operands.too_large, 0);
    assert_eq!(report.plain.untold, 0);
    // 7 + 1 traits inherit a finding, 2 define one; each is wrong in one matrix of three.
    assert_eq!(report.operands.once + report.operands.evenly, report.operands.checked - 10);
    assert!(report.layouts.resolved >= 2_900, "{:?}", report.layouts);
    assert!(report.layouts.unresolved.get(&Reason::Syntax).copied().unwrap_or(0) <= 20, "{:?}", report.layouts);
}

/// CUTLASS agrees with the table of fragments in every trait but those two, for every generation that the table has.
#[test]
fn cutlass_agrees_with_the_table_of_fragments() {
    let report = audit();
    assert!(report.findings.iter().all(|finding| !matches!(finding.code, Code::Fragment | Code::Permuted)));
    // 1,148 dense traits of SM70 to SM120, A, B and C each. The two with a pair of brackets too many have no layout to compare.
    assert_eq!(report.operands.fragments, 3 * 1_148 - 2);
}

/// Every number of every layout of the SM80 traits, replaced by its neighbours and exchanged with them.
/// CUTLASS's list of SM80 traits, its two defects mended by the fixes that are printed: else each mutant of those two would be found
/// for what they have already.
#[test]
fn every_mutant_of_the_sm80_traits_is_found() {
    let mut text = std::fs::read_to_string(sources().join("include/cute/atom/mma_traits_sm80.hpp")).unwrap();
    let audit = |text: &str| {
        let sources = Sources { files: vec![Source::new("traits.hpp", text.into())], unreadable: vec![] };
        audit_sources(sources, None)
    };
    for _ in 0..2 {
        let mut edits: Vec<_> =
            audit(&text).findings.iter().filter_map(|one| one.fix.clone()).flat_map(|fix| fix.edits).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.place));
        for edit in edits {
            text.replace_range(edit.place.span.range(), &edit.text);
        }
    }
    let report = audit(&text);
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    let mutants = mutants::mutants(&text);
    let missed: Vec<&str> = mutants
        .iter()
        .filter(|mutant| audit(&mutant.text).status() != Status::Findings)
        .map(|one| one.what.as_str())
        .collect();
    assert!(missed.is_empty(), "{} of {} missed: {missed:#?}", missed.len(), mutants.len());
    assert_eq!((report.mma.resolved, mutants.len()), (65, 412));
}

/// The README shows what the auditor prints of these headers; `…` stands for lines left out.
#[test]
fn the_readme_shows_what_is_printed() {
    let root = sources();
    let mut printed = Vec::new();
    let text = Text { summary: false, remarks: false, color: false, ..Text::default() };
    text.write(&audit(), &mut printed).expect("it is written to memory");
    let printed = String::from_utf8(printed).expect("it is text").replace(&format!("{}/", root.display()), "");
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("README.md");
    let block = readme.split("```console,cutlass\n").nth(1).and_then(|rest| rest.split("```").next());
    let shown: Vec<&str> = block.expect("README.md has the block").lines().skip(1).collect();
    let mut rest = printed.as_str();
    for part in shown.split(|line| line.trim() == "…").filter(|part| !part.is_empty()) {
        let part = part.join("\n");
        let at = rest.find(&part).unwrap_or_else(|| panic!("this is not printed:\n{part}\n\nbut\n{rest}"));
        rest = &rest[at + part.len()..];
    }
    assert!(shown.len() > 10);
}
