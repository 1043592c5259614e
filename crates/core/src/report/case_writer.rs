//! Writes the cases of a submission for a report.
//!
//! A text on one line has no character that a terminal obeys, or that XML or YAML cannot represent.

use super::words::Words;
use super::{Options, notation};
use crate::case::StepNo;
use crate::compare::diff::visible;
use crate::event::{CaseReport, Finding, SessionLine, SubmissionReport};
use crate::messages::{Lang, shortened};

/// Characters of a line.
const MOST_CHARS: usize = 400;

/// The cases of one submission in the words of one language. The blocks of a case and its reason are made in
/// `report/layout`, its line in plain text in `report/formats/lines`.
pub(super) struct CaseWriter<'r> {
    pub(super) words: Words,
    pub(super) lang: Lang,
    pub(super) report: &'r SubmissionReport,
}

impl<'r> CaseWriter<'r> {
    pub(super) fn new(report: &'r SubmissionReport, options: &Options) -> CaseWriter<'r> {
        CaseWriter::in_lang(report, options.lang(report))
    }

    /// Writes in the language of a report that has several submissions.
    pub(super) fn in_lang(report: &'r SubmissionReport, lang: Lang) -> CaseWriter<'r> {
        CaseWriter { words: Words::new(lang), lang, report }
    }

    /// The title of a case.
    pub(super) fn title<'c>(&self, case: &'c CaseReport) -> &'c str {
        case.title.get(self.lang)
    }

    /// The sentence for a finding, without its step, on one line.
    pub(super) fn mistake(&self, finding: &Finding) -> String {
        line(&self.words.mistake(finding, notation(self.report)))
    }
}

/// The lines on what changed the points of a submission; empty if the cases alone decide them.
pub(super) fn adjustments(report: &SubmissionReport, words: &Words) -> Vec<String> {
    words.adjustments(report).iter().map(|sentence| line(sentence)).collect()
}

/// The lines of a session, with the number of each step before its first line.
pub(super) fn numbered(session: &[SessionLine]) -> impl Iterator<Item = String> {
    let last = session.iter().filter_map(|line| line.step).max().map_or(0, StepNo::get);
    let width = last.checked_ilog10().unwrap_or(0) as usize + 1;
    session.iter().map(move |line| {
        let number = line.step.map_or(String::new(), |step| step.to_string());
        format!("{number:>width$} {}", line.text)
    })
}

/// A text on one line, shortened if it is long.
pub(super) fn line(text: &str) -> String {
    shortened(&visible(text, false), MOST_CHARS).into_owned()
}
