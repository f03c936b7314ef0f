//! Lean source files, read as text: comments, forbidden words, imports, counts, and the joined oracle.

pub mod count;
pub mod declarations;
pub mod groups;
pub mod joined;
pub mod text;
pub mod tree;
pub mod words;
