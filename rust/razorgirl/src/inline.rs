//! A vector whose first eight elements live in place.
//!
//! Layouts of practice have at most eight leaves. Keeping those out of the heap is what makes the algebra cheap enough
//! to run inside a search loop.

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

pub(crate) const INLINE: usize = 8;

/// A struct and not an enum: the compiler then builds a layout where it stays, without copies that cost as much as the
/// algebra itself.
#[derive(Clone)]
pub(crate) struct InlineVec<T> {
    len: usize,
    items: [T; INLINE],
    /// All elements, once there are more than eight. Empty until then, which allocates nothing.
    heap: Vec<T>,
}

impl<T: Copy + Default> InlineVec<T> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { len: 0, items: [T::default(); INLINE], heap: Vec::new() }
    }

    /// The first `len` of `items`, or where there are more than eight, all of `heap`.
    #[inline]
    pub(crate) fn from_parts(items: [T; INLINE], len: usize, heap: Vec<T>) -> Self {
        Self { len, items, heap }
    }

    /// What [`from_parts`](Self::from_parts) takes.
    #[inline]
    pub(crate) fn into_parts(self) -> ([T; INLINE], usize, Vec<T>) {
        (self.items, self.len, self.heap)
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn from_slice(items: &[T]) -> Self {
        let mut vec = Self::new();
        if items.len() <= INLINE {
            for (slot, item) in vec.items.iter_mut().zip(items) {
                *slot = *item;
            }
        } else {
            vec.heap = items.to_vec();
        }
        vec.len = items.len();
        vec
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.heap.is_empty()
            && let Some(slot) = self.items.get_mut(self.len)
        {
            *slot = item;
        } else {
            self.push_heap(item);
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

    #[inline]
    pub(crate) fn extend(&mut self, more: &[T]) {
        for item in more {
            self.push(*item);
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        if self.heap.is_empty() { self.items.get(..self.len).unwrap_or_default() } else { &self.heap }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        if self.heap.is_empty() { self.items.get_mut(..self.len).unwrap_or_default() } else { &mut self.heap }
    }
}

impl<T: Copy + Default> FromIterator<T> for InlineVec<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut vec = Self::new();
        for item in items {
            vec.push(item);
        }
        vec
    }
}

impl<T: Copy + Default + PartialEq> PartialEq for InlineVec<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + Default + Eq> Eq for InlineVec<T> {}

impl<T: Copy + Default + Hash> Hash for InlineVec<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl<T: Copy + Default + fmt::Debug> fmt::Debug for InlineVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spills_and_compares_by_content() {
        for n in 0..40 {
            let expected: Vec<u64> = (0..n).collect();
            let mut pushed = InlineVec::new();
            for i in 0..n {
                pushed.push(i);
            }
            assert_eq!(pushed.as_slice(), expected);
            assert_eq!(pushed.as_mut_slice(), expected);
            assert_eq!(pushed, InlineVec::from_slice(&expected));
            assert_eq!(pushed, expected.iter().copied().collect());
            assert_eq!(pushed.heap.capacity() == 0, n <= 8);
        }
    }
}
