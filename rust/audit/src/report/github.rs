//! Workflow commands of GitHub Actions, which annotate the lines of a change.

use std::fmt::Write as _;
use std::io;

use super::text::{advice, summary};
use super::{Export, Report};
use crate::finding::{Place, Severity};

/// The workflow commands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Github {
    /// Remarks too, as notices.
    pub remarks: bool,
}

impl Export for Github {
    fn write(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
        for finding in &report.findings {
            let command = match report.severity(finding.code) {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let title = format!("{} {}", finding.code.id(), finding.code.name());
            let mut message = finding.title.clone();
            for note in &finding.notes {
                let _ = write!(message, "\n{note}");
            }
            if let Some(fix) = &finding.fix {
                let _ = write!(message, "\nfix: {}", advice(fix));
            }
            writeln!(out, "::{command} {},title={}::{}", at(report, finding.place), property(&title), data(&message))?;
        }
        if self.remarks {
            for remark in &report.remarks {
                writeln!(out, "::notice {}::{}", at(report, remark.place), data(&remark.text))?;
            }
        }
        for one in report.not_read() {
            writeln!(out, "::error file={}::{}", property(&one.path.display().to_string()), data(&one.why))?;
        }
        summary(report, self.remarks, out)
    }
}

fn at(report: &Report, place: Place) -> String {
    let region = report.region(place);
    let file = property(&report.path(place));
    // GitHub takes columns only of places on one line, and its end is the last character.
    if region.start.line == region.end.line {
        let last = region.end.column.saturating_sub(1).max(region.start.column);
        format!("file={file},line={},col={},endColumn={last}", region.start.line, region.start.column)
    } else {
        format!("file={file},line={},endLine={}", region.start.line, region.end.line)
    }
}

/// The text of a command: one line, in which a percent sign begins an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, which ends at a comma or a colon too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};

    #[test]
    fn nothing_in_a_path_or_message_ends_its_place() {
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert_eq!(data("a,b:c%\r\n"), "a,b:c%25%0D%0A");
        let text = b"// x\nusing L = Layout<Shape<_8,_4>,Stride<_1,_4>>;\n".to_vec();
        let sources = Sources { files: vec![Source::new("a,b:%.hpp", text)], unreadable: Vec::new() };
        let mut out = Vec::new();
        Github::default().write(&crate::audit_sources(sources, None), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let first = out.lines().next().unwrap();
        let head = "::warning file=a%2Cb%3A%25.hpp,line=2,col=11,endColumn=44,title=RG002 overlapping-layout::";
        assert!(first.starts_with(head), "{first}");
        assert!(first.contains("%0Afix: "), "{first}");
        assert_eq!(out.lines().filter(|line| line.starts_with("::")).count(), 1);
    }
}
