//! Makes the finding of a failed step: the session, both sides, the exception and the mismatch.

use super::session::{conversation, session};
use crate::adapter::{Dialect, Exception, Halt, Observation, StepOutcome};
use crate::case::{Case, Line, Naming, Plan, PlanStep, Want, line_column};
use crate::compare::{self, Failure, Mismatch, Verdict};
use crate::event::{ExceptionReport, Finding, Place};
use crate::submission::Found;
use crate::value::Text;

/// The most characters of the expected and of the actual value in a finding.
const MOST_SIDE: usize = 20_000;

/// The most characters of a step's output in a finding.
const MOST_PRINTED: usize = 2000;

pub(super) struct Findings<'a> {
    pub(super) case: &'a Case,
    pub(super) naming: Naming<'a>,
    pub(super) dialect: &'a Dialect,
    pub(super) found: Option<&'a Found>,
}

impl Findings<'_> {
    /// The finding of a failure at the zero-based step `index`; `game` is the game that shows it, if the step is a
    /// match.
    pub(super) fn finding(
        &self,
        index: usize,
        failure: Failure,
        observed: &[Observation],
        game: Option<&[Line]>,
    ) -> Finding {
        let expect = &self.case.expect[index];
        let last = self.case.plan.steps[index].lines.len().saturating_sub(1) == failure.line;
        let prints = last && expect.shows.is_some();
        let bundle = self.found.map(|found| &found.bundle);
        let ran = observed.iter().find_map(|observation| match &observation.outcome {
            StepOutcome::Ran(ran) => Some(ran),
            StepOutcome::Value { .. }
            | StepOutcome::Raised(_)
            | StepOutcome::Missing(_)
            | StepOutcome::Halted(_)
            | StepOutcome::Unbound(_) => None,
        });
        let session = match (ran, game) {
            (Some(ran), _) => conversation(ran, failure.line),
            (None, Some(lines)) => {
                let want = Want::default();
                let step = PlanStep { lines: lines.to_vec(), want, instead: None };
                let plan = Plan { steps: vec![step] };
                let end = (0, lines.len().saturating_sub(1));
                session(&plan, end, false, &self.naming, self.dialect, bundle)
            }
            (None, None) => {
                let at = (index, failure.line);
                session(&self.case.plan, at, prints, &self.naming, self.dialect, bundle)
            }
        };
        // The session of a program is its conversation.
        let observed = if ran.is_some() { &[] } else { observed };
        let printed =
            observed.get(failure.line).map(|observation| String::from_utf8_lossy(&observation.output));
        let printed = printed.filter(|text| !text.is_empty() && failure.verdict != Verdict::WrongOutput);
        Finding {
            verdict: failure.verdict,
            step: index + 1,
            mismatch: failure.mismatch,
            session,
            expected: failure.expected.map(|text| cut(text, MOST_SIDE)),
            got: failure.got.map(|text| cut(text, MOST_SIDE)),
            exception: failure.exception.as_ref().map(|raised| self.exception(raised)),
            printed: printed.map(|text| cut(text.into_owned(), MOST_PRINTED)),
            case_line: (self.case.path.clone(), line_column(&self.case.source, expect.span.start).0),
        }
    }

    /// The finding of a submission that was stopped while loading.
    pub(super) fn halted_load(&self, halt: &Halt) -> Finding {
        let failure = compare::halted(halt, 0);
        Finding { verdict: failure.verdict, ..self.load_error(failure.mismatch, None) }
    }

    /// The finding of a submission that raised while loading, before everything required was defined.
    pub(super) fn raised_load(&self, raised: &Exception) -> Finding {
        let message = raised.message.as_ref().map(Text::to_lossy).unwrap_or_default();
        let quoted = message.split('\'').nth(1).unwrap_or_default().to_owned();
        let mismatch = match raised.kind.as_str() {
            "MemoryError" => Mismatch::MemoryLimit,
            "EOFError" => Mismatch::AsksInput,
            "ModuleNotFoundError" => Mismatch::NoModule { name: quoted },
            _ if message.contains("is not available to a submission") => Mismatch::NoModule { name: quoted },
            _ if raised.syntax.is_some() => self.newer_syntax(raised).unwrap_or(Mismatch::Syntax),
            _ => Mismatch::Loading,
        };
        let verdict =
            if mismatch == Mismatch::MemoryLimit { Verdict::MemoryLimit } else { Verdict::LoadError };
        Finding { verdict, ..self.load_error(mismatch, Some(self.exception(raised))) }
    }

    /// A finding from before the first step.
    pub(super) fn load_error(&self, mismatch: Mismatch, exception: Option<ExceptionReport>) -> Finding {
        Finding {
            verdict: Verdict::LoadError,
            step: 0,
            mismatch,
            session: Vec::new(),
            expected: None,
            got: None,
            exception,
            printed: None,
            case_line: (self.case.path.clone(), 1),
        }
    }

    /// An exception for a report.
    pub(super) fn exception(&self, raised: &Exception) -> ExceptionReport {
        let mut places = places(raised, self.found);
        let mut text = compare::exception_text(raised);
        if let Some(syntax) = &raised.syntax {
            let source =
                self.found.and_then(|found| found.line(&syntax.file, syntax.line)).unwrap_or_default();
            places =
                vec![Place { file: syntax.file.clone(), line: syntax.line, function: String::new(), source }];
            if let Some(brief) = &syntax.brief {
                text = format!("{}: {brief}", raised.kind);
            }
        }
        ExceptionReport { text, places }
    }

    /// Whether a syntax error is on a line that a newer interpreter accepts.
    fn newer_syntax(&self, raised: &Exception) -> Option<Mismatch> {
        let syntax = raised.syntax.as_ref()?;
        let found = self.found?;
        let line = found.line(&syntax.file, syntax.line)?;
        let mut numbers = self.dialect.version.split('.').map_while(|number| number.parse().ok());
        let version = (numbers.next()?, numbers.next()?);
        let engine = self.dialect.engine?;
        let newer = (engine.newer_syntax)(&line, version)?;
        let (major, minor) = newer.since;
        Some(Mismatch::NewerSyntax {
            what: newer.what.to_owned(),
            since: format!("{} {major}.{minor}", engine.language.title),
            version: format!("{} {}", engine.language.title, self.dialect.version),
        })
    }
}

/// The beginning of a text, at most `most` characters.
fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The text of an exception for a report, with the submission's lines in its trace.
fn places(raised: &Exception, found: Option<&Found>) -> Vec<Place> {
    raised
        .trace
        .iter()
        .map(|frame| Place {
            file: frame.file.clone(),
            line: frame.line,
            function: frame.function.clone(),
            source: found.and_then(|found| found.line(&frame.file, frame.line)).unwrap_or_default(),
        })
        .collect()
}
