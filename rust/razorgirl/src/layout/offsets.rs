//! All offsets in order.

use core::iter::FusedIterator;

use crate::inline::InlineVec;

use super::basic::Layout;
use super::mode::Mode;

impl Layout {
    /// All offsets in the order of the linear indices, one at a time: nothing is divided and nothing stored.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let layout: Layout = "(2,3):(3,1)".parse()?;
    /// assert!(layout.offsets().eq([0, 3, 1, 4, 2, 5]));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.FlatLayout.offsets`
    #[must_use]
    pub fn offsets(&self) -> Offsets<'_> {
        Offsets {
            modes: self.modes(),
            coordinates: self.modes().iter().map(|_| 0).collect(),
            offset: 0,
            left: self.size(),
        }
    }
}

/// The iterator of [`Layout::offsets`].
#[derive(Clone, Debug)]
pub struct Offsets<'a> {
    modes: &'a [Mode],
    coordinates: InlineVec<u64>,
    offset: u64,
    left: u64,
}

impl Iterator for Offsets<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let offset = self.offset;
        for (mode, at) in self.modes.iter().zip(self.coordinates.as_mut_slice()) {
            if *at + 1 < mode.extent() {
                *at += 1;
                self.offset += mode.stride();
                break;
            }
            self.offset -= *at * mode.stride();
            *at = 0;
        }
        Some(offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match usize::try_from(self.left) {
            Ok(left) => (left, Some(left)),
            Err(_) => (usize::MAX, None),
        }
    }
}

impl FusedIterator for Offsets<'_> {}
