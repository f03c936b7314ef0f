//! Words and signs of a text, with the place where it is read.

use crate::error::{Error, ErrorKind, Result};
use alloc::{borrow::ToOwned, string::String};

/// The most brackets within brackets.
const MAX_DEPTH: usize = 64;

pub(super) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, depth: 0 }
    }

    /// The byte at which the next word or sign stands.
    pub(super) fn position(&mut self) -> usize {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.at
    }

    fn rest(&mut self) -> &'a [u8] {
        let at = self.position();
        self.bytes.get(at..).unwrap_or_default()
    }

    pub(super) fn peek(&mut self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// Whether the next sign is this one, which is taken then. `<` is not the beginning of `<=`.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest();
        let longer =
            matches!(sign, "<" | ">" | "!") && rest.get(1) == Some(&b'=') || sign == "-" && rest.get(1) == Some(&b'>');
        let met = rest.starts_with(sign.as_bytes()) && !longer;
        self.at += if met { sign.len() } else { 0 };
        met
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<()> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// The word that stands next; it is not taken.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let starts = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        rest.first().filter(|byte| starts(byte))?;
        let length = rest.iter().take_while(|byte| starts(byte) || byte.is_ascii_digit() || **byte == b'\'').count();
        core::str::from_utf8(rest.get(..length)?).ok()
    }

    /// Whether the next word is this one, which is taken then.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let met = self.word() == Some(word);
        self.at += if met { word.len() } else { 0 };
        met
    }

    /// The digits that stand next, as a number.
    pub(super) fn integer(&mut self) -> Result<Option<i128>> {
        let rest = self.rest();
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = core::str::from_utf8(rest.get(..length).unwrap_or_default()).unwrap_or_default();
        if digits.is_empty() {
            return Ok(None);
        }
        let Ok(number) = digits.parse() else {
            let message = format!("{digits:.40} at byte {} does not fit into 128 bits", self.at);
            return Err(Error::new(ErrorKind::Overflow, message)
                .with_help("use smaller numbers")
                .with_position(self.at));
        };
        self.at += length;
        Ok(Some(number))
    }

    /// A number from 1, that something is divided by.
    pub(super) fn divisor(&mut self, what: &str) -> Result<i128> {
        let at = self.position();
        match self.integer()? {
            Some(0) => Err(Error::new(ErrorKind::Parse, format!("a {what} by 0, at byte {at}"))
                .with_help("divide by a positive integer")
                .with_position(at)),
            Some(divisor) => Ok(divisor),
            None => Err(self.expected("a positive integer")),
        }
    }

    /// Reads what stands in one more bracket.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} brackets within one another at byte {}", self.at);
            return Err(Error::new(ErrorKind::TooLarge, message)
                .with_help("write it with fewer")
                .with_position(self.at));
        }
        self.depth += 1;
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    /// Whether the bracket that opens here holds a comparison, and not an expression alone.
    pub(super) fn brackets_hold_condition(&mut self) -> bool {
        let rest = self.rest();
        let mut depth = 0_usize;
        for (place, byte) in rest.iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth <= 1 => {
                    return [&b"true"[..], b"false"].contains(&rest.get(1..place).unwrap_or_default().trim_ascii());
                }
                b')' => depth -= 1,
                b'<' | b'>' | b'=' | b'!' | b'&' | b'|' => return true,
                b';' | b'}' => return false,
                _ => {}
            }
        }
        false
    }

    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> Error {
        let rest = self.rest();
        let met = match String::from_utf8_lossy(rest.get(..rest.len().min(8)).unwrap_or_default()).chars().next() {
            None => "the end".to_owned(),
            Some(_) if self.word().is_some() => format!("`{:.40}`", self.word().unwrap_or_default()),
            Some(char) => format!("`{}`", char.escape_default()),
        };
        let message = format!("expected {what}, met {met} at byte {}", self.at);
        Error::new(ErrorKind::Parse, message)
            .with_help("write { [c] -> [2*(c mod 4) + floor((c)/4)] : 0 <= c < 8 }")
            .with_position(self.at)
    }
}
