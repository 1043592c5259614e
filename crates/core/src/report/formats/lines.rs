//! One-line texts that only reports for other programs need.

use crate::event::SubmissionReport;
use crate::messages::LocalText;
use crate::report::case_writer::{CaseWriter, line};
use crate::report::words::Words;
use crate::report::{Cause, Options};

impl CaseWriter<'_> {
    /// The heading of a group.
    pub(super) fn heading<'h>(&self, heading: &'h LocalText) -> &'h str {
        heading.get(self.lang)
    }

    /// The heading of a failed case: its title and verdict. A problem before the first step belongs to no
    /// case.
    pub(super) fn headline(&self, cause: &Cause<'_>) -> String {
        let verdict = self.words.outcome(cause.case);
        if cause.is_before_the_first_step() {
            return verdict;
        }
        format!("{} · {verdict}", self.title(cause.case))
    }
}

/// The reason why a submission was not graded, on one line.
pub(super) fn error(report: &SubmissionReport, options: &Options) -> Option<String> {
    let error = report.error.as_ref()?;
    Some(line(&Words::new(options.lang(report)).error(error)))
}

/// The state of a submission that was not graded, and why, on one line.
pub(super) fn ungraded(report: &SubmissionReport, options: &Options) -> Option<String> {
    let error = report.error.as_ref()?;
    Some(line(&Words::new(options.lang(report)).state_and_reason(error)))
}
