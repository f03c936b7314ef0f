//! A list whose first eight entries live in place, so that layouts of rank 8 and below allocate nothing.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

const INLINE: usize = 8;

/// A list of small values: up to eight entries in place, all on the heap beyond.
#[derive(Clone)]
pub struct List<T> {
    len: usize,
    items: [T; INLINE],
    /// All entries once there are more than eight. Empty until then, which allocates nothing.
    heap: Vec<T>,
}

impl<T: Copy + Default> List<T> {
    /// No entries.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self { len: 0, items: [T::default(); INLINE], heap: Vec::new() }
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, item: T) {
        match self.items.get_mut(self.len) {
            Some(slot) => *slot = item,
            None => self.push_heap(item),
        }
        self.len += 1;
    }

    #[cold]
    fn push_heap(&mut self, item: T) {
        if self.heap.is_empty() {
            self.heap.extend_from_slice(&self.items);
        }
        self.heap.push(item);
    }
}

impl<T: Copy + Default> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // With more than eight entries there is no such range of `items`.
        self.items.get(..self.len).unwrap_or(&self.heap)
    }
}

impl<T: Copy + Default> From<&[T]> for List<T> {
    #[inline]
    fn from(items: &[T]) -> Self {
        let mut list = Self::new();
        for item in items {
            list.push(*item);
        }
        list
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for List<T> {}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn every_length_up_to_three_times_the_place_is_a_vec() {
        for n in 0..=3 * INLINE {
            let vec: Vec<usize> = (1..=n).collect();
            let mut list = List::new();
            for (k, item) in vec.iter().enumerate() {
                assert_eq!(list[..], vec[..k], "{k} of {n}");
                list.push(*item);
            }
            assert_eq!(list[..], vec[..]);
            assert_eq!(List::from(&vec[..]), list);
            let mut more = list.clone();
            more.push(0);
            assert_eq!((more.len(), &more[..n], more[n]), (n + 1, &vec[..], 0));
            assert_ne!(more, list);
            assert!(list.iter().eq(&vec) && list.iter().rev().eq(vec.iter().rev()));
            let mut another = List::default();
            for item in list.iter() {
                another.push(*item);
            }
            assert_eq!(another, list);
            if n > 0 {
                // the last entry counts, and a list that is longer is another one
                assert_ne!(List::from(&[&vec[..n - 1], &[0]].concat()[..]), list);
                assert_ne!(List::from(&vec[..n - 1]), list);
            }
            assert_eq!(format!("{list:?}"), format!("{vec:?}"));
        }
    }
}
