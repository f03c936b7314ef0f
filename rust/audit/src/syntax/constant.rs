//! `Int<N / 8>`: the grammar is given one word for it. Among the arguments of a call, and before another `>`, it reads the brackets as
//! comparisons and shifts: `f(Layout<Shape<Int<4>, Int<16/N>>>{})`.

use std::ops::Range;

use super::convert::{infix, number};
use crate::ast::Op;
use crate::source::{is_identifier, word_length};

/// The names whose only argument is a number.
pub const NAMES: [&str; 2] = ["Int<", "C<"];

/// Bytes between the brackets.
const MAX_LENGTH: usize = 256;

/// How deep parentheses and signs nest.
const MAX_DEPTH: usize = 16;

/// What stands between the brackets, with places in the text.
#[derive(Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// An integer.
    Number(i128, Range<usize>),
    /// `a::b`, as its parts.
    Name(Vec<Range<usize>>),
    /// Two, with an operator between them.
    Binary(Op, Box<Self>, Box<Self>),
    /// One with a minus before it.
    Negative(Box<Self>),
}

impl Arithmetic {
    /// Where it stands.
    pub fn range(&self) -> Range<usize> {
        match self {
            Self::Number(_, range) => range.clone(),
            Self::Name(parts) => {
                let ends = parts.first().zip(parts.last());
                ends.map_or(0..0, |(first, last)| first.start..last.end)
            }
            Self::Binary(_, left, right) => left.range().start..right.range().end,
            Self::Negative(of) => of.range(),
        }
    }
}

/// The length of `Int<N / 8>` at the beginning of a text, if numbers, names, their sums and products are all there is in the brackets.
pub fn length(text: &str) -> Option<usize> {
    read(text).map(|(_, _, end)| end)
}

/// Such a name at the beginning of a text: how long the name is, what stands in its brackets, and where it ends.
pub fn read(text: &str) -> Option<(usize, Arithmetic, usize)> {
    let name = NAMES.iter().find(|name| text.starts_with(**name))?;
    let mut reader = Reader { text, at: name.len() };
    let all = reader.sum(MAX_DEPTH)?;
    reader.skip(">")?;
    (reader.at <= name.len() + MAX_LENGTH).then_some((name.len() - 1, all, reader.at))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&mut self) -> &str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn skip(&mut self, token: &str) -> Option<()> {
        self.rest().starts_with(token).then(|| self.at += token.len())
    }

    /// What operators of one strength connect, from left to right.
    fn chain(&mut self, operators: &[&str], part: impl Fn(&mut Self) -> Option<Arithmetic>) -> Option<Arithmetic> {
        let mut all = part(self)?;
        // Each turn takes a byte or more of the text, of which so many are looked at.
        for _ in 0..MAX_LENGTH {
            let rest = self.rest();
            let Some(operator) = operators.iter().find(|operator| rest.starts_with(**operator)) else {
                return Some(all);
            };
            // Neither `+=` nor a comment.
            if rest.get(operator.len()..)?.starts_with(['=', '/', '*', '+', '-']) {
                return None;
            }
            self.at += operator.len();
            all = Arithmetic::Binary(infix(operator)?, Box::new(all), Box::new(part(self)?));
        }
        None
    }

    // Recursion: to a fixed depth.
    fn sum(&mut self, left: usize) -> Option<Arithmetic> {
        let left = left.checked_sub(1)?;
        self.chain(&["+", "-"], |reader| reader.chain(&["*", "/", "%"], |reader| reader.part(left)))
    }

    fn part(&mut self, left: usize) -> Option<Arithmetic> {
        let left = left.checked_sub(1)?;
        if self.skip("(").is_some() {
            let inner = self.sum(left)?;
            self.skip(")")?;
            return Some(inner);
        }
        if self.skip("-").is_some() {
            return Some(Arithmetic::Negative(Box::new(self.part(left)?)));
        }
        let word = self.word()?;
        let text = self.text.get(word.clone())?;
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            return Some(Arithmetic::Number(number(text)?, word));
        }
        let mut parts = vec![word];
        while self.skip("::").is_some() {
            parts.push(self.word()?);
        }
        let words = parts.iter().filter_map(|part| self.text.get(part.clone()));
        let language =
            words.clone().any(|word| matches!(word, "true" | "false" | "sizeof" | "alignof" | "typename" | "template"));
        (!language).then_some(Arithmetic::Name(parts))
    }

    fn word(&mut self) -> Option<Range<usize>> {
        let word = self.rest().bytes().next().filter(|first| is_identifier(*first)).map(|_| self.at)?;
        let length = word_length(self.text.as_bytes(), word);
        self.at = word + length;
        Some(word..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_sums_and_products() {
        let whole =
            ["Int<4>", "C<N>", "Int< 16/N >", "Int<(a - 1) * T::k % 8>", "Int<-1>", "Int<0x10u + N>", "Int<a - -1>"];
        for text in whole {
            assert_eq!(length(&format!("{text}>>{{}}")), Some(text.len()), "{text}");
        }
        let none = [
            "Int<>",
            "Int<4",
            "Int<a < b>",
            "Int<f(x)>",
            "Int<true>",
            "Int<sizeof(T)>",
            "Int<(int)x>",
            "Int<a >> 2>",
            "Int<1.5>",
            "Int<a ? 1 : 2>",
            "Int<size<0>(x)>",
            "Int<a /* b */>",
            "Int<a // b\n>",
            "IntN<4>",
            "Int<typename T::a>",
        ];
        for text in none {
            assert_eq!(length(text).filter(|end| *end == text.len()), None, "{text}");
        }
    }

    #[test]
    fn products_bind_before_sums_and_from_the_left() {
        let text = "C<a-b-c*2>";
        let (name, all, end) = read(text).unwrap();
        assert_eq!((name, end, &text[all.range()]), (1, text.len(), "a-b-c*2"));
        let Arithmetic::Binary(Op::Sub, left, right) = all else { panic!("{all:?}") };
        assert_eq!((&text[left.range()], &text[right.range()]), ("a-b", "c*2"));
    }
}
