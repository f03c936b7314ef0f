//! What removes the conflicts of an array: padding behind a pitch, or a swizzle. Whatever is answered has been counted again,
//! for all accesses of the array together.

use super::row::{Looked, size_of};
use crate::domain::{Lanes, Mask};
use crate::eval::Space;
use crate::find::{Check, Verdict, wavefronts};
use crate::read::{Kernel, Module};
use std::collections::BTreeMap;

/// Another place for each byte of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// So many free bytes behind each pitch of bytes: byte b goes to b + b / pitch * free.
    Padding {
        /// Bytes between two paddings.
        pitch: u64,
        /// Free bytes.
        free: u64,
    },
    /// CuTe's `Swizzle<bits, base, shift>` of the byte in the array.
    Swizzle {
        /// Bits that are exclusive-ored.
        bits: u32,
        /// Low bits that stay.
        base: u32,
        /// How far the bits that are exclusive-ored onto them lie above.
        shift: u32,
    },
}

impl Change {
    /// Where a byte goes.
    fn place(self, byte: u64) -> u64 {
        match self {
            Self::Padding { pitch, free } => byte + byte / pitch * free,
            Self::Swizzle { bits, base, shift } => byte ^ ((byte >> (base + shift) & ((1 << bits) - 1)) << base),
        }
    }
}

/// What removes all conflicts of an array.
#[derive(Debug, Clone)]
pub struct Remedy {
    /// The array.
    pub array: String,
    /// The change.
    pub change: Change,
    /// Wavefronts of all accesses of the array as they are.
    pub before: u64,
    /// With the change: as many as there are phases.
    pub after: u64,
    /// How many accesses were counted.
    pub accesses: usize,
}

/// One evaluation of an access: the byte of each thread, its threads, its bytes.
struct Place<'a> {
    offsets: &'a Lanes,
    mask: &'a Mask,
    bytes: u64,
}

/// Accesses that one array may have for a search.
const MOST_ACCESSES: usize = 2000;

pub(super) fn remedies(module: &Module, kernel: &Kernel, looked: &[Looked], dynamic: Option<u64>) -> Vec<Remedy> {
    // an access that may reach any array
    let stray = |x: &Looked| x.access.space != Space::Global && x.found.array.is_none();
    if looked.iter().any(stray) {
        return Vec::new();
    }
    let mut arrays: BTreeMap<&str, Vec<&Looked>> = BTreeMap::new();
    for one in looked.iter().filter(|x| x.access.space == Space::Shared) {
        arrays.entry(one.found.array.as_deref().unwrap_or("")).or_default().push(one);
    }
    // arrays whose size the launch says begin at one place: what changes one changes the other
    let unsized_array = |array: &str| size_of(module, kernel, array).is_none();
    let aliased = arrays.keys().filter(|x| unsized_array(x)).count() > 1;
    arrays.retain(|array, _| !(aliased && unsized_array(array)));
    let of = |(array, all): (&str, Vec<&Looked>)| {
        let size = size_of(module, kernel, array).or(dynamic)?;
        remedy(array, &all, size)
    };
    arrays.into_iter().filter_map(of).collect()
}

fn remedy(array: &str, all: &[&Looked], size: u64) -> Option<Remedy> {
    if all.len() > MOST_ACCESSES {
        return None;
    }
    let mut places = Vec::new();
    let (mut before, mut least) = (0, 0);
    for one in all {
        let offsets = one.found.offsets.as_ref()?;
        let inside =
            one.access.mask.threads().all(|t| offsets.at(t).checked_add(one.access.bytes).is_some_and(|x| x <= size));
        // counts with conditions, of an array whose base is aligned to less than a vector, are not those of the new places
        let counted =
            matches!(one.found.verdict, Verdict::Exact | Verdict::AtMost) && one.found.aligned == Check::Holds;
        if one.found.warps.is_empty() || !inside || !counted {
            return None;
        }
        before += one.found.warps.iter().map(|x| x.wavefronts).sum::<u64>();
        least += one.found.warps.iter().map(|x| x.least).sum::<u64>();
        places.push(Place { offsets, mask: &one.access.mask, bytes: one.access.bytes });
    }
    if before == least {
        return None;
    }
    // what has most conflicts refutes most candidates
    let change = candidates(size, places.iter().map(|x| x.bytes).max()?)
        .into_iter()
        .find(|change| removes(*change, &places, size))?;
    Some(Remedy { array: array.to_owned(), change, before, after: least, accesses: all.len() })
}

/// Paddings from the fewest bytes, then swizzles from the fewest bits.
fn candidates(size: u64, vector: u64) -> Vec<Change> {
    let unit = vector.max(4);
    let mut paddings: Vec<(u64, u64)> = Vec::new();
    for pitch in (1..=1024 / 16).map(|x| x * 16).chain([2048]).filter(|x| size.is_multiple_of(*x) && *x < size) {
        paddings.extend([unit, 2 * unit, 4 * unit].map(|free| (pitch, free)));
    }
    paddings.sort_by_key(|(pitch, free)| (size / pitch * free, std::cmp::Reverse(*pitch)));
    let mut all: Vec<Change> = paddings.into_iter().map(|(pitch, free)| Change::Padding { pitch, free }).collect();
    let base = unit.trailing_zeros();
    for bits in 1..=7u32.saturating_sub(base) {
        all.extend((bits..=8).map(|shift| Change::Swizzle { bits, base, shift }));
    }
    all
}

/// Whether no access has a conflict with the change, and each is of consecutive aligned bytes in the array.
fn removes(change: Change, places: &[Place], size: u64) -> bool {
    if let Change::Swizzle { bits, base, shift } = change
        && !size.is_multiple_of(1 << (bits + base + shift))
    {
        return false;
    }
    places.iter().all(|one| {
        let mut moved = vec![0; one.mask.warps().len() * 32];
        for t in one.mask.threads() {
            let first = one.offsets.at(t);
            let to = change.place(first);
            if !to.is_multiple_of(one.bytes) || change.place(first + one.bytes - 1) != to + one.bytes - 1 {
                return false;
            }
            moved[t] = to;
        }
        one.mask.warps().iter().enumerate().all(|(warp, lanes)| {
            let addresses: Vec<Option<u64>> =
                (0..32).map(|lane| (lanes >> lane & 1 == 1).then(|| moved[warp * 32 + lane])).collect();
            wavefronts(&addresses, one.bytes).is_some_and(|(count, least)| count == least)
        })
    })
}
