//! What people expect of a linter, as the command does it: comments, configuration, baseline, formats, fixes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const BAD: &str = "using Bad = Layout<Shape<_8,_4>, Stride<_1,_4>>;\n";

/// One change alone passes the check: where there are two or more, nobody chooses.
const BENT: &str = "using Bent = Layout<Shape<_2,_4>, Stride<Stride<_1,_2>>>;\n";

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    // No configuration of a folder around it holds.
    fs::create_dir(root.path().join(".git")).unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn audit(root: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_razorgirl")).arg("audit").args(args).current_dir(root).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn status(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}{}", out(output), err(output));
}

#[test]
fn comments_allow_findings_and_say_when_they_allow_nothing() {
    let line = BAD.trim_end();
    for (text, code, allowed, useless) in [
        (format!("{line} // razorgirl: allow(RG002) a window\n"), 0, 1, 0),
        (format!("// razorgirl: allow(RG002) a window\n{BAD}"), 0, 1, 0),
        (format!("/* razorgirl: allow(overlapping-layout) a window */\n// razorgirl: allow(RG001) w\n{BAD}"), 0, 1, 1),
        (format!("// razorgirl: allow(RG002)\n{BAD}"), 1, 0, 1),
        (format!("// razorgirl: allow(RG003) not this rule\n{BAD}"), 1, 0, 1),
        (format!("// razorgirl: allow(RG002) too far\n\n{BAD}"), 1, 0, 1),
        (format!("{BAD}// razorgirl: allow(RG002) below\n"), 1, 0, 1),
        (format!("auto s = \"// razorgirl: allow(RG002) a string\"; {BAD}"), 1, 0, 0),
        ("int x; // razorgirl: allow(RG002) nothing is here\n".to_owned(), 0, 0, 1),
    ] {
        let root = tree(&[("a.hpp", &text)]);
        let output = audit(root.path(), &["a.hpp", "--format", "json"]);
        status(&output, code);
        let json: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!(json["held"]["allowed"], allowed, "{text}");
        assert_eq!(json["counts"]["RG901"].as_u64().unwrap_or(0), useless, "{text}");
        assert_eq!(json["counts"]["RG002"].as_u64().unwrap_or(0), u64::from(code == 1), "{text}");
    }
}

#[test]
fn the_configuration_is_found_upward_and_rules() {
    let config = "paths = ['src']\nvendored = ['src/vendor']\ninclude = ['names']\n[rules]\nRG002 = 'note'\n";
    let root = tree(&[
        ("razorgirl.toml", config),
        ("src/deep/a.hpp", BAD),
        ("src/deep/b.hpp", "using Named = Layout<Shape<_8,_4>, Stride<_1,lib::Four>>;\n"),
        ("src/vendor/v.hpp", BAD),
        ("names/n.hpp", "namespace lib { using Four = _4; }\nusing Theirs = Layout<Shape<_8,_4>, Stride<_1,_4>>;\n"),
        ("names/unasked.hpp", BAD),
    ]);
    // Nothing is named: the configuration says what is audited.
    let output = audit(root.path(), &["--format", "json"]);
    status(&output, 0);
    let json: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    let found: Vec<_> = json["findings"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("src/deep/a.hpp") && found[1].ends_with("src/deep/b.hpp"), "{found:?}");
    assert_eq!(json["findings"][0]["severity"], "note");
    assert_eq!(json["held"]["included"], 1, "what is parsed for its names is not judged");
    // From a folder below, and by name.
    status(&audit(&root.path().join("src/deep"), &["a.hpp"]), 0);
    status(&audit(root.path(), &["src/deep/a.hpp", "--no-config"]), 1);
    status(&audit(root.path(), &["src", "--no-config"]), 1);
    // A folder that is left out is audited when it is named.
    fs::write(root.path().join("razorgirl.toml"), "vendored = ['src/vendor']").unwrap();
    assert!(out(&audit(root.path(), &["src/vendor"])).contains("RG002"));
    // Off, and worse.
    fs::write(root.path().join("off.toml"), "[rules]\nRG002 = 'off'").unwrap();
    let output = audit(root.path(), &["src/deep", "--config", "off.toml"]);
    status(&output, 0);
    assert!(out(&output).contains("1  of rules that are off"), "{}", out(&output));
    fs::write(root.path().join("worse.toml"), "[rules]\nRG002 = 'error'").unwrap();
    assert!(out(&audit(root.path(), &["src/deep", "--config", "worse.toml"])).contains("error[RG002]"));
}

#[test]
fn a_wrong_configuration_stops_the_run_with_its_place() {
    let root = tree(&[("a.hpp", BAD), ("razorgirl.toml", "paths = ['a.hpp']\nvendord = []\n")]);
    let output = audit(root.path(), &["a.hpp"]);
    status(&output, 2);
    let text = err(&output);
    assert!(
        text.contains("error[unknown_key]") && text.contains("razorgirl.toml:2:1: there is no key `vendord`"),
        "{text}"
    );
    assert!(text.contains("help: write `vendored`"), "{text}");
    fs::write(root.path().join("razorgirl.toml"), "include = ['nowhere']\n").unwrap();
    status(&audit(root.path(), &["a.hpp"]), 2);
    fs::write(root.path().join("razorgirl.toml"), "").unwrap();
    status(&audit(root.path(), &[]), 2);
    // Two configurations for one run.
    let root = tree(&[("x/a.hpp", BAD), ("x/razorgirl.toml", ""), ("y/a.hpp", BAD), ("y/razorgirl.toml", "")]);
    let output = audit(root.path(), &["x", "y"]);
    status(&output, 2);
    assert!(err(&output).contains("different configurations"), "{}", err(&output));
}

#[test]
fn a_baseline_holds_when_lines_move_and_not_for_what_is_new() {
    let root = tree(&[("src/a.hpp", BAD)]);
    let at = |name: &str| root.path().join(name);
    status(&audit(root.path(), &["src", "--baseline", "known.json", "--write-baseline"]), 0);
    let output = audit(root.path(), &["src", "--baseline", "known.json"]);
    status(&output, 0);
    assert!(out(&output).contains("1  in the baseline"), "{}", out(&output));
    fs::write(at("src/a.hpp"), format!("// more\n\n{}", BAD.replace(", ", ",\n  "))).unwrap();
    status(&audit(root.path(), &["src", "--baseline", "known.json"]), 0);
    // Also from elsewhere: paths are from the baseline.
    status(&audit(&at("src"), &["a.hpp", "--baseline", "../known.json"]), 0);
    fs::write(at("src/a.hpp"), format!("{BAD}{}", BAD.replace("Bad", "Again"))).unwrap();
    let output = audit(root.path(), &["src", "--baseline", "known.json"]);
    status(&output, 1);
    assert!(out(&output).contains("findings    1 ("), "a second one of the same kind is new");
    fs::write(at("src/a.hpp"), "int x;\n").unwrap();
    let output = audit(root.path(), &["src", "--baseline", "known.json"]);
    status(&output, 0);
    assert!(out(&output).contains("1  entries of the baseline that nothing matches"), "{}", out(&output));
    fs::write(at("known.json"), "{\"version\":1}").unwrap();
    status(&audit(root.path(), &["src", "--baseline", "known.json"]), 2);
    status(&audit(root.path(), &["src", "--baseline", "none.json"]), 2);
    status(&audit(root.path(), &["src", "--write-baseline"]), 2);
}

#[test]
fn what_is_not_resolved_is_listed_with_reason_and_place() {
    let text =
        "template <class T> using L = Layout<Shape<T>>;\nusing M = Layout<Shape<other::X>>;\n#define N Layout<_4>\n";
    let root = tree(&[("a.hpp", text)]);
    let listed = out(&audit(root.path(), &["a.hpp", "--unresolved"]));
    assert!(listed.contains("a.hpp:2:11: not resolved: unknown name: `other::X` at :2:24"), "{listed}");
    assert!(listed.contains("1 more: in macros"), "{listed}");
    assert!(!out(&audit(root.path(), &["a.hpp"])).contains("a.hpp:2:11"));
    let json: serde_json::Value =
        serde_json::from_str(&out(&audit(root.path(), &["a.hpp", "--unresolved", "--format", "json"]))).unwrap();
    let list = json["not_resolved"].as_array().unwrap();
    assert!(
        list.iter().any(|one| one["reason"] == "unknown-name" && one["cause"]["start"]["column"] == 24),
        "{list:?}"
    );
    status(&audit(root.path(), &["a.hpp", "--unresolved", "--format", "sarif"]), 2);
}

#[test]
fn github_gets_commands() {
    let root = tree(&[("a.hpp", BAD)]);
    let output = audit(root.path(), &["a.hpp", "missing", "--format", "github"]);
    status(&output, 1);
    let text = out(&output);
    assert!(
        text.starts_with("::warning file=a.hpp,line=1,col=13,endColumn=47,title=RG002 overlapping-layout::"),
        "{text}"
    );
    assert!(text.contains("::error file=missing::"), "{text}");
    status(&audit(root.path(), &["a.hpp", "--format", "github", "--summary"]), 2);
}

#[test]
fn every_rule_is_explained() {
    let root = tree(&[]);
    let list = out(&audit(root.path(), &["--explain", "all"]));
    let mut rules = 0;
    for id in list.lines().map(|line| line.split_whitespace().next().unwrap()) {
        let output = audit(root.path(), &["--explain", id]);
        status(&output, 0);
        assert!(out(&output).starts_with(&format!("# {id} ")), "{}", out(&output));
        rules += 1;
    }
    assert!(rules >= 5, "{list}");
    assert!(out(&audit(root.path(), &["--explain", "overlapping-layout"])).starts_with("# RG002 "));
    let output = audit(root.path(), &["--explain", "RG02"]);
    status(&output, 2);
    assert!(err(&output).contains("did you mean RG002?"), "{}", err(&output));
}

#[test]
fn fixes_are_shown_first_and_written_when_told() {
    let root = tree(&[("a.hpp", BENT), ("b.hpp", "int x;\n")]);
    let at = |name: &str| root.path().join(name);
    let output = audit(root.path(), &["a.hpp", "b.hpp", "--fix"]);
    status(&output, 1);
    let text = out(&output);
    assert!(text.contains("--- a.hpp\n+++ a.hpp\n"), "{text}");
    assert!(text.contains("+using Bent = Layout<Shape<_2,_4>, Stride<_1,_2>>;"), "{text}");
    assert!(text.contains("nothing is written; --fix --yes writes"), "{text}");
    assert_eq!(fs::read_to_string(at("a.hpp")).unwrap(), BENT);
    let output = audit(root.path(), &["a.hpp", "b.hpp", "--fix", "--yes"]);
    status(&output, 0);
    assert!(out(&output).contains("written: a.hpp") && out(&output).contains("findings    0"), "{}", out(&output));
    assert_eq!(fs::read_to_string(at("a.hpp")).unwrap(), BENT.replace("Stride<Stride<_1,_2>>", "Stride<_1,_2>"));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 3, "nothing is left beside it");
    // Nothing to fix, wrong use.
    status(&audit(root.path(), &["a.hpp", "--fix", "--yes"]), 0);
    status(&audit(root.path(), &["a.hpp", "--yes"]), 2);
    status(&audit(root.path(), &["a.hpp", "--fix", "--format", "json"]), 2);
}

#[test]
fn a_fix_that_is_no_tools_to_make_is_not_made() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../audit/tests/fixtures/defects");
    let text = |name: &str| fs::read_to_string(fixtures.join(name)).unwrap();
    let root = tree(&[("a.hpp", &text("toy_traits.hpp")), ("b.hpp", &text("toy_layouts.hpp"))]);
    let before: serde_json::Value =
        serde_json::from_str(&out(&audit(root.path(), &[".", "--format", "json"]))).unwrap();
    assert!(before["counts"]["RG003"].as_u64().unwrap() > 0);
    audit(root.path(), &[".", "--fix", "--yes"]);
    let after: serde_json::Value = serde_json::from_str(&out(&audit(root.path(), &[".", "--format", "json"]))).unwrap();
    assert_eq!(before["counts"]["RG003"], after["counts"]["RG003"], "another bijection would hide the defect");
    let count = |json: &serde_json::Value| json["counts"]["RG001"].as_u64().unwrap_or(0);
    assert_eq!(count(&after) + 1, count(&before), "the one beside it is made");
}

#[cfg(unix)]
#[test]
fn fixes_keep_permissions_and_refuse_links_and_other_encodings() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let root = tree(&[("a.hpp", BENT)]);
    let at = |name: &str| root.path().join(name);
    fs::set_permissions(at("a.hpp"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink(at("a.hpp"), at("link.hpp")).unwrap();
    let output = audit(root.path(), &["link.hpp", "--fix", "--yes"]);
    status(&output, 2);
    assert!(err(&output).contains("it is a link"), "{}", err(&output));
    assert_eq!(fs::read_to_string(at("a.hpp")).unwrap(), BENT);
    status(&audit(root.path(), &["a.hpp", "--fix", "--yes"]), 0);
    assert_eq!(fs::metadata(at("a.hpp")).unwrap().permissions().mode() & 0o777, 0o640);
    let latin = [b"// \xe7\n".as_slice(), BENT.as_bytes()].concat();
    fs::write(at("latin.hpp"), &latin).unwrap();
    let output = audit(root.path(), &["latin.hpp", "--fix", "--yes"]);
    status(&output, 2);
    assert!(err(&output).contains("not UTF-8"), "{}", err(&output));
    assert_eq!(fs::read(at("latin.hpp")).unwrap(), latin);
}
