//! Layouts as sums of quotients and remainders of the index.

use super::term::Term;
use alloc::vec::Vec;

/// What a coalesced mode is, and where its index starts.
#[derive(Clone, Copy, Debug)]
struct Mode {
    start: u64,
    extent: u64,
    stride: u64,
    last: bool,
}

/// A sum of terms, some of them counted negatively.
#[derive(Clone, Default)]
struct Sum {
    plus: Vec<Term>,
    minus: Vec<Term>,
    operations: usize,
}

impl Sum {
    fn with(&self, term: Term, negative: bool) -> Self {
        let mut sum = self.clone();
        if term != Term::Number(0) {
            sum.operations += term.operations() + 1;
            if negative { sum.minus.push(term) } else { sum.plus.push(term) }
        }
        sum
    }

    fn term(self) -> Option<Term> {
        // Offsets are not negative, so something is added if anything is.
        let mut plus = self.plus.into_iter();
        let first = match plus.next() {
            None if self.minus.is_empty() => Term::Number(0),
            first => first?,
        };
        Some(self.minus.into_iter().fold(plus.fold(first, Term::add), Term::sub))
    }
}

fn starts(modes: &[(u64, u64)]) -> Vec<Mode> {
    let mut start = 1_u64;
    let mut all = Vec::with_capacity(modes.len());
    for (place, (extent, stride)) in modes.iter().copied().enumerate() {
        all.push(Mode { start, extent, stride, last: place + 1 == modes.len() });
        // The last product is the size, below 2^64.
        start = start.saturating_mul(extent);
    }
    all
}

/// How many operators the plain sum of `(c / P) % s * d` has, without those that change nothing: a quotient by 1, a remainder of the last
/// mode, a stride of 0 or 1.
pub(super) fn plain_operations(modes: &[(u64, u64)]) -> usize {
    let moving = || starts(modes).into_iter().filter(|mode| mode.stride > 0);
    let own = |mode: Mode| usize::from(mode.start > 1) + usize::from(!mode.last) + usize::from(mode.stride > 1);
    moving().map(own).sum::<usize>() + moving().count().saturating_sub(1)
}

/// One coordinate with its stride. Neighbouring shifts and masks are one shift and one mask.
fn digit(mode: Mode) -> Term {
    let Mode { start, extent, stride, last } = mode;
    let quotient = || Term::Index(0).over(start);
    if last && !(start == stride && start > 1 && start.is_power_of_two()) {
        return quotient().times(stride);
    }
    // Of the last mode nothing is above the mask, so it may be wider than the extent.
    let extent = if last { extent.checked_next_power_of_two().unwrap_or(extent) } else { extent };
    if !(start.is_power_of_two() && extent.is_power_of_two() && stride.is_power_of_two()) {
        return quotient().modulo(extent).times(stride);
    }
    let (down, up) = (start.trailing_zeros(), stride.trailing_zeros());
    // No bit is lost: the offset of the last coordinate is below 2^64.
    let mask = (extent - 1) << up;
    if down >= up { Term::Index(0).right(down - up).and(mask) } else { Term::Index(0).left(up - down).and(mask) }
}

/// The sum with the fewest operators of those in which some quotients are used whole, as `codeExpr` has them: the next quotient pays
/// back what is counted too often.
pub(super) fn fewest(modes: &[(u64, u64)]) -> Option<Term> {
    // The best sums up to here, by what the next quotient still counts.
    let mut open: Vec<(u64, Sum)> = vec![(0, Sum::default())];
    for mode in starts(modes) {
        let quotient = Term::Index(0).over(mode.start);
        let mut next: Vec<(u64, Sum)> = Vec::new();
        let mut offer = |debt: u64, sum: Sum| match next.iter_mut().find(|(known, _)| *known == debt) {
            Some((_, best)) if best.operations <= sum.operations => {}
            Some((_, best)) => *best = sum,
            None => next.push((debt, sum)),
        };
        for (debt, sum) in open {
            let whole = if mode.last && debt == 0 && mode.stride > 0 {
                sum.with(digit(mode), false)
            } else if mode.stride >= debt {
                sum.with(quotient.clone().times(mode.stride - debt), false)
            } else {
                sum.with(quotient.clone().times(debt - mode.stride), true)
            };
            if mode.last {
                offer(0, whole);
                continue;
            }
            // Products of 2^63 and more are left alone.
            if let Some(debt) = mode.extent.checked_mul(mode.stride).filter(|debt| debt >> 63 == 0) {
                offer(debt, whole);
            }
            let digit = if mode.stride == 0 { Term::Number(0) } else { digit(mode) };
            offer(0, sum.with(digit, false).with(quotient.clone().times(debt), true));
        }
        open = next;
    }
    let best = open.into_iter().map(|(_, sum)| sum).min_by_key(|sum| sum.operations)?;
    best.term()
}
