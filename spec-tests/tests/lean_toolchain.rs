//! The ways to have Lean, on small projects of their own: what is wrong must be found, with its place.
//!
//! Lean really runs here, and takes some seconds each time; so each test asks several things of one project.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use lean_runner::axioms::{axioms, refused};
use lean_runner::lean::tree::SECTION;
use lean_runner::oracle::MAX_ENTRIES;
use lean_runner::progress::Progress;
use lean_runner::toolchain::{How, LeanToolchain, ToolchainChoice, choose};
use lean_runner::{Oracle, Project};
use tempfile::TempDir;

/// A project in a temporary folder.
struct Fixture {
    dir: TempDir,
}

impl Fixture {
    /// With this repository's lakefile, and nothing to prove.
    fn new() -> Self {
        let fixture = Self { dir: tempfile::tempdir().unwrap() };
        for name in ["lakefile.lean", "lake-manifest.json", "lean-toolchain"] {
            fs::copy(Project::repository().root().join(name), fixture.dir.path().join(name)).unwrap();
        }
        fixture.write("Razorgirl.lean", "module\n");
        fixture
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join("lean").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A file that imports `imports`; its content begins at line 3 + the number of imports.
    fn module(&self, path: &str, imports: &[&str], content: &str) {
        let imports: String = imports.iter().flat_map(|i| ["public import ", i, "\n"]).collect();
        self.write(path, &format!("module\n{imports}{SECTION}\n{content}\n"));
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.dir.path().join("lean").join(path)).unwrap();
    }

    fn project(&self) -> Project {
        Project::at(self.dir.path())
    }

    /// Runs `spec-tests lean build` on it.
    fn build(&self, settings: impl Fn(&mut Command)) -> (bool, String) {
        self.build_by(&[], settings)
    }

    fn build_by(&self, flags: &[&str], settings: impl Fn(&mut Command)) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spec-tests"));
        command.args(["lean", "build"]).args(flags).arg("--project").arg(self.dir.path());
        settings(&mut command);
        shown(&command.output().unwrap())
    }
}

fn shown(output: &Output) -> (bool, String) {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

fn toolchain(project: &Project) -> Box<dyn LeanToolchain> {
    choose(project, ToolchainChoice::from_env().unwrap(), Progress::silent()).unwrap()
}

#[track_caller]
fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "expected `{part}` in:\n{text}");
}

/// The life of a project: wrong in many ways, repaired, and then checked no more than needed.
#[test]
fn wrong_proofs_are_found_and_right_ones_are_kept() {
    let fixture = Fixture::new();
    let modules = ["Spec.Double", "Thm.Good", "Thm.False", "Thm.After", "Thm.Sorry"].map(|m| format!("Razorgirl.{m}"));
    let root: String = modules.iter().flat_map(|m| ["public import ", m, "\n"]).collect();
    fixture.write("Razorgirl.lean", &format!("module\n{root}"));
    // Core list functions have no code in the WebAssembly build; definitions with them are checked all the same.
    fixture.module("Razorgirl/Spec/Double.lean", &[], "def doubled (l : List Nat) : List Nat := (l ++ l).map (2 * ·)");
    fixture.module(
        "Razorgirl/Data/Planted.lean",
        &[],
        "axiom planted : ∀ n : Nat, n < n + 1\ntheorem lemma₁ : 1 < 2 := planted 1",
    );
    fixture.module(
        "Razorgirl/Thm/Good.lean",
        &["Razorgirl.Spec.Double", "Razorgirl.Data.Planted"],
        "theorem doubled_nil : doubled [] = [] := rfl\n\
         namespace N\n/-- theorem in_a_comment -/\ntheorem on_sand (p q : Prop) (h : p ↔ q) : 1 < 2 ∧ p = q := ⟨lemma₁, propext h⟩\nend N",
    );
    fixture.module(
        "Razorgirl/Thm/False.lean",
        &[],
        "theorem fine : 1 + 1 = 2 := rfl\ntheorem wrong (n : Nat) : n < n := by\n  omega",
    );
    fixture.module("Razorgirl/Thm/After.lean", &["Razorgirl.Thm.False"], "theorem after : 1 = 1 := rfl");
    fixture.module("Razorgirl/Thm/Sorry.lean", &[], "theorem unproved (n : Nat) : n < n := by\n  sorry");

    // The words alone stop it, before anything is checked.
    let (ok, text) = fixture.build(|_| ());
    assert!(!ok);
    assert_has(&text, "lean/Razorgirl/Data/Planted.lean:3:1: error: `axiom` may not be used");
    assert_has(&text, "lean/Razorgirl/Thm/Sorry.lean:4:3: error: `sorry` may not be used");

    // Lean itself, asked past the words: a false proof, and a warning that is an error.
    let project = fixture.project();
    let lean = toolchain(&project);
    let check = || lean.check(&project, &project.tree().unwrap(), How::Files, Progress::silent()).unwrap();
    let problems = check().problems.join("\n");
    assert_has(&problems, "Razorgirl/Thm/False.lean:5:");
    assert_has(&problems, "omega could not prove the goal");
    assert_has(&problems, "Razorgirl/Thm/Sorry.lean:3:");
    assert_has(&problems, "declaration uses");
    assert!(!problems.contains("Good") && !problems.contains("Planted"), "{problems}");

    // The word that Lean lets pass: an axiom, two steps below a theorem.
    fixture.module("Razorgirl/Thm/False.lean", &[], "theorem fine : 1 + 1 = 2 := rfl");
    fixture.module("Razorgirl/Thm/Sorry.lean", &[], "theorem proved (n : Nat) : n < n + 1 := by\n  omega");
    let checked = check();
    assert_eq!(checked.problems, [""; 0]);
    assert!(matches!(checked.fresh, None | Some(4)), "{checked:?}");
    let found = axioms(&*lean, &project, &checked.compiled, &project.tree().unwrap()).unwrap();
    assert_eq!(
        found.iter().map(|r| r.theorem.as_str()).collect::<Vec<_>>(),
        ["doubled_nil", "N.on_sand", "fine", "after", "proved"]
    );
    assert_eq!(found[1].to_string(), "planted, propext");
    assert_eq!(refused(&found), ["N.on_sand rests on planted"]);

    // Nothing to object to but a file that nobody imports.
    fixture.module("Razorgirl/Data/Planted.lean", &[], "theorem lemma₁ : 1 < 2 := by decide");
    fixture.module("Razorgirl/Thm/Forgotten.lean", &[], "theorem wrong (n : Nat) : n < n := by omega");
    let (ok, text) = fixture.build(|_| ());
    assert!(!ok);
    assert_has(
        &text,
        "lean/Razorgirl/Thm/Forgotten.lean: error: neither lean/Razorgirl.lean nor lean/Oracle.lean reaches",
    );
    assert!(!text.contains("could not prove"), "{text}");

    fixture.remove("Razorgirl/Thm/Forgotten.lean");
    let (ok, text) = fixture.build(|_| ());
    assert!(ok, "{text}");
    for part in [
        "Spec      1 files     0 theorems     1 definitions",
        "Thm       4 files     5 theorems",
        "Data      1 files     1 theorems",
    ] {
        assert_has(&text, part);
    }
    assert_has(&text, &format!("every proof checked by {}", lean.describe()));
    assert_eq!(check().fresh.unwrap_or(0), 0);
}

/// Files that are joined: names that would clash are found first, then errors come with the file and line they are in.
#[test]
fn groups_find_what_files_find() {
    let fixture = Fixture::new();
    fixture.write(
        "Razorgirl.lean",
        "module\npublic import Razorgirl.Spec.A\npublic import Razorgirl.Thm.A\npublic import Razorgirl.Thm.B\n",
    );
    fixture.module("Razorgirl/Spec/A.lean", &[], "def twice (n : Nat) : Nat := n + n");
    let first = "namespace N\nopen Nat\nvariable (n : Nat)\nprivate theorem h : twice n = 2 * n := by\n  unfold twice; omega\n\
                 theorem a : twice n = 2 * n := h n\nend N";
    fixture.module("Razorgirl/Thm/A.lean", &["Razorgirl.Spec.A"], first);
    let second =
        "variable (n : Nat)\nprivate theorem N.h : n < n + 1 := by omega\ntheorem b : n < n + 1 := by\n  exact N.h n";
    fixture.module("Razorgirl/Thm/B.lean", &["Razorgirl.Spec.A"], second);
    let (ok, text) = fixture.build_by(&["--groups"], |_| ());
    assert!(!ok);
    assert_has(&text, "lean/Razorgirl/Thm/B.lean:5: error: `N.h` is also declared at lean/Razorgirl/Thm/A.lean:7");
    assert!(!text.contains("checking"), "{text}");

    fixture.module(
        "Razorgirl/Thm/B.lean",
        &["Razorgirl.Spec.A"],
        &second.replace("N.h", "M.h").replace("n + 1 := by omega", "n := by omega"),
    );
    let project = fixture.project();
    let lean = toolchain(&project);
    let check = || lean.check(&project, &project.tree().unwrap(), How::Groups, Progress::silent()).unwrap();
    let problems = check().problems.join("\n");
    assert_has(&problems, "Razorgirl/Thm/B.lean:5:");
    assert_has(&problems, "omega could not prove the goal");
    assert!(!problems.contains("Thm/A.lean:"), "{problems}");

    fixture.module("Razorgirl/Thm/B.lean", &["Razorgirl.Spec.A"], &second.replace("N.h", "M.h"));
    let checked = check();
    assert_eq!(checked.problems, [""; 0]);
    let found = axioms(&*lean, &project, &checked.compiled, &project.tree().unwrap()).unwrap();
    assert_eq!(found.iter().map(|r| r.theorem.as_str()).collect::<Vec<_>>(), ["N.h", "N.a", "M.h", "b"]);
    assert_eq!(refused(&found), [""; 0]);
    assert_eq!(check().fresh.unwrap_or(0), 0);
}

const SPEC: &str = "\
def total (l : List Nat) : Nat :=
  match l with
  | [] => 0
  | n :: rest => (n + total rest) % 1000007

/-- Uses what the prelude replaces. -/
def mixed (l : List Nat) : List Nat :=
  (l.reverse ++ l.map (· + 1)).filter (· % 2 == 0) ++ (List.replicate 2 l.length).zipWith (· * ·) [1, 2]

partial def forever (n : Nat) : Nat := forever (n + 1) + 1";

const ORACLE: &str = "\
open Lean (Json)
def nats : List Json → Option (List Nat)
  | [] => some []
  | j :: rest => match j.getNat?, nats rest with
    | .ok n, some ns => some (n :: ns)
    | _, _ => none
def onList (f : List Nat → Json) : List Json → Oracle.Answer
  | [.arr js] => match nats js.toList with
    | some ns => .ok [(\"result\", f ns)]
    | none => .error { code := \"parse\", message := \"natural numbers\" }
  | _ => .error { code := \"arity\", message := \"one list\" }
def table : List Oracle.Op :=
  [{ name := \"total\", run := onList fun l => .num (total l) },
   { name := \"mixed\", run := onList fun l => .arr ((mixed l).map fun n => .num n).toArray },
   { name := \"forever\", run := onList fun l => .num (forever l.length) },
   { name := \"echo\", run := fun args => .ok [(\"result\", .null), (\"args\", .arr args.toArray)] }]
def main : IO Unit := Oracle.serve table";

fn oracle_fixture() -> Fixture {
    let fixture = Fixture::new();
    for name in ["Shell", "Prelude"] {
        let path = format!("Oracle/{name}.lean");
        fixture.write(&path, &fs::read_to_string(Project::repository().root().join("lean").join(&path)).unwrap());
    }
    fixture.write("Razorgirl.lean", "module\npublic import Razorgirl.Spec.Total\n");
    fixture.module("Razorgirl/Spec/Total.lean", &[], SPEC);
    fixture.module("Oracle.lean", &["Oracle.Shell", "Razorgirl.Spec.Total"], ORACLE);
    fixture
}

#[test]
fn the_oracle_answers_in_order_or_says_that_it_did_not() {
    let fixture = oracle_fixture();
    let oracle = Oracle::of(fixture.project(), Progress::silent()).unwrap();
    let long = (0..MAX_ENTRIES).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let deep = format!("{}{}", "[".repeat(80), "]".repeat(80));
    let cases = [
        (r#"{"id":1,"op":"mixed","args":[[1,2,3]]}"#, r#"{"id":1,"result":[2,2,4,3,6]}"#),
        ("", r#"{"id":null,"error":{"code":"parse""#),
        (r#"{"op":"ops","args":[]}"#, r#"{"id":null,"result":["echo","forever","mixed","total"]}"#),
        (r#"{"id":"a","op":"nope","args":[]}"#, r#"{"id":"a","error":{"code":"unknown_op","help":["echo""#),
        (r#"{"id":2,"op":"total","args":[1e9]}"#, r#"{"id":null,"error":{"code":"parse""#),
        (&format!(r#"{{"id":3,"op":"total","args":[[{long}]]}}"#), r#"{"id":3,"result":"#),
        (
            &format!(r#"{{"id":4,"op":"echo","args":[{deep}]}}"#),
            &format!(r#"{{"id":4,"result":null,"args":[{deep}]}}"#),
        ),
        (
            r#"{"id":{"λ":"\u0000"},"op":"echo","args":[123456789012345678901234567890123456789012]}"#,
            r#"{"id":{"λ":"\u0000"},"result":null,"args":[123456789012345678901234567890123456789012]}"#,
        ),
    ];
    let requests: Vec<String> = cases.iter().map(|(request, _)| (*request).to_string()).collect();
    let answers = oracle.ask(&requests).unwrap();
    assert_eq!(answers.len(), cases.len());
    for (answer, (request, expected)) in answers.iter().zip(&cases) {
        assert!(answer.starts_with(expected), "{request:.200}\n{answer:.200}");
    }

    // Bounded before Lean is asked.
    let too_deep = format!(r#"{{"id":1,"op":"echo","args":[{}1{}]}}"#, "[".repeat(100), "]".repeat(100));
    let error = format!("{:#}", oracle.ask(&[requests[0].clone(), too_deep]).unwrap_err());
    assert_has(&error, "request 2 is not asked: it is nested deeper than 100");

    // A crash in the middle is not mistaken for an end.
    let fatal = r#"{"id":2,"op":"forever","args":[[1]]}"#.to_string();
    let error = oracle.ask(&[requests[0].clone(), fatal, requests[0].clone()]).unwrap_err().to_string();
    assert_has(&error, "before it answered everything");
    assert_has(&error, "1 answers to 3 requests");
}

/// A definition that cannot be executed passes the check of its module, and is found by running the oracle.
#[test]
fn definitions_that_cannot_run_are_found() {
    let fixture = oracle_fixture();
    let spec = SPEC.replace("| [] => 0", "| [] => Classical.choice ⟨0⟩");
    fixture.module("Razorgirl/Spec/Total.lean", &[], &spec);
    let (ok, text) = fixture.build(|_| ());
    assert!(!ok);
    assert_has(&text, "lean/Razorgirl/Spec/Total.lean:3:5");
    assert_has(&text, "noncomputable");
}

/// A `lake` that does what it is told here.
fn with_lake(script: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let lake = dir.path().join("lake");
    fs::write(&lake, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&lake, fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

fn path_with(dir: &Path) -> std::ffi::OsString {
    let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
    env::join_paths(std::iter::once(dir.to_path_buf()).chain(paths)).unwrap()
}

#[test]
fn a_working_lake_is_used() {
    let fixture = Fixture::new();
    let lake = with_lake(
        "case \"$1\" in\n\
         --version) echo 'Lean (version 5) Lake version 5.0.0-src (Lean version 4.28.0)' ;;\n\
         build) echo \"$@\" > built; test ! -e wrong || { echo 'error: lean/A.lean:3:5: no'; echo 'goal'; echo '✖ end'; exit 1; } ;;\n\
         esac",
    );
    let run = |wanted: &'static str| {
        let path = path_with(lake.path());
        fixture.build(move |command| {
            command.env("PATH", &path).env("RAZORGIRL_LEAN", wanted);
        })
    };
    let (ok, text) = run("");
    assert!(ok, "{text}");
    assert_has(&text, "every proof checked by official Lean 4.28.0 (lake)");
    assert_eq!(fs::read_to_string(fixture.dir.path().join("built")).unwrap(), "build Razorgirl oracle\n");
    fs::write(fixture.dir.path().join("wrong"), "").unwrap();
    let (ok, text) = run("lake");
    assert!(!ok);
    assert_has(&text, "\nlean/A.lean:3:5: no\ngoal\nlake build failed");
}

#[test]
fn a_lake_that_does_not_work_is_not_used() {
    let fixture = Fixture::new();
    let broken = with_lake("echo 'error: could not download' >&2; exit 1");
    let other = with_lake("echo 'Lake version 5.0.0-src (Lean version 4.28.1)'");
    for (lake, why) in [(&broken, "could not download"), (&other, "another release than 4.28.0")] {
        let (ok, text) = fixture.build(|command| {
            command.env("PATH", path_with(lake.path())).env("RAZORGIRL_LEAN", "lake");
        });
        assert!(!ok);
        assert_has(&text, why);
        // The way that needs no lake is tried; here it cannot be gone, because neither npm nor node is on the path.
        let nothing = tempfile::tempdir().unwrap();
        let (ok, text) = fixture.build(|command| {
            command.env("PATH", lake.path()).env_remove("RAZORGIRL_LEAN").env("RAZORGIRL_LEAN_NPM", nothing.path());
        });
        assert!(!ok);
        for part in [why, "npm is needed to download Lean", "Install elan", "Node.js with npm"] {
            assert_has(&text, part);
        }
    }
    let (ok, text) = fixture.build(|command| {
        command.env("PATH", path_with(broken.path())).env_remove("RAZORGIRL_LEAN");
    });
    assert!(ok, "{text}");
    assert_has(&text, "every proof checked by Lean 4.28.0-pre from npm");
}

#[test]
fn the_variable_is_read() {
    let fixture = Fixture::new();
    let (ok, text) = fixture.build(|command| {
        command.env("RAZORGIRL_LEAN", "leak");
    });
    assert!(!ok);
    assert_has(&text, "it can be lake or npm");
}
