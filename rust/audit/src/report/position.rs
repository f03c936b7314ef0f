//! Lines and columns.

use serde::Serialize;

use crate::ast::Span;

/// A line and a column, both from 1; columns count Unicode code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A range of text; the end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Region {
    /// First character.
    pub start: Position,
    /// One past the last.
    pub end: Position,
}

impl Region {
    /// Where a span lies in a text.
    pub fn of(text: &str, span: Span) -> Self {
        Self { start: position(text, span.start as usize), end: position(text, span.end as usize) }
    }
}

/// The last character boundary that is not after a byte.
pub fn boundary(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn position(text: &str, byte: usize) -> Position {
    let before = &text[..boundary(text, byte)];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = 1 + memchr::memchr_iter(b'\n', before.as_bytes()).count();
    Position { line, column: 1 + before[start..].chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let text = "ab\nçd\n";
        let at = |byte| position(text, byte);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(3), Position { line: 2, column: 1 });
        assert_eq!(at(5), Position { line: 2, column: 2 });
        assert_eq!(at(4), Position { line: 2, column: 1 });
        assert_eq!(at(99), Position { line: 3, column: 1 });
    }
}
