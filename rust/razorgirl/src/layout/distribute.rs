//! Tiles that divide a shape.

use crate::error::{Error, ErrorKind, Result};
use crate::inline::InlineVec;
use crate::int_tuple::{Profile, Shape};

use super::basic::Layout;
use super::coalesce::coalesced;
use super::mode::Mode;

impl Layout {
    /// A tile of `gcd(count, size)` elements that divides the shape, as indices of it: all `count` exactly when `count`
    /// divides the size. Of each extent it takes what that has in common with what is left of `count`.
    ///
    /// # Errors
    /// [`Extent`](ErrorKind::Extent) when `count` is 0.
    ///
    /// ```
    /// use razorgirl::Layout;
    ///
    /// let shape = "(15,14)".parse()?;
    /// assert_eq!(Layout::domain_distribute(&shape, 6)?.to_string(), "(3,2):(1,15)");
    /// // 4 does not divide 210
    /// assert_eq!(Layout::domain_distribute(&shape, 4)?.to_string(), "2:15");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `domain_distribute(shape, count)`.
    ///
    /// Lean: `Razorgirl.Layout.domainDistribute`
    pub fn domain_distribute(shape: &Shape, count: u64) -> Result<Self> {
        if count == 0 {
            return Err(
                Error::new(ErrorKind::Extent, "the number of elements is 0").with_help("use at least 1 element")
            );
        }
        let (mut rest, mut stride) = (count, 1);
        let modes: InlineVec<Mode> = shape
            .extents()
            .leaves()
            .iter()
            .map(|extent| {
                let common = gcd(*extent, rest);
                let mode = Mode::new(common, if common == 1 { 0 } else { stride });
                rest /= common;
                stride *= extent;
                mode
            })
            .collect();
        let modes = coalesced(modes.as_slice());
        let profile = Profile::leaf_or_flat(modes.len());
        Ok(Self::shrunk(modes, profile))
    }
}

/// The greatest common divisor; `gcd(n, 0) = n`.
pub(super) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
