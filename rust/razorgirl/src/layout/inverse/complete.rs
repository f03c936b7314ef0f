//! Left inverses of any kind, by search.
//!
//! Every layout is one whose extents are primes, the last one as long as need be. So it is enough to try the sequences of
//! primes whose products stay below the cosize. For each the offsets say, one by one, which sums of strides are which
//! index: linear equations, which a sequence mostly fails to meet long before its end.

use crate::error::{Error, ErrorKind, Result};
use crate::layout::basic::Layout;
use crate::layout::injective::Injectivity;
use crate::layout::mode::Mode;

/// The largest cosize for which left inverses are searched.
const COSIZE: u64 = 1 << 12;
/// Equations that are looked at before the search gives up.
const STEPS: u64 = 1 << 20;
/// The same for the help of a refusal.
const NEAR: u64 = 1 << 7;
/// Points for which a collision is looked for.
const POINTS: u64 = 1 << 14;

impl Layout {
    /// A layout `R` with `R(L(i)) = i` for every index of this one: [`left_inverse`](Self::left_inverse) where it answers,
    /// else any other, found by search.
    ///
    /// The search is for layouts of cosize up to 2^12 and ends after 2^20 steps.
    ///
    /// # Errors
    /// [`NotInjective`](ErrorKind::NotInjective) when two coordinates share an offset,
    /// [`NotDivisible`](ErrorKind::NotDivisible) when the search shows that no layout is a left inverse,
    /// [`TooLarge`](ErrorKind::TooLarge) when the cosize or the search is too large, and
    /// [`Overflow`](ErrorKind::Overflow) as `left_inverse`.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,2):(2,3)".parse()?;
    /// assert!(layout.left_inverse().is_err());
    /// let inverse = layout.left_inverse_complete()?;
    /// assert!((0..4).all(|i| inverse.at(layout.at(i).unwrap()) == Ok(i)));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn left_inverse_complete(&self) -> Result<Self> {
        let refused = match self.left_inverse() {
            Err(error) if error.kind() == ErrorKind::NotDivisible => error,
            other => return other,
        };
        if self.cosize() > COSIZE {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!(
                    "{refused}; other left inverses are searched up to cosize {COSIZE}, and this is {}",
                    self.cosize()
                ),
            ));
        }
        if let Injectivity::Collision { i, j, offset } = self.injectivity(POINTS) {
            return Err(Error::new(
                ErrorKind::NotInjective,
                format!("indices {i} and {j} share offset {offset}, so no layout can tell them apart"),
            ));
        }
        match self.searched(STEPS) {
            Found::Inverse(inverse) => *inverse,
            Found::Nothing => Err(Error::new(
                ErrorKind::NotDivisible,
                format!("no layout R has R(L(i)) = i for all {} indices i of {self}: every one was tried", self.size()),
            )),
            Found::Unknown => Err(Error::new(
                ErrorKind::TooLarge,
                format!("{refused}; the search for other left inverses ended after {STEPS} steps without one"),
            )),
        }
    }

    /// What a short search finds, for the help of a refusal.
    pub(super) fn left_inverse_near(&self) -> Option<Self> {
        if self.cosize() > NEAR {
            return None;
        }
        match self.searched(NEAR) {
            Found::Inverse(inverse) => inverse.ok(),
            _ => None,
        }
    }

    /// Any left inverse of a layout whose offsets can be listed.
    fn searched(&self, most: u64) -> Found {
        if self.cosize() > COSIZE {
            return Found::Unknown;
        }
        // More coordinates than offsets: two share one, and there may be too many to list.
        if self.size() > self.cosize() {
            return Found::Nothing;
        }
        // In order of offset, which is the order in which equations can be written.
        let mut points: Vec<(u64, u64)> = self.offsets().zip(0..).collect();
        points.sort_unstable();
        let mut search = Search { points, cosize: self.cosize(), steps: 0, most, primes: Vec::new() };
        search.from(1, 0, &Equations::default())
    }
}

enum Found {
    Inverse(Box<Result<Layout>>),
    Nothing,
    Unknown,
}

struct Search {
    /// Offsets with their indices, in order.
    points: Vec<(u64, u64)>,
    cosize: u64,
    steps: u64,
    /// Steps after which the search ends.
    most: u64,
    /// The extents so far.
    primes: Vec<u64>,
}

impl Search {
    /// Goes on with modes that step by `below`; the points before `done` are in the equations.
    fn from(&mut self, below: u64, done: usize, equations: &Equations) -> Found {
        if below >= self.cosize {
            let mut strides = vec![None; self.primes.len()];
            return match solve(&equations.rows, &mut strides, &mut self.steps, self.most) {
                Some(true) => Found::Inverse(Box::new(self.layout(&strides))),
                Some(false) => Found::Nothing,
                None => Found::Unknown,
            };
        }
        let most = self.cosize.div_ceil(below);
        let mut unknown = false;
        for prime in (2..=most.max(2)).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d))) {
            // Beyond the last offset only one extent need be tried.
            let whole = below * prime >= self.cosize;
            self.primes.push(prime);
            let mut next = equations.clone();
            let mut reached = done;
            let mut holds = true;
            while let Some((offset, index)) = self.points.get(reached).copied() {
                if !whole && offset >= below * prime {
                    break;
                }
                self.steps += 1;
                let consistent = next.add(self.digits(offset), index);
                unknown |= consistent.is_none();
                holds = consistent.unwrap_or(false);
                if !holds {
                    break;
                }
                reached += 1;
            }
            if holds {
                match self.from(below * prime, reached, &next) {
                    Found::Nothing => {}
                    Found::Unknown => unknown = true,
                    found @ Found::Inverse(_) => return found,
                }
            }
            self.primes.pop();
            if self.steps > self.most {
                return Found::Unknown;
            }
            if whole {
                break;
            }
        }
        if unknown { Found::Unknown } else { Found::Nothing }
    }

    /// The layout with these strides; the last extent is as long as need be.
    fn layout(&self, strides: &[Option<u64>]) -> Result<Layout> {
        let last = self.primes.len().saturating_sub(1);
        let mut below = 1;
        let modes = self.primes.iter().zip(strides).enumerate().map(|(level, (prime, stride))| {
            let extent = if level == last { self.cosize.div_ceil(below) } else { *prime };
            below *= extent;
            Mode::new(extent, stride.unwrap_or_default())
        });
        Layout::from_modes(modes.collect::<Vec<_>>()).map(|layout| layout.coalesce())
    }

    /// The digits of an offset in the radix of the extents so far; the last one takes what is left.
    fn digits(&self, offset: u64) -> Vec<u64> {
        let mut rest = offset;
        let last = self.primes.len().saturating_sub(1);
        let digit = |(level, prime): (usize, &u64)| {
            let digit = if level == last { rest } else { rest % prime };
            rest /= prime;
            digit
        };
        self.primes.iter().enumerate().map(digit).collect()
    }
}

/// Equations between strides, `Σ factor · stride = index`, none of which follows from the others.
#[derive(Clone, Default)]
struct Equations {
    rows: Vec<Equation>,
}

#[derive(Clone)]
struct Equation {
    /// as it was written
    factors: Vec<u64>,
    index: u64,
    /// with the other rows taken off, in the first column that is left; the index comes last
    pivot: usize,
    reduced: Vec<i128>,
}

impl Equations {
    /// Adds an equation; false if it contradicts the others, `None` where the numbers grow too large to tell.
    fn add(&mut self, factors: Vec<u64>, index: u64) -> Option<bool> {
        let mut row: Vec<i128> = factors.iter().map(|factor| i128::from(*factor)).collect();
        let mut right = i128::from(index);
        for known in &self.rows {
            let Some(factor) = row.get(known.pivot).copied().filter(|factor| *factor != 0) else { continue };
            let scale = known.reduced.get(known.pivot).copied().unwrap_or(1);
            let Some((known_right, known_row)) = known.reduced.split_last() else { continue };
            for (column, value) in row.iter_mut().enumerate() {
                *value = minus(*value, scale, known_row.get(column).copied().unwrap_or(0), factor)?;
            }
            right = minus(right, scale, *known_right, factor)?;
            let common = row.iter().fold(right, |a, b| gcd(a, *b));
            if common > 1 {
                for value in &mut row {
                    *value /= common;
                }
                right /= common;
            }
        }
        let Some(pivot) = row.iter().position(|value| *value != 0) else { return Some(right == 0) };
        row.push(right);
        self.rows.push(Equation { factors, index, pivot, reduced: row });
        Some(true)
    }
}

/// `a·scale - b·factor`
fn minus(a: i128, scale: i128, b: i128, factor: i128) -> Option<i128> {
    a.checked_mul(scale)?.checked_sub(b.checked_mul(factor)?)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

/// Whether natural numbers solve the equations; they are in `strides` then. `None` after too many steps.
fn solve(rows: &[Equation], strides: &mut [Option<u64>], steps: &mut u64, most_steps: u64) -> Option<bool> {
    *steps += 1;
    if *steps > most_steps {
        return None;
    }
    // What is left of each equation: the strides that it still speaks of, and their sum.
    let mut left: Vec<(Vec<(usize, u64)>, u64)> = Vec::new();
    for Equation { factors, index, .. } in rows {
        let mut sum = 0_u64;
        let mut open = Vec::new();
        for (column, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor > 0) {
            match strides.get(column).copied().flatten() {
                Some(stride) => sum = sum.saturating_add(factor.saturating_mul(stride)),
                None => open.push((column, *factor)),
            }
        }
        match index.checked_sub(sum) {
            None => return Some(false),
            Some(rest) if open.is_empty() && rest > 0 => return Some(false),
            Some(_) if open.is_empty() => {}
            Some(rest) => left.push((open, rest)),
        }
    }
    // The equation with the fewest strides goes first: one alone is decided by it.
    let Some((open, rest)) = left.into_iter().min_by_key(|(open, rest)| (open.len(), *rest)) else { return Some(true) };
    let Some((column, factor)) = open.first().copied() else { return Some(true) };
    let most = rest / factor;
    let least = if open.len() == 1 { most } else { 0 };
    if open.len() == 1 && !rest.is_multiple_of(factor) {
        return Some(false);
    }
    for stride in least..=most {
        if let Some(slot) = strides.get_mut(column) {
            *slot = Some(stride);
        }
        match solve(rows, strides, steps, most_steps) {
            Some(false) => {}
            other => return other,
        }
    }
    if let Some(slot) = strides.get_mut(column) {
        *slot = None;
    }
    Some(false)
}
