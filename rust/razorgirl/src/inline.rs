//! A vector whose first eight elements live in place.
//!
//! Layouts of practice have at most eight leaves. Keeping those out of the heap is what makes the algebra cheap enough
//! to run inside a search loop.

use std::fmt;
use std::hash::{Hash, Hasher};

pub(crate) const INLINE: usize = 8;

#[derive(Clone)]
pub(crate) enum InlineVec<T> {
    Inline { len: u8, items: [T; INLINE] },
    Heap(Vec<T>),
}

impl<T: Copy + Default> InlineVec<T> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self::Inline {
            len: 0,
            items: [T::default(); INLINE],
        }
    }

    #[inline]
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        if capacity <= INLINE {
            Self::new()
        } else {
            Self::Heap(Vec::with_capacity(capacity))
        }
    }

    #[inline]
    pub(crate) fn from_slice(items: &[T]) -> Self {
        let mut vec = Self::with_capacity(items.len());
        vec.extend(items);
        vec
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        match self {
            Self::Inline { len, items } => {
                if let Some(slot) = items.get_mut(usize::from(*len)) {
                    *slot = item;
                    *len += 1;
                } else {
                    let mut heap = Vec::with_capacity(2 * INLINE);
                    heap.extend_from_slice(items);
                    heap.push(item);
                    *self = Self::Heap(heap);
                }
            }
            Self::Heap(heap) => heap.push(item),
        }
    }

    #[inline]
    pub(crate) fn extend(&mut self, more: &[T]) {
        for item in more {
            self.push(*item);
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Self::Inline { len, items } => items.get(..usize::from(*len)).unwrap_or(items),
            Self::Heap(heap) => heap,
        }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Self::Inline { len, items } => items.get_mut(..usize::from(*len)).unwrap_or_default(),
            Self::Heap(heap) => heap,
        }
    }
}

impl<T: Copy + Default> FromIterator<T> for InlineVec<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items = items.into_iter();
        let mut vec = Self::with_capacity(items.size_hint().0);
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
            assert_eq!(matches!(pushed, InlineVec::Inline { .. }), n <= 8);
        }
    }
}
