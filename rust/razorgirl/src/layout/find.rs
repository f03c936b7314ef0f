//! From a function to the layout that has it.

use razorgirl_extracted::{Fault, functions};

use crate::error::{Error, Result};

use super::basic::Layout;

impl Layout {
    /// The coalesced layout with exactly these offsets, or nothing when no layout has them.
    ///
    /// O(n) for n offsets, and it stops at the first one that contradicts.
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

/// The modes of the coalesced layout with `count` offsets, each as its extent and the index whose offset is its stride;
/// nothing when no layout has that function. The offsets are seen only through the question whether
/// `f(a) + f(b) = f(sum)`, so that they may be integers of any kind.
///
/// The question is asked O(`count`) times. The list is empty for a single offset.
///
/// ```
/// use razorgirl::find_modes;
///
/// let f = [0_u128, 1 << 90, 1, (1 << 90) + 1];
/// let modes = find_modes(4, |a, b, sum| f[a] + f[b] == f[sum]);
/// assert_eq!(modes, Some(vec![(2, 1), (2, 2)]));
/// ```
pub fn find_modes(count: usize, mut adds: impl FnMut(usize, usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
    if count == 0 || !adds(0, 0, 0) {
        return None;
    }
    let mut modes = Vec::new();
    // What is left is the function x ↦ f(step·x) on [0, left).
    let (mut step, mut left) = (1, count);
    while left > 1 {
        let mut follows = |x: usize| adds(step * (x - 1), step, step * x);
        let extent = (1..left).find(|x| !follows(*x)).unwrap_or(left);
        let repeats = left % extent == 0 && (extent..left).all(|x| x % extent == 0 || follows(x));
        if !repeats {
            return None;
        }
        modes.push((extent, step));
        step *= extent;
        left /= extent;
    }
    Some(modes)
}
