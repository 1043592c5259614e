//! Moves per second of the Alquerque move generator: perft from the start, with and without counting the last
//! moves.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use keur_core::exercises::alquerque::rules::{Board, Leaves, perft};
use std::hint::black_box;

/// Deep enough that a run takes a few milliseconds.
const DEPTH: u32 = 9;

fn bench(criterion: &mut Criterion) {
    let start = Board::start();
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start, DEPTH, Leaves::Counted)));
    for (name, leaves) in [("leaves played", Leaves::Played), ("leaves counted", Leaves::Counted)] {
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&start), DEPTH, leaves)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
