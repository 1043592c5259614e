//! Judges a case: turns the transcript of its replay into its outcome.

use super::answers::ReferenceAnswers;
use super::checker::Checker;
use super::error::GradeError;
use super::findings::{Findings, MOST_PRINTED};
use super::following::{Following, StepAnswers, oracle_question};
use super::outcome::{CaseOutcome, LoadOutcome};
use super::partial::Shares;
use super::umpire::{LostMatch, Umpire};
use crate::adapter::{Dialect, Halt, Load, Names, StepTranscript, Transcript};
use crate::case::{Action, Case, CaseStep, Exercise, StepNo};
use crate::compare::{self, Mistake, StepResult, TextMistake, Verdict, without_addresses};
use crate::event::{Consequence, Finding};
use crate::languages;
use crate::messages::shortened;
use crate::submission::Found;
use std::sync::Arc;

/// Turns the transcript of a case into its outcome.
pub struct Judge<'a> {
    /// The exercise.
    pub exercise: &'a Exercise,
    /// The dialect of the submission's language.
    pub dialect: &'a Dialect,
    /// The submission's files; none for a reference.
    pub found: Option<&'a Found>,
    /// The answers of the exercise's own reference, if it has one.
    pub answers: Option<&'a Arc<ReferenceAnswers>>,
}

impl Judge<'_> {
    /// The outcome of a case; `umpire` judged its matches, and `checker` runs the checks of the exercise.
    ///
    /// # Errors
    /// The reference or a check of the exercise cannot be asked.
    pub fn outcome(
        &self,
        case: &Case,
        transcript: &Transcript,
        umpire: Option<&Umpire<'_>>,
        mut checker: Option<&mut Checker<'_>>,
    ) -> Result<CaseOutcome, GradeError> {
        let loading = self.loading(case, &transcript.load);
        if let Some(finding) = self.load_failure(case, &transcript.load) {
            return Ok(CaseOutcome { loading, ..CaseOutcome::failed(finding) });
        }
        let mut following = Following::new(self.exercise, case, self.answers)?;
        let mut outcome = CaseOutcome { loading, ..CaseOutcome::passed() };
        let mut shares = Shares::of(case);
        let mut is_refused = false;
        for step in case.steps() {
            let played = umpire.and_then(|umpire| umpire.result_of(step.number));
            let result = match &step.plan.action {
                Action::Match(_) => match_result(played),
                // A reference has no programs.
                Action::Program(_) if self.is_reference() => StepResult::Passed,
                // The reference cannot continue from an answer that it does not accept.
                _ if is_refused => StepResult::NotRun,
                _ => match transcript.steps.get(step.number.index()) {
                    Some(seen) => {
                        let mut answers =
                            StepAnswers::at(case, step, following.as_mut(), checker.as_deref_mut());
                        self.compared(step, &transcript.load, seen, &mut answers)?
                    }
                    None => StepResult::NotRun,
                },
            };
            is_refused |= oracle_question(step.expect).is_some() && result != StepResult::Passed;
            shares.note(step.number, result.share());
            match result {
                StepResult::Passed => {}
                StepResult::Failed(failure) if outcome.finding.is_none() => {
                    outcome.hint_fits = failure.may_be_of_the_case();
                    let game = played.and_then(|played| played.as_ref().err());
                    let game = game.map(|lost| lost.lines.as_slice());
                    let finding = self.findings(case).finding(step, *failure, &transcript.steps, game);
                    outcome.finding = Some(Box::new(finding));
                }
                StepResult::Failed(failure) => {
                    outcome.consequences.push(Consequence { step: step.number, verdict: failure.verdict });
                }
                StepResult::NotRun => {
                    outcome.consequences.push(Consequence { step: step.number, verdict: Verdict::NotRun });
                }
            }
        }
        outcome.verdict = match &outcome.finding {
            Some(finding) => finding.verdict,
            None if outcome.consequences.is_empty() => Verdict::Passed,
            None => Verdict::NotRun,
        };
        outcome.earned = shares.earned();
        Ok(outcome)
    }

    /// Compares a step with what is expected of it. If the exercise says so, output while the submission was
    /// loaded is output of the first step.
    fn compared(
        &self,
        step: CaseStep<'_>,
        load: &Load,
        seen: &StepTranscript,
        answers: &mut StepAnswers<'_, '_>,
    ) -> Result<StepResult, GradeError> {
        let mut compare =
            |seen: &StepTranscript| compare::step(step.plan, step.expect, seen, self.dialect, answers);
        let loading = self.output_while_loading(load);
        let has_loading = self.exercise.loading_is_output && step.number == StepNo::at(0);
        if !has_loading || loading.is_empty() {
            return compare(seen);
        }
        let mut result = compare(&seen.with_output_before(loading))?;
        if let StepResult::Failed(failure) = &mut result
            && failure.verdict == Verdict::WrongOutput
            && compare(seen)? == StepResult::Passed
        {
            failure.mistake = Mistake::Text(TextMistake::WhileLoading);
        }
        Ok(result)
    }

    /// The effect that loading the submission for a case has on its other cases.
    pub(crate) fn loading(&self, case: &Case, load: &Load) -> LoadOutcome {
        match (&load.halt, &load.raised) {
            (Some(Halt::Stopped(_)), _) => LoadOutcome::Stopped,
            (None, Some(raised))
                if !self.is_reference()
                    && self.defines_all(load)
                    && self.load_failure(case, load).is_none() =>
            {
                LoadOutcome::Raised(self.findings(case).exception(raised))
            }
            (None, None)
                if !self.exercise.loading_is_output
                    && !self.output_while_loading(load).trim_ascii().is_empty() =>
            {
                let text = without_addresses(&String::from_utf8_lossy(&load.output));
                LoadOutcome::Printed(shortened(&text, MOST_PRINTED).into_owned())
            }
            (Some(Halt::NotReady(_) | Halt::Protocol(_)) | None, _) => LoadOutcome::Loaded,
        }
    }

    /// The output of the submission while it was loaded, where that is a mistake.
    fn output_while_loading<'l>(&self, load: &'l Load) -> &'l [u8] {
        if self.is_reference() || self.is_notebook() { &[] } else { &load.output }
    }

    /// Whether a file of the submission is a notebook, whose cells print as a matter of course.
    fn is_notebook(&self) -> bool {
        let files = self.found.map(|found| found.bundle.files.as_slice()).unwrap_or_default();
        files.iter().any(|file| languages::notebooks(&file.name).is_some())
    }

    /// Whether it judges a reference, not a submission.
    fn is_reference(&self) -> bool {
        self.found.is_none()
    }

    fn findings<'c>(&'c self, case: &'c Case) -> Findings<'c> {
        let naming = self.dialect.naming(self.exercise);
        Findings { case, naming, dialect: self.dialect, found: self.found, exercise: self.exercise }
    }

    /// Whether everything that the exercise requires was loaded.
    fn defines_all(&self, load: &Load) -> bool {
        let naming = self.dialect.naming(self.exercise);
        self.exercise.definitions().all(|name| load.defined.contains(&naming.spell(name)))
    }

    /// The finding on a case that cannot be replayed on the loaded submission.
    pub(crate) fn load_failure(&self, case: &Case, load: &Load) -> Option<Finding> {
        let findings = self.findings(case);
        if let Some(halt) = &load.halt {
            return Some(findings.halted_load(halt));
        }
        // A reference has nothing to load.
        if self.is_reference() {
            return None;
        }
        let naming = self.dialect.naming(self.exercise);
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

/// The result of a match, which is not over if the submission ended before.
fn match_result(played: Option<&Result<(), LostMatch>>) -> StepResult {
    match played {
        Some(Ok(())) => StepResult::Passed,
        Some(Err(lost)) => StepResult::Failed(lost.failure.clone()),
        None => StepResult::NotRun,
    }
}
