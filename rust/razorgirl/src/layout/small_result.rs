//! Results that are written where they stay.
//!
//! A layout that is first made and then moved costs as much again as the algebra itself: its numbers are written one by
//! one, and when they are read again in larger parts for the move, the processor has to wait until all of them have
//! reached the cache. So the operations that are fast for at most eight leaves do as follows, and the compiler then
//! writes their result where the caller wants it:
//!
//! - a function that is not inlined answers the modes as an array, to which it never takes a reference, and the rest as
//!   [`SmallResult`];
//! - its caller makes the result of both with nothing in between, also where it has to be thrown away.
//!
//! Branches that depend on the numbers are avoided where layouts are mixed: each wrong guess of the processor costs as
//! much as several modes.

use crate::error::Result;
use crate::inline::INLINE;
use crate::int_tuple::Profile;
use alloc::vec::Vec;

use super::basic::Layout;
use super::mode::Mode;

/// What a layout of at most eight leaves is besides its modes.
// No two fields that are neighbours in a layout are neighbours here, so that they are not moved in pairs either.
#[derive(Default)]
#[repr(C)]
pub(super) struct SmallResult {
    pub(super) count: usize,
    /// The tokens of its profile, at most 32.
    pub(super) profile: u64,
    pub(super) size: u64,
    /// Whether there is one at all.
    pub(super) exists: bool,
    pub(super) cosize: u64,
}

impl SmallResult {
    /// The layout with these modes. It owns nothing outside itself.
    #[inline]
    pub(super) fn layout(&self, inline: [Mode; INLINE]) -> Layout {
        Layout {
            inline,
            count: self.count,
            heap: Vec::new(),
            profile: Profile::from_short(u128::from(self.profile)),
            size: self.size,
            cosize: self.cosize,
        }
    }

    /// The layout with these modes, or where there is none, what `otherwise` answers.
    #[inline]
    pub(super) fn layout_or(
        &self,
        inline: [Mode; INLINE],
        otherwise: impl FnOnce() -> Result<Layout>,
    ) -> Result<Layout> {
        let layout = Ok(self.layout(inline));
        if self.exists {
            return layout;
        }
        // Nothing is lost: it owns nothing. Dropping it here would keep it from being built where it stays.
        core::mem::forget(layout);
        otherwise()
    }
}

#[cfg(test)]
mod tests {
    use crate::layout::complement::{complete, complete_inline};
    use crate::layout::composition::digitwise;
    use crate::layout::composition::inline::compose_inline;
    use crate::layout::divide::divided;
    use crate::layout::divide::inline::divide_inline;
    use crate::layout::product::inline::product_inline;
    use crate::layout::product::product;

    use super::*;

    type Inline = fn(&Layout, &Layout, &mut SmallResult) -> [Mode; INLINE];

    /// Modes that meet often, and those at the end of the range.
    fn modes() -> Vec<Mode> {
        let mut modes: Vec<Mode> =
            (1..=4).flat_map(|extent| [0, 1, 2, 3, 4, 6, 8, 12].map(|stride| Mode::new(extent, stride))).collect();
        let large = [1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX / 3];
        modes.extend(large.map(|stride| Mode::new(2, stride)));
        modes.extend(large.map(|extent| Mode::new(extent, 1)));
        modes.extend([Mode::new(1 << 32, (1 << 32) - 1), Mode::new(1 << 31, 1 << 32), Mode::new(1 << 32, 0)]);
        modes
    }

    /// Some layouts of up to this rank, in every kind of nesting.
    fn layouts(rank: usize, step: usize) -> Vec<Layout> {
        let modes = modes();
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..rank {
            last = last.iter().flat_map(|flat| modes.iter().map(|mode| [&flat[..], &[*mode]].concat())).collect();
            all.extend(last.iter().step_by(step).cloned());
        }
        let mut layouts = Vec::new();
        for (i, flat) in all.into_iter().enumerate() {
            let Ok(flat) = Layout::from_modes(flat) else { continue };
            match i % 3 {
                0 if flat.rank() == 1 => layouts.extend(flat.mode(0)),
                1 => layouts.extend(Layout::concat(&[flat])),
                _ => layouts.push(flat),
            }
        }
        layouts
    }

    /// Fast and slow agree wherever the fast one answers; how often it does, and how often it might.
    fn agree(inline: Inline, slow: fn(&Layout, &Layout) -> Option<Layout>, a: &Layout, b: &Layout) -> [usize; 2] {
        let mut small = SmallResult::default();
        let modes = inline(a, b, &mut small);
        let expected = slow(a, b);
        if small.exists {
            let answer = small.layout(modes);
            assert_eq!(Some(&answer), expected.as_ref(), "{a} {b}");
            let expected = expected.map(|layout| (layout.size(), layout.cosize()));
            assert_eq!(Some((answer.size(), answer.cosize())), expected, "{a} {b}");
        }
        [usize::from(small.exists), usize::from(slow(a, b).is_some())]
    }

    #[test]
    fn fast_and_slow_agree() {
        let (firsts, seconds) = (layouts(3, 17), layouts(2, 7));
        for (inline, slow) in [
            (compose_inline as Inline, digitwise as fn(&Layout, &Layout) -> Option<Layout>),
            (divide_inline, divided),
            (product_inline, product),
        ] {
            let (mut fast, mut all) = (0, 0);
            for a in &firsts {
                for b in &seconds {
                    let [one, both] = agree(inline, slow, a, b);
                    (fast, all) = (fast + one, all + both);
                }
            }
            assert!(all > 1000 && fast * 10 > all * 8, "{fast} of {all}");
        }
    }

    #[test]
    fn complements_agree() {
        for layout in layouts(3, 2) {
            let block = layout.modes().iter().map(|mode| mode.extent().wrapping_mul(mode.stride())).max().unwrap_or(1);
            let cotargets = [0, 1, 2, 12, 24, 1 << 63, u64::MAX, layout.size(), block, block.wrapping_mul(3)];
            for cotarget in cotargets.map(Some).into_iter().chain([None]) {
                let mut small = SmallResult::default();
                let modes = complete_inline(layout.modes(), cotarget, &mut small);
                let answer = small.exists.then(|| small.layout(modes));
                let expected = complete(&layout, cotarget.map(u128::from));
                assert_eq!(answer, expected, "{layout} in {cotarget:?}");
                let sizes = |layout: Layout| (layout.size(), layout.cosize());
                assert_eq!(answer.map(sizes), expected.map(sizes), "{layout} in {cotarget:?}");
            }
        }
    }
}
