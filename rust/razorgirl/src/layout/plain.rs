//! The texts that answer everything, for the benchmark that compares the fast paths with them.

use super::{Layout, complement, composition, divide, product};

/// [`Layout::composition`] by digits; nothing where that refuses.
#[must_use]
pub fn composition(outer: &Layout, inner: &Layout) -> Option<Layout> {
    composition::digitwise(outer, inner)
}

/// [`Layout::complement`]; nothing where that refuses.
#[must_use]
pub fn complement(layout: &Layout) -> Option<Layout> {
    complement::complete(layout, None)
}

/// [`Layout::logical_divide`] by a layout; nothing where that refuses.
#[must_use]
pub fn logical_divide(layout: &Layout, tile: &Layout) -> Option<Layout> {
    divide::divided(layout, tile)
}

/// [`Layout::logical_product`] with a layout; nothing where that refuses.
#[must_use]
pub fn logical_product(block: &Layout, tiles: &Layout) -> Option<Layout> {
    product::product(block, tiles)
}
