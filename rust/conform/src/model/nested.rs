//! Trees with something at their leaves: tuples and layouts are rearranged alike.

use super::layout::Layout;
use crate::tree::Tree;

/// A tree with something at its leaves.
pub(super) trait Nested: Clone {
    fn node(modes: Vec<Self>) -> Self;
    fn modes(&self) -> Option<&[Self]>;
    /// The top-level modes; a leaf is its own.
    fn top(&self) -> Vec<Self> {
        self.modes().map_or_else(|| vec![self.clone()], <[Self]>::to_vec)
    }
}

impl Nested for Tree {
    fn node(modes: Vec<Self>) -> Self {
        Tree::Node(modes)
    }
    fn modes(&self) -> Option<&[Self]> {
        if let Tree::Node(modes) = self { Some(modes) } else { None }
    }
}

impl Nested for Layout {
    fn node(modes: Vec<Self>) -> Self {
        Layout::Node(modes)
    }
    fn modes(&self) -> Option<&[Self]> {
        if let Layout::Node(modes) = self { Some(modes) } else { None }
    }
}
