//! What was worked out under some choices, and on which of them it hangs: it holds as long as these do.

use foldhash::HashMap;
use foldhash::fast::FixedState;
use std::hash::{BuildHasher as _, Hash};
use std::rc::Rc;

use super::value::{Home, Value};
use crate::eval::Resolved;

/// Words that are kept of one evaluation.
pub const MAX_SAID: usize = 8;

/// Choices, a bit each by their place among all; the last bit stands for all from there on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Choices(u128);

impl Choices {
    const LAST: usize = 127;

    /// The one at a place.
    pub fn at(place: usize) -> Self {
        Self(1 << place.min(Self::LAST))
    }

    /// All from a place on.
    pub fn from(place: usize) -> Self {
        Self(u128::MAX << place.min(Self::LAST))
    }

    /// Adds others.
    pub const fn add(&mut self, others: Self) {
        self.0 |= others.0;
    }

    /// The place after the last of them.
    pub const fn end(self) -> usize {
        match u128::BITS - self.0.leading_zeros() {
            u128::BITS => usize::MAX,
            end => end as usize,
        }
    }

    /// Whether one is among both.
    pub const fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Those before a place, of those that have a bit of their own: all where the place has none.
    pub const fn before(self, place: usize) -> Self {
        if place < Self::LAST { Self(self.0 & !(u128::MAX << place)) } else { self }
    }
}

/// Points of choice, as a filter: it may have more than were added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter([u64; 4]);

impl Filter {
    /// Adds one.
    pub fn add(&mut self, point: &impl Hash) {
        // The same in every run.
        let hash = FixedState::with_seed(0).hash_one(point);
        let word = usize::try_from(hash >> 62).unwrap_or(0);
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (hash & 63);
        }
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Self) {
        for (one, other) in self.0.iter_mut().zip(&other.0) {
            *one |= other;
        }
    }

    /// Whether one may be in both.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }
}

/// What an evaluation hangs on.
#[derive(Debug, Default)]
pub struct Trace {
    /// What was chosen for it.
    pub on: Choices,
    /// Where something would have been chosen and could not.
    pub refused: Filter,
    /// Values that it named, in words.
    pub said: Vec<Rc<str>>,
}

/// Adds words that are not among some yet.
pub fn add_words(all: &mut Vec<Rc<str>>, words: &Rc<str>) {
    if all.len() < MAX_SAID && !all.contains(words) {
        all.push(words.clone());
    }
}

/// A result, and what it hangs on.
#[derive(Debug)]
pub struct Entry<T> {
    /// The result.
    pub value: T,
    /// What it hangs on.
    pub trace: Trace,
    /// Whether it also hangs on what was around it: it holds in this world, and is not kept for the next.
    pub loose: bool,
}

/// The arm that runs, or else the first that may, and whether that hangs on a choice.
pub type Arm = (Result<usize, usize>, bool);

/// Everything that was worked out.
#[derive(Debug, Default)]
pub struct Noted<'a> {
    /// What bindings come to, by the call, the file and the place.
    pub names: HashMap<(u64, usize, u32), Entry<Resolved<Value>>>,
    /// Which arm of a branch runs, where that is known, or else the first that may: by the file, the branch and the call.
    pub arms: HashMap<(usize, u32, u64), Entry<Arm>>,
    /// What attributes of objects come to.
    pub attributes: HashMap<(Home, &'a str), Entry<Resolved<Value>>>,
}

impl Noted<'_> {
    /// Forgets what hangs on some choices.
    pub fn forget(&mut self, choices: Choices) {
        fn stays<T>(entry: &Entry<T>, choices: Choices) -> bool {
            !entry.loose && !entry.trace.on.meets(choices)
        }
        self.names.retain(|_, entry| stays(entry, choices));
        self.arms.retain(|_, entry| stays(entry, choices));
        self.attributes.retain(|_, entry| stays(entry, choices));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_beyond_the_last_bit_are_one() {
        assert!(Choices::at(3).meets(Choices::from(3)) && !Choices::at(2).meets(Choices::from(3)));
        assert!(Choices::at(200).meets(Choices::from(150)) && Choices::at(130).meets(Choices::from(500)));
        assert!(!Choices::at(126).meets(Choices::from(127)));
        let ends = [
            Choices::default(),
            Choices::at(0),
            Choices::at(126),
            Choices::at(127),
            Choices::at(500),
            Choices::from(3),
        ];
        assert_eq!(ends.map(Choices::end), [0, 1, 127, usize::MAX, usize::MAX, usize::MAX]);
        // Those before one that has no bit of its own are not told from those behind.
        let before = [3, 126, 127, 400].map(|place| Choices::from(0).before(place).end());
        assert_eq!(before, [3, 126, usize::MAX, usize::MAX]);
        assert_eq!(Choices::at(130).before(126).end(), 0);
    }

    #[test]
    fn what_was_added_to_a_filter_is_in_it() {
        let (mut one, mut other) = (Filter::default(), Filter::default());
        for point in 0..40_u32 {
            one.add(&point);
            assert!(!Filter::default().meets(&one));
        }
        other.add(&7_u32);
        assert!(one.meets(&other) && other.meets(&one));
    }
}
