//! Linear layouts of 16 by 16 bits: what a compiler asks for each tensor.

#![forbid(unsafe_code)]

use criterion::{Criterion, criterion_group, criterion_main};
use razorgirl::LinearLayout;
use razorgirl::bank::{linear_conflicts, optimal_swizzle};
use razorgirl::linear_layout::{columns_of_layout, encodings, layout_of_columns};
use std::hint::black_box;

/// 16 bits: column i is bit i, and the bits that `mixed` gives.
fn square(mixed: impl Fn(u32) -> u64) -> razorgirl::Result<LinearLayout> {
    let rows = (0..16).map(|bit| vec![1 << bit | mixed(bit) & ((1 << bit) - 1)]).collect();
    LinearLayout::new(&[("i".to_owned(), rows)], vec![("i".to_owned(), 1 << 16)])
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("linear");
    if let (Ok(a), Ok(b)) = (square(|bit| 0x5a5a >> bit), square(|bit| 0x9e37 >> (15 - bit))) {
        group.bench_function("apply", |bench| bench.iter(|| black_box(&a).apply_packed(black_box(0xbeef))));
        group.bench_function("compose", |bench| bench.iter(|| black_box(&a).compose(black_box(&b))));
        group.bench_function("invert", |bench| bench.iter(|| black_box(&a).invert()));
        assert!(a.invert().is_some_and(|inverse| {
            a.compose(&inverse)
                .is_ok_and(|same| same == LinearLayout::identity_1d(1 << 16, "i", "i").unwrap_or(inverse))
        }));
    }
    let memory = encodings::swizzled_shared(8, 1, 8, &[1, 0], &[64, 64]);
    let registers = encodings::blocked(&[1, 8], &[4, 8], &[4, 1], &[1, 0], &[64, 64]);
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
    if let Ok(layout) = "((4,2),(2,4)):((2,16),(1,8))".parse::<razorgirl::Layout>() {
        group.bench_function("CuTe to linear", |bench| bench.iter(|| columns_of_layout(black_box(&layout))));
    }
    let columns = [2, 4, 16, 1, 8, 32];
    group.bench_function("linear to CuTe", |bench| bench.iter(|| layout_of_columns(black_box(&columns))));
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
