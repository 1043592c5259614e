//! Reports: one file a format, each a pure function from what happened to text.
//!
//! [`FORMATS`] is the registry. A format may write something for each submission as it is graded, and something when
//! all are. Student text reaches no report but through the format's own escaping.

mod github;
mod github_output;
mod json;
mod markdown;
mod terminal;
pub mod words;

use crate::case::Lang;
use crate::event::{CaseReport, Finding, SubmissionReport};
use crate::value::syntax::Syntax;

/// A format of reports.
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, for the help.
    pub about: &'static str,
    /// What is written when a submission is graded, the how-manieth it is (from 0) given.
    pub submission: fn(&SubmissionReport, usize, &Options) -> String,
    /// What is written when all are.
    pub end: fn(&[SubmissionReport], &Options) -> String,
}

/// Every format.
pub const FORMATS: &[Format] =
    &[terminal::FORMAT, json::FORMAT, markdown::FORMAT, github::FORMAT, github_output::FORMAT];

/// The format called `name`.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// What a report adapts to.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether colours may be used; no meaning is in them alone.
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// The language of the words; that of the exercise when none is asked for.
    pub lang: Option<Lang>,
    /// Whether the report is of many submissions, so that what passed is left out.
    pub many: bool,
}

impl Options {
    /// The language for a submission.
    fn lang(&self, report: &SubmissionReport) -> Lang {
        self.lang.or_else(|| report.exercise.as_ref().map(|exercise| exercise.lang)).unwrap_or(Lang::En)
    }
}

/// The failed cases with their findings. What is wrong before the first step is wrong for every case: once is enough.
fn findings(report: &SubmissionReport) -> Vec<(&CaseReport, &Finding)> {
    let mut found: Vec<(&CaseReport, &Finding)> = Vec::new();
    for case in &report.cases {
        let Some(finding) = case.finding.as_deref() else { continue };
        let same = |(_, earlier): &(&CaseReport, &Finding)| {
            earlier.step == 0 && (&earlier.slip, &earlier.exception) == (&finding.slip, &finding.exception)
        };
        if finding.step != 0 || !found.iter().any(same) {
            found.push((case, finding));
        }
    }
    found
}

/// How the language of a submission writes values.
fn syntax(report: &SubmissionReport) -> Syntax {
    report.runtime.as_ref().map_or(Syntax::Python, |runtime| runtime.syntax)
}
