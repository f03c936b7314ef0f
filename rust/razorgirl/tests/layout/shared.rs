//! Small layouts as lists of modes, and what refusals say.

use proptest::test_runner::Config;
use razorgirl::{Error, Layout, Mode, Result};
use std::fmt::Write as _;

/// Extents and strides.
pub type Flat = Vec<(u64, u64)>;

pub fn layouts(rank: usize, max_extent: u64, max_stride: u64) -> Vec<Flat> {
    let mut all: Vec<Flat> = vec![Vec::new()];
    for _ in 0..rank {
        all = all
            .iter()
            .flat_map(|layout| {
                (1..=max_extent).flat_map(move |extent| {
                    (0..=max_stride).map(move |stride| {
                        let mut longer = layout.clone();
                        longer.push((extent, stride));
                        longer
                    })
                })
            })
            .collect();
    }
    all
}

pub fn up_to_rank(rank: usize, max_extent: u64, max_stride: u64) -> Vec<Flat> {
    (0..=rank).flat_map(|rank| layouts(rank, max_extent, max_stride)).collect()
}

pub fn library(flat: &Flat) -> Layout {
    Layout::from_modes(flat.iter().map(|(extent, stride)| Mode::new(*extent, *stride))).expect("it is small")
}

pub fn size(flat: &Flat) -> u64 {
    flat.iter().map(|(extent, _)| extent).product()
}

pub fn at(flat: &Flat, mut index: u64) -> u64 {
    flat.iter()
        .map(|(extent, stride)| {
            let digit = index % extent;
            index /= extent;
            digit * stride
        })
        .sum()
}

pub fn offsets(flat: &Flat) -> Vec<u64> {
    (0..size(flat)).map(|index| at(flat, index)).collect()
}

/// The offsets that a layout lists.
pub fn listed(layout: &Layout) -> Vec<u64> {
    layout.offsets().collect()
}

/// The coordinates of a layout, first mode fastest.
pub fn coordinates(layout: &Layout) -> Vec<Vec<u64>> {
    (0..layout.size()).map(|i| layout.shape().idx2crd(i).expect("it is below the size").leaves().to_vec()).collect()
}

/// A failure prints its input, and belongs into a test of its own; nothing is written beside the sources.
pub fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

pub fn layout(text: &str) -> Layout {
    text.parse().expect("it is notation")
}

/// What a refusal says, as a reader sees it.
pub fn said<T: std::fmt::Debug>(what: &str, result: Result<T>) -> String {
    let error: Error = result.expect_err(what);
    let mut text = format!("{what}\nerror[{}]: {error}\n", error.code());
    for help in error.help() {
        let _ = writeln!(text, "  help: {help}");
    }
    text
}

/// The answer, or what the refusal says.
pub fn text<T: std::fmt::Display>(what: Result<T>) -> String {
    what.map_or_else(
        |error| format!("error[{}]: {error}\n  {}", error.code(), error.help().join("\n  ")),
        |it| it.to_string(),
    )
}
