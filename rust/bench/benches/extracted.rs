//! The library beside the functions that Lean prints, on the same layouts, in nanoseconds.
//!
//! `cargo bench --manifest-path rust/bench/Cargo.toml --bench extracted`

#![forbid(unsafe_code)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use razorgirl::Layout;
use razorgirl_bench::{INPUTS, flat_complementable, flat_inputs, flat_pairs, layouts};
use razorgirl_extracted::{Mode, functions};

fn modes(layouts: &[Layout]) -> Vec<Vec<Mode>> {
    let mode = |mode: &razorgirl::Mode| Mode { extent: mode.extent(), stride: mode.stride() };
    layouts.iter().map(|layout| layout.modes().iter().map(mode).collect()).collect()
}

fn measure(criterion: &mut Criterion) {
    let inputs = layouts(&flat_inputs());
    let complementable = layouts(&flat_complementable());
    let (outer, inner): (Vec<_>, Vec<_>) = flat_pairs().into_iter().unzip();
    let (outer, inner) = (layouts(&outer), layouts(&inner));
    let (flat, flat_complementable) = (modes(&inputs), modes(&complementable));
    let (flat_outer, flat_inner) = (modes(&outer), modes(&inner));

    let mut group = criterion.benchmark_group("extracted, rank 3");
    group.throughput(Throughput::Elements(INPUTS as u64));
    group.bench_function("coalesce, library", |b| b.iter(|| inputs.iter().for_each(|l| drop(black_box(l.coalesce())))));
    group.bench_function("coalesce, extracted", |b| {
        b.iter(|| flat.iter().for_each(|l| drop(black_box(functions::coalesce(l)))));
    });
    group.bench_function("complement, library", |b| {
        b.iter(|| complementable.iter().for_each(|l| drop(black_box(l.complement()))));
    });
    group.bench_function("complement, extracted", |b| {
        b.iter(|| flat_complementable.iter().for_each(|l| drop(black_box(functions::complement(l)))));
    });
    group.bench_function("index, library", |b| {
        b.iter(|| inputs.iter().for_each(|l| drop(black_box(l.at(black_box(l.size() - 1))))));
    });
    group.bench_function("index, extracted", |b| {
        b.iter(|| {
            for (layout, flat) in inputs.iter().zip(&flat) {
                let _ = black_box(functions::at_index(flat, black_box(layout.size() - 1)));
            }
        });
    });
    group.bench_function("composition with rank 2, library", |b| {
        b.iter(|| outer.iter().zip(&inner).for_each(|(a, b)| drop(black_box(a.composition(b)))));
    });
    group.bench_function("composition with rank 2, extracted", |b| {
        b.iter(|| flat_outer.iter().zip(&flat_inner).for_each(|(a, b)| drop(black_box(functions::composition(a, b)))));
    });
    group.finish();

    let mut group = criterion.benchmark_group("find_layout of 10^5 offsets");
    let offsets: Vec<u64> = (0..100_000_u64).map(|i| i % 10 + i / 10 % 100 * 16 + i / 1000 * 4096).collect();
    group.bench_function("library", |b| b.iter(|| black_box(Layout::find_layout(&offsets)).is_ok()));
    group.bench_function("extracted", |b| b.iter(|| black_box(functions::find_layout(&offsets)).is_ok()));
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
