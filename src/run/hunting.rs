//! Hunts in a run: for one submission, or after the cases of each.

use super::own::opened;
use super::{OwnReference, Run, samples};
use crate::hunt::{HuntEnd, Hunted, Hunter, NoSessions, Patience, Quest, free_name};
use keur_core::adapter::Launcher;
use keur_core::case::{Exercise, ExerciseReference, Loaded, parse_cases};
use keur_core::compare::Verdict;
use keur_core::event::{RunError, SubmissionReport};
use keur_core::grade::{Grader, Settings, Worker, info};
use keur_core::submission::Submission;
use std::path::Path;

/// After this many differences that right samples show too, a hunt of an exercise with a reference of its own
/// gives up.
const MOST_UNSETTLED: u64 = 12;

impl Run {
    /// Hunts the submission at `path`, which reports call `name`. The report has a case if there is a
    /// counterexample, or if the submission cannot be loaded.
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
        let hunted = self.hunted(&mut self.launcher(), exercise, &submission, quest, &free_name(&[]))?;
        let cases = match &hunted.end {
            HuntEnd::NoDifference | HuntEnd::OutOfTime => Vec::new(),
            HuntEnd::Difference(found) => vec![found.report.clone()],
            HuntEnd::NotLoaded(case) => vec![(**case).clone()],
        };
        let found = submission.found.as_ref().ok();
        let report = SubmissionReport {
            files: found.map(|found| found.paths()).unwrap_or_default(),
            sources: found.map(|found| found.sources()).unwrap_or_default(),
            exercise: Some(info(&Loaded { exercise: exercise.clone(), cases: Vec::new() })),
            runtime: hunted.runtime.clone(),
            cases,
            ..SubmissionReport::new(name, path.display().to_string())
        };
        Ok((report, hunted))
    }

    /// Adds a counterexample to the report of a submission that was graded, if there is one: a case that is
    /// worth no points.
    pub(super) fn add_hunted(
        &self,
        launcher: &mut Launcher,
        (loaded, submission): (&Loaded, &Submission),
        report: &mut SubmissionReport,
    ) -> Result<(), RunError> {
        let Some(quest) = &self.request.hunt else { return Ok(()) };
        let Ok(found) = &submission.found else { return Ok(()) };
        if report.cases.iter().all(|case| case.verdict == Verdict::LoadError) {
            return Ok(());
        }
        let names: Vec<&str> = loaded.cases.iter().map(|case| case.name.as_str()).collect();
        let hunted = self.hunted(launcher, &loaded.exercise, submission, quest, &free_name(&names))?;
        if let HuntEnd::Difference(counterexample) = hunted.end {
            report.cases.push(counterexample.report);
            if report.sources.is_empty() {
                report.sources = found.sources();
            }
        }
        Ok(())
    }

    fn hunted(
        &self,
        launcher: &mut Launcher,
        exercise: &Exercise,
        submission: &Submission,
        quest: &Quest,
        name: &str,
    ) -> Result<Hunted, RunError> {
        let with = (&self.request.settings, &self.request.interpreters);
        let mut patience = Patience::new(quest.length, &self.request.settings, exercise);
        if let Some(ExerciseReference::Own(_)) = &exercise.reference {
            let loaded = self.load(&exercise.name)?;
            let confined = (self.request.tier, &self.request.cancel);
            let own = OwnReference::open(&self.builder, confined, &loaded.exercise, &|_| true);
            let none = || no_sessions(NoSessions { exercise: exercise.name.clone() });
            let mut own = own.map_err(RunError::from)?.ok_or_else(none)?;
            let (language, at) = (own.language, own.path.clone());
            let (process, found) =
                own.process(&loaded.exercise, &self.request.interpreters).map_err(RunError::from)?;
            let mut hunter =
                Hunter::of_own(&loaded, (language, &at), &found.bundle, process).map_err(no_sessions)?;
            let mut right = None;
            let mut sessions = 0;
            for attempt in 0..MOST_UNSETTLED {
                let quest = Quest { seed: quest.seed.wrapping_add(attempt), ..*quest };
                let hunted = hunter.hunt(launcher, submission, with, (&quest, &mut patience), name);
                let hunted = hunted.map_err(RunError::from)?;
                let HuntEnd::Difference(found) = &hunted.end else { return Ok(hunted) };
                let right = right.get_or_insert_with(|| self.right_samples(&loaded));
                if !self.is_unsettled(&loaded, right, &found.text) {
                    return Ok(hunted);
                }
                sessions += hunted.sessions;
            }
            let end = HuntEnd::NoDifference;
            return Ok(Hunted { sessions, end, runtime: None });
        }
        let mut hunter = Hunter::new(exercise).map_err(no_sessions)?;
        hunter.hunt(launcher, submission, with, (quest, &mut patience), name).map_err(RunError::from)
    }

    /// The right samples of an exercise, as far as they can be opened here.
    fn right_samples(&self, loaded: &Loaded) -> Vec<Submission> {
        let samples = samples(loaded).unwrap_or_default();
        let right = samples.iter().filter(|sample| sample.right);
        right.filter_map(|sample| opened(&self.builder, &loaded.exercise, &sample.path).ok()).collect()
    }

    /// Whether a right sample fails a case that was made of a session: then the assignment does not settle
    /// it.
    fn is_unsettled(&self, loaded: &Loaded, right: &[Submission], text: &str) -> bool {
        let Ok(cases) = parse_cases(&loaded.exercise, "hunted", "hunted.toml", text) else { return false };
        let only = Loaded { exercise: loaded.exercise.clone(), cases };
        let settings = Settings { rulings: true, ..Settings::default() };
        right.iter().any(|sample| {
            let mut worker = Worker::new(self.launcher());
            let grader = Grader::new(&only, &settings, &self.request.interpreters);
            // A sample that this machine cannot run says nothing.
            grader.grade(&mut worker, "sample", sample).is_ok_and(|report| !report.passed())
        })
    }
}

fn no_sessions(none: NoSessions) -> RunError {
    RunError::Usage(none.to_string())
}
