//! Arithmetic of a pipeline text: numbers, constants, parameters, positions of rings.

/// An expression; names are resolved where it is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Number(i64),
    Name(String),
    Binary(Box<Expression>, char, Box<Expression>),
}

/// Deeper expressions are refused.
const DEPTH: usize = 32;

impl Expression {
    /// Reads an expression; the error is the byte in `text` and what is wrong there.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let found = reader.sum(0)?;
        reader.blank();
        match reader.peek() {
            None => Ok(found),
            Some(c) => Err((reader.at, format!("unexpected '{}' in an expression", char::from(c)))),
        }
    }

    /// The name, if the expression is one and nothing else.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Calls `seen` for each name.
    pub fn names(&self, seen: &mut impl FnMut(&str)) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => seen(name),
            Self::Binary(a, _, b) => {
                a.names(seen);
                b.names(seen);
            }
        }
    }

    /// The value; `/` and `%` are Euclidean. None where a name is unknown, a divisor is 0, or the value passes 64 bits.
    pub fn value(&self, of: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
        Some(match self {
            Self::Number(n) => *n,
            Self::Name(name) => of(name)?,
            Self::Binary(a, op, b) => {
                let (a, b) = (a.value(of)?, b.value(of)?);
                match op {
                    '+' => a.checked_add(b)?,
                    '-' => a.checked_sub(b)?,
                    '*' => a.checked_mul(b)?,
                    '/' => a.checked_div_euclid(b)?,
                    _ => a.checked_rem_euclid(b)?,
                }
            }
        })
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn operator(&mut self, of: &[u8]) -> Option<char> {
        self.blank();
        let c = self.peek().filter(|c| of.contains(c))?;
        self.at += 1;
        Some(char::from(c))
    }

    fn sum(&mut self, depth: usize) -> Result<Expression, (usize, String)> {
        let mut left = self.product(depth)?;
        while let Some(op) = self.operator(b"+-") {
            left = Expression::Binary(Box::new(left), op, Box::new(self.product(depth)?));
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Expression, (usize, String)> {
        let mut left = self.atom(depth)?;
        while let Some(op) = self.operator(b"*/%") {
            left = Expression::Binary(Box::new(left), op, Box::new(self.atom(depth)?));
        }
        Ok(left)
    }

    fn atom(&mut self, depth: usize) -> Result<Expression, (usize, String)> {
        self.blank();
        let start = self.at;
        match self.peek() {
            Some(b'(') => {
                if depth == DEPTH {
                    return Err((start, format!("more than {DEPTH} parentheses inside one another")));
                }
                self.at += 1;
                let inner = self.sum(depth + 1)?;
                match self.operator(b")") {
                    Some(_) => Ok(inner),
                    None => Err((self.at, format!("missing ')' for the '(' at byte {start} of the expression"))),
                }
            }
            Some(c) if c.is_ascii_digit() => {
                while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.at += 1;
                }
                let digits = String::from_utf8_lossy(&self.text[start..self.at]);
                digits.parse().map(Expression::Number).map_err(|_| (start, format!("{digits} is 2^63 or more")))
            }
            Some(c) if c.is_ascii_alphabetic() || c == b'_' => {
                while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'.') {
                    self.at += 1;
                }
                Ok(Expression::Name(String::from_utf8_lossy(&self.text[start..self.at]).into_owned()))
            }
            Some(_) => Err((start, "expected a number, a name or '('".to_owned())),
            None => Err((start, "the expression ends where a number or a name is expected".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;

    #[test]
    fn precedence_and_division() {
        let value = |text: &str| Expression::parse(text).unwrap().value(&|name| (name == "K").then_some(7));
        assert_eq!(value("K/2*2"), Some(6));
        assert_eq!(value("2*K - (1 + 3) % 3"), Some(13));
        assert_eq!(value("K / 0"), None);
        assert_eq!(value("L"), None);
        assert_eq!(value("9223372036854775807 + 1"), None);
    }

    #[test]
    fn what_is_no_expression_says_where() {
        assert_eq!(Expression::parse("K +").unwrap_err().0, 3);
        assert_eq!(Expression::parse("(K").unwrap_err().0, 2);
        assert_eq!(Expression::parse("K $").unwrap_err().0, 2);
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
    }
}
