//! What each fast path earns: the library's function beside the text that answers everything, on the same 10,000 inputs of
//! rank at most 3. A fast path stays while the ratio is above 1.5.
//!
//! `cargo bench --manifest-path rust/bench/Cargo.toml --bench fast_paths`

#![forbid(unsafe_code)]

use criterion::{Criterion, Throughput};
use razorgirl::{Layout, Result, plain};
use razorgirl_bench::{INPUTS, flat_complementable, flat_divisions, flat_pairs, flat_products, layouts, lines};
use std::hint::black_box;

type Pairs = Vec<(Layout, Layout)>;

fn compare<A>(
    criterion: &mut Criterion,
    name: &str,
    inputs: &[A],
    fast: impl Fn(&A) -> Result<Layout>,
    plain: impl Fn(&A) -> Option<Layout>,
) {
    assert!(inputs.iter().all(|input| fast(input).ok() == plain(input)), "{name}: the texts differ");
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(INPUTS as u64));
    group.bench_function("plain", |b| {
        b.iter(|| {
            for input in inputs {
                let _ = black_box(&plain(input));
            }
        });
    });
    group.bench_function("with its fast path", |b| {
        b.iter(|| {
            for input in inputs {
                let _ = black_box(&fast(input));
            }
        });
    });
    group.finish();
}

/// Those that have an answer: a refusal is looked for elsewhere, and costs what it costs.
fn answered(pairs: Pairs, of: impl Fn(&Layout, &Layout) -> Option<Layout>) -> Pairs {
    pairs.into_iter().filter(|(a, b)| of(a, b).is_some()).collect()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let (outer, inner): (Vec<_>, Vec<_>) = flat_pairs().into_iter().unzip();
    let pairs = answered(layouts(&outer).into_iter().zip(layouts(&inner)).collect(), plain::composition);
    let fast = |(a, b): &(Layout, Layout)| a.composition(b);
    compare(&mut criterion, "composition", &pairs, fast, |(a, b)| plain::composition(a, b));
    let inputs = layouts(&flat_complementable());
    compare(&mut criterion, "complement", &inputs, Layout::complement, plain::complement);
    let (divided, tiles): (Vec<_>, Vec<_>) = flat_divisions().into_iter().unzip();
    let pairs = answered(layouts(&divided).into_iter().zip(lines(&tiles)).collect(), plain::logical_divide);
    let fast = |(a, b): &(Layout, Layout)| a.logical_divide(b);
    compare(&mut criterion, "logical_divide", &pairs, fast, |(a, b)| plain::logical_divide(a, b));
    let (blocks, copies): (Vec<_>, Vec<_>) = flat_products().into_iter().unzip();
    let pairs = answered(layouts(&blocks).into_iter().zip(lines(&copies)).collect(), plain::logical_product);
    let fast = |(a, b): &(Layout, Layout)| a.logical_product(b);
    compare(&mut criterion, "logical_product", &pairs, fast, |(a, b)| plain::logical_product(a, b));
    criterion.final_summary();
}
