//! Reports: one file a format, each a pure function from what happened to text.
//!
//! [`FORMATS`] is the registry. A format may write something for each submission as it is graded, and something when
//! all are. Student text reaches no report but through the format's own escaping.

mod json;
mod terminal;
pub mod words;

use crate::case::Lang;
use crate::event::SubmissionReport;

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
pub const FORMATS: &[Format] = &[terminal::FORMAT, json::FORMAT];

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
