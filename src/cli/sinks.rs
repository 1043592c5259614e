//! Where the reports of a run go: standard output takes one, files any number.

use super::{Exit, StyleArgs, output};
use crate::event::SubmissionReport;
use crate::messages::Lang;
use crate::report::{self, Audience, Format, Options, Order, Written};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    format: &'static Format,
    options: Options,
    place: Place,
    /// What is written of the submission that is being graded.
    written: Written,
    /// Why the place has not all of the report.
    lost: Option<io::Error>,
}

/// Where a report goes.
enum Place {
    Output,
    File(PathBuf, File),
    /// A folder of pages.
    Folder(PathBuf),
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
                Some(path) => place(format, path)?,
                None => {
                    options.colour = output::colour(&style.color, &io::stdout());
                    options.width = output::width();
                    Place::Output
                }
            };
            sinks.push(Sink { format, options, place, written: Written::default(), lost: None });
        }
        Ok(Sinks(sinks))
    }

    /// Writes what each format says of a submission, the how-manieth it is (from 0) given.
    pub(super) fn submission(&mut self, report: &SubmissionReport, index: usize) {
        for sink in &mut self.0 {
            let written = std::mem::take(&mut sink.written);
            sink.write(&sink.format.rest(report, index, written, &sink.options));
        }
    }

    /// Whether one of the formats writes of a submission while it is being graded.
    pub(super) fn are_live(&self) -> bool {
        self.0.iter().any(|sink| sink.format.is_live())
    }

    /// Writes what such formats say of a submission that has come so far, the next one to be written.
    pub(super) fn so_far(&mut self, report: &SubmissionReport, index: usize) {
        for sink in &mut self.0 {
            let text = sink.format.so_far(report, index, &mut sink.written, &sink.options);
            sink.write(&text);
        }
    }

    /// Writes what each format says at the end; gives what could not be written.
    pub(super) fn end(&mut self, reports: &[SubmissionReport]) -> Vec<String> {
        for sink in &mut self.0 {
            match &sink.place {
                Place::Folder(path) => sink.lost = write_pages(path, sink.format, reports, &sink.options),
                Place::Output | Place::File(..) => sink.write(&sink.format.end(reports, &sink.options)),
            }
        }
        let lost = self.0.iter().filter_map(|sink| match (&sink.place, &sink.lost) {
            (Place::File(path, _) | Place::Folder(path), Some(error)) => {
                Some(format!("{}: cannot be written: {error}", path.display()))
            }
            (Place::Output, _) | (_, None) => None,
        });
        lost.collect()
    }
}

impl Sink {
    fn write(&mut self, text: &str) {
        match &mut self.place {
            Place::Output => output::out(text),
            Place::File(_, file) if self.lost.is_none() => self.lost = file.write_all(text.as_bytes()).err(),
            // The end has all that is in a folder.
            Place::File(..) | Place::Folder(..) => {}
        }
    }
}

/// Opens `path` for a report: as a folder where it is one, or its name ends as one of a folder does.
fn place(format: &Format, path: &Path) -> Result<Place, (Exit, String)> {
    let fault = |error: io::Error| (Exit::Fault, format!("{}: cannot be written: {error}", path.display()));
    let named = path.to_string_lossy().ends_with(std::path::is_separator);
    if !named && !path.is_dir() {
        return Ok(Place::File(path.to_owned(), File::create(path).map_err(fault)?));
    }
    if !format.has_pages() {
        let message = format!("{}: it is a folder; {} goes to a file", path.display(), format.name);
        return Err((Exit::Usage, message));
    }
    fs::create_dir_all(path).map_err(fault)?;
    // Whether pages can be written there is said now, not when all is graded.
    tempfile::Builder::new().prefix(".keur").tempfile_in(path).map_err(fault)?;
    Ok(Place::Folder(path.to_owned()))
}

/// Writes every page; gives why one could not be.
fn write_pages(
    path: &Path,
    format: &Format,
    reports: &[SubmissionReport],
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
