//! Merges several gradings of the same cases, under different seeds, into one outcome for each.

use super::outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases, LoadOutcome};
use crate::case::Case;
use crate::compare::Verdict;
use crate::event::Trial;

/// Merges gradings of the same cases. A case passes if it passed each time; one whose verdict differs carries every
/// verdict, the finding of its first failure, and the outcome that earns the fewest points. One that was not run each
/// time is not known: the others say why.
///
/// Each grading is under a different seed, which goes with it; the first one's language and exceptions are kept.
pub(super) fn combined(gradings: Vec<(u32, GradedCases)>, cases: &[&Case]) -> Option<GradedCases> {
    let seeds: Vec<u32> = gradings.iter().map(|(seed, _)| *seed).collect();
    let mut gradings = gradings.into_iter().map(|(_, graded)| graded);
    let mut first = gradings.next()?;
    let others: Vec<GradedCases> = gradings.collect();
    if others.is_empty() {
        return Some(first);
    }
    first.killed.extend(others.iter().flat_map(|other| other.killed.iter().cloned()));
    let mut known = KnownCases::new();
    for case in cases {
        let Some(one) = first.known.remove(&case.name) else { continue };
        let again = others.iter().map(|other| other.known.get(&case.name));
        let all: Option<Vec<&KnownCase>> = std::iter::once(Some(&one)).chain(again).collect();
        let Some(all) = all else { continue };
        let outcomes: Vec<&CaseOutcome> = all.into_iter().filter_map(graded).collect();
        let merged = merged(case, &outcomes, &seeds).map_or(KnownCase::NotCounted, KnownCase::Graded);
        known.insert(case.name.clone(), merged);
    }
    Some(GradedCases { known, ..first })
}

fn graded(known: &KnownCase) -> Option<&CaseOutcome> {
    match known {
        KnownCase::Graded(outcome) => Some(outcome),
        KnownCase::NotCounted => None,
    }
}

/// The outcome of a case that was graded with each of `seeds`.
fn merged(case: &Case, outcomes: &[&CaseOutcome], seeds: &[u32]) -> Option<CaseOutcome> {
    let first = outcomes.first()?;
    let not_judged = outcomes.iter().find(|outcome| outcome.not_judged);
    let failed = || outcomes.iter().find(|outcome| outcome.verdict != Verdict::Passed);
    let shown = not_judged.or_else(failed).unwrap_or(first);
    let fewest = outcomes.iter().min_by_key(|outcome| outcome.held.earned(case))?;
    let differ = outcomes.iter().any(|outcome| outcome.verdict != first.verdict);
    let trial = |(seed, outcome): (&u32, &&CaseOutcome)| Trial { seed: *seed, verdict: outcome.verdict };
    let loadings = || outcomes.iter().map(|outcome| &outcome.loading);
    let loading = match &first.loading {
        _ if loadings().any(|loading| *loading == LoadOutcome::Stopped) => LoadOutcome::Stopped,
        // Another time it could be loaded.
        LoadOutcome::Impossible => {
            let other = loadings().find(|loading| **loading != LoadOutcome::Impossible);
            other.cloned().unwrap_or(LoadOutcome::Impossible)
        }
        loading @ (LoadOutcome::Loaded | LoadOutcome::Raised(_) | LoadOutcome::Stopped) => loading.clone(),
    };
    let takes_time = outcomes.iter().any(|outcome| !outcome.spent.is_empty());
    let spent = |outcome: &&CaseOutcome| outcome.spent.first().copied().unwrap_or_default();
    // If only some of them passed quickly, the others are strict, and those count.
    let in_same_pass = outcomes.iter().all(|outcome| outcome.quick == first.quick);
    Some(CaseOutcome {
        quick: first.quick.filter(|_| in_same_pass),
        held: fewest.held.clone(),
        trials: if differ && not_judged.is_none() {
            seeds.iter().zip(outcomes).map(trial).collect()
        } else {
            Vec::new()
        },
        loading,
        hung: outcomes.iter().flat_map(|outcome| outcome.hung.iter().cloned()).collect(),
        spent: if takes_time { outcomes.iter().map(spent).collect() } else { Vec::new() },
        ..CaseOutcome::clone(shown)
    })
}
