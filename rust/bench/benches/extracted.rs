//! The library beside the functions that Lean prints, on the same layouts of rank 3: nanoseconds a call, and how many times
//! as long the extracted function takes. Where that is at most 1.5, the library calls it and has no text of its own.
//!
//! `cargo bench --manifest-path rust/bench/Cargo.toml --bench extracted [-- NAME…]`
//!
//! Both sides take turns in short batches and the fastest batch of each counts, so that a busy machine changes little.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use razorgirl::tma::fttc;
use razorgirl::{Coord, Layout, Shape, int};
use razorgirl_bench::{flat_complementable, flat_divisions, flat_inputs, flat_pairs, flat_products, layouts, lines};
use razorgirl_extracted::{Mode, functions};

/// Inputs of a batch: few enough to stay in the cache, so that what is measured is the function.
const BATCH: usize = 500;

/// How long a row is measured.
const TIME: Duration = Duration::from_millis(400);

fn modes(layouts: &[Layout]) -> Vec<Vec<Mode>> {
    layouts.iter().map(|layout| layout.modes().to_vec()).collect()
}

fn nanoseconds(calls: usize, batch: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    batch();
    start.elapsed().as_secs_f64() * 1e9 / calls as f64
}

/// Prints a row. Each side is run on the numbers below `calls`.
fn row<A, B>(name: &str, calls: usize, library: impl Fn(usize) -> A, extracted: impl Fn(usize) -> B) {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
        return;
    }
    let mut library = || (0..calls).for_each(|i| drop(black_box(library(i))));
    let mut extracted = || (0..calls).for_each(|i| drop(black_box(extracted(i))));
    let (mut best, start) = ([f64::INFINITY; 2], Instant::now());
    while start.elapsed() < TIME {
        best = [best[0].min(nanoseconds(calls, &mut library)), best[1].min(nanoseconds(calls, &mut extracted))];
    }
    println!("| {name} | {:.1} | {:.1} | {:.2} |", best[0], best[1], best[1] / best[0]);
}

fn main() {
    println!("| function | library, ns | extracted, ns | ratio |");
    println!("|---|---:|---:|---:|");
    let inputs = layouts(&flat_inputs()[..BATCH]);
    let flat = modes(&inputs);
    // Any index inside.
    let indices: Vec<u64> = inputs.iter().map(|layout| (layout.size() - 1) * 5 / 7).collect();
    row("size", BATCH, |i| inputs[i].size(), |i| functions::size(&flat[i]));
    row("cosize", BATCH, |i| inputs[i].cosize(), |i| functions::cosize(&flat[i]));
    row("sort", BATCH, |i| inputs[i].sort(), |i| functions::sort(&flat[i]));
    row("coalesce", BATCH, |i| inputs[i].coalesce(), |i| functions::coalesce(&flat[i]));
    row("index", BATCH, |i| inputs[i].at(indices[i]), |i| functions::at_index(&flat[i], indices[i]));

    let shapes: Vec<Shape> = inputs.iter().map(Layout::shape).collect();
    let extents: Vec<Vec<u64>> = shapes.iter().map(|shape| shape.extents().leaves().to_vec()).collect();
    let coordinates: Vec<Vec<u64>> = shapes
        .iter()
        .zip(&indices)
        .map(|(shape, i)| shape.idx2crd(*i).expect("it is inside").leaves().to_vec())
        .collect();
    let coords: Vec<Coord> =
        coordinates.iter().map(|c| Coord::flat(&c.iter().map(|c| Some(*c)).collect::<Vec<_>>())).collect();
    row("idx2crd", BATCH, |i| shapes[i].idx2crd(indices[i]), |i| functions::idx2crd(&extents[i], indices[i]));
    row("crd2idx", BATCH, |i| shapes[i].crd2idx(&coords[i]), |i| functions::crd2idx(&extents[i], &coordinates[i]));
    row("at_flat", BATCH, |i| inputs[i].at_flat(&coordinates[i]), |i| functions::at_coord(&flat[i], &coordinates[i]));

    let blocks = layouts(&flat_complementable()[..BATCH]);
    let flat = modes(&blocks);
    // Three blocks, and a part of one more.
    let end = |layout: &Layout| layout.modes().iter().map(|mode| mode.extent() * mode.stride()).max().unwrap_or(1);
    let ends: Vec<u64> = blocks.iter().map(|layout| end(layout) * 3).collect();
    row("complement", BATCH, |i| blocks[i].complement(), |i| functions::complement(&flat[i]));
    row("complement_in", BATCH, |i| blocks[i].complement_in(ends[i]), |i| functions::complement_in(&flat[i], ends[i]));
    row(
        "complement_ceil",
        BATCH,
        |i| blocks[i].complement_ceil(ends[i] - 1),
        |i| functions::complement_ceil(&flat[i], ends[i] - 1),
    );
    row("is_injective", BATCH, |i| blocks[i].injectivity(1).is_injective(), |i| functions::spreads(&flat[i]));
    row("right_inverse", BATCH, |i| blocks[i].right_inverse(), |i| functions::right_inverse(&flat[i]));
    row("left_inverse", BATCH, |i| blocks[i].left_inverse(), |i| functions::left_inverse(&flat[i]));
    // Side by side with its complement, each offset comes once.
    let whole: Vec<Layout> = blocks
        .iter()
        .map(|block| Layout::concat(&[block.clone(), block.complement().expect("it has one")]).expect("it fits"))
        .collect();
    let flat = modes(&whole);
    row("inverse (rank up to 6)", BATCH, |i| whole[i].inverse(), |i| functions::inverse(&flat[i]));

    let (outer, inner): (Vec<_>, Vec<_>) = flat_pairs().into_iter().take(BATCH).unzip();
    let (outer, inner) = (layouts(&outer), layouts(&inner));
    let (flat_outer, flat_inner) = (modes(&outer), modes(&inner));
    row(
        "composition (with rank 2)",
        BATCH,
        |i| outer[i].composition(&inner[i]),
        |i| functions::composition(&flat_outer[i], &flat_inner[i]),
    );
    let (divided, tiles): (Vec<_>, Vec<_>) = flat_divisions().into_iter().take(BATCH).unzip();
    let (divided, tiles) = (layouts(&divided), lines(&tiles));
    let (flat_divided, flat_tiles) = (modes(&divided), modes(&tiles));
    row(
        "logical_divide (by rank 1)",
        BATCH,
        |i| divided[i].logical_divide(&tiles[i]),
        |i| functions::logical_divide(&flat_divided[i], &flat_tiles[i]),
    );
    let (block, copies): (Vec<_>, Vec<_>) = flat_products().into_iter().take(BATCH).unzip();
    let (block, copies) = (layouts(&block), lines(&copies));
    let (flat_block, flat_copies) = (modes(&block), modes(&copies));
    row(
        "logical_product (with rank 1)",
        BATCH,
        |i| block[i].logical_product(&copies[i]),
        |i| functions::logical_product(&flat_block[i], &flat_copies[i]),
    );

    let integers: Vec<(i64, i64)> = (0..BATCH as i64).map(|i| (i * 7919 % 1000 - 500, i * 104_729 % 19 - 9)).collect();
    let integers: Vec<(i64, i64)> = integers.into_iter().map(|(a, b)| (a, if b == 0 { 1 } else { b })).collect();
    row(
        "trunc",
        BATCH,
        |i| int::trunc(integers[i].0, integers[i].1),
        |i| functions::trunc(integers[i].0, integers[i].1),
    );
    row(
        "euclid",
        BATCH,
        |i| int::euclid(integers[i].0, integers[i].1),
        |i| functions::euclid(integers[i].0, integers[i].1),
    );
    row("ceil", BATCH, |i| int::ceil(integers[i].0, integers[i].1), |i| functions::ceil(integers[i].0, integers[i].1));

    let numbers = |i: usize, step: usize, most: usize| -> Vec<u64> {
        (0..3).map(|d| (1 + (i * step + d * 5) % most) as u64).collect()
    };
    let copies: Vec<[Vec<u64>; 3]> =
        (0..BATCH).map(|i| [numbers(i, 7, 40), numbers(i, 11, 20), numbers(i, 13, 9)]).collect();
    let dimensions = |[sizes, boxes, strides]: &[Vec<u64>; 3]| -> Vec<(u64, (u64, u64))> {
        (0..3).map(|d| (sizes[d], (boxes[d], strides[d]))).collect()
    };
    let zipped: Vec<_> = copies.iter().map(dimensions).collect();
    row(
        "fttc",
        BATCH,
        |i| fttc(&copies[i][0], &copies[i][1], &copies[i][2]),
        |i| functions::fttc_violations(&zipped[i]),
    );

    let few: Vec<Vec<u64>> = inputs.iter().map(|layout| layout.offsets().take(256).collect()).collect();
    row(
        "find_layout (up to 256 offsets)",
        BATCH,
        |i| Layout::find_layout(&few[i]),
        |i| functions::find_layout(&few[i]),
    );
    let many: Vec<u64> = (0..100_000_u64).map(|i| i % 10 + i / 10 % 100 * 16 + i / 1000 * 4096).collect();
    row("find_layout (10^5 offsets)", 1, |_| Layout::find_layout(&many), |_| functions::find_layout(&many));
}
