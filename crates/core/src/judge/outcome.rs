//! The outcome of a case as data, without words: what is kept of it, and what its report is made of.
//!
//! An outcome holds nothing that may change without the case being run again: no title, hint, or points.

use super::partial::EarnedShares;
use crate::case::Case;
use crate::compare::{Mistake, Verdict};
use crate::event::{CaseReport, Consequence, ExceptionReport, Finding, Place, Trial};
use crate::languages::CompileError;
use crate::submission::{BuildProblem, SubmissionProblem};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;
use std::time::Duration;

/// The known outcomes of a submission's cases, by their names.
pub type KnownCases = BTreeMap<String, KnownCase>;

/// The known outcome of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownCase {
    /// The case was run.
    Graded(CaseOutcome),
    /// The case does not count for this submission: it is about a program that the submission does not have,
    /// or has no code for its language.
    NotCounted,
}

impl KnownCase {
    /// The outcome, if the case counts.
    pub(crate) fn outcome(&self) -> Option<&CaseOutcome> {
        match self {
            KnownCase::Graded(outcome) => Some(outcome),
            KnownCase::NotCounted => None,
        }
    }

    /// Whether every answer of the case was compared, or none needs to be.
    pub fn is_judged(&self) -> bool {
        self.outcome().is_none_or(|outcome| !outcome.not_judged)
    }

    /// The quick pass that it passed in, if it was not replayed strictly.
    pub fn quick_pass(&self) -> Option<QuickPass> {
        self.outcome().and_then(|outcome| outcome.quick)
    }
}

/// The outcome of a case that was run.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CaseOutcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether its answers could not be judged: it needs a case that failed, and a check cannot be used on
    /// what that leaves. Then it has no verdict yet, but what it took counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_judged: bool,
    /// The quick pass that it passed in; `None` if it was replayed strictly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick: Option<QuickPass>,
    /// The part of its points that it earns.
    #[serde(rename = "held", default, skip_serializing_if = "EarnedShares::is_all")]
    pub earned: EarnedShares,
    /// The first step that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<Box<Finding>>,
    /// Whether the finding may be the mistake that the case is about, so that its hint helps.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hint_fits: bool,
    /// Later steps that failed, or were not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consequences: Vec<Consequence>,
    /// All of its gradings, if the verdicts differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
    /// The effect that loading the submission for this case has on other cases.
    #[serde(default, skip_serializing_if = "LoadOutcome::is_loaded")]
    pub loading: LoadOutcome,
    /// The time that it takes of the time of its submission.
    #[serde(default, skip_serializing_if = "SpentEachTime::is_none")]
    pub spent: SpentEachTime,
    /// The calls of the line that reached a limit of time or memory in it, in each grading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hung: Vec<String>,
}

/// The identity of a quick pass: a hash of its cases. Verdicts with the same one were reached together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct QuickPass(NonZeroU64);

impl QuickPass {
    /// The quick pass of these cases.
    pub(crate) fn of(cases: &[&Case]) -> QuickPass {
        // A class compares those of one build of keur alone, which hash alike.
        let mut hasher = DefaultHasher::new();
        cases.iter().for_each(|case| (&case.name, &case.source).hash(&mut hasher));
        QuickPass(NonZeroU64::new(hasher.finish()).unwrap_or(NonZeroU64::MIN))
    }
}

/// The time that a case takes of the time of its submission, in each of its gradings.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct SpentEachTime(
    /// Milliseconds; empty if the case takes no time in any grading.
    Vec<u64>,
);

impl SpentEachTime {
    /// The times of the gradings, in their order.
    pub(crate) fn new(times: impl IntoIterator<Item = Duration>) -> SpentEachTime {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let each: Vec<u64> = times.into_iter().map(milliseconds).collect();
        SpentEachTime(if each.iter().all(|spent| *spent == 0) { Vec::new() } else { each })
    }

    /// Whether the case takes no time.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of gradings whose time is known.
    pub fn gradings(&self) -> usize {
        self.0.len()
    }

    /// The time in the grading with this zero-based index. One that did not take place would have taken the
    /// time of the last one.
    pub(crate) fn of(&self, grading: usize) -> Duration {
        Duration::from_millis(self.0.get(grading).or(self.0.last()).copied().unwrap_or_default())
    }

    /// The longest time in a grading.
    pub fn longest(&self) -> Duration {
        Duration::from_millis(self.0.iter().copied().max().unwrap_or_default())
    }
}

/// The effects that loading a submission for one case has on its other cases.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum LoadOutcome {
    /// No effect: the submission was loaded, or failed in a way that this case alone shows.
    #[default]
    Loaded,
    /// Loading raised this exception, after everything required was defined.
    Raised(ExceptionReport),
    /// Loading printed this.
    Printed(String),
    /// Loading hit a limit, and would hit it again for every other case.
    Stopped,
    /// There is nothing to load: its files have a problem, or it does not compile, or never gets ready.
    Impossible,
}

impl CaseOutcome {
    /// A case that passed strictly, and nothing else.
    pub fn passed() -> CaseOutcome {
        CaseOutcome {
            verdict: Verdict::Passed,
            not_judged: false,
            quick: None,
            earned: EarnedShares::default(),
            finding: None,
            hint_fits: false,
            consequences: Vec::new(),
            trials: Vec::new(),
            loading: LoadOutcome::Loaded,
            spent: SpentEachTime::default(),
            hung: Vec::new(),
        }
    }

    /// A case that was run, but whose answers were not judged: see [`CaseOutcome::not_judged`].
    pub(crate) fn without_judgement(loading: LoadOutcome) -> CaseOutcome {
        CaseOutcome {
            verdict: Verdict::NotRun,
            not_judged: true,
            earned: EarnedShares::none(),
            loading,
            ..CaseOutcome::passed()
        }
    }

    /// A case that passed in this quick pass.
    pub(crate) fn passed_in(quick: QuickPass) -> CaseOutcome {
        CaseOutcome { quick: Some(quick), ..CaseOutcome::passed() }
    }

    /// A case of which nothing holds.
    pub(crate) fn failed(finding: Finding) -> CaseOutcome {
        CaseOutcome {
            verdict: finding.verdict,
            earned: EarnedShares::none(),
            finding: Some(Box::new(finding)),
            ..CaseOutcome::passed()
        }
    }

    /// A case of a submission with this problem in its files.
    pub(crate) fn impossible(problem: &Mistake) -> CaseOutcome {
        let exception =
            if let Mistake::Submission(SubmissionProblem::Build(BuildProblem::Errors(errors))) = problem {
                Some(compile_errors(errors))
            } else {
                None
            };
        let finding = Finding::before_the_first_step(Verdict::LoadError, problem.clone());
        let loading = LoadOutcome::Impossible;
        CaseOutcome { loading, ..CaseOutcome::failed(Finding { exception, ..finding }) }
    }

    /// The outcome, which takes this of the time of its submission.
    pub(crate) fn taking(self, spent: Duration) -> CaseOutcome {
        CaseOutcome { spent: SpentEachTime::new([spent]), ..self }
    }

    /// Whether it takes time although the case reached no limit: it is long before the submission is ready,
    /// or all its cases together take too long.
    pub(crate) fn is_slow(&self) -> bool {
        !self.spent.is_none() && !self.not_judged && !self.verdict.is_an_end() && self.hung.is_empty()
    }

    /// The share of the points of `case` that it earns, from 0 to 1.
    pub fn share(&self, case: &Case) -> f64 {
        let most = case.points.hundredths();
        if self.verdict == Verdict::Passed || most == 0 {
            return f64::from(u8::from(self.verdict == Verdict::Passed));
        }
        self.earned.points(case).hundredths() as f64 / most as f64
    }

    /// The report of the case, with the title, the hint and the points of `case`.
    pub fn report(&self, case: &Case) -> CaseReport {
        let hint = match self.finding.as_deref() {
            Some(Finding { step: Some(step), verdict, got, .. }) => {
                // In a hidden case, the lack of a hint would tell students the kind of failure.
                let hint = case.hint_for(*step, (*verdict).into(), got.as_deref()).filter(|_| self.hint_fits);
                hint.or_else(|| case.hint.as_ref().filter(|_| case.hidden))
            }
            Some(_) => case.hint.as_ref().filter(|_| case.hidden),
            None => case.hint.as_ref(),
        };
        let finding = self
            .finding
            .as_deref()
            .map(|finding| Box::new(Finding { place: case.place(finding.step), ..finding.clone() }));
        CaseReport {
            hint: hint.cloned(),
            points: self.earned.points(case),
            verdict: self.verdict,
            finding,
            consequences: self.consequences.clone(),
            trials: self.trials.clone(),
            ..report_not_run(case)
        }
    }
}

impl LoadOutcome {
    fn is_loaded(&self) -> bool {
        *self == LoadOutcome::Loaded
    }
}

/// The report of a case that was not run.
pub(crate) fn report_not_run(case: &Case) -> CaseReport {
    CaseReport {
        tags: case.tags.clone(),
        hidden: case.hidden,
        hint: case.hint.clone(),
        group: case.group.clone(),
        seen_at_load: !case.plan.only_calls(),
        ..CaseReport::not_run(&case.name, case.title.clone(), case.points)
    }
}

/// The report of a case for a submission with this problem in its files.
pub fn unloaded(case: &Case, problem: &Mistake) -> CaseReport {
    CaseOutcome::impossible(problem).report(case)
}

/// A compiler error, in the form of an exception in a report.
fn compile_errors(errors: &[CompileError]) -> ExceptionReport {
    let text: Vec<&str> = errors.iter().map(|error| error.text.trim_end()).collect();
    let places = errors.iter().filter_map(|error| error.place.clone());
    let places =
        places.map(|(file, line, source)| Place { file, cell: None, line, function: String::new(), source });
    ExceptionReport { text: text.join("\n\n"), places: places.take(1).collect() }
}

#[cfg(test)]
mod tests {
    use super::QuickPass;
    use crate::case::{Case, Library};

    #[test]
    fn a_quick_pass_of_other_cases_is_another_one() {
        let loaded = Library::BuiltIn.load("codenames").unwrap();
        let cases: Vec<&Case> = loaded.cases.iter().take(3).collect();
        assert_eq!(QuickPass::of(&cases), QuickPass::of(&cases.clone()));
        assert_ne!(QuickPass::of(&cases), QuickPass::of(&cases[..2]));
        assert_ne!(QuickPass::of(&cases[1..]), QuickPass::of(&cases[..2]));
    }
}
