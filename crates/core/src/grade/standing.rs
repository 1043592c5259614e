//! How the cases of a submission stand, by what is known of them, and the report that this makes.
//!
//! Which cases count as not run is found from the outcomes of the others each time: a case that needs one that failed, that comes after a
//! limit hit while loading, or after the time of the submission is spent. A case that needs a failed one is run all the same, what
//! it reaches of its limits counts, and its verdict is kept: what a submission is asked, now or in a later run, must not tell it what
//! was right.

use super::hung::makes;
use super::order::{Failures, counted, counts_for, in_order_of_running};
use super::outcome::{CaseOutcome, KnownCase, KnownCases, LoadOutcome, not_run};
use super::quick::Isolation;
use super::settings::{Settings, budget};
use crate::case::{Case, Exercise, LimitsPatch, Loaded, Points};
use crate::compare::{Mismatch, Verdict};
use crate::event::{CaseReport, ExerciseInfo, NeededCase, SubmissionReport, Warning};
use std::collections::BTreeMap;
use std::time::Duration;

/// How a case of a submission stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseStanding {
    /// Its outcome is known.
    Kept,
    /// It does not count for this submission.
    NotCounted,
    /// It counts as not run: it needs a case that failed.
    Blocked {
        /// The case that failed.
        needed: NeededCase,
        /// Whether it is not known, and would be run.
        is_missing: bool,
    },
    /// It is not run: the submission hits a limit while loading, or its time is spent.
    Skipped,
    /// It is not known, and would be run.
    Missing,
}

impl CaseStanding {
    /// Whether it is not known, and would be run.
    pub fn is_missing(&self) -> bool {
        matches!(self, CaseStanding::Missing | CaseStanding::Blocked { is_missing: true, .. })
    }
}

/// Makes reports of what is known of the cases of an exercise.
#[derive(Debug)]
pub struct CaseAssembly<'a> {
    pub(super) loaded: &'a Loaded,
    cases: Vec<&'a Case>,
    pub(super) limits: LimitsPatch,
    pub(super) isolation: Isolation,
}

impl<'a> CaseAssembly<'a> {
    /// For the cases of `loaded` that count with these settings.
    pub fn new(loaded: &'a Loaded, settings: &Settings) -> CaseAssembly<'a> {
        let cases = in_order_of_running(counted(loaded, settings));
        CaseAssembly { loaded, cases, limits: settings.limits.clone(), isolation: settings.isolation }
    }

    /// The cases that count, in the order of reports: see [`counted`], and hidden ones last. A program that
    /// answers several cases may remember earlier ones, and must not reveal a hidden case in a visible one.
    ///
    /// They are run in this order, but once a call has reached its limit of time or memory, the cases that make it go last: among the
    /// visible ones, and among the hidden ones.
    pub fn cases(&self) -> &[&'a Case] {
        &self.cases
    }

    /// How each case stands, in the order in which they are run.
    pub fn standing(&self, known: &KnownCases) -> Vec<(&'a Case, CaseStanding)> {
        let mut progress = self.progress(&self.cases);
        let mut all = Vec::with_capacity(self.cases.len());
        while let Some(CaseTurn { case, .. }) = progress.next() {
            let known = known.get(&case.name);
            let standing = progress.standing(case, known);
            match (&standing, known) {
                (CaseStanding::Kept, Some(KnownCase::Graded(outcome))) => progress.note(case, outcome, None),
                (CaseStanding::Blocked { needed, .. }, known) => {
                    progress.note_blocked(case, known.and_then(KnownCase::outcome), needed.clone());
                }
                (
                    CaseStanding::Kept
                    | CaseStanding::NotCounted
                    | CaseStanding::Skipped
                    | CaseStanding::Missing,
                    _,
                ) => {}
            }
            all.push((case, standing));
        }
        all
    }

    /// The cases that are not known and would be run, in the order in which they are run.
    pub fn missing(&self, known: &KnownCases) -> Vec<&'a Case> {
        let missing = self.standing(known).into_iter().filter(|(_, standing)| standing.is_missing());
        missing.map(|(case, _)| case).collect()
    }

    /// Gives a report its exercise, its cases, their warnings and its points. Returns how many cases are missing: they are
    /// in the report as not run. If the submission never ran, the report has no runtime.
    pub fn complete(&self, report: &mut SubmissionReport, known: &KnownCases) -> usize {
        report.exercise = Some(info(self.loaded));
        report.cases.reserve_exact(self.cases.len());
        let (mut progress, mut missing, mut ran) = (self.progress(&self.cases), 0, false);
        let watch = &|_: &SubmissionReport| {};
        while let Some(turn) = progress.next() {
            let known = known.get(&turn.case.name);
            let standing = progress.standing(turn.case, known);
            missing += usize::from(standing.is_missing());
            match (standing, known) {
                (CaseStanding::Kept, Some(KnownCase::Graded(outcome))) => {
                    ran |= outcome.loading != LoadOutcome::Impossible;
                    progress.take((report, watch), turn, outcome);
                }
                (CaseStanding::Kept | CaseStanding::NotCounted, _) => {
                    progress.leave_out((report, watch), turn)
                }
                (CaseStanding::Blocked { needed, .. }, known) => {
                    progress.block((report, watch), turn, (known.and_then(KnownCase::outcome), needed));
                }
                (CaseStanding::Skipped, _) => progress.skip((report, watch), turn),
                (CaseStanding::Missing, _) => {
                    progress.put((report, watch), turn, Some(not_run(turn.case, None)));
                }
            }
        }
        report.runtime = report.runtime.take().filter(|_| ran);
        self.finish(report, progress);
        missing
    }

    /// What happens to these cases of a submission, none of which was looked at yet.
    pub(super) fn progress(&self, cases: &[&'a Case]) -> CaseProgress<'a> {
        CaseProgress {
            waiting: cases
                .iter()
                .enumerate()
                .map(|(place, case)| WaitingCase { turn: CaseTurn { place, case }, put_off: 0 })
                .collect(),
            ahead: BTreeMap::new(),
            placed: 0,
            failures: Failures::default(),
            spent: vec![Duration::ZERO],
            budget: budget(&self.limits, &self.loaded.exercise),
            stopped: false,
            over_budget: 0,
            is_slow: false,
        }
    }

    /// Ends a report: the last warning, and the points.
    pub(super) fn finish(&self, report: &mut SubmissionReport, progress: CaseProgress<'_>) {
        let CaseProgress { over_budget, budget, is_slow, .. } = progress;
        let warning =
            if is_slow { Warning::OverTime(over_budget) } else { Warning::OverBudget(over_budget, budget) };
        report.warnings.extend((over_budget > 0).then_some(warning));
        let earned: Points = report.cases.iter().map(|case| case.points).sum();
        let most: Points = report.cases.iter().map(|case| case.max_points).sum();
        (report.points, report.max_points) = match self.loaded.exercise.points {
            Some(scale) => (earned.scaled(most, scale), scale),
            None => (earned, most),
        };
    }
}

/// A case whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct CaseTurn<'a> {
    pub(super) case: &'a Case,
    /// Its place in the report.
    place: usize,
}

/// A case that has not had its turn.
struct WaitingCase<'a> {
    turn: CaseTurn<'a>,
    /// How many of its calls may have reached their limit of time or memory, as often as that happened.
    put_off: usize,
}

/// A report, and who hears of it after each case that it gets.
pub(super) type WatchedReport<'r> = (&'r mut SubmissionReport, &'r dyn Fn(&SubmissionReport));

/// How far a submission got through its cases, which are taken in the order in which they are run.
pub(super) struct CaseProgress<'a> {
    /// The cases that have not had their turn, in the order of the report.
    waiting: Vec<WaitingCase<'a>>,
    /// The cases that have had their turn before others that go before them in the report, by place. Those that do not
    /// count have no report.
    ahead: BTreeMap<usize, Option<CaseReport>>,
    /// The number of cases before the first one that is not yet in the report.
    placed: usize,
    failures: Failures<'a>,
    /// The time that was spent in each of its gradings.
    spent: Vec<Duration>,
    budget: Duration,
    /// Whether it hit a limit while loading.
    stopped: bool,
    /// The cases that were not run because the time was spent.
    over_budget: usize,
    /// Whether cases that did not reach a limit took of the time too: it was long before they were ready, or took too long in all.
    is_slow: bool,
}

impl<'a> CaseProgress<'a> {
    /// The case to take next: the first in the order of the report that needs none of the others; but those that are put off
    /// go last, the more the later, among the visible and among the hidden ones.
    pub(super) fn next(&mut self) -> Option<CaseTurn<'a>> {
        if self.waiting.iter().all(|waiting| waiting.put_off == 0) {
            return (!self.waiting.is_empty()).then(|| self.waiting.remove(0).turn);
        }
        let is_ready = |case: &Case| {
            case.needs.is_empty() || !self.waiting.iter().any(|other| case.needs(other.turn.case))
        };
        let ready = self.waiting.iter().enumerate().filter(|(_, waiting)| is_ready(waiting.turn.case));
        let next = ready.min_by_key(|(place, waiting)| (waiting.turn.case.hidden, waiting.put_off, *place));
        // The needs of an exercise lead nowhere round, so there is one.
        let place = next.map_or(0, |(place, _)| place);
        Some(self.waiting.remove(place).turn)
    }

    /// How a case stands, of which this is known.
    pub(super) fn standing(&self, case: &Case, known: Option<&KnownCase>) -> CaseStanding {
        let outcome = match known {
            Some(KnownCase::NotCounted) => return CaseStanding::NotCounted,
            Some(KnownCase::Graded(outcome)) => Some(outcome),
            None => None,
        };
        if outcome.is_some_and(|outcome| outcome.loading == LoadOutcome::Impossible) {
            return CaseStanding::Kept;
        }
        match self.failures.blocking(case) {
            Some(needed) => {
                CaseStanding::Blocked { needed, is_missing: outcome.is_none() && !self.is_over() }
            }
            None if self.is_over() => CaseStanding::Skipped,
            None if outcome.is_some_and(|outcome| !outcome.not_judged) => CaseStanding::Kept,
            None => CaseStanding::Missing,
        }
    }

    /// Whether nothing more is run: the submission hit a limit while loading, or its time is spent.
    fn is_over(&self) -> bool {
        self.stopped || self.spent.iter().any(|spent| *spent >= self.budget)
    }

    /// Takes note of the outcome of a case, which counts as not run if it needs `blocked_by`.
    fn note(&mut self, case: &'a Case, outcome: &CaseOutcome, blocked_by: Option<NeededCase>) {
        if outcome.loading == LoadOutcome::Impossible {
            return;
        }
        let gradings = outcome.spent.len().max(self.spent.len());
        // A case that was graded fewer times would have taken the time of its last one.
        self.spent.resize(gradings, self.spent.last().copied().unwrap_or_default());
        self.spent.iter_mut().enumerate().for_each(|(index, spent)| *spent += outcome.spent(index));
        self.stopped |= outcome.loading == LoadOutcome::Stopped;
        self.is_slow |= !outcome.not_judged
            && !outcome.verdict.is_an_end()
            && outcome.hung.is_empty()
            && !outcome.spent.is_empty();
        if outcome.verdict != Verdict::Passed || blocked_by.is_some() {
            self.failures.note(case, blocked_by);
        }
        for hung in &outcome.hung {
            self.waiting
                .iter_mut()
                .for_each(|waiting| waiting.put_off += usize::from(makes(&waiting.turn.case.plan, hung)));
        }
    }

    fn note_blocked(&mut self, case: &'a Case, outcome: Option<&CaseOutcome>, needed: NeededCase) {
        match outcome {
            Some(outcome) => self.note(case, outcome, Some(needed)),
            None => self.failures.note(case, Some(needed)),
        }
    }

    /// Adds the outcome of a case to a report.
    pub(super) fn take(
        &mut self,
        (report, watch): WatchedReport<'_>,
        turn: CaseTurn<'a>,
        outcome: &CaseOutcome,
    ) {
        let case = turn.case;
        self.note(case, outcome, None);
        if let LoadOutcome::Raised(raised) = &outcome.loading
            && report.warnings.iter().all(|warning| matches!(warning, Warning::Skipped(_)))
        {
            report.warnings.push(Warning::RaisedWhileLoading { raised: raised.clone(), hidden: case.hidden });
        }
        self.put((report, watch), turn, Some(outcome.report(case)));
    }

    /// Leaves a case out of a report: it does not count.
    pub(super) fn leave_out(&mut self, report: WatchedReport<'_>, turn: CaseTurn<'a>) {
        self.put(report, turn, None);
    }

    /// Adds a case to a report as soon as all before it are there.
    fn put(&mut self, (report, watch): WatchedReport<'_>, turn: CaseTurn<'a>, case: Option<CaseReport>) {
        self.ahead.insert(turn.place, case);
        while let Some(case) = self.ahead.remove(&self.placed) {
            self.placed += 1;
            if let Some(case) = case {
                report.cases.push(case);
                watch(report);
            }
        }
    }

    /// Adds a case to a report as not run because it needs one that failed. Its outcome counts for what is run after it.
    pub(super) fn block(
        &mut self,
        report: WatchedReport<'_>,
        turn: CaseTurn<'a>,
        (outcome, needed): (Option<&CaseOutcome>, NeededCase),
    ) {
        self.note_blocked(turn.case, outcome, needed.clone());
        self.put(report, turn, Some(not_run(turn.case, Some(needed))));
    }

    /// Adds a case to a report that is not run because of a limit while loading, or of the time that is spent.
    pub(super) fn skip(&mut self, report: WatchedReport<'_>, turn: CaseTurn<'a>) {
        self.over_budget += usize::from(!self.stopped);
        self.put(report, turn, Some(not_run(turn.case, None)));
    }
}

/// The part of an exercise that a report shows.
pub fn info(loaded: &Loaded) -> ExerciseInfo {
    let Exercise { name, title, lang, .. } = &loaded.exercise;
    let has_groups = loaded.cases.iter().any(|case| case.group.is_some());
    ExerciseInfo { name: name.clone(), title: title.clone(), lang: *lang, has_groups }
}

/// The outcomes of the cases that are not known, of a submission with a problem in its files.
pub(super) fn impossible(assembly: &CaseAssembly<'_>, known: &KnownCases, problem: &Mismatch) -> KnownCases {
    let (cases, others): (Vec<&Case>, Vec<&Case>) =
        assembly.cases().iter().copied().partition(|case| counts_for(case, None));
    let mut graded = not_counted(known, &others);
    for case in cases.into_iter().filter(|case| !known.contains_key(&case.name)) {
        graded.insert(case.name.clone(), KnownCase::Graded(CaseOutcome::impossible(problem)));
    }
    graded
}

/// Those of `cases` that are not known, as cases that do not count.
pub(super) fn not_counted(known: &KnownCases, cases: &[&Case]) -> KnownCases {
    let cases = cases.iter().filter(|case| !known.contains_key(&case.name));
    cases.map(|case| (case.name.clone(), KnownCase::NotCounted)).collect()
}

#[cfg(test)]
mod tests {
    use super::{CaseAssembly, CaseStanding};
    use crate::case::{CasePlace, Library, Loaded, StepNo};
    use crate::compare::{Mismatch, ValueMistake, Verdict};
    use crate::event::Finding;
    use crate::grade::{CaseOutcome, KnownCase, KnownCases, LoadOutcome, Settings};
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
            Mismatch::Value(ValueMistake::Unexpected),
            "",
        ))
    }

    /// How three cases stand of which this is known.
    #[track_caller]
    fn check(known: [Option<CaseOutcome>; 3], expected: &str) {
        let loaded = three();
        let settings = Settings { rulings: true, ..Settings::default() };
        let assembly = CaseAssembly::new(&loaded, &settings);
        let names = loaded.cases.iter().map(|case| case.name.clone());
        let known: KnownCases = names
            .zip(known)
            .filter_map(|(name, outcome)| Some((name, KnownCase::Graded(outcome?))))
            .collect();
        let short = |standing: CaseStanding| match standing {
            CaseStanding::Kept => "kept".to_owned(),
            CaseStanding::NotCounted => "not counted".to_owned(),
            CaseStanding::Blocked { is_missing: false, .. } => "blocked".to_owned(),
            CaseStanding::Blocked { is_missing: true, .. } => "blocked_and_missing".to_owned(),
            CaseStanding::Skipped => "skipped".to_owned(),
            CaseStanding::Missing => "missing".to_owned(),
        };
        let standing: Vec<String> =
            assembly.standing(&known).into_iter().map(|(_, standing)| short(standing)).collect();
        assert_eq!(standing.join(" "), expected);
        let mut report = crate::event::SubmissionReport::new("", "");
        let missing = assembly.complete(&mut report, &known);
        assert_eq!(missing, expected.matches("missing").count());
        assert_eq!(assembly.missing(&known).len(), missing);
        assert_eq!(report.cases.len(), 3);
        assert_eq!(report.points, report.cases.iter().map(|case| case.points).sum());
        let blocked = report.cases.iter().filter(|case| case.blocked_by.is_some());
        assert_eq!(blocked.count(), expected.matches("blocked").count());
    }

    #[test]
    fn a_case_is_missing_unless_it_follows_from_others() {
        let passed = || Some(CaseOutcome::passed());
        check([None, None, None], "missing missing missing");
        check([passed(), None, passed()], "kept missing kept");
        check([Some(failed()), None, None], "kept blocked_and_missing missing");
    }

    #[test]
    fn a_known_case_does_not_count_once_one_that_it_needs_fails() {
        let passed = || Some(CaseOutcome::passed());
        check([Some(failed()), passed(), passed()], "kept blocked kept");
    }

    #[test]
    fn a_case_that_was_not_judged_is_missing_once_what_it_needs_passes() {
        let not_judged = || Some(CaseOutcome::without_judgement(LoadOutcome::Loaded));
        check([Some(failed()), not_judged(), None], "kept blocked missing");
        check([Some(CaseOutcome::passed()), not_judged(), None], "kept missing missing");
    }

    #[test]
    fn a_blocked_case_takes_of_the_time_and_loads_as_any_other() {
        let long = CaseOutcome::without_judgement(LoadOutcome::Loaded).taking(Duration::from_secs(31));
        check([Some(failed()), Some(long), None], "kept blocked skipped");
        let stopped = CaseOutcome::without_judgement(LoadOutcome::Stopped);
        check([Some(failed()), Some(stopped), None], "kept blocked skipped");
    }

    #[test]
    fn after_a_limit_while_loading_or_the_time_of_the_submission_nothing_is_run() {
        let stopped = CaseOutcome { loading: LoadOutcome::Stopped, ..failed() };
        check([None, None, Some(stopped.clone())], "missing missing kept");
        let long = failed().taking(Duration::from_secs(31));
        check([Some(CaseOutcome::passed()), Some(long.clone()), Some(failed())], "kept kept skipped");
        // In one of two gradings there was time left, in the other there was not.
        let half = CaseOutcome { spent: vec![1, 31_000], ..failed() };
        check([Some(CaseOutcome::passed()), Some(half), None], "kept kept skipped");
        check([Some(CaseOutcome::passed()), Some(stopped), None], "kept kept skipped");
    }

    /// The names of cases in the order in which they are run, where this call hangs, and in that of the report.
    fn orders(loaded: &Loaded, hung: &str) -> (Vec<String>, Vec<String>) {
        let settings = Settings { rulings: true, ..Settings::default() };
        let assembly = CaseAssembly::new(loaded, &settings);
        let first = assembly.cases()[0].name.clone();
        let outcome = CaseOutcome { hung: vec![hung.to_owned()], ..failed() };
        let known = KnownCases::from([(first, KnownCase::Graded(outcome))]);
        let ran = assembly.standing(&known).iter().map(|(case, _)| case.name.clone()).collect();
        (ran, assembly.cases().iter().map(|case| case.name.clone()).collect())
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
        let impossible =
            || Some(CaseOutcome::impossible(&Mismatch::Submission(BuildProblem::TooSlow.into())));
        check([impossible(), impossible(), impossible()], "kept kept kept");
    }

    #[test]
    fn a_hint_and_the_line_are_those_of_the_case_as_it_is() {
        let mut loaded = three();
        let case = &mut loaded.cases[0];
        let hint = Arc::new(crate::messages::LocalText::Plain("Look".to_owned()));
        case.hint = Some(hint);
        let finding = Finding {
            step: Some(StepNo::FIRST),
            ..Finding::before_the_first_step(
                Verdict::WrongValue,
                Mismatch::Value(ValueMistake::Unexpected),
                "",
            )
        };
        let outcome = CaseOutcome { hint_fits: true, ..CaseOutcome::failed(finding) };
        let report = outcome.report(case);
        assert!(report.hint.is_some());
        let CasePlace { path, line } = report.finding.unwrap().place;
        assert!(path == case.path && line > 1, "{path}:{line}");
        assert!(CaseOutcome { hint_fits: false, ..outcome }.report(case).hint.is_none());
    }
}
