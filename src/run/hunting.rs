//! Hunts in a run: for one submission, or after the cases of each.

use super::own::opened;
use super::{GradeRequest, OwnReference, Run, samples};
use crate::hunt::{HuntEnd, Hunted, Hunter, NoSessions, Quest, free_name};
use keur_core::adapter::{Launcher, Subprocess};
use keur_core::case::{
    Case, Exercise, ExerciseReference, LimitsPatch, Loaded, Points, RandomSessions, SeededCase,
};
use keur_core::compare::Verdict;
use keur_core::event::{CaseReport, ExerciseError, RunError, SubmissionReport};
use keur_core::grade::{Grader, Worker, info};
use keur_core::hunt::{Glimpse, Patience, SessionMaker, Trials};
use keur_core::judge::{GradeError, Settings, source_of};
use keur_core::sessions::Answerer;
use keur_core::submission::Submission;
use std::cell::{Cell, LazyCell};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time that the sessions of one program may take when seeds are picked.
const NOTICING: Duration = Duration::from_secs(60);

/// The processor time of a case in which it would end soon.
const SOON: Duration = Duration::from_millis(200);

impl Run {
    /// Hunts the submission at `path`, which reports call `name`. The report has a case if there is a
    /// counterexample, if the submission fails a case though no session differs, or if it cannot be loaded.
    ///
    /// # Errors
    /// There is no submission, its exercise cannot be determined or has no random sessions, or it cannot be
    /// built.
    pub fn hunt(
        &self,
        path: &Path,
        name: &str,
        quest: &Quest,
    ) -> Result<(SubmissionReport, Hunted), RunError> {
        let (exercise, submission) = self.submission(path, None)?;
        let mut hunted =
            self.hunt_submission(&mut self.launcher(), exercise, &submission, quest, &free_name(&[]))?;
        // What may never answer in a session may never answer in the cases either.
        if let HuntEnd::NoDifference | HuntEnd::OutOfTime = hunted.end
            && let Some(case) = self.failed_case(exercise, &submission)?
        {
            hunted.end = HuntEnd::CaseFailed(Box::new(case));
        }
        let cases = match &hunted.end {
            HuntEnd::NoDifference | HuntEnd::OutOfTime | HuntEnd::CutOff => Vec::new(),
            HuntEnd::Difference(found) => vec![found.report.clone()],
            HuntEnd::NotLoaded(case) | HuntEnd::CaseFailed(case) => vec![(**case).clone()],
        };
        let found = submission.found.as_ref().ok();
        let report = SubmissionReport {
            files: found.map(|found| found.on_disk()).unwrap_or_default(),
            sources: found.map(|found| found.sources()).unwrap_or_default(),
            exercise: Some(info(&Loaded { exercise: exercise.clone(), cases: Vec::new() })),
            runtime: hunted.runtime.clone(),
            cases,
            ..SubmissionReport::new(name, path.display().to_string())
        };
        Ok((report, hunted))
    }

    /// Whether the submission at `path` passes every case. A case may use little time: one that uses more counts as
    /// failed.
    ///
    /// # Errors
    /// There is no submission, or keur itself fails.
    pub(crate) fn passes_every_case(&self, path: &Path) -> Result<bool, RunError> {
        let (loaded, submission) = self.open(path, None)?;
        let limits = LimitsPatch { cpu: Some(SOON), ..self.request.settings.limits.clone() };
        let settings = Settings { limits, ..self.request.settings.clone() };
        let grader =
            Grader::new(&loaded, &settings, &self.request.interpreters).with_references(&self.references);
        Ok(grader.grade(&mut Worker::new(self.launcher()), "", &submission)?.passed())
    }

    /// The first case that a submission fails.
    fn failed_case(
        &self,
        exercise: &Exercise,
        submission: &Submission,
    ) -> Result<Option<CaseReport>, RunError> {
        let loaded = match self.load(&exercise.name) {
            Ok(loaded) => loaded,
            // There is no case that counts.
            Err(RunError::Selection(_) | RunError::Exercise(ExerciseError::Other(_))) => return Ok(None),
            Err(error) => return Err(error),
        };
        let grader = Grader::new(&loaded, &self.request.settings, &self.request.interpreters)
            .with_references(&self.references);
        let report = grader.grade(&mut Worker::new(self.launcher()), "", submission)?;
        Ok(report.cases.into_iter().find(|case| case.finding.is_some()))
    }

    /// Adds a counterexample to the report of a submission that was graded, if there is one: a case that is
    /// worth no points.
    pub(super) fn add_hunted(
        &self,
        launcher: &mut Launcher,
        loaded: &Loaded,
        submission: &Submission,
        report: &mut SubmissionReport,
    ) -> Result<(), RunError> {
        let Some(quest) = &self.request.hunt else { return Ok(()) };
        let Ok(found) = &submission.found else { return Ok(()) };
        if report.cases.iter().all(|case| case.verdict == Verdict::LoadError) {
            return Ok(());
        }
        let names: Vec<&str> = loaded.cases.iter().map(|case| case.name.as_str()).collect();
        let hunted =
            self.hunt_submission(launcher, &loaded.exercise, submission, quest, &free_name(&names))?;
        if let HuntEnd::Difference(counterexample) = hunted.end {
            report.cases.push(counterexample.report);
            if report.sources.is_empty() {
                report.sources = found.sources();
            }
        }
        Ok(())
    }

    /// The random sessions of a case, with the answers of the reference.
    ///
    /// # Errors
    /// The exercise has no random sessions, or its reference does not run.
    pub fn sessions(
        &self,
        loaded: &Loaded,
        case: &Case,
        random: &RandomSessions,
    ) -> Result<Arc<[SeededCase]>, RunError> {
        let interpreters = &self.request.interpreters;
        let maker = SessionMaker { loaded, references: Some(&self.references), interpreters };
        Ok(maker.cases(case, random, &mut self.launcher())?)
    }

    /// The seeds of the `sessions` that the submission at `path` answers otherwise than the reference; none if it
    /// cannot be loaded.
    ///
    /// # Errors
    /// There is no submission, or keur itself fails.
    pub fn noticing(&self, path: &Path, sessions: &[SeededCase]) -> Result<Vec<u64>, RunError> {
        let (exercise, submission) = self.submission(path, None)?;
        let Ok(found) = &submission.found else { return Ok(Vec::new()) };
        let GradeRequest { settings, interpreters, .. } = &self.request;
        let mut launcher = self.launcher();
        let source = source_of(found, interpreters).map_err(GradeError::from)?;
        let mut adapter = Subprocess::new(&mut launcher, source, exercise, &found.bundle);
        let mut patience = Patience::new(NOTICING, None);
        let mut trials = Trials::new(&mut adapter, exercise, found, &settings.limits, true, &mut patience);
        let mut noticing = Vec::new();
        for SeededCase { seed, case } in sessions {
            if trials.patience().is_at_an_end() {
                break;
            }
            let glimpse = if trials.is_quick() { trials.quickly(case)? } else { Glimpse::Unclear };
            let differs = match glimpse {
                Glimpse::Passed => false,
                Glimpse::Failed(_) | Glimpse::Stopped => true,
                Glimpse::Unclear | Glimpse::Unfit => {
                    trials.strictly(case)?.is_some_and(|outcome| outcome.verdict != Verdict::Passed)
                }
            };
            if differs {
                noticing.push(*seed);
            }
        }
        Ok(noticing)
    }

    fn hunt_submission(
        &self,
        launcher: &mut Launcher,
        exercise: &Exercise,
        submission: &Submission,
        quest: &Quest,
        name: &str,
    ) -> Result<Hunted, RunError> {
        let patience = quest.patience(&self.request.settings, exercise);
        if let Some(ExerciseReference::Own(_)) = &exercise.reference {
            return self.hunt_with_own_reference(launcher, &exercise.name, submission, quest, patience, name);
        }
        let mut hunter = self.hunter(Answerer::built_in(exercise)?, patience, &|_| false);
        Ok(hunter.hunt(launcher, submission, quest, name)?)
    }

    /// Hunts in sessions that an exercise's own reference answers. What right samples answer otherwise than
    /// the reference is no difference.
    fn hunt_with_own_reference(
        &self,
        launcher: &mut Launcher,
        exercise: &str,
        submission: &Submission,
        quest: &Quest,
        patience: Patience,
        name: &str,
    ) -> Result<Hunted, RunError> {
        let loaded = self.load(exercise)?;
        let mut own = OwnReference::open(&self.builder, self.launcher(), &loaded.exercise, &|_| true)?
            .ok_or_else(|| NoSessions { exercise: exercise.to_owned() })?;
        let (language, path) = (own.language, own.path.clone());
        let reference = own.process(&loaded.exercise, &self.request.interpreters)?;
        let right = LazyCell::new(|| self.right_samples(&loaded));
        // What one sample answers otherwise it mostly answers otherwise again.
        let first = Cell::new(0);
        let is_unsettled = |case: &Case| {
            let mut order: Vec<usize> = (0..right.len()).collect();
            order.rotate_left(first.get());
            let fails = order.into_iter().find(|&index| self.fails(&loaded.exercise, &right[index], case));
            fails.inspect(|&index| first.set(index)).is_some()
        };
        let answerer = Answerer::own(&loaded, language, &path, reference, None, patience.until())?;
        Ok(self.hunter(answerer, patience, &is_unsettled).hunt(launcher, submission, quest, name)?)
    }

    fn hunter<'a>(
        &'a self,
        answerer: Answerer<'a>,
        patience: Patience,
        is_unsettled: &'a dyn Fn(&Case) -> bool,
    ) -> Hunter<'a> {
        let GradeRequest { settings, interpreters, .. } = &self.request;
        Hunter { answerer, settings, interpreters, patience, is_unsettled }
    }

    /// The right samples of an exercise, as far as they can be opened here.
    fn right_samples(&self, loaded: &Loaded) -> Vec<Submission> {
        let samples = samples(loaded).unwrap_or_default();
        let right = samples.iter().filter(|sample| sample.right);
        right.filter_map(|sample| opened(&self.builder, &loaded.exercise, &sample.path).ok()).collect()
    }

    /// Whether a sample fails a case that was made of a session. One that this machine cannot run does not.
    fn fails(&self, exercise: &Exercise, sample: &Submission, case: &Case) -> bool {
        // A case without points fails nothing.
        let case = Case { points: Points::ONE, ..case.clone() };
        let only = Loaded { exercise: exercise.clone(), cases: vec![case] };
        let settings = Settings { rulings: true, ..Settings::default() };
        let mut worker = Worker::new(self.launcher());
        let grader = Grader::new(&only, &settings, &self.request.interpreters);
        grader.grade(&mut worker, "sample", sample).is_ok_and(|report| !report.passed())
    }
}
