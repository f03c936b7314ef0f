//! Inputs: seeded, reproducible, weighted to the hard corners.

mod bank;
mod category;
mod complement;
mod composition;
mod coord;
mod coordinates;
mod encodings;
mod exhaustive;
mod expr;
mod function;
mod kinds;
mod layout;
mod linear;
mod malformed;
mod operation;
mod related;
mod request;
mod rewrite;
mod rng;
mod schedule;
mod shape;
mod swizzled;
mod tiles;
mod tma;

pub use coord::{coord_for, partial_coord_for};
pub use exhaustive::{flat_layouts, flat_layouts_of_rank};
pub use expr::{expr, ranges};
pub use function::{function, function_over};
pub use layout::{Kind, layout, nested_layout};
pub use malformed::malformed;
pub use operation::{names, names_of, operation};
pub use request::{request, unary_request};
pub use rewrite::{renested, rewritten};
pub use rng::Rng;
pub use schedule::{schedule, schedules};
pub use shape::{factorised, nest, shape};
