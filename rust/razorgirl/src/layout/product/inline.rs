//! Products of layouts with at most eight leaves.

use core::hint::select_unpredictable;

use crate::inline::INLINE;
use crate::int_tuple::profile::Word;

use crate::layout::basic::Layout;
use crate::layout::complement::in_order;
use crate::layout::composition::inline::{Composed, Digits, Walk, compose, nested};
use crate::layout::mode::Mode;
use crate::layout::small_result::SmallResult;

/// The product by digits; or in `small`, that there is none or that `product` has to find it: see `compose_inline`.
// Why it is written like this: see `small_result`.
#[inline(never)]
pub(in crate::layout) fn product_inline(block: &Layout, tiles: &Layout, small: &mut SmallResult) -> [Mode; INLINE] {
    let mut inline = [Mode::new(0, 0); INLINE];
    let (modes, tile_modes) = (block.modes(), tiles.modes());
    // Of so many modes there are at most eight places for copies.
    if modes.len() >= INLINE || tile_modes.len() > INLINE {
        return inline;
    }
    for (slot, mode) in (0..INLINE).zip(modes) {
        inline[slot] = *mode;
    }
    let mut fits = true;
    let mut digits = places(modes, tiles.cosize(), &mut fits);
    let mut composed = Composed { exists: fits, count: modes.len(), last: 0 };
    let copies = compose!(tile_modes, digits, inline, composed);
    let copies = nested(tiles.profile(), tile_modes.len(), copies, composed.count.wrapping_sub(modes.len()));
    let inside = Word::of(block.profile());
    let profile = Word::open(true).then(inside).then(copies).then(Word::close(true));
    let (size, large) = block.size().overflowing_mul(tiles.size());
    let (cosize, far) = block.cosize().overflowing_add(composed.last);
    small.exists = composed.exists
        && composed.count <= INLINE
        && inside.exists()
        && copies.exists()
        && profile.exists()
        && !large
        && !far;
    small.count = composed.count;
    small.profile = profile.tokens();
    small.size = size;
    small.cosize = cosize;
    inline
}

/// What `places` finds for at most seven modes; or in `fits`, that there is nothing.
#[inline]
fn places(modes: &[Mode], count: u64, fits: &mut bool) -> Digits {
    let mut digits = Digits::default();
    let (mut below, mut before, mut found, mut place) = (1_u64, 0_u64, 1_u64, 0_usize);
    for mode in in_order(modes).iter().take(modes.len()) {
        let (extent, stride) = (mode.extent(), mode.stride());
        let copies = stride / below.max(1);
        // Stride 0 comes first, and is left out. Where extent × stride wrapped, it is below that stride.
        let counts = stride > 0;
        *fits &= !counts || (copies.wrapping_mul(below) == stride && copies > 0 && below >= before);
        digits.put(place, Mode::new(copies, below));
        place = place.wrapping_add(usize::from(copies > 1));
        found = found.wrapping_mul(copies.max(1));
        below = select_unpredictable(counts, extent.wrapping_mul(stride), below);
        before = stride;
    }
    if found < count {
        let copies = count.div_ceil(found.max(1));
        // The places before this one reach less far than the largest stride.
        let reach = below.checked_mul(copies - 1).and_then(|reach| reach.checked_add(before.max(1)));
        *fits &= below >= before && reach.is_some();
        digits.put(place, Mode::new(copies, below));
        place = place.wrapping_add(1);
    }
    digits.before(place)
}
