//! Reports: one file a format, each a pure function from what happened to text.
//!
//! [`FORMATS`] is the registry. A format may write something for each submission as it is graded, and something when
//! all are. Student text reaches no report but through the format's own escaping.

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "the one format of that build needs a part of this")
)]

mod account;
mod audience;
#[cfg(feature = "cli")]
mod classroom;
#[cfg(feature = "cli")]
mod classroom50;
#[cfg(feature = "cli")]
mod csv;
#[cfg(feature = "cli")]
mod ctrf;
#[cfg(feature = "cli")]
mod dodona;
#[cfg(feature = "cli")]
mod exercism;
#[cfg(feature = "cli")]
mod github;
#[cfg(feature = "cli")]
mod github_output;
#[cfg(feature = "cli")]
mod gradescope;
#[cfg(feature = "cli")]
mod html;
#[cfg(feature = "cli")]
mod json;
#[cfg(feature = "cli")]
mod junit;
#[cfg(feature = "cli")]
mod markdown;
mod order;
#[cfg(feature = "cli")]
mod sarif;
#[cfg(feature = "cli")]
pub mod schema;
mod table;
#[cfg(feature = "cli")]
mod tap;
mod terminal;
pub mod words;

pub use audience::Audience;
pub use order::Order;

use crate::case::Points;
use crate::compare::Verdict;
use crate::event::{CaseReport, Finding, SubmissionReport};
use crate::messages::Lang;
use crate::value::syntax::Syntax;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A format of reports.
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, for the help.
    pub about: &'static str,
    /// How the name of its file ends, without the dot.
    pub extension: &'static str,
    /// Who reads it, unless another audience is asked for.
    pub audience: Audience,
    /// Variables of the environment that it tells of, for [`Options::variables`].
    pub variables: &'static [&'static str],
    submission: Of,
    end: fn(&[&SubmissionReport], &Options) -> String,
    pages: Option<fn(&[&SubmissionReport], &Options, TakePage<'_>)>,
}

/// Takes the name of a page's file, and its text.
pub type TakePage<'a> = &'a mut dyn FnMut(&str, &str);

/// What a format says of each submission, the how-manieth it is (from 0) given.
enum Of {
    /// All of it when it is graded.
    Graded(fn(&SubmissionReport, usize, &Options) -> String),
    /// Case by case: what opens it, each case, and what closes it.
    Cases {
        open: fn(&SubmissionReport, usize, &Options) -> String,
        case: fn(&SubmissionReport, &CaseReport, &Options) -> String,
        close: fn(&SubmissionReport, &Options) -> String,
    },
}

/// How much of a submission is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    opened: bool,
    cases: usize,
}

impl Format {
    /// A format of nothing.
    const NOTHING: Format = Format {
        name: "",
        about: "",
        extension: "txt",
        audience: Audience::Instructor,
        variables: &[],
        submission: Of::Graded(|_, _, _| String::new()),
        end: |_, _| String::new(),
        pages: None,
    };

    /// What is written when a submission is graded, the how-manieth it is (from 0) given.
    pub fn submission(&self, report: &SubmissionReport, index: usize, options: &Options) -> String {
        self.rest(report, index, Written::default(), options)
    }

    /// Whether something is written of a submission while it is being graded.
    pub fn is_live(&self) -> bool {
        matches!(self.submission, Of::Cases { .. })
    }

    /// What is written of a submission that has come so far, and is not yet `written`.
    pub fn so_far(
        &self,
        report: &SubmissionReport,
        index: usize,
        written: &mut Written,
        options: &Options,
    ) -> String {
        self.cases(&options.audience.sees(report), index, written, options)
    }

    /// What is written when a submission is graded of which some is `written`.
    pub fn rest(
        &self,
        report: &SubmissionReport,
        index: usize,
        mut written: Written,
        options: &Options,
    ) -> String {
        let report = options.audience.sees(report);
        match self.submission {
            Of::Graded(submission) => submission(&report, index, options),
            Of::Cases { close, .. } => {
                self.cases(&report, index, &mut written, options) + &close(&report, options)
            }
        }
    }

    fn cases(
        &self,
        report: &SubmissionReport,
        index: usize,
        written: &mut Written,
        options: &Options,
    ) -> String {
        let Of::Cases { open, case, .. } = self.submission else { return String::new() };
        let mut out = if written.opened { String::new() } else { open(report, index, options) };
        out.extend(report.cases.iter().skip(written.cases).map(|found| case(report, found, options)));
        *written = Written { opened: true, cases: report.cases.len() };
        out
    }

    /// What is written when all are.
    pub fn end(&self, reports: &[SubmissionReport], options: &Options) -> String {
        let seen = seen(reports, options);
        (self.end)(&seen.iter().map(AsRef::as_ref).collect::<Vec<_>>(), options)
    }

    /// Whether it may also be written as a folder of pages.
    pub fn has_pages(&self) -> bool {
        self.pages.is_some()
    }

    /// Gives each page of the folder to `take`, when all are graded.
    pub fn pages(&self, reports: &[SubmissionReport], options: &Options, take: TakePage<'_>) {
        if let Some(pages) = self.pages {
            let seen = seen(reports, options);
            pages(&seen.iter().map(AsRef::as_ref).collect::<Vec<_>>(), options, take);
        }
    }
}

/// Reports in the order asked for, as their audience may see them.
fn seen<'a>(reports: &'a [SubmissionReport], options: &Options) -> Vec<Cow<'a, SubmissionReport>> {
    let mut ordered: Vec<&SubmissionReport> = reports.iter().collect();
    options.order.sort(&mut ordered);
    ordered.into_iter().map(|report| options.audience.sees(report)).collect()
}

/// Every format.
#[cfg(feature = "cli")]
pub const FORMATS: &[Format] = &[
    terminal::FORMAT,
    json::FORMAT,
    html::FORMAT,
    csv::FORMAT,
    markdown::FORMAT,
    github::FORMAT,
    github_output::FORMAT,
    classroom::FORMAT,
    classroom50::FORMAT,
    gradescope::FORMAT,
    exercism::FORMAT,
    dodona::FORMAT,
    junit::FORMAT,
    junit::RICH,
    tap::FORMAT,
    ctrf::FORMAT,
    sarif::FORMAT,
];

/// The one format that the tests of a submission in Rust need.
#[cfg(not(feature = "cli"))]
pub const FORMATS: &[Format] = &[terminal::FORMAT];

/// The format called `name`.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// What a report adapts to.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether colours may be used; no meaning is in them alone.
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// The language of the words; that of the exercise when none is asked for.
    pub lang: Option<Lang>,
    /// Whether the report is of many submissions, so that what passed is left out.
    pub many: bool,
    /// Whether the report is of one case as a test of its own, which says nothing of the points of the whole.
    pub alone: bool,
    /// Who reads it.
    pub audience: Audience,
    /// The order of what is written when all submissions are graded.
    pub order: Order,
    /// Those variables of the environment that the format asks for and that are set.
    pub variables: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            colour: false,
            width: 100,
            lang: None,
            many: false,
            alone: false,
            audience: Audience::default(),
            order: Order::default(),
            variables: BTreeMap::new(),
        }
    }
}

impl Options {
    /// The language for a submission.
    fn lang(&self, report: &SubmissionReport) -> Lang {
        self.lang.or_else(|| report.exercise.as_ref().map(|exercise| exercise.lang)).unwrap_or(Lang::En)
    }
}

/// The last words on points and cases: `11.03 of 20 points · 16 of 25 cases passed`.
pub fn totals(lang: Lang, (points, most): (Points, Points), (passed, ran): (usize, usize)) -> String {
    let words = words::Words::new(lang);
    format!("{} · {}", words.points_of(points, most), words.cases_of(passed, ran))
}

/// The failed cases with their findings, or none where it is not told. What is wrong before the first step is wrong
/// for every case: once is enough.
fn findings(report: &SubmissionReport) -> Vec<(&CaseReport, Option<&Finding>)> {
    let mut found: Vec<(&CaseReport, Option<&Finding>)> = Vec::new();
    for case in &report.cases {
        let finding = case.finding.as_deref();
        let same = |(_, earlier): &(&CaseReport, Option<&Finding>)| match (earlier, finding) {
            (Some(earlier), Some(finding)) => {
                finding.step == 0
                    && earlier.step == 0
                    && (&earlier.slip, &earlier.exception) == (&finding.slip, &finding.exception)
            }
            (None, _) | (_, None) => false,
        };
        if (finding.is_some() || case.verdict == Verdict::Failed) && !found.iter().any(same) {
            found.push((case, finding));
        }
    }
    found
}

/// The name of a case among all of a run, as `keur test` names its test; with that of the submission where there are
/// many.
fn identity(report: &SubmissionReport, case: &CaseReport, many: bool) -> String {
    let exercise = report.exercise.as_ref().map_or("keur", |exercise| &exercise.name);
    let name = format!("{exercise}::{}", case.name);
    if many { format!("{}::{name}", report.name) } else { name }
}

/// How the language of a submission writes values.
fn syntax(report: &SubmissionReport) -> Syntax {
    report.runtime.as_ref().map_or(Syntax::Python, |runtime| runtime.syntax)
}
