//! The algebra as plainly as it can be said: what every answer is measured against.
//!
//! Arbitrary-precision integers, nested trees, enumeration. Each operation follows the words of its definition in
//! `PROTOCOL.md`; where the library is clever (merging in one pass, deciding injectivity from strides), this is not.

mod alignment;
mod bank;
mod basic;
pub(crate) mod category;
pub(crate) mod coalesce;
pub(crate) mod code;
mod compact;
pub mod complement;
pub mod composition;
mod concepts;
mod congruent;
pub(crate) mod coord;
pub(crate) mod coordinates;
mod coshape;
mod distribute;
pub(crate) mod divide;
mod division;
mod expected;
mod faults;
pub(crate) mod find;
pub(crate) mod find_over;
mod integer;
pub mod inverse;
pub(crate) mod layout;
#[allow(clippy::unnecessary_wraps, reason = "an answer is what each operation of the model returns")]
pub(crate) mod linear;
mod maps;
mod modes;
mod nested;
mod ordered;
mod partition;
pub(crate) mod product;
mod quotient;
mod reading;
pub mod recast;
pub(crate) mod refusal;
pub(crate) mod relation;
mod repair;
pub(crate) mod schedule;
pub(crate) mod shape;
pub(crate) mod simplify;
pub(crate) mod swizzled;
mod table;
pub(crate) mod tiler;
mod tiles;
pub(crate) mod tma;
mod transfer;
mod tuple_product;
mod with_shape;
pub(crate) mod witness;
mod zip;

pub use expected::Expected;
pub use faults::faults;
pub use layout::{Found, Layout, Mode, Split};
pub use refusal::{Codes, Refusal, Result};
pub use shape::limit;
pub use table::{composes, expected};
pub use tiler::Tiler;
