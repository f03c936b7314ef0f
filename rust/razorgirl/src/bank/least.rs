//! How many wavefronts no layout of a tile can avoid.

use crate::error::Result;
use crate::swizzle::SwizzledLayout;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use super::count::{BANKS, WORD, lanes_of_phase};
use super::pattern::Access;
use super::remedy::has_places_of_their_own;

/// A lower bound of the wavefronts of each phase of each access, for every layout of the tile that gives each element a place of
/// its own and serves these accesses, with elements of so many bytes.
///
/// An access of 8 or 16 bytes a lane needs its words at consecutive addresses, the first at a multiple of its bytes. So word p
/// of such a vector lies in one of 32 / w banks, where w is the number of its words, whatever the layout is. A phase that reads
/// word p of n different vectors takes at least ⌈n / (32 / w)⌉ wavefronts. Elements that lie in no such vector count for
/// nothing, and the bound is 1 where elements share their places.
///
/// # Errors
/// As [`SwizzledLayout::offsets`].
///
/// ```
/// use razorgirl::bank::{Pattern, least_wavefronts};
/// use razorgirl::SwizzledLayout;
///
/// // rows by 16 bytes a lane, columns by 4: a column reads word p of 32 vectors, which lie in 8 banks
/// let tile: SwizzledLayout = "(128,32):(32,1)".parse()?;
/// let mut both = Pattern::Row.accesses(&tile, 4)?;
/// let rows = both.len();
/// both.extend(Pattern::Column.accesses(&tile, 1)?);
/// let least = least_wavefronts(&tile, &both, 4)?;
/// assert!(least[..rows].iter().flatten().all(|&n| n == 1));
/// assert!(least[rows..].iter().flatten().all(|&n| n == 4));
/// # Ok::<(), razorgirl::Error>(())
/// ```
pub fn least_wavefronts(layout: &SwizzledLayout, accesses: &[Access], element: u64) -> Result<Vec<Vec<u64>>> {
    let bytes = |one: &Access| element * one.elements(0).len() as u64;
    let phases = |one: &Access| one.lanes.len().div_ceil(lanes_of_phase(bytes(one)));
    let mut least: Vec<Vec<u64>> = accesses.iter().map(|one| vec![1; phases(one)]).collect();
    if !has_places_of_their_own(layout)? {
        return Ok(least);
    }
    for wide in [2 * WORD, 4 * WORD] {
        let Some(vectors) = vectors(accesses.iter().filter(|one| bytes(one) == wide), element) else { continue };
        let banks = BANKS / (wide / WORD);
        for (one, least) in accesses.iter().zip(&mut least) {
            let step = lanes_of_phase(bytes(one));
            for (phase, least) in least.iter_mut().enumerate() {
                let lanes = phase * step..(phase * step + step).min(one.lanes.len());
                let words: BTreeSet<(u64, u64)> = lanes
                    .flat_map(|lane| one.elements(lane))
                    .filter_map(|index| vectors.get(&index).copied())
                    .collect();
                let mut of_place: BTreeMap<u64, u64> = BTreeMap::new();
                for (place, _) in words {
                    *of_place.entry(place).or_default() += 1;
                }
                let most = of_place.into_values().max().unwrap_or_default();
                *least = (*least).max(most.div_ceil(banks));
            }
        }
    }
    Ok(least)
}

/// For each element its word in its vector, and the vector by its first element; none where accesses take an element in two
/// vectors.
fn vectors<'a>(accesses: impl Iterator<Item = &'a Access>, element: u64) -> Option<BTreeMap<u64, (u64, u64)>> {
    let mut found = BTreeMap::new();
    for one in accesses {
        for lane in 0..one.lanes.len() {
            let all = one.elements(lane);
            let first = *all.first()?;
            for (place, index) in (0..).zip(all) {
                let own = (place * element / WORD, first);
                if *found.entry(index).or_insert(own) != own {
                    return None;
                }
            }
        }
    }
    Some(found)
}
