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

/// Pairs of an outer layout of rank 3 and an inner one of rank 2 within its domain, as plain numbers. All compose.
///
/// # Panics
/// Never on these inputs: they are small.
pub fn flat_pairs() -> Vec<(Flat, Flat)> {
    let mut rng = Rng::new(2027);
    let mut pairs = Vec::new();
    while pairs.len() < INPUTS {
        let extents: Vec<u64> = (0..3).map(|_| *rng.pick(&[2, 3, 4, 5, 6, 8, 12, 16])).collect();
        let order = rng.shuffled(vec![0, 1, 2]);
        let (mut strides, mut next) = (vec![0; 3], 1);
        for i in order {
            next *= rng.between(1, 2);
            strides[i] = next;
            next *= extents[i];
        }
        let size: u64 = extents.iter().product();
        // a mode that starts at a mode of the outer layout or inside of it, and one behind it
        let first = *rng.pick(&[1, extents[0], extents[0] * extents[1]]);
        let inner_extents = vec![rng.between(2, 8), rng.between(2, 4)];
        let inner_strides = vec![first, first * inner_extents[0]];
        let reach: u64 = inner_extents.iter().zip(&inner_strides).map(|(e, d)| (e - 1) * d).sum();
        if reach >= size {
            continue;
        }
        let pair = ((extents, strides), (inner_extents, inner_strides));
        let composes = layouts(&[pair.0.clone()])[0].composition(&layouts(&[pair.1.clone()])[0]).is_ok();
        // refusals compose sentences and suggestions; pycute's cost an exception
        if composes {
            pairs.push(pair);
        }
    }
    pairs
}

/// Layouts of rank 3 that have a complement.
///
/// # Panics
/// Never on these inputs: they are small.
pub fn flat_complementable() -> Vec<Flat> {
    let mut rng = Rng::new(2028);
    std::iter::repeat_with(|| {
        let extents: Vec<u64> = (0..3).map(|_| rng.between(2, 9)).collect();
        let order = rng.shuffled(vec![0, 1, 2]);
        let (mut strides, mut next) = (vec![0; 3], 1);
        for i in order {
            next *= rng.between(1, 4);
            strides[i] = next;
            next *= extents[i];
        }
        (extents, strides)
    })
    .take(INPUTS)
    .collect()
}
