//! The nearest layout that is right. Candidates are few, because what is left unchanged says what can fill the gap; each one is
//! tried with the very check that failed.

use razorgirl::{IntTuple, Layout};

use super::cover::plainly_even;
use crate::survey::Tile;

/// One number of a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The stride of a leaf.
    Stride(usize),
    /// The extent of a leaf.
    Extent(usize),
}

/// A number and what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Change {
    /// Which number.
    pub part: Part,
    /// What it is.
    pub from: u64,
    /// What it should be.
    pub to: u64,
}

/// Layouts with more leaves are not searched.
const MAX_LEAVES: usize = 12;

/// Candidates that are tried at most.
const MAX_TRIES: usize = 4_000;

/// Tries changes and keeps those that work.
struct Search<'s> {
    layout: &'s Layout,
    right: &'s dyn Fn(&Layout) -> bool,
    tries: usize,
    found: Vec<Repair>,
}

/// Changes and the layout after them.
pub type Repair = (Vec<Change>, Layout);

impl<'s> Search<'s> {
    fn new(layout: &'s Layout, right: &'s dyn Fn(&Layout) -> bool) -> Self {
        Self { layout, right, tries: 0, found: Vec::new() }
    }

    fn consider(&mut self, changes: impl IntoIterator<Item = Option<Change>>) {
        let Some(changes) = changes.into_iter().collect::<Option<Vec<Change>>>() else { return };
        if self.tries >= MAX_TRIES {
            return;
        }
        self.tries += 1;
        if let Some(candidate) = changed(self.layout, &changes).filter(|candidate| (self.right)(candidate)) {
            self.found.push((changes, candidate));
        }
    }

    /// What worked, the nearest first.
    fn found(mut self) -> Vec<Repair> {
        self.found.sort_by_key(|(changes, _)| cost(changes));
        self.found
    }
}

/// The changes after which the layout covers the tile evenly, the nearest first: those of one number if there are any, else
/// those of two strides.
pub fn covering(layout: &Layout, tile: Tile, fits: &dyn Fn(&Layout) -> bool) -> Vec<Repair> {
    let leaves = layout.modes().len();
    let Some(size) = tile.size().filter(|_| leaves <= MAX_LEAVES) else { return Vec::new() };
    let right = |candidate: &Layout| plainly_even(candidate, tile) && fits(candidate);
    let mut search = Search::new(layout, &right);
    for leaf in 0..leaves {
        for to in strides(layout, &[leaf]) {
            search.consider([change(layout, Part::Stride(leaf), to)]);
        }
        for to in extents(layout, leaf, size) {
            search.consider([change(layout, Part::Extent(leaf), to)]);
        }
    }
    if !search.found.is_empty() {
        return search.found();
    }
    for first in 0..leaves {
        for second in first + 1..leaves {
            let candidates = strides(layout, &[first, second]);
            for a in &candidates {
                for b in &candidates {
                    search
                        .consider([change(layout, Part::Stride(first), *a), change(layout, Part::Stride(second), *b)]);
                }
            }
        }
    }
    search.found()
}

/// The changes of one stride after which no two coordinates share an offset, the nearest first.
pub fn separating(layout: &Layout, injective: &dyn Fn(&Layout) -> bool) -> Vec<Repair> {
    let leaves = layout.modes().len();
    if leaves > MAX_LEAVES {
        return Vec::new();
    }
    let mut search = Search::new(layout, injective);
    for leaf in 0..leaves {
        for to in strides(layout, &[leaf]).into_iter().filter(|stride| *stride > 0) {
            search.consider([change(layout, Part::Stride(leaf), to)]);
        }
    }
    search.found()
}

/// How far changes are from what was written: one number before two, a stride before an extent, a small factor before a large.
fn cost(changes: &[Change]) -> u64 {
    changes.iter().fold(0, |sum, change| {
        let (small, large) = (change.from.min(change.to), change.from.max(change.to));
        let factor = large.checked_div(small).map_or(1_000, |factor| factor.min(999));
        let kind = if matches!(change.part, Part::Stride(_)) { 10_000 } else { 20_000 };
        sum + kind + factor
    })
}

fn change(layout: &Layout, part: Part, to: u64) -> Option<Change> {
    let (Part::Stride(leaf) | Part::Extent(leaf)) = part;
    let mode = layout.modes().get(leaf)?;
    let from = if matches!(part, Part::Stride(_)) { mode.stride() } else { mode.extent() };
    (from != to).then_some(Change { part, from, to })
}

/// The layout after some changes.
pub fn changed(layout: &Layout, changes: &[Change]) -> Option<Layout> {
    let mut extents: Vec<u64> = layout.modes().iter().map(|mode| mode.extent()).collect();
    let mut strides: Vec<u64> = layout.modes().iter().map(|mode| mode.stride()).collect();
    for change in changes {
        match change.part {
            Part::Stride(leaf) => *strides.get_mut(leaf)? = change.to,
            Part::Extent(leaf) => *extents.get_mut(leaf)? = change.to,
        }
    }
    let shape = IntTuple::nested(&extents, layout.profile()).ok()?;
    let stride = IntTuple::nested(&strides, layout.profile()).ok()?;
    Layout::new(&shape, &stride).ok()
}

/// Where a missing mode could begin: at 0, at 1, or where another mode ends.
fn strides(layout: &Layout, without: &[usize]) -> Vec<u64> {
    let ends = layout.modes().iter().enumerate().filter(|(leaf, _)| !without.contains(leaf));
    let ends = ends.filter_map(|(_, mode)| mode.stride().checked_mul(mode.extent()));
    let mut ends: Vec<u64> = ends.chain([0, 1]).collect();
    // With two modes missing, one may begin where the other ends.
    if without.len() > 1 {
        let chained: Vec<u64> = without
            .iter()
            .filter_map(|leaf| layout.modes().get(*leaf))
            .flat_map(|mode| ends.iter().filter_map(|end| end.checked_mul(mode.extent())).collect::<Vec<_>>())
            .collect();
        ends.extend(chained);
    }
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// Extents with which the modes could hold as many elements as the tile, or reach where the next mode begins.
fn extents(layout: &Layout, leaf: usize, size: u64) -> Vec<u64> {
    let others = layout.modes().iter().enumerate().filter(|(other, mode)| *other != leaf && mode.stride() > 0);
    let others: Vec<_> = others.map(|(_, mode)| *mode).collect();
    let product = others.iter().try_fold(1_u64, |product, mode| product.checked_mul(mode.extent()));
    let mut found: Vec<u64> =
        product.filter(|product| size.is_multiple_of(*product)).map(|product| size / product).into_iter().collect();
    if let Some(mode) = layout.modes().get(leaf).filter(|mode| mode.stride() > 0) {
        found.extend(
            others
                .iter()
                .filter(|other| other.stride() % mode.stride() == 0)
                .map(|other| other.stride() / mode.stride()),
        );
    }
    found.retain(|extent| *extent > 0);
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(layout: &str, rows: u64, columns: u64) -> Option<String> {
        let found = covering(&layout.parse().unwrap(), Tile { rows, columns }, &|_| true);
        Some(found.first()?.1.to_string())
    }

    #[test]
    fn one_stride() {
        assert_eq!(repaired("((4,8),8):((32,1),8)", 8, 32).as_deref(), Some("((4,8),8):((64,1),8)"));
    }

    #[test]
    fn all_that_work_are_given() {
        let found =
            covering(&"((4,8),(2,2)):((32,1),(16,16))".parse().unwrap(), Tile { rows: 16, columns: 8 }, &|_| true);
        let found: Vec<String> = found.iter().map(|(_, layout)| layout.to_string()).collect();
        assert_eq!(found, ["((4,8),(2,2)):((32,1),(8,16))", "((4,8),(2,2)):((32,1),(16,8))"]);
    }

    #[test]
    fn one_extent() {
        assert_eq!(repaired("((4,8),4):((64,1),8)", 8, 32).as_deref(), Some("((4,8),8):((64,1),8)"));
    }

    #[test]
    fn two_strides() {
        assert_eq!(repaired("((4,8),(2,2)):((32,1),(16,32))", 16, 8).as_deref(), Some("((4,8),(2,2)):((32,1),(16,8))"));
        assert_eq!(repaired("(4,8,2):(8,4,5)", 8, 8).as_deref(), Some("(4,8,2):(8,1,32)"));
    }

    #[test]
    fn nothing_near() {
        assert_eq!(repaired("(3,5):(1,1)", 8, 8), None);
        assert_eq!(repaired("7:1", 8, 1).as_deref(), Some("8:1"));
    }

    #[test]
    fn separated() {
        let injective =
            |layout: &Layout| layout.offsets().collect::<std::collections::BTreeSet<_>>().len() as u64 == layout.size();
        let found = separating(&"(8,4):(1,4)".parse().unwrap(), &injective);
        let (changes, layout) = &found[0];
        assert_eq!(layout.to_string(), "(8,4):(1,8)");
        assert_eq!(*changes, [Change { part: Part::Stride(1), from: 4, to: 8 }]);
    }
}
