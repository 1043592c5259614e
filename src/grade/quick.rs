//! The quick pass: which cases a submission plainly passes when one process answers for all of them.
//!
//! A failure is a claim that must be fair, so every case that does not plainly pass is replayed strictly, in a process of its
//! own. Only the answers of one form count: see `grading`.

use super::error::GradeError;
use super::outcome::CaseOutcome;
use crate::adapter::{Dialect, Fault, Quick, Subprocess, Transcript};
use crate::case::Case;
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use crate::sandbox::{Cancel, Limits};
use std::collections::BTreeMap;

/// From this many failed cases on, a pass is given up if they outnumber those that passed.
const MANY_FAILED: usize = 3;

/// How the cases of a submission are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// A quick pass first, and a process of its own for each case that does not plainly pass it.
    #[default]
    Quick,
    /// A process of its own for each case.
    Case,
    /// Both, to check that they agree.
    Both,
}

impl Isolation {
    /// All of them.
    pub const ALL: [Isolation; 3] = [Isolation::Quick, Isolation::Case, Isolation::Both];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Isolation::Quick => "quick",
            Isolation::Case => "case",
            Isolation::Both => "both",
        }
    }
}

/// What the answers in a quick pass earn.
#[derive(Debug, Default)]
pub(super) struct QuickAnswers<'c> {
    answers: BTreeMap<&'c str, QuickAnswer>,
}

/// What the answer to one case earns.
#[derive(Clone, Copy, Debug)]
struct QuickAnswer {
    passed: bool,
    /// The share of its points, from 0 to 1.
    share: f64,
}

impl QuickAnswers<'_> {
    /// Whether a case passed.
    pub(super) fn has_passes(&self) -> bool {
        self.answers.values().any(|answer| answer.passed)
    }

    /// Whether this case passed.
    pub(super) fn passed(&self, case: &Case) -> bool {
        self.answers.get(case.name.as_str()).is_some_and(|answer| answer.passed)
    }

    /// The share of the points of a case, from 0 to 1; nothing for one that was not answered in full.
    pub(super) fn share(&self, case: &Case) -> f64 {
        self.answers.get(case.name.as_str()).map_or(0.0, |answer| answer.share)
    }
}

/// Replays `cases` one after the other in one process; nothing is answered if the submission leaves traces from case to case.
/// `limits` gives the limits of a case, and `judge` its outcome.
pub(super) fn quick_pass<'c>(
    adapter: &mut Subprocess<'_>,
    cases: &[&'c Case],
    cancel: &Cancel,
    limits: impl Fn(&Case) -> Limits,
    judge: impl Fn(&Case, &Transcript, &Dialect) -> Result<CaseOutcome, GradeError>,
) -> Result<QuickAnswers<'c>, GradeError> {
    let quick: Vec<&Case> = cases.iter().copied().filter(|case| case.plan.only_calls()).collect();
    let mut answers = BTreeMap::new();
    // One case alone gains nothing.
    if quick.len() < 2 || !adapter.loads_again() {
        return Ok(QuickAnswers::default());
    }
    let (mut passed, mut failed) = (0, 0);
    for case in &quick {
        let transcript = match adapter.replay_quickly(&case.plan, &limits(case), quick.len())? {
            Quick::Observed(transcript) => Some(transcript),
            Quick::Stopped if adapter.shares_process() => break,
            Quick::NotPlain | Quick::Stopped => None,
            Quick::Unfit => return Ok(QuickAnswers::default()),
        };
        if let (Some(transcript), Some(dialect)) = (transcript, adapter.dialect()) {
            let outcome = judge(case, &transcript, dialect)?;
            let answer =
                QuickAnswer { passed: outcome.verdict == Verdict::Passed, share: outcome.share(case) };
            answers.insert(case.name.as_str(), answer);
            if answer.passed {
                passed += 1;
                continue;
            }
        }
        failed += 1;
        if cancel.is_cancelled() || failed >= MANY_FAILED && failed > passed {
            break;
        }
    }
    if !adapter.left_nothing()? {
        answers.clear();
    }
    Ok(QuickAnswers { answers })
}

/// Checks that a quick pass and the strict form report the same.
pub(super) fn agree(quick: &SubmissionReport, strict: &SubmissionReport) -> Result<(), Fault> {
    let same = |(quick, strict): &(&CaseReport, &CaseReport)| format!("{quick:?}") == format!("{strict:?}");
    let differs = quick.cases.iter().zip(&strict.cases).find(|pair| !same(pair));
    let what = match differs {
        None if format!("{quick:?}") == format!("{strict:?}") => return Ok(()),
        None => "beside its cases".to_owned(),
        Some((quick, strict)) => format!(
            "in the case `{}`: {} with --isolation quick, {} with --isolation case",
            quick.name,
            quick.verdict.name(),
            strict.verdict.name()
        ),
    };
    Err(Fault {
        message: format!("the two forms of grading differ {what}; please report this as an error of keur"),
    })
}
