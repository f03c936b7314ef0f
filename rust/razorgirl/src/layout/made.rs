//! Results that are written where they stay.
//!
//! A layout that is first made and then moved costs as much again as the algebra itself: its numbers are written one by
//! one, and when they are read again in larger parts for the move, the processor has to wait until all of them have
//! reached the cache. So the operations that are fast for at most eight leaves do as follows, and the compiler then
//! writes their result where the caller wants it:
//!
//! - a function that is not inlined answers the modes as an array, to which it never takes a reference, and the rest as
//!   [`Made`];
//! - its caller makes the result of both with nothing in between, also where it has to be thrown away.
//!
//! Branches that depend on the numbers are avoided where layouts are mixed: each wrong guess of the processor costs as
//! much as several modes.

use crate::inline::INLINE;
use crate::int_tuple::Profile;

use super::basic::Layout;
use super::mode::Mode;

/// What a layout of at most eight leaves is besides its modes.
// No two fields that are neighbours in a layout are neighbours here, so that they are not moved in pairs either.
#[derive(Default)]
#[repr(C)]
pub(super) struct Made {
    pub(super) count: usize,
    /// The tokens of its profile, at most 32.
    pub(super) profile: u64,
    pub(super) size: u64,
    /// Whether there is one at all.
    pub(super) exists: bool,
    pub(super) cosize: u64,
}

impl Made {
    /// The layout with these modes. It owns nothing outside itself.
    #[inline]
    pub(super) fn layout(&self, few: [Mode; INLINE]) -> Layout {
        Layout {
            few,
            count: self.count,
            many: Vec::new(),
            profile: Profile::from_short(u128::from(self.profile)),
            size: self.size,
            cosize: self.cosize,
        }
    }
}
