//! Whether two schedules are the same loop nest.

use super::expr::{Ranges, Sum};
use super::{Move, Schedule, Swizzle, eval};

/// Which equality is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// The same loops, and the same index of the tensor at every point of them, holes included: what generated code does.
    #[default]
    Loops,
    /// The same loops, and every element of the tensor at the same point of them.
    ValidItems,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// They are the same.
    Equal {
        /// whether points had to be gone through
        enumerated: bool,
    },
    /// They have different tensors, or different loops.
    Extents {
        /// of the tensor or of the loops, in the first schedule
        left: Vec<u64>,
        /// the same in the second one
        right: Vec<u64>,
    },
    /// They differ.
    Differ {
        /// a point of the loops; for [`Which::ValidItems`] an element of the tensor
        at: Vec<u64>,
        /// the element there in the first schedule, or the point of the loops; may be out of range
        left: Vec<i128>,
        /// the same in the second one
        right: Vec<i128>,
    },
    /// Not decided: the rules do not show them equal, no difference was found, and there are too many points.
    Unknown {
        /// points that would have been gone through
        bound: u64,
    },
}

/// Points in between that are tried, before all are.
const SCATTERED: usize = 1 << 10;

/// Points that are gone through at most.
const BOUND: u64 = 1 << 22;

impl Schedule {
    /// Whether two schedules are the same.
    ///
    /// Index expressions are brought to a normal form first, which costs nothing like an enumeration; where that does not show
    /// them equal, points that tell schedules apart are tried, then all points, up to 2^22 of them.
    ///
    /// ```
    /// use razorgirl::iter_domain::{Equivalence, Schedule, Which};
    ///
    /// // splitting twice: nvFuser, IterDomain Theorem 2.1
    /// let left: Schedule = "[7777] split(0,8) split(0,4)".parse()?;
    /// let right: Schedule = "[7777] split(0,32) split(1,8)".parse()?;
    /// assert_eq!(left.equivalent(&right, Which::Loops), Equivalence::Equal { enumerated: false });
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn equivalent(&self, other: &Self, which: Which) -> Equivalence {
        if self.extents() != other.extents() {
            return Equivalence::Extents { left: self.extents().to_vec(), right: other.extents().to_vec() };
        }
        let (left, right) = (self.loop_extents(), other.loop_extents());
        if left != right {
            return Equivalence::Extents { left, right };
        }
        let domain = match which {
            Which::Loops => left,
            Which::ValidItems => self.extents().to_vec(),
        };
        if self.steps() == other.steps() {
            return Equivalence::Equal { enumerated: false };
        }
        let ranges = Ranges(&domain);
        let mine = self.expressions(which, &ranges);
        if mine.is_some() && mine == other.expressions(which, &ranges) {
            return Equivalence::Equal { enumerated: false };
        }
        let differ = |at: Vec<u64>| {
            let (left, right) = (self.image(&at, which), other.image(&at, which));
            (left != right).then_some(Equivalence::Differ { at, left, right })
        };
        if let Some(found) = suspects(&domain).into_iter().find_map(differ) {
            return found;
        }
        let points = domain.iter().try_fold(1_u64, |n, &extent| n.checked_mul(extent)).filter(|&n| n <= BOUND);
        if points.is_none() {
            return Equivalence::Unknown { bound: BOUND };
        }
        eval::points(domain).find_map(differ).unwrap_or(Equivalence::Equal { enumerated: true })
    }

    fn image(&self, at: &[u64], which: Which) -> Vec<i128> {
        match which {
            Which::Loops => {
                let mut all = self.backward(at);
                all.truncate(self.roots());
                all
            }
            Which::ValidItems => {
                let all = self.forward(at);
                self.loops().iter().map(|&axis| all[axis]).collect()
            }
        }
    }

    /// What [`image`](Self::image) computes, as expressions.
    fn expressions(&self, which: Which, ranges: &Ranges<'_>) -> Option<Vec<Sum>> {
        let mut at: Vec<Sum> = vec![Sum::default(); self.axis_count()];
        let times = |factor: u64| i128::from(factor);
        match which {
            Which::Loops => {
                for (number, &axis) in self.loops().iter().enumerate() {
                    at[axis] = single(number, ranges);
                }
                for step in self.moves().iter().rev() {
                    match *step {
                        Move::Split { input, outer, inner, factor } => {
                            at[input] = at[inner].clone().plus(times(factor), &at[outer], ranges)?;
                        }
                        Move::Merge { outer, inner, output, factor } => {
                            at[outer] = at[output].clone().over(times(factor), ranges)?;
                            at[inner] = at[output].clone().modulo(times(factor), ranges)?;
                        }
                        Move::Resize { input, output, left } => {
                            at[input] = at[output].clone().plus(-1, &Sum::constant(i128::from(left)), ranges)?;
                        }
                        Move::Swizzle { kind: Swizzle::Xor, from, to } => {
                            at[from.0] = at[to.0].clone();
                            at[from.1] = at[to.0].clone().xor(at[to.1].clone(), ranges)?;
                        }
                        Move::Swizzle { .. } => return None,
                    }
                }
                at.truncate(self.roots());
                Some(at)
            }
            Which::ValidItems => {
                for (number, sum) in at.iter_mut().enumerate().take(self.roots()) {
                    *sum = single(number, ranges);
                }
                for step in self.moves() {
                    match *step {
                        Move::Split { input, outer, inner, factor } => {
                            at[outer] = at[input].clone().over(times(factor), ranges)?;
                            at[inner] = at[input].clone().modulo(times(factor), ranges)?;
                        }
                        Move::Merge { outer, inner, output, factor } => {
                            at[output] = at[inner].clone().plus(times(factor), &at[outer], ranges)?;
                        }
                        Move::Resize { input, output, left } => {
                            at[output] = at[input].clone().plus(1, &Sum::constant(i128::from(left)), ranges)?;
                        }
                        Move::Swizzle { kind: Swizzle::Xor, from, to } => {
                            at[to.0] = at[from.0].clone();
                            at[to.1] = at[from.0].clone().xor(at[from.1].clone(), ranges)?;
                        }
                        Move::Swizzle { .. } => return None,
                    }
                }
                Some(self.loops().iter().map(|&axis| at[axis].clone()).collect())
            }
        }
    }
}

/// An index; 0 where there is only one.
fn single(number: usize, ranges: &Ranges<'_>) -> Sum {
    if ranges.0.get(number) == Some(&1) { Sum::default() } else { Sum::index(number) }
}

/// Points at which schedules that differ are likely to: the corners, where one index moves on, and some in between.
fn suspects(extents: &[u64]) -> Vec<Vec<u64>> {
    let last: Vec<u64> = extents.iter().map(|extent| extent - 1).collect();
    let mut found = vec![last.clone()];
    for (i, &extent) in extents.iter().enumerate().take(32) {
        for value in [1, 2, extent / 2, extent.saturating_sub(2), extent - 1] {
            for base in [&vec![0; extents.len()], &last] {
                let mut point = base.clone();
                if value < extent {
                    point[i] = value;
                    found.push(point);
                }
            }
        }
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..SCATTERED {
        found.push(
            extents
                .iter()
                .map(|extent| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    state % extent
                })
                .collect(),
        );
    }
    found
}
