//! What CuTe composes where a call of layout algebra composes or divides: a layout or each of its modes, with a layout.
//!
//! It divides by composing with the tile and what is left beside it. The rest is counted by the modes of what is divided, each rounded up, so
//! that a tile which divides no mode goes on in the last one.

use razorgirl::{Layout, Tiler};

use crate::ast::Site;
use crate::eval::with_rest;

/// How deeply tilers nest.
const MAX_DEPTH: usize = 16;

/// What a call composes that the library refuses, and that CuTe may answer.
#[derive(Debug, Clone)]
pub struct Composition {
    /// The call.
    pub site: Site,
    /// The division in words, if it is one.
    pub division: Option<String>,
    /// Each layout with what is put into it.
    pub parts: Vec<(Layout, Layout)>,
}

impl Composition {
    /// What a call of this name composes; nothing where it has more modes than there are, or what is left of a tile is not known.
    pub fn of(name: &str, outer: &Layout, by: &Tiler, site: Site) -> Option<Self> {
        let division = (name != "composition").then(|| format!("{name}({outer}, {by})"));
        let mut parts = Vec::new();
        collect(outer, by, division.is_some(), &mut parts, 0)?;
        Some(Self { site, division, parts })
    }
}

// Recursion: a level deeper each time, to a fixed depth.
fn collect(outer: &Layout, by: &Tiler, divides: bool, parts: &mut Vec<(Layout, Layout)>, depth: usize) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    match by {
        Tiler::Keep => {}
        Tiler::Layout(tile) if divides => parts.push((outer.clone(), with_rest(outer, tile)?)),
        Tiler::Layout(inner) => parts.push((outer.clone(), inner.clone())),
        Tiler::Modes(all) => {
            for (place, by) in all.iter().enumerate() {
                collect(&outer.mode(place)?, by, divides, parts, depth + 1)?;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Span;

    #[test]
    fn tilers_go_by_modes() {
        let outer: Layout = "((6,8),3):((9,1),100)".parse().unwrap();
        let parts = |by: &str| {
            let by: Tiler = by.parse().unwrap();
            let site = Site { unit: 0, span: Span::default() };
            Composition::of("logical_divide", &outer, &by, site).map(|one| one.parts.len())
        };
        assert_eq!(parts("(4,3)"), Some(2));
        assert_eq!(parts("(4,_)"), Some(1));
        assert_eq!(parts("((2,4),3)"), Some(3));
        assert_eq!(parts("(4,3,2)"), None);
    }
}
