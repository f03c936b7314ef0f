//! `razorgirl pipeline`: verdicts, exit statuses, and that each printed sentence is true.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The exit status, and what is printed.
fn pipeline(text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
        .args(["pipeline", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).expect("text"))
}

/// The pipeline in the help.
fn example() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_razorgirl")).args(["pipeline", "--help"]).output().expect("help");
    let help = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> =
        help.lines().skip_while(|line| *line != "pipeline ring").take_while(|line| !line.is_empty()).collect();
    assert!(lines.len() > 10, "{help}");
    lines.join("\n")
}

#[test]
fn the_example_of_the_help_holds() {
    let (status, printed) = pipeline(&example(), &[]);
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.starts_with("ring: no deadlock, no race, no phase missed for every trip count"), "{printed}");
}

#[test]
fn a_broken_law_has_status_1_and_a_repair_that_holds() {
    let broken = example().replace("empty[p] count 2", "empty[p] count 256");
    let (status, printed) = pipeline(&broken, &[]);
    assert_eq!(status, Some(1), "{printed}");
    assert!(printed.contains("error[deadlock]") && printed.contains("with K = 4"), "{printed}");
    assert!(printed.contains("count 256 → 2; explored"), "{printed}");
    let (_, json) = pipeline(&broken, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let (status, printed) = pipeline(json["fixes"][0]["text"].as_str().expect("a text"), &[]);
    assert_eq!(status, Some(0), "{printed}");
}

#[test]
fn a_text_that_cannot_be_read_has_status_2() {
    let (status, printed) = pipeline("role a\n  wait b\n", &[]);
    assert_eq!(status, Some(2), "{printed}");
    assert!(printed.contains("line 2, column 8: no barrier is called 'b'"), "{printed}");
}

#[test]
fn without_trip_counts_one_exploration_decides() {
    let (status, printed) = pipeline("barrier q count 1\nrole a\n  arrive q\nrole b\n  wait q phase 0\n", &[]);
    assert_eq!(status, Some(0), "{printed}");
    assert!(
        printed.starts_with("pipeline: no deadlock, no race, no phase missed (") && printed.lines().count() == 1,
        "{printed}"
    );
}

#[test]
fn a_wait_two_phases_early_does_not_pass_at_once() {
    let text = "param K\npipe p stages 1\nbarrier full[p] count 1\nbuffer A[p]\n\
                role producer\n  loop K\n    arrive_expect full[p] 16\n    tma A[p] full[p] 16\n    next p\n\
                role consumer\n  next p\n  next p\n  loop K\n    wait full[p]\n    next p\n";
    let (status, printed) = pipeline(text, &["--no-fix"]);
    assert_eq!(status, Some(1), "{printed}");
    assert!(
        printed.contains("for phase 2, and phase 0 is not complete: parity 0 waits for that phase instead"),
        "{printed}"
    );
}

#[test]
fn what_the_hardware_shows_is_not_guessed() {
    let file = "../pipeline/tests/pipelines/leader_arrives_for_both_warps.pipeline";
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect(file);
    let mut open = 0;
    for states in (20..120).step_by(4) {
        let (_, printed) = pipeline(&text, &["--no-fix", "--states", &states.to_string()]);
        assert!(!printed.contains("no run with these trip counts shows it"), "{states}: {printed}");
        open += usize::from(printed.contains("is not decided: more than"));
    }
    assert!(open > 0);
}

#[test]
fn a_role_that_waits_for_nobody_is_named_as_the_reason() {
    let text = "param K\nbuffer X\nrole a\n  loop K\n    write X\nrole b\n  loop K\n    commit\n    cp_wait 0\n";
    let (_, printed) = pipeline(text, &[]);
    assert!(printed.contains("not decided: one role runs more than 256 trips ahead of another"), "{printed}");
}
