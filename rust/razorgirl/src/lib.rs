//! razorgirl
