//! What compares razorgirl with its specification, and what says which parts of it correspond.
//!
//! The tests are in `tests/`. Lean is run by the crate `lean-runner`, of which [`Oracle`] and [`Project`] are.

pub mod compare;
pub mod enumerate;
pub mod extract;
pub mod links;
pub mod peers;
pub mod properties;
pub mod rust_items;
pub mod statements;

pub use lean_runner::{Oracle, Project};
