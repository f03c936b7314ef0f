//! Quasi-affine expressions.

use super::text::Text;
use crate::error::{Error, ErrorKind, Result};
use crate::int::expr::Expr;
use alloc::{string::String, vec::Vec};

/// Words that no entry may be called.
const WORDS: [&str; 16] = [
    "mod", "floor", "floord", "ceil", "ceild", "min", "max", "and", "or", "not", "true", "false", "exists", "implies",
    "infty", "rat",
];

/// An expression over a positive divisor; the value is a fraction where that is not 1.
struct Fraction {
    over: Expr,
    by: i128,
}

/// The names of a piece, by the number of their variable.
#[derive(Default)]
pub(super) struct Names(pub(super) Vec<String>);

impl Names {
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.0.iter().position(|known| known == name).and_then(|place| u32::try_from(place).ok())
    }
}

/// Whether a name may stand for an entry.
pub(super) fn is_name(word: &str) -> bool {
    !WORDS.contains(&word)
}

/// A sum of integers.
pub(super) fn sum(text: &mut Text, names: &Names) -> Result<Expr> {
    let sum = fractions(text, names, false)?;
    Ok(sum.over)
}

/// A sum, of fractions if they are allowed.
fn fractions(text: &mut Text, names: &Names, allowed: bool) -> Result<Fraction> {
    let start = text.position();
    let mut terms = Vec::new();
    let mut by = 1_i128;
    loop {
        let mut negative = false;
        while text.take("-") {
            negative = !negative;
        }
        let at = text.position();
        let mut term = term(text, names, allowed)?;
        if negative {
            term.over = Expr::product(Expr::Const(-1), term.over).map_err(|error| error.with_position(at))?;
        }
        by = common(by, term.by).ok_or_else(|| huge(at))?;
        terms.push(term);
        // `->` does not begin with a minus.
        if text.peek() != Some(b'-') && !text.take("+") {
            break;
        }
    }
    let scaled = terms.into_iter().map(|term| match by / term.by {
        1 => Ok(term.over),
        times => Expr::product(Expr::Const(times), term.over),
    });
    let sum = scaled.reduce(|sum, term| Expr::sum(sum?, term?)).unwrap_or(Ok(Expr::Const(0)));
    Ok(Fraction { over: sum.map_err(|error| error.with_position(start))?, by })
}

/// The least common multiple.
fn common(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a.checked_mul(b / x)
}

#[cold]
fn huge(at: usize) -> Error {
    Error::new(ErrorKind::Overflow, format!("the common divisor of fractions at byte {at} does not fit into 128 bits"))
        .with_help("use smaller divisors")
        .with_position(at)
}

/// `2`, `2*c`, `2c`, `c mod 4`, `(c + 1)*3`, and with fractions `c/4`. A remainder is taken before a multiple.
fn term(text: &mut Text, names: &Names, allowed: bool) -> Result<Fraction> {
    let at = text.position();
    let placed = |error: Error| error.with_position(at);
    let mut over = match text.integer()? {
        Some(number) => {
            let times = text.take("*");
            if times || text.word().is_some_and(is_name) {
                let mut negative = false;
                while times && text.take("-") {
                    negative = !negative;
                }
                let factor = text.deeper(|text| term(text, names, allowed))?;
                let times = if negative { -number } else { number };
                return Ok(Fraction {
                    over: Expr::product(Expr::Const(times), factor.over).map_err(placed)?,
                    ..factor
                });
            }
            Expr::Const(number)
        }
        None => atom(text, names)?,
    };
    if text.take_word("mod") || text.take("%") {
        let by = text.divisor("remainder")?;
        return Ok(Fraction { over: Expr::remainder(over, Expr::Const(by)).map_err(placed)?, by: 1 });
    }
    while text.take("*") {
        let Some(times) = text.integer()? else { return Err(text.expected("an integer")) };
        over = Expr::product(over, Expr::Const(times)).map_err(placed)?;
    }
    if text.peek() == Some(b'/') && !allowed {
        let help = "a quotient is rounded down: write floor((…)/4)";
        return Err(text.expected("no `/` outside of `floor`").with_help(help));
    }
    let by = if text.take("/") { text.divisor("quotient")? } else { 1 };
    Ok(Fraction { over, by })
}

/// A name, a rounded quotient, or an expression in brackets.
fn atom(text: &mut Text, names: &Names) -> Result<Expr> {
    let at = text.position();
    let placed = |error: Error| error.with_position(at);
    if text.take("(") {
        let inner = text.deeper(|text| sum(text, names))?;
        text.expect(")")?;
        return Ok(inner);
    }
    let Some(word) = text.word() else { return Err(text.expected("a term")) };
    let (up, separate) = match word {
        "floor" => (false, false),
        "floord" => (false, true),
        "ceil" => (true, false),
        "ceild" => (true, true),
        _ => {
            let Some(variable) = names.find(word).filter(|_| is_name(word)) else {
                return Err(text.expected("an entry of a tuple, a number, `(`, or `floor`"));
            };
            text.take_word(word);
            return Ok(Expr::Var(variable));
        }
    };
    text.take_word(word);
    text.expect("(")?;
    let Fraction { over, by } = if separate {
        let over = text.deeper(|text| sum(text, names))?;
        text.expect(",")?;
        Fraction { over, by: text.divisor("quotient")? }
    } else {
        text.deeper(|text| fractions(text, names, true))?
    };
    text.expect(")")?;
    let quotient = |over: Expr| if by == 1 { Ok(over) } else { Expr::quotient(over, Expr::Const(by)) };
    let minus = |expr: Expr| Expr::product(Expr::Const(-1), expr);
    // Up is down, seen from below.
    if up { minus(over).and_then(quotient).and_then(minus) } else { quotient(over) }.map_err(placed)
}
