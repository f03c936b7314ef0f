//! Expressions of integer constants: `4*32`, `(1 << 7) - 1`.
//!
//! PTX computes them in 64 bits, signed or unsigned by their operands. What would depend on that has no value here.

use super::lex::Kind;
use super::token::Tokens;
use super::{Error, MOST_DEPTH};

/// How tightly operators bind, as in C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Least,
    Or,
    Xor,
    And,
    Shift,
    Sum,
    Product,
    Unary,
}

impl Level {
    /// What an operator's right operand may be made of.
    fn tighter(self) -> Self {
        match self {
            Self::Least => Self::Or,
            Self::Or => Self::Xor,
            Self::Xor => Self::And,
            Self::And => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product | Self::Unary => Self::Unary,
        }
    }
}

fn level(mark: u8) -> Option<Level> {
    Some(match mark {
        b'|' => Level::Or,
        b'^' => Level::Xor,
        b'&' => Level::And,
        b'<' | b'>' => Level::Shift,
        b'+' | b'-' => Level::Sum,
        b'*' | b'/' | b'%' => Level::Product,
        _ => return None,
    })
}

/// A value that signed and unsigned arithmetic of 64 bits agree on.
fn both(x: i128) -> bool {
    (0..=i128::from(i64::MAX)).contains(&x)
}

/// Of two values; none where it overflows, or where signed and unsigned results differ.
fn binary(mark: u8, a: i128, b: i128) -> Option<i128> {
    let value = match mark {
        b'|' => a | b,
        b'^' => a ^ b,
        b'&' => a & b,
        b'+' => a.checked_add(b)?,
        b'-' => a.checked_sub(b)?,
        b'*' => a.checked_mul(b)?,
        _ if !both(a) || !both(b) => return None,
        b'/' => a.checked_div(b)?,
        b'%' => a.checked_rem(b)?,
        b'<' if b < 64 => a.checked_shl(u32::try_from(b).ok()?).filter(|x| both(*x))?,
        b'>' if b < 64 => a >> b,
        _ => return None,
    };
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}

impl Tokens<'_> {
    /// The low 64 bits of an expression; none where it has no value. What does not belong to it stays.
    pub fn constant(&mut self, least: Level) -> Result<Option<u64>, Error> {
        let value = self.constant_in(least, 0)?;
        Ok(value.and_then(|x| u64::try_from(x).ok().or_else(|| i64::try_from(x).ok().map(i64::cast_unsigned))))
    }

    fn constant_in(&mut self, least: Level, depth: usize) -> Result<Option<i128>, Error> {
        if depth > MOST_DEPTH {
            let message = format!("constants nest deeper than {MOST_DEPTH}");
            return Err(Error::new(self.place(), message, "write a simpler one"));
        }
        let Some(mut value) = self.constant_unary(depth)? else { return Ok(None) };
        loop {
            let mark = match self.peek() {
                Some(Kind::Mark(mark)) => mark,
                // names may begin with it
                Some(Kind::Word("%")) => b'%',
                _ => break,
            };
            let Some(level) = level(mark).filter(|x| *x >= least) else { break };
            self.next()?;
            // a comparison, or an operator of truth values
            let twice = matches!(mark, b'<' | b'>');
            if twice != self.at_mark(mark) && (twice || matches!(mark, b'|' | b'&')) {
                return Ok(None);
            }
            if twice {
                self.next()?;
            }
            let Some(right) = self.constant_in(level.tighter(), depth)? else { return Ok(None) };
            let Some(result) = binary(mark, value, right) else { return Ok(None) };
            value = result;
        }
        Ok(Some(value))
    }

    fn constant_unary(&mut self, depth: usize) -> Result<Option<i128>, Error> {
        match self.peek() {
            Some(Kind::Number { value, float }) => {
                self.next()?;
                Ok((!float).then_some(i128::from(value)))
            }
            Some(Kind::Word("WARP_SZ")) => {
                self.next()?;
                Ok(Some(32))
            }
            Some(Kind::Mark(mark @ (b'-' | b'~' | b'+'))) => {
                self.next()?;
                if depth > MOST_DEPTH {
                    return self.constant_in(Level::Unary, depth);
                }
                let value = self.constant_unary(depth + 1)?;
                Ok(value.and_then(|x| match mark {
                    b'-' => binary(b'-', 0, x).or_else(|| u64::try_from(x).ok().map(|x| i128::from(x.wrapping_neg()))),
                    b'~' => binary(b'^', -1, x),
                    _ => Some(x),
                }))
            }
            Some(Kind::Mark(b'(')) => {
                self.next()?;
                let value = self.constant_in(Level::Least, depth + 1)?;
                Ok(if self.take(b')')? { value } else { None })
            }
            _ => Ok(None),
        }
    }
}
