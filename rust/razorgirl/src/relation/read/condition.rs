//! Conditions: comparisons joined by `and`, `or` and `not`.

use super::expression::{Names, sum};
use super::text::Text;
use crate::error::{Error, ErrorKind, Result};
use crate::int::expr::Expr;
use alloc::vec::Vec;

/// The most ways in which a condition may hold, and the most comparisons in all of them.
const MAX_COMPARISONS: usize = 1 << 14;

/// What is asked of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    NonNegative,
    Zero,
    NotZero,
}

/// A comparison of an expression with 0.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) value: Expr,
    pub(super) sign: Sign,
}

/// Of these lists of comparisons one must hold as a whole.
pub(super) type Disjunction = Vec<Vec<Comparison>>;

/// Reads the condition behind a colon. `holds` is false within an odd number of `not`.
pub(super) fn read(text: &mut Text, names: &Names, holds: bool) -> Result<Disjunction> {
    let mut disjunction = joined(text, names, holds)?;
    while text.take_word("or") || text.take("||") {
        let at = text.position();
        let other = joined(text, names, holds)?;
        disjunction = if holds { either(disjunction, other, at)? } else { both(&disjunction, &other, at)? };
    }
    Ok(disjunction)
}

fn joined(text: &mut Text, names: &Names, holds: bool) -> Result<Disjunction> {
    let mut disjunction = single(text, names, holds)?;
    while text.take_word("and") || text.take("&&") {
        let at = text.position();
        let other = single(text, names, holds)?;
        disjunction = if holds { both(&disjunction, &other, at)? } else { either(disjunction, other, at)? };
    }
    Ok(disjunction)
}

fn single(text: &mut Text, names: &Names, holds: bool) -> Result<Disjunction> {
    if text.take_word("not") || text.take("!") {
        return text.deeper(|text| single(text, names, !holds));
    }
    if text.take_word("true") {
        return Ok(constant(holds));
    }
    if text.take_word("false") {
        return Ok(constant(!holds));
    }
    if text.peek() == Some(b'(') && text.brackets_hold_condition() {
        text.take("(");
        let disjunction = text.deeper(|text| read(text, names, holds))?;
        text.expect(")")?;
        return Ok(disjunction);
    }
    comparisons(text, names, holds)
}

/// What always holds, or never.
fn constant(holds: bool) -> Disjunction {
    if holds { vec![Vec::new()] } else { Vec::new() }
}

/// `0 <= a, b < 4`: each of one list with each of the next.
fn comparisons(text: &mut Text, names: &Names, holds: bool) -> Result<Disjunction> {
    let mut left = list(text, names)?;
    let mut all = constant(holds);
    let mut compared = false;
    loop {
        let at = text.position();
        let signs = ["<=", ">=", "<", ">", "!=", "="];
        let Some(sign) = signs.into_iter().find(|sign| text.take(sign)) else {
            return if compared { Ok(all) } else { Err(text.expected("a comparison")) };
        };
        compared = true;
        if text.peek() == Some(b'=') {
            return Err(text.expected("a term"));
        }
        let right = list(text, names)?;
        for a in &left {
            for b in &right {
                let one = comparison(a, sign, b, holds).map_err(|error| error.with_position(at))?;
                let one = vec![vec![one]];
                all = if holds { both(&all, &one, at)? } else { either(all, one, at)? };
            }
        }
        left = right;
    }
}

fn list(text: &mut Text, names: &Names) -> Result<Vec<Expr>> {
    let mut items = vec![sum(text, names)?];
    while text.take(",") {
        items.push(sum(text, names)?);
    }
    Ok(items)
}

fn comparison(a: &Expr, sign: &str, b: &Expr, holds: bool) -> Result<Comparison> {
    let less = |a: &Expr, b: &Expr, by: i128| {
        let difference = Expr::sum(b.clone(), Expr::product(Expr::Const(-1), a.clone())?)?;
        if by == 0 { Ok(difference) } else { Expr::sum(difference, Expr::Const(-by)) }
    };
    // Not a <= b is b < a.
    let (value, sign) = match (sign, holds) {
        ("<=", true) | (">", false) => (less(a, b, 0)?, Sign::NonNegative),
        (">=", true) | ("<", false) => (less(b, a, 0)?, Sign::NonNegative),
        ("<", true) | (">=", false) => (less(a, b, 1)?, Sign::NonNegative),
        (">", true) | ("<=", false) => (less(b, a, 1)?, Sign::NonNegative),
        ("!=", true) | ("=", false) => (less(a, b, 0)?, Sign::NotZero),
        _ => (less(a, b, 0)?, Sign::Zero),
    };
    Ok(Comparison { value, sign })
}

fn either(mut a: Disjunction, b: Disjunction, at: usize) -> Result<Disjunction> {
    a.extend(b);
    bounded(a.len(), a.iter().map(Vec::len).sum(), at)?;
    Ok(a)
}

fn both(a: &Disjunction, b: &Disjunction, at: usize) -> Result<Disjunction> {
    let count = |disjunction: &Disjunction| disjunction.iter().map(Vec::len).sum::<usize>();
    let comparisons = count(a).saturating_mul(b.len()).saturating_add(count(b).saturating_mul(a.len()));
    bounded(a.len().saturating_mul(b.len()), comparisons, at)?;
    Ok(a.iter().flat_map(|one| b.iter().map(|other| [one.as_slice(), other].concat())).collect())
}

fn bounded(disjunction: usize, comparisons: usize, at: usize) -> Result<()> {
    if disjunction.max(comparisons) <= MAX_COMPARISONS {
        return Ok(());
    }
    let message =
        format!("the condition up to byte {at} is over {MAX_COMPARISONS} comparisons, with `or` multiplied out");
    Err(Error::new(ErrorKind::TooLarge, message).with_help("write several pieces, separated by `;`").with_position(at))
}
