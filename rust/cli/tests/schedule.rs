//! `razorgirl schedule` as it is used.

use std::path::Path;
use std::process::Command;

/// Runs with the schedules as files, which the transcript shows in place of their paths.
fn schedule(folder: &Path, schedules: &[&[u8]], flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_razorgirl"));
    command.arg("schedule").current_dir(folder);
    let mut shown = String::from("$ razorgirl schedule");
    for (n, text) in schedules.iter().enumerate() {
        let name = ["first", "second"][n];
        std::fs::write(folder.join(name), text).expect("a file is written");
        if n == 1 {
            command.arg("--equivalent");
            shown.push_str(" --equivalent");
        }
        command.arg(name);
        shown.extend([" ", name]);
    }
    command.args(flags);
    shown.extend(flags.iter().flat_map(|flag| [" ", flag]));
    shown.push('\n');
    for (n, text) in schedules.iter().enumerate() {
        shown.extend(["  ", ["first", "second"][n], ": ", &String::from_utf8_lossy(text), "\n"]);
    }
    let output = command.output().expect("the command starts");
    shown.push_str(&String::from_utf8_lossy(&output.stdout));
    shown.push_str(&String::from_utf8_lossy(&output.stderr));
    if let Some(status) = output.status.code().filter(|&status| status != 0) {
        shown.extend(["[status ", &status.to_string(), "]\n"]);
    }
    shown
}

#[test]
fn loops_holes_and_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("divisible", &b"[128] split(0,32)"[..]),
        ("indivisible", b"[10] split(0,3)"),
        ("inner", b"[10] split(0,3) split(1,5)"),
        ("figure_2", b"[15] split(0,6) split(0,2) split(2,4)"),
        ("matrix", b"# tiles of a matrix\n[128,7777]\nsplit(0,32) split_outer(2,4)\nmerge(0,2) reorder(1,0,2)"),
        ("resize", b"[8] resize(0,1,-2) split(0,4)"),
        ("swizzles", b"[8,8,4] swizzle(xor,0,1) swizzle(zshape,2,1) swizzle(cyclic,0,1)"),
        (
            "json",
            br#"{"extents":[128,7777],"steps":[{"split":0,"factor":32},{"split_outer":1,"factor":4},{"merge":[1,2]},{"reorder":[2,0,1]},{"resize":0,"left":1,"right":-2},{"swizzle":"xor","axes":[0,1]}]}"#,
        ),
        ("nothing", b"[]"),
        ("cut_off_again", b"[2] split(0,4) resize(1,-1,-2)"),
    ] {
        insta::assert_snapshot!(format!("schedule_{name}"), schedule(folder.path(), &[text], &[]));
    }
}

#[test]
fn equivalence() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, left, right, flags) in [
        ("split_split", "[7777] split(0,8) split(0,4)", "[7777] split(0,32) split(1,8)", &[][..]),
        ("exchange", "[2,8] merge(0,1) split(0,4)", "[2,8] split(1,4) merge(0,1)", &[]),
        ("exchange_indivisible", "[2,5] merge(0,1) split(0,3)", "[2,5] split(1,3) merge(0,1)", &[]),
        ("items", "[1,1] merge(0,1) split(0,2)", "[1,1] split(1,2) merge(0,1)", &["--valid-items"]),
        ("items_differ", "[2,5] merge(0,1) split(0,3)", "[2,5] split(1,3) merge(0,1)", &["--valid-items"]),
        ("holes_resize", "[4] resize(0,0,-2) resize(0,0,2)", "[4]", &[]),
        ("holes_resize_e2", "[4] resize(0,0,-2) resize(0,0,2)", "[4]", &["--e2"]),
        ("holes_xor", "[3,3] swizzle(xor,0,1) swizzle(xor,0,1)", "[3,3]", &[]),
        ("e2_differ", "[1,1] merge(0,1) split(0,2)", "[1,1] split(1,2) merge(0,1)", &["--e2"]),
        ("loops", "[2,5] merge(0,1) split(0,4)", "[2,5] split(1,4) merge(0,1)", &[]),
        ("tensors", "[2,5]", "[5,2]", &[]),
        (
            "unknown",
            "[99999999] split(0,3) swizzle(cyclic,0,1)",
            "[99999999] split(0,3) swizzle(cyclic,0,1) reorder(0,1)",
            &[],
        ),
    ] {
        let shown = schedule(folder.path(), &[left.as_bytes(), right.as_bytes()], flags);
        insta::assert_snapshot!(format!("schedule_equivalent_{name}"), shown);
    }
}

#[test]
fn mistakes() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("factor_0", &b"[4] split(0,0)"[..]),
        ("extent_0", b"[4,0]"),
        ("negative", b"[-4]"),
        ("unknown_axis", b"[4] split(0,2) merge(0,2)"),
        ("unknown_step", b"[4] cut(0,2)"),
        ("overflow", b"[4611686018427387903,2]"),
        ("not_utf8", b"[4] split(0,\xff)"),
        ("empty", b""),
        ("json_syntax", br#"{"extents":[4],"steps":[}"#),
        ("json_factor_0", br#"{"extents":[4],"steps":[{"split":0,"factor":2},{"split":0,"factor":0}]}"#),
        ("json_no_factor", br#"{"extents":[4],"steps":[{"split":0}]}"#),
        ("json_unknown_field", br#"{"extents":[4],"steps":[{"split":0,"factor":2,"inner":true}]}"#),
        ("json_unknown_step", br#"{"extents":[4],"steps":[{"cut":0}]}"#),
        ("json_negative_axis", br#"{"extents":[4],"steps":[{"split":-1,"factor":2}]}"#),
        ("json_fraction", br#"{"extents":[4.5]}"#),
        ("json_resized_away", br#"{"extents":[4],"steps":[{"resize":0,"left":-2,"right":-2}]}"#),
        ("json_order", br#"{"extents":[4,4],"steps":[{"reorder":[0,0]}]}"#),
    ] {
        insta::assert_snapshot!(format!("schedule_wrong_{name}"), schedule(folder.path(), &[text], &[]));
    }
}

#[test]
fn more_than_the_bounds_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    // more steps than a schedule may have, in fewer bytes than a file may have
    let steps =
        |step: &str, count: usize| format!("{{\"extents\":[1024],\"steps\":[{}]}}", vec![step; count].join(","));
    let begun = std::time::Instant::now();
    for (name, text) in [
        ("steps", steps("{\"resize\":0,\"left\":1,\"right\":-1}", 500_000)),
        ("axes", steps("{\"split\":0,\"factor\":1}", 500_000)),
        ("rank", format!("[{}]", vec!["1"; 32_800].join(","))),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file is written");
        let output = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
            .arg("schedule")
            .arg(&path)
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(2));
        insta::assert_snapshot!(format!("schedule_too_large_{name}"), String::from_utf8_lossy(&output.stderr));
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn as_large_as_the_bounds_allow() {
    let folder = tempfile::tempdir().expect("a folder");
    let steps = "{\"resize\":0,\"left\":1,\"right\":-1},{\"resize\":0,\"left\":-1,\"right\":1}";
    let long = format!("{{\"extents\":[7],\"steps\":[{}]}}", vec![steps; 32_768].join(","));
    let wide = format!("[{}] split(0,1)", vec!["1"; 1023].join(","));
    for (name, text, loops) in [("long", long, "loops   (7)"), ("wide", wide, "loops   (1,1,1,1,1")] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file is written");
        let output = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
            .arg("schedule")
            .arg(&path)
            .output()
            .expect("the command starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        assert!(text.contains(loops) && text.lines().count() < 1_000, "{name}: {}", text.len());
    }
}
