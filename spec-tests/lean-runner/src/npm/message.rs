//! What Lean says with `--json`: one message a line.

use serde::Deserialize;

/// A message of Lean.
#[derive(Debug, Clone, Deserialize)]
pub struct Message {
    /// `error`, `warning` or `information`.
    pub severity: String,
    /// What it says.
    pub data: String,
    /// Where it begins.
    pub pos: Position,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 0.
    pub column: usize,
}

/// Longest message that is shown in full: a failing `grind` prints hundreds of lines.
const SHOWN: usize = 3000;

impl Message {
    /// The message in this line, if it is one.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// Whether it stops a check.
    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// `lean/path:line:column: error: text`, for a file and line it was mapped to.
    pub fn show(&self, path: &str, line: usize) -> String {
        let mut text = self.data.trim_end();
        let cut = text.char_indices().nth(SHOWN).map(|(at, _)| at);
        if let Some(at) = cut {
            text = &text[..at];
        }
        let more = if cut.is_some() { "\n[…]" } else { "" };
        format!("lean/{path}:{line}:{}: {}: {text}{more}", self.pos.column + 1, self.severity)
    }
}
