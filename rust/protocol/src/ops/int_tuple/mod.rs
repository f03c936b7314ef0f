//! Nested tuples.

pub(super) mod basic;
pub(super) mod division;
pub(super) mod product;
