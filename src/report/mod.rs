//! Reports: one file a format, each from what happens to text, without input or output of its own.
//!
//! [`FORMATS`] is the registry. A format begins a [`Report`], which is told of every [`Event`] of a run and gives the text
//! to write. Student text reaches no report but through the format's own escaping.

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
use crate::event::{CaseReport, Event, Finding, SubmissionReport, replay};
use crate::messages::Lang;
use crate::value::syntax::Syntax;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A format of reports.
#[non_exhaustive]
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
    /// Begins a report.
    reporter: fn() -> Box<dyn Reporter>,
    /// Writes a folder of pages, where the format has them.
    pages: Option<fn(&[&SubmissionReport], &Options, TakePage<'_>)>,
}

/// Takes the name of a page's file, and its text.
pub type TakePage<'a> = &'a mut dyn FnMut(&str, &str);

/// Writes one report of a run. What needs more than the event at hand keeps it.
pub trait Reporter {
    /// Adds to `out` what the report says of what happened.
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String);
}

/// A report that is being written: a format, and what it adapts to.
pub struct Report {
    reporter: Box<dyn Reporter>,
    options: Options,
}

impl Report {
    /// What the report says of what happened, as far as its audience may know it.
    pub fn event(&mut self, event: &Event<'_>) -> String {
        let Report { reporter, options } = self;
        let audience = options.audience;
        let mut out = String::new();
        let mut tell = |event: &Event<'_>| reporter.event(event, options, &mut out);
        match *event {
            Event::CaseFinished { report, case } => {
                tell(&Event::CaseFinished { report, case: &audience.sees_case(report, case) });
            }
            Event::SubmissionFinished { report } => {
                tell(&Event::SubmissionFinished { report: &audience.sees(report) });
            }
            Event::RunStarted { .. } | Event::SubmissionStarted { .. } | Event::RunFinished => tell(event),
        }
        out
    }
}

impl Format {
    /// A format of nothing.
    const NOTHING: Format = Format {
        name: "",
        about: "",
        extension: "txt",
        audience: Audience::Instructor,
        variables: &[],
        reporter: || at_the_end(|_, _| String::new()),
        pages: None,
    };

    /// Begins a report, to be told of every event of a run.
    pub fn begin(&self, options: Options) -> Report {
        Report { reporter: (self.reporter)(), options }
    }

    /// The whole report of submissions that are graded.
    pub fn write(&self, reports: &[Arc<SubmissionReport>], options: &Options) -> String {
        let mut report = self.begin(options.clone());
        let mut out = String::new();
        replay(reports, &mut |event| out += &report.event(event));
        out
    }

    /// Whether it may also be written as a folder of pages.
    pub fn has_pages(&self) -> bool {
        self.pages.is_some()
    }

    /// Gives each page of the folder to `take`, when all are graded.
    pub fn pages(&self, reports: &[Arc<SubmissionReport>], options: &Options, take: TakePage<'_>) {
        if let Some(pages) = self.pages {
            let seen: Vec<_> = reports.iter().map(|report| options.audience.sees(report)).collect();
            pages(&in_order(&seen, options), options, take);
        }
    }
}

/// Reports in the order that is asked for.
fn in_order<'a>(reports: &'a [Arc<SubmissionReport>], options: &Options) -> Vec<&'a SubmissionReport> {
    let mut ordered: Vec<&SubmissionReport> = reports.iter().map(AsRef::as_ref).collect();
    options.order.sort(&mut ordered);
    ordered
}

/// A report that says all it has to say when the run has finished.
struct AtTheEnd {
    write: fn(&[&SubmissionReport], &Options) -> String,
    kept: Vec<Arc<SubmissionReport>>,
}

fn at_the_end(write: fn(&[&SubmissionReport], &Options) -> String) -> Box<dyn Reporter> {
    Box::new(AtTheEnd { write, kept: Vec::new() })
}

impl Reporter for AtTheEnd {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::SubmissionFinished { report } => self.kept.push(Arc::clone(report)),
            Event::RunFinished => *out += &(self.write)(&in_order(&self.kept, options), options),
            Event::RunStarted { .. } | Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
        }
    }
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
