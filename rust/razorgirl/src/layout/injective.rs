//! Whether two indices share an offset.

use super::basic::Layout;

/// What [`Layout::injectivity`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Injectivity {
    /// No two indices share an offset.
    Injective,
    /// Two linear indices that share an offset.
    Collision {
        /// One index.
        i: u64,
        /// Another one.
        j: u64,
        /// The offset of both.
        offset: u64,
    },
    /// More indices than offsets, so some share one; which ones was not found within the bound.
    Crowded,
    /// Not decided within the bound.
    Unknown,
}

impl Injectivity {
    /// The verdict, where there is one.
    #[must_use]
    pub const fn is_injective(self) -> Option<bool> {
        match self {
            Self::Injective => Some(true),
            Self::Collision { .. } | Self::Crowded => Some(false),
            Self::Unknown => None,
        }
    }
}

impl Layout {
    /// Whether no two indices share an offset, with two that do if there are such.
    #[must_use]
    pub fn injectivity(&self, bound: u64) -> Injectivity {
        let _ = bound;
        let mut seen = std::collections::HashMap::new();
        for (j, offset) in (0..self.size()).zip(self.offsets()) {
            if let Some(i) = seen.insert(offset, j) {
                return Injectivity::Collision { i, j, offset };
            }
        }
        Injectivity::Injective
    }
}
