//! The same defects as people write them: each in other words than the fixtures of its rule, beside code that only looks like it. A file of
//! `fixtures/styles` holds several, each after a line `// file: NAME`; lines end with the rules that are broken there, and with `open` where a
//! layout is known at run time only, hangs on what nobody gives, or is not CuTe's.

use std::collections::BTreeSet;

use razorgirl_audit::audit_sources;
use razorgirl_audit::source::{Source, Sources};

type Marks = BTreeSet<(usize, String)>;

/// What the lines of a text say of themselves.
fn said(text: &str) -> Marks {
    let marked = |line: &str| -> Vec<String> {
        let marks = line.rsplit_once("// ").map_or("", |(_, marks)| marks);
        let marks: Vec<String> = marks.split(' ').map(str::to_owned).collect();
        let rule = |mark: &String| mark == "open" || (mark.starts_with("RG") && mark.len() == 5);
        if marks.iter().all(rule) { marks } else { Vec::new() }
    };
    (1..).zip(text.lines()).flat_map(|(line, text)| marked(text).into_iter().map(move |mark| (line, mark))).collect()
}

/// What the auditor says of them.
fn found(name: &str, text: &str) -> Marks {
    let sources = Sources { files: vec![Source::new(name, text.into())], unreadable: vec![] };
    let report = audit_sources(sources, None);
    let line = |place| report.region(place).start.line;
    let findings = report.findings.iter().map(|finding| (line(finding.place), finding.code.id().to_owned()));
    let open = report.open.iter().map(|open| (line(open.place), "open".to_owned()));
    findings.chain(open).collect()
}

fn check(book: &str, least: usize) {
    let mut count = 0;
    for file in book.split("// file: ").skip(1) {
        let (name, text) = file.split_once('\n').unwrap();
        let said = said(text);
        count += said.len();
        assert_eq!(found(name, text), said, "{name}\n{text}");
    }
    assert!(count >= least, "{count}");
}

#[test]
fn layouts_and_classes() {
    check(include_str!("fixtures/styles/classes.cu"), 40);
}

#[test]
fn functions_and_kernels() {
    check(include_str!("fixtures/styles/functions.cu"), 18);
}

#[test]
fn traits_and_tiles() {
    check(include_str!("fixtures/styles/traits.cu"), 17);
}

#[test]
fn copies_and_storage() {
    check(include_str!("fixtures/styles/storage.cu"), 14);
}

#[test]
fn fragments_and_swizzles() {
    check(include_str!("fixtures/styles/swizzles.cu"), 8);
}

#[test]
fn programs() {
    check(include_str!("fixtures/styles/programs.cu"), 23);
}

#[test]
fn more() {
    check(include_str!("fixtures/styles/more.cu"), 9);
}

#[test]
fn users() {
    check(include_str!("fixtures/styles/users.cu"), 27);
}
