//! Small operands: their offsets are listed, so sizes stay below 64 mostly.

use razorgirl_extracted::Mode;

use super::{Case, Rng};

/// Extents from 1 to 8.
fn extent(bits: u64) -> u64 {
    const EXTENTS: [u64; 16] = [1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8];
    let [.., last] = bits.to_be_bytes();
    EXTENTS[usize::from(last % 16)]
}

/// Up to four modes of a size up to `most`: strides that continue, that are the next block's, or any.
fn layout(rng: &mut Rng, modes: &mut Vec<Mode>, most: u64) {
    modes.clear();
    let bits = rng.bits();
    let (rank, kind) = (RANKS[usize::try_from(bits >> 60).unwrap_or(0)], bits % 4);
    let (mut size, mut next) = (1, 1 + (bits >> 8) % 2);
    for _ in 0..rank {
        let bits = rng.bits();
        let extent = extent(bits).min(most / size).max(1);
        size *= extent;
        let stride = match (kind, (bits >> 8) % 16) {
            (0, _) => (bits >> 16) % 24,
            (_, 0) => 0,
            (_, 1) => next + 1,
            (_, 2) => next.saturating_sub(1),
            (1, 3..=6) => next * 2,
            (1, 7) => next * 3,
            _ => next,
        };
        modes.push(Mode { extent, stride });
        next = next.max(extent * stride);
    }
    // in another order, half of the time
    if kind >= 2 || rng.bits().is_multiple_of(2) {
        shuffle(rng, modes);
    }
}

const RANKS: [u8; 16] = [0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4];

fn shuffle(rng: &mut Rng, modes: &mut [Mode]) {
    for last in (1..modes.len()).rev() {
        let place = usize::try_from(rng.below(last as u64 + 1)).unwrap_or(0);
        modes.swap(last, place);
    }
}

/// Any layout.
pub(super) fn modes(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes, 64);
}

/// A layout whose blocks divide one another, mostly: one that can be completed and undone. Refusals take the library as long as
/// twenty answers, since it looks for what would be answered.
pub(super) fn spread(rng: &mut Rng, case: &mut Case) {
    chain(rng, &mut case.modes, 64);
}

fn chain(rng: &mut Rng, modes: &mut Vec<Mode>, most: u64) {
    let bits = rng.bits();
    if bits.is_multiple_of(24) {
        layout(rng, modes, most);
        return;
    }
    modes.clear();
    let (mut size, mut next) = (1, 1);
    for _ in 0..RANKS[usize::try_from(bits >> 60).unwrap_or(0)] {
        let bits = rng.bits();
        let extent = extent(bits).min(most / size).max(1);
        size *= extent;
        if (bits >> 8).is_multiple_of(4) && next <= 16 {
            next *= 2 + (bits >> 16) % 2;
        }
        modes.push(Mode { extent, stride: next });
        next *= extent;
    }
    shuffle(rng, modes);
}

/// A layout and a number, often a multiple of its block.
pub(super) fn modes_and_cotarget(rng: &mut Rng, case: &mut Case) {
    chain(rng, &mut case.modes, 32);
    let bits = rng.bits();
    let end = case.modes.iter().map(|mode| mode.extent * mode.stride).max().unwrap_or(1).max(1);
    case.number = match bits % 32 {
        0 => (bits >> 8) % 65,
        1 => end + 1,
        _ => end * (1 + (bits >> 8) % 3),
    };
}

/// A layout whose offsets are all those below its size, mostly.
pub(super) fn contiguous(rng: &mut Rng, case: &mut Case) {
    case.modes.clear();
    let bits = rng.bits();
    let (mut size, mut next) = (1, 1);
    for _ in 0..(bits >> 8) % 5 {
        let bits = rng.bits();
        let extent = extent(bits).min(64 / size).max(1);
        size *= extent;
        let stride = match (bits >> 8) % 32 {
            0 => next + 1,
            1 => 0,
            _ => next,
        };
        case.modes.push(Mode { extent, stride });
        next *= extent;
    }
    shuffle(rng, &mut case.modes);
}

/// An outer layout, and an inner one that steps by its places, mostly in a way that composes: a refusal takes the library as
/// long as twenty answers, since it looks for what would compose.
pub(super) fn pair(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes, 64);
    let bits = rng.bits();
    if bits.is_multiple_of(24) {
        let size: u64 = case.modes.iter().map(|mode| mode.extent).product();
        inner(rng, &case.modes, size, &mut case.inner);
        return;
    }
    parts(rng, &case.modes, &mut case.inner);
    if (bits >> 8).is_multiple_of(4) {
        case.inner.push(Mode { extent: extent(bits >> 16).min(4), stride: 0 });
    }
}

/// Modes that step from one place of `outer` on, as far as its size goes, mostly.
fn inner(rng: &mut Rng, outer: &[Mode], size: u64, modes: &mut Vec<Mode>) {
    modes.clear();
    let bits = rng.bits();
    let mut left = size;
    for _ in 0..=(bits >> 8) % 3 {
        let bits = rng.bits();
        let skip = usize::try_from((bits >> 8) % (outer.len() as u64 + 1)).unwrap_or(0);
        let at: u64 = outer.iter().take(skip).map(|mode| mode.extent).product();
        let stride = match (bits >> 16) % 16 {
            0 => 0,
            1 => at + 1,
            2 | 3 => at * 2,
            4 => (bits >> 32) % 16,
            _ => at,
        };
        let mut extent = extent(bits >> 40);
        if !(bits >> 24).is_multiple_of(16) {
            extent = extent.min(left / stride.clamp(1, left.max(1))).max(1);
        }
        left /= extent;
        modes.push(Mode { extent, stride });
    }
    if (bits >> 16).is_multiple_of(2) {
        modes.sort_unstable();
    }
}

/// A layout, and one that divides its places into tiles, mostly.
pub(super) fn tiled(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes, 64);
    tile(rng, &case.modes, &mut case.inner);
}

fn tile(rng: &mut Rng, outer: &[Mode], modes: &mut Vec<Mode>) {
    if rng.bits().is_multiple_of(24) {
        let size = outer.iter().map(|mode| mode.extent).product();
        inner(rng, outer, size, modes);
    } else {
        parts(rng, outer, modes);
    }
}

/// Some modes of the indices of `outer`, whole or in part: every so many of them, or those that follow one another.
fn parts(rng: &mut Rng, outer: &[Mode], modes: &mut Vec<Mode>) {
    modes.clear();
    let mut end = 1;
    for mode in outer {
        let bits = rng.bits();
        let by = [2, 3, 4, mode.extent][usize::try_from((bits >> 8) % 4).unwrap_or(0)];
        let other = mode.extent / by;
        match bits % 4 {
            1 => modes.push(Mode { extent: mode.extent, stride: end }),
            2 if mode.extent.is_multiple_of(by) => modes.push(Mode { extent: other, stride: end * by }),
            3 if mode.extent.is_multiple_of(by) => modes.push(Mode { extent: other, stride: end }),
            _ => {}
        }
        end *= mode.extent;
    }
    shuffle(rng, modes);
}

/// A block, mostly with few gaps, and how its copies are arranged.
pub(super) fn copied(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    if bits.is_multiple_of(8) {
        chain(rng, &mut case.modes, 12);
        layout(rng, &mut case.inner, 12);
        return;
    }
    case.modes.clear();
    let (mut size, mut next) = (1, 1);
    for _ in 0..(bits >> 8) % 4 {
        let bits = rng.bits();
        let extent = extent(bits).min(12 / size).max(1);
        size *= extent;
        let stride = if (bits >> 8).is_multiple_of(16) { 0 } else { next };
        case.modes.push(Mode { extent, stride });
        next = next.max(extent * stride);
    }
    shuffle(rng, &mut case.modes);
    layout(rng, &mut case.inner, 12);
}

/// Two modes and a tile for each; the number says how many modes of `inner` are the first tile's.
pub(super) fn tiled_by_mode(rng: &mut Rng, case: &mut Case) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    layout(rng, &mut case.modes, 64);
    while case.modes.len() < 2 {
        case.modes.push(Mode { extent: 1, stride: 0 });
    }
    case.modes.truncate(2);
    tile(rng, &case.modes[..1], &mut first);
    tile(rng, &case.modes[1..], &mut second);
    case.number = first.len() as u64;
    case.inner.clear();
    case.inner.append(&mut first);
    case.inner.append(&mut second);
}

/// The offsets of a layout, one of them changed half of the time.
pub(super) fn offsets(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes, 48);
    case.offsets.clear();
    case.offsets.push(0);
    for mode in &case.modes {
        let below = case.offsets.len();
        for digit in 1..mode.extent {
            for at in 0..below {
                case.offsets.push(case.offsets[at] + digit * mode.stride);
            }
        }
    }
    case.modes.clear();
    let bits = rng.bits();
    let at = usize::try_from((bits >> 8) % case.offsets.len() as u64).unwrap_or(0);
    match bits % 8 {
        0 => case.offsets[at] += 1,
        1 => case.offsets[at] ^= 2,
        2 => case.offsets.truncate(at),
        3 => case.offsets.push((bits >> 32) % 64),
        _ => {}
    }
}

/// The bits, base and shift of a swizzle, and a number.
pub(super) fn swizzle(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    case.offsets.clear();
    case.offsets.extend([(bits >> 56) % 5, (bits >> 48) % 6, (bits >> 40) % 9]);
    case.number = bits % (1 << 16);
}
