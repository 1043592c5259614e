//! Grades a submission several times, under different seeds, and merges the outcomes of each case into one.

use super::Grader;
use super::account::Account;
use super::pass::Grading;
use super::worker::Worker;
use crate::case::Case;
use crate::compare::Verdict;
use crate::event::Trial;
use crate::judge::{CaseOutcome, GradeError, KnownCase, KnownCases, LoadOutcome, SpentEachTime};
use crate::submission::Submission;

impl Grader<'_> {
    /// Grades what is not known of a submission as often as is asked. A call that hangs only sometimes
    /// changes the order of one grading, and so the cases that there was time for in all of them: what is
    /// missing then is graded until nothing more is added.
    pub(super) fn grade_repeatedly(
        &self,
        worker: &mut Worker,
        submission: &Submission,
        known: &KnownCases,
    ) -> Result<Grading, GradeError> {
        worker.provide(self.repeat);
        let Grading { seed, added, runtime, mut killed } = self.grade_each_time(worker, submission, known)?;
        let mut account = Account::new(known.clone());
        account.add(added);
        while !worker.first.cancel().is_cancelled() {
            let valid = self.counted.still_valid(account.known().clone());
            if self.counted.missing(&valid).is_empty() {
                break;
            }
            let more = self.grade_each_time(worker, submission, &valid)?;
            killed.extend(more.killed);
            if more.added.keys().all(|name| account.has_added(name)) {
                break;
            }
            account.add(more.added);
        }
        killed.retain(|name| !account.has_added(name));
        Ok(Grading { seed, added: account.into_added(), runtime, killed })
    }

    /// Grades what is not known of a submission under each seed, and merges the outcomes.
    fn grade_each_time(
        &self,
        worker: &mut Worker,
        submission: &Submission,
        known: &KnownCases,
    ) -> Result<Grading, GradeError> {
        let Worker { first, others, trusted } = worker;
        let first = self.grade_once(first, trusted, submission, known, None)?;
        let others = others.iter_mut().take(self.repeat.saturating_sub(1) as usize);
        let others: Result<Vec<Grading>, GradeError> =
            others.map(|launcher| self.grade_once(launcher, trusted, submission, known, None)).collect();
        Ok(merged(first, &others?, self.counted.cases()))
    }
}

/// Merges gradings of the same cases. A case passes if it passed each time; one whose verdict differs carries
/// every verdict, the finding of its first failure, and the outcome that earns the fewest points. One that
/// was not run each time is not known: the others say why.
///
/// The first grading's seed, language and exceptions are kept.
fn merged(first: Grading, others: &[Grading], cases: &[&Case]) -> Grading {
    let gradings = || std::iter::once(&first).chain(others);
    let mut added = KnownCases::new();
    for case in cases {
        let each_time = gradings().map(|grading| Some((grading.seed, grading.added.get(&case.name)?)));
        let Some(each_time) = each_time.collect::<Option<Vec<_>>>() else { continue };
        let tries =
            each_time.into_iter().filter_map(|(seed, known)| Some(Try { seed, outcome: known.outcome()? }));
        let tries: Vec<Try<'_>> = tries.collect();
        let merged = match tries.first() {
            Some(first) => KnownCase::Graded(merged_outcome(case, first.outcome, &tries)),
            None => KnownCase::NotCounted,
        };
        added.insert(case.name.clone(), merged);
    }
    let killed = gradings().flat_map(|grading| grading.killed.iter().cloned()).collect();
    Grading { seed: first.seed, added, runtime: first.runtime, killed }
}

/// The outcome of a case in one grading.
struct Try<'g> {
    seed: u32,
    outcome: &'g CaseOutcome,
}

/// The outcome of a case that was graded in these tries, of which `first` is the first.
fn merged_outcome(case: &Case, first: &CaseOutcome, tries: &[Try<'_>]) -> CaseOutcome {
    let outcomes = || tries.iter().map(|each| each.outcome);
    let not_judged = outcomes().find(|outcome| outcome.not_judged);
    let failed = outcomes().find(|outcome| outcome.verdict != Verdict::Passed);
    let shown = not_judged.or(failed).unwrap_or(first);
    let fewest = outcomes().min_by_key(|outcome| outcome.earned.points(case)).unwrap_or(first);
    let differ = outcomes().any(|outcome| outcome.verdict != first.verdict);
    let trials = tries.iter().map(|each| Trial { seed: each.seed, verdict: each.outcome.verdict });
    // If only some of them passed quickly, the others are strict, and those count.
    let in_same_pass = outcomes().all(|outcome| outcome.quick == first.quick);
    CaseOutcome {
        quick: first.quick.filter(|_| in_same_pass),
        earned: fewest.earned.clone(),
        trials: if differ && not_judged.is_none() { trials.collect() } else { Vec::new() },
        loading: loading(tries),
        hung: outcomes().flat_map(|outcome| outcome.hung.iter().cloned()).collect(),
        spent: SpentEachTime::new(outcomes().map(|outcome| outcome.spent.of(0))),
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
