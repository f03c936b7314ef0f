//! Division of layouts with at most eight leaves.

use crate::inline::INLINE;
use crate::int_tuple::profile::Word;

use crate::layout::basic::Layout;
use crate::layout::complement::complete_inline;
use crate::layout::composition::inline::{Composed, Digits, Walk, compose, nested};
use crate::layout::mode::Mode;
use crate::layout::small_result::SmallResult;

/// The quotient by digits; or in `small`, that there is none or that `divided` has to find it: see `compose_inline`.
// Why it is written like this: see `small_result`.
#[inline(never)]
pub(in crate::layout) fn divide_inline(layout: &Layout, tile: &Layout, small: &mut SmallResult) -> [Mode; INLINE] {
    let mut inline = [Mode::new(0, 0); INLINE];
    let (modes, tile_modes) = (layout.modes(), tile.modes());
    if modes.len() > INLINE || tile_modes.len() >= INLINE || tile.cosize() > layout.size() {
        return inline;
    }
    let mut rest = SmallResult::default();
    let gaps = complete_inline(tile_modes, Some(layout.size()), &mut rest);
    let mut digits = Digits::new(modes);
    let mut composed = Composed { exists: rest.exists, count: 0, last: 0 };
    let inside = compose!(tile_modes, digits, inline, composed);
    let inside = nested(tile.profile(), tile_modes.len(), inside, composed.count);
    let over = compose!(gaps.iter().take(rest.count), digits, inline, composed);
    let over = Word::open(rest.count > 1).then(over).then(Word::close(rest.count > 1));
    let profile = Word::open(true).then(inside).then(over).then(Word::close(true));
    small.exists = composed.exists && composed.count <= INLINE && inside.exists() && profile.exists();
    small.count = composed.count;
    small.profile = profile.tokens();
    // The same offsets in another order.
    small.size = layout.size();
    small.cosize = layout.cosize();
    inline
}
