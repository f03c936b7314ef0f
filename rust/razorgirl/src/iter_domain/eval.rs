//! From loop indices back to the tensor, and from the tensor forward to the loops.
//!
//! Indices that exist are below 2^62. Those of holes can be anything: with `[1] split(0,F) split(0,F) split(0,F) resize(0,1,0)`
//! and F = 2^60 the first loop point goes back to index -2^180. So whether a point is a hole is decided at the first axis
//! that is left, and where indices of holes are asked for, arithmetic is checked.

use super::{IndexedStep, MAX_POINTS, MAX_WORK, Schedule, Swizzle};
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

impl Swizzle {
    /// y of the element whose permuted indices are (x, y); `None` beyond 127 bits.
    fn backward(self, x: i128, y: i128, extent_x: u64, extent_y: u64) -> Option<i128> {
        match self {
            Self::Xor => Some(x ^ y),
            Self::Cyclic => Some(y.checked_sub(x)?.rem_euclid(i128::from(extent_x))),
            Self::ZShape if x % 2 == 0 => Some(y),
            Self::ZShape => (i128::from(extent_y) - 1).checked_sub(y),
        }
    }

    /// The permuted y of the element (x, y); `None` beyond 127 bits.
    fn forward(self, x: i128, y: i128, extent_x: u64, extent_y: u64) -> Option<i128> {
        match self {
            Self::Cyclic => Some(x.checked_add(y)?.rem_euclid(i128::from(extent_x))),
            // its own inverse
            other => other.backward(x, y, extent_x, extent_y),
        }
    }
}

impl IndexedStep {
    /// Puts the indices of the inputs in, from those of the outputs; `None` beyond 127 bits.
    fn back(&self, at: &mut [i128], extents: &[u64]) -> Option<()> {
        match *self {
            Self::Split { input, outer, inner, factor } => {
                at[input] = at[outer].checked_mul(i128::from(factor))?.checked_add(at[inner])?;
            }
            Self::Merge { outer, inner, output, factor } => {
                at[outer] = at[output].div_euclid(i128::from(factor));
                at[inner] = at[output].rem_euclid(i128::from(factor));
            }
            Self::Resize { input, output, left } => at[input] = at[output].checked_sub(i128::from(left))?,
            Self::Swizzle { kind, from, to } => {
                at[from.0] = at[to.0];
                at[from.1] = kind.backward(at[to.0], at[to.1], extents[from.0], extents[from.1])?;
            }
        }
        Some(())
    }

    /// Puts the indices of the outputs in, from those of the inputs; `None` beyond 127 bits.
    fn forth(&self, at: &mut [i128], extents: &[u64]) -> Option<()> {
        match *self {
            Self::Split { input, outer, inner, factor } => {
                at[outer] = at[input].div_euclid(i128::from(factor));
                at[inner] = at[input].rem_euclid(i128::from(factor));
            }
            Self::Merge { outer, inner, output, factor } => {
                at[output] = at[outer].checked_mul(i128::from(factor))?.checked_add(at[inner])?;
            }
            Self::Resize { input, output, left } => at[output] = at[input].checked_add(i128::from(left))?,
            Self::Swizzle { kind, from, to } => {
                at[to.0] = at[from.0];
                at[to.1] = kind.forward(at[from.0], at[from.1], extents[from.0], extents[from.1])?;
            }
        }
        Some(())
    }

    /// What the move takes.
    fn inputs(&self) -> [usize; 2] {
        match *self {
            Self::Split { input, .. } | Self::Resize { input, .. } => [input, input],
            Self::Merge { outer, inner, .. } => [outer, inner],
            Self::Swizzle { from, .. } => [from.0, from.1],
        }
    }
}

#[cold]
pub(super) fn beyond() -> Error {
    Error::new(ErrorKind::Overflow, "an index of this point is beyond 127 bits, far outside of its axis")
        .with_help("ask whether the point is a hole: it is")
}

impl Schedule {
    /// One number for each axis.
    pub(super) fn blank(&self) -> Vec<i128> {
        vec![0; self.axis_count()]
    }

    pub(super) fn in_range(&self, axis: usize, index: i128) -> bool {
        (0..i128::from(self.extents[axis])).contains(&index)
    }

    /// Whether a point of the loops is not a hole; then `at` holds the index of every axis.
    pub(super) fn visit(&self, point: &[u64], at: &mut [i128]) -> bool {
        for (&axis, &index) in self.loops().iter().zip(point) {
            at[axis] = i128::from(index);
        }
        // each axis but the loops is an input once
        self.moves().iter().rev().all(|step| {
            step.back(at, &self.extents).is_some() && step.inputs().iter().all(|&axis| self.in_range(axis, at[axis]))
        })
    }

    /// The index of every axis at a point of the loops, wherever that is; `None` beyond 127 bits.
    pub(super) fn backward(&self, point: &[u64], at: &mut [i128]) -> Option<()> {
        for (&axis, &index) in self.loops().iter().zip(point) {
            at[axis] = i128::from(index);
        }
        self.moves().iter().rev().try_for_each(|step| step.back(at, &self.extents))
    }

    /// The index of every axis at an element of the tensor; `None` beyond 127 bits.
    pub(super) fn forward(&self, element: &[u64], at: &mut [i128]) -> Option<()> {
        for (index, &given) in at.iter_mut().zip(element) {
            *index = i128::from(given);
        }
        self.moves().iter().try_for_each(|step| step.forth(at, &self.extents))
    }

    /// The element of the tensor at a point of the loops; `None` where any axis on the way is out of range: a hole.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.element`
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) unless there is one index for each loop,
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when an index is not below the extent of its loop.
    pub fn index(&self, point: &[u64]) -> Result<Option<Vec<u64>>> {
        within(point, &self.loop_extents(), "loop", "outermost first")?;
        let mut at = self.blank();
        // in range, so not negative
        Ok(self
            .visit(point, &mut at)
            .then(|| at[..self.roots()].iter().map(|&index| u64::try_from(index).unwrap_or(0)).collect()))
    }

    /// The index of every axis, by number, at a point of the loops; those out of range included.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.domains`
    ///
    /// # Errors
    /// As [`index`](Self::index); [`Overflow`](ErrorKind::Overflow) where an index of a hole is beyond 127 bits.
    pub fn axis_indices(&self, point: &[u64]) -> Result<Vec<i128>> {
        within(point, &self.loop_extents(), "loop", "outermost first")?;
        let mut at = self.blank();
        self.backward(point, &mut at).ok_or_else(beyond)?;
        Ok(at)
    }

    /// Where the loops meet an element of the tensor: one index for each loop, out of its range where a resize or a swizzle
    /// leaves the element out.
    ///
    /// # Errors
    /// As [`axis_indices`](Self::axis_indices), for the axes of the tensor.
    pub fn loop_indices(&self, element: &[u64]) -> Result<Vec<i128>> {
        within(element, self.extents(), "axis", "in the order of the tensor")?;
        let mut at = self.blank();
        self.forward(element, &mut at).ok_or_else(beyond)?;
        Ok(self.loops().iter().map(|&axis| at[axis]).collect())
    }

    /// Points of the loops; `None` from 2^128 on.
    #[must_use]
    pub fn points(&self) -> Option<u128> {
        self.loop_extents().iter().try_fold(1_u128, |n, &extent| n.checked_mul(u128::from(extent)))
    }

    /// What going through all points of a box costs: points, times steps and axes. `None` from 2^128 on.
    pub(super) fn work(&self, points: u128) -> Option<u128> {
        points.checked_mul((self.axis_count() + self.steps().len()).max(1) as u128)
    }

    pub(super) fn passable(&self, most: u128) -> Result<u128> {
        let all = self.points().filter(|&points| points <= most);
        let Some(points) = all else {
            return Err(Error::new(ErrorKind::TooLarge, format!("the loops have more than {most} points"))
                .with_help("ask with smaller extents"));
        };
        match self.work(points) {
            Some(work) if work <= MAX_WORK => Ok(points),
            _ => Err(Error::new(
                ErrorKind::TooLarge,
                format!(
                    "{points} loop points times {} axes and {} steps are more than {MAX_WORK}",
                    self.axis_count(),
                    self.steps().len()
                ),
            )
            .with_help("ask with smaller extents, or with fewer steps")),
        }
    }

    /// The element of the tensor as one number at each point of the loops, the last loop fastest, `None` for holes. The last
    /// axis of the tensor is the fastest.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.elements`
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) for more than [`MAX_POINTS`] points, or when points times axes and steps are more
    /// than [`MAX_WORK`].
    pub fn elements(&self) -> Result<impl Iterator<Item = Option<u64>> + '_> {
        self.passable(u128::from(MAX_POINTS))?;
        let mut at = self.blank();
        let mut points = Points::new(self.loop_extents());
        Ok(core::iter::from_fn(move || {
            let point = points.next()?;
            Some(self.visit(point, &mut at).then(|| {
                at[..self.roots()].iter().zip(self.extents()).fold(0_u64, |linear, (&index, &extent)| {
                    // in range, and the tensor has less than 2^62 elements
                    linear * extent + u64::try_from(index).unwrap_or(0)
                })
            }))
        }))
    }

    /// The number of loop points that are holes. Constant time if all steps are splits, merges and reorders: then each element has
    /// exactly one loop point.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) if points must be enumerated, and points times axes and steps exceed [`MAX_WORK`]; or if
    /// there are 2^128 points or more.
    ///
    /// ```
    /// use razorgirl::iter_domain::Schedule;
    ///
    /// assert_eq!("[10] split(0,3)".parse::<Schedule>()?.holes()?, 2);
    /// // the split does not divide, but its holes are cut off again
    /// assert_eq!("[2] split(0,4) resize(1,-1,-2)".parse::<Schedule>()?.holes()?, 0);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn holes(&self) -> Result<u128> {
        let plain = |step: &IndexedStep| matches!(step, IndexedStep::Split { .. } | IndexedStep::Merge { .. });
        if let Some(points) = self.points().filter(|_| self.moves().iter().all(plain)) {
            let size: u128 = self.extents().iter().map(|&extent| u128::from(extent)).product();
            return Ok(points - size);
        }
        self.passable(u128::MAX)?;
        let (mut at, mut points, mut holes) = (self.blank(), Points::new(self.loop_extents()), 0_u128);
        while let Some(point) = points.next() {
            holes += u128::from(!self.visit(point, &mut at));
        }
        Ok(holes)
    }
}

fn within(point: &[u64], extents: &[u64], what: &str, order: &str) -> Result<()> {
    if point.len() != extents.len() {
        let plural = if what == "axis" { "axes" } else { "loops" };
        return Err(Error::new(
            ErrorKind::Incongruent,
            format!("{} indices for {} {plural}", point.len(), extents.len()),
        )
        .with_help(format!("give one index for each {what}, {order}")));
    }
    match point.iter().zip(extents).position(|(index, extent)| index >= extent) {
        None => Ok(()),
        Some(position) => Err(Error::new(
            ErrorKind::OutOfDomain,
            format!("index {} of {what} {position} is outside [0,{})", point[position], extents[position]),
        )
        .with_help(format!("give an index below {}", extents[position]))
        .with_leaf(position)),
    }
}

/// All points of a box one after another, the last index fastest, in one place.
#[derive(Debug)]
pub(super) struct Points {
    extents: Vec<u64>,
    at: Vec<u64>,
    begun: bool,
}

impl Points {
    pub fn new(extents: Vec<u64>) -> Self {
        let at = vec![0; extents.len()];
        Self { extents, at, begun: false }
    }

    /// The next one; the first index of a box without indices is its only point.
    pub fn next(&mut self) -> Option<&[u64]> {
        if !core::mem::replace(&mut self.begun, true) {
            return Some(&self.at);
        }
        for (index, &extent) in self.at.iter_mut().zip(&self.extents).rev() {
            *index += 1;
            if *index < extent {
                return Some(&self.at);
            }
            *index = 0;
        }
        // around once
        None
    }
}
