//! The auditor: whatever the source, it ends without a panic, says the same again, and names places that are in the text.

use razorgirl_audit::report::{Export, Github, Json, Sarif, Text};
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, audit_sources};

/// One header, or two after a zero byte.
pub fn audit(data: &[u8]) {
    let report = read(data);
    for finding in &report.findings {
        // panics where a place is not in the text
        let _ = report.text(finding.place);
    }
    let written = |report: &Report, format: &dyn Export| {
        let mut text = Vec::new();
        format.write(report, &mut text).unwrap_or_else(|error| panic!("{error}"));
        text
    };
    let text = Text { remarks: true, color: true, ..Text::default() };
    let formats: [&dyn Export; 4] = [&text, &Json::default(), &Sarif::default(), &Github::default()];
    let first = formats.map(|format| written(&report, format));
    let second = read(data);
    assert!(first == formats.map(|format| written(&second, format)), "two audits of one text differ");
}

fn read(data: &[u8]) -> Report {
    let texts = data.splitn(2, |byte| *byte == 0);
    let files = texts.enumerate().map(|(index, text)| Source::new(format!("{index}.hpp"), text.to_vec()));
    audit_sources(Sources { files: files.collect(), unreadable: Vec::new() }, None)
}
