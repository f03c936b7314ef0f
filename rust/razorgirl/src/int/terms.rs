//! Sums of terms: the form that the simplifier works on, as `lean/Razorgirl/Spec/Int/Terms.lean` defines it.
//!
//! A term is a literal times other factors. Factors keep their order, and terms that of their first occurrence, so that what
//! cannot be simplified looks as it did.

use super::expr::{Exact, Expr, exact};
use alloc::vec::Vec;

/// `coef` times the product of `factors`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Term {
    pub coef: i128,
    pub factors: Vec<Expr>,
}

impl Term {
    pub fn literal(coef: i128) -> Self {
        Self { coef, factors: vec![] }
    }

    pub fn of(factor: Expr) -> Self {
        Self { coef: 1, factors: vec![factor] }
    }

    /// The term has no other factors than the literal.
    pub fn is_literal(&self) -> bool {
        self.factors.is_empty()
    }

    /// The term as an expression, the literal last.
    pub fn expr(&self) -> Exact<Expr> {
        let Some((first, rest)) = self.factors.split_first() else { return Ok(Expr::Const(self.coef)) };
        let product = rest.iter().try_fold(first.clone(), |product, factor| Expr::mul(product, factor.clone()))?;
        if self.coef == 1 { Ok(product) } else { Expr::mul(product, Expr::Const(self.coef)) }
    }

    /// The product of two terms.
    pub fn mul(&self, other: &Self) -> Exact<Self> {
        let coef = exact(self.coef.checked_mul(other.coef))?;
        Ok(Self { coef, factors: [self.factors.as_slice(), &other.factors].concat() })
    }

    /// Each of `terms` times this one.
    pub fn times(&self, terms: &[Self]) -> Exact<Vec<Self>> {
        terms.iter().map(|term| self.mul(term)).collect()
    }
}

/// The sum as an expression.
pub(crate) fn sum(terms: &[Term]) -> Exact<Expr> {
    let Some((first, rest)) = terms.split_first() else { return Ok(Expr::Const(0)) };
    rest.iter().try_fold(first.expr()?, |sum, term| Expr::add(sum, term.expr()?))
}

/// The product of two sums: expanded if one of them is a single term, else left as one term of two factors.
pub(crate) fn mul_terms(a: &[Term], b: &[Term]) -> Exact<Vec<Term>> {
    match (a, b) {
        ([], _) | (_, []) => Ok(vec![]),
        ([term], _) => term.times(b),
        (_, [term]) => a.iter().map(|other| other.mul(term)).collect(),
        _ => Ok(vec![Term { coef: 1, factors: vec![sum(a)?, sum(b)?] }]),
    }
}

/// The terms of an expression; quotients and remainders in it count as factors.
// Recursion: no deeper than MAX_NODES.
pub(crate) fn terms(expr: &Expr) -> Exact<Vec<Term>> {
    Ok(match expr {
        Expr::Const(0) => vec![],
        Expr::Const(n) => vec![Term::literal(*n)],
        Expr::Add(pair) => [terms(pair.left())?, terms(pair.right())?].concat(),
        Expr::Mul(pair) => mul_terms(&terms(pair.left())?, &terms(pair.right())?)?,
        _ => vec![Term::of(expr.clone())],
    })
}

/// `factors` without each of `drop`, if all are there.
pub(crate) fn without(drop: &[Expr], factors: &[Expr]) -> Option<Vec<Expr>> {
    let mut left = factors.to_vec();
    for factor in drop {
        left.remove(left.iter().position(|known| known == factor)?);
    }
    Some(left)
}

/// The same factors, in any order.
pub(crate) fn same_factors(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && (a == b || without(a, b).is_some())
}

/// Every product of factors once, in the order of first occurrence.
pub(crate) fn gather(terms: impl IntoIterator<Item = Term>) -> Exact<Vec<Term>> {
    let mut sum: Vec<Term> = vec![];
    for term in terms {
        match sum.iter().position(|known| same_factors(&term.factors, &known.factors)) {
            Some(at) => {
                let coef = exact(sum[at].coef.checked_add(term.coef))?;
                if coef == 0 {
                    sum.remove(at);
                } else {
                    sum[at].coef = coef;
                }
            }
            None if term.coef != 0 => sum.push(term),
            None => {}
        }
    }
    Ok(sum)
}

/// The place of a term in a sum.
pub(crate) fn place(term: &Term, sum: &[Term]) -> Option<usize> {
    sum.iter().position(|known| term.coef == known.coef && same_factors(&term.factors, &known.factors))
}
