//! Positions of the protocol in a text. The protocol ends a line at `\n`, `\r\n` or `\r`, and counts what the client and the server
//! agreed on: UTF-16 units unless both speak of bytes.

use crate::protocol::{Change, Position, Range};

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    #[default]
    Utf16,
}

impl Encoding {
    /// The word of the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    fn units(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// A text with the places where its lines begin.
#[derive(Debug)]
pub struct Text<'t> {
    whole: &'t str,
    encoding: Encoding,
    starts: Vec<usize>,
}

impl<'t> Text<'t> {
    /// The lines of a text.
    pub fn new(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter_map(|(at, byte)| match byte {
            b'\n' => Some(at + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
            _ => None,
        });
        Self { whole: text, encoding, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The position of a byte; inside of a character, of its first.
    pub fn position(&self, byte: usize) -> Position {
        let byte = self.whole.floor_char_boundary(byte);
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let before = self.whole.get(self.start(line)..byte).unwrap_or_default();
        Position { line: clip(line), character: clip(self.encoding.units(before)) }
    }

    /// The range of some bytes.
    pub fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        Range { start: self.position(bytes.start), end: self.position(bytes.end) }
    }

    /// The byte of a position: a column beyond the line is the end of the line, a line beyond the text the end of the text, and what
    /// lies inside of a character is its beginning.
    pub fn byte(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(line).copied() else { return self.whole.len() };
        let next = self.starts.get(line.saturating_add(1)).copied().unwrap_or(self.whole.len());
        let content = self.whole.get(start..next).unwrap_or_default();
        let content = content.strip_suffix('\n').unwrap_or(content);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
        let mut units = 0_usize;
        for (at, char) in content.char_indices() {
            units += if self.encoding == Encoding::Utf8 { char.len_utf8() } else { char.len_utf16() };
            if units > wanted {
                return start + at;
            }
        }
        start + content.len()
    }

    fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.whole.len())
    }
}

/// A text after a change.
pub fn changed(text: &str, change: Change, encoding: Encoding) -> String {
    let Some(range) = change.range else { return change.text };
    let lines = Text::new(text, encoding);
    let (one, other) = (lines.byte(range.start), lines.byte(range.end));
    let (start, end) = (one.min(other), one.max(other));
    let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    [before, &change.text, after].concat()
}

fn clip(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_what_was_agreed_on() {
        // 𝄞 is 4 bytes and 2 units, é 2 bytes and 1 unit.
        let text = "a𝄞b\r\né\rx\n";
        let (wide, bytes) = (Text::new(text, Encoding::Utf16), Text::new(text, Encoding::Utf8));
        for (byte, utf16, utf8) in [
            (0, at(0, 0), at(0, 0)),
            (1, at(0, 1), at(0, 1)),
            (5, at(0, 3), at(0, 5)),
            (6, at(0, 4), at(0, 6)),
            (8, at(1, 0), at(1, 0)),
            (10, at(1, 1), at(1, 2)),
            (11, at(2, 0), at(2, 0)),
            (13, at(3, 0), at(3, 0)),
        ] {
            assert_eq!((wide.position(byte), bytes.position(byte)), (utf16, utf8), "{byte}");
            assert_eq!((wide.byte(utf16), bytes.byte(utf8)), (byte, byte));
        }
        // Inside of a character, beyond the line, beyond the text.
        assert_eq!((wide.position(3), wide.byte(at(0, 2)), bytes.byte(at(0, 4))), (at(0, 1), 1, 1));
        assert_eq!((wide.byte(at(0, 99)), wide.byte(at(1, u32::MAX)), wide.byte(at(9, 0))), (6, 10, text.len()));
        assert_eq!((wide.position(7), wide.position(99)), (at(0, 5), at(3, 0)));
    }

    proptest! {
        /// A change of a range is the change of the bytes that the range means, whatever stands there.
        #[test]
        fn changes_replace_what_they_name(text in "[a𝄞é\r\n]{0,30}", new in "[b𝄞\n]{0,5}", one in 0..40_usize, other in 0..40_usize) {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let lines = Text::new(&text, encoding);
                // The middle of `\r\n` is no place on a line.
                let place = |at: usize| lines.byte(lines.position(at % (text.len() + 1)));
                let (start, end) = (place(one).min(place(other)), place(one).max(place(other)));
                let range = Range { start: lines.position(end), end: lines.position(start) };
                let expected = format!("{}{new}{}", &text[..start], &text[end..]);
                prop_assert_eq!(changed(&text, Change { range: Some(range), text: new.clone() }, encoding), expected);
            }
        }

        /// A line is what is between two ends of lines, by the definition of the protocol.
        #[test]
        fn positions_agree_with_the_definition(text in "[a𝄞é\r\n]{0,30}", at in 0..40_usize) {
            let byte = text.floor_char_boundary(at % (text.len() + 1));
            let ended = |end: usize| match text.as_bytes()[end - 1] {
                b'\n' => true,
                b'\r' => text.as_bytes().get(end) != Some(&b'\n'),
                _ => false,
            };
            let ends: Vec<usize> = (1..=byte).filter(|end| ended(*end)).collect();
            let start = ends.last().copied().unwrap_or(0);
            let position = Text::new(&text, Encoding::Utf16).position(byte);
            prop_assert_eq!(position.line as usize, ends.len());
            prop_assert_eq!(position.character as usize, text[start..byte].encode_utf16().count());
        }
    }
}
