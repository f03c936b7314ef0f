//! Nested tuples: CuTe's `IntTuple`, its nesting, and shapes.

mod builder;
mod htuple;
mod literal;
pub(crate) mod profile;
pub(crate) mod shape;

pub use builder::HTupleBuilder;
pub use htuple::{HTuple, IntTuple};
pub use literal::Literal;
pub use profile::{MAX_DEPTH, Profile};
pub use shape::Shape;
