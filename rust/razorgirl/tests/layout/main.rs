//! Layouts: one concept a file, of the same name as in `src/layout`.
//!
//! Refusals are read by someone whose kernel does not compile, so they are kept like documentation: which mode of which
//! operand, the numbers that fail, and what would be accepted.

mod compact;
mod complement;
mod composition;
mod divide;
mod eval;
mod find;
mod inverse;
mod modes;
mod partition;
mod product;
mod recast;
mod shared;
