//! Checks cases against their reference: an expectation that the reference does not meet is an error of the case.

use super::following::{Following, reference};
use super::umpire::Umpire;
use super::{Judge, dialect_of, limits, session_line};
use crate::adapter::{Adapter, Fault, InProcess, NoGuide};
use crate::case::{Case, Exercise, Expect, LimitsPatch, Naming, RaisedType, line_column};
use crate::compare::{Verdict, diff};
use crate::event::Finding;
use crate::languages;
use std::fmt;

/// A case whose reference does not meet its expectations.
#[derive(Clone, Debug)]
pub struct CheckError {
    /// The path of the case's file, as given.
    pub path: String,
    /// The line of the step in it, from 1.
    pub line: usize,
    /// The step's text in the case.
    pub step: String,
    /// The problem.
    pub finding: Box<Finding>,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { step, verdict, expected, got, .. } = self.finding.as_ref();
        writeln!(f, "error: the reference disagrees with step {step} ({verdict})")?;
        writeln!(f, " --> {}:{}", self.path, self.line)?;
        writeln!(f, "  | {}", self.step)?;
        let (expected, got) = (expected.as_deref().unwrap_or_default(), got.as_deref().unwrap_or_default());
        let (rows, more) = diff::side_by_side(expected, got);
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

impl std::error::Error for CheckError {}

/// A warning about a case: valid, but possibly not intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseWarning {
    /// The path of the case's file, as given.
    pub path: String,
    /// The line of the step in it, from 1.
    pub line: usize,
    /// The warning, and how to fix it.
    pub message: String,
}

impl fmt::Display for CaseWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "warning: {}", self.message)?;
        writeln!(f, " --> {}:{}", self.path, self.line)
    }
}

/// Warnings for a case: an exception type that some language of the exercise does not have, with nothing else that
/// restricts the exceptions.
pub fn warnings(exercise: &Exercise, case: &Case) -> Vec<CaseWarning> {
    let languages = || exercise.files.keys().filter_map(|language| languages::find(language));
    let warning = |expect: &Expect| {
        let raises = expect.raises.as_ref().filter(|raises| raises.message.is_none())?;
        let has = |language: &languages::Language, name: &str| language.exceptions.contains(&name);
        let (name, without): (&str, Vec<_>) = match raises.kind.as_ref()? {
            RaisedType::Step(name) => {
                let known = languages::LANGUAGES.iter().any(|language| has(language, name));
                (name, languages().filter(|language| known && !has(language, name)).collect())
            }
            RaisedType::PerLanguage(names) => {
                let name = names.values().next()?;
                (name, languages().filter(|language| !names.contains_key(language.name)).collect())
            }
            RaisedType::Exercise(_) => return None,
        };
        let (first, titles) = (without.first()?, without.iter().map(|language| language.title));
        let message = format!(
            "`{name}` has no meaning in {}: there, any exception that is not a crash is accepted; name a type for each \
             language, such as {{ {} = \"…\" }}, or a message",
            titles.collect::<Vec<_>>().join(" and "),
            first.name,
        );
        let line = line_column(&case.source, expect.span.start).0;
        Some(CaseWarning { path: case.path.clone(), line, message })
    };
    case.expect.iter().filter_map(warning).collect()
}

/// The adapter of an exercise's reference.
///
/// # Errors
/// The exercise has no reference, or one that does not exist.
pub fn reference_adapter(exercise: &Exercise) -> Result<InProcess, Fault> {
    Ok(InProcess::new(reference(exercise)?.open, exercise.session))
}

/// Replays a case on the reference and compares.
///
/// # Errors
/// The first step that the reference does not meet.
pub fn check_case(exercise: &Exercise, case: &Case, adapter: &mut dyn Adapter) -> Result<(), CheckError> {
    let language = exercise.session.language();
    // The reference raises the assignment's exception, whatever the session's language calls it.
    let Some(dialect) = languages::find(language).map(dialect_of) else { return Err(not_replayed(case)) };
    let Ok(mut umpire) = Umpire::new(exercise, case) else { return Err(not_replayed(case)) };
    let limits = limits(&LimitsPatch::default(), case, exercise);
    let transcript = match &mut umpire {
        Some(umpire) => adapter.replay(&case.plan, &limits, umpire),
        None => adapter.replay(&case.plan, &limits, &mut NoGuide),
    };
    let Ok(transcript) = transcript else { return Err(not_replayed(case)) };
    let Ok(mut following) = Following::new(exercise, case) else { return Err(not_replayed(case)) };
    let judge = Judge { exercise, dialect: &dialect, found: None };
    let report = judge.case(case, &transcript, following.as_mut(), umpire.as_ref());
    if report.verdict == Verdict::Passed {
        return Ok(());
    }
    let finding = report.finding.ok_or_else(|| not_replayed(case))?;
    let index = finding.step.saturating_sub(1);
    let span = case.expect.get(index).map_or(0..0, |expect| expect.span.clone());
    let naming = Naming::new(exercise, language, dialect.convention);
    let lines = case.plan.steps.get(index).map(|step| step.lines.as_slice()).unwrap_or_default();
    let step = lines.last().map(|line| session_line(line, false, &naming, &dialect)).unwrap_or_default();
    Err(CheckError { path: case.path.clone(), line: line_column(&case.source, span.start).0, step, finding })
}

/// A case that stopped early although no step failed: it must not count as checked.
fn not_replayed(case: &Case) -> CheckError {
    let finding = Finding {
        verdict: Verdict::NotRun,
        step: 0,
        mismatch: crate::compare::Mismatch::Value,
        session: Vec::new(),
        expected: None,
        got: None,
        exception: None,
        printed: None,
        case_line: (case.path.clone(), 1),
    };
    CheckError { path: case.path.clone(), line: 1, step: String::new(), finding: Box::new(finding) }
}
