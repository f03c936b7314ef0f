//! Tokens of PTX text, each with its place.

use super::{Error, Place};

/// The most bytes that are read.
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    /// A name, a register, a label, an opcode with its suffixes, a directive with its dot.
    Word(&'a str),
    /// An integer, or the bits of a floating-point number.
    Number { value: u64, float: bool },
    /// The inside of a string.
    Text(&'a str),
    /// One character.
    Mark(u8),
}

/// A token and where it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub kind: Kind<'a>,
    pub at: Place,
}

/// Cuts the text into tokens, in linear time.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Result<Self, Error> {
        if text.len() > MOST_BYTES {
            return Err(Error::new(Place::default(), "the file is larger than 1 GiB", "split the module"));
        }
        Ok(Self { text, at: 0, line: 1, line_start: 0 })
    }

    fn place(&self) -> Place {
        Place { line: self.line, column: u32::try_from(self.at - self.line_start + 1).unwrap_or(u32::MAX) }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn advance(&mut self) {
        if self.peek(0) == b'\n' {
            self.line = self.line.saturating_add(1);
            self.line_start = self.at + 1;
        }
        self.at += 1;
    }

    fn skip_blank(&mut self) -> Result<(), Error> {
        while self.at < self.text.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'/') => {
                    while self.at < self.text.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    let start = self.place();
                    self.at += 2;
                    while !(self.peek(0) == b'*' && self.peek(1) == b'/') {
                        if self.at >= self.text.len() {
                            return Err(Error::new(start, "a comment has no end", "close it with */"));
                        }
                        self.advance();
                    }
                    self.at += 2;
                }
                (byte, _) if byte.is_ascii_whitespace() || byte == 0 => self.advance(),
                _ => break,
            }
        }
        Ok(())
    }

    fn cut(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or("")
    }

    /// The next token; none at the end.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, Error> {
        self.skip_blank()?;
        if self.at >= self.text.len() {
            return Ok(None);
        }
        let (at, from, byte) = (self.place(), self.at, self.peek(0));
        let kind = if byte == b'"' {
            self.at += 1;
            while self.peek(0) != b'"' {
                if self.at >= self.text.len() || self.peek(0) == b'\n' {
                    return Err(Error::new(at, "a string has no end", "close it in its line"));
                }
                self.at += if self.peek(0) == b'\\' && self.peek(1) != b'\n' { 2 } else { 1 };
            }
            self.at = (self.at + 1).min(self.text.len());
            Kind::Text(self.cut(from + 1, self.at - 1))
        } else if byte.is_ascii_digit() {
            self.number(at)?
        } else if in_word(byte) {
            // `::` joins two words, as in L1::evict_last; one colon ends a label
            while in_word(self.peek(0)) || (self.peek(0) == b':' && self.peek(1) == b':' && in_word(self.peek(2))) {
                self.at += if self.peek(0) == b':' { 2 } else { 1 };
            }
            Kind::Word(self.cut(from, self.at))
        } else if byte < 0x80 {
            self.at += 1;
            Kind::Mark(byte)
        } else {
            return Err(Error::new(at, "PTX has ASCII characters only", "is this a PTX file?"));
        };
        Ok(Some(Token { kind, at }))
    }

    fn number(&mut self, at: Place) -> Result<Kind<'a>, Error> {
        let from = self.at;
        while self.peek(0).is_ascii_alphanumeric() || (self.peek(0) == b'.' && self.peek(1).is_ascii_digit()) {
            self.at += 1;
        }
        let all = self.cut(from, self.at);
        let bad = || {
            Error::new(
                at,
                format!("«{all}» is no number"),
                "integers are decimal, 0x…, 0b… or octal; floats 0f… or 0d…",
            )
        };
        let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).map_err(|_| bad());
        let digits = all.strip_suffix('U').unwrap_or(all);
        let (head, tail) = digits.split_at_checked(2).unwrap_or((digits, ""));
        let value = match head {
            "0x" | "0X" => radix(tail, 16)?,
            "0b" | "0B" => radix(tail, 2)?,
            "0f" | "0F" | "0d" | "0D" => return Ok(Kind::Number { value: radix(tail, 16)?, float: true }),
            _ if all.contains(['.', 'e', 'E']) => {
                let float: f64 = all.parse().map_err(|_| bad())?;
                return Ok(Kind::Number { value: float.to_bits(), float: true });
            }
            // `.loc` and `.file` have plain numbers, and some compilers print names that begin with a digit in sections
            _ if digits.len() > 1 && digits.starts_with('0') => radix(digits, 8).or_else(|_| radix(digits, 10))?,
            _ => radix(digits, 10)?,
        };
        Ok(Kind::Number { value, float: false })
    }
}
