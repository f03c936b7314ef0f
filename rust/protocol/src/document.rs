//! The table of operations as Markdown, for `PROTOCOL.md`.

use std::fmt::Write as _;

use crate::mode::Mode;
use crate::table::{Op, ops};

/// The line of `PROTOCOL.md` before the generated table.
pub const BEGIN: &str = "<!-- operations: generated from the table in `src/ops` -->";
/// The line of `PROTOCOL.md` after the generated table.
pub const END: &str = "<!-- end of operations -->";

/// The table of operations in `PROTOCOL.md`, between [`BEGIN`] and [`END`].
#[must_use]
pub fn operations() -> String {
    let mut text = String::from("| op | args | result | CuTe | Lean |\n|---|---|---|---|---|\n");
    for op in ops() {
        let lean: Vec<String> =
            op.lean.iter().map(|name| format!("`{}`", name.trim_start_matches("Razorgirl."))).collect();
        let cute = op.cute.map_or(String::new(), |name| format!("`{name}`"));
        let arguments: Vec<String> = op.forms.iter().map(|form| format!("`{}`", form.shown())).collect();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {cute} | {} |",
            op.name,
            arguments.join(" or "),
            described(op),
            lean.join(", ")
        );
    }
    text
}

fn described(op: &Op) -> String {
    let mut text = op.meaning.to_owned();
    if !op.notes.is_empty() {
        let _ = write!(text, "; {}", op.notes);
    }
    if !op.also.is_empty() {
        let also: Vec<String> = op.also.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "; for other kinds of layouts it is {}", also.join(" and "));
    }
    let quoted = |modes: &[Mode]| {
        let names: Vec<String> = modes.iter().map(|mode| format!("`\"mode\":\"{}\"`", mode.name())).collect();
        names.join(" and ")
    };
    if let [_, others @ ..] = op.modes
        && !others.is_empty()
        && !op.notes.contains("\"mode\"")
    {
        let _ = write!(text, "; has {}", quoted(others));
    }
    if !op.idle.is_empty() {
        let _ = write!(text, "; accepts {}, which changes nothing", quoted(op.idle));
    }
    let unsaid = op.beside.iter().filter(|field| !op.notes.contains(&format!("\"{field}\"")));
    let unsaid: Vec<String> = unsaid.map(|field| format!("`\"{field}\"`")).collect();
    if !unsaid.is_empty() {
        let _ = write!(text, "; also returns {}", unsaid.join(", "));
    }
    // a bar would end the cell
    text.replace('|', "\\|")
}
