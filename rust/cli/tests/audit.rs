//! `razorgirl audit` as a command: exit status, streams, formats.

use std::path::PathBuf;
use std::process::{Command, Output};

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../audit/tests/fixtures")
}

fn audit(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_razorgirl")).arg("audit").args(args).current_dir(fixtures()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn status_says_what_was_found() {
    assert_eq!(audit(&["sound"]).status.code(), Some(0));
    assert_eq!(audit(&["defects"]).status.code(), Some(1));
    assert_eq!(audit(&["sound", "defects"]).status.code(), Some(1));
    assert_eq!(audit(&["missing"]).status.code(), Some(2));
    assert_eq!(audit(&["--format", "yaml", "sound"]).status.code(), Some(2));
    assert_eq!(audit(&[]).status.code(), Some(2));
}

#[test]
fn what_cannot_be_read_stops_nothing() {
    let output = audit(&["missing", "defects"]);
    assert_eq!(output.status.code(), Some(1), "what is found is not hidden by what cannot be read");
    let text = out(&output);
    assert!(text.contains("error: missing: "), "{text}");
    assert!(text.contains("error[RG003]"), "{text}");
    assert!(text.contains("1 file or path was not read, listed above"), "{text}");
    assert_eq!(audit(&["missing", "sound"]).status.code(), Some(2));
}

#[test]
fn no_terminal_no_ornaments() {
    let output = audit(&["defects"]);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!out(&output).contains('\u{1b}'));
}

#[test]
fn formats() {
    let text = out(&audit(&["defects", "--summary"]));
    assert!(!text.contains("RG003") && text.contains("findings    8"), "{text}");
    assert!(!out(&audit(&["sound"])).contains("Toy_SPREAD"));
    assert!(out(&audit(&["sound", "--notes"])).contains("Toy_SPREAD"));
    let sarif = audit(&["sound", "--notes", "--format", "sarif"]);
    assert!(out(&sarif).contains("Toy_SPREAD"));
    assert_eq!(audit(&["defects", "--summary", "--format", "sarif"]).status.code(), Some(2));
    for (format, findings) in [("json", "/findings"), ("sarif", "/runs/0/results")] {
        let value: serde_json::Value = serde_json::from_str(&out(&audit(&["defects", "--format", format]))).unwrap();
        assert_eq!(value.pointer(findings).and_then(|list| list.as_array()).map(Vec::len), Some(8), "{format}");
    }
}
