//! How good the cases of an exercise are: which wrong programs they notice.
//!
//! [`audit`] grades the mutants of an exercise, its wrong samples and other submissions that are wrong, each
//! against every case. The [`AuditReport`] says which of them survive, what each case kills, and which few
//! cases would kill as much. For a survivor a hunt proposes a case. [`terminal`], [`html`] and [`json`] write
//! the report.

mod error;
mod generic;
mod given;
pub mod html;
pub mod json;
mod matrix;
mod mutants;
mod patch;
mod pick;
mod programs;
mod proposal;
mod subset;
pub mod terminal;

pub use error::AuditError;
pub use matrix::{AuditReport, AuditedCase, AuditedProgram, Fate, Proposal, WrongKind, WrongProgram};
pub use pick::{PickedSeeds, pick};

use crate::hunt::Quest;
use crate::run::{GradeRequest, Run, Submissions};
use keur_core::case::Loaded;
use keur_core::compare::Verdict;
use keur_core::event::{Event, RunError, SubmissionReport};
use programs::Programs;
use std::path::PathBuf;
use std::sync::Arc;

/// Audits the cases of an exercise.
///
/// `request` says how the programs are graded; its submissions are ignored. `more` are further folders of
/// wrong submissions. With a `quest`, each survivor is hunted for a case that would kill it. `tell` receives
/// the events of the run.
///
/// # Errors
/// See [`AuditError`].
pub fn audit(
    loaded: &Loaded,
    more: &[PathBuf],
    mut request: GradeRequest,
    quest: Option<&Quest>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<AuditReport, AuditError> {
    let programs = Programs::of(loaded, more, &request.build.tools, &request.interpreters)?;
    // A case that another one keeps from being run kills nothing.
    let mut alone = loaded.clone();
    alone.cases.iter_mut().for_each(|case| case.needs.clear());
    let right = programs.right.iter().map(|(_, path)| path);
    let paths = right.chain(programs.wrong.iter().map(|(_, path)| path)).cloned().collect();
    request.subject = Submissions { paths, ..Submissions::default() }.into();
    request.exercise = Some(loaded.exercise.name.clone());
    request.settings.rulings = true;
    let run = Run::for_exercise(request, Arc::new(alone)).map_err(AuditError::Request)?;
    let mut reports: Vec<Arc<SubmissionReport>> = Vec::new();
    run.grade(&mut |event| {
        if let Event::SubmissionFinished { report } = event {
            reports.push(Arc::clone(report));
        }
        tell(event);
    });
    let mut reports = reports.into_iter();
    for ((name, _), report) in programs.right.iter().zip(reports.by_ref()) {
        must_be_right(name, &report)?;
    }
    let lang = loaded.exercise.lang;
    let cases: Vec<AuditedCase> = loaded.cases.iter().map(|case| AuditedCase::of(case, lang)).collect();
    let (mut audited, mut ungraded) = (Vec::new(), Vec::new());
    for ((program, path), report) in programs.wrong.into_iter().zip(reports) {
        match &report.error {
            Some(error @ RunError::Exercise(_)) => return Err(AuditError::Run(error.clone())),
            Some(error) => ungraded.push((program.name, error.to_string())),
            None => {
                let verdict = |case: &AuditedCase| {
                    report.cases.iter().find(|found| found.name == case.name).map(|found| found.verdict)
                };
                let verdicts = cases.iter().map(verdict).collect();
                let mut judged = AuditedProgram::new(program, &cases, verdicts);
                if let Some(quest) = quest.filter(|_| judged.fate() == Fate::Survived) {
                    let proposal = Proposal::of(&run, &judged.program, &path, quest);
                    judged.proposal = Some(proposal.map_err(AuditError::Run)?);
                }
                audited.push(judged);
            }
        }
    }
    for program in audited.iter().filter(|program| program.fate() == Fate::Equivalent) {
        if let Some(case) = program.killed_by.first() {
            let (program, case) = (program.program.name.clone(), cases[*case].name.clone());
            return Err(AuditError::NotEquivalent { program, case });
        }
    }
    let exercise = &loaded.exercise;
    let title = exercise.title.get(lang).to_owned();
    Ok(AuditReport::new(exercise.name.clone(), title, cases, audited, ungraded))
}

/// Checks that a program passes every case.
fn must_be_right(name: &str, report: &SubmissionReport) -> Result<(), AuditError> {
    if let Some(error) = &report.error {
        return Err(AuditError::Run(error.clone()));
    }
    let failed = report.cases.iter().filter(|case| case.verdict != Verdict::Passed);
    let fails: Vec<String> = failed
        .map(|case| match case.finding.as_ref().and_then(|finding| finding.step) {
            Some(step) => format!("{}: {} at step {step}", case.name, case.verdict),
            None => format!("{}: {}", case.name, case.verdict),
        })
        .collect();
    match fails.as_slice() {
        [] => Ok(()),
        _ => Err(AuditError::NotRight { program: name.to_owned(), fails }),
    }
}
