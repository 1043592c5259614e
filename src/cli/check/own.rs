//! Grades an exercise's own reference and samples, and reports what is not as it should be.

use super::problem::Problem;
use crate::cli::args::MachineArgs;
use crate::cli::error::CliError;
use crate::cli::grade::{Progress, default_jobs};
use crate::run::{GradeRequest, Run, Sample, Submissions};
use keur_core::case::{Loaded, Points};
use keur_core::compare::{Mistake, ProgramMistake, Verdict};
use keur_core::event::{CaseReport, Event, Finding, RunError, SubmissionReport};
use keur_core::judge::{disagreements, reference_path};
use keur_core::languages::{self, python};
use keur_core::messages::Lang;
use keur_core::report::words::Words;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Grades references and samples.
pub(super) struct OwnFiles<'a> {
    pub(super) machine: &'a MachineArgs,
    /// The errors that were shown: a broken reference or check is reported once, not for each submission that
    /// needs it.
    pub(super) shown: BTreeSet<String>,
    /// The problems of all exercises so far.
    pub(super) problems: Vec<Problem>,
}

impl OwnFiles<'_> {
    /// Holds the cases of an exercise against its own references, by programming language.
    pub(super) fn check_references(&mut self, loaded: &Arc<Loaded>, paths: &BTreeMap<String, String>) {
        let mut found = Vec::new();
        for language in paths.keys() {
            match reference_path(&loaded.exercise, language) {
                Ok(path) => found.push((language, path)),
                Err(error) => self.add_once(&CliError::BadCase(error.to_string())),
            }
        }
        let submissions: Vec<PathBuf> = found.iter().map(|(_, path)| path.clone()).collect();
        let reports = match self.graded(loaded, submissions, true) {
            Ok(reports) => reports,
            Err(error) => return self.problems.extend(Problem::of_error(&error)),
        };
        for ((language, path), report) in found.iter().zip(&reports) {
            let shown = path.display().to_string();
            if let Some(error) = &report.error {
                self.add_ungraded(path, error);
                continue;
            }
            let spoken = report.runtime.as_ref().map(|runtime| runtime.language.as_str());
            let known = languages::find(language);
            // TypeScript is run as JavaScript.
            let run_as = known.and_then(|known| known.extends).map_or(language.as_str(), |known| known.name);
            if spoken.is_some_and(|spoken| spoken != run_as) {
                let title = known.map_or(language.as_str(), |known| known.title);
                let message = format!("the reference {shown} is not a submission in {title}");
                self.problems.extend(Problem::of_error(&CliError::BadCase(message)));
                continue;
            }
            for error in disagreements(&shown, report, &loaded.cases) {
                // Where no two sides differ, only the sentence says what is wrong; and it names a file that
                // is written.
                let finding = error.finding.as_ref();
                let sides = finding.expected.is_some() || finding.got.is_some();
                let is_file = matches!(finding.mistake, Mistake::Program(ProgramMistake::Written { .. }));
                let sentence = (!sides || is_file).then(|| sentence(report, finding));
                self.problems.push(Problem::of_disagreement(&error, sentence));
            }
            self.add_unexplained(&shown, report);
        }
    }

    /// Adds that cases did not pass of which no finding tells why.
    fn add_unexplained(&mut self, path: &str, report: &SubmissionReport) {
        let has_failed = report.cases.iter().any(|case| case.verdict != Verdict::Passed);
        if has_failed && report.cases.iter().all(|case| case.finding.is_none()) {
            let message = format!("the reference {path} was not run on every case");
            self.problems.extend(Problem::of_error(&CliError::BadCase(message)));
        }
    }

    /// Grades samples: each right one must earn all points, and each wrong one must not.
    pub(super) fn check_samples(&mut self, loaded: &Arc<Loaded>, samples: &[Sample]) {
        if samples.is_empty() {
            return;
        }
        let submissions = samples.iter().map(|sample| sample.path.clone()).collect();
        let reports = match self.graded(loaded, submissions, false) {
            Ok(reports) => reports,
            Err(error) => return self.problems.extend(Problem::of_error(&error)),
        };
        for (sample, report) in samples.iter().zip(&reports) {
            let path = sample.path.display().to_string();
            if let Some(error) = &report.error {
                self.add_ungraded(&sample.path, error);
                continue;
            }
            let mut problems = sample.differences(report);
            if sample.right && !report.passed() {
                problems = not_passed(report).chain(problems).collect();
            } else if !sample.right && earns_all(report) {
                problems.insert(0, "it is wrong, but passes every case: add a case that it fails".to_owned());
            }
            if problems.is_empty() {
                continue;
            }
            let head = if sample.right && !report.passed() { " does not pass" } else { "" };
            let lines: String = problems.iter().map(|problem| format!("  {problem}\n")).collect();
            let error = CliError::BadCase(format!("{path}{head}:\n{lines}"));
            self.problems.extend(Problem::of_error(&error));
        }
    }

    /// Grades submissions of an exercise, with the cases that depend on a ruling if so.
    fn graded(
        &self,
        loaded: &Arc<Loaded>,
        submissions: Vec<PathBuf>,
        rulings: bool,
    ) -> Result<Vec<Arc<SubmissionReport>>, CliError> {
        if submissions.is_empty() {
            return Ok(Vec::new());
        }
        let mut request = GradeRequest::new(Submissions { paths: submissions, ..Submissions::default() });
        request.exercise = Some(loaded.exercise.name.clone());
        request.jobs = default_jobs();
        request.settings.rulings = rulings;
        self.machine.apply(&mut request)?;
        let run = Run::for_exercise(request, Arc::clone(loaded))?;
        let mut reports = Vec::new();
        let mut progress = Progress::default();
        run.grade(&mut |event| {
            progress.event(event);
            if let Event::SubmissionFinished { report } = event {
                reports.push(Arc::clone(report));
            }
        });
        Ok(reports)
    }

    /// Adds why the reference or sample at `path` was not graded: the exercise is at fault, or keur.
    fn add_ungraded(&mut self, path: &Path, error: &RunError) {
        let message = match error {
            // The same file of the exercise is at fault for each.
            RunError::Exercise(_) => error.to_string(),
            _ => format!("{}: {error}", path.display()),
        };
        self.add_once(&match error {
            RunError::Fault(_) => CliError::fault(message),
            _ => CliError::BadCase(message),
        });
    }

    /// Adds an error, unless the same one was added before.
    fn add_once(&mut self, error: &CliError) {
        if self.shown.insert(error.to_string()) {
            self.problems.extend(Problem::of_error(error));
        }
    }
}

/// Whether a submission earns every point there is.
fn earns_all(report: &SubmissionReport) -> bool {
    report.passed() && report.cases.iter().any(|case| case.max_points > Points::ZERO)
}

/// The cases that a right sample does not pass: the first one in full, the others by name.
fn not_passed(report: &SubmissionReport) -> impl Iterator<Item = String> {
    let failed = report.cases.iter().filter(|case| case.verdict != Verdict::Passed);
    failed.enumerate().flat_map(|(index, case)| {
        let mut lines = vec![headline(report, case)];
        if index == 0 {
            lines.extend(details(case));
        }
        lines
    })
}

/// A failed case in a line: its verdict, the place in its file, and the mistake.
fn headline(report: &SubmissionReport, case: &CaseReport) -> String {
    let Some(finding) = &case.finding else { return format!("{}: {}", case.name, case.verdict) };
    let step = finding.step.map_or(String::new(), |step| format!(" at step {step}"));
    format!("{}: {}{step} ({}): {}", case.name, case.verdict, finding.place, sentence(report, finding))
}

/// The mistake of a finding, in a sentence.
fn sentence(report: &SubmissionReport, finding: &Finding) -> String {
    let notation = report.runtime.as_ref().map_or(python::LANGUAGE.notation, |runtime| runtime.notation);
    Words::new(Lang::En).mistake(finding, notation)
}

/// The last line of a finding's session, both sides, and the exception.
fn details(case: &CaseReport) -> Vec<String> {
    let Some(finding) = &case.finding else { return Vec::new() };
    let line = finding.session.last().map(|line| format!("  | {}", line.text));
    let sides = [("expected", &finding.expected), ("got", &finding.got)];
    let sides = sides.into_iter().filter_map(|(name, side)| Some(format!("  {name}: {}", side.as_ref()?)));
    let raised = finding.exception.iter().map(|raised| {
        let place = raised.places.last().map(|place| format!(", line {} of {}", place.line, place.file));
        format!("  raised: {}{}", raised.text, place.unwrap_or_default())
    });
    line.into_iter().chain(sides).chain(raised).collect()
}
