//! The destinations of reports: one on standard output, any number in files.

use super::args::one_of;
use super::error::CliError;
use super::exit::RunStatus;
use super::output;
use crate::log::LogText;
use crate::writing::{NewFile, TargetFolder};
use clap::Args;
use keur_core::event::{Event, SubmissionReport};
use keur_core::messages::Lang;
use keur_core::report::{self, Audience, Format, Options, Order, Report, Scope, ShownFindings};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
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

impl FromStr for ReportRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<ReportRequest, String> {
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
}

/// The names of the formats, for the help.
pub(super) fn names() -> String {
    report::formats::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// The reports of a run, and who reads them.
#[derive(Args, Default)]
#[command(next_help_heading = "Reports")]
pub(super) struct ReportSettings {
    #[arg(long, value_name = "FORMAT[=PATH]", default_value = "terminal")]
    #[arg(help = format!("The format of a report: {}; =PATH writes the report to that file. May be given several times", names()))]
    pub(super) format: Vec<ReportRequest>,
    /// The language of the report: nl, da or en; that of the exercise by default
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    pub(super) lang: Option<Lang>,
    /// Who reads the reports: instructor or student. If a hidden case fails, a student sees only that it
    /// failed, its points and its hint. The default is student for formats that go to students, and
    /// instructor for all others
    #[arg(long, value_name = "WHO", value_parser = one_of::<Audience>())]
    pub(super) audience: Option<Audience>,
    /// The order of tables of submissions: given, name, exercise, or points (highest first)
    #[arg(long, value_name = "ORDER", value_parser = one_of::<Order>(), default_value = "given")]
    pub(super) sort: Order,
    /// The findings of each submission to show on the terminal: all, first or none. The default is
    /// those of three causes for one submission, and none for many
    #[arg(long, value_name = "WHICH", value_parser = one_of::<ShownFindings>())]
    pub(super) findings: Option<ShownFindings>,
    /// Exit with 0 when everything was graded, whatever the grades
    #[arg(long, help_heading = None)]
    pub(super) exit_zero: bool,
    /// The title of the class
    #[arg(skip)]
    pub(super) title: Option<String>,
}

impl ReportSettings {
    /// The audience of a report.
    fn audience(&self, request: &ReportRequest) -> Audience {
        request.audience.or(self.audience).unwrap_or(request.format.audience)
    }

    /// The audience of what is printed beside the reports: students, if all of the reports are for students.
    pub(super) fn reader(&self) -> Audience {
        let students = |request| self.audience(request) == Audience::Student;
        if self.format.iter().all(students) { Audience::Student } else { Audience::Instructor }
    }
}

/// All destinations of a run's reports.
pub(super) struct Sinks(Vec<Sink>);

struct Sink {
    destination: Destination,
    /// The reason why a report is incomplete.
    lost: Option<io::Error>,
}

/// The destination of a report.
enum Destination {
    Output(LogText, Report),
    File(FileSink),
    Folder(FolderSink),
}

struct FileSink {
    path: PathBuf,
    /// The file, which is not in its place yet; `None` once it is.
    file: Option<Box<NewFile>>,
    report: Report,
}

/// A folder of pages, which are written in the end.
struct FolderSink {
    path: PathBuf,
    folder: TargetFolder,
    format: &'static Format,
    options: Box<Options>,
    reports: Vec<Arc<SubmissionReport>>,
}

impl Sinks {
    /// Opens all destinations before anything is graded.
    ///
    /// # Errors
    /// Two reports have the same destination, or a file cannot be written.
    pub(super) fn open(settings: &ReportSettings, many: bool) -> Result<Sinks, CliError> {
        let requests = settings.format.iter().map(|request| (request.name(), request.path()));
        check_destinations(requests.collect())?;
        settings
            .format
            .iter()
            .map(|request| Sink::open(request, settings, many))
            .collect::<Result<_, _>>()
            .map(Sinks)
    }

    /// Writes an event to each report.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.0.iter_mut().for_each(|sink| sink.event(event));
    }

    /// Shows which reports could not be written.
    pub(super) fn finish(self) -> RunStatus {
        let lost = self.0.into_iter().filter_map(|sink| match (sink.destination, sink.lost?) {
            (
                Destination::File(FileSink { path, .. }) | Destination::Folder(FolderSink { path, .. }),
                source,
            ) => Some(CliError::Write { path, source }),
            // [`output::finish`] reports what standard output lacks.
            (Destination::Output(..), _) => None,
        });
        lost.map(|error| error.show()).max().unwrap_or(RunStatus::Passed)
    }
}

/// Refuses two reports with the same destination. Each has the name of its format, and a path, or none for
/// standard output.
pub(super) fn check_destinations(reports: Vec<(&str, Option<&Path>)>) -> Result<(), CliError> {
    for (index, (name, path)) in reports.iter().enumerate() {
        if reports.iter().take(index).any(|(_, earlier)| earlier == path) {
            let destination = path.map_or("standard output".to_owned(), |path| path.display().to_string());
            return Err(CliError::Usage(format!(
                "two reports would be written to {destination}; write this one to another file with --format {name}=PATH"
            )));
        }
    }
    Ok(())
}

/// The kind of text that a format writes.
fn log_text(format: &Format) -> LogText {
    match (format.name, format.extension) {
        ("github", _) => LogText::Commands,
        (_, "json" | "jsonl" | "sarif") => LogText::Json,
        (_, "xml") => LogText::Xml,
        _ => LogText::Plain,
    }
}

impl Sink {
    fn open(request: &ReportRequest, settings: &ReportSettings, many: bool) -> Result<Sink, CliError> {
        let format = request.format;
        let variables =
            format.variables.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
        let mut options = Options {
            colour: output::colour_in_files(),
            width: output::WIDTH,
            lang: settings.lang,
            title: settings.title.clone(),
            scope: if many { Scope::Many } else { Scope::OneSubmission },
            audience: settings.audience(request),
            order: settings.sort,
            findings: settings.findings,
            variables: variables.collect(),
        };
        let destination = match &request.path {
            Some(path) => Destination::at(path, format, options)?,
            None => {
                options.colour = output::colour(io::stdout());
                options.width = output::width();
                // On a terminal, the status above the report has the title.
                options.title = options.title.filter(|_| format.name != "terminal");
                Destination::Output(log_text(format), format.begin(options))
            }
        };
        Ok(Sink { destination, lost: None })
    }

    fn event(&mut self, event: &Event<'_>) {
        match &mut self.destination {
            Destination::Output(kind, report) => output::out_as(*kind, &report.event(event)),
            Destination::File(FileSink { file, report, .. }) => {
                let text = report.event(event);
                if self.lost.is_none()
                    && let Some(file) = file
                {
                    self.lost = file.write_all(text.as_bytes()).err();
                }
                // One that is incomplete does not take the place of another.
                if let Event::RunFinished = event
                    && let Some(file) = file.take().filter(|_| self.lost.is_none())
                {
                    self.lost = file.finish().err();
                }
            }
            Destination::Folder(pages) => match event {
                Event::SubmissionFinished { report } => pages.reports.push(Arc::clone(report)),
                Event::RunFinished => self.lost = pages.write().err(),
                _ => {}
            },
        }
    }
}

impl Destination {
    /// Opens `path` for a report: as a folder if it is one, or if its name looks like one. The folders that it is
    /// in are made where they are missing.
    fn at(path: &Path, format: &'static Format, options: Options) -> Result<Destination, CliError> {
        let named = path.to_string_lossy().ends_with(std::path::is_separator);
        if !named && !path.is_dir() {
            if let Some(folder) = path.parent().filter(|folder| !folder.exists())
                && folder != Path::new("")
            {
                TargetFolder::make(folder).map_err(CliError::write(path))?;
            }
            let file = NewFile::replacing(path).map_err(CliError::write(path))?;
            return Ok(Destination::File(FileSink {
                path: path.to_owned(),
                file: Some(Box::new(file)),
                report: format.begin(options),
            }));
        }
        if !format.has_pages() {
            let (path, name) = (path.display(), format.name);
            return Err(CliError::Usage(format!("{path}: this is a folder; {name} is written to a file")));
        }
        let folder = TargetFolder::make(path).map_err(CliError::write(path))?;
        // An error in writing pages is reported now, not after grading.
        folder.check().map_err(CliError::write(path))?;
        Ok(Destination::Folder(FolderSink {
            path: path.to_owned(),
            folder,
            format,
            options: Box::new(options),
            reports: Vec::new(),
        }))
    }
}

impl FolderSink {
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
