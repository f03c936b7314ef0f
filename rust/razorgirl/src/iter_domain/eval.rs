//! From loop indices back to the tensor, and from the tensor forward to the loops.

use super::{Move, Schedule, Swizzle};
use crate::error::{Error, ErrorKind, Result};

impl Swizzle {
    /// y of an element whose permuted indices are (x, y); `None` where there is none within the integers.
    pub(super) fn backward(self, x: i128, y: i128, extent_x: u64, extent_y: u64) -> i128 {
        match self {
            Self::Xor => x ^ y,
            Self::Cyclic => (y - x).rem_euclid(i128::from(extent_x)),
            Self::ZShape if x % 2 == 0 => y,
            Self::ZShape => i128::from(extent_y) - 1 - y,
        }
    }

    /// The permuted y of the element (x, y).
    pub(super) fn forward(self, x: i128, y: i128, extent_x: u64, extent_y: u64) -> i128 {
        match self {
            Self::Cyclic => (x + y).rem_euclid(i128::from(extent_x)),
            // its own inverse
            other => other.backward(x, y, extent_x, extent_y),
        }
    }
}

impl Schedule {
    /// The index of every axis at a point of the loops; axes may be out of their range there.
    pub(super) fn backward(&self, point: &[u64]) -> Vec<i128> {
        let mut at = vec![0_i128; self.axis_count()];
        for (&axis, &index) in self.loops().iter().zip(point) {
            at[axis] = i128::from(index);
        }
        for step in self.moves().iter().rev() {
            match *step {
                Move::Split { input, outer, inner, factor } => at[input] = at[outer] * i128::from(factor) + at[inner],
                Move::Merge { outer, inner, output, factor } => {
                    at[outer] = at[output].div_euclid(i128::from(factor));
                    at[inner] = at[output].rem_euclid(i128::from(factor));
                }
                Move::Resize { input, output, left } => at[input] = at[output] - i128::from(left),
                Move::Swizzle { kind, from, to } => {
                    at[from.0] = at[to.0];
                    at[from.1] = kind.backward(at[to.0], at[to.1], self.extents[from.0], self.extents[from.1]);
                }
            }
        }
        at
    }

    /// The index of every axis at an element of the tensor.
    pub(super) fn forward(&self, element: &[u64]) -> Vec<i128> {
        let mut at: Vec<i128> = element.iter().map(|&index| i128::from(index)).collect();
        at.resize(self.axis_count(), 0);
        for step in self.moves() {
            match *step {
                Move::Split { input, outer, inner, factor } => {
                    at[outer] = at[input].div_euclid(i128::from(factor));
                    at[inner] = at[input].rem_euclid(i128::from(factor));
                }
                Move::Merge { outer, inner, output, factor } => at[output] = at[outer] * i128::from(factor) + at[inner],
                Move::Resize { input, output, left } => at[output] = at[input] + i128::from(left),
                Move::Swizzle { kind, from, to } => {
                    at[to.0] = at[from.0];
                    at[to.1] = kind.forward(at[from.0], at[from.1], self.extents[from.0], self.extents[from.1]);
                }
            }
        }
        at
    }

    pub(super) fn in_range(&self, axis: usize, index: i128) -> bool {
        (0..i128::from(self.extents[axis])).contains(&index)
    }

    /// The element of the tensor at a point of the loops; `None` where any axis on the way is out of range: a hole.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when the point is not one of the loops.
    pub fn index(&self, point: &[u64]) -> Result<Option<Vec<u64>>> {
        let extents = self.loop_extents();
        if point.len() != extents.len() {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("{} indices for {} loops", point.len(), extents.len()),
            )
            .with_help("give one index for each loop, outermost first"));
        }
        if let Some(position) = point.iter().zip(&extents).position(|(index, extent)| index >= extent) {
            return Err(Error::new(
                ErrorKind::OutOfDomain,
                format!("index {} of loop {position} is outside [0,{})", point[position], extents[position]),
            )
            .with_leaf(position));
        }
        let at = self.backward(point);
        let inside = at.iter().enumerate().all(|(axis, &index)| self.in_range(axis, index));
        // in range, so not negative
        Ok(inside.then(|| at[..self.roots()].iter().map(|&index| u64::try_from(index).unwrap_or(0)).collect()))
    }

    /// The index of every axis, by number, at a point of the loops; those out of range included.
    ///
    /// # Errors
    /// As [`index`](Self::index).
    pub fn axis_indices(&self, point: &[u64]) -> Result<Vec<i128>> {
        self.index(point)?;
        Ok(self.backward(point))
    }

    /// Where the loops meet an element of the tensor: one index for each loop, out of its range where a resize or a swizzle
    /// leaves the element out.
    ///
    /// # Errors
    /// As [`index`](Self::index), for the axes of the tensor.
    pub fn loop_indices(&self, element: &[u64]) -> Result<Vec<i128>> {
        Self::new(self.extents())?.index(element)?;
        let all = self.forward(element);
        Ok(self.loops().iter().map(|&axis| all[axis]).collect())
    }

    /// Points of the loops; `None` from 2^128 on.
    #[must_use]
    pub fn points(&self) -> Option<u128> {
        self.loop_extents().iter().try_fold(1_u128, |n, &extent| n.checked_mul(u128::from(extent)))
    }

    /// The element of the tensor as one number at each point of the loops, the last loop fastest, `None` for holes. The last
    /// axis of the tensor is the fastest.
    pub fn elements(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        points(self.loop_extents()).map(|point| {
            let at = self.backward(&point);
            at.iter().enumerate().all(|(axis, &index)| self.in_range(axis, index)).then(|| {
                let linear = at[..self.roots()]
                    .iter()
                    .zip(self.extents())
                    .fold(0_i128, |linear, (&index, &extent)| linear * i128::from(extent) + index);
                u64::try_from(linear).unwrap_or(0)
            })
        })
    }
}

/// All points of a box, the last index fastest.
pub(super) fn points(extents: Vec<u64>) -> impl Iterator<Item = Vec<u64>> {
    let mut next = Some(vec![0_u64; extents.len()]);
    std::iter::from_fn(move || {
        let point = next.take()?;
        let mut following = point.clone();
        for (index, &extent) in following.iter_mut().zip(&extents).rev() {
            *index += 1;
            if *index < extent {
                next = Some(following);
                break;
            }
            *index = 0;
        }
        Some(point)
    })
}
