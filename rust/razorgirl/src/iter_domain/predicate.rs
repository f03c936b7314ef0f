//! Which axes have to be checked so that no hole is touched.

use super::{Move, Schedule};

/// Why an axis has to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// It belongs to the tensor, and loop points may lie outside.
    Root,
    /// It is the inner part of a split, and can reach past its extent: unchecked it would stand for an element of the next
    /// outer index.
    InnerOfSplit,
    /// It is permuted with another one, and one of them can be out of range.
    Swizzled,
    /// It is resized to more than there is, on its way to the tensor.
    Resized,
}

/// An axis that has to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Predicate {
    /// the number of the axis; those of the tensor come first
    pub axis: usize,
    /// its extent: the check is `0 <= index < extent`
    pub extent: u64,
    /// why
    pub why: Why,
}

impl Schedule {
    /// The axes to check, by number: where they are in range, every axis is, so the point is no hole. The others need no check.
    ///
    /// An axis is unsafe when its index can be out of range although everything that is checked is in range. Walking from the
    /// loops to the tensor: the input of a split is unsafe when the outer one is, or when the split does not divide; an inner
    /// one that is unsafe has to be checked; of a merge the outer one is unsafe when the merged one is; a resized axis is
    /// unsafe when the resize added elements, or the resized one is.
    ///
    /// The tests are enough, not always needed: in `[2] split(0,4) resize(1,-1,-2)` the split makes holes, which the resize
    /// cuts off again. Linear in the number of steps. nvFuser: divisibility of splits, Theorems 1 to 4, with the case of
    /// resize added.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.predicates`
    #[must_use]
    pub fn predicates(&self) -> Vec<Predicate> {
        let mut unsafe_axis = vec![false; self.axis_count()];
        let mut found = Vec::new();
        let mut check = |axis: usize, why: Why, unsafe_axis: &mut Vec<bool>| {
            unsafe_axis[axis] = false;
            found.push(Predicate { axis, extent: self.extents[axis], why });
        };
        for step in self.moves().iter().rev() {
            match *step {
                Move::Split { input, outer, inner, .. } => {
                    if unsafe_axis[inner] {
                        check(inner, Why::InnerOfSplit, &mut unsafe_axis);
                    }
                    let divides = self.extents[outer].checked_mul(self.extents[inner]) == Some(self.extents[input]);
                    unsafe_axis[input] = unsafe_axis[outer] || !divides;
                }
                Move::Merge { outer, output, .. } => unsafe_axis[outer] = unsafe_axis[output],
                Move::Resize { input, output, left } => {
                    let right = i128::from(self.extents[output]) - i128::from(self.extents[input]) - i128::from(left);
                    if unsafe_axis[output] && (left < 0 || right < 0) {
                        // what is cut off would come back into range unseen
                        check(output, Why::Resized, &mut unsafe_axis);
                    }
                    unsafe_axis[input] = unsafe_axis[output] || left > 0 || right > 0;
                }
                Move::Swizzle { kind, from, to } => {
                    for axis in [to.0, to.1] {
                        if unsafe_axis[axis] {
                            check(axis, Why::Swizzled, &mut unsafe_axis);
                        }
                    }
                    unsafe_axis[from.0] = false;
                    unsafe_axis[from.1] = !self.stays_inside(kind, from.0, from.1);
                }
            }
        }
        for (axis, _) in unsafe_axis.iter().enumerate().take(self.roots()).filter(|(_, is)| **is) {
            found.push(Predicate { axis, extent: self.extents[axis], why: Why::Root });
        }
        found.sort_by_key(|predicate| predicate.axis);
        found
    }

    /// Whether a swizzle of these axes takes every point of their box back into it.
    fn stays_inside(&self, kind: super::Swizzle, x: usize, y: usize) -> bool {
        let (x, y) = (self.extents[x], self.extents[y]);
        match kind {
            super::Swizzle::Xor => y.is_multiple_of(x.next_power_of_two()),
            super::Swizzle::Cyclic => x <= y,
            super::Swizzle::ZShape => true,
        }
    }
}
