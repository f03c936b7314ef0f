//! audit
pub mod ast;
pub mod check;
pub mod finding;
pub mod eval;
mod mask;
pub mod survey;
pub mod source;
pub mod syntax;
