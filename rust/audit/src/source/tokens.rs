//! Comments and literals of a text: the one place that tells where they end. Whoever scans text skips them here.

use super::words::is_identifier;

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `//`, `/* */`, quotes, raw strings; lines that end in a backslash go on.
    Cpp,
    /// `#`, quotes, triple quotes.
    Python,
}

/// A comment or a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// One past its last byte.
    pub end: usize,
    /// How many bytes begin and end a comment; none for a literal.
    pub comment: Option<(usize, usize)>,
    /// Whether it ends as it should. A quoted text that its line does not end, ends with the line: `don't` stands in comments of dead code.
    pub closed: bool,
}

/// The longest mark of a raw string.
const MAX_MARK: usize = 16;

/// What may stand in front of the quote of a raw string.
const RAW: [&[u8]; 5] = [b"R", b"LR", b"uR", b"UR", b"u8R"];

/// The comment or literal that begins at a place, if one does.
pub fn token(bytes: &[u8], at: usize, language: Language) -> Option<Token> {
    let rest = bytes.get(at..)?;
    let first = *rest.first()?;
    match (language, first) {
        (Language::Cpp, b'/') if rest.starts_with(b"//") => {
            Some(Token { end: line_end(bytes, at), comment: Some((2, 0)), closed: true })
        }
        (Language::Cpp, b'/') if rest.starts_with(b"/*") => {
            let (end, closed) = after(bytes, at + 2, b"*/");
            Some(Token { end, comment: Some((2, if closed { 2 } else { 0 })), closed })
        }
        (Language::Python, b'#') => {
            let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |length| at + length);
            Some(Token { end, comment: Some((1, 0)), closed: true })
        }
        (Language::Cpp, b'"') => Some(raw(bytes, at).unwrap_or_else(|| quoted(bytes, at))),
        (Language::Cpp, b'\'') if separates(bytes, at) => None,
        (Language::Python, b'"' | b'\'') if rest.starts_with(&[first; 3]) => Some(triple(bytes, at + 3, first)),
        (_, b'"' | b'\'') => Some(quoted(bytes, at)),
        _ => None,
    }
}

/// All comments and literals of a text, in order, each with its beginning.
pub fn tokens(bytes: &[u8], language: Language) -> impl Iterator<Item = (usize, Token)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..)?;
            at += match language {
                Language::Cpp => memchr::memchr3(b'/', b'"', b'\'', rest)?,
                Language::Python => memchr::memchr3(b'#', b'"', b'\'', rest)?,
            };
            match token(bytes, at, language) {
                Some(found) => {
                    let start = at;
                    at = found.end.max(start + 1);
                    return Some((start, found));
                }
                None => at += 1,
            }
        }
    })
}

/// The end of a line, joined lines included.
pub fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let Some(length) = memchr::memchr(b'\n', text.get(at..).unwrap_or_default()) else { return text.len() };
        let end = at + length;
        let line = text.get(from..end).unwrap_or_default();
        if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
            return end;
        }
        at = end + 1;
    }
}

fn after(bytes: &[u8], from: usize, end: &[u8]) -> (usize, bool) {
    let found = bytes.get(from..).and_then(|rest| memchr::memmem::find(rest, end));
    found.map_or((bytes.len(), false), |length| (from + length + end.len(), true))
}

/// What of a name or a number stands in front of a place.
fn word_before(bytes: &[u8], at: usize) -> &[u8] {
    let before = bytes.get(..at).unwrap_or_default();
    let start = before.iter().rposition(|byte| !is_identifier(*byte) && *byte != b'\'').map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

/// Whether a quote stands between the digits of a number: `1'000`.
fn separates(bytes: &[u8], at: usize) -> bool {
    word_before(bytes, at).first().is_some_and(u8::is_ascii_digit)
        && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
}

/// `R"mark( … )mark"`.
fn raw(bytes: &[u8], at: usize) -> Option<Token> {
    let before = bytes.get(..at)?;
    let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
    if !RAW.contains(&before.get(start..)?) {
        return None;
    }
    let rest = bytes.get(at + 1..)?;
    let length = rest.iter().take(MAX_MARK + 1).position(|byte| *byte == b'(')?;
    let mark = rest.get(..length)?;
    if mark.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b')' | b'\\' | b'"')) {
        return None;
    }
    let (end, closed) = after(bytes, at + 2 + length, &[b")", mark, b"\""].concat());
    Some(Token { end, comment: None, closed })
}

fn quoted(bytes: &[u8], at: usize) -> Token {
    let quote = bytes.get(at).copied().unwrap_or_default();
    let mut next = at + 1;
    while let Some(byte) = bytes.get(next) {
        match byte {
            b'\\' => next += 2,
            b'\n' => return Token { end: next, comment: None, closed: false },
            byte if *byte == quote => return Token { end: next + 1, comment: None, closed: true },
            _ => next += 1,
        }
    }
    Token { end: bytes.len(), comment: None, closed: false }
}

fn triple(bytes: &[u8], from: usize, quote: u8) -> Token {
    let mut next = from;
    while let Some(byte) = bytes.get(next) {
        if *byte == b'\\' {
            next += 2;
        } else if bytes.get(next..).unwrap_or_default().starts_with(&[quote; 3]) {
            return Token { end: next + 3, comment: None, closed: true };
        } else {
            next += 1;
        }
    }
    Token { end: bytes.len(), comment: None, closed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, language: Language) -> Vec<&str> {
        tokens(text.as_bytes(), language).map(|(at, token)| &text[at..token.end]).collect()
    }

    #[test]
    fn comments_and_literals_of_cpp() {
        let text = "a /* b */ \"c\\\" d\" 'e' 1'000 0xA'B u8'f' // g \\\n h\ni";
        assert_eq!(texts(text, Language::Cpp), ["/* b */", "\"c\\\" d\"", "'e'", "'f'", "// g \\\n h"]);
    }

    #[test]
    fn a_raw_string_is_one_token() {
        for raw in ["R\"(say \"x)\"", "LR\"(\\)\"", "u8R\"a_1()\" )a_1\"", "R\"(\n// no\n)\""] {
            let text = format!("f({raw}, M);");
            let string = raw.split_once('"').map(|(_, rest)| format!("\"{rest}")).unwrap();
            assert_eq!(texts(&text, Language::Cpp), [string]);
        }
        // Names that end in R begin none, and neither does a mark with a space.
        assert_eq!(texts("FOR\"(a\" b", Language::Cpp), ["\"(a\""]);
        assert_eq!(texts("R\"a b(\" c", Language::Cpp), ["\"a b(\""]);
    }

    #[test]
    fn comments_and_literals_of_python() {
        let text = "s = '# no' # one\n\"\"\"\n# no\n\\\"\"\"\" # two";
        assert_eq!(texts(text, Language::Python), ["'# no'", "# one", "\"\"\"\n# no\n\\\"\"\"\"", "# two"]);
    }

    #[test]
    fn what_never_ends_ends_with_the_file() {
        for text in ["\"", "'", "/*", "/*/", "//", "R\"x(", "R\"", "\"\\", "'\\"] {
            assert_eq!(texts(text, Language::Cpp).len(), 1, "{text}");
            assert!(text == "//" || tokens(text.as_bytes(), Language::Cpp).all(|(_, token)| !token.closed), "{text}");
        }
        for text in ["'''", "\"\"\"\\", "'"] {
            assert!(tokens(text.as_bytes(), Language::Python).all(|(_, token)| !token.closed), "{text}");
        }
    }
}
