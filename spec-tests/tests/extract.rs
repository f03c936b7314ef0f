//! The committed Rust is what Lean's trees say, and edits of it are noticed. `extract --check` compares the trees with Lean.

use lean_runner::extract::Printed;
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
        if body.contains(from) {
            let files = Files::printed(&printed(&body.replace(from, to))).unwrap();
            assert!(files.functions().is_err(), "not noticed: {from} → {to}");
        }
    }
    assert!(Files::printed(&printed("pub fn")).is_err());
}
