//! Loops as layouts: where the tensor is at each round.

use super::{Schedule, Step};
use crate::error::Result;
use crate::layout::{Layout, Mode};
use alloc::vec::Vec;

impl Schedule {
    /// The layout of each loop, outermost first, into the row-major tensor: at every point of the loops it is at the sum of
    /// their offsets. No point is a hole. `None` if a step is not a layout operation.
    ///
    /// A split is [`logical_divide`](Layout::logical_divide) by a run, a merge puts the inner axis before the outer one. So there
    /// are layouts exactly where the schedule only splits, merges and reorders, and where after every step there are any. O(steps ×
    /// leaves).
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) where a layout is nested more than 64 deep.
    ///
    /// ```
    /// use razorgirl::iter_domain::Schedule;
    ///
    /// let axes = |text: &str| text.parse::<Schedule>()?.axes();
    /// // 12 by 3, the inner part outermost, merged
    /// let merged = axes("[12] split(0,3) merge(1,0)")?.unwrap_or_default();
    /// assert_eq!(merged.iter().map(|axis| axis.to_string()).collect::<Vec<_>>(), ["(4,3):(3,1)"]);
    /// // 6 divides its 12 rounds, but its first 6 elements are not a layout
    /// assert_eq!(axes("[12] split(0,3) merge(1,0) split(0,6)")?, None);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.IterDomain.Schedule.axes`
    pub fn axes(&self) -> Result<Option<Vec<Layout>>> {
        let mut axes = Vec::new();
        let mut stride = 1_u64;
        for extent in self.extents().iter().rev() {
            axes.extend(Layout::from_modes([Mode::new(*extent, stride)])?.mode(0));
            // The tensor has less than 2^62 elements.
            stride = stride.saturating_mul(*extent);
        }
        axes.reverse();
        for step in self.steps() {
            match step {
                Step::Split { axis, factor } => {
                    let Some(parts) = axes.get(*axis).and_then(|whole| split(whole, *factor)) else { return Ok(None) };
                    axes.splice(*axis..=*axis, parts);
                }
                Step::SplitOuter { axis, factor } => {
                    let size = axes.get(*axis).map_or(0, Layout::size);
                    if !size.is_multiple_of(*factor) {
                        return Ok(None);
                    }
                    let Some(parts) = axes.get(*axis).and_then(|whole| split(whole, size / factor)) else {
                        return Ok(None);
                    };
                    axes.splice(*axis..=*axis, parts);
                }
                Step::Merge { outer, inner } => {
                    let (Some(slow), Some(fast)) = (axes.get(*outer), axes.get(*inner)) else { return Ok(None) };
                    let merged = Layout::concat(&[fast.clone(), slow.clone()])?;
                    if let Some(slow) = axes.get_mut(*outer) {
                        *slow = merged;
                    }
                    axes.remove(*inner);
                }
                Step::Reorder { order } => {
                    axes = order.iter().filter_map(|place| axes.get(*place).cloned()).collect();
                }
                Step::Resize { .. } | Step::Swizzle { .. } => return Ok(None),
            }
        }
        Ok(Some(axes))
    }
}

/// The layouts of the parts and of a part of so many rounds.
fn split(whole: &Layout, rounds: u64) -> Option<[Layout; 2]> {
    let divided = whole.divided_in_runs(rounds)?;
    Some([divided.mode(1)?, divided.mode(0)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every point of the loops the tensor is at the sum of the offsets.
    #[test]
    fn offsets_add_up_to_elements() {
        let (mut found, mut none) = (0, 0);
        let steps =
            ["split(0,2)", "split(1,3)", "split_outer(0,2)", "merge(0,1)", "merge(1,0)", "reorder(1,0)", "split(0,4)"];
        for code in 0..7_usize.pow(4) {
            let picked = [code % 7, code / 7 % 7, code / 49 % 7, code / 343].map(|place| steps[place]);
            let Ok(schedule) = format!("[4,6] {}", picked.join(" ")).parse::<Schedule>() else { continue };
            let Some(axes) = schedule.axes().unwrap() else {
                none += 1;
                continue;
            };
            found += 1;
            let sizes: Vec<u64> = axes.iter().map(Layout::size).collect();
            assert_eq!(sizes, schedule.loop_extents());
            let mut offsets = vec![0];
            for axis in &axes {
                let own: Vec<u64> = (0..axis.size()).map(|index| axis.at(index).unwrap()).collect();
                offsets = offsets.iter().flat_map(|sum| own.iter().map(move |offset| sum + offset)).collect();
            }
            let elements: Vec<u64> = schedule.elements().unwrap().map(Option::unwrap).collect();
            assert_eq!(elements, offsets, "{picked:?}");
        }
        assert!(found > 300 && none > 300, "{found} {none}");
    }
}
