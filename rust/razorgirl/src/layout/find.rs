//! From a function to the layout that has it.

use alloc::vec::Vec;
use razorgirl_extracted::{Fault, functions};

use crate::error::{Error, Result};

use super::basic::Layout;

impl Layout {
    /// The coalesced layout with exactly these offsets, or nothing when no layout has them.
    ///
    /// O(n) for n offsets, and it stops at the first one that contradicts. Which one that is, and what to do with offsets that
    /// do not begin with 0 or have a shape, [`find_layout_over`](Self::find_layout_over) says.
    ///
    /// # Errors
    /// [`Overflow`](crate::ErrorKind::Overflow) when the layout exists and its cosize is 2^64.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let found = Layout::find_layout(&[0, 4, 1, 5, 3, 7, 4, 8])?;
    /// assert_eq!(found, Some("(2,2,2):(4,1,3)".parse()?));
    /// assert_eq!(Layout::find_layout(&[0, 1, 1, 0])?, None);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// The first extent of a coalesced layout is forced: it is the first index at which the function leaves the line
    /// through its first two values. So no search is needed.
    ///
    /// Lean: `Razorgirl.findLayout`
    pub fn find_layout(offsets: &[u64]) -> Result<Option<Self>> {
        match functions::find_layout(offsets) {
            Ok(modes) => Ok(Some(Self::from_modes(modes.iter().copied())?.coalesce())),
            Err(Fault::Refuse("none")) => Ok(None),
            Err(fault) => Err(Error::unforeseen(fault)),
        }
    }
}

/// Where a mode starts.
struct Start<T, D> {
    /// The index: the product of the extents before.
    index: usize,
    /// How much the entry there exceeds the one before it.
    step: D,
    /// The entry itself.
    entry: T,
    /// The extent of the mode before: how many of its starts there are from a multiple of this start to the next one.
    ratio: usize,
    /// How many of these are left until then. An odometer: to divide each index by the starts takes 1.6 to 2.6 times as long.
    left: usize,
}

/// The modes of the coalesced layout that has these entries less the first one: each as its extent and the entry at which it
/// starts, whose difference from the first one is its stride.
///
/// The entries are seen only through the `difference` of each from the one before it. One pass takes each entry once, and none
/// behind an index that it refuses. Where there are no entries, that is index 0.
///
/// In a layout, entry x exceeds the one before it by as much as entry w does, where w is the largest start of a mode that divides
/// x. An entry that does otherwise is the start of another mode, in every layout.
///
/// ```
/// use razorgirl::find_modes;
///
/// let row = [27, 26, 25, 24, 31, 30, 29, 28];
/// let modes = find_modes(row, |before, entry| entry - before);
/// // (4,2):(-1,4)
/// assert_eq!(modes, Ok(vec![(4, 26), (2, 31)]));
/// assert_eq!(find_modes([0, 1, 1, 0], |before, entry| entry - before), Err(3));
/// ```
///
/// # Errors
/// The first index such that no layout with so many entries has the entries up to it.
///
/// Lean: `Razorgirl.FindOver.findAxis`
pub fn find_modes<T: Copy, D: PartialEq>(
    entries: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    difference: impl FnMut(T, T) -> D,
) -> core::result::Result<Vec<(usize, T)>, usize> {
    let entries = entries.into_iter();
    if entries.len() == 0 {
        return Err(0);
    }
    scan(entries, difference).map_err(|broken| broken.index)
}

/// The first index that excludes all layouts; and the start before it that divides it. With the step there, the entry would be
/// one of a layout that has all entries before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    pub(super) index: usize,
    pub(super) like: usize,
}

/// [`find_modes`] of at least one entry.
pub(super) fn scan<T: Copy, D: PartialEq>(
    mut entries: impl ExactSizeIterator<Item = T>,
    mut difference: impl FnMut(T, T) -> D,
) -> core::result::Result<Vec<(usize, T)>, Contradiction> {
    let count = entries.len();
    let Some(mut before) = entries.next() else { return Ok(Vec::new()) };
    let mut starts: Vec<Start<T, D>> = Vec::new();
    for (index, entry) in (1_usize..).zip(entries) {
        let step = difference(before, entry);
        before = entry;
        // each start divides the next one, and the first one is 1
        let mut dividing = 0;
        while let Some(next) = starts.get_mut(dividing + 1) {
            next.left -= 1;
            if next.left > 0 {
                break;
            }
            next.left = next.ratio;
            dividing += 1;
        }
        if starts.get(dividing).is_some_and(|start| start.step == step) {
            continue;
        }
        let last = starts.last().map_or(1, |start| start.index);
        if !index.is_multiple_of(last) || !count.is_multiple_of(index) {
            return Err(Contradiction { index, like: starts.get(dividing).map_or(1, |start| start.index) });
        }
        starts.push(Start { index, step, entry, ratio: index / last, left: index / last });
    }
    let ends = starts.iter().skip(1).map(|start| start.index).chain([count]);
    Ok(starts.iter().zip(ends).map(|(start, end)| (end / start.index, start.entry)).collect())
}
