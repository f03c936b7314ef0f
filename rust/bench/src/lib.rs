//! Inputs of the benchmarks: 10,000 mixed layouts of rank 3, drawn with a fixed seed, the same for every implementation.

#![forbid(unsafe_code)]

use razorgirl::{IntTuple, Layout};
use razorgirl_conform::generate::{Rng, layout};

/// How many inputs a benchmark goes over.
pub const INPUTS: usize = 10_000;

/// A layout as extents and strides.
pub type Flat = (Vec<u64>, Vec<u64>);

/// The inputs as plain numbers: column-major, permuted, with gaps, broadcast, extents of 1, merging, overlapping, wild.
pub fn flat_inputs() -> Vec<Flat> {
    let mut rng = Rng::new(2026);
    std::iter::repeat_with(|| layout(&mut rng, 4096))
        .filter(|(extents, _)| extents.len() == 3)
        .take(INPUTS)
        .collect()
}

/// The inputs as layouts.
///
/// # Panics
/// Never on these inputs: they are small.
pub fn layouts(flat: &[Flat]) -> Vec<Layout> {
    flat.iter()
        .map(|(extents, strides)| Layout::new(&IntTuple::flat(extents), &IntTuple::flat(strides)).expect("it is valid"))
        .collect()
}
