//! Layouts `shape:stride`: functions from coordinates to offsets, and the algebra on them.

mod basic;
mod coalesce;
mod complement;
mod composition;
mod contiguous;
mod eval;
mod filter;
mod find;
mod injective;
mod inverse;
mod mode;
mod offsets;
mod slice;
mod sort;
mod suggest;

pub use basic::Layout;
pub use composition::{Extended, Tiler};
pub use eval::Called;
pub use find::find_modes;
pub use injective::Injectivity;
pub use mode::Mode;
pub use offsets::Offsets;
