//! The simplifier of index expressions. Rule for rule it is that of `lean/Razorgirl/Spec/Int/Simplify.lean`, which is proved
//! to keep every value.
//!
//! An expression is brought into the form of a sum of terms, a term being a literal times other factors, and quotients and
//! remainders of such sums are taken apart by the theorems on integer division. Every side condition is decided from the
//! bounds on the variables; where one cannot be shown, the quotient or remainder stays.

use alloc::vec::Vec;
use core::cell::Cell;

use super::expr::{Exact, Expr, Kind, Range, Stop, bound_of, exact};
use super::terms::{Term, gather, mul_terms, place, sum, terms, without};
use crate::error::Result;

/// How many rules are applied in a row at most.
const STEPS: usize = 64;

/// Nodes that are looked at, all together, before an expression is given up.
pub const MAX_WORK: u64 = 1 << 24;

/// An expression of the same value for all values of the variables within the bounds; a variable beyond their end has none.
/// It is never longer than the original one, in [nodes](Expr::nodes), and a part of it without a variable is a literal. By 0, a
/// quotient is 0 and a remainder the dividend.
///
/// # Errors
/// [`Overflow`](crate::ErrorKind::Overflow) where a number on the way does not fit into 128 bits,
/// [`TooLarge`](crate::ErrorKind::TooLarge) beyond [`MAX_NODES`](super::expr::MAX_NODES) nodes or [`MAX_WORK`].
///
/// ```
/// use razorgirl::int::expr::{Expr, Kind, Range};
/// use razorgirl::int::simplify::simplify;
///
/// let index: Expr = "(x0 * 4 + x1) / 256".parse()?;
/// let bounds = [Range::below(1024), Range::below(4)];
/// assert_eq!(simplify(Kind::Trunc, &bounds, &index)?.to_string(), "x0 / 64");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: nvFuser, `csrc/expr_simplifier.h`.
///
/// Lean: `Razorgirl.Index.shorten`
pub fn simplify(kind: Kind, bounds: &[Range], expr: &Expr) -> Result<Expr> {
    let rules = Rules::new(kind, bounds.to_vec(), MAX_WORK);
    let question = folded(kind, expr)?;
    let answer = folded(kind, &sum(&rules.simplified(&question)?)?)?;
    Ok(if question.nodes() < answer.nodes() { question } else { answer })
}

/// The expression with every part that has no variable computed, without summands 0 and factors 1.
///
/// Lean: `Razorgirl.Index.Expr.fold`
// Recursion: no deeper than MAX_NODES.
fn folded(kind: Kind, expr: &Expr) -> Exact<Expr> {
    let (Expr::Add(pair) | Expr::Mul(pair) | Expr::Div(pair) | Expr::Mod(pair)) = expr else { return Ok(expr.clone()) };
    match (expr, folded(kind, pair.left())?, folded(kind, pair.right())?) {
        (Expr::Add(_), Expr::Const(0), rest)
        | (Expr::Add(_), rest, Expr::Const(0))
        | (Expr::Mul(_), Expr::Const(1), rest)
        | (Expr::Mul(_), rest, Expr::Const(1)) => Ok(rest),
        (Expr::Add(_), Expr::Const(a), Expr::Const(b)) => exact(a.checked_add(b)).map(Expr::Const),
        (Expr::Mul(_), Expr::Const(a), Expr::Const(b)) => exact(a.checked_mul(b)).map(Expr::Const),
        (Expr::Div(_), Expr::Const(a), Expr::Const(b)) => kind.div(a, b).map(Expr::Const),
        (Expr::Mod(_), Expr::Const(a), Expr::Const(b)) => kind.rem(a, b).map(Expr::Const),
        (Expr::Add(_), left, right) => Expr::add(left, right),
        (Expr::Mul(_), left, right) => Expr::mul(left, right),
        (Expr::Div(_), left, right) => Expr::div(left, right),
        (_, left, right) => Expr::rem(left, right),
    }
}

/// The rules under bounds, and the work that is left.
#[derive(Debug)]
pub(crate) struct Rules {
    kind: Kind,
    bounds: Vec<Range>,
    work: Cell<u64>,
}

/// A common factor `g` of a divisor `g * divisor` and, up to a rest in `[0, g)`, of a dividend `g * quotient + rest`.
struct Common {
    g: Term,
    divisor: Term,
    quotient: Vec<Term>,
    rest: Vec<Term>,
}

impl Rules {
    pub fn new(kind: Kind, bounds: Vec<Range>, work: u64) -> Self {
        Self { kind, bounds, work: Cell::new(work) }
    }

    /// A further variable, which lies in a range.
    pub fn assume(&mut self, range: Range) -> Exact<u32> {
        let variable = u32::try_from(self.bounds.len()).map_err(|_| Stop::Work)?;
        self.bounds.push(range);
        Ok(variable)
    }

    /// Spends some of the work that is left.
    fn spend(&self, nodes: usize) -> Exact<()> {
        self.work.set(self.work.get().checked_sub(nodes as u64).ok_or(Stop::Work)?);
        Ok(())
    }

    /// Where the values of a term lie.
    fn range(&self, term: &Term) -> Exact<Range> {
        let mut product: Option<Range> = None;
        for factor in &term.factors {
            self.spend(factor.nodes())?;
            let range = factor.within(self.kind, &self.bounds)?;
            product = Some(product.map_or(Ok(range), |product| product.mul(range))?);
        }
        match product {
            Some(product) if term.coef == 1 => Ok(product),
            Some(product) => product.mul(Range::point(term.coef)),
            None => Ok(Range::point(term.coef)),
        }
    }

    /// Where the values of a sum lie.
    pub fn range_of(&self, terms: &[Term]) -> Exact<Range> {
        let Some((first, rest)) = terms.split_first() else { return Ok(Range::point(0)) };
        rest.iter().try_fold(self.range(first)?, |range, term| range.add(self.range(term)?))
    }

    // Side conditions.

    fn nonneg(&self, terms: &[Term]) -> Exact<bool> {
        Ok(self.range_of(terms)?.is_from(0))
    }

    fn positive(&self, term: &Term) -> Exact<bool> {
        Ok(self.range(term)?.is_from(1))
    }

    fn nonzero(&self, term: &Term) -> Exact<bool> {
        let range = self.range(term)?;
        Ok(range.is_from(1) || range.is_up_to(-1))
    }

    /// The sum lies in `[0, d)`.
    fn small(&self, terms: &[Term], d: &Term) -> Exact<bool> {
        let Some(lo) = self.range(d)?.lo else { return Ok(false) };
        if terms.is_empty() {
            return Ok(lo > 0);
        }
        let range = self.range_of(terms)?;
        Ok(range.is_from(0) && range.is_up_to(exact(lo.checked_sub(1))?))
    }

    /// A sum may be divided part by part: for Euclidean division always, for the truncating one if both parts are at least 0,
    /// or one of them is nothing.
    fn separable(&self, a: &[Term], b: &[Term]) -> Exact<bool> {
        Ok(self.kind == Kind::Euclid || a.is_empty() || b.is_empty() || self.nonneg(a)? && self.nonneg(b)?)
    }

    // Sums taken apart.

    /// A sum as `d` times a sum, plus a rest. A term whose literal is not a multiple of that of `d` is cut in two if it is a
    /// literal or `deep`.
    pub fn split(&self, deep: bool, d: &Term, terms: &[Term]) -> Exact<(Vec<Term>, Vec<Term>)> {
        self.spend(terms.len())?;
        let (mut whole, mut rest) = (vec![], vec![]);
        for term in terms {
            let r = Kind::Euclid.rem(term.coef, d.coef)?;
            let cuts = r == 0 || (deep || term.is_literal()) && d.coef.unsigned_abs() <= term.coef.unsigned_abs();
            match without(&d.factors, &term.factors).filter(|_| cuts) {
                Some(factors) => {
                    let q = Kind::Euclid.div(term.coef, d.coef)?;
                    if q != 0 {
                        whole.push(Term { coef: q, factors });
                    }
                    if r != 0 {
                        rest.push(Term { coef: r, factors: term.factors.clone() });
                    }
                }
                None => rest.push(term.clone()),
            }
        }
        Ok((whole, rest))
    }

    /// A common factor of a dividend and a divisor: of a literal and the divisor's, or a factor of the divisor.
    fn cancel(&self, terms: &[Term], d: &Term) -> Exact<Option<Common>> {
        let literals = terms.iter().map(|term| gcd(term.coef, d.coef).map(Term::literal));
        let factors = d.factors.iter().map(|factor| Ok(Term::of(factor.clone())));
        for g in literals.chain(factors) {
            let g = g?;
            // 1 is a common factor of all
            if g == Term::literal(1) {
                continue;
            }
            let (divisor, left) = self.split(false, &g, core::slice::from_ref(d))?;
            let ([divisor], []) = (divisor.as_slice(), left.as_slice()) else { continue };
            let (quotient, rest) = self.split(false, &g, terms)?;
            if self.positive(&g)? && self.small(&rest, &g)? && self.separable(&g.times(&quotient)?, &rest)? {
                return Ok(Some(Common { divisor: divisor.clone(), g, quotient, rest }));
            }
        }
        Ok(None)
    }

    /// `x / y / d` as `x / (y * d)`: the new dividend and divisor. Euclidean division needs `y >= 0`.
    fn nested_quotient(&self, sum: &[Term], d: &Term) -> Exact<Option<(Vec<Term>, Term)>> {
        let Some(Expr::Div(pair)) = alone(sum) else { return Ok(None) };
        let by = terms(pair.right())?;
        let [by] = by.as_slice() else { return Ok(None) };
        if self.kind == Kind::Trunc || self.nonneg(core::slice::from_ref(by))? {
            Ok(Some((terms(pair.left())?, by.mul(d)?)))
        } else {
            Ok(None)
        }
    }

    /// `x % y % d` as `x % d`, if `y` is a multiple of `d`: the new dividend.
    fn nested_remainder(&self, sum: &[Term], d: &Term) -> Exact<Option<Vec<Term>>> {
        let Some(Expr::Mod(pair)) = alone(sum) else { return Ok(None) };
        let (_, rest) = self.split(false, d, &terms(pair.right())?)?;
        if rest.is_empty() { Ok(Some(terms(pair.left())?)) } else { Ok(None) }
    }

    // Quotients and remainders.

    /// The quotient of a sum by a term, in terms.
    fn div_terms(&self, mut dividend: Vec<Term>, mut d: Term) -> Exact<Vec<Term>> {
        let mut quotient = vec![];
        for _ in 0..STEPS {
            let (whole, rest) = self.split(false, &d, &dividend)?;
            if self.nonzero(&d)? && self.separable(&d.times(&whole)?, &rest)? {
                quotient.extend(whole);
                dividend = rest;
            }
            if self.small(&dividend, &d)? || dividend.is_empty() {
                return Ok(quotient);
            }
            if let Some(common) = self.cancel(&dividend, &d)? {
                (dividend, d) = (common.quotient, common.divisor);
            } else if let Some(nested) = self.nested_quotient(&dividend, &d)? {
                (dividend, d) = nested;
            } else {
                break;
            }
        }
        quotient.push(Term::of(Expr::div(sum(&dividend)?, d.expr()?)?));
        Ok(quotient)
    }

    /// The remainder of a sum by a term, in terms.
    fn mod_terms(&self, mut dividend: Vec<Term>, mut d: Term) -> Exact<Vec<Term>> {
        // the factors that were cancelled, each with what it left
        let mut cancelled: Vec<(Term, Vec<Term>)> = vec![];
        let mut remainder = None;
        for _ in 0..STEPS {
            let (whole, rest) = self.split(true, &d, &dividend)?;
            if self.separable(&d.times(&whole)?, &rest)? {
                dividend = rest;
            }
            if self.small(&dividend, &d)? || dividend.is_empty() {
                remainder = Some(core::mem::take(&mut dividend));
                break;
            }
            if let Some(common) = self.cancel(&dividend, &d)? {
                cancelled.push((common.g, common.rest));
                (dividend, d) = (common.quotient, common.divisor);
            } else if let Some(nested) = self.nested_remainder(&dividend, &d)? {
                dividend = nested;
            } else {
                break;
            }
        }
        let mut remainder = match remainder {
            Some(remainder) => remainder,
            None => vec![Term::of(Expr::rem(sum(&dividend)?, d.expr()?)?)],
        };
        for (g, rest) in cancelled.into_iter().rev() {
            remainder = g.times(&remainder)?;
            remainder.extend(rest);
        }
        Ok(remainder)
    }

    // Quotient and remainder put together again.

    /// For a term `m * (x % y)`: the term `m * y * (x / y)`, and the terms of `m * x`, which is the sum of both.
    fn partner(&self, term: &Term) -> Exact<Option<(Term, Vec<Term>)>> {
        let remainder = term.factors.iter().enumerate().find_map(|(at, factor)| match factor {
            Expr::Mod(pair) => Some((at, pair)),
            _ => None,
        });
        let Some((at, pair)) = remainder else { return Ok(None) };
        let by = terms(pair.right())?;
        let [d] = by.as_slice() else { return Ok(None) };
        let whole = terms(pair.left())?;
        let quotient = gather(self.div_terms(whole.clone(), d.clone())?)?;
        let [q] = quotient.as_slice() else { return Ok(None) };
        let mut times = term.clone();
        times.factors.remove(at);
        Ok(Some((times.mul(&d.mul(q)?)?, times.times(&whole)?)))
    }

    /// Quotients and remainders put together as long as there are such pairs.
    fn recombine(&self, mut sum: Vec<Term>) -> Exact<Vec<Term>> {
        for _ in 0..STEPS {
            let Some(joined) = self.recombine_once(&sum)? else { break };
            sum = gather(joined)?;
        }
        Ok(sum)
    }

    /// One remainder put together with its quotient, if the sum has such a pair.
    fn recombine_once(&self, sum: &[Term]) -> Exact<Option<Vec<Term>>> {
        for (at, term) in sum.iter().enumerate() {
            let Some((quotient, whole)) = self.partner(term)? else { continue };
            let mut rest = [&sum[..at], &sum[at + 1..]].concat();
            if let Some(at) = place(&quotient, &rest) {
                rest.remove(at);
                rest.extend(whole);
                return Ok(Some(rest));
            }
        }
        Ok(None)
    }

    // The simplifier, an operator at a time.

    /// The simplified terms of a variable.
    pub fn variable(&self, variable: u32) -> Vec<Term> {
        match bound_of(&self.bounds, variable).value() {
            Some(0) => vec![],
            Some(n) => vec![Term::literal(n)],
            None => vec![Term::of(Expr::Var(variable))],
        }
    }

    /// The sum of simplified terms.
    pub fn add(&self, a: &[Term], b: &[Term]) -> Exact<Vec<Term>> {
        self.recombine(gather([a, b].concat())?)
    }

    /// The product of simplified terms.
    pub fn mul(&self, a: &[Term], b: &[Term]) -> Exact<Vec<Term>> {
        self.recombine(gather(mul_terms(a, b)?)?)
    }

    /// The quotient of simplified terms.
    pub fn div(&self, a: Vec<Term>, b: &[Term]) -> Exact<Vec<Term>> {
        match b {
            [d] => self.recombine(gather(self.div_terms(a, d.clone())?)?),
            _ => Ok(vec![Term::of(Expr::div(sum(&a)?, sum(b)?)?)]),
        }
    }

    /// The remainder of simplified terms.
    pub fn rem(&self, a: Vec<Term>, b: &[Term]) -> Exact<Vec<Term>> {
        match b {
            [d] => self.recombine(gather(self.mod_terms(a, d.clone())?)?),
            _ => Ok(vec![Term::of(Expr::rem(sum(&a)?, sum(b)?)?)]),
        }
    }

    /// The simplified terms of an expression.
    // Recursion: no deeper than MAX_NODES.
    pub fn simplified(&self, expr: &Expr) -> Exact<Vec<Term>> {
        match expr {
            Expr::Var(x) => Ok(self.variable(*x)),
            Expr::Const(_) => terms(expr),
            Expr::Add(pair) => self.add(&self.simplified(pair.left())?, &self.simplified(pair.right())?),
            Expr::Mul(pair) => self.mul(&self.simplified(pair.left())?, &self.simplified(pair.right())?),
            Expr::Div(pair) => self.div(self.simplified(pair.left())?, &self.simplified(pair.right())?),
            Expr::Mod(pair) => self.rem(self.simplified(pair.left())?, &self.simplified(pair.right())?),
        }
    }
}

/// The only factor of the only term of a sum.
fn alone(sum: &[Term]) -> Option<&Expr> {
    match sum {
        [Term { coef: 1, factors }] => match factors.as_slice() {
            [factor] => Some(factor),
            _ => None,
        },
        _ => None,
    }
}

fn gcd(a: i128, b: i128) -> Exact<i128> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).map_err(|_| Stop::Overflow)
}
