//! Where the elements of a tile lie in shared memory.
//!
//! The copy engine writes a tile as one contiguous run. A layout of shared memory fits when its first mode, the tile, is
//! such a run, and every copy of the tile begins at a multiple of its size.

use crate::Layout;

/// Why a layout of shared memory does not fit the copies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TileFault {
    /// The elements of a tile are not consecutive: element `index` lies at `offset`.
    Scattered {
        /// the first element that is not where the engine writes it
        index: u64,
        /// where the layout has it, counted from the first element of the tile
        offset: u64,
    },
    /// A tile begins at `offset`, in the middle of another one.
    Straddles {
        /// where it begins
        offset: u64,
        /// elements of a tile
        tile: u64,
    },
    /// Two tiles begin at the same place.
    Shared {
        /// where both begin
        offset: u64,
    },
}

/// Whether copies of a tile can be written through this layout of shared memory: mode 0 is the tile, in the order in which
/// the engine writes it, all further modes are the tiles. `None` when they can.
///
/// ```
/// use razorgirl::tma::{TileFault, tile_fault};
///
/// assert_eq!(tile_fault(&"((8,4),6):((1,8),32)".parse()?), None);
/// // rows of 8 in an array of width 10 are no run
/// assert_eq!(tile_fault(&"((8,4),6):((1,10),40)".parse()?), Some(TileFault::Scattered { index: 8, offset: 10 }));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Nothing is enumerated, except to name two tiles at one place. nvFuser: TMA tutorial, step 4; Figures 13 to 15.
#[must_use]
pub fn tile_fault(layout: &Layout) -> Option<TileFault> {
    let tile = layout.mode(0).unwrap_or_else(|| layout.clone());
    let size = tile.size();
    let flat = tile.coalesce();
    if let Some(first) = flat.modes().first()
        && size > 1
        && (first.stride() != 1 || flat.modes().len() > 1)
    {
        // the first mode ends where the run does
        let index = if first.stride() == 1 { first.extent() } else { 1 };
        return Some(TileFault::Scattered { index, offset: flat.at(index).unwrap_or_default() });
    }
    let rest: Vec<Layout> = layout.sublayouts().skip(1).collect();
    let rest = Layout::concat(&rest).ok()?;
    if let Some(mode) = rest.modes().iter().find(|mode| mode.extent() > 1 && mode.stride() % size != 0) {
        return Some(TileFault::Straddles { offset: mode.stride(), tile: size });
    }
    match rest.injectivity(1 << 20) {
        crate::Injectivity::Collision { offset, .. } => Some(TileFault::Shared { offset }),
        crate::Injectivity::Crowded => Some(TileFault::Shared { offset: 0 }),
        _ => None,
    }
}
