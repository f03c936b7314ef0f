//! Shared-memory banks: how many wavefronts an access takes, and what removes conflicts.
//!
//! Shared memory has 32 banks of 4 bytes: word w lies in bank w mod 32. A warp's access is served in phases of 128 bytes:
//! all 32 lanes at once up to 4 bytes a lane, 16 lanes of 8 bytes, 8 lanes of 16 bytes. In a phase a bank gives one word
//! at a time, to every lane that asks for it. So a phase takes as many *wavefronts* as the most different words that it
//! asks of one bank: 1 is the least.
//!
//! - [`phase`], [`access`], [`crowded_banks`] count words, whatever the addresses are; [`sectors`] and [`lines`] count what an
//!   access touches in global memory.
//! - [`linear_conflicts`] counts the accesses of linear layouts, by ranks; [`optimal_swizzle`] finds a linear layout of shared
//!   memory without conflicts for two patterns.
//! - [`Pattern`] says which elements of a tile the lanes of a warp access: rows, columns, `ldmatrix`, or a thread-value
//!   layout.
//! - [`remedies`] looks for a swizzle or a padding without conflicts, and for a linear layout where there is neither. What it
//!   answers it has counted. [`least_wavefronts`] is a bound below which no layout of the tile gets.
//!
//! Source: CUDA C++ Programming Guide, «Shared Memory».

mod count;
mod least;
mod linear;
mod memory;
mod optimal;
mod pattern;
mod remedy;
#[cfg(test)]
mod tests;

pub use count::{BANKS, CrowdedBank, LANES, access, crowded_banks, lanes_of_phase, lines, phase, sectors};
pub use least::least_wavefronts;
pub use linear::{LinearConflicts, linear_conflicts, linear_wavefronts};
pub use optimal::optimal_swizzle;
pub use pattern::{Access, Pattern};
pub use remedy::{Remedies, Remedy, linear_layout_wavefronts, remedies, wavefronts};
