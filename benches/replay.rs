//! Replays the sample session of each assignment on its reference, in this process.

use criterion::{Criterion, criterion_group, criterion_main};
use keur_core::adapter::{Adapter, NoGuide};
use keur_core::case::Library;
use keur_core::judge::reference_adapter;
use keur_sandbox::Limits;
use std::hint::black_box;

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("replay");
    let limits = Limits::default();
    for exercise in Library::BuiltIn.names().expect("the built-in exercises are listed") {
        let loaded = Library::BuiltIn.load(&exercise).expect("a built-in exercise is read");
        let mut adapter = reference_adapter(&loaded.exercise).expect("a built-in exercise has a reference");
        // Alquerque's assignment shows no session: use a whole game instead.
        let sample = loaded.cases.iter().find(|case| case.name == "spec_session");
        let Some(case) = sample.or_else(|| loaded.cases.iter().max_by_key(|case| case.plan.steps.len()))
        else {
            continue;
        };
        let name = format!("{exercise}, {} steps", case.plan.steps.len());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                adapter.replay(black_box(&case.plan), &limits, &mut NoGuide).expect("a reference answers")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
