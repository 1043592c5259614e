//! Reports: turn events into text, without any input or output.
//!
//! [`TERMINAL`] is the report that people read during a run; `formats` has all of them. A format begins a
//! [`Report`], which receives every [`Event`] of a run and returns the text to write. Student text reaches a
//! report only through the format's own escaping.

mod audience;
mod case_writer;
mod causes;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod failed_test;
#[cfg(feature = "formats")]
pub mod formats;
mod groups;
mod hand_in;
#[cfg_attr(not(feature = "formats"), expect(dead_code, reason = "the terminal has one layout of four"))]
mod layout;
mod name_key;
mod order;
mod table;
mod terminal;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod wrap;

use crate::named;
pub use audience::Audience;
use audience::SeenSoFar;
use causes::{Cause, causes};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[doc(hidden)]
pub use failed_test::{FailedTest, failed_test};
use groups::groups;
pub use name_key::NameKey;
pub use order::Order;
pub use terminal::FORMAT as TERMINAL;

use crate::case::Points;
use crate::event::{Event, SubmissionReport, replay};
use crate::languages;
use crate::messages::Lang;
use crate::value::notation::Notation;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A format of reports.
///
/// `formats` has those of keur. One of your own takes what it leaves out from [`Format::NOTHING`]:
///
/// ```
/// use keur_core::event::SubmissionReport;
/// use keur_core::report::{Format, Options, at_the_end};
/// use std::sync::Arc;
///
/// const NAMES: Format = Format {
///     name: "names",
///     about: "the name of each submission",
///     reporter: || at_the_end(names),
///     ..Format::NOTHING
/// };
///
/// fn names(reports: &[&SubmissionReport], _: &Options) -> String {
///     reports.iter().map(|report| format!("{}\n", report.name)).collect()
/// }
///
/// let report = SubmissionReport::new("an", "an.py");
/// assert_eq!(NAMES.write(&[Arc::new(report)], &Options::default()), "an\n");
/// ```
pub struct Format {
    /// The format's name on the command line.
    pub name: &'static str,
    /// A line about the format for the help.
    pub about: &'static str,
    /// The extension of its file, without the dot.
    pub extension: &'static str,
    /// The default audience.
    pub audience: Audience,
    /// The environment variables that it reports, for [`Options::variables`].
    pub variables: &'static [&'static str],
    /// Begins a report.
    pub reporter: fn() -> Box<dyn Reporter>,
    /// Writes a folder of pages, if the format has them.
    pub pages: Option<WritePages>,
}

/// Writes a folder of pages for submissions in the requested order.
pub type WritePages = fn(&[&SubmissionReport], &Options, TakePage<'_>);

/// Takes the name of a page's file, and its text.
pub type TakePage<'a> = &'a mut dyn FnMut(&str, &str);

/// Writes one report of a run. It keeps what it needs beyond the current event.
pub trait Reporter {
    /// Adds to `out` what the report says about an event.
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String);
}

/// A report in progress: a format and its options.
pub struct Report {
    reporter: Box<dyn Reporter>,
    options: Options,
    seen: SeenSoFar,
}

impl Report {
    /// The text that the report adds for an event, as far as its audience may know it.
    pub fn event(&mut self, event: &Event<'_>) -> String {
        let Report { reporter, options, seen } = self;
        let mut out = String::new();
        seen.event(options.audience, event, &mut |event| reporter.event(event, options, &mut out));
        out
    }
}

impl Format {
    /// A format that writes nothing, for instructors, into a file of text.
    pub const NOTHING: Format = Format {
        name: "",
        about: "",
        extension: "txt",
        audience: Audience::Instructor,
        variables: &[],
        reporter: || at_the_end(|_, _| String::new()),
        pages: None,
    };

    /// Begins a report, which must receive every event of a run.
    pub fn begin(&self, options: Options) -> Report {
        Report { reporter: (self.reporter)(), options, seen: SeenSoFar::default() }
    }

    /// The whole report of graded submissions.
    pub fn write(&self, reports: &[Arc<SubmissionReport>], options: &Options) -> String {
        let mut report = self.begin(options.clone());
        let mut out = String::new();
        replay(reports, &mut |event| out += &report.event(event));
        out
    }

    /// Returns true if the format can also write a folder of pages.
    pub fn has_pages(&self) -> bool {
        self.pages.is_some()
    }

    /// Gives each page of the folder to `take`, once all are graded.
    pub fn pages(&self, reports: &[Arc<SubmissionReport>], options: &Options, take: TakePage<'_>) {
        if let Some(pages) = self.pages {
            let seen: Vec<_> = reports.iter().map(|report| options.audience.sees(report)).collect();
            pages(&in_order(&seen, options), options, take);
        }
    }
}

/// The reports in the requested order.
fn in_order<'a>(reports: &'a [Arc<SubmissionReport>], options: &Options) -> Vec<&'a SubmissionReport> {
    let mut ordered: Vec<&SubmissionReport> = reports.iter().map(AsRef::as_ref).collect();
    options.order.sort(&mut ordered, options);
    ordered
}

/// A report that is written when the run has finished.
struct AtTheEnd {
    write: fn(&[&SubmissionReport], &Options) -> String,
    /// The most findings of a submission that it needs.
    findings: usize,
    kept: Vec<Arc<SubmissionReport>>,
}

/// Begins a report that `write` writes when the run has finished, of the submissions in the requested order.
pub fn at_the_end(write: fn(&[&SubmissionReport], &Options) -> String) -> Box<dyn Reporter> {
    Box::new(AtTheEnd { write, findings: usize::MAX, kept: Vec::new() })
}

/// A report without the text of files, and with the findings of at most this many causes, as they are shown: what a
/// table needs of a submission. Findings take most of the memory of a class.
fn abridged(report: &Arc<SubmissionReport>, findings: usize) -> Arc<SubmissionReport> {
    let found = report.cases.iter().filter(|case| case.finding.is_some()).count();
    if found <= findings {
        return Arc::clone(report);
    }
    let shown: Vec<&str> =
        causes(report).into_iter().take(findings).map(|cause| cause.case.name.as_str()).collect();
    let mut rest = report.without_cases();
    rest.sources = Vec::new();
    rest.cases.reserve_exact(report.cases.len());
    for case in &report.cases {
        let mut case = case.clone();
        if !shown.contains(&case.name.as_str()) {
            (case.finding, case.consequences, case.trials) = (None, Vec::new(), Vec::new());
        }
        rest.cases.push(case);
    }
    Arc::new(rest)
}

impl Reporter for AtTheEnd {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::SubmissionFinished { report } => self.kept.push(abridged(report, self.findings)),
            Event::RunFinished => *out += &(self.write)(&in_order(&self.kept, options), options),
            _ => {}
        }
    }
}

/// The options of a report.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether colours may be used; none carries meaning alone.
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// The language of the text; by default that of the exercise.
    pub lang: Option<Lang>,
    /// The title of the class whose submissions these are. Formats of services for one submission, and
    /// tables, have no place for it.
    pub title: Option<String>,
    /// The extent of the report.
    pub scope: Scope,
    /// The readers.
    pub audience: Audience,
    /// The order of the submissions once all are graded.
    pub order: Order,
    /// The findings that a terminal shows; by default those of three causes of one submission, and none of many.
    pub findings: Option<ShownFindings>,
    /// The environment variables that the format asks for and that are set.
    pub variables: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            colour: false,
            width: 100,
            lang: None,
            title: None,
            scope: Scope::default(),
            audience: Audience::default(),
            order: Order::default(),
            findings: None,
            variables: BTreeMap::new(),
        }
    }
}

/// The extent of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// One submission, with its cases that passed.
    #[default]
    OneSubmission,
    /// One case as a separate test, without the total points.
    OneTest,
    /// Many submissions, without what passed.
    Many,
}

/// The findings of each submission that a report shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownFindings {
    /// Every one.
    All,
    /// The first one.
    First,
    /// None.
    None,
}

named!(ShownFindings { All = "all", First = "first", None = "none" });

impl Options {
    /// The language for a submission.
    fn lang(&self, report: &SubmissionReport) -> Lang {
        self.lang.or_else(|| report.exercise.as_ref().map(|exercise| exercise.lang)).unwrap_or(Lang::En)
    }
}

/// Points earned, out of the most that can be.
#[derive(Clone, Copy, Debug)]
pub struct Grade {
    /// Points earned.
    pub points: Points,
    /// The most points.
    pub most: Points,
}

/// Cases that passed, out of those that ran.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that ran.
    pub ran: usize,
}

/// The closing line on points and cases: `11.03 of 20 points · 16 of 25 cases passed`.
pub fn totals(lang: Lang, grade: Grade, cases: Tally) -> String {
    let words = words::Words::new(lang);
    format!("{} · {}", words.points_of(grade.points, grade.most), words.cases_of(cases.passed, cases.ran))
}

/// The notation of values in the language of a submission.
fn notation(report: &SubmissionReport) -> &'static dyn Notation {
    report.runtime.as_ref().map_or(languages::SESSION, |runtime| runtime.notation)
}
