//! Layouts near one that is refused. Every one has been tried before it is suggested.

use alloc::vec::Vec;
use core::fmt::Display;

use crate::suggestion::{Argument, Suggestion};

use super::basic::Layout;
use super::mode::Mode;

/// Neighbouring extents and strides that are tried, in each direction.
const TRY_NEAR: u64 = 64;
/// Suggestions that are made.
pub(super) const SUGGESTIONS: usize = 3;
/// Leaves of both layouts up to which anything is tried: a refusal may take time, but not seconds.
pub(super) const FEW: usize = 64;

/// What is varied, in the words of the operation that refuses.
pub(crate) struct Near<'a> {
    /// The layout that was refused.
    pub(crate) layout: &'a Layout,
    /// Which argument it is.
    pub(crate) position: usize,
    /// What the operation calls it: `the inner layout`.
    pub(crate) name: &'static str,
    /// What the operation answers: `the composite`.
    pub(crate) result: &'static str,
    /// Leaves of both layouts, which every try looks at.
    pub(crate) leaves: usize,
    /// Extents that are tried where none of the neighbours will do.
    pub(crate) extents: &'a dyn Fn(usize, Mode) -> Vec<u64>,
}

impl Near<'_> {
    /// The nearest layouts that are accepted: one extent smaller or larger, or one stride changed.
    pub(crate) fn accepted<T: Display>(&self, accept: impl Fn(&Layout) -> Option<T>) -> Vec<Suggestion> {
        let mut found: Vec<(u64, usize, Layout, T)> = Vec::new();
        if self.leaves > FEW {
            return Vec::new();
        }
        for (leaf, mode) in self.layout.modes().iter().enumerate() {
            if mode.extent() == 1 {
                continue;
            }
            let mut nearest = |value: u64, smallest: u64, far: &[u64], change: &dyn Fn(u64) -> Mode| {
                let below = (1..=TRY_NEAR).map_while(|step| value.checked_sub(step)).take_while(|new| *new >= smallest);
                let above = (1..=TRY_NEAR).map_while(|step| value.checked_add(step));
                let accepted = |new: &u64| {
                    let fixed = self.layout.with_leaf(leaf, change(*new))?;
                    let answer = accept(&fixed)?;
                    Some((*new, fixed, answer))
                };
                let far_below = far.iter().copied().filter(|new| *new < value && *new >= smallest);
                let far_above = far.iter().copied().filter(|new| *new > value);
                let candidates = [
                    below.chain(far_below).find_map(|new| accepted(&new)),
                    above.chain(far_above).find_map(|new| accepted(&new)),
                ];
                for (new, fixed, answer) in candidates.into_iter().flatten() {
                    found.push((new.abs_diff(value), found.len(), fixed, answer));
                }
            };
            let far = (self.extents)(leaf, *mode);
            nearest(mode.extent(), 2, &far, &|extent| Mode::new(extent, mode.stride()));
            nearest(mode.stride(), 1, &[], &|stride| Mode::new(mode.extent(), stride));
        }
        // The nearest first; as near, in the order in which they were found.
        found.sort_by_key(|(distance, place, ..)| (*distance, *place));
        let found = found.into_iter().take(SUGGESTIONS);
        found.map(|(_, _, fixed, answer)| self.suggestion(fixed, &answer)).collect()
    }

    /// This layout in place of the refused one.
    pub(super) fn suggestion(&self, fixed: Layout, answer: &dyn Display) -> Suggestion {
        Suggestion::with(self.position, self.name, fixed, self.result, answer)
    }
}

impl Layout {
    /// The layout with another mode in place of a leaf, where that is a layout.
    pub(super) fn with_leaf(&self, leaf: usize, mode: Mode) -> Option<Self> {
        let mut modes = self.modes().to_vec();
        *modes.get_mut(leaf)? = mode;
        Self::checked(modes.into_iter().collect(), self.profile().clone()).ok()
    }
}

/// A suggestion of an inner operation on these two layouts, run by the operation that was called with the same two.
pub(super) fn retold<T: Display>(
    suggestion: &Suggestion,
    [first, second]: [&Layout; 2],
    names: [&'static str; 2],
    result: &'static str,
    run: impl Fn(&Layout, &Layout) -> Option<T>,
) -> Option<Suggestion> {
    if let Some(Argument::Layout(fixed)) = suggestion.only(0) {
        let answer = run(fixed, second)?;
        return Some(Suggestion::with(0, names[0], fixed.clone(), result, &answer));
    }
    let Some(Argument::Layout(fixed)) = suggestion.only(1) else { return None };
    let answer = run(first, fixed)?;
    Some(Suggestion::with(1, names[1], fixed.clone(), result, &answer))
}
