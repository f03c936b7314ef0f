//! Digit composition of layouts with at most eight leaves.

use crate::inline::INLINE;
use crate::int_tuple::Profile;
use crate::int_tuple::profile::Word;

use crate::layout::basic::Layout;
use crate::layout::coalesce::Run;
use crate::layout::mode::Mode;
use crate::layout::small_result::SmallResult;

/// The coalesced outer layout, and up to where its digits are in use.
#[derive(Default)]
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
        let mut digits = Self::default();
        let mut run = Run::new(modes.first().copied().unwrap_or(Mode::new(1, 0)));
        digits.put(0, run.last);
        for mode in modes.iter().skip(1) {
            run = run.then(*mode);
            digits.put(run.place, run.last);
        }
        digits.last = run.place % INLINE;
        digits
    }

    /// Those of the places written before this one.
    #[inline]
    pub(in crate::layout) fn before(mut self, place: usize) -> Self {
        if place == 0 {
            self.put(0, Mode::new(1, 0));
        }
        self.last = place.saturating_sub(1) % INLINE;
        self
    }

    /// Writes a digit that is coalesced with none beside it.
    #[inline]
    pub(in crate::layout) fn put(&mut self, place: usize, mode: Mode) {
        self.extents[place % INLINE] = mode.extent();
        self.strides[place % INLINE] = mode.stride();
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

/// What has been composed so far.
pub(in crate::layout) struct Composed {
    /// Whether it exists, as far as digits tell.
    pub(in crate::layout) exists: bool,
    pub(in crate::layout) count: usize,
    /// The largest offset.
    pub(in crate::layout) last: u64,
}

/// Composes modes of an inner layout, one after another: their modes go to `$inline`, behind those of `$composed`, and the
/// nesting of what each becomes is answered.
// No function, because that would refer to `$inline`: see `small_result`.
macro_rules! compose {
    ($modes:expr, $digits:ident, $inline:ident, $composed:ident) => {{
        let mut profile = Word::default();
        for mode in $modes {
            let (mut walk, before) = (Walk::new(*mode), $composed.count);
            loop {
                let (piece, further) = walk.step(&mut $digits, &mut $composed.exists);
                $inline[$composed.count % INLINE] = piece;
                $composed.count = $composed.count.wrapping_add(1);
                let reach = piece.extent().wrapping_sub(1).wrapping_mul(piece.stride());
                $composed.last = $composed.last.wrapping_add(reach);
                if !further {
                    break;
                }
            }
            profile = profile.then(Word::leaf_or_flat($composed.count.wrapping_sub(before)));
        }
        profile
    }};
}

pub(in crate::layout) use compose;

/// The nesting of a composite whose inner layout has the modes `leaves` and this profile, where they have become
/// `composed`; nothing where a mode is split of one that is neither a leaf nor flat.
#[inline]
pub(in crate::layout) fn nested(inner: &Profile, leaves: usize, composed: Word, count: usize) -> Word {
    let profile = Word::of(inner);
    let tuple = !profile.is_leaf();
    let flat = Word::open(tuple).then(composed).then(Word::close(tuple));
    if profile.is_flat(leaves) {
        flat
    } else if count == leaves {
        profile
    } else {
        Word::default()
    }
}

/// The composite by digits; or in `small`, that there is none or that `digitwise` has to find it. That is where a mode
/// of the inner layout has several digits and wraps, where more than eight leaves or a profile of more than 32 tokens
/// would come out, and where a mode of an inner layout that is neither a leaf nor flat is split.
// Why it is written like this: see `small_result`.
#[inline(never)]
pub(in crate::layout) fn compose_inline(outer: &Layout, inner: &Layout, small: &mut SmallResult) -> [Mode; INLINE] {
    let mut inline = [Mode::new(0, 0); INLINE];
    let (outer_modes, inner_modes) = (outer.modes(), inner.modes());
    if outer_modes.len() > INLINE || inner_modes.len() > INLINE || inner.cosize() > outer.size() {
        return inline;
    }
    let mut digits = Digits::new(outer_modes);
    let mut composed = Composed { exists: true, count: 0, last: 0 };
    let profile = compose!(inner_modes, digits, inline, composed);
    let profile = nested(inner.profile(), inner_modes.len(), profile, composed.count);
    small.exists = composed.exists && composed.count <= INLINE && profile.exists();
    small.count = composed.count;
    small.profile = profile.tokens();
    small.size = inner.size();
    small.cosize = composed.last.wrapping_add(1);
    inline
}
