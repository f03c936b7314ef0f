//! Layouts near one that is refused, for the help of a refusal. Every one has been tried before it is printed.

use super::basic::Layout;
use super::mode::Mode;

/// Neighbouring extents and strides that are tried, in each direction.
const TRY_NEAR: u64 = 64;
/// Suggestions that are printed.
const SUGGESTIONS: usize = 3;
/// Leaves of both layouts up to which anything is tried: a refusal may take time, but not seconds.
const FEW: usize = 64;

/// What is varied, in the words of the operation that refuses.
pub(super) struct Near<'a> {
    /// The layout that was refused.
    pub(super) layout: &'a Layout,
    /// What the operation calls it: `the inner layout`.
    pub(super) name: &'a str,
    /// What the operation answers: `the composite`.
    pub(super) result: &'a str,
    /// Leaves of both layouts, which every try looks at.
    pub(super) leaves: usize,
    /// Extents that are tried where none of the neighbours will do.
    pub(super) extents: &'a dyn Fn(Mode) -> Vec<u64>,
}

impl Near<'_> {
    /// The nearest layouts that are accepted: one extent smaller or larger, or one stride changed.
    pub(super) fn accepted(&self, accept: impl Fn(&Layout) -> Option<Layout>) -> Vec<String> {
        let mut found: Vec<(u64, String)> = Vec::new();
        if self.leaves > FEW {
            return Vec::new();
        }
        for (leaf, mode) in self.layout.modes().iter().enumerate() {
            if mode.extent() == 1 {
                continue;
            }
            let path = self.layout.profile().path(leaf);
            let mut nearest = |what: &str, value: u64, smallest: u64, far: &[u64], change: &dyn Fn(u64) -> Mode| {
                let below = (1..=TRY_NEAR).map_while(|step| value.checked_sub(step)).take_while(|new| *new >= smallest);
                let above = (1..=TRY_NEAR).map_while(|step| value.checked_add(step));
                let accepted = |new: &u64| {
                    let fixed = with_mode(self.layout, leaf, change(*new))?;
                    Some((*new, accept(&fixed)?))
                };
                let far_below = far.iter().copied().filter(|new| *new < value && *new >= smallest);
                let far_above = far.iter().copied().filter(|new| *new > value);
                let candidates = [
                    below.chain(far_below).find_map(|new| accepted(&new)),
                    above.chain(far_above).find_map(|new| accepted(&new)),
                ];
                for (new, result) in candidates.into_iter().flatten() {
                    found.push((
                        new.abs_diff(value),
                        format!(
                            "with {what} {new} in place of {value} in mode {path} of {}, {} is {result}",
                            self.name, self.result
                        ),
                    ));
                }
            };
            let far = (self.extents)(*mode);
            nearest("extent", mode.extent(), 2, &far, &|extent| Mode::new(extent, mode.stride()));
            nearest("stride", mode.stride(), 1, &[], &|stride| Mode::new(mode.extent(), stride));
        }
        found.sort();
        found.into_iter().take(SUGGESTIONS).map(|(_, help)| help).collect()
    }
}

/// The layout with another mode in one place.
fn with_mode(layout: &Layout, leaf: usize, mode: Mode) -> Option<Layout> {
    let mut modes = layout.modes().to_vec();
    *modes.get_mut(leaf)? = mode;
    let flat = Layout::from_modes(modes).ok()?;
    let modes = flat.modes().iter().copied().collect();
    Some(Layout::valid(modes, layout.profile().clone(), flat.size(), flat.cosize()))
}
