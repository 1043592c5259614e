//! Where the reports of a run go: standard output takes one, files any number.

use super::{Exit, StyleArgs, output};
use crate::case::Lang;
use crate::event::SubmissionReport;
use crate::report::{self, Format, Options};
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

/// A report that was asked for, as `FORMAT` or `FORMAT=PATH`.
#[derive(Clone)]
pub(super) struct Asked {
    format: &'static Format,
    /// The file to write; none for standard output.
    path: Option<PathBuf>,
}

/// Reads what was asked for.
pub(super) fn asked(text: &str) -> Result<Asked, String> {
    let (name, path) = match text.split_once('=') {
        Some((_, "")) => return Err("a path follows the `=`".to_owned()),
        Some((name, path)) => (name, Some(PathBuf::from(path))),
        None => (text, None),
    };
    match report::find(name) {
        Some(format) => Ok(Asked { format, path }),
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
    /// None for standard output.
    file: Option<(PathBuf, File)>,
    /// Why the file has not all of the report.
    lost: Option<io::Error>,
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
        many: bool,
    ) -> Result<Sinks, (Exit, String)> {
        let mut sinks = Vec::new();
        for (index, Asked { format, path }) in asked.iter().enumerate() {
            if asked.iter().take(index).any(|earlier| earlier.path == *path) {
                let place =
                    path.as_ref().map_or("standard output".to_owned(), |path| format!("{}", path.display()));
                let message = format!(
                    "two reports would go to {place}; write --format {}=PATH to have this one in another file",
                    format.name
                );
                return Err((Exit::Usage, message));
            }
            let mut options = Options { colour: style.color == "always", width: output::WIDTH, lang, many };
            let file = match path {
                Some(path) => {
                    let file = File::create(path).map_err(|error| {
                        (Exit::Fault, format!("{}: cannot be written: {error}", path.display()))
                    })?;
                    Some((path.clone(), file))
                }
                None => {
                    options.colour = output::colour(&style.color, &io::stdout());
                    options.width = output::width();
                    None
                }
            };
            sinks.push(Sink { format, options, file, lost: None });
        }
        Ok(Sinks(sinks))
    }

    /// Writes what each format says of a submission, the how-manieth it is (from 0) given.
    pub(super) fn submission(&mut self, report: &SubmissionReport, index: usize) {
        for sink in &mut self.0 {
            sink.write(&(sink.format.submission)(report, index, &sink.options));
        }
    }

    /// Writes what each format says at the end; gives what could not be written.
    pub(super) fn end(&mut self, reports: &[SubmissionReport]) -> Vec<String> {
        for sink in &mut self.0 {
            sink.write(&(sink.format.end)(reports, &sink.options));
        }
        let lost = self.0.iter().filter_map(|sink| {
            let ((path, _), error) = (sink.file.as_ref()?, sink.lost.as_ref()?);
            Some(format!("{}: cannot be written: {error}", path.display()))
        });
        lost.collect()
    }
}

impl Sink {
    fn write(&mut self, text: &str) {
        match &mut self.file {
            None => output::out(text),
            Some((_, file)) if self.lost.is_none() => self.lost = file.write_all(text.as_bytes()).err(),
            Some(_) => {}
        }
    }
}
