//! How good the cases of an exercise are: which wrong programs they notice.
//!
//! [`audit`] grades the mutants of an exercise, its wrong samples, other submissions that are wrong, and mutants of
//! right ones, each against every case. The [`AuditReport`] says which of them survive, what each case kills, and which few
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
pub use programs::Given;

use crate::hunt::Quest;
use crate::run::{GradeRequest, Run, Submissions};
use keur_core::case::Loaded;
use keur_core::compare::{Mistake, Verdict};
use keur_core::event::{Event, RunError, SubmissionReport};
use keur_core::messages::LocalText;
use keur_core::submission::SubmissionProblem;
use programs::{Programs, RightSubmission, WrongSubmission};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Audits the cases of an exercise.
///
/// `request` says how the programs are graded; its submissions are ignored. With a `quest`, each survivor is hunted
/// for a case that would kill it. `tell` receives the events of the run.
///
/// # Errors
/// See [`AuditError`].
pub fn audit(
    loaded: &Loaded,
    given: Given<'_>,
    mut request: GradeRequest,
    quest: Option<&Quest>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<AuditReport, AuditError> {
    let programs = Programs::of(loaded, given, &request.build.tools, &request.interpreters)?;
    // A case that another one keeps from being run kills nothing.
    let mut alone = loaded.clone();
    alone.cases.iter_mut().for_each(|case| case.needs.clear());
    let right = programs.right.iter().map(|right| &right.path);
    let paths = right.chain(programs.wrong.iter().map(|wrong| &wrong.path)).cloned().collect();
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
    // The cases that a right submission fails, since it settles a ruling in another way.
    let mut unsettled = BTreeSet::new();
    for (right, report) in programs.right.iter().zip(reports.by_ref()) {
        must_be_right(right, loaded, &report)?;
        let failed = report.cases.iter().filter(|case| case.verdict != Verdict::Passed);
        unsettled.extend(failed.map(|case| case.name.clone()));
    }
    let lang = loaded.exercise.lang;
    let mut cases: Vec<AuditedCase> = loaded.cases.iter().map(|case| AuditedCase::of(case, lang)).collect();
    let (mut audited, mut ungraded, mut survivors) = (Vec::new(), Vec::new(), Vec::new());
    let mut shown: BTreeMap<String, Vec<Arc<LocalText>>> = BTreeMap::new();
    for (wrong, report) in programs.wrong.iter().zip(reports) {
        if wrong.program.kind == WrongKind::Mutant
            && let Some(why) = error_of_compiler(&report)
        {
            return Err(AuditError::NotCompiled { program: wrong.program.name.clone(), why });
        }
        match &report.error {
            Some(error @ RunError::Exercise(_)) => return Err(AuditError::Run(error.clone())),
            Some(error) => ungraded.push((wrong.program.name.clone(), error.to_string())),
            None => {
                for case in report.cases.iter().filter(|case| case.finding.is_some()) {
                    shown.entry(case.name.clone()).or_default().extend(case.hint.clone());
                }
                let verdict = |case: &AuditedCase| {
                    report.cases.iter().find(|found| found.name == case.name).map(|found| found.verdict)
                };
                let verdicts: Vec<Option<Verdict>> = cases.iter().map(verdict).collect();
                let mut judged = AuditedProgram::new(wrong.program.clone(), &cases, verdicts.clone());
                if wrong.program.kind == WrongKind::Generic && judged.fate().is_survivor() {
                    let settled = cases.iter().zip(verdicts);
                    let verdicts =
                        settled.map(|(case, verdict)| verdict.filter(|_| !unsettled.contains(&case.name)));
                    let breaks_ruling = WrongProgram { ruling: true, ..wrong.program.clone() };
                    let again = AuditedProgram::new(breaks_ruling, &cases, verdicts.collect());
                    if again.fate().is_killed() {
                        judged = again;
                    }
                }
                if judged.fate().is_survivor() {
                    survivors.push((audited.len(), wrong));
                }
                audited.push(judged);
            }
        }
    }
    for (index, looked) in run.each(survivors, &|(index, wrong)| (index, Looked::at(&run, wrong, quest))) {
        let looked = looked.map_err(AuditError::Run)?;
        (audited[index].unreached, audited[index].proposal) = (looked.unreached, looked.proposal);
    }
    for program in audited.iter().filter(|program| program.fate() == Fate::Equivalent) {
        if let Some(case) = program.killed_by.first() {
            let (program, case) = (program.program.name.clone(), cases[*case].name.clone());
            return Err(AuditError::NotEquivalent { program, case });
        }
    }
    for (case, audited) in loaded.cases.iter().zip(&mut cases) {
        let hints = case.step_hints.values().map(|hint| &hint.text).chain(&case.hint);
        let shown = shown.get(&case.name).map(Vec::as_slice).unwrap_or_default();
        let unshown = hints.filter(|hint| !shown.contains(hint));
        audited.unshown_hints = unshown.map(|hint| hint.get(lang).to_owned()).collect();
    }
    let exercise = &loaded.exercise;
    let title = exercise.title.get(lang).to_owned();
    Ok(AuditReport::new(exercise.name.clone(), title, cases, audited, ungraded))
}

/// Checks that a program passes every case that counts for it.
fn must_be_right(
    right: &RightSubmission,
    loaded: &Loaded,
    report: &SubmissionReport,
) -> Result<(), AuditError> {
    if let Some(error) = &report.error {
        return Err(AuditError::Run(error.clone()));
    }
    let counts = |name: &str| {
        right.keeps_rulings || !loaded.cases.iter().any(|case| case.name == name && case.is_ruling())
    };
    let failed = report.cases.iter().filter(|case| case.verdict != Verdict::Passed && counts(&case.name));
    let fails: Vec<String> = failed
        .map(|case| match case.finding.as_ref().and_then(|finding| finding.step) {
            Some(step) => format!("{}: {} at step {step}", case.name, case.verdict),
            None => format!("{}: {}", case.name, case.verdict),
        })
        .collect();
    match fails.as_slice() {
        [] => Ok(()),
        _ => Err(AuditError::NotRight { program: right.name.clone(), fails }),
    }
}

/// The first error of the compiler, if the submission does not compile.
fn error_of_compiler(report: &SubmissionReport) -> Option<String> {
    let finding = report.cases.first()?.finding.as_ref()?;
    let Mistake::Submission(SubmissionProblem::Build(_)) = &finding.mistake else { return None };
    let Some(error) = &finding.exception else { return Some("the build ends without a program".to_owned()) };
    let place = error.places.first().map(|place| format!("{}:{}: ", place.file, place.line));
    Some(place.unwrap_or_default() + &error.text)
}

/// What was found out about a survivor.
struct Looked {
    /// Whether no case reaches the changed statement, as far as that is known.
    unreached: bool,
    proposal: Option<Proposal>,
}

impl Looked {
    /// Looks at a survivor.
    fn at(run: &Run, wrong: &WrongSubmission, quest: Option<&Quest>) -> Result<Looked, RunError> {
        let unreached = match &wrong.reach {
            Some(path) => run.passes_every_case(path)?,
            None => false,
        };
        let proposal = quest.map(|quest| Proposal::of(run, wrong, quest)).transpose()?;
        Ok(Looked { unreached, proposal })
    }
}
