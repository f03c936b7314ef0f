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
pub(super) enum Ask {
    FromZero,
    Zero,
    NotZero,
}

/// A comparison of an expression with 0.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) value: Expr,
    pub(super) ask: Ask,
}

/// Of these lists of comparisons one must hold as a whole.
pub(super) type Ways = Vec<Vec<Comparison>>;

/// Reads the condition behind a colon. `holds` is false within an odd number of `not`.
pub(super) fn read(text: &mut Text, names: &Names, holds: bool) -> Result<Ways> {
    let mut ways = joined(text, names, holds)?;
    while text.take_word("or") || text.take("||") {
        let at = text.position();
        let other = joined(text, names, holds)?;
        ways = if holds { either(ways, other, at)? } else { both(&ways, &other, at)? };
    }
    Ok(ways)
}

fn joined(text: &mut Text, names: &Names, holds: bool) -> Result<Ways> {
    let mut ways = single(text, names, holds)?;
    while text.take_word("and") || text.take("&&") {
        let at = text.position();
        let other = single(text, names, holds)?;
        ways = if holds { both(&ways, &other, at)? } else { either(ways, other, at)? };
    }
    Ok(ways)
}

fn single(text: &mut Text, names: &Names, holds: bool) -> Result<Ways> {
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
        let ways = text.deeper(|text| read(text, names, holds))?;
        text.expect(")")?;
        return Ok(ways);
    }
    comparisons(text, names, holds)
}

/// What always holds, or never.
fn constant(holds: bool) -> Ways {
    if holds { vec![Vec::new()] } else { Vec::new() }
}

/// `0 <= a, b < 4`: each of one list with each of the next.
fn comparisons(text: &mut Text, names: &Names, holds: bool) -> Result<Ways> {
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
    let (value, ask) = match (sign, holds) {
        ("<=", true) | (">", false) => (less(a, b, 0)?, Ask::FromZero),
        (">=", true) | ("<", false) => (less(b, a, 0)?, Ask::FromZero),
        ("<", true) | (">=", false) => (less(a, b, 1)?, Ask::FromZero),
        (">", true) | ("<=", false) => (less(b, a, 1)?, Ask::FromZero),
        ("!=", true) | ("=", false) => (less(a, b, 0)?, Ask::NotZero),
        _ => (less(a, b, 0)?, Ask::Zero),
    };
    Ok(Comparison { value, ask })
}

fn either(mut a: Ways, b: Ways, at: usize) -> Result<Ways> {
    a.extend(b);
    bounded(a.len(), a.iter().map(Vec::len).sum(), at)?;
    Ok(a)
}

fn both(a: &Ways, b: &Ways, at: usize) -> Result<Ways> {
    let count = |ways: &Ways| ways.iter().map(Vec::len).sum::<usize>();
    let comparisons = count(a).saturating_mul(b.len()).saturating_add(count(b).saturating_mul(a.len()));
    bounded(a.len().saturating_mul(b.len()), comparisons, at)?;
    Ok(a.iter().flat_map(|one| b.iter().map(|other| [one.as_slice(), other].concat())).collect())
}

fn bounded(ways: usize, comparisons: usize, at: usize) -> Result<()> {
    if ways.max(comparisons) <= MAX_COMPARISONS {
        return Ok(());
    }
    let message =
        format!("the condition up to byte {at} is over {MAX_COMPARISONS} comparisons, with `or` multiplied out");
    Err(Error::new(ErrorKind::TooLarge, message).with_help("write several pieces, apart by `;`").with_position(at))
}
