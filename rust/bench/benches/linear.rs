//! Linear layouts of 16 by 16 bits, what a compiler asks for each tensor; and beside Triton's Python binding in the same run.
//!
//! The comparison needs an environment of Triton: `python3 -m venv .venv/triton` and
//! `.venv/triton/bin/pip install triton==3.9.0`. What is compared is the fastest sample on both sides.

#![forbid(unsafe_code)]

use criterion::Criterion;
use razorgirl::LinearLayout;
use razorgirl::bank::{linear_conflicts, optimal_swizzle};
use razorgirl::linear_layout::{columns_of_layout, encodings, layout_of_columns};
use razorgirl_bench::{fastest, peer};
use std::collections::BTreeMap;
use std::hint::black_box;

const GROUP: &str = "linear";
const APPLY: &str = "apply";
const COMPOSE: &str = "compose";
const INVERT: &str = "invert";
const PSEUDOINVERT: &str = "pseudoinvert";
const SOLVE: &str = "invert and compose";

/// 16 bits: column i is bit i, and the bits that `mixed` gives.
fn square(mixed: impl Fn(u32) -> u64) -> razorgirl::Result<LinearLayout> {
    let rows = (0..16).map(|bit| vec![1 << bit | mixed(bit) & ((1 << bit) - 1)]).collect();
    LinearLayout::new(&[("i".to_owned(), rows)], vec![("i".to_owned(), 1 << 16)])
}

/// The two layouts that are composed and inverted.
fn squares() -> razorgirl::Result<(LinearLayout, LinearLayout)> {
    Ok((square(|bit| 0x5a5a >> bit)?, square(|bit| 0x9e37 >> (15 - bit))?))
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(GROUP);
    // short samples: the fastest of them is seldom interrupted
    group.sample_size(500);
    if let Ok((a, b)) = squares() {
        group.bench_function(APPLY, |bench| bench.iter(|| black_box(&a).apply_packed(black_box(0xbeef))));
        group.bench_function(COMPOSE, |bench| bench.iter(|| black_box(&a).compose(black_box(&b))));
        group.bench_function(INVERT, |bench| bench.iter(|| black_box(&a).invert()));
        group.bench_function(PSEUDOINVERT, |bench| bench.iter(|| black_box(&a).pseudoinvert()));
        group.bench_function(SOLVE, |bench| bench.iter(|| black_box(&a).invert_and_compose(black_box(&b))));
        assert!(a.invert().is_some_and(|inverse| {
            a.compose(&inverse)
                .is_ok_and(|same| same == LinearLayout::identity_1d(1 << 16, "i", "i").unwrap_or(inverse))
        }));
    }
    let memory = encodings::swizzled_shared(8, 1, 8, &[1, 0], &[64, 64]);
    let registers = encodings::blocked(&[1, 8], &[4, 8], &[4, 1], &[1, 0], &[64, 64], false);
    if let (Ok(memory), Ok(registers)) = (memory, registers) {
        assert!(
            linear_conflicts(&registers, &memory, 16).is_ok_and(|found| found.is_some_and(|found| found.vector == 8))
        );
        group.bench_function("bank count", |bench| {
            bench.iter(|| linear_conflicts(black_box(&registers), black_box(&memory), 16));
        });
        group.bench_function("optimal swizzle", |bench| {
            bench.iter(|| optimal_swizzle(black_box(&registers), black_box(&registers), 16));
        });
    }
    if let Ok(layout) = "((4,2),(2,4)):((2,32),(1,8))".parse::<razorgirl::Layout>() {
        assert!(columns_of_layout(&layout).is_ok(), "a refusal is measured");
        group.bench_function("CuTe to linear", |bench| bench.iter(|| columns_of_layout(black_box(&layout))));
    }
    let columns = [2, 4, 32, 1, 8, 16];
    assert!(layout_of_columns(&columns).is_some(), "a refusal is measured");
    group.bench_function("linear to CuTe", |bench| bench.iter(|| layout_of_columns(black_box(&columns))));
    group.finish();
}

/// Times Triton on the same layouts, once it has given the same answers.
fn triton() -> Result<BTreeMap<String, f64>, String> {
    let (a, b) = squares().map_err(|error| error.to_string())?;
    let composed = a.compose(&b).map_err(|error| error.to_string())?;
    let inverse = a.invert().ok_or("there is an inverse")?;
    let inputs = serde_json::json!({
        "a": a.columns(), "b": b.columns(), "composed": composed.columns(), "inverse": inverse.columns(),
    });
    peer("triton", "triton_bench.py", &inputs).map_err(|why| format!("{why} (pip install triton==3.9.0 in it)"))
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    match triton() {
        Err(why) => println!("\nnot compared with Triton: {why}"),
        Ok(times) => {
            println!("\n{:<26}{:>14}{:>14}{:>10}", "16 x 16, fastest sample", "razorgirl", "Triton", "ratio");
            for name in [APPLY, COMPOSE, INVERT, PSEUDOINVERT, SOLVE] {
                if let (Some(ours), Some(theirs)) = (fastest(GROUP, name), times.get(name)) {
                    println!("{name:<26}{ours:>11.1} ns{theirs:>11.0} ns{:>9.0}x", theirs / ours);
                }
            }
            // what a call through Python costs before anything is computed
            if let Some(call) = times.get("a call that answers a bit") {
                println!("{:<26}{:>14}{call:>11.0} ns", "a call of the binding", "");
            }
        }
    }
}
