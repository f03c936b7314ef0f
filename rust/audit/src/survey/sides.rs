//! Sides of an `#if` in a function that say the same in other ways: which one is compiled, and what goes with it elsewhere, is not known.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;

use super::shared::Started;
use crate::eval::BodyRef;
use crate::source::Ifs;

/// Ways to take a part of what threads share.
const SLICES: [&str; 3] = ["get_slice", "get_thread_slice", "local_partition"];

/// A side of an `#if` that takes slices, where others do too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Side {
    /// Where the `#if` stands.
    pub group: usize,
    /// Which of its sides it is.
    pub index: usize,
    /// How many of them take slices.
    pub slicing: usize,
}

/// What is beside a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// No other side takes slices.
    Nothing,
    /// Other sides of one `#if` do.
    Sides(Side),
    /// More than is told apart.
    Unknown,
}

/// Whether a place stands on one side of an `#if`, and another side takes slices as well.
pub(super) fn other_side_slices(text: &str, at: usize) -> bool {
    beside(text, at) != Beside::Nothing
}

/// The side of an `#if` that a place stands on, where others take slices as well.
pub(super) fn beside(text: &str, at: usize) -> Beside {
    let Some(ifs) = Ifs::of(text) else { return Beside::Unknown };
    let mut found = Beside::Nothing;
    for of in ifs.all.iter().filter(|of| of.closed) {
        let Some(index) = of.side(at) else { continue };
        let slices = |side: &Range<usize>| {
            let side = text.get(side.clone()).unwrap_or_default();
            SLICES.iter().any(|word| memmem::find(side.as_bytes(), word.as_bytes()).is_some())
        };
        let others = of.sides.iter().enumerate().filter(|(other, side)| *other != index && slices(side)).count();
        if others > 0 {
            let side = Side { group: of.line.start, index, slicing: others + 1 };
            found = if found == Beside::Nothing { Beside::Sides(side) } else { Beside::Unknown };
        }
    }
    found
}

/// Slices on the sides of `#if`s of which several slice, by function and `#if`: on how many sides, and what is wrong on which of them.
#[derive(Default)]
pub(super) struct Sides(BTreeMap<(BodyRef, usize), (usize, BTreeMap<usize, Started>)>);

impl Sides {
    /// Lets a slice through that stands on no such side, and keeps others.
    pub(super) fn pass(&mut self, body: BodyRef, side: Option<Side>, started: Started) -> Option<Started> {
        let Some(side) = side else { return Some(started) };
        let (count, wrong) = self.0.entry((body, side.group)).or_default();
        *count = side.slicing;
        wrong.entry(side.index).or_insert(started);
        None
    }

    /// What is wrong whichever side is compiled.
    pub(super) fn wrong(self) -> impl Iterator<Item = Started> {
        let all = self.0.into_values().filter(|(count, wrong)| wrong.len() == *count);
        all.flat_map(|(_, wrong)| wrong.into_values())
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Side, beside, other_side_slices};

    #[test]
    fn sides_that_slice() {
        let at = |text: &str| text.find('@').unwrap();
        for (text, other) in [
            ("#if A\n @\n#else\n c.get_slice(t);\n#endif\n", true),
            ("#ifdef A\n local_partition(x)\n#elif B\n @\n#endif\n", true),
            ("#if A\n#  if B\n @\n#  endif\n# else\n get_slice\n#endif\n", true),
            ("#if A\n @ get_slice\n#else\n printf();\n#endif\n", false),
            ("#if A\n get_slice\n#else\n get_slice\n#endif\n @", false),
            ("@\n#if A\n#endif\n#if A\n get_slice\n#endif", false),
            ("#if A\n @\n", false),
        ] {
            assert_eq!(other_side_slices(text, at(text)), other, "{text}");
        }
    }

    #[test]
    fn which_side_it_is() {
        let at = |text: &str| beside(text, text.find('@').unwrap());
        let text = "\n#if A\n get_slice\n#elif B\n printf();\n#else\n @ get_slice\n#endif\n";
        assert_eq!(at(text), Beside::Sides(Side { group: 1, index: 2, slicing: 2 }));
        let inner = "#if A\n# if B\n @\n# else\n get_slice\n# endif\n#endif\n";
        assert_eq!(at(inner), Beside::Sides(Side { group: 6, index: 0, slicing: 2 }));
        let both = "#if A\n# if B\n @\n# else\n get_slice\n# endif\n#else\n get_slice\n#endif\n";
        assert_eq!(at(both), Beside::Unknown);
    }
}
