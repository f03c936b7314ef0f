//! Layouts `shape:stride`: functions from coordinates to offsets, and the algebra on them.

mod basic;
mod coalesce;
mod complement;
mod composition;
mod contiguous;
mod divide;
mod eval;
mod filter;
mod find;
mod injective;
mod inverse;
mod made;
mod mode;
mod offsets;
mod ordered;
mod partition;
mod product;
mod recast;
mod reshape;
mod slice;
mod sort;
mod structure;
mod suggest;
mod unzip;

pub use basic::Layout;
pub use composition::{Extended, Tiler};
pub use divide::{CeilDivided, CeilPart};
pub use eval::Called;
pub use find::find_modes;
pub use injective::Injectivity;
pub use mode::Mode;
pub use offsets::Offsets;
pub use partition::{Placed, ThreadValue};
