//! What `--notes` and `--unresolved` list.

use std::path::{Path, PathBuf};

use razorgirl_audit::audit_sources;
use razorgirl_audit::policy::{Config, apply};
use razorgirl_audit::report::{Export, Report, Text};
use razorgirl_audit::source::{Source, Sources};

/// Notes of folders that are read for their names (`include` of razorgirl.toml) are somebody else's.
#[test]
fn notes_of_included_files_are_not_listed() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/defects");
    let notes = |included: bool| {
        let mut sources = Sources::read(std::slice::from_ref(&folder));
        sources.files.iter_mut().for_each(|file| file.included = included);
        let mut report = audit_sources(sources, None);
        apply(&mut report, &Config::default(), None);
        report.remarks.len()
    };
    assert!(notes(false) > 0);
    assert_eq!(notes(true), 0);
}

fn unresolved(text: &str, included: bool) -> Vec<String> {
    let text = format!("#include <cute/tensor.hpp>\nusing namespace cute;\n{text}");
    let mut source = Source::new("a.cu", text.into());
    source.included = included;
    let report: Report = audit_sources(Sources { files: vec![source], unreadable: vec![] }, None);
    let mut out = Vec::new();
    Text { unresolved: true, ..Text::default() }.write(&report, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    out.lines().filter(|line| line.contains("not resolved: ")).map(str::to_owned).collect()
}

/// A call of layout algebra with an argument that is not known, and the same with one that is.
#[test]
fn calls_that_are_not_resolved_are_listed() {
    let text = |first: &str| {
        format!(
            "using L = Layout<Shape<_8, _8>>;
             void f(int n) {{ auto a = composition({first}, Layout<_4>{{}}); auto b = tile_to_shape({first}, Shape<_16, _16>{{}}); }}"
        )
    };
    assert_eq!(unresolved(&text("L{}"), false), [""; 0]);
    assert_eq!(
        unresolved(&text("Other{}"), false),
        [
            "a.cu:4:39: call not resolved: unknown name: `Other{}` at :4:51",
            "a.cu:4:84: call not resolved: unknown name: `Other{}` at :4:98"
        ]
    );
    assert_eq!(unresolved(&text("Other{}"), true), [""; 0]);
}
