//! Inputs of the benchmarks: 10,000 mixed layouts of rank 3, drawn with a fixed seed, the same for every implementation.

#![forbid(unsafe_code)]

use razorgirl::{IntTuple, Layout};
use razorgirl_conform::generate::{Rng, layout};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How many inputs a benchmark goes over.
pub const INPUTS: usize = 10_000;

/// A layout as extents and strides.
pub type Flat = (Vec<u64>, Vec<u64>);

/// The inputs as plain numbers: column-major, permuted, with gaps, broadcast, extents of 1, merging, overlapping, wild.
pub fn flat_inputs() -> Vec<Flat> {
    let mut rng = Rng::new(2026);
    std::iter::repeat_with(|| layout(&mut rng, 4096)).filter(|(extents, _)| extents.len() == 3).take(INPUTS).collect()
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
        let (extents, strides) = with_gaps(&mut rng, extents, 2);
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
        let of = |flat: &Flat| layouts(std::slice::from_ref(flat)).remove(0);
        let composes = of(&pair.0).composition(&of(&pair.1)).is_ok();
        // refusals compose sentences and suggestions; pycute's cost an exception
        if composes {
            pairs.push(pair);
        }
    }
    pairs
}

/// A layout of rank 1 as extent and stride.
pub type Line = (u64, u64);

/// The lines as layouts.
///
/// # Panics
/// Never on these inputs: they are small.
pub fn lines(lines: &[Line]) -> Vec<Layout> {
    lines
        .iter()
        .map(|(extent, stride)| Layout::new(&IntTuple::leaf(*extent), &IntTuple::leaf(*stride)).expect("it is valid"))
        .collect()
}

/// Layouts of rank 3 with gaps, their modes in any order, and a tile of rank 1 that divides them.
pub fn flat_divisions() -> Vec<(Flat, Line)> {
    let mut rng = Rng::new(2029);
    drawn(
        || {
            let extents: Vec<u64> = (0..3).map(|_| *rng.pick(&[2, 3, 4, 5, 6, 8, 12, 16])).collect();
            // a tile that starts at a mode of the layout or inside of it
            let first = *rng.pick(&[1, 1, 2, extents[0], extents[0] * extents[1]]);
            let tile = (rng.between(2, 8), first);
            (with_gaps(&mut rng, extents, 2), tile)
        },
        |layout, tile| layout.logical_divide(tile).is_ok(),
    )
}

/// Blocks of rank 3 with gaps, their modes in any order, and the copies of rank 1 that are made of them.
pub fn flat_products() -> Vec<(Flat, Line)> {
    let mut rng = Rng::new(2030);
    drawn(
        || {
            let extents: Vec<u64> = (0..3).map(|_| rng.between(2, 9)).collect();
            let copies = (rng.between(2, 12), rng.between(1, 3));
            (with_gaps(&mut rng, extents, 4), copies)
        },
        |block, copies| block.logical_product(copies).is_ok(),
    )
}

/// Strides in any order of the modes, each a multiple up to `most` of what lies below.
fn with_gaps(rng: &mut Rng, extents: Vec<u64>, most: u64) -> Flat {
    let (mut strides, mut next) = (vec![0; extents.len()], 1);
    for i in rng.shuffled((0..extents.len()).collect()) {
        next *= rng.between(1, most);
        strides[i] = next;
        next *= extents[i];
    }
    (extents, strides)
}

/// Pairs that are accepted: refusals compose sentences and suggestions.
fn drawn(draw: impl FnMut() -> (Flat, Line), accept: impl Fn(&Layout, &Layout) -> bool) -> Vec<(Flat, Line)> {
    std::iter::repeat_with(draw)
        .filter(|(flat, line)| accept(&layouts(std::slice::from_ref(flat))[0], &lines(&[*line])[0]))
        .take(INPUTS)
        .collect()
}

/// Layouts of rank 3 that have a complement.
///
/// # Panics
/// Never on these inputs: they are small.
pub fn flat_complementable() -> Vec<Flat> {
    let mut rng = Rng::new(2028);
    std::iter::repeat_with(|| {
        let extents: Vec<u64> = (0..3).map(|_| rng.between(2, 9)).collect();
        with_gaps(&mut rng, extents, 4)
    })
    .take(INPUTS)
    .collect()
}

/// What criterion has just recorded of a benchmark, in the file of that name.
pub fn recorded(group: &str, name: &str, file: &str) -> Option<serde_json::Value> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), PathBuf::from);
    let path = target.join("criterion").join(group).join(name).join("new").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// The fastest sample of a benchmark that has just run, in nanoseconds.
pub fn fastest(group: &str, name: &str) -> Option<f64> {
    let samples = recorded(group, name, "sample.json")?;
    let numbers = |key: &str| -> Option<Vec<f64>> {
        samples[key].as_array()?.iter().map(|number| number.to_string().parse().ok()).collect()
    };
    let of = numbers("times")?.into_iter().zip(numbers("iters")?).map(|(time, runs)| time / runs);
    of.min_by(f64::total_cmp)
}

/// Times another implementation: a script of `peers` that reads the inputs and prints nanoseconds by operation, run by the
/// python of an environment under `.venv`.
///
/// # Errors
/// Why there are no times.
pub fn peer(environment: &str, script: &str, inputs: &serde_json::Value) -> Result<BTreeMap<String, f64>, String> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = bench.join("../../.venv").join(environment).join("bin/python");
    if !python.exists() {
        return Err(format!("there is no .venv/{environment}"));
    }
    let mut python = Command::new(python)
        .arg(bench.join("peers").join(script))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python3 does not start: {error}"))?;
    let inputs = inputs.to_string().into_bytes();
    // dropping the pipe ends the input
    python.stdin.take().ok_or("no pipe")?.write_all(&inputs).map_err(|error| error.to_string())?;
    let output = python.wait_with_output().map_err(|error| error.to_string())?;
    let times: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let times = times.as_object().ok_or("the times are no object")?;
    Ok(times.iter().filter_map(|(name, time)| Some((name.clone(), time.to_string().parse().ok()?))).collect())
}
