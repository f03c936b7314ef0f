//! Every selection of packages that `check.sh` builds asks the same features of a crate: else cargo builds it, and all
//! that stands on it, once for each selection (five minutes of one core, when `libc` alone differed).

use std::collections::BTreeSet;
use std::process::Command;

/// Name, version and features of each crate that `selection` builds. What build scripts and macros of the compiler need may
/// have others, and would hide a difference.
fn features(selection: &[&str]) -> BTreeSet<String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--manifest-path", manifest, "--prefix", "none", "--format", "{p} with {f}"])
        .args(selection)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let tree: BTreeSet<_> = text.lines().map(|line| line.trim_end_matches(" (*)").to_string()).collect();
    assert!(tree.len() > 20, "not a tree of crates: {text}");
    tree
}

#[test]
fn every_selection_asks_the_same_features() {
    let with_tests = ["--edges", "no-build,no-proc-macro"];
    let all = features(&[&["--workspace"], &with_tests[..]].concat());
    for selection in [
        vec!["--package", "spec-tests", "--edges", "no-build,no-proc-macro,no-dev"],
        [&["--package", "spec-tests", "--package", "lean-runner"], &with_tests[..]].concat(),
        [
            &["--workspace", "--exclude", "razorgirl-python", "--exclude", "spec-tests", "--exclude", "lean-runner"],
            &with_tests[..],
        ]
        .concat(),
    ] {
        let others: Vec<_> = features(&selection).difference(&all).cloned().collect();
        assert!(
            others.is_empty(),
            "{selection:?} builds what the workspace does not: {others:?}; its Cargo.toml must ask the same"
        );
    }
}

/// The Python module is built from what the Rust tests have built, macros of the compiler and build scripts included.
#[test]
fn the_python_module_asks_no_other_features() {
    let others = ["--exclude", "razorgirl-python", "--exclude", "spec-tests", "--exclude", "lean-runner"];
    let built = features(&[&["--workspace"], &others[..]].concat());
    let krate = |line: &str| line.split(" with ").next().map(str::to_string);
    let known: BTreeSet<_> = built.iter().map(|line| krate(line)).collect();
    let module = features(&["--package", "razorgirl-python", "--edges", "no-dev"]);
    let anew: Vec<_> = module.difference(&built).filter(|line| known.contains(&krate(line))).collect();
    assert!(anew.is_empty(), "python/Cargo.toml must ask the same features: {anew:?}");
}
