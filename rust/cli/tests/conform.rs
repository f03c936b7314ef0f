//! `razorgirl conform` as a command: exit status, report, table, Ctrl-C.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn razorgirl() -> Command {
    Command::new(env!("CARGO_BIN_EXE_razorgirl"))
}

fn conform(implementation: &str, arguments: &[&str]) -> Output {
    let mut command = razorgirl();
    command.args(["conform", "--impl", implementation, "--cases", "40", "--jobs", "2"]).args(arguments);
    command.output().expect("razorgirl runs")
}

fn ourselves() -> String {
    format!("exec '{}' run", env!("CARGO_BIN_EXE_razorgirl"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn report(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a report")).expect("it is JSON")
}

#[test]
fn razorgirl_run_is_a_peer_without_a_wrong_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.json");
    let output = conform(&ourselves(), &["--exact", "--report", &path.to_string_lossy()]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}{}", text(&output.stderr));
    assert!(table.starts_with("| operation "), "{table}");
    assert_eq!(text(&output.stderr), "", "no progress bar without a terminal");
    let report = report(&path);
    assert_eq!(report["total"]["wrong"], serde_json::json!({}));
    assert!(report["total"]["right"].as_u64() > Some(400), "{}", report["total"]);
    assert_eq!(report["ops"]["composition_complete"]["refused_though_exists"], 0);
}

/// A peer that is right in its own manner has nothing wrong; its report.
#[cfg(unix)]
fn right_with(capabilities: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.json");
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/capabilities_peer.py");
    let peer = format!("exec python3 '{}' '{}' '{capabilities}'", peer.display(), env!("CARGO_BIN_EXE_razorgirl"));
    let mut command = razorgirl();
    command
        .args(["conform", "--impl", &peer, "--cases", "60", "--jobs", "2", "--examples", "9", "--report"])
        .arg(&path);
    let output = command.output().expect("razorgirl runs");
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{capabilities}\n{table}{}", text(&output.stderr));
    let report = report(&path);
    assert_eq!(report["total"]["wrong"], serde_json::json!({}));
    assert!(report["total"]["right"].as_u64() > Some(1000), "{}", report["total"]);
    report
}

#[cfg(unix)]
#[test]
fn a_peer_of_32_bits_has_nothing_wrong() {
    let report = right_with(r#"{"name":"narrow","integer_bits":32}"#);
    let total = &report["total"];
    assert!(total["outside_its_contract"]["beyond its integers"].as_u64() > Some(150), "{total}");
    assert_eq!(report["capabilities"]["name"], "narrow");
    // a size that does not fit is no refusal of something that exists
    assert_eq!(report["ops"]["size"]["refused_though_exists"], 0);
}

#[cfg(unix)]
#[test]
fn a_peer_whose_last_mode_is_the_fastest_has_nothing_wrong() {
    let report = right_with(r#"{"mode_order":"last"}"#);
    let outside = &report["total"]["outside_its_contract"];
    assert!(outside["counted from the other end of its modes"].as_u64() > Some(100), "{outside}");
    for op in ["composition", "complement", "left_inverse", "logical_divide", "zipped_product"] {
        assert!(report["ops"][op]["right"].as_u64() > Some(10), "{op}: {}", report["ops"][op]);
    }
}

#[cfg(unix)]
#[test]
fn a_peer_that_unwraps_tuples_of_one_mode_has_nothing_wrong() {
    right_with(r#"{"unwraps_rank1":true}"#);
}

#[cfg(unix)]
#[test]
fn a_peer_without_rank_0_has_nothing_wrong() {
    let report = right_with(r#"{"rank0":false,"contract":{"left_inverse":"injective"}}"#);
    let outside = &report["total"]["outside_its_contract"];
    assert!(outside["a tuple of no modes"].as_u64() > Some(50), "{outside}");
    assert!(outside["not injective"].as_u64() > Some(5), "{outside}");
}

#[cfg(unix)]
#[test]
fn all_habits_together() {
    right_with(r#"{"integer_bits":32,"mode_order":"last","unwraps_rank1":true,"rank0":false}"#);
}

#[cfg(unix)]
#[test]
fn a_hello_that_is_not_understood_is_status_2() {
    let hello = r#"read l; echo '{"id":"ops","result":["hello","size"]}'; read l; echo '{"id":"hello","result":{"peer":{"integer_bits":16}}}'; cat >&2"#;
    let output = conform(hello, &["--ops", "size"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("32 or 64"), "{}", text(&output.stderr));
}

// elsewhere sed has other options
#[cfg(target_os = "linux")]
#[test]
fn a_wrong_answer_is_status_1() {
    // answers every question, whatever it is, with 1
    let wrong = r#"exec sed -u 's/.*"id":\([0-9"ops]*\).*/{"id":\1,"result":1}/'"#;
    let output = conform(wrong, &["--ops", "size"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{table}{}", text(&output.stderr));
    assert!(table.contains("size is wrong (value)"), "{table}");
    // the same as a page for maintainers
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.md");
    conform(wrong, &["--ops", "size", "--report", &page.to_string_lossy()]);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("## `size`: value (") && page.contains("- answered: `1`"), "{page}");
}

/// Standard output of a peer that gives no answers worth the name.
fn no_verdict(implementation: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.json");
    let output = conform(implementation, &[arguments, &["--report", &path.to_string_lossy()]].concat());
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{table}{}", text(&output.stderr));
    assert!(table.contains("no verdict:"), "{table}");
    let report = report(&path);
    assert_eq!(report["ending"], "no verdict");
    assert!(!report["why"].as_array().expect("a list").is_empty());
    table
}

#[cfg(unix)]
#[test]
fn a_broken_implementation_is_status_2() {
    // answers the first question, and then nothing, garbage, or with a refusal
    let hello = r#"read line; echo '{"id":"ops","result":["size"]}'; "#;
    let size = ["--ops", "size", "--timeout", "0.2"];
    let dies = no_verdict(&format!("{hello} read line; exit 3"), &size);
    assert!(dies.contains("died") && dies.contains("not asked"), "{dies}");
    let hangs = no_verdict(&format!("{hello} sleep 1000"), &size);
    assert!(hangs.contains("timed out"), "{hangs}");
    let garbage = no_verdict(&format!("{hello} while read line; do echo garbage; done"), &size);
    assert!(garbage.contains("answered garbage"), "{garbage}");
    let endless = no_verdict(&format!("{hello} exec cat /dev/zero"), &size);
    assert!(endless.contains("flooded its output"), "{endless}");
    let nothing = no_verdict(r#"while read line; do echo '{"id":"ops","result":[]}'; done"#, &size);
    assert!(nothing.contains("no answer is right"), "{nothing}");
}

// elsewhere sed has other options
#[cfg(target_os = "linux")]
#[test]
fn refusing_everything_is_status_2() {
    let refuses =
        r#"exec sed -u 's/.*"id":\([0-9"ops]*\).*/{"id":\1,"error":{"code":"internal","message":"","help":[]}}/'"#;
    let table = no_verdict(refuses, &["--ops", "size,coalesce"]);
    assert!(table.contains("no answer is right"), "{table}");
}

#[test]
fn numbers_out_of_bounds_are_wrong_usage() {
    for (flag, value, bound) in [
        ("--cases", "18446744073709551615", "1..=1000000000"),
        ("--cases", "0", "1..=1000000000"),
        ("--jobs", "100000", "1..=256"),
        ("--batch", "18446744073709551615", "1..=65536"),
        ("--examples", "18446744073709551615", "0..=1000"),
        ("--timeout", "1e18", "at most 86400"),
        ("--start-timeout", "NaN", "at most 86400"),
        ("--shard", "0/18446744073709551615", "at most 1000000"),
    ] {
        let mut command = razorgirl();
        let output = command.args(["conform", "--impl", "true", flag, value]).output().expect("razorgirl runs");
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(bound), "{flag} {value}: {errors}");
    }
}

#[test]
fn usage_names_both_ways_to_say_whom() {
    let output = razorgirl().arg("conform").output().expect("razorgirl runs");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("--impl <COMMAND>") && errors.contains("--peer <NAME>"), "{errors}");
    let both = razorgirl().args(["conform", "--impl", "true", "--peer", "pycute"]).output().expect("razorgirl runs");
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_report_on_standard_output_is_all_that_is_there() {
    let output = conform(&ourselves(), &["--ops", "size", "--report", "-"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON alone");
    assert_eq!((output.status.code(), &report["ending"]), (Some(0), &Value::from("right")));
    assert!(text(&output.stderr).starts_with("| operation "));
}

#[test]
fn what_cannot_run_is_status_2() {
    let output = conform("/nowhere/at/all", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/nowhere/at/all"), "{}", text(&output.stderr));
    let output = conform(&ourselves(), &["--ops", "frobnicate"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no cases for frobnicate"), "{}", text(&output.stderr));
    assert_eq!(conform(&ourselves(), &["--shard", "4/4"]).status.code(), Some(2));
    let output = conform(&ourselves(), &["--report", "/nowhere/at/all/report.json"]);
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.json");
    let child = razorgirl()
        .args(["conform", "--impl", &ourselves(), "--cases", "100000000", "--ops", "size,composition", "--report"])
        .arg(&path)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("razorgirl runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(told.success());
    let output = child.wait_with_output().expect("it ends");
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{table}");
    assert!(table.contains("interrupted"), "{table}");
    let report = report(&path);
    assert_eq!(report["interrupted"], true);
    assert!(report["total"]["right"].as_u64() > Some(0));
}
