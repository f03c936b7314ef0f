//! Layouts `shape:stride`: functions from coordinates to offsets, and the algebra on them.

mod alignment;
mod basic;
mod coalesce;
mod common;
mod compact;
mod complement;
mod composition;
mod contiguous;
mod distribute;
mod divide;
mod eval;
mod filter;
mod find;
mod injective;
mod inverse;
mod made;
mod mode;
mod modes;
mod offsets;
mod ordered;
mod partition;
#[cfg(feature = "plain")]
pub mod plain;
mod product;
mod recast;
mod slice;
mod sort;
mod suggest;
mod tiler;
mod with_shape;
mod zip;

pub use basic::Layout;
pub(crate) use basic::incongruent;
pub use composition::Extended;
pub(crate) use composition::{Misfit, Pieces, regrouped, split};
pub use divide::{CeilDivided, CeilPart};
pub use eval::Called;
pub use find::find_modes;
pub use injective::Injectivity;
pub use mode::Mode;
pub use offsets::Offsets;
pub use partition::ThreadValue;
pub use slice::Placed;
pub(crate) use suggest::Near;
pub use tiler::Tiler;
