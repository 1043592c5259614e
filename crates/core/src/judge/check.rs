//! Checks cases against their reference: an expectation that the reference does not meet is an error of the
//! case.

use super::checker::Checker;
use super::error::GradeError;
use super::following::reference;
use super::umpire::Umpire;
use super::{Judge, SessionWriter, limits};
use crate::adapter::{Adapter, Dialect, Fault, InProcess, Launcher, NoGuide};
use crate::case::{Case, CasePlace, Exercise, LimitsPatch, tame};
use crate::compare::{Verdict, diff};
use crate::event::{Finding, SubmissionReport};
use crate::languages::{self, Interpreters};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A case whose reference does not meet its expectations.
#[derive(Clone, Debug, thiserror::Error)]
pub struct CheckError {
    /// The path of the reference, if it is the exercise's own.
    pub reference: Option<String>,
    /// The step's line in the case's file.
    pub place: CasePlace,
    /// The text of the case's file.
    pub file_text: Arc<str>,
    /// The bytes of the file that say what is expected.
    pub span: Range<usize>,
    /// The step's text in the case.
    pub step: String,
    /// The problem.
    pub finding: Box<Finding>,
}

impl CheckError {
    /// The problem on one line.
    pub fn headline(&self) -> String {
        let Finding { step, verdict, .. } = self.finding.as_ref();
        let own = self.reference.iter().map(|path| format!(" {path}")).collect::<String>();
        match step {
            Some(step) => format!("the reference{own} disagrees with step {step} ({verdict})"),
            None if *verdict == Verdict::NotRun => "the case cannot be checked".to_owned(),
            None => format!("the reference{own} cannot be loaded ({verdict})"),
        }
    }

    /// The step and both sides, on lines of their own.
    pub fn details(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write_details(&mut text);
        text
    }

    fn write_details(&self, f: &mut impl fmt::Write) -> fmt::Result {
        let Finding { expected, got, exception, .. } = self.finding.as_ref();
        if !self.step.is_empty() {
            writeln!(f, "  | {}", self.step)?;
        }
        if let Some(raised) = exception.as_ref().filter(|_| self.reference.is_some()) {
            let place = raised.places.last();
            let place = place.map(|place| format!(", at line {} of {}", place.line, place.file));
            writeln!(f, "  the reference raises {}{}", tame(&raised.text), place.unwrap_or_default())?;
        }
        if self.reference.is_some() && expected.is_none() && got.is_none() {
            return Ok(());
        }
        let (expected, got) = (expected.as_deref().unwrap_or_default(), got.as_deref().unwrap_or_default());
        let diff::Difference { rows, omitted: more } = diff::side_by_side(expected, got);
        for row in rows {
            let text = |pieces: &[diff::DiffPiece]| {
                pieces.iter().map(|piece| piece.text.as_str()).collect::<String>()
            };
            if row.is_equal() {
                writeln!(f, "      {}", row.expected.as_deref().map(text).unwrap_or_default())?;
                continue;
            }
            for (mark, side) in [("- the case     ", &row.expected), ("+ the reference", &row.got)] {
                if let Some(pieces) = side {
                    writeln!(f, "  {mark} {}", text(pieces))?;
                }
            }
        }
        if more > 0 {
            writeln!(f, "      … {more} more lines")?;
        }
        Ok(())
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.headline())?;
        writeln!(f, " --> {}", self.place)?;
        self.write_details(f)
    }
}

/// The keys of a step that say what is expected, where the reference's answer has this verdict.
fn expectation_keys(verdict: Verdict) -> &'static [&'static str] {
    match verdict {
        Verdict::WrongValue => &["returns", "equals", "same"],
        Verdict::WrongText => &["shows"],
        Verdict::WrongOutput => &["prints", "errors", "exit", "writes"],
        Verdict::Raised | Verdict::DidNotRaise => &["raises"],
        Verdict::Passed
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::Crashed
        | Verdict::ProtocolViolation
        | Verdict::LoadError
        | Verdict::NotRun
        | Verdict::Failed => &[],
    }
}

/// The bytes of a case's file that say what a finding contradicts.
fn contradicted(case: &Case, finding: &Finding) -> Range<usize> {
    case.expectation_span(finding.step, expectation_keys(finding.verdict))
}

/// The adapter of an exercise's reference.
///
/// # Errors
/// The exercise has no reference, or one that does not exist.
pub fn reference_adapter(exercise: &Exercise) -> Result<InProcess, Fault> {
    Ok(InProcess::new(reference(exercise)?.open, exercise.session))
}

/// Replays a case on the reference and compares. The exercise's own checks run on these interpreters, in
/// processes that `launcher` starts.
///
/// # Errors
/// The first step that the reference does not meet.
pub fn check_case(
    exercise: &Exercise,
    case: &Case,
    adapter: &mut dyn Adapter,
    interpreters: &Interpreters,
    launcher: &mut Launcher,
) -> Result<(), CheckError> {
    let language = languages::find(exercise.session.language());
    let Some(dialect) = language.map(Dialect::of) else { return Err(not_replayed(case)) };
    let unchecked = |error: GradeError| CheckError { step: error.to_string(), ..not_replayed(case) };
    let mut umpire = Umpire::new(exercise, case, exercise.session).map_err(unchecked)?;
    let limits = limits(&LimitsPatch::default(), case, exercise);
    let transcript = match &mut umpire {
        Some(umpire) => adapter.replay(&case.plan, &limits, umpire),
        None => adapter.replay(&case.plan, &limits, &mut NoGuide),
    };
    let transcript = transcript.map_err(|fault| unchecked(fault.into()))?;
    let mut checker = Checker::new(exercise, interpreters, launcher);
    let judge = Judge { exercise, dialect: &dialect, found: None, answers: None };
    let outcome = judge.outcome(case, &transcript, umpire.as_ref(), Some(&mut checker)).map_err(unchecked)?;
    if outcome.verdict == Verdict::Passed {
        return Ok(());
    }
    let finding = outcome.report(case).finding.ok_or_else(|| not_replayed(case))?;
    let naming = dialect.naming(exercise);
    let step = finding.step.and_then(|step| case.plan.steps.get(step.index()));
    let line = step.and_then(|step| step.lines().last());
    let step = line.map(|line| SessionWriter::new(&naming, &dialect).line(line, false)).unwrap_or_default();
    Err(CheckError {
        reference: None,
        place: case.place(finding.step),
        file_text: Arc::clone(&case.source),
        span: contradicted(case, &finding),
        step,
        finding,
    })
}

/// The first step of each of the `cases` on which the exercise's own reference at `path`, graded like a
/// submission, does not meet the expectations. A reference that cannot be loaded is reported once.
pub fn disagreements(path: &str, report: &SubmissionReport, cases: &[Case]) -> Vec<CheckError> {
    let mut errors = Vec::new();
    let mut is_unloadable = false;
    let case_named = |name: &str| cases.iter().find(|case| case.name == name);
    let found = report.cases.iter().filter_map(|of| Some((case_named(&of.name)?, of.finding.clone()?)));
    for (case, finding) in found {
        if finding.step.is_none() {
            if is_unloadable {
                continue;
            }
            is_unloadable = true;
        }
        let step = finding.session.last().map(|line| line.text.clone()).unwrap_or_default();
        errors.push(CheckError {
            reference: Some(path.to_owned()),
            place: finding.place.clone(),
            file_text: Arc::clone(&case.source),
            span: contradicted(case, &finding),
            step,
            finding,
        });
    }
    errors
}

/// A case that stopped early although no step failed: it must not count as checked.
fn not_replayed(case: &Case) -> CheckError {
    let finding = Finding::before_the_first_step(
        Verdict::NotRun,
        crate::compare::Mistake::Value(crate::compare::ValueMistake::Unexpected),
    );
    CheckError {
        reference: None,
        place: case.place(None),
        file_text: Arc::clone(&case.source),
        span: case.expectation_span(None, &[]),
        step: String::new(),
        finding: Box::new(finding),
    }
}
