//! What the memory accesses of a kernel are, from the PTX that a compiler printed.
pub mod domain;
pub mod eval;
pub mod find;
pub mod read;
pub mod report;
