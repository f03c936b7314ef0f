//! The algebra in nanoseconds, and beside pycute in the same run.
//!
//! `cargo bench --manifest-path rust/bench/Cargo.toml`; the comparison needs pycute, which `rust/conform/adapters/venv.sh`
//! installs. Each measurement goes over all 10,000 inputs, so branch prediction has to work
//! for mixed layouts and not for one. Results are looked at where they are made: moving one costs a copy more, and
//! pycute answers references too.

#![forbid(unsafe_code)]

use criterion::{BenchmarkId, Criterion, Throughput};
use razorgirl::{Layout, Mode, Shape};
use razorgirl_bench::{
    INPUTS, flat_complementable, flat_divisions, flat_inputs, flat_pairs, flat_products, layouts, lines, peer, recorded,
};
use std::collections::BTreeMap;
use std::hint::black_box;

const COALESCE: &str = "coalesce";
const CRD: &str = "eval of a coordinate";
const INDEX: &str = "eval of a linear index";
const COMPOSITION: &str = "composition with rank 2";
const COMPLEMENT: &str = "complement";
const DIVISION: &str = "logical_divide by rank 1";
const PRODUCT: &str = "logical_product by rank 1";

fn measure(criterion: &mut Criterion) {
    let flat = flat_inputs();
    let inputs = layouts(&flat);
    // side by side: fetching a coordinate from the heap would cost as much as its offset
    let coords: Vec<[u64; 3]> = flat.iter().map(|(extents, _)| std::array::from_fn(|i| extents[i] - 1)).collect();
    let mut group = criterion.benchmark_group("rank 3");
    group.throughput(Throughput::Elements(INPUTS as u64));
    group.bench_function(COALESCE, |b| {
        b.iter(|| {
            for layout in &inputs {
                black_box(&layout.coalesce());
            }
        });
    });
    group.bench_function(CRD, |b| {
        b.iter(|| {
            for (layout, coord) in inputs.iter().zip(&coords) {
                let _ = black_box(layout.at_flat(black_box(coord)));
            }
        });
    });
    group.bench_function(INDEX, |b| {
        b.iter(|| {
            for layout in &inputs {
                let _ = black_box(layout.at(black_box(layout.size() - 1)));
            }
        });
    });
    let (outer, inner): (Vec<_>, Vec<_>) = flat_pairs().into_iter().unzip();
    let (outer, inner) = (layouts(&outer), layouts(&inner));
    group.bench_function(COMPOSITION, |b| {
        b.iter(|| {
            for (outer, inner) in outer.iter().zip(&inner) {
                let _ = black_box(&outer.composition(inner));
            }
        });
    });
    let complementable = layouts(&flat_complementable());
    group.bench_function(COMPLEMENT, |b| {
        b.iter(|| {
            for layout in &complementable {
                let _ = black_box(&layout.complement());
            }
        });
    });
    let (divided, tiles): (Vec<_>, Vec<_>) = flat_divisions().into_iter().unzip();
    let (divided, tiles) = (layouts(&divided), lines(&tiles));
    group.bench_function(DIVISION, |b| {
        b.iter(|| {
            for (layout, tile) in divided.iter().zip(&tiles) {
                let _ = black_box(&layout.logical_divide(tile));
            }
        });
    });
    let (blocks, copies): (Vec<_>, Vec<_>) = flat_products().into_iter().unzip();
    let (blocks, copies) = (layouts(&blocks), lines(&copies));
    group.bench_function(PRODUCT, |b| {
        b.iter(|| {
            for (block, copies) in blocks.iter().zip(&copies) {
                let _ = black_box(&block.logical_product(copies));
            }
        });
    });
    group.finish();
    complete(criterion);
    found(criterion);
}

/// What a layout takes to be found from its values: over a matrix, every value is read, and those on an axis twice.
fn found(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("find_layout_over by values");
    for (shape, layout) in
        [("(16,16)", "((4,4),16):((16,1),64)"), ("(256,256)", "((16,16),(4,64)):((16,256),(1,4096))")]
    {
        let (Ok(shape), Ok(layout)) = (shape.parse::<Shape>(), layout.parse::<Layout>()) else { continue };
        let values: Vec<i128> = layout.offsets().map(|offset| i128::from(offset) + 7).collect();
        group.throughput(Throughput::Elements(values.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(values.len()), &values, |b, values| {
            b.iter(|| black_box(Layout::find_layout_over(&shape, values)).is_ok());
        });
    }
    group.finish();
}

/// What enumeration costs: the modes of the inner layout carry at the very last of its coordinates. The refusal is in it,
/// with its search for layouts nearby that do compose: the same for all sizes.
fn complete(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("composition_complete by size of the inner layout");
    for size in [1 << 8, 1 << 12, 1 << 16] {
        let outer = Layout::from_modes([Mode::new(size, 1), Mode::new(2, size + 1)]);
        let inner = Layout::from_modes([Mode::new(size / 2, 1), Mode::new(2, size / 2 + 1)]);
        let (Ok(outer), Ok(inner)) = (outer, inner) else { continue };
        group.throughput(Throughput::Elements(size));
        group.bench_with_input(BenchmarkId::from_parameter(size), &size, |b, _| {
            b.iter(|| black_box(outer.composition_complete(&inner)).is_err());
        });
    }
    group.finish();
}

/// The median of a benchmark that has just run, in nanoseconds an input.
fn median(name: &str) -> Option<f64> {
    let estimates = recorded("rank 3", name, "estimates.json")?;
    let nanoseconds: f64 = estimates["median"]["point_estimate"].to_string().parse().ok()?;
    #[allow(clippy::cast_precision_loss, reason = "ten thousand is exact")]
    Some(nanoseconds / INPUTS as f64)
}

/// Times pycute on the same inputs.
fn pycute() -> Result<BTreeMap<String, f64>, String> {
    let inputs = serde_json::json!({
        "layouts": flat_inputs(), "pairs": flat_pairs(), "complementable": flat_complementable(),
        "divisions": flat_divisions(), "products": flat_products(),
    });
    peer("adapters", "pycute_bench.py", &inputs).map_err(|why| format!("{why} (rust/conform/adapters/venv.sh makes it)"))
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    match pycute() {
        Err(why) => println!("\nnot compared with pycute: {why}"),
        Ok(times) => {
            println!("\n{:<26}{:>14}{:>14}{:>10}", "rank 3, 10,000 inputs", "razorgirl", "pycute", "ratio");
            for name in [COALESCE, CRD, INDEX, COMPOSITION, COMPLEMENT, DIVISION, PRODUCT] {
                if let (Some(ours), Some(theirs)) = (median(name), times.get(name)) {
                    println!("{name:<26}{ours:>11.1} ns{theirs:>11.0} ns{:>9.0}x", theirs / ours);
                }
            }
        }
    }
}
