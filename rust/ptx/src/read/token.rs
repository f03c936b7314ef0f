//! A stream of tokens with one ahead.

use super::lex::{Kind, Lexer, Token};
use super::{Error, Place};

pub(crate) struct Tokens<'a> {
    lexer: Lexer<'a>,
    ahead: Option<Token<'a>>,
    last: Place,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Result<Self, Error> {
        let mut lexer = Lexer::new(text)?;
        let ahead = lexer.next()?;
        Ok(Self { lexer, ahead, last: Place { line: 1, column: 1 } })
    }

    /// Where the next token is, or where the last was.
    pub fn place(&self) -> Place {
        self.ahead.map_or(self.last, |x| x.at)
    }

    pub fn peek(&self) -> Option<Kind<'a>> {
        self.ahead.map(|x| x.kind)
    }

    pub fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Kind::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub fn at_mark(&self, mark: u8) -> bool {
        self.peek() == Some(Kind::Mark(mark))
    }

    pub fn next(&mut self) -> Result<Option<Kind<'a>>, Error> {
        let token = self.ahead;
        if let Some(token) = token {
            self.last = token.at;
            self.ahead = self.lexer.next()?;
        }
        Ok(token.map(|x| x.kind))
    }

    /// Takes the mark if it is next.
    pub fn take(&mut self, mark: u8) -> Result<bool, Error> {
        let there = self.at_mark(mark);
        if there {
            self.next()?;
        }
        Ok(there)
    }

    pub fn expect(&mut self, mark: u8) -> Result<(), Error> {
        if self.take(mark)? {
            return Ok(());
        }
        let what = char::from(mark);
        Err(Error::new(self.place(), format!("«{what}» must stand here"), "is the file cut off?"))
    }

    /// The next word.
    pub fn word(&mut self) -> Result<&'a str, Error> {
        let at = self.place();
        match self.next()? {
            Some(Kind::Word(word)) => Ok(word),
            _ => Err(Error::new(at, "a name must stand here", "is the file cut off?")),
        }
    }

    /// The next integer, with its sign.
    pub fn integer(&mut self) -> Result<u64, Error> {
        let at = self.place();
        let negative = self.take(b'-')?;
        match self.next()? {
            Some(Kind::Number { value, float: false }) => Ok(if negative { value.wrapping_neg() } else { value }),
            _ => Err(Error::new(at, "an integer must stand here", "is the file cut off?")),
        }
    }

    /// A number of 32 bits.
    pub fn small(&mut self) -> Result<u32, Error> {
        let at = self.place();
        u32::try_from(self.integer()?)
            .map_err(|_| Error::new(at, "the number must be below 2^32", "write a smaller one"))
    }

    /// Goes on behind the next `;`, or to the end.
    pub fn skip_statement(&mut self) -> Result<(), Error> {
        while let Some(kind) = self.next()? {
            if kind == Kind::Mark(b';') {
                break;
            }
        }
        Ok(())
    }
}
