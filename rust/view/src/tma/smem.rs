//! Whether the layout of shared memory is where the copies write.

use super::report::scattered;
use razorgirl::tma::{Descriptor, Interleave, Swizzle as Mode};
use razorgirl::{Layout, Swizzle, SwizzledLayout};

/// Offsets at which two swizzles are compared one by one.
const COMPARED: u64 = 1 << 20;

/// Bytes to whose multiples the engine writes a tile.
const ALIGNMENT: u64 = 128;

/// The swizzle of the tensor map on offsets in elements: the engine permutes units of 16 bytes.
pub(super) fn swizzle_of(descriptor: &Descriptor) -> Swizzle {
    let bits = match descriptor.swizzle {
        Mode::B32 => 1,
        Mode::B64 => 2,
        Mode::B128 => 3,
        _ => 0,
    };
    // elements have 1, 2, 4 or 8 bytes
    Swizzle::new(bits, 4 - u64::from(descriptor.data_type.bytes().trailing_zeros()), 3)
}

/// Why the copies do not write through this layout, or are not known to.
///
/// A layout without a swizzle is the tile before the engine's swizzle: then only the order of the tile counts.
pub(super) fn fault(descriptor: &Descriptor, given: &SwizzledLayout) -> Option<String> {
    let order = descriptor.tile_fault(given.layout()).map(|fault| scattered(&fault));
    if given.swizzle().bits() == 0 && given.offset() == 0 {
        return order;
    }
    let wanted = swizzle_of(descriptor);
    if given.swizzle().bits() > 0 && !same(given, wanted) {
        let name = descriptor.swizzle.name();
        let (element, has) = (descriptor.data_type.name(), given.swizzle());
        return Some(match descriptor.swizzle {
            Mode::None => format!("the layout has {has}, and the tensor map has no swizzle"),
            _ => format!(
                "the layout has {has}, and a tensor map of {element} with swizzle {name} writes through {wanted}"
            ),
        });
    }
    let bytes = descriptor.data_type.bytes();
    if let Some(start) = given.offset().checked_mul(bytes).filter(|start| !start.is_multiple_of(ALIGNMENT)) {
        return Some(format!("the first tile begins at byte {start}, which must be a multiple of {ALIGNMENT}"));
    }
    let row = descriptor.dimensions.first().map_or(0, |first| first.box_size.saturating_mul(bytes));
    let narrow = descriptor.swizzle.bytes().filter(|&width| row < width && given.swizzle().bits() > 0);
    if let Some(width) = narrow {
        return Some(format!(
            "not decided: the innermost box has {row} bytes, and the swizzle permutes rows of {width}"
        ));
    }
    if descriptor.interleave != Interleave::None && given.swizzle().bits() > 0 {
        return Some("not decided: interleaved channels under a swizzle".into());
    }
    order
}

/// Whether the layout's swizzle does what this one does to each of its offsets.
fn same(given: &SwizzledLayout, wanted: Swizzle) -> bool {
    let own = given.swizzle();
    if own == wanted {
        return true;
    }
    let end = given.layout().cosize().saturating_add(given.offset());
    // A bit that is not set anywhere moves nothing.
    end <= COMPARED && (given.offset()..end).all(|offset| own.apply(offset).ok() == wanted.apply(offset).ok())
}

/// The layout in which the tile is found: what a tile without a swizzle is under the engine's.
pub(super) fn written(descriptor: &Descriptor, given: &SwizzledLayout) -> Option<SwizzledLayout> {
    let swizzle = swizzle_of(descriptor);
    if swizzle.bits() == 0 || given.swizzle().bits() > 0 {
        return None;
    }
    let written = SwizzledLayout::new(swizzle, given.offset(), given.layout().clone()).ok();
    written.filter(|written| fault(descriptor, written).is_none())
}

/// The same layout with its leading modes as the tile, or else the same shape packed, whichever has no fault.
pub(super) fn fitting(descriptor: &Descriptor, given: &SwizzledLayout) -> Option<SwizzledLayout> {
    let layout = given.layout();
    let modes: Vec<Layout> = layout.sublayouts().collect();
    let grouped = (1..=modes.len()).filter_map(|n| {
        let tile = Layout::concat(&modes[..n]).ok()?;
        let all: Vec<Layout> = std::iter::once(tile).chain(modes[n..].iter().cloned()).collect();
        Layout::concat(&all).ok()
    });
    let packed = std::iter::once(Layout::column_major(&layout.shape()));
    let swizzle = if given.swizzle().bits() > 0 { swizzle_of(descriptor) } else { given.swizzle() };
    let swizzled = |layout: Layout| SwizzledLayout::new(swizzle, given.offset(), layout).ok();
    let same = std::iter::once(layout.clone());
    same.chain(grouped).chain(packed).filter_map(swizzled).find(|one| fault(descriptor, one).is_none())
}

/// As it is written: without a swizzle that it does not have.
pub(super) fn shown(layout: &SwizzledLayout) -> String {
    if layout.swizzle().bits() == 0 && layout.offset() == 0 { layout.layout().to_string() } else { layout.to_string() }
}
