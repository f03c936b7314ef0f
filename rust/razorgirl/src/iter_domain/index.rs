//! The indices of a schedule as sums that the [simplifier](crate::int::simplify) works on.

use crate::int::expr::{Expr, Kind, Range, Stop};
use crate::int::simplify::Rules;
use crate::int::terms::{Term, terms};
use alloc::vec::Vec;

/// An index: simplified terms in order.
pub(super) type Sum = Vec<Term>;

/// Nodes that are looked at before two schedules are not compared by rules any longer.
const WORK: u64 = 1 << 21;

/// Exclusive ors, and checks, that are told apart before that.
const MOST: usize = 1 << 8;

/// The indices of a domain, and what is made of them. A bitwise exclusive or is a variable of its own, known by its operands.
pub(super) struct Indices {
    rules: Rules,
    /// The exclusive ors: the variable, and its operands.
    xors: Vec<(u32, Sum, Sum)>,
}

impl Indices {
    pub fn new(domain: &[u64]) -> Self {
        let bounds = domain.iter().map(|extent| Range::below(*extent)).collect();
        Self { rules: Rules::new(Kind::Euclid, bounds, WORK), xors: vec![] }
    }

    /// An index; 0 where there is only one.
    pub fn index(&self, number: usize) -> Sum {
        u32::try_from(number).map(|number| self.rules.variable(number)).unwrap_or_default()
    }

    /// `a + factor * b`
    pub fn plus(&self, a: &Sum, factor: i128, b: &Sum) -> Option<Sum> {
        let times = terms(&Expr::Const(factor)).and_then(|factor| self.rules.mul(b, &factor)).ok()?;
        sorted(self.rules.add(a, &times))
    }

    /// `a + n`
    pub fn shift(&self, a: &Sum, n: i128) -> Option<Sum> {
        sorted(self.rules.add(a, &terms(&Expr::Const(n)).ok()?))
    }

    /// `a / n`, rounded down.
    ///
    /// Two laws that the simplifier does not apply to quotients come first: `(q * n + r) * x / n` is `q * x + r * x / n`, as
    /// it does for remainders (nvFuser, integer division, Theorem 2.15), and `e % (n * m) / n` is `e / n % m` (Theorem 2.12).
    pub fn div(&self, a: &Sum, n: u64) -> Option<Sum> {
        let by = Term::literal(n.into());
        let (whole, rest) = self.rules.split(true, &by, a).ok()?;
        let quotient = match rest.as_slice() {
            [Term { coef: 1, factors }] => self.of_remainder(factors, n),
            _ => None,
        };
        let quotient = quotient.map_or_else(|| self.rules.div(rest, &[by]), Ok).ok()?;
        sorted(self.rules.add(&whole, &quotient))
    }

    /// `e % (n * m) / n` as `e / n % m`.
    fn of_remainder(&self, factors: &[Expr], n: u64) -> Option<Sum> {
        let [Expr::Mod(pair)] = factors else { return None };
        let Expr::Const(product) = pair.right() else { return None };
        if product % i128::from(n) != 0 {
            return None;
        }
        let quotient = self.rules.div(terms(pair.left()).ok()?, &[Term::literal(n.into())]).ok()?;
        self.rules.rem(quotient, &[Term::literal(product / i128::from(n))]).ok()
    }

    /// `a % n`, never negative.
    pub fn rem(&self, a: &Sum, n: u64) -> Option<Sum> {
        sorted(self.rules.rem(a.clone(), &[Term::literal(n.into())]))
    }

    /// `a xor b`; `None` where one of them can be negative.
    pub fn xor(&mut self, a: &Sum, b: &Sum) -> Option<Sum> {
        let (a_range, b_range) = (self.rules.range_of(a).ok()?, self.rules.range_of(b).ok()?);
        if a_range.lo? < 0 || b_range.lo? < 0 {
            return None;
        }
        if a.is_empty() || b.is_empty() {
            return Some([a.as_slice(), b].concat());
        }
        // a xor (a xor b) = b
        for (a, b) in [(a, b), (b, a)] {
            let inside = self.xors.iter().find(|(variable, ..)| *b == [Term::of(Expr::Var(*variable))]);
            match inside {
                Some((_, p, q)) if p == a => return Some(q.clone()),
                Some((_, p, q)) if q == a => return Some(p.clone()),
                _ => {}
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let known = self.xors.iter().find(|(_, p, q)| (p, q) == (a, b)).map(|(variable, ..)| *variable);
        let variable = match known {
            Some(variable) => variable,
            None if self.xors.len() == MOST => return None,
            None => {
                let most = a_range.hi?.max(b_range.hi?).unsigned_abs();
                let ones = i128::try_from(most.checked_add(1)?.checked_next_power_of_two()? - 1).ok()?;
                let variable = self.rules.assume(Range { lo: Some(0), hi: Some(ones) }).ok()?;
                self.xors.push((variable, a.clone(), b.clone()));
                variable
            }
        };
        Some(self.rules.variable(variable))
    }

    /// Whether an index lies in `[0, extent)`, as its range shows it.
    pub fn is_below(&self, sum: &Sum, extent: u64) -> Option<bool> {
        let range = self.rules.range_of(sum).ok()?;
        Some(range.lo.is_some_and(|lo| lo >= 0) && range.hi.is_some_and(|hi| hi < i128::from(extent)))
    }

    /// Whether indices are the same, as far as the rules show it.
    pub fn equal(&self, left: &[Sum], right: &[Sum]) -> Option<bool> {
        for (a, b) in left.iter().zip(right) {
            if a != b && !self.plus(a, -1, b)?.is_empty() {
                return Some(false);
            }
        }
        Some(left.len() == right.len())
    }

    /// Whether the same indices are held to the same extents, in any order.
    pub fn equal_checks(&self, left: &[(Sum, u64)], right: &[(Sum, u64)]) -> Option<bool> {
        let few = left.len() <= MOST && right.len() <= MOST;
        Some(few && self.are_among(left, right)? && self.are_among(right, left)?)
    }

    fn are_among(&self, checks: &[(Sum, u64)], others: &[(Sum, u64)]) -> Option<bool> {
        for (sum, extent) in checks {
            let mut found = others.contains(&(sum.clone(), *extent));
            for (other, _) in others.iter().filter(|(_, known)| known == extent) {
                found = found || self.plus(sum, -1, other)?.is_empty();
            }
            if !found {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The same sum whatever order it was made in.
fn sorted(sum: Result<Sum, Stop>) -> Option<Sum> {
    let mut sum = sum.ok()?;
    for term in &mut sum {
        term.factors.sort();
    }
    sum.sort();
    Some(sum)
}
