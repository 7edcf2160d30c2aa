//! Lane operations per second: `cargo bench -p virtual-xe`.
//!
//! An operation of a lane is one multiply-add of the fused chain of matrix products; what else the lanes do for it,
//! like loads, stores and counting, is not counted.
#![allow(clippy::unwrap_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use virtual_xe::{Checks, Device};

#[path = "chain/mod.rs"]
mod chain;

/// Multiply-adds of K P and of the product by A.
const OPERATIONS: u64 = 56 * 56 * 9 + 56 * 9 * 9;

fn lanes(criterion: &mut Criterion) {
    let elements = 100;
    let chain = chain::Chain::new(Device::named("pvc").unwrap(), elements);
    let mut group = criterion.benchmark_group("fused chain");
    group.sample_size(10);
    group.throughput(Throughput::Elements(u64::from(elements) * OPERATIONS));
    let races = Checks { races: true, ..Checks::NONE };
    let init = Checks { init: true, ..Checks::NONE };
    for (name, checks) in
        [("no checks", Checks::NONE), ("races", races), ("init", init), ("all checks", Checks::ALL)]
    {
        group.bench_function(name, |bencher| bencher.iter(|| chain.run(checks)));
    }
    group.finish();
}

criterion_group!(benches, lanes);
criterion_main!(benches);
