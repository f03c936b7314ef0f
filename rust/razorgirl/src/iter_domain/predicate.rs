//! Which axes have to be checked so that no hole is touched.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::eval::{Points, beyond};
use super::{IndexedStep, MAX_POINTS, Schedule};
use crate::error::Result;

/// Why the bounds of an axis must be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PredicateReason {
    /// It is an axis of the tensor, and the index may be out of range.
    Root,
    /// It is the inner axis of a split, and its index can exceed its extent: unchecked, it would access an element of the next
    /// outer index.
    InnerOfSplit,
    /// A swizzle permutes it, and one of the two swizzled indices can be out of range.
    Swizzled,
    /// A resize cut off some of its indices: an index that was cut off can come back into range in an axis nearer to the tensor.
    Resized,
}

/// An axis whose bounds must be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Predicate {
    /// the number of the axis; those of the tensor come first
    pub axis: usize,
    /// its extent: the check is `0 <= index < extent`
    pub extent: u64,
    /// why
    pub why: PredicateReason,
}

impl Schedule {
    /// The axes whose bounds must be checked, by number: if their indices are in range, all indices are, and the point is not a hole.
    ///
    /// An axis is unsafe if its index can be out of range although all checked indices are in range. From the loops to the
    /// tensor: the input of a split is unsafe if the outer axis is unsafe or the factor does not divide the extent; an unsafe
    /// inner axis must be checked; the outer input of a merge is unsafe if the merged axis is; the input of a resize is unsafe
    /// if the resize adds elements or its output is unsafe.
    ///
    /// The checks are sufficient, not always necessary: in `[2] split(0,4) resize(1,-1,-2)` the split makes holes, which the
    /// resize cuts off again. Linear in the number of steps. nvFuser: divisibility of splits, Theorems 1 to 4, with the case of
    /// resize added.
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.predicates`
    #[must_use]
    pub fn predicates(&self) -> Vec<Predicate> {
        let mut unsafe_axis = vec![false; self.axis_count()];
        let mut found = Vec::new();
        let mut check = |axis: usize, why: PredicateReason, unsafe_axis: &mut Vec<bool>| {
            unsafe_axis[axis] = false;
            found.push(Predicate { axis, extent: self.extents[axis], why });
        };
        for step in self.moves().iter().rev() {
            match *step {
                IndexedStep::Split { input, outer, inner, .. } => {
                    if unsafe_axis[inner] {
                        check(inner, PredicateReason::InnerOfSplit, &mut unsafe_axis);
                    }
                    let divides = self.extents[outer].checked_mul(self.extents[inner]) == Some(self.extents[input]);
                    unsafe_axis[input] = unsafe_axis[outer] || !divides;
                }
                IndexedStep::Merge { outer, output, .. } => unsafe_axis[outer] = unsafe_axis[output],
                IndexedStep::Resize { input, output, left } => {
                    let right = i128::from(self.extents[output]) - i128::from(self.extents[input]) - i128::from(left);
                    if unsafe_axis[output] && (left < 0 || right < 0) {
                        // what is cut off would come back into range unseen
                        check(output, PredicateReason::Resized, &mut unsafe_axis);
                    }
                    unsafe_axis[input] = unsafe_axis[output] || left > 0 || right > 0;
                }
                IndexedStep::Swizzle { kind, from, to } => {
                    for axis in [to.0, to.1] {
                        if unsafe_axis[axis] {
                            check(axis, PredicateReason::Swizzled, &mut unsafe_axis);
                        }
                    }
                    unsafe_axis[from.0] = false;
                    unsafe_axis[from.1] = !self.stays_inside(kind, from.0, from.1);
                }
            }
        }
        for (axis, _) in unsafe_axis.iter().enumerate().take(self.roots()).filter(|(_, is)| **is) {
            found.push(Predicate { axis, extent: self.extents[axis], why: PredicateReason::Root });
        }
        found.sort_by_key(|predicate| predicate.axis);
        found
    }

    /// A minimal set of axes to check: [`predicates`](Self::predicates) without those that follow from the others, tested from
    /// the first on. At every hole the index of one of these axes is out of range. For each of them there is a hole at which no
    /// other index of the set is out of range.
    ///
    /// All loop points are enumerated.
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) as for [`elements`](Self::elements), [`Overflow`](crate::ErrorKind::Overflow) as for
    /// [`axis_indices`](Self::axis_indices).
    ///
    /// ```
    /// use razorgirl::iter_domain::Schedule;
    ///
    /// let axes = |text: &str| -> razorgirl::Result<(usize, usize)> {
    ///     let schedule: Schedule = text.parse()?;
    ///     Ok((schedule.predicates().len(), schedule.essential()?.len()))
    /// };
    /// assert_eq!(axes("[2] split(0,3) split(1,2)")?, (2, 1));
    /// assert_eq!(axes("[5] split(0,3) split(1,2)")?, (2, 2));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.essential`
    pub fn essential(&self) -> Result<Vec<Predicate>> {
        let all = self.predicates();
        self.passable(u128::from(MAX_POINTS))?;
        if all.is_empty() {
            return Ok(all);
        }
        // Which of them each hole is out of range in.
        let mut seen: BTreeSet<Vec<bool>> = BTreeSet::new();
        let (mut at, mut points) = (self.blank(), Points::new(self.loop_extents()));
        while let Some(point) = points.next() {
            if !self.visit(point, &mut at) {
                self.backward(point, &mut at).ok_or_else(beyond)?;
                seen.insert(all.iter().map(|predicate| !self.in_range(predicate.axis, at[predicate.axis])).collect());
            }
        }
        let mut kept = vec![true; all.len()];
        for place in 0..all.len() {
            kept[place] = false;
            let found = |out: &Vec<bool>| out.iter().zip(&kept).any(|(out, kept)| *out && *kept);
            kept[place] = !seen.iter().all(found);
        }
        Ok(all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(predicate, _)| predicate).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The holes are those points where one of the axes is out of range, and each of the axes is needed for one of them.
    #[test]
    fn every_axis_that_is_left_is_needed() {
        let steps =
            ["split(0,2)", "split(0,3)", "split(1,2)", "split(1,5)", "merge(0,1)", "resize(0,1,0)", "swizzle(xor,0,1)"];
        let (mut fewer, mut same) = (0, 0);
        for code in 0..3 * 7_usize.pow(3) {
            let picked = [code / 3 % 7, code / 21 % 7, code / 147].map(|place| steps[place]);
            let extents = ["[5]", "[7]", "[3,4]"][code % 3];
            let Ok(schedule) = format!("{extents} {}", picked.join(" ")).parse::<Schedule>() else { continue };
            let (all, few) = (schedule.predicates(), schedule.essential().unwrap());
            assert!(few.iter().all(|one| all.contains(one)));
            fewer += u64::from(few.len() < all.len());
            same += u64::from(few.len() == all.len() && !few.is_empty());
            let mut needed = vec![false; few.len()];
            let mut points = Points::new(schedule.loop_extents());
            while let Some(point) = points.next() {
                let at = schedule.axis_indices(point).unwrap();
                let out: Vec<bool> =
                    few.iter().map(|one| !(0..i128::from(one.extent)).contains(&at[one.axis])).collect();
                assert_eq!(schedule.index(point).unwrap().is_none(), out.contains(&true), "{picked:?} {point:?}");
                if let [only] = (0..few.len()).filter(|place| out[*place]).collect::<Vec<_>>()[..] {
                    needed[only] = true;
                }
            }
            assert!(needed.iter().all(|needed| *needed), "{picked:?}");
        }
        assert!(fewer > 5 && same > 100, "{fewer} {same}");
    }
}
