//! Nested tuples: CuTe's `IntTuple`, its nesting, and shapes.

mod builder;
mod division;
mod htuple;
mod literal;
mod product;
pub(crate) mod profile;
pub(crate) mod shape;
mod structure;

pub use builder::HTupleBuilder;
pub use htuple::{HTuple, IntTuple};
pub use literal::Literal;
pub use profile::{MAX_DEPTH, Profile};
pub use shape::Shape;
pub use structure::MAX_MODES;
