//! How the cases of a submission stand, by what is known of them, and which one is run next.
//!
//! Which cases count as not run is found from the outcomes of the others each time: a case that needs one
//! that failed, that comes after a limit hit while loading, or after the time of the submission is spent. A
//! case that needs a failed one is run all the same, what it reaches of its limits counts, and its verdict is
//! kept: what a submission is asked, now or in a later run, must not tell it what was right.

use super::hung::makes;
use crate::case::Case;
use crate::compare::Verdict;
use crate::event::{CaseReport, NeededCase};
use crate::judge::{CaseOutcome, KnownCase, KnownCases, LoadOutcome, report_not_run};
use std::sync::Arc;
use std::time::Duration;

/// The standing of a case of a submission.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CaseStanding<'k> {
    /// The outcome counts.
    Graded(&'k CaseOutcome),
    /// The case counts as not run: it needs one that failed.
    Blocked {
        /// The case that failed.
        needed: NeededCase,
        /// The run that the case has all the same.
        run: BlockedRun<'k>,
    },
    /// The case is not run: the submission hits a limit while loading.
    LoadStopped,
    /// The case is not run: the time of the submission is spent.
    OutOfTime,
    /// The case has no outcome, and would be run.
    Missing,
}

/// The run of a case that counts as not run, because it needs one that failed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BlockedRun<'k> {
    /// The case was run.
    Done(&'k CaseOutcome),
    /// The case has no outcome, and would be run.
    Missing,
    /// The case is not run: the submission hits a limit while loading, or its time is spent.
    Skipped,
}

impl<'k> CaseStanding<'k> {
    /// Whether the case has no outcome, and would be run.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, CaseStanding::Missing | CaseStanding::Blocked { run: BlockedRun::Missing, .. })
    }

    /// The outcome of the case, even if it counts as not run.
    pub(super) fn outcome(&self) -> Option<&'k CaseOutcome> {
        match self {
            CaseStanding::Graded(outcome) | CaseStanding::Blocked { run: BlockedRun::Done(outcome), .. } => {
                Some(outcome)
            }
            _ => None,
        }
    }
}

/// A case that had its turn, and how it stands.
pub(super) struct SettledCase<'a, 'k> {
    pub(super) case: &'a Case,
    /// The place in the report, from 0.
    pub(super) place: usize,
    pub(super) standing: CaseStanding<'k>,
}

impl SettledCase<'_, '_> {
    /// The report of the case.
    pub(super) fn report(&self) -> CaseReport {
        match &self.standing {
            CaseStanding::Graded(outcome) => outcome.report(self.case),
            CaseStanding::Blocked { needed, .. } => {
                CaseReport { blocked_by: Some(needed.clone()), ..report_not_run(self.case) }
            }
            CaseStanding::LoadStopped | CaseStanding::OutOfTime | CaseStanding::Missing => {
                report_not_run(self.case)
            }
        }
    }
}

/// A walk through the cases of a submission, in the order in which they are run. What is known of a case,
/// when its turn is settled, decides which one is next, and how the later ones stand.
pub(super) struct CaseWalk<'a> {
    /// The cases that have not had their turn, in the order of the report.
    waiting: Vec<WaitingCase<'a>>,
    failures: Failures<'a>,
    /// The time that was spent in each grading of the submission.
    spent: Vec<Duration>,
    budget: Duration,
    /// Whether the submission hit a limit while loading.
    load_stopped: bool,
}

/// The cases that failed so far, each with the one to name: itself, or the one that kept it from being run.
#[derive(Default)]
struct Failures<'c> {
    failed: Vec<(&'c Case, NeededCase)>,
}

impl<'c> Failures<'c> {
    /// The failure that keeps a case from being run. Random sessions ask nothing that depends on a ruling, so that
    /// they need only the other cases.
    fn blocking(&self, case: &Case) -> Option<NeededCase> {
        let needs_all = case.random.as_ref().is_some_and(|random| !random.always);
        let is_needed = |failed: &Case| needs_all && !failed.is_ruling() || case.needs(failed);
        let (_, needed) = self.failed.iter().find(|(failed, _)| is_needed(failed))?;
        Some(needed.clone())
    }

    /// Takes note of a case that failed, or that was not run because `blocked_by` failed.
    fn note(&mut self, case: &'c Case, blocked_by: Option<NeededCase>) {
        let itself = || NeededCase { name: case.name.clone(), title: Arc::clone(&case.title) };
        self.failed.push((case, blocked_by.unwrap_or_else(itself)));
    }
}

/// A case that has not had its turn.
struct WaitingCase<'a> {
    case: &'a Case,
    /// The place in the report, from 0.
    place: usize,
    /// The number of its calls that may have reached their limit of time or memory, as often as that
    /// happened.
    put_off: usize,
    /// Whether it may tell the submission what cases expect.
    tells: bool,
    /// Whether it has random sessions, which begin after the others.
    random: bool,
}

impl<'a> CaseWalk<'a> {
    /// A walk through `cases`, which are in the order of the report, of a submission that may spend `budget`.
    pub(super) fn new(cases: impl Iterator<Item = &'a Case>, budget: Duration) -> CaseWalk<'a> {
        let waiting = cases.enumerate().map(|(place, case)| {
            let tells = case.plan.may_tell();
            WaitingCase { case, place, put_off: 0, tells, random: case.random.is_some() }
        });
        CaseWalk {
            waiting: waiting.collect(),
            failures: Failures::default(),
            spent: vec![Duration::ZERO],
            budget,
            load_stopped: false,
        }
    }

    /// The turn of the next case: the first in the order of the report that needs none of the others; but
    /// those of random sessions go last, before them those that may tell what others expect, and before these those that are put off, the more the later:
    /// among the visible and among the hidden ones.
    pub(super) fn next_turn(&mut self) -> Option<Turn<'_, 'a>> {
        if self.waiting.is_empty() {
            return None;
        }
        let next = self.next_index();
        let WaitingCase { case, place, .. } = self.waiting.remove(next);
        Some(Turn { case, place, walk: self })
    }

    /// The index of the waiting case to take next.
    fn next_index(&self) -> usize {
        if self.waiting.iter().all(|waiting| waiting.put_off == 0 && !waiting.tells && !waiting.random) {
            return 0;
        }
        let is_ready =
            |case: &Case| case.needs.is_empty() || !self.waiting.iter().any(|other| case.needs(other.case));
        let ready = self.waiting.iter().enumerate().filter(|(_, waiting)| is_ready(waiting.case));
        let next = ready.min_by_key(|(index, waiting)| {
            (waiting.case.hidden, waiting.random, waiting.tells, waiting.put_off, *index)
        });
        // `needs` has no cycle, which is checked when an exercise is loaded, so some case is always ready.
        next.map_or(0, |(index, _)| index)
    }

    /// Whether the time of the submission is spent.
    fn is_out_of_time(&self) -> bool {
        self.spent.iter().any(|spent| *spent >= self.budget)
    }

    /// Takes note of what an outcome says of other cases: the time that it took, and the calls that hung.
    fn charge(&mut self, outcome: &CaseOutcome) {
        let gradings = outcome.spent.gradings().max(self.spent.len());
        // A case that was graded fewer times would have taken the time of its last one.
        self.spent.resize(gradings, self.spent.last().copied().unwrap_or_default());
        self.spent.iter_mut().enumerate().for_each(|(index, spent)| *spent += outcome.spent.of(index));
        self.load_stopped |= outcome.loading == LoadOutcome::Stopped;
        for hung in &outcome.hung {
            for waiting in &mut self.waiting {
                waiting.put_off += usize::from(makes(&waiting.case.plan, hung));
            }
        }
    }
}

/// The turn of a case in a walk. A case whose turn is not settled says nothing of the later ones.
pub(super) struct Turn<'w, 'a> {
    pub(super) case: &'a Case,
    /// The place in the report, from 0.
    pub(super) place: usize,
    walk: &'w mut CaseWalk<'a>,
}

impl<'a> Turn<'_, 'a> {
    /// How the case stands, by what is known of it.
    pub(super) fn standing<'k>(&self, known: &'k KnownCases) -> CaseStanding<'k> {
        let outcome = known.get(&self.case.name).and_then(KnownCase::outcome);
        if let Some(outcome) = outcome
            && outcome.loading == LoadOutcome::Impossible
        {
            return CaseStanding::Graded(outcome);
        }
        if let Some(needed) = self.walk.failures.blocking(self.case) {
            let run = match outcome {
                Some(outcome) => BlockedRun::Done(outcome),
                // It would learn nothing of one answer from whether the sessions are run: only that all were right.
                None if self.case.random.is_some() => BlockedRun::Skipped,
                None if self.walk.load_stopped || self.walk.is_out_of_time() => BlockedRun::Skipped,
                None => BlockedRun::Missing,
            };
            CaseStanding::Blocked { needed, run }
        } else if self.walk.load_stopped {
            CaseStanding::LoadStopped
        } else if self.walk.is_out_of_time() {
            CaseStanding::OutOfTime
        } else {
            outcome.filter(|outcome| !outcome.not_judged).map_or(CaseStanding::Missing, CaseStanding::Graded)
        }
    }

    /// Ends the turn: how the case stands now, by what is known of it, counts for the later ones.
    pub(super) fn settle<'k>(self, known: &'k KnownCases) -> SettledCase<'a, 'k> {
        let standing = self.standing(known);
        let Turn { case, place, walk } = self;
        if let Some(outcome) = standing.outcome() {
            walk.charge(outcome);
        }
        match &standing {
            CaseStanding::Blocked { needed, .. } => walk.failures.note(case, Some(needed.clone())),
            // If nothing can be loaded, each case says so itself.
            CaseStanding::Graded(outcome)
                if outcome.verdict != Verdict::Passed && outcome.loading != LoadOutcome::Impossible =>
            {
                walk.failures.note(case, None);
            }
            _ => {}
        }
        SettledCase { case, place, standing }
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockedRun, CaseStanding};
    use crate::case::{CasePlace, Library, Loaded, StepNo};
    use crate::compare::{Mistake, ValueMistake, Verdict};
    use crate::event::{Finding, Warning};
    use crate::grade::CountedCases;
    use crate::judge::{CaseOutcome, KnownCase, KnownCases, LoadOutcome, Settings, SpentEachTime};
    use crate::submission::BuildProblem;
    use std::sync::Arc;
    use std::time::Duration;

    /// Three cases of an exercise, the second of which needs the first.
    fn three() -> Loaded {
        let mut loaded = Library::BuiltIn.load("codenames").unwrap();
        loaded.exercise.points = None;
        loaded.cases.truncate(3);
        for case in &mut loaded.cases {
            (case.hidden, case.group) = (false, None);
            case.needs.clear();
        }
        let name = loaded.cases[0].name.clone();
        loaded.cases[1].needs.push(crate::case::Need { name, span: 0..0 });
        loaded
    }

    fn failed() -> CaseOutcome {
        CaseOutcome::failed(Finding::before_the_first_step(
            Verdict::WrongValue,
            Mistake::Value(ValueMistake::Unexpected),
        ))
    }

    /// How three cases stand of which this is known.
    #[track_caller]
    fn check(known: [Option<CaseOutcome>; 3], expected: &str) {
        let loaded = three();
        let settings = Settings { rulings: true, ..Settings::default() };
        let counted = CountedCases::new(&loaded, &settings);
        let names = loaded.cases.iter().map(|case| case.name.clone());
        let known: KnownCases = names
            .zip(known)
            .filter_map(|(name, outcome)| Some((name, KnownCase::Graded(outcome?))))
            .collect();
        let short = |standing: CaseStanding<'_>| match standing {
            CaseStanding::Graded(_) => "graded",
            CaseStanding::Blocked { run: BlockedRun::Missing, .. } => "blocked_and_missing",
            CaseStanding::Blocked { .. } => "blocked",
            CaseStanding::LoadStopped => "load_stopped",
            CaseStanding::OutOfTime => "out_of_time",
            CaseStanding::Missing => "missing",
        };
        let standings: Vec<&str> =
            counted.standings(&known).into_iter().map(|settled| short(settled.standing)).collect();
        assert_eq!(standings.join(" "), expected);
        let report = counted.report(&known);
        assert_eq!(report.missing, expected.matches("missing").count());
        assert_eq!(counted.missing(&known).len(), report.missing);
        assert_eq!(report.cases.len(), 3);
        assert_eq!(report.points, report.cases.iter().map(|case| case.points).sum());
        let blocked = report.cases.iter().filter(|case| case.blocked_by.is_some());
        assert_eq!(blocked.count(), expected.matches("blocked").count());
        let skipped = report.warnings.iter().map(|warning| match warning {
            Warning::OverBudget { cases, .. } | Warning::OverTime(cases) => *cases,
            _ => 0,
        });
        assert_eq!(skipped.sum::<usize>(), expected.matches("out_of_time").count());
    }

    #[test]
    fn a_case_is_missing_unless_it_follows_from_others() {
        let passed = || Some(CaseOutcome::passed());
        check([None, None, None], "missing missing missing");
        check([passed(), None, passed()], "graded missing graded");
        check([Some(failed()), None, None], "graded blocked_and_missing missing");
    }

    #[test]
    fn a_known_case_does_not_count_once_one_that_it_needs_fails() {
        let passed = || Some(CaseOutcome::passed());
        check([Some(failed()), passed(), passed()], "graded blocked graded");
    }

    #[test]
    fn a_case_that_was_not_judged_is_missing_once_what_it_needs_passes() {
        let not_judged = || Some(CaseOutcome::without_judgement(LoadOutcome::Loaded));
        check([Some(failed()), not_judged(), None], "graded blocked missing");
        check([Some(CaseOutcome::passed()), not_judged(), None], "graded missing missing");
    }

    #[test]
    fn a_blocked_case_takes_of_the_time_and_loads_as_any_other() {
        let long = CaseOutcome::without_judgement(LoadOutcome::Loaded).taking(Duration::from_secs(31));
        check([Some(failed()), Some(long), None], "graded blocked out_of_time");
        let stopped = CaseOutcome::without_judgement(LoadOutcome::Stopped);
        check([Some(failed()), Some(stopped), None], "graded blocked load_stopped");
    }

    #[test]
    fn after_a_limit_while_loading_or_the_time_of_the_submission_nothing_is_run() {
        let stopped = CaseOutcome { loading: LoadOutcome::Stopped, ..failed() };
        check([None, None, Some(stopped.clone())], "missing missing graded");
        let long = failed().taking(Duration::from_secs(31));
        check([Some(CaseOutcome::passed()), Some(long.clone()), Some(failed())], "graded graded out_of_time");
        // In one of two gradings there was time left, in the other there was not.
        let half =
            CaseOutcome { spent: SpentEachTime::new([1, 31_000].map(Duration::from_millis)), ..failed() };
        check([Some(CaseOutcome::passed()), Some(half), None], "graded graded out_of_time");
        check([Some(CaseOutcome::passed()), Some(stopped), None], "graded graded load_stopped");
    }

    /// The names of cases in the order in which they are run, where this call hangs, and in that of the
    /// report.
    fn orders(loaded: &Loaded, hung: &str) -> (Vec<String>, Vec<String>) {
        let settings = Settings { rulings: true, ..Settings::default() };
        let counted = CountedCases::new(loaded, &settings);
        let first = counted.cases()[0].name.clone();
        let outcome = CaseOutcome { hung: vec![hung.to_owned()], ..failed() };
        let known = KnownCases::from([(first, KnownCase::Graded(outcome))]);
        let ran = counted.standings(&known).iter().map(|settled| settled.case.name.clone()).collect();
        (ran, counted.cases().iter().map(|case| case.name.clone()).collect())
    }

    #[test]
    fn cases_with_a_call_that_hung_go_last_among_visible_and_among_hidden_ones() {
        let mut loaded = three();
        let other = loaded.cases[2].clone();
        let (mut plain, mut needing, mut hidden) = (other.clone(), other.clone(), other);
        (plain.name, needing.name, hidden.name) = ("plain".into(), "needing".into(), "hidden".into());
        for case in [&mut plain, &mut needing, &mut hidden] {
            case.file = case.name.clone();
        }
        plain.plan.steps.clear();
        needing.plan.steps.clear();
        needing.needs.push(crate::case::Need { name: loaded.cases[2].name.clone(), span: 0..0 });
        (hidden.hidden, hidden.plan) = (true, plain.plan.clone());
        loaded.cases[1].needs.clear();
        loaded.cases[1].hidden = true;
        let names: Vec<String> = loaded.cases.iter().map(|case| case.name.clone()).collect();
        loaded.cases.extend([plain, needing, hidden]);
        let hung = loaded.cases[0].plan.definitions()[0].to_owned();
        for case in &mut loaded.cases {
            case.group = None;
        }
        // `needing` waits for the case that it needs, although it does not make the call itself.
        let (ran, reported) = orders(&loaded, &hung);
        assert_eq!(ran, [&names[0], "plain", &names[2], "needing", "hidden", &names[1]]);
        assert_eq!(reported, [&names[0], &names[2], "plain", "needing", &names[1], "hidden"]);
        let (ran, reported) = orders(&loaded, "another call");
        assert_eq!(ran, reported);
    }

    #[test]
    fn every_case_of_a_submission_that_cannot_be_loaded_says_so() {
        let impossible = || Some(CaseOutcome::impossible(&Mistake::Submission(BuildProblem::TooSlow.into())));
        check([impossible(), impossible(), impossible()], "graded graded graded");
    }

    #[test]
    fn a_hint_and_the_line_are_those_of_the_case_as_it_is() {
        let mut loaded = three();
        let case = &mut loaded.cases[0];
        let hint = Arc::new(crate::messages::LocalText::Plain("Look".to_owned()));
        case.hint = Some(hint);
        let finding = Finding {
            step: StepNo::new(case.plan.steps.len()),
            ..Finding::before_the_first_step(Verdict::WrongValue, Mistake::Value(ValueMistake::Unexpected))
        };
        let outcome = CaseOutcome { hint_fits: true, ..CaseOutcome::failed(finding) };
        let report = outcome.report(case);
        assert!(report.hint.is_some());
        let CasePlace { path, line } = report.finding.unwrap().place;
        assert!(path == case.path && line > 1, "{path}:{line}");
        assert!(CaseOutcome { hint_fits: false, ..outcome }.report(case).hint.is_none());
    }
}
