//! What a division leaves of a layout beside its tile.

use razorgirl::Layout;

/// A tile, and what is left of a layout beside it, which `logical_divide` puts into the layout: `complement(tile, shape(coalesce(layout)))`, as
/// CUTLASS 4.2 and CuTe DSL 4.8 have it. Where the tile divides each mode, that is `complement(tile, size(layout))`.
pub fn with_rest(layout: &Layout, tile: &Layout) -> Option<Layout> {
    let moving = tile.modes().iter().filter(|mode| mode.extent() > 1 && mode.stride() > 0);
    let last = moving.max_by_key(|mode| mode.stride());
    let end = last.map_or(Some(1), |mode| mode.extent().checked_mul(mode.stride()))?;
    let (mut left, mut copies) = (end, 1_u64);
    for mode in layout.coalesce().modes() {
        copies = copies.checked_mul(mode.extent().div_ceil(left))?;
        left = left.div_ceil(mode.extent());
    }
    let rest = tile.filter().complement_ceil(end.checked_mul(copies)?).ok()?;
    Layout::concat(&[tile.clone(), rest]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(layout: &str, tile: &str) -> String {
        with_rest(&layout.parse().unwrap(), &tile.parse().unwrap()).unwrap().to_string()
    }

    #[test]
    fn what_is_left_is_counted_by_modes() {
        assert_eq!(rest("(6,8):(9,1)", "4:1"), "(4,16):(1,4)");
        assert_eq!(rest("(6,8):(9,1)", "5:1"), "(5,16):(1,5)");
        assert_eq!(rest("(6,8):(9,1)", "2:1"), "(2,24):(1,2)");
        // Modes that are one count as one.
        assert_eq!(rest("(6,8):(1,6)", "4:1"), "(4,12):(1,4)");
        assert_eq!(rest("(6,8):(9,1)", "4:0"), "(4,48):(0,1)");
        assert_eq!(rest("(6,8):(9,1)", "(2,3):(1,6)"), "((2,3),(3,3)):((1,6),(2,18))");
    }
}
