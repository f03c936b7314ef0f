//! Lines and columns.

use std::ops::Range;

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

/// Bytes from one count of characters to the next.
const STRIDE: usize = 1_024;

/// Where the lines of a text begin, and how many characters stand before every so many bytes: a text may be one long line, with a
/// hundred thousand places on it.
#[derive(Debug, Default)]
pub struct Lines {
    starts: Vec<u32>,
    characters: Vec<u32>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(ends.map(|end| clip(end + 1))).collect();
        let counts = text.as_bytes().chunks(STRIDE).scan(0, |before, chunk| {
            let counted = *before;
            *before += characters(chunk);
            Some(clip(counted))
        });
        Self { starts, characters: counts.collect() }
    }

    /// Where a span lies in the text.
    pub fn region(&self, text: &str, span: Span) -> Region {
        Region { start: self.position(text, span.start as usize), end: self.position(text, span.end as usize) }
    }

    /// The whole lines that a range touches, without the last line break.
    pub fn around(&self, text: &str, range: Range<usize>) -> Range<usize> {
        let start = self.start(self.line(boundary(text, range.start)));
        let next = self.starts.get(self.line(boundary(text, range.end)) + 1);
        start..next.map_or(text.len(), |next| *next as usize - 1)
    }

    /// The line of a byte, from 0.
    fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= byte).saturating_sub(1)
    }

    fn start(&self, line: usize) -> usize {
        self.starts.get(line).map_or(0, |start| *start as usize)
    }

    /// Characters before a byte.
    fn before(&self, text: &str, byte: usize) -> usize {
        let chunk = (byte / STRIDE).min(self.characters.len().saturating_sub(1));
        let counted = self.characters.get(chunk).map_or(0, |count| *count as usize);
        counted + characters(text.as_bytes().get(chunk * STRIDE..byte).unwrap_or_default())
    }

    fn position(&self, text: &str, byte: usize) -> Position {
        let byte = boundary(text, byte);
        let line = self.line(byte);
        Position { line: line + 1, column: 1 + self.before(text, byte) - self.before(text, self.start(line)) }
    }
}

/// Characters that begin in some bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// The last character boundary that is not after a byte.
pub fn boundary(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn positions_count_characters() {
        let text = "ab\nçd\n";
        let lines = Lines::of(text);
        let at = |byte| lines.position(text, byte);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(3), Position { line: 2, column: 1 });
        assert_eq!(at(5), Position { line: 2, column: 2 });
        assert_eq!(at(4), Position { line: 2, column: 1 });
        assert_eq!(at(99), Position { line: 3, column: 1 });
        assert_eq!(Lines::of("").position("", 0), Position { line: 1, column: 1 });
    }

    proptest! {
        /// The definition: count line breaks, then characters.
        #[test]
        fn positions_agree_with_the_definition(parts in prop::collection::vec("[aç😀\n]{0,900}", 0..6), at in 0..20_000_usize) {
            let text = parts.concat();
            let byte = boundary(&text, at % (text.len() + 1));
            let before = &text[..byte];
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let position = Position { line: 1 + before.matches('\n').count(), column: 1 + before[start..].chars().count() };
            let lines = Lines::of(&text);
            prop_assert_eq!(lines.position(&text, byte), position);
            let end = text[byte..].find('\n').map_or(text.len(), |at| byte + at);
            prop_assert_eq!(lines.around(&text, byte..byte), start..end);
        }
    }
}
