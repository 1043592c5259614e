//! Where the reports of a run go: standard output takes one, files any number.

use super::{Exit, StyleArgs, output};
use crate::event::{Event, SubmissionReport};
use crate::messages::Lang;
use crate::report::{self, Audience, Format, Options, Order, Report};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A report that was asked for, as `FORMAT` or `FORMAT=PATH`.
#[derive(Clone)]
pub(super) struct Asked {
    format: &'static Format,
    /// The file to write; none for standard output.
    path: Option<PathBuf>,
    /// Who reads this one, whoever reads the others.
    audience: Option<Audience>,
}

impl Asked {
    /// A report of a format to standard output.
    pub(super) fn output(format: &str) -> Option<Asked> {
        Some(Asked { format: report::find(format)?, path: None, audience: None })
    }

    /// A report as for a terminal, in a file.
    pub(super) fn terminal(path: PathBuf, audience: Audience) -> Option<Asked> {
        let format = report::find("terminal")?;
        Some(Asked { format, path: Some(path), audience: Some(audience) })
    }
}

/// Reads what was asked for.
pub(super) fn asked(text: &str) -> Result<Asked, String> {
    let (name, path) = match text.split_once('=') {
        Some((_, "")) => return Err("a path follows the `=`".to_owned()),
        Some((name, path)) => (name, Some(PathBuf::from(path))),
        None => (text, None),
    };
    match report::find(name) {
        Some(format) => Ok(Asked { format, path, audience: None }),
        None => Err(format!("it is one of {}, and may have =PATH after it", names())),
    }
}

/// The names of the formats, for the help.
pub(super) fn names() -> String {
    report::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// Everything that a run writes reports to.
pub(super) struct Sinks(Vec<Sink>);

struct Sink {
    place: Place,
    /// Why the place has not all of the report.
    lost: Option<io::Error>,
}

/// Where a report goes.
enum Place {
    Output(Report),
    File(PathBuf, File, Report),
    /// A folder of pages, of these submissions.
    Folder(PathBuf, &'static Format, Box<Options>, Vec<Arc<SubmissionReport>>),
}

impl Sinks {
    /// Opens what was asked for, before anything is graded.
    ///
    /// # Errors
    /// Two reports go to the same place, or a file cannot be written: the exit code, and a message.
    pub(super) fn open(
        asked: &[Asked],
        style: &StyleArgs,
        lang: Option<Lang>,
        (audience, order): (Option<Audience>, Order),
        many: bool,
    ) -> Result<Sinks, (Exit, String)> {
        let mut sinks = Vec::new();
        for (index, Asked { format, path, audience: own }) in asked.iter().enumerate() {
            if asked.iter().take(index).any(|earlier| earlier.path == *path) {
                let place =
                    path.as_ref().map_or("standard output".to_owned(), |path| format!("{}", path.display()));
                let message = format!(
                    "two reports would go to {place}; write --format {}=PATH to have this one in another file",
                    format.name
                );
                return Err((Exit::Usage, message));
            }
            let audience = own.or(audience).unwrap_or(format.audience);
            let variables = format
                .variables
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
            let mut options = Options {
                alone: false,
                colour: style.color == "always",
                width: output::WIDTH,
                lang,
                many,
                audience,
                order,
                variables: variables.collect(),
            };
            let place = match path {
                Some(path) => place(format, path, options)?,
                None => {
                    options.colour = output::colour(&style.color, &io::stdout());
                    options.width = output::width();
                    Place::Output(format.begin(options))
                }
            };
            sinks.push(Sink { place, lost: None });
        }
        Ok(Sinks(sinks))
    }

    /// Writes what each report says of what happened.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.0.iter_mut().for_each(|sink| sink.event(event));
    }

    /// What could not be written.
    pub(super) fn lost(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|sink| match (&sink.place, &sink.lost) {
            (Place::File(path, ..) | Place::Folder(path, ..), Some(error)) => {
                Some(format!("{}: cannot be written: {error}", path.display()))
            }
            (Place::Output(_), _) | (_, None) => None,
        })
    }
}

impl Sink {
    fn event(&mut self, event: &Event<'_>) {
        match &mut self.place {
            Place::Output(report) => output::out(&report.event(event)),
            Place::File(_, file, report) => {
                let text = report.event(event);
                if self.lost.is_none() {
                    self.lost = file.write_all(text.as_bytes()).err();
                }
            }
            Place::Folder(path, format, options, kept) => match event {
                Event::SubmissionFinished { report } => kept.push(Arc::clone(report)),
                Event::RunFinished => self.lost = write_pages(path, format, kept, options),
                Event::RunStarted { .. } | Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
            },
        }
    }
}

/// Opens `path` for a report: as a folder where it is one, or its name ends as one of a folder does.
fn place(format: &'static Format, path: &Path, options: Options) -> Result<Place, (Exit, String)> {
    let fault = |error: io::Error| (Exit::Fault, format!("{}: cannot be written: {error}", path.display()));
    let named = path.to_string_lossy().ends_with(std::path::is_separator);
    if !named && !path.is_dir() {
        let file = File::create(path).map_err(fault)?;
        return Ok(Place::File(path.to_owned(), file, format.begin(options)));
    }
    if !format.has_pages() {
        let message = format!("{}: it is a folder; {} goes to a file", path.display(), format.name);
        return Err((Exit::Usage, message));
    }
    fs::create_dir_all(path).map_err(fault)?;
    // Whether pages can be written there is said now, not when all is graded.
    tempfile::Builder::new().prefix(".keur").tempfile_in(path).map_err(fault)?;
    Ok(Place::Folder(path.to_owned(), format, Box::new(options), Vec::new()))
}

/// Writes every page; gives why one could not be.
fn write_pages(
    path: &Path,
    format: &Format,
    reports: &[Arc<SubmissionReport>],
    options: &Options,
) -> Option<io::Error> {
    let mut lost = None;
    format.pages(reports, options, &mut |name, text| {
        if lost.is_none() {
            lost = fs::write(path.join(name), text).err();
        }
    });
    lost
}
