//! Where the elements of a tile lie in shared memory.
//!
//! The copy engine writes a tile as one contiguous run. A layout of shared memory fits when its first mode, the tile, is
//! such a run, and every copy of the tile begins at a multiple of its size.

use crate::{Injectivity, Layout};
use alloc::vec::Vec;

/// Why a layout of shared memory does not fit the copies, or is not known to.
///
/// Lean: `Razorgirl.Tma.TileFault`
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TileFault {
    /// Mode 0 must be the tile, and has another number of elements.
    Size {
        /// elements of mode 0
        given: u64,
        /// elements of a tile
        tile: u64,
    },
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
        /// where both begin; `None` where there are more tiles than places, and no pair was looked for
        offset: Option<u64>,
    },
    /// Not decided: whether two tiles begin at the same place was not found out.
    Unknown {
        /// tiles that were compared at most
        bound: u64,
    },
}

/// Tiles that are compared one by one at most.
const BOUND: u64 = 1 << 20;

/// Why copies of a tile of so many elements cannot be written through this layout of shared memory, or are not known to:
/// mode 0 has to be the tile, in the order in which the engine writes it, all further modes are the tiles. `None` when they
/// can.
///
/// ```
/// use razorgirl::tma::{TileFault, tile_fault};
///
/// assert_eq!(tile_fault(&"((8,4),6):((1,8),32)".parse()?, 32), None);
/// // rows of 8 in an array of width 10 are not contiguous
/// assert_eq!(tile_fault(&"((8,4),6):((1,10),40)".parse()?, 32), Some(TileFault::Scattered { index: 8, offset: 10 }));
/// // the layout of 4-element tiles takes no tile of 512
/// assert_eq!(tile_fault(&"(4,8):(1,4)".parse()?, 512), Some(TileFault::Size { given: 4, tile: 512 }));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// At most 2^20 tiles are enumerated, and only if the strides do not show that tiles are disjoint. nvFuser: TMA tutorial, step 4;
/// Figures 13 to 15.
///
/// Lean: `Razorgirl.Tma.tileFault`
#[must_use]
pub fn tile_fault(layout: &Layout, tile: u64) -> Option<TileFault> {
    let first = layout.mode(0).unwrap_or_else(|| layout.clone());
    let size = first.size();
    if size != tile {
        return Some(TileFault::Size { given: size, tile });
    }
    let flat = first.coalesce();
    if let Some(first) = flat.modes().first()
        && size > 1
        && (first.stride() != 1 || flat.modes().len() > 1)
    {
        // the first mode ends where the run does; a size fits, so does each offset
        let index = if first.stride() == 1 { first.extent() } else { 1 };
        return Some(TileFault::Scattered { index, offset: flat.at(index).unwrap_or(u64::MAX) });
    }
    let rest: Vec<Layout> = layout.sublayouts().skip(1).collect();
    // parts of one layout, so they are one again
    let Ok(rest) = Layout::concat(&rest) else { return Some(TileFault::Unknown { bound: 0 }) };
    if let Some(mode) = rest.modes().iter().find(|mode| mode.extent() > 1 && mode.stride() % size != 0) {
        return Some(TileFault::Straddles { offset: mode.stride(), tile: size });
    }
    match rest.injectivity(BOUND) {
        Injectivity::Injective => None,
        Injectivity::Collision { offset, .. } => Some(TileFault::Shared { offset: Some(offset) }),
        Injectivity::Crowded => Some(TileFault::Shared { offset: None }),
        // unknown is not yes
        Injectivity::Unknown => Some(TileFault::Unknown { bound: BOUND }),
    }
}
