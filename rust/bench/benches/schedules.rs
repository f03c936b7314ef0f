//! What a scheduler asks in its inner loop: whether a tensor map is correct, whether two schedules are the same.

#![forbid(unsafe_code)]

use criterion::{Criterion, criterion_group, criterion_main};
use razorgirl::iter_domain::{Equivalence, Schedule};
use razorgirl::tma::{DataType, Descriptor, fttc};
use std::hint::black_box;

/// Two schedules of eight steps that are the same, and none of it by chance: each pair of lines is one of the theorems.
const LEFT: &str =
    "[128,7776,512] split(2,8) split(2,4) split(1,32) split(2,4) merge(0,1) merge(0,1) split(0,8) reorder(1,0,2,3,4,5)";
const RIGHT: &str =
    "[128,7776,512] split(2,32) split(3,8) split(1,4) split(1,8) merge(0,1) merge(0,1) split(0,8) reorder(1,0,2,3,4,5)";

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("schedules");
    let (sizes, boxes, strides) = ([1024_u64, 600, 300, 7, 4], [64_u64, 30, 9, 7, 2], [1_u64, 3, 2, 2, 1]);
    group.bench_function("fttc of 5 dimensions", |b| {
        b.iter(|| fttc(black_box(&sizes), black_box(&boxes), black_box(&strides)));
    });
    if let Ok(descriptor) = Descriptor::new(&sizes, &boxes, &strides, None, DataType::F16) {
        group.bench_function("descriptor of 5 dimensions", |b| b.iter(|| black_box(&descriptor).violations()));
    }
    if let (Ok(left), Ok(right)) = (LEFT.parse::<Schedule>(), RIGHT.parse::<Schedule>()) {
        let verdict = left.equivalent(&right);
        assert_eq!(verdict, Equivalence::Equal { enumerated: false }, "the schedules of the benchmark are the same");
        group.bench_function("equivalence of 8 steps", |b| {
            b.iter(|| black_box(&left).equivalent(black_box(&right)));
        });
        group.bench_function("predicates of 8 steps", |b| b.iter(|| black_box(&left).predicates()));
    }
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
