//! The destinations of reports: one on standard output, any number in files.

use super::args::StyleArgs;
use super::exit::RunStatus;
use super::output::{self, LogText};
use crate::writing::{NewFile, TargetFolder};
use clap::ColorChoice;
use keur_core::event::{Event, SubmissionReport};
use keur_core::messages::Lang;
use keur_core::report::{self, Audience, Format, Options, Order, Report, ShownFindings};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A requested report, as `FORMAT` or `FORMAT=PATH`.
#[derive(Clone)]
pub(super) struct ReportRequest {
    format: &'static Format,
    /// The file to write; `None` for standard output.
    path: Option<PathBuf>,
    /// The reader of this report, which overrides that of the run.
    audience: Option<Audience>,
}

impl ReportRequest {
    /// A report in a format on standard output.
    pub(super) fn output(format: &str) -> Option<ReportRequest> {
        Some(ReportRequest { format: report::formats::find(format)?, path: None, audience: None })
    }

    /// The name of its format.
    pub(super) fn name(&self) -> &'static str {
        self.format.name
    }

    /// The file to write; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// A report in a file, as for a terminal.
    pub(super) fn terminal(path: PathBuf, audience: Audience) -> Option<ReportRequest> {
        let format = report::formats::find("terminal")?;
        Some(ReportRequest { format, path: Some(path), audience: Some(audience) })
    }
}

/// Parses a requested report.
pub(super) fn asked(text: &str) -> Result<ReportRequest, String> {
    let (name, path) = match text.split_once('=') {
        Some((_, "")) => return Err("write a path after the `=`".to_owned()),
        Some((name, path)) => (name, Some(PathBuf::from(path))),
        None => (text, None),
    };
    match report::formats::find(name) {
        Some(format) => Ok(ReportRequest { format, path, audience: None }),
        None => Err(format!("expected one of {}, with or without =PATH", names())),
    }
}

/// The names of the formats, for the help.
pub(super) fn names() -> String {
    report::formats::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// The requested reports of a run.
pub(super) struct Wanted<'a> {
    pub(super) formats: &'a [ReportRequest],
    pub(super) style: &'a StyleArgs,
    pub(super) lang: Option<Lang>,
    pub(super) audience: Option<Audience>,
    pub(super) order: Order,
    pub(super) findings: Option<ShownFindings>,
    /// Whether failed cases leave the exit code unchanged.
    pub(super) exit_zero: bool,
}

impl Wanted<'_> {
    /// Who reads a report in this request.
    fn audience(&self, request: &ReportRequest) -> Audience {
        request.audience.or(self.audience).unwrap_or(request.format.audience)
    }

    /// Who reads what is printed beside the reports: students, if all of them are for students.
    pub(super) fn reader(&self) -> Audience {
        let students = |request| self.audience(request) == Audience::Student;
        if self.formats.iter().all(students) { Audience::Student } else { Audience::Instructor }
    }
}

/// All destinations of a run's reports.
pub(super) struct Sinks(Vec<Sink>);

struct Sink {
    place: Destination,
    /// Why a report is incomplete.
    lost: Option<io::Error>,
}

/// The destination of a report.
enum Destination {
    Output(LogText, Report),
    /// A file that is not in its place yet; `None` once it is.
    File(PathBuf, Option<Box<NewFile>>, Report),
    Folder(PathBuf, Box<Pages>),
}

/// A folder of pages, which are written in the end.
struct Pages {
    folder: TargetFolder,
    format: &'static Format,
    options: Options,
    reports: Vec<Arc<SubmissionReport>>,
}

impl Sinks {
    /// Opens all destinations before anything is graded.
    ///
    /// # Errors
    /// Two reports have the same destination, or a file cannot be written: the exit code and a message.
    pub(super) fn open(wanted: &Wanted<'_>, many: bool) -> Result<Sinks, (RunStatus, String)> {
        let mut sinks = Vec::new();
        for (index, request) in wanted.formats.iter().enumerate() {
            let ReportRequest { format, path, audience: _ } = request;
            if wanted.formats.iter().take(index).any(|earlier| earlier.path() == request.path()) {
                let place =
                    request.path().map_or("standard output".to_owned(), |path| path.display().to_string());
                let message = format!(
                    "two reports would be written to {place}; write this one to another file with --format {}=PATH",
                    request.name()
                );
                return Err((RunStatus::Usage, message));
            }
            let variables = format
                .variables
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
            let mut options = Options {
                alone: false,
                colour: wanted.style.color == ColorChoice::Always,
                width: output::WIDTH,
                lang: wanted.lang,
                many,
                audience: wanted.audience(request),
                order: wanted.order,
                findings: wanted.findings,
                variables: variables.collect(),
            };
            let place = match path {
                Some(path) => place(format, path, options)?,
                None => {
                    options.colour = output::colour(wanted.style.color, io::stdout());
                    options.width = output::width();
                    Destination::Output(log_text(format), format.begin(options))
                }
            };
            sinks.push(Sink { place, lost: None });
        }
        Ok(Sinks(sinks))
    }

    /// Writes an event to each report.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.0.iter_mut().for_each(|sink| sink.event(event));
    }

    /// The reports that could not be written.
    pub(super) fn lost(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|sink| match (&sink.place, &sink.lost) {
            (Destination::File(path, ..) | Destination::Folder(path, ..), Some(error)) => {
                Some(format!("{}: cannot be written: {error}", path.display()))
            }
            (Destination::Output(..), _) | (_, None) => None,
        })
    }
}

/// What a format writes.
fn log_text(format: &Format) -> LogText {
    match (format.name, format.extension) {
        ("github", _) => LogText::Commands,
        (_, "json" | "jsonl" | "sarif") => LogText::Json,
        (_, "xml") => LogText::Xml,
        _ => LogText::Plain,
    }
}

impl Sink {
    fn event(&mut self, event: &Event<'_>) {
        match &mut self.place {
            Destination::Output(kind, report) => output::out_as(*kind, &report.event(event)),
            Destination::File(_, file, report) => {
                let text = report.event(event);
                if self.lost.is_none() {
                    self.lost = file.iter_mut().find_map(|file| file.write_all(text.as_bytes()).err());
                }
                // One that is incomplete does not take the place of another.
                if let Event::RunFinished = event
                    && let Some(file) = file.take().filter(|_| self.lost.is_none())
                {
                    self.lost = file.finish().err();
                }
            }
            Destination::Folder(_, pages) => match event {
                Event::SubmissionFinished { report } => pages.reports.push(Arc::clone(report)),
                Event::RunFinished => self.lost = pages.write().err(),
                Event::RunStarted { .. } | Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
            },
        }
    }
}

/// Opens `path` for a report: as a folder if it is one, or if its name looks like one.
fn place(format: &'static Format, path: &Path, options: Options) -> Result<Destination, (RunStatus, String)> {
    let fault =
        |error: io::Error| (RunStatus::Fault, format!("{}: cannot be written: {error}", path.display()));
    let named = path.to_string_lossy().ends_with(std::path::is_separator);
    if !named && !path.is_dir() {
        let file = NewFile::replacing(path).map_err(fault)?;
        return Ok(Destination::File(path.to_owned(), Some(Box::new(file)), format.begin(options)));
    }
    if !format.has_pages() {
        let message = format!("{}: this is a folder; {} is written to a file", path.display(), format.name);
        return Err((RunStatus::Usage, message));
    }
    let folder = TargetFolder::make(path).map_err(fault)?;
    // An error in writing pages is reported now, not after grading.
    folder.check().map_err(fault)?;
    Ok(Destination::Folder(path.to_owned(), Box::new(Pages { folder, format, options, reports: Vec::new() })))
}

impl Pages {
    /// Writes every page.
    fn write(&self) -> io::Result<()> {
        let mut written = Ok(());
        self.format.pages(&self.reports, &self.options, &mut |name, text| {
            if written.is_ok() {
                written = self.folder.write(name, text);
            }
        });
        written
    }
}
