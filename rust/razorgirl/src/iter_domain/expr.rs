//! Index expressions in a normal form: sums of loop indices, quotients and remainders.
//!
//! Two schedules whose expressions have the same normal form compute the same indices. The rules are the theorems on
//! Euclidean division; each holds for all values in the ranges of the indices.

/// What is multiplied and added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    /// an index, by number
    Index(usize),
    /// rounded down
    Div(Box<Sum>, i128),
    /// never negative
    Mod(Box<Sum>, i128),
    /// of non-negative values
    Xor(Box<Sum>, Box<Sum>),
}

/// A constant and multiples of terms, in order of the terms; no multiple is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    constant: i128,
    terms: Vec<(Term, i128)>,
}

/// What an expression may grow to before it is given up.
const LARGEST: usize = 128;

/// The indices' extents, which the rules need.
#[derive(Debug)]
pub(super) struct Ranges<'a>(pub &'a [u64]);

impl Sum {
    pub fn index(number: usize) -> Self {
        Self::term(Term::Index(number))
    }

    pub fn constant(constant: i128) -> Self {
        Self { constant, terms: Vec::new() }
    }

    fn term(term: Term) -> Self {
        Self { constant: 0, terms: vec![(term, 1)] }
    }

    /// `None` where the expression has become too large.
    pub fn weight(&self) -> Option<usize> {
        let mut weight = 1_usize;
        for (term, _) in &self.terms {
            weight += match term {
                Term::Index(_) => 1,
                Term::Div(sum, _) | Term::Mod(sum, _) => sum.weight()?,
                Term::Xor(a, b) => a.weight()? + b.weight()?,
            };
            if weight > LARGEST {
                return None;
            }
        }
        Some(weight)
    }

    /// `self + factor * other`
    pub fn plus(mut self, factor: i128, other: &Self, ranges: &Ranges<'_>) -> Option<Self> {
        self.constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        for (term, count) in &other.terms {
            self.add(term, factor.checked_mul(*count)?)?;
        }
        self.joined(ranges)
    }

    fn place(&self, term: &Term) -> Result<usize, usize> {
        self.terms.binary_search_by(|(known, _)| known.cmp(term))
    }

    fn add(&mut self, term: &Term, count: i128) -> Option<()> {
        match self.place(term) {
            Ok(at) => {
                let sum = self.terms[at].1.checked_add(count)?;
                if sum == 0 {
                    self.terms.remove(at);
                } else {
                    self.terms[at].1 = sum;
                }
            }
            Err(at) if count != 0 => self.terms.insert(at, (term.clone(), count)),
            Err(_) => {}
        }
        Some(())
    }

    /// `n·(e / n) + e % n = e`, wherever both are there in that proportion.
    fn joined(mut self, ranges: &Ranges<'_>) -> Option<Self> {
        loop {
            let found = self.terms.iter().find_map(|&(ref term, count)| {
                let Term::Mod(inner, n) = term else { return None };
                let quotient = inner.as_ref().clone().over(*n, ranges)?;
                // the quotient as it would stand here: all its terms, so many times
                let times = count.checked_mul(*n)?;
                let present = !quotient.terms.is_empty()
                    && quotient.terms.iter().all(|&(ref t, c)| {
                        c.checked_mul(times).is_some_and(|needed| {
                            self.place(t).is_ok_and(|at| {
                                let c = self.terms[at].1;
                                c.signum() == needed.signum() && c.abs() >= needed.abs()
                            })
                        })
                    });
                present.then(|| (term.clone(), inner.as_ref().clone(), count, times, quotient))
            });
            let Some((term, inner, count, times, quotient)) = found else { return Some(self) };
            self.add(&term, count.checked_neg()?)?;
            for (t, c) in &quotient.terms {
                self.add(t, times.checked_mul(*c)?.checked_neg()?)?;
            }
            self.constant = self.constant.checked_sub(times.checked_mul(quotient.constant)?)?;
            for (t, c) in &inner.terms {
                self.add(t, count.checked_mul(*c)?)?;
            }
            self.constant = self.constant.checked_add(count.checked_mul(inner.constant)?)?;
        }
    }

    /// Least and greatest value, or bounds of them.
    pub fn range(&self, ranges: &Ranges<'_>) -> Option<(i128, i128)> {
        self.terms.iter().try_fold((self.constant, self.constant), |(low, high), &(ref term, count)| {
            let (a, b) = term.range(ranges)?;
            let (a, b) = (a.checked_mul(count)?, b.checked_mul(count)?);
            Some((low.checked_add(a.min(b))?, high.checked_add(a.max(b))?))
        })
    }

    /// Apart into what `n` divides, divided, and the rest, with factors from 0 to n-1.
    fn apart(&self, n: i128) -> (Self, Self) {
        let (mut whole, mut rest) = (Self::default(), Self::default());
        (whole.constant, rest.constant) = (self.constant.div_euclid(n), self.constant.rem_euclid(n));
        for (term, count) in &self.terms {
            let (q, r) = (count.div_euclid(n), count.rem_euclid(n));
            if q != 0 {
                whole.terms.push((term.clone(), q));
            }
            if r != 0 {
                rest.terms.push((term.clone(), r));
            }
        }
        (whole, rest)
    }

    /// `self / n`, rounded down.
    pub fn over(self, n: i128, ranges: &Ranges<'_>) -> Option<Self> {
        if n == 1 {
            return Some(self);
        }
        self.weight()?;
        let (whole, rest) = self.apart(n);
        let (low, high) = rest.range(ranges)?;
        if low.div_euclid(n) == high.div_euclid(n) {
            return whole.plus(1, &Self::constant(low.div_euclid(n)), ranges);
        }
        let quotient = rest.divided(n, ranges)?;
        whole.plus(1, &quotient, ranges)
    }

    /// The quotient of a sum with no factor above n.
    fn divided(self, n: i128, ranges: &Ranges<'_>) -> Option<Self> {
        // (g·a + b) / (g·m) = a / m where 0 <= b < g
        for &(_, count) in &self.terms {
            let g = gcd(count, n);
            if g > 1 {
                let (a, b) = self.apart(g);
                let (low, high) = b.range(ranges)?;
                if low >= 0 && high < g {
                    return a.over(n / g, ranges);
                }
            }
        }
        // (e / m + b) / n = (e + m·b) / (m·n)
        let nested = self.terms.iter().enumerate().find_map(|(at, (term, count))| match term {
            Term::Div(inner, m) if *count == 1 => Some((at, inner.as_ref().clone(), *m)),
            _ => None,
        });
        if let Some((at, inner, m)) = nested {
            let mut rest = self;
            rest.terms.remove(at);
            return inner.plus(m, &rest, ranges)?.over(m.checked_mul(n)?, ranges);
        }
        // (e % m) / n = (e / n) % (m / n) where n divides m, and nothing else is added
        if self.constant == 0
            && let [(Term::Mod(inner, m), 1)] = self.terms.as_slice()
            && m % n == 0
        {
            return inner.as_ref().clone().over(n, ranges)?.modulo(m / n, ranges);
        }
        Some(Self::term(Term::Div(Box::new(self), n)))
    }

    /// `self % n`, never negative.
    pub fn modulo(self, n: i128, ranges: &Ranges<'_>) -> Option<Self> {
        if n == 1 {
            return Some(Self::default());
        }
        self.weight()?;
        let (low, high) = self.range(ranges)?;
        if low >= 0 && high < n {
            return Some(self);
        }
        let (_, mut rest) = self.apart(n);
        // c·(e % m) = c·e modulo n where n divides c·m
        while let Some((at, inner, count)) = rest.terms.iter().enumerate().find_map(|(at, (term, count))| match term {
            Term::Mod(inner, m) if count.checked_mul(*m)? % n == 0 => Some((at, inner.as_ref().clone(), *count)),
            _ => None,
        }) {
            rest.terms.remove(at);
            (_, rest) = rest.plus(count, &inner, ranges)?.apart(n);
        }
        let (low, high) = rest.range(ranges)?;
        if low.div_euclid(n) == high.div_euclid(n) {
            return rest.plus(-n, &Self::constant(low.div_euclid(n)), ranges);
        }
        // (g·a + b) % (g·m) = g·(a % m) + b where 0 <= b < g
        for &(_, count) in &rest.terms {
            let g = gcd(count, n);
            if g > 1 {
                let (a, b) = rest.apart(g);
                let (low, high) = b.range(ranges)?;
                if low >= 0 && high < g {
                    return b.plus(g, &a.modulo(n / g, ranges)?, ranges);
                }
            }
        }
        Some(Self::term(Term::Mod(Box::new(rest), n)))
    }

    /// `self xor other`; `None` where one of them can be negative.
    pub fn xor(self, other: Self, ranges: &Ranges<'_>) -> Option<Self> {
        if self.range(ranges)?.0 < 0 || other.range(ranges)?.0 < 0 {
            return None;
        }
        // a xor (a xor b) = b
        for (a, b) in [(&self, &other), (&other, &self)] {
            if let (0, [(Term::Xor(p, q), 1)]) = (b.constant, b.terms.as_slice()) {
                if **p == *a {
                    return Some(q.as_ref().clone());
                }
                if **q == *a {
                    return Some(p.as_ref().clone());
                }
            }
        }
        if self.weight()? + other.weight()? > LARGEST {
            return None;
        }
        let (a, b) = if self <= other { (self, other) } else { (other, self) };
        Some(Self::term(Term::Xor(Box::new(a), Box::new(b))))
    }
}

impl Term {
    fn range(&self, ranges: &Ranges<'_>) -> Option<(i128, i128)> {
        Some(match self {
            Self::Index(number) => (0, i128::from(*ranges.0.get(*number)?) - 1),
            Self::Div(sum, n) => {
                let (low, high) = sum.range(ranges)?;
                (low.div_euclid(*n), high.div_euclid(*n))
            }
            Self::Mod(sum, n) => {
                let (low, high) = sum.range(ranges)?;
                if low >= 0 && high < *n { (low, high) } else { (0, n - 1) }
            }
            Self::Xor(a, b) => {
                let high = a.range(ranges)?.1.max(b.range(ranges)?.1).max(0).unsigned_abs();
                let ones = (high + 1).checked_next_power_of_two()? - 1;
                (0, i128::try_from(ones).ok()?)
            }
        })
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter_domain::eval::Points;

    fn value(sum: &Sum, at: &[u64]) -> i128 {
        sum.constant
            + sum
                .terms
                .iter()
                .map(|(term, count)| {
                    count
                        * match term {
                            Term::Index(i) => i128::from(at[*i]),
                            Term::Div(e, n) => value(e, at).div_euclid(*n),
                            Term::Mod(e, n) => value(e, at).rem_euclid(*n),
                            Term::Xor(a, b) => value(a, at) ^ value(b, at),
                        }
                })
                .sum::<i128>()
    }

    /// Every rule keeps every value: random expressions over small ranges, each built twice.
    #[test]
    fn normal_forms_keep_values() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % n
        };
        for _ in 0..20_000 {
            let extents: Vec<u64> = (0..2).map(|_| 1 + next(9)).collect();
            let ranges = Ranges(&extents);
            let (mut all, mut points) = (vec![], Points::new(extents.clone()));
            while let Some(point) = points.next() {
                all.push(point.to_vec());
            }
            let mut pool: Vec<(Sum, Vec<i128>)> =
                (0..2).map(|i| (Sum::index(i), all.iter().map(|at| i128::from(at[i])).collect())).collect();
            for _ in 0..6 {
                let pick = |n: u64| usize::try_from(n).unwrap();
                let (a, b) = (pick(next(pool.len() as u64)), pick(next(pool.len() as u64)));
                let n = i128::from(1 + next(12));
                let ((a, values), (b, others)) = (pool[a].clone(), pool[b].clone());
                let made = match next(3) {
                    0 => {
                        (a.plus(n - 3, &b, &ranges), values.iter().zip(&others).map(|(x, y)| x + (n - 3) * y).collect())
                    }
                    1 => (a.over(n, &ranges), values.iter().map(|x| x.div_euclid(n)).collect()),
                    _ => (a.modulo(n, &ranges), values.iter().map(|x| x.rem_euclid(n)).collect::<Vec<_>>()),
                };
                let (Some(sum), expected) = made else { continue };
                for (at, expected) in all.iter().zip(&expected) {
                    assert_eq!(value(&sum, at), *expected, "{sum:?} at {at:?} of {extents:?}");
                    let (low, high) = sum.range(&ranges).unwrap();
                    assert!(low <= *expected && *expected <= high);
                }
                pool.push((sum, expected));
            }
        }
    }
}
