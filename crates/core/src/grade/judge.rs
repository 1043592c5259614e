//! Judges a case: turns the transcript of its replay into its outcome.

use super::checker::AskCheck;
use super::error::GradeError;
use super::findings::Findings;
use super::following::{Following, Here, asked};
use super::outcome::{CaseOutcome, LoadOutcome};
use super::partial::Shares;
use super::umpire::{LostMatch, Umpire};
use crate::adapter::{Dialect, Halt, Load, Names, Transcript};
use crate::case::{Case, Exercise, Naming, StepNo};
use crate::compare::{self, StepResult, Verdict};
use crate::event::{Consequence, Finding};
use crate::submission::Found;

/// Turns the transcript of a case into its outcome.
pub struct Judge<'a> {
    /// The exercise.
    pub exercise: &'a Exercise,
    /// How the language of the submission writes values.
    pub dialect: &'a Dialect,
    /// The submission's files; none for a reference.
    pub found: Option<&'a Found>,
    /// The checks of the exercise.
    pub checker: Option<&'a dyn AskCheck>,
}

impl Judge<'_> {
    /// The outcome of a case; `following` is the reference alongside it, if needed, and `umpire` that of its matches.
    ///
    /// # Errors
    /// A check of the exercise does not answer.
    pub fn case(
        &self,
        case: &Case,
        transcript: &Transcript,
        mut following: Option<&mut Following>,
        umpire: Option<&Umpire<'_>>,
    ) -> Result<CaseOutcome, GradeError> {
        let loading = self.loading(case, &transcript.load);
        if let Some(finding) = self.load_failure(case, &transcript.load) {
            return Ok(CaseOutcome { loading, ..CaseOutcome::failed(finding) });
        }
        let mut outcome = CaseOutcome { loading, ..CaseOutcome::passed() };
        let mut refused = false;
        let mut shares = Shares::of(case);
        for (index, (step, expect)) in case.plan.steps.iter().zip(&case.expect).enumerate() {
            let seen = transcript.steps.get(index);
            let ended = umpire.and_then(|umpire| umpire.ended(index));
            let result = match () {
                () if step.game().is_some() => match_result(ended),
                // A reference has no programs.
                () if step.program().is_some() && self.found.is_none() => StepResult::Passed,
                () if refused => StepResult::NotRun,
                () => match seen {
                    None => StepResult::NotRun,
                    Some(seen) => {
                        let here = Here::at((case, index), following.as_deref_mut(), self.checker);
                        let result = compare::step(step, expect, seen, self.dialect, &here);
                        let accepted = here.into_accepted();
                        if let Some(following) = following.as_deref_mut() {
                            following.accept(step, accepted);
                        }
                        result
                    }
                },
            };
            if let Some(error) = self.checker.and_then(AskCheck::take_failed) {
                return Err(error);
            }
            // The reference cannot continue from an answer that it does not accept.
            refused |= asked(expect).is_some() && result != StepResult::Passed;
            shares.note(result.share());
            match (result, &outcome.finding) {
                (StepResult::Passed, _) => {}
                (StepResult::Failed(failure), None) => {
                    outcome.hint_fits = failure.may_be_of_the_case();
                    let lost = ended.and_then(Option::as_ref).map(|lost| lost.lines.as_slice());
                    let finding = self.findings(case).finding(index, *failure, &transcript.steps, lost);
                    outcome.finding = Some(Box::new(finding));
                }
                (StepResult::Failed(failure), Some(_)) => {
                    outcome
                        .consequences
                        .push(Consequence { step: StepNo::at(index), verdict: failure.verdict });
                }
                (StepResult::NotRun, _) => {
                    outcome
                        .consequences
                        .push(Consequence { step: StepNo::at(index), verdict: Verdict::NotRun });
                }
            }
        }
        outcome.verdict = match &outcome.finding {
            Some(finding) => finding.verdict,
            None if outcome.consequences.is_empty() => Verdict::Passed,
            None => Verdict::NotRun,
        };
        outcome.held = shares.held();
        Ok(outcome)
    }

    /// What loading the submission for a case says about its other cases.
    pub(super) fn loading(&self, case: &Case, load: &Load) -> LoadOutcome {
        match (&load.halt, &load.raised) {
            (Some(Halt::Stopped(_)), _) => LoadOutcome::Stopped,
            (None, Some(raised))
                if self.found.is_some()
                    && self.defines_all(load)
                    && self.load_failure(case, load).is_none() =>
            {
                LoadOutcome::Raised(self.findings(case).exception(raised))
            }
            (Some(Halt::NotReady(_) | Halt::Protocol(_)) | None, _) => LoadOutcome::Loaded,
        }
    }

    fn findings<'c>(&'c self, case: &'c Case) -> Findings<'c> {
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        Findings { case, naming, dialect: self.dialect, found: self.found, exercise: self.exercise }
    }

    /// Whether everything that the exercise requires was loaded.
    fn defines_all(&self, load: &Load) -> bool {
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        self.exercise.definitions().all(|name| load.defined.contains(&naming.spell(name)))
    }

    /// Why a case cannot be replayed on the loaded submission, if so.
    pub(crate) fn load_failure(&self, case: &Case, load: &Load) -> Option<Finding> {
        let findings = self.findings(case);
        if let Some(halt) = &load.halt {
            return Some(findings.halted_load(halt));
        }
        // A reference has nothing to load.
        self.found?;
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        let lacks = |name: &&str| !load.defined.contains(&naming.spell(name));
        let missing = case.plan.definitions().into_iter().find(lacks);
        match (&load.raised, missing) {
            (Some(raised), Some(_)) => Some(findings.raised_load(raised)),
            (Some(raised), None) if self.exercise.strict_load => Some(findings.raised_load(raised)),
            (None, Some(name)) => {
                let spelled = naming.spell(name);
                let Names { all, classes, functions } = &load.names;
                let is_class = self.exercise.classes.contains_key(name);
                let alike = if is_class { classes } else { functions }.as_ref().unwrap_or(all);
                let near = crate::case::near(&spelled, alike.iter().map(String::as_str)).map(str::to_owned);
                Some(findings.undefined(spelled, near))
            }
            (Some(_) | None, None) => None,
        }
    }
}

/// The result of a match, as far as it was played.
fn match_result(ended: Option<&Option<LostMatch>>) -> StepResult {
    match ended {
        Some(Some(lost)) => StepResult::Failed(Box::new(lost.failure.clone())),
        Some(None) => StepResult::Passed,
        None => StepResult::NotRun,
    }
}
