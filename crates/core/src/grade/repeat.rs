//! Merges several gradings of the same cases, under different seeds, into one outcome for each.

use super::outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases, LoadOutcome};
use super::pass::Grading;
use crate::case::Case;
use crate::compare::Verdict;
use crate::event::Trial;

/// Merges gradings of the same cases. A case passes if it passed each time; one whose verdict differs carries
/// every verdict, the finding of its first failure, and the outcome that earns the fewest points. One that
/// was not run each time is not known: the others say why.
///
/// The first grading's language and exceptions are kept.
pub(super) fn combined(first: Grading, others: &[Grading], cases: &[&Case]) -> GradedCases {
    let gradings = || std::iter::once(&first).chain(others);
    let mut added = KnownCases::new();
    for case in cases {
        let each_time = gradings().map(|grading| Some((grading.seed, grading.added.get(&case.name)?)));
        let Some(each_time) = each_time.collect::<Option<Vec<_>>>() else { continue };
        let tries =
            each_time.into_iter().filter_map(|(seed, known)| Some(Try { seed, outcome: known.outcome()? }));
        let tries: Vec<Try<'_>> = tries.collect();
        let merged = match tries.first() {
            Some(first) => KnownCase::Graded(merged(case, first.outcome, &tries)),
            None => KnownCase::NotCounted,
        };
        added.insert(case.name.clone(), merged);
    }
    let killed = gradings().flat_map(|grading| grading.killed.iter().cloned()).collect();
    GradedCases { added, new: 0, runtime: first.runtime, killed }
}

/// The outcome of a case in one grading.
struct Try<'g> {
    seed: u32,
    outcome: &'g CaseOutcome,
}

/// The outcome of a case that was graded in these tries, of which `first` is the first.
fn merged(case: &Case, first: &CaseOutcome, tries: &[Try<'_>]) -> CaseOutcome {
    let outcomes = || tries.iter().map(|each| each.outcome);
    let not_judged = outcomes().find(|outcome| outcome.not_judged);
    let failed = outcomes().find(|outcome| outcome.verdict != Verdict::Passed);
    let shown = not_judged.or(failed).unwrap_or(first);
    let fewest = outcomes().min_by_key(|outcome| outcome.earned.points(case)).unwrap_or(first);
    let differ = outcomes().any(|outcome| outcome.verdict != first.verdict);
    let trials = tries.iter().map(|each| Trial { seed: each.seed, verdict: each.outcome.verdict });
    let takes_time = outcomes().any(|outcome| !outcome.spent.is_empty());
    let spent = outcomes().map(|outcome| outcome.spent.first().copied().unwrap_or_default());
    // If only some of them passed quickly, the others are strict, and those count.
    let in_same_pass = outcomes().all(|outcome| outcome.quick == first.quick);
    CaseOutcome {
        quick: first.quick.filter(|_| in_same_pass),
        earned: fewest.earned.clone(),
        trials: if differ && not_judged.is_none() { trials.collect() } else { Vec::new() },
        loading: loading(tries),
        hung: outcomes().flat_map(|outcome| outcome.hung.iter().cloned()).collect(),
        spent: if takes_time { spent.collect() } else { Vec::new() },
        ..shown.clone()
    }
}

/// The effect that loading the submission for the case has on other cases, after these tries.
fn loading(tries: &[Try<'_>]) -> LoadOutcome {
    let loadings = || tries.iter().map(|each| &each.outcome.loading);
    if loadings().any(|loading| *loading == LoadOutcome::Stopped) {
        return LoadOutcome::Stopped;
    }
    // If it could be loaded once, that counts.
    let possible = loadings().find(|loading| **loading != LoadOutcome::Impossible);
    possible.cloned().unwrap_or(LoadOutcome::Impossible)
}
