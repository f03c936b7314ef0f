//! Whether two schedules are the same program.

use super::eval::Points;
use super::index::{Indices, Sum};
use super::{IndexedStep, MAX_WORK, Schedule, Swizzle};
use alloc::vec::Vec;

/// Which equality is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Equality {
    /// The same loops, and at every point of them the same element, or a hole of both: what generated code does.
    #[default]
    Program,
    /// The same loops, and at every point of them the same index of the tensor, of holes too: nvFuser's equality. It does not
    /// see which axes on the way are left, so `[4] resize(0,0,-2) resize(0,0,2)` is `[4]` to it, though two elements are lost.
    E2,
    /// The same loops, and every element of the tensor at the same point of them, or lost in both: the point is where the steps
    /// take the element to, if that point computes it; if not, the element is lost. So `[4]` and
    /// `[4] resize(0,-1,0) resize(0,1,0)` differ at element 0. A cyclic swizzle whose second axis is the longer one also computes
    /// elements at other points; these are not compared.
    ValidItems,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Equivalence {
    /// They are the same.
    Equal {
        /// whether loop points were enumerated
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
        /// a point of the loops; for [`Equality::ValidItems`] an element of the tensor
        at: Vec<u64>,
        /// the element there in the first schedule, `None` for a hole; for [`Equality::E2`] the index, wherever it is; for
        /// [`Equality::ValidItems`] the point of the loops, `None` where the element is computed at none
        left: Option<Vec<i128>>,
        /// the same in the second one
        right: Option<Vec<i128>>,
    },
    /// Not decided: the rules do not show them equal, no difference was found, and there is too much to go through.
    Unknown {
        /// the largest product of points, axes and steps that is enumerated
        bound: u128,
    },
}

/// Points in between that are tried, before all are.
const SCATTERED: usize = 1 << 10;

/// What trying points may cost: points times axes.
const TRIED: usize = 1 << 24;

/// What a schedule makes of a point.
enum Image {
    /// a hole
    Hole,
    /// an element, an index, or a point of the loops
    At(Vec<i128>),
    /// an index that 127 bits do not hold
    Beyond,
}

/// Images by the loops' indices, and what has to be in range, each with its extent.
type Expressions = (Vec<Sum>, Vec<(Sum, u64)>);

impl Schedule {
    /// Whether two schedules are the same program: the same loops, and at every point of them the same element, or a hole of
    /// both. [`equivalent_by`](Self::equivalent_by) for [`Equality::Program`].
    ///
    /// ```
    /// use razorgirl::iter_domain::{Equivalence, Schedule};
    ///
    /// // splitting twice: nvFuser, IterDomain Theorem 2.1
    /// let left: Schedule = "[7777] split(0,8) split(0,4)".parse()?;
    /// let right: Schedule = "[7777] split(0,32) split(1,8)".parse()?;
    /// assert_eq!(left.equivalent(&right), Equivalence::Equal { enumerated: false });
    /// // elements 2 and 3 are cut off, and holes put in their place
    /// let left: Schedule = "[4] resize(0,0,-2) resize(0,0,2)".parse()?;
    /// let differ = Equivalence::Differ { at: vec![3], left: None, right: Some(vec![3]) };
    /// assert_eq!(left.equivalent(&"[4]".parse()?), differ);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.equivalent`
    #[must_use]
    pub fn equivalent(&self, other: &Self) -> Equivalence {
        self.equivalent_by(other, Equality::Program)
    }

    /// Whether two schedules are equal in the given sense.
    ///
    /// First the index expressions are [simplified](crate::int::simplify) and compared. If that does not prove them equal, points at
    /// which schedules often differ are compared, then all points, while points times axes and steps are at most [`MAX_WORK`].
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.equivalentE1`, `Razorgirl.IterDomain.Schedule.equivalentE2`
    /// Lean: `Razorgirl.IterDomain.Schedule.place`
    #[must_use]
    pub fn equivalent_by(&self, other: &Self, which: Equality) -> Equivalence {
        if self.extents() != other.extents() {
            return Equivalence::Extents { left: self.extents().to_vec(), right: other.extents().to_vec() };
        }
        let (left, right) = (self.loop_extents(), other.loop_extents());
        if left != right {
            return Equivalence::Extents { left, right };
        }
        if self.steps() == other.steps() {
            return Equivalence::Equal { enumerated: false };
        }
        let domain = match which {
            Equality::Program | Equality::E2 => left,
            Equality::ValidItems => self.extents().to_vec(),
        };
        if self.shown_equal(other, which, &domain) == Some(true) {
            return Equivalence::Equal { enumerated: false };
        }
        let (mut a, mut b) = (self.blank(), other.blank());
        let mut undecided = false;
        let mut differ = |at: &[u64]| match (self.image(at, which, &mut a), other.image(at, which, &mut b)) {
            (Image::Hole, Image::Hole) => None,
            (Image::At(left), Image::At(right)) if left == right => None,
            (Image::Beyond, _) | (_, Image::Beyond) => {
                undecided = true;
                None
            }
            (left, right) => {
                Some(Equivalence::Differ { at: at.to_vec(), left: left.element(), right: right.element() })
            }
        };
        let most = TRIED / (self.axis_count() + other.axis_count()).max(1);
        if let Some(found) = suspects(&domain).into_iter().take(most).find_map(|point| differ(&point)) {
            return found;
        }
        let points = domain.iter().try_fold(1_u128, |n, &extent| n.checked_mul(u128::from(extent)));
        let work = points.and_then(|points| self.work(points)?.checked_add(other.work(points)?));
        let unknown = Equivalence::Unknown { bound: MAX_WORK };
        if work.is_none_or(|work| work > MAX_WORK) {
            return unknown;
        }
        let mut points = Points::new(domain);
        while let Some(point) = points.next() {
            if let Some(found) = differ(point) {
                return found;
            }
        }
        if undecided { unknown } else { Equivalence::Equal { enumerated: true } }
    }

    fn image(&self, point: &[u64], which: Equality, at: &mut [i128]) -> Image {
        match which {
            Equality::Program if self.visit(point, at) => Image::At(at[..self.roots()].to_vec()),
            Equality::Program => Image::Hole,
            Equality::E2 => match self.backward(point, at) {
                Some(()) => Image::At(at[..self.roots()].to_vec()),
                None => Image::Beyond,
            },
            Equality::ValidItems => match self.forward(point, at) {
                Some(()) => self.place(point, at),
                None => Image::Beyond,
            },
        }
    }

    /// The point of the loops that an element goes to, a hole unless that point computes the element.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.place`
    fn place(&self, element: &[u64], at: &mut [i128]) -> Image {
        let reached: Vec<i128> = self.loops().iter().map(|&axis| at[axis]).collect();
        let inside = self.loops().iter().zip(&reached).all(|(&axis, &index)| self.in_range(axis, index));
        // in range, so not negative
        let point: Vec<u64> = reached.iter().map(|&index| u64::try_from(index).unwrap_or(0)).collect();
        let computes = inside && self.visit(&point, at);
        if computes && at.iter().zip(element).all(|(&index, &own)| index == i128::from(own)) {
            Image::At(reached)
        } else {
            Image::Hole
        }
    }

    /// Whether the simplifier shows that both have the same images. Where it does not, they may have.
    fn shown_equal(&self, other: &Self, which: Equality, domain: &[u64]) -> Option<bool> {
        let mut indices = Indices::new(domain);
        let (left, left_checks) = self.expressions(which, &mut indices)?;
        let (right, right_checks) = other.expressions(which, &mut indices)?;
        indices.equal(&left, &right)?.then(|| indices.equal_checks(&left_checks, &right_checks))?
    }

    /// What [`image`](Self::image) computes, as expressions; with it what has to be in range for a point not to be a hole
    /// ([`Equality::Program`]), or for an element not to be lost ([`Equality::ValidItems`]). The same expressions are the same images;
    /// different ones may be.
    fn expressions(&self, which: Equality, indices: &mut Indices) -> Option<Expressions> {
        match which {
            Equality::Program => self.backward_expressions(true, indices),
            Equality::E2 => self.backward_expressions(false, indices),
            Equality::ValidItems => self.forward_expressions(indices),
        }
    }

    /// The tensor's indices by the loops', and what the rule for holes wants checked besides them, by the loops' too.
    fn backward_expressions(&self, holes: bool, indices: &mut Indices) -> Option<Expressions> {
        let mut at: Vec<Sum> = vec![Sum::default(); self.axis_count()];
        for (number, &axis) in self.loops().iter().enumerate() {
            at[axis] = indices.index(number);
        }
        // a point is a hole exactly where one of these or an index of the tensor is out of range
        let checked = if holes { self.predicates() } else { vec![] };
        let mut checks = vec![];
        let mut check = |axis: usize, sum: &Sum, indices: &Indices| {
            if let Ok(n) = checked.binary_search_by_key(&axis, |predicate| predicate.axis) {
                let extent = checked[n].extent;
                if !indices.is_below(sum, extent)? {
                    checks.push((sum.clone(), extent));
                }
            }
            Some(())
        };
        for step in self.moves().iter().rev() {
            // each axis is an output once: what it was need not be kept
            match *step {
                IndexedStep::Split { input, outer, inner, factor } => {
                    let (outer_sum, inner_sum) = (core::mem::take(&mut at[outer]), core::mem::take(&mut at[inner]));
                    check(outer, &outer_sum, indices)?;
                    check(inner, &inner_sum, indices)?;
                    at[input] = indices.plus(&inner_sum, factor.into(), &outer_sum)?;
                }
                IndexedStep::Merge { outer, inner, output, factor } => {
                    let sum = core::mem::take(&mut at[output]);
                    check(output, &sum, indices)?;
                    at[outer] = indices.div(&sum, factor)?;
                    at[inner] = indices.rem(&sum, factor)?;
                }
                IndexedStep::Resize { input, output, left: front } => {
                    let sum = core::mem::take(&mut at[output]);
                    check(output, &sum, indices)?;
                    at[input] = indices.shift(&sum, -i128::from(front))?;
                }
                IndexedStep::Swizzle { kind: Swizzle::Xor, from, to } => {
                    let (x, y) = (core::mem::take(&mut at[to.0]), core::mem::take(&mut at[to.1]));
                    check(to.0, &x, indices)?;
                    check(to.1, &y, indices)?;
                    at[from.1] = indices.xor(&x, &y)?;
                    at[from.0] = x;
                }
                IndexedStep::Swizzle { .. } => return None,
            }
        }
        at.truncate(self.roots());
        checks.sort();
        checks.dedup();
        Some((at, checks))
    }

    /// The loops' indices by the tensor's, and what has to be in range for the element not to be lost.
    ///
    /// Splits and merges take what is in range into range, and so does the way back. Resizes and exclusive ors may not: an
    /// element is lost exactly where one of their outputs is out of range.
    fn forward_expressions(&self, indices: &mut Indices) -> Option<Expressions> {
        let mut at: Vec<Sum> = vec![Sum::default(); self.axis_count()];
        for (number, sum) in at.iter_mut().enumerate().take(self.roots()) {
            *sum = indices.index(number);
        }
        let mut checks = vec![];
        let mut check = |axis: usize, sum: &Sum, indices: &Indices| {
            let extent = self.extents[axis];
            if !indices.is_below(sum, extent)? {
                checks.push((sum.clone(), extent));
            }
            Some(())
        };
        for step in self.moves() {
            match *step {
                IndexedStep::Split { input, outer, inner, factor } => {
                    let sum = core::mem::take(&mut at[input]);
                    at[outer] = indices.div(&sum, factor)?;
                    at[inner] = indices.rem(&sum, factor)?;
                }
                IndexedStep::Merge { outer, inner, output, factor } => {
                    let (outer_sum, inner_sum) = (core::mem::take(&mut at[outer]), core::mem::take(&mut at[inner]));
                    at[output] = indices.plus(&inner_sum, factor.into(), &outer_sum)?;
                }
                IndexedStep::Resize { input, output, left: front } => {
                    let sum = core::mem::take(&mut at[input]);
                    at[output] = indices.shift(&sum, front.into())?;
                    check(output, &at[output], indices)?;
                }
                IndexedStep::Swizzle { kind: Swizzle::Xor, from, to } => {
                    let (x, y) = (core::mem::take(&mut at[from.0]), core::mem::take(&mut at[from.1]));
                    at[to.1] = indices.xor(&x, &y)?;
                    check(to.1, &at[to.1], indices)?;
                    at[to.0] = x;
                }
                IndexedStep::Swizzle { .. } => return None,
            }
        }
        checks.sort();
        checks.dedup();
        Some((self.loops().iter().map(|&axis| core::mem::take(&mut at[axis])).collect(), checks))
    }
}

impl Image {
    fn element(self) -> Option<Vec<i128>> {
        match self {
            Self::At(indices) => Some(indices),
            Self::Hole | Self::Beyond => None,
        }
    }
}

/// Points at which schedules that differ are likely to: the corners, where one index moves on, and some in between.
fn suspects(extents: &[u64]) -> Vec<Vec<u64>> {
    let last: Vec<u64> = extents.iter().map(|extent| extent - 1).collect();
    let mut found = vec![vec![0; extents.len()], last.clone()];
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
