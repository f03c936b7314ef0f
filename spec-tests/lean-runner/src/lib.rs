//! Runs Lean from Rust: checks the proofs under `lean/`, and asks the definitions.
//!
//! Two toolchains stand behind [`toolchain::LeanToolchain`]: the official one when a working `lake` is there, else a
//! WebAssembly build from npm that this crate installs itself. [`oracle::Oracle`] asks either.

pub mod axioms;
pub mod build;
pub mod extract;
mod lake;
pub mod lean;
mod npm;
pub mod oracle;
mod process;
pub mod progress;
pub mod project;
pub mod toolchain;

pub use oracle::Oracle;
pub use project::Project;
