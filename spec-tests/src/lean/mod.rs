//! Lean source files, read as text: comments, forbidden words, imports, counts, and the joined oracle.

pub mod count;
pub mod joined;
pub mod text;
pub mod tree;
pub mod words;
