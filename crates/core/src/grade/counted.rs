//! The cases of an exercise that count with some settings, and the report of what is known of them.

use super::order::{counted_cases, counts_for, in_report_order};
use super::standing::{CaseStanding, CaseWalk, SettledCase};
use crate::case::{Case, Exercise, LimitsPatch, Loaded, Points};
use crate::compare::Mistake;
use crate::event::{CaseReport, ExerciseInfo, SubmissionReport, Warning};
use crate::judge::{
    CaseOutcome, Isolation, KnownCase, KnownCases, LoadOutcome, Settings, budget, limits, overall,
};
use crate::sandbox::Limits;
use crate::submission::Found;
use std::collections::BTreeSet;
use std::time::Duration;

/// The cases that every submission of a run is graded with: those of an exercise that count with the run's
/// settings, in the order in which they are reported.
///
/// How each case of a submission stands, which are missing, and the report of the submission follow from this
/// and from the outcomes that are known of it.
#[derive(Clone, Debug)]
pub struct CountedCases<'a> {
    loaded: &'a Loaded,
    cases: Vec<&'a Case>,
    limits: LimitsPatch,
    pub(super) isolation: Isolation,
}

/// The reports of a submission's cases, and the points and warnings that follow from them.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseReports {
    /// The report of each case, in order. Those that are missing are not run.
    pub cases: Vec<CaseReport>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// The grade.
    pub points: Points,
    /// The highest possible grade.
    pub max_points: Points,
    /// The number of cases that are missing.
    pub missing: usize,
    /// Whether the submission ever ran.
    pub ran: bool,
}

impl CaseReports {
    /// Writes the cases, points and warnings into `report`, which has no runtime if the submission never ran.
    pub fn write_to(self, report: &mut SubmissionReport) {
        report.cases = self.cases;
        report.warnings.extend(self.warnings);
        report.points = self.points;
        report.max_points = self.max_points;
        if !self.ran {
            report.runtime = None;
        }
    }
}

impl<'a> CountedCases<'a> {
    /// For the cases of `loaded` that count with these settings.
    pub fn new(loaded: &'a Loaded, settings: &Settings) -> CountedCases<'a> {
        let cases = in_report_order(counted_cases(loaded, settings));
        CountedCases { loaded, cases, limits: settings.limits.clone(), isolation: settings.isolation }
    }

    /// The same cases, which have no quick form.
    pub(super) fn without_quick_form(&self) -> CountedCases<'a> {
        CountedCases { isolation: Isolation::Case, ..self.clone() }
    }

    /// The cases that count, in the order of reports: see [`counted_cases`], and hidden ones last. A program that
    /// answers several cases may remember earlier ones, and must not reveal a hidden case in a visible one.
    ///
    /// They are run in this order, but once a call has reached its limit of time or memory, the cases that
    /// make it go last: among the visible ones, and among the hidden ones.
    pub fn cases(&self) -> &[&'a Case] {
        &self.cases
    }

    pub(super) fn exercise(&self) -> &'a Exercise {
        &self.loaded.exercise
    }

    /// The limits above those of the exercise and its cases.
    pub(super) fn given_limits(&self) -> &LimitsPatch {
        &self.limits
    }

    /// The limits of a case.
    pub(super) fn limits(&self, case: &Case) -> Limits {
        limits(&self.limits, case, self.exercise())
    }

    /// The total time for the cases of a submission that reach a limit.
    pub(super) fn budget(&self) -> Duration {
        budget(&self.limits, self.exercise())
    }

    /// The total time for all cases of a submission.
    pub(super) fn overall(&self) -> Duration {
        overall(&self.cases, &self.limits, self.exercise())
    }

    /// The cases that count for a submission of which this is known.
    pub(super) fn of_submission(&self, known: &KnownCases) -> impl Iterator<Item = &'a Case> {
        let counts = |case: &&Case| known.get(&case.name) != Some(&KnownCase::NotCounted);
        self.cases.iter().copied().filter(counts)
    }

    /// A walk through the cases that count for a submission of which this is known.
    pub(super) fn walk(&self, known: &KnownCases) -> CaseWalk<'a> {
        CaseWalk::new(self.of_submission(known), self.budget())
    }

    /// How each case stands that counts for a submission of which this is known, in the order in which they
    /// are run.
    pub(super) fn standings<'k>(&self, known: &'k KnownCases) -> Vec<SettledCase<'a, 'k>> {
        let mut walk = self.walk(known);
        let mut settled = Vec::with_capacity(self.cases.len());
        while let Some(turn) = walk.next_turn() {
            settled.push(turn.settle(known));
        }
        settled
    }

    /// The cases that are not known and would be run, in the order in which they are run.
    pub fn missing(&self, known: &KnownCases) -> Vec<&'a Case> {
        let missing = self.standings(known).into_iter().filter(|settled| settled.standing.is_missing());
        missing.map(|settled| settled.case).collect()
    }

    /// The number of cases that a grading added, of which nothing was known `before`, and that are reported
    /// as run.
    pub(super) fn number_of_new(&self, before: &KnownCases, added: &KnownCases) -> usize {
        let mut known = before.clone();
        known.extend(added.clone());
        let standings = self.standings(&known);
        let not_run: BTreeSet<&str> = standings
            .iter()
            .filter(|settled| !matches!(settled.standing, CaseStanding::Graded(_)))
            .map(|settled| settled.case.name.as_str())
            .collect();
        let is_new = |name: &&String| !before.contains_key(*name) && !not_run.contains(name.as_str());
        added.keys().filter(is_new).count()
    }

    /// The reports of a submission whose cases have these known outcomes.
    pub fn report(&self, known: &KnownCases) -> CaseReports {
        let mut standings = self.standings(known);
        let warnings = self.warnings(&standings);
        standings.sort_by_key(|settled| settled.place);
        let cases: Vec<CaseReport> = standings.iter().map(SettledCase::report).collect();
        let earned: Points = cases.iter().map(|case| case.points).sum();
        let most: Points = cases.iter().map(|case| case.max_points).sum();
        let scale = self.exercise().points;
        CaseReports {
            cases,
            warnings,
            points: scale.map_or(earned, |scale| earned.scaled(most, scale)),
            max_points: scale.unwrap_or(most),
            missing: standings.iter().filter(|settled| settled.standing.is_missing()).count(),
            ran: standings.iter().any(|settled| {
                matches!(settled.standing, CaseStanding::Graded(outcome) if outcome.loading != LoadOutcome::Impossible)
            }),
        }
    }

    /// The warnings about cases that stand like this, in the order in which they are run.
    fn warnings(&self, standings: &[SettledCase<'_, '_>]) -> Vec<Warning> {
        let raised = standings.iter().find_map(|settled| match settled.standing {
            CaseStanding::Graded(CaseOutcome { loading: LoadOutcome::Raised(raised), .. }) => {
                Some(Warning::RaisedWhileLoading { raised: raised.clone(), hidden: settled.case.hidden })
            }
            _ => None,
        });
        let printed = standings.iter().find_map(|settled| match settled.standing {
            CaseStanding::Graded(CaseOutcome { loading: LoadOutcome::Printed(text), .. }) => {
                Some(Warning::PrintedWhileLoading { text: text.clone(), hidden: settled.case.hidden })
            }
            _ => None,
        });
        let skipped = standings.iter().filter(|settled| settled.standing == CaseStanding::OutOfTime).count();
        let mut outcomes = standings.iter().filter_map(|settled| settled.standing.outcome());
        let is_slow = outcomes.any(CaseOutcome::is_slow);
        let over = match skipped {
            0 => None,
            _ if is_slow => Some(Warning::OverTime(skipped)),
            _ => Some(Warning::OverBudget { cases: skipped, time: self.budget() }),
        };
        raised.into_iter().chain(printed).chain(over).collect()
    }

    /// The cases that do not count for a submission with these files, of those that are not known.
    pub(super) fn not_counted(&self, found: &Found, known: &KnownCases) -> KnownCases {
        let others = self.unknown(known).filter(|case| !counts_for(case, Some(found)));
        others.map(|case| (case.name.clone(), KnownCase::NotCounted)).collect()
    }

    /// The outcomes of the cases that are not known, of a submission with a problem in its files.
    pub(super) fn impossible(&self, problem: &Mistake, known: &KnownCases) -> KnownCases {
        let outcome = |case: &Case| {
            if counts_for(case, None) {
                KnownCase::Graded(CaseOutcome::impossible(problem))
            } else {
                KnownCase::NotCounted
            }
        };
        self.unknown(known).map(|case| (case.name.clone(), outcome(case))).collect()
    }

    fn unknown(&self, known: &KnownCases) -> impl Iterator<Item = &'a Case> {
        self.cases.iter().copied().filter(|case| !known.contains_key(&case.name))
    }
}

/// The part of an exercise that a report shows.
pub fn info(loaded: &Loaded) -> ExerciseInfo {
    let has_groups = loaded.cases.iter().any(|case| case.group.is_some());
    ExerciseInfo { has_groups, ..info_without_cases(&loaded.exercise) }
}

/// The heading of reports of an exercise whose cases cannot be used.
pub fn info_without_cases(exercise: &Exercise) -> ExerciseInfo {
    let Exercise { name, title, lang, .. } = exercise;
    ExerciseInfo { name: name.clone(), title: title.clone(), lang: *lang, has_groups: false }
}
