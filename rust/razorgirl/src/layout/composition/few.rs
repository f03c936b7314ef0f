//! Digit composition of layouts with at most eight leaves.

use crate::inline::INLINE;
use crate::int_tuple::profile::Word;

use crate::layout::basic::Layout;
use crate::layout::coalesce::Run;
use crate::layout::made::Made;
use crate::layout::mode::Mode;

/// The coalesced outer layout, and up to where its digits are in use.
// Extents and strides lie apart so that a place is found without a multiplication more.
pub(in crate::layout) struct Digits {
    extents: [u64; INLINE],
    strides: [u64; INLINE],
    load: [u64; INLINE],
    /// The digit without bound, the last one.
    last: usize,
}

impl Digits {
    /// Those of at most eight modes, which need not be coalesced.
    #[inline]
    pub(in crate::layout) fn new(modes: &[Mode]) -> Self {
        let (mut extents, mut strides) = ([0; INLINE], [0; INLINE]);
        let mut run = Run::new(modes.first().copied().unwrap_or(Mode::new(1, 0)));
        (extents[0], strides[0]) = (run.last.extent(), run.last.stride());
        for mode in modes.iter().skip(1) {
            run = run.then(*mode);
            (extents[run.place % INLINE], strides[run.place % INLINE]) = (run.last.extent(), run.last.stride());
        }
        Self { extents, strides, load: [0; INLINE], last: run.place % INLINE }
    }
}

/// What is left of a mode of the inner layout, from this digit on.
pub(in crate::layout) struct Walk {
    extent: u64,
    stride: u64,
    digit: usize,
}

impl Walk {
    #[inline]
    pub(in crate::layout) fn new(mode: Mode) -> Self {
        Self { extent: mode.extent(), stride: mode.stride(), digit: 0 }
    }

    /// The next mode of the composite, and whether there is a further one. `fits` becomes false where there is no
    /// composite, and where a mode has several digits and wraps: what that becomes, `pieces` has to find.
    // Products that count stay below the size or the cosize of the outer layout; where they wrap, `fits` is false by
    // then.
    #[inline]
    pub(in crate::layout) fn step(&mut self, digits: &mut Digits, fits: &mut bool) -> (Mode, bool) {
        let mut offset = 0_u64;
        while self.digit < digits.last {
            // The first digits are looked at for any stride: whether that is needed cannot be guessed.
            if self.digit > 2 && self.stride == 0 {
                break;
            }
            let place = self.digit % INLINE;
            let base = digits.extents[place].max(1);
            let above = self.stride / base;
            let digit = self.stride.wrapping_sub(above.wrapping_mul(base));
            let span = self.extent.wrapping_sub(1).wrapping_mul(digit);
            let piece = digit.wrapping_mul(digits.strides[place]);
            self.digit += 1;
            if span >= base {
                // The steps up to the wrap become a mode, and the others go on with the next digit.
                let steps = base / digit.max(1);
                let others = self.extent / steps.max(1);
                let even = steps.wrapping_mul(digit) == base && others.wrapping_mul(steps) == self.extent;
                digits.load[place] = digits.load[place].wrapping_add(base.wrapping_sub(digit));
                *fits &= even && above == 0 && offset == 0 && digits.load[place] < base;
                (self.extent, self.stride) = (others, 1);
                return (Mode::new(steps, piece), true);
            }
            digits.load[place] = digits.load[place].wrapping_add(span);
            *fits &= digits.load[place] < base;
            offset = offset.wrapping_add(piece);
            self.stride = above;
        }
        offset = offset.wrapping_add(self.stride.wrapping_mul(digits.strides[digits.last]));
        (Mode::new(self.extent, offset), false)
    }
}

/// The composite by digits; or in `made`, that there is none or that `digitwise` has to find it. That is where a mode
/// of the inner layout has several digits and wraps, where more than eight leaves or a profile of more than 32 tokens
/// would come out, and where a mode of an inner layout that is neither a leaf nor flat is split.
// Why it is written like this: see `made`.
#[inline(never)]
pub(super) fn compose_few(outer: &Layout, inner: &Layout, made: &mut Made) -> [Mode; INLINE] {
    let mut few = [Mode::new(0, 0); INLINE];
    let (outer_modes, inner_modes) = (outer.modes(), inner.modes());
    if outer_modes.len() > INLINE || inner_modes.len() > INLINE || inner.cosize() > outer.size() {
        return few;
    }
    let mut digits = Digits::new(outer_modes);
    let (nested, mut profile) = (Word::of(inner.profile()), Word::default());
    let flat = nested.is_flat(inner_modes.len());
    profile.open(!nested.is_leaf());
    let (mut exists, mut place, mut last) = (true, 0_usize, 0_u64);
    for mode in inner_modes {
        let (mut walk, before) = (Walk::new(*mode), place);
        loop {
            let (piece, further) = walk.step(&mut digits, &mut exists);
            few[place % INLINE] = piece;
            place = place.wrapping_add(1);
            last = last.wrapping_add(piece.extent().wrapping_sub(1).wrapping_mul(piece.stride()));
            if !further {
                break;
            }
        }
        profile.leaf_or_flat(place.wrapping_sub(before));
    }
    profile.close(!nested.is_leaf());
    let whole = place == inner_modes.len();
    made.exists = exists && place <= INLINE && (flat || (whole && nested.exists()));
    made.count = place;
    made.profile = if flat { profile.tokens() } else { nested.tokens() };
    made.size = inner.size();
    made.cosize = last.wrapping_add(1);
    few
}
