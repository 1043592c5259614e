//! One-line accounts of a case, for reports in plain text.
//!
//! They hold no character that a terminal obeys, or that XML or YAML cannot represent.

use super::words::Words;
use super::{Options, notation};
use crate::compare::Verdict;
use crate::compare::diff::visible;
use crate::event::{CaseReport, SubmissionReport};

/// Characters of a line.
const MOST_CHARS: usize = 400;

/// Describes the cases of one submission.
pub(super) struct Account<'r> {
    pub(super) words: Words,
    pub(super) report: &'r SubmissionReport,
    pub(super) options: &'r Options,
}

impl<'r> Account<'r> {
    pub(super) fn new(report: &'r SubmissionReport, options: &'r Options) -> Account<'r> {
        Account { words: Words::new(options.lang(report)), report, options }
    }

    /// The title of a case.
    pub(super) fn title<'c>(&self, case: &'c CaseReport) -> &'c str {
        case.title.get(self.options.lang(self.report))
    }

    /// Why a case did not pass, on one line; `None` if it passed.
    pub(super) fn sentence(&self, case: &CaseReport) -> Option<String> {
        let sentence = match (&case.finding, case.verdict) {
            (_, Verdict::Passed) => return None,
            (Some(finding), _) => self.words.sentence(finding, notation(self.report)),
            (None, Verdict::Failed) => self.words.say("label-hidden"),
            (None, verdict) => self.words.verdict(verdict),
        };
        Some(line(&sentence))
    }
}

/// Why a submission was not graded, on one line.
pub(super) fn error(report: &SubmissionReport, options: &Options) -> Option<String> {
    let error = report.error.as_ref()?;
    Some(line(&Words::new(options.lang(report)).error(error)))
}

/// A text on one line, shortened if it is long.
pub(super) fn line(text: &str) -> String {
    let text = visible(text, false);
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
