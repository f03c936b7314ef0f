//! The committed Rust is what Lean's trees say, and edits of it are noticed. `extract --check` compares the trees with Lean.
//! And edits of a program are noticed: its theorem is false.

use std::fmt::Write as _;
use std::fs;

use lean_runner::extract::Printed;
use lean_runner::lean::joined::Joined;
use lean_runner::lean::tree::SECTION;
use lean_runner::progress::Progress;
use lean_runner::toolchain::{How, ToolchainChoice, choose};
use spec_tests::Project;
use spec_tests::extract::{Files, compare, functions};

fn committed() -> Files {
    Files::committed(&Project::repository()).unwrap()
}

#[test]
fn the_committed_rust_is_what_the_trees_say() {
    let functions = committed().functions().unwrap();
    assert!(!functions.is_empty());
}

/// Each edit stands alone, changes what is computed or what can be seen, and must be refused.
#[test]
fn edits_of_the_generated_rust_are_noticed() {
    let Files { rust, trees } = committed();
    let functions = functions(&trees).unwrap();
    let edits = [
        ("cur = m;", "cur = cur;"),
        ("cur.extent == 1", "cur.extent == 2"),
        ("m.extent != 1", "m.extent == 1"),
        ("if m.extent != 1", "if m.stride != 1"),
        ("out.push(cur);", ""),
        ("out.push(cur);", "out.push(cur); out.push(cur);"),
        ("out.push(cur);", "#[cfg(any())]\nout.push(cur);"),
        ("cur = m;", "#[cfg(any())]\ncur = m;"),
        ("    Ok(product)\n", "    #[cfg(any())]\n    return Ok(product);\n"),
        (
            "    Ok(product)\n",
            "    if product == 0 {\n        Ok(product)\n    } else {\n        Ok(product)\n    };\n",
        ),
        ("pub fn size(modes: &[Mode])", "pub fn size(#[cfg(any())] modes: &[Mode])"),
        ("pub fn size(", "pub fn add(x: u64, y: u64) -> Result<u64, Fault> {\n    Ok(x)\n}\npub fn size("),
        ("mul(cur.extent, m.extent)?", "mul(m.extent, cur.extent)?"),
        ("mul(cur.extent, m.extent)?", "add(cur.extent, m.extent)?"),
        ("mul(cur.extent, m.extent)?", "cur.extent.wrapping_mul(m.extent)"),
        ("mul_is(cur.extent, cur.stride, m.stride)", "cur.extent * cur.stride == m.stride"),
        ("mul_is(cur.extent, cur.stride, m.stride)", "true"),
        ("Mode { extent: 1, stride: 0 }", "Mode { stride: 0, extent: 1 }"),
        ("Mode { extent: 1, stride: 0 }", "Mode { extent: 1, stride: 1 }"),
        ("Ok(out)", "Err(Fault::Overflow)"),
        ("Ok(out)", "Ok(List::new())"),
        ("Ok(out)", "Ok(out);"),
        ("for &m in modes.iter()", "for &m in modes.iter().rev()"),
        ("for &m in modes.iter()", "for &m in modes.iter().skip(1)"),
        ("pub fn coalesce(modes: &[Mode])", "pub fn coalesce(mode: &[Mode])"),
        ("pub fn coalesce(modes: &[Mode])", "pub const fn coalesce(modes: &[Mode])"),
        ("pub fn coalesce(", "#[cfg(debug_assertions)]\npub fn coalesce("),
        ("pub fn coalesce(", "fn coalesced() {}\npub fn coalesce("),
        ("use crate::{Fault, List, Mode};", "use crate::{Fault, List, Mode};\nuse std::vec::Vec as List;"),
        ("use crate::{Fault, List, Mode};", "use crate::{Fault, List as Mode, Mode as List};"),
        ("The fewest modes", "The most modes"),
    ];
    for (from, to) in edits {
        assert!(rust.contains(from), "nothing to edit: {from}");
        assert!(compare(&functions, &rust.replacen(from, to, 1)).is_err(), "not noticed: {from} → {to}");
    }
    let twice = format!("{rust}\n{}", &rust[rust.find("pub fn").unwrap()..]);
    assert!(compare(&functions, &twice).is_err());
    assert!(compare(&functions, &rust[..rust.rfind("///").unwrap()]).is_err());
}

/// What another layout of the same Rust leaves as it is, and what a printer that prints something else would give.
#[test]
fn layout_does_not_matter_and_other_printers_are_noticed() {
    let Files { rust, trees } = committed();
    let found = functions(&trees).unwrap();
    compare(&found, &rust.replace("\n    ", "\n")).unwrap();
    compare(&found, &rust.replace("cur.extent == 1", "(cur).extent == (1)")).unwrap();
    let body = &rust[rust.find("///").unwrap()..];
    let printed = |rust: &str| Printed { trees: trees.lines().map(str::to_string).collect(), rust: rust.to_string() };
    let files = Files::printed(&printed(body)).unwrap();
    assert_eq!(files, committed());
    files.functions().unwrap();
    for (from, to) in [(".extent", ".stride"), ("!=", "=="), ("&&", "||"), ("push", "insert"), ("0..", "1..")] {
        assert!(body.contains(from), "nothing to edit: {from}");
        let files = Files::printed(&printed(&body.replace(from, to))).unwrap();
        assert!(files.functions().is_err(), "not noticed: {from} → {to}");
    }
    assert!(Files::printed(&printed("pub fn")).is_err());
}

/// A program of a few lines, and its theorem.
const PROGRAM: &str = "Razorgirl.Extract.Fttc";
const THEOREM: &str = "Razorgirl.Thm.Extract.Fttc";

/// An edit of one constant of the program: dimensions are counted from 1.
const EDIT: [&str; 2] = [r#".bind "i" (.lit 0)"#, r#".bind "i" (.lit 1)"#];

/// One file: program and theorem as they are, and then a copy of both with the program edited. Lean objects to the copy, and
/// to nothing else.
#[test]
fn a_constant_in_a_program_breaks_its_proof() {
    let repository = Project::repository();
    let tree = repository.tree().unwrap();
    let content = |module: &str| {
        let file = tree.get(module).unwrap();
        file.text.lines().skip(file.header_lines.unwrap()).fold(String::new(), |text, line| text + line + "\n")
    };
    let mut text = Joined::of([], SECTION, tree.import_order(&[THEOREM]).unwrap()).text;
    let copy = text.lines().count() + 1;
    let program = content(PROGRAM);
    assert_eq!(program.matches(EDIT[0]).count(), 1);
    for line in (program.replace(EDIT[0], EDIT[1]) + &content(THEOREM)).lines() {
        let space = ["namespace Razorgirl.Extract", "end Razorgirl.Extract"].contains(&line);
        writeln!(text, "{line}{}", if space { ".Edited" } else { "" }).unwrap();
    }

    let folder = tempfile::tempdir().unwrap();
    for name in ["lakefile.lean", "lake-manifest.json", "lean-toolchain"] {
        fs::copy(repository.root().join(name), folder.path().join(name)).unwrap();
    }
    fs::create_dir_all(folder.path().join("lean/Razorgirl")).unwrap();
    fs::write(folder.path().join("lean/Razorgirl.lean"), "module\npublic import Razorgirl.Edited\n").unwrap();
    fs::write(folder.path().join("lean/Razorgirl/Edited.lean"), text).unwrap();
    let project = Project::at(folder.path());
    let lean = choose(&project, ToolchainChoice::from_env().unwrap(), Progress::silent()).unwrap();
    let checked = lean.check(&project, &project.tree().unwrap(), How::Files, Progress::silent()).unwrap();
    let line = |problem: &String| -> Option<usize> {
        let (_, place) = problem.split_once("Razorgirl/Edited.lean:")?;
        place.split(':').next()?.parse().ok()
    };
    let lines: Vec<usize> = checked.problems.iter().filter_map(line).collect();
    let said = checked.problems.join("\n");
    assert!(!lines.is_empty(), "Lean accepts the edited program: {said}");
    assert!(lines.iter().all(|&line| copy <= line), "what is not edited is wrong: {said}");
}
