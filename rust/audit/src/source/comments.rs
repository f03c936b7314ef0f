//! Comments, told from strings without a parser: a file in which a comment speaks to the auditor need not be parsed.

use std::ops::Range;

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `//`, `/* */`, quotes, raw strings.
    Cpp,
    /// `#`, quotes, triple quotes.
    Python,
}

/// The comments of a text without their signs, ascending.
pub fn comments(text: &str, language: Language) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        at = match (language, byte) {
            (Language::Cpp, b'/') if rest.starts_with(b"//") => {
                let end = line_end(bytes, at);
                found.push(at + 2..end);
                end
            }
            (Language::Cpp, b'/') if rest.starts_with(b"/*") => {
                let end = after(bytes, at + 2, b"*/");
                let inner = if bytes.get(..end).is_some_and(|all| all.ends_with(b"*/")) { end - 2 } else { end };
                found.push(at + 2..inner.max(at + 2));
                end
            }
            (Language::Python, b'#') => {
                let end = line_end(bytes, at);
                found.push(at + 1..end);
                end
            }
            (Language::Cpp, b'"') if raw(bytes, at) => {
                let open = rest.iter().position(|byte| *byte == b'(').map_or(bytes.len(), |open| at + open);
                let mut close = vec![b')'];
                close.extend(bytes.get(at + 1..open).unwrap_or_default());
                close.push(b'"');
                after(bytes, open, &close)
            }
            (Language::Python, b'"' | b'\'') if rest.starts_with(&[*byte; 3]) => triple(bytes, at + 3, *byte),
            // 1'000 is one number.
            (Language::Cpp, b'\'') if at > 0 && bytes.get(at - 1).is_some_and(u8::is_ascii_alphanumeric) => at + 1,
            (_, b'"' | b'\'') => quoted(bytes, at),
            _ => at + 1,
        };
    }
    found
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()).map_or(bytes.len(), |length| at + length)
}

fn after(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    memchr::memmem::find(rest, end).map_or(bytes.len(), |length| from + length + end.len())
}

fn raw(bytes: &[u8], at: usize) -> bool {
    bytes.get(..at).is_some_and(|before| before.ends_with(b"R"))
}

/// Behind a string that begins here; one that its line does not end is none.
fn quoted(bytes: &[u8], at: usize) -> usize {
    let quote = bytes.get(at).copied().unwrap_or_default();
    let mut next = at + 1;
    while let Some(byte) = bytes.get(next) {
        match byte {
            b'\\' => next += 2,
            b'\n' => return next,
            byte if *byte == quote => return next + 1,
            _ => next += 1,
        }
    }
    bytes.len()
}

fn triple(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut next = from;
    while let Some(byte) = bytes.get(next) {
        if *byte == b'\\' {
            next += 2;
        } else if bytes.get(next..).unwrap_or_default().starts_with(&[quote; 3]) {
            return next + 3;
        } else {
            next += 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, language: Language) -> Vec<&str> {
        comments(text, language).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn comments_are_told_from_strings() {
        let text = "int a = 1'000; // one\nauto s = \"// no\"; /* two */ char c = '\"'; // three\nR\"x(// no )\" )x\" // four\n'\\'' // five";
        assert_eq!(texts(text, Language::Cpp), [" one", " two ", " three", " four", " five"]);
        let text = "s = '# no' # one\n\"\"\"\n# no\n\\\"\"\"\" # two\n''' # no ''' # three";
        assert_eq!(texts(text, Language::Python), [" one", " two", " three"]);
    }

    #[test]
    fn what_never_ends_ends_with_the_file() {
        for text in ["\"", "'", "/*", "/*/", "//", "R\"x(", "R\"", "\"\\", "'\\"] {
            assert!(comments(text, Language::Cpp).len() <= 1, "{text}");
        }
        for text in ["'''", "\"\"\"\\", "#", "'"] {
            assert!(comments(text, Language::Python).len() <= 1, "{text}");
        }
    }
}
