//! Tractable layouts of rank 4 as morphisms.

#![forbid(unsafe_code)]

use criterion::{Criterion, criterion_group, criterion_main};
use razorgirl::category::{TupleMorphism, WrittenLayout};
use std::hint::black_box;

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("category");
    let layout = "(2,2,2,2):(24,0,3,480)".parse::<WrittenLayout>();
    let first = TupleMorphism::new(&[4, 2, 3, 5], &[2, 3, 4, 5], &[3, 1, 2, 4]);
    let second = TupleMorphism::new(&[2, 3, 4, 5], &[5, 7, 4, 2, 3], &[4, 5, 3, 1]);
    if let (Ok(layout), Ok(f), Ok(g)) = (layout, first, second) {
        assert!(TupleMorphism::standard_representation(&layout).is_ok_and(|f| f.map().values() == [4, 0, 2, 6]));
        assert!(f.compose(&g).is_ok_and(|composite| composite.map().values() == [3, 4, 5, 1]));
        group.bench_function("standard_representation", |bench| {
            bench.iter(|| TupleMorphism::standard_representation(black_box(&layout)));
        });
        group.bench_function("compose", |bench| bench.iter(|| black_box(&f).compose(black_box(&g))));
    }
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
