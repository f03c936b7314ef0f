//! Cases: mostly valid, mostly answered, and often near a border. Drawn in place, so that drawing costs less than what
//! is compared.

pub use razorgirl_conform::generate::Rng;

use razorgirl_extracted::Mode;

use super::Case;

/// The most offsets that are listed.
const LISTED: u64 = 256;

/// Any layout.
pub(super) fn modes(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes);
}

/// Any layout, with strides of 0 under extents of 1, as the library has them.
pub(super) fn normal(rng: &mut Rng, case: &mut Case) {
    modes(rng, case);
    for mode in case.modes.iter_mut().filter(|mode| mode.extent == 1) {
        mode.stride = 0;
    }
}

fn layout(rng: &mut Rng, modes: &mut Vec<Mode>) {
    modes.clear();
    let bits = rng.bits();
    let rank = if bits.is_multiple_of(64) { bits >> 60 } else { (bits >> 60) % 6 };
    match (bits >> 8) % 16 {
        0 | 1 => edge(rng, rank, modes),
        2..=5 => {
            for _ in 0..rank {
                let bits = rng.bits();
                modes.push(Mode { extent: small(bits), stride: (bits >> 8) % 40 });
            }
        }
        6..=8 => chain(rng, rank, modes),
        _ => follow(rng, rank, modes),
    }
}

/// Extents from 1 to 16.
fn small(bits: u64) -> u64 {
    const EXTENTS: [u64; 16] = [1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16];
    let [.., last] = bits.to_be_bytes();
    EXTENTS[usize::from(last % 16)]
}

/// Modes that continue one another, or just do not.
fn follow(rng: &mut Rng, rank: u64, modes: &mut Vec<Mode>) {
    let mut next = rng.bits() % 4;
    for _ in 0..rank {
        let bits = rng.bits();
        let extent = small(bits);
        modes.push(Mode { extent, stride: next });
        let follows = next.saturating_mul(extent);
        next = match (bits >> 8) % 8 {
            0 => follows.saturating_add(1),
            1 => follows.saturating_sub(1),
            2 => next,
            _ => follows,
        };
    }
}

/// Modes whose blocks divide one another, in some order.
fn chain(rng: &mut Rng, rank: u64, modes: &mut Vec<Mode>) {
    let mut next = 1_u64;
    for _ in 0..rank {
        let bits = rng.bits();
        let (extent, gap) = (small(bits), 1 + (bits >> 8) % 4);
        next = next.saturating_mul(gap);
        modes.push(Mode { extent, stride: next });
        next = next.saturating_mul(extent);
    }
    for last in (1..modes.len()).rev() {
        modes.swap(last, place(rng, last + 1));
    }
}

/// Size and cosize around 2^64, on either side.
fn edge(rng: &mut Rng, rank: u64, modes: &mut Vec<Mode>) {
    let mut left = 65_u64;
    for _ in 0..rank {
        let bits = rng.bits();
        let taken = (bits >> 32) % (left.min(63) + 1);
        left -= taken;
        let extent = (1_u64 << taken).saturating_add(bits % 3).saturating_sub(1).max(1);
        let stride = match (bits >> 8) % 8 {
            0 => 0,
            1 => u64::MAX - (bits >> 16) % 2,
            2 => (u64::MAX / extent).saturating_add((bits >> 16) % 2),
            3 => 1 << ((bits >> 16) % 64),
            4 => modes.last().map_or(1, |mode: &Mode| mode.extent.wrapping_mul(mode.stride)),
            _ => rng.bits() >> ((bits >> 16) % 64),
        };
        modes.push(Mode { extent, stride });
    }
}

fn place(rng: &mut Rng, length: usize) -> usize {
    usize::try_from(rng.below(length as u64)).unwrap_or(0)
}

/// A layout to complete: mostly one that can be, since a refusal of the library searches for a collision to show.
pub(super) fn block(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    case.modes.clear();
    if bits.is_multiple_of(128) {
        layout(rng, &mut case.modes);
        return;
    }
    chain(rng, (bits >> 8) % 6, &mut case.modes);
    let place = place(rng, case.modes.len().max(1));
    if let Some(mode) = case.modes.get_mut(place) {
        match (bits >> 16) % 256 {
            0 => mode.stride = mode.stride.saturating_add(1),
            1 => mode.stride = 0,
            2 => mode.extent += 1,
            _ => {}
        }
    }
}

/// A layout that has each offset below its size once, mostly.
pub(super) fn contiguous(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    if bits.is_multiple_of(8) {
        block(rng, case);
        return;
    }
    case.modes.clear();
    let mut next = 1_u64;
    for _ in 0..(bits >> 8) % 6 {
        let extent = small(rng.bits());
        case.modes.push(Mode { extent, stride: next });
        next *= extent;
    }
    for last in (1..case.modes.len()).rev() {
        case.modes.swap(last, place(rng, last + 1));
    }
}

/// A layout to complete, and how far: mostly whole blocks.
pub(super) fn block_and_cotarget(rng: &mut Rng, case: &mut Case) {
    block(rng, case);
    let bits = rng.bits();
    let end = case.modes.iter().map(|mode| mode.extent.saturating_mul(mode.stride)).max().unwrap_or(1).max(1);
    let whole = end.saturating_mul(1 + bits % 8);
    case.number = match (bits >> 8) % 128 {
        0 => whole.saturating_add(1),
        1 => whole / 2,
        2 => 0,
        3 => 1 << ((bits >> 16) % 64),
        _ => whole,
    };
}

/// A layout and an index, mostly inside.
pub(super) fn modes_and_index(rng: &mut Rng, case: &mut Case) {
    modes(rng, case);
    let size = case.modes.iter().try_fold(1_u64, |size, mode| size.checked_mul(mode.extent)).unwrap_or(u64::MAX);
    case.number = rng.below(size);
}

/// The offsets of a layout, or nearly so.
pub(super) fn offsets(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes);
    let mut size = 1;
    for mode in &mut case.modes {
        mode.extent = mode.extent.clamp(1, LISTED / size).min(16);
        size *= mode.extent;
    }
    case.offsets.clear();
    case.offsets.push(0);
    for mode in &case.modes {
        let below = case.offsets.len();
        for digit in 1..mode.extent {
            for at in 0..below {
                case.offsets.push(case.offsets[at].wrapping_add(digit.wrapping_mul(mode.stride)));
            }
        }
    }
    let bits = rng.bits();
    let at = place(rng, case.offsets.len());
    match bits % 16 {
        0 => case.offsets[at] ^= 1 << ((bits >> 8) % 64),
        1 => case.offsets[at] = case.offsets[at].wrapping_add(1),
        2 => case.offsets.truncate(at),
        3 => case.offsets.push(bits >> 32),
        _ => {}
    }
}

/// Two layouts to compose, outer first: the inner one steps by places of the outer one, mostly inside of it.
pub(super) fn pair(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    layout(rng, &mut case.modes);
    case.inner.clear();
    if bits.is_multiple_of(64) {
        layout(rng, &mut case.inner);
        return;
    }
    let size = case.modes.iter().fold(1_u64, |size, mode| size.saturating_mul(mode.extent));
    let mut left = size;
    let mut at = 1_u64;
    let mut modes = case.modes.iter().cycle();
    for _ in 0..(bits >> 8) % 4 {
        let bits = rng.bits();
        for _ in 0..(bits >> 8) % 3 {
            at = at.saturating_mul(modes.next().map_or(1, |mode| mode.extent));
        }
        let mut extent = small(bits);
        // What is asked for mostly lies inside, and mostly divides: a refusal of the library looks for what would compose.
        if !(bits >> 16).is_multiple_of(32) {
            extent = extent.min(left / at.clamp(1, left.max(1))).max(1);
            left /= extent.max(1);
        }
        let begun = modes.clone().next().map_or(1, |mode| mode.extent);
        if !(bits >> 24).is_multiple_of(16) && !begun.is_multiple_of(extent) {
            extent = if (bits >> 32).is_multiple_of(2) { 1 } else { begun.min(left.max(1)) };
        }
        case.inner.push(Mode { extent, stride: at });
        at = at.saturating_mul(extent);
    }
    if (bits >> 16).is_multiple_of(4) {
        for last in (1..case.inner.len()).rev() {
            case.inner.swap(last, place(rng, last + 1));
        }
    }
}

/// A layout, and a coordinate that mostly lies in its shape.
pub(super) fn modes_and_coordinate(rng: &mut Rng, case: &mut Case) {
    modes(rng, case);
    case.offsets.clear();
    for mode in &case.modes {
        let bits = rng.bits();
        let past = u64::from(bits.is_multiple_of(256));
        case.offsets.push((bits >> 8) % mode.extent.max(1) + past * mode.extent);
    }
    match rng.bits() % 256 {
        0 => case.offsets.push(0),
        1 => case.offsets.truncate(1),
        _ => {}
    }
}

/// A layout, and one that divides its linear indices into tiles, mostly.
pub(super) fn tiled(rng: &mut Rng, case: &mut Case) {
    layout(rng, &mut case.modes);
    case.inner.clear();
    let bits = rng.bits();
    if bits.is_multiple_of(64) {
        layout(rng, &mut case.inner);
        return;
    }
    let mut end = 1_u64;
    for mode in &case.modes {
        let bits = rng.bits();
        if bits.is_multiple_of(2) {
            let extent = if (bits >> 8).is_multiple_of(16) { small(bits >> 16) } else { mode.extent };
            case.inner.push(Mode { extent, stride: end });
        }
        end = end.saturating_mul(mode.extent);
    }
    for last in (1..case.inner.len()).rev() {
        case.inner.swap(last, place(rng, last + 1));
    }
}

/// A block with few gaps, and how its copies are arranged.
pub(super) fn copied(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    if bits.is_multiple_of(16) {
        block(rng, case);
    } else {
        let mut next = 1_u64;
        case.modes.clear();
        for _ in 0..(bits >> 8) % 4 {
            let bits = rng.bits();
            let (extent, gap) = (small(bits), if (bits >> 8).is_multiple_of(8) { 2 } else { 1 });
            next = next.saturating_mul(gap);
            let stride = if (bits >> 16).is_multiple_of(16) { 0 } else { next };
            case.modes.push(Mode { extent, stride });
            if stride > 0 {
                next = next.saturating_mul(extent);
            }
        }
    }
    if (bits >> 16).is_multiple_of(16) {
        layout(rng, &mut case.inner);
    } else {
        case.inner.clear();
        follow(rng, (bits >> 32) % 4, &mut case.inner);
    }
}

/// Two integers, often at an end of their range.
pub(super) fn integers(rng: &mut Rng, case: &mut Case) {
    let mut one = || {
        let bits = rng.bits();
        match bits % 8 {
            0 => 1 << ((bits >> 8) % 64),
            1 => (1_u64 << ((bits >> 8) % 64)).wrapping_neg(),
            2 => u64::MAX >> ((bits >> 8) % 64),
            3 => rng.bits(),
            _ => ((bits >> 8) % 41).wrapping_sub(20),
        }
    };
    case.number = one();
    let divisor = one();
    case.offsets.clear();
    case.offsets.push(divisor);
}

/// The dimensions of a copy by boxes: sizes and boxes as modes, and an element stride for each.
pub(super) fn copies(rng: &mut Rng, case: &mut Case) {
    let bits = rng.bits();
    case.modes.clear();
    case.offsets.clear();
    for _ in 0..bits % 6 {
        let bits = rng.bits();
        let wide = (bits >> 56).is_multiple_of(16);
        let number = |shift: u32, below: u64| {
            let bits = bits >> shift;
            if wide { 1_u64 << (bits % 64) } else { 1 + bits % below }
        };
        case.modes.push(Mode { extent: number(0, 40), stride: number(8, 20) });
        case.offsets.push(number(16, 9));
    }
}
