//! The quick pass: which cases a submission plainly passes when one process answers for all of them.
//!
//! Expected values never enter the process, so only a program that computes a right answer gives it; a failure is a
//! claim that must be fair. Everything else is therefore graded strictly, each case in a process of its own.

use super::error::GradeError;
use crate::adapter::{Dialect, Fault, Quick, Subprocess, Transcript};
use crate::case::Case;
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use crate::sandbox::{Cancel, Limits};
use std::collections::BTreeSet;

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

/// The names of those of `cases` that plainly pass; none if the submission leaves traces from case to case. `limits` gives
/// the limits of a case, and `judge` its verdict.
pub(super) fn quick_pass<'c>(
    adapter: &mut Subprocess<'_>,
    cases: &[&'c Case],
    cancel: &Cancel,
    limits: impl Fn(&Case) -> Limits,
    judge: impl Fn(&Case, &Transcript, &Dialect) -> Result<Verdict, GradeError>,
) -> Result<BTreeSet<&'c str>, GradeError> {
    let quick: Vec<&Case> = cases.iter().copied().filter(|case| case.plan.only_calls()).collect();
    let mut passed = BTreeSet::new();
    // One case alone gains nothing.
    if quick.len() < 2 || !adapter.loads_again() {
        return Ok(passed);
    }
    let mut failed = 0;
    for case in &quick {
        let transcript = match adapter.replay_quickly(&case.plan, &limits(case), quick.len())? {
            Quick::Observed(transcript) => Some(transcript),
            Quick::Stopped if adapter.shares_process() => break,
            Quick::NotPlain | Quick::Stopped => None,
            Quick::Unfit => return Ok(BTreeSet::new()),
        };
        if let (Some(transcript), Some(dialect)) = (transcript, adapter.dialect())
            && judge(case, &transcript, dialect)? == Verdict::Passed
        {
            passed.insert(case.name.as_str());
            continue;
        }
        failed += 1;
        if cancel.is_cancelled() || failed >= MANY_FAILED && failed > passed.len() {
            break;
        }
    }
    // What a process has seen of a hidden case must not come out in a visible one.
    if !adapter.left_nothing(quick.iter().all(|case| !case.hidden))? {
        passed.clear();
    }
    Ok(passed)
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
