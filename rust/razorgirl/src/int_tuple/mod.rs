//! Nested tuples: CuTe's `IntTuple`, its nesting, and shapes.

mod builder;
mod division;
mod htuple;
mod literal;
mod modes;
mod nested;
mod product;
pub(crate) mod profile;
pub(crate) mod shape;
pub(crate) mod write;
mod zip;

pub use builder::HTupleBuilder;
pub use htuple::{HTuple, IntTuple};
pub use literal::Literal;
pub use modes::MAX_MODES;
pub use nested::Nested;
pub use profile::{MAX_DEPTH, Profile};
pub use shape::Shape;
