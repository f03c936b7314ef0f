//! Division of layouts with at most eight leaves.

use crate::inline::INLINE;
use crate::int_tuple::profile::Word;

use crate::layout::basic::Layout;
use crate::layout::complement::complete_few;
use crate::layout::composition::few::{Composed, Digits, Walk, compose, nested};
use crate::layout::made::Made;
use crate::layout::mode::Mode;

/// The quotient by digits; or in `made`, that there is none or that `divided` has to find it: see `compose_few`.
// Why it is written like this: see `made`.
#[inline(never)]
pub(in crate::layout) fn divide_few(layout: &Layout, tile: &Layout, made: &mut Made) -> [Mode; INLINE] {
    let mut few = [Mode::new(0, 0); INLINE];
    let (modes, tile_modes) = (layout.modes(), tile.modes());
    if modes.len() > INLINE || tile_modes.len() >= INLINE || tile.cosize() > layout.size() {
        return few;
    }
    let mut rest = Made::default();
    let gaps = complete_few(tile_modes, Some(layout.size()), &mut rest);
    let mut digits = Digits::new(modes);
    let mut composed = Composed { exists: rest.exists, count: 0, last: 0 };
    let inside = compose!(tile_modes, digits, few, composed);
    let inside = nested(tile.profile(), tile_modes.len(), inside, composed.count);
    let over = compose!(gaps.iter().take(rest.count), digits, few, composed);
    let over = Word::open(rest.count > 1).then(over).then(Word::close(rest.count > 1));
    let profile = Word::open(true).then(inside).then(over).then(Word::close(true));
    made.exists = composed.exists && composed.count <= INLINE && inside.exists() && profile.exists();
    made.count = composed.count;
    made.profile = profile.tokens();
    // The same offsets in another order.
    made.size = layout.size();
    made.cosize = layout.cosize();
    few
}
