//! The problems that `keur check` finds.

use crate::cli::error::CliError;
use crate::cli::exit::RunStatus;
use crate::cli::{output, underlined};
use keur_core::case::{Diagnostic, FileErrors, LibraryError, line_column, tame};
use keur_core::grade::CaseWarning;
use keur_core::judge::CheckError;
use std::io;
use std::ops::Range;

/// A problem with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The exit code that it leads to: a warning leads to none.
    pub(super) status: RunStatus,
    /// The path of the file as given, if the problem is in a file.
    pub(super) file: Option<String>,
    /// The place in the file.
    pub(super) place: Option<Place>,
    pub(super) message: String,
    /// The advice.
    pub(super) help: Option<String>,
    /// The problem for a person, with a line end.
    pub(super) text: String,
}

/// A place in a file: lines and columns from 1, in characters. The end is behind the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

impl Place {
    fn of(source: &str, span: &Range<usize>) -> Place {
        let (line, column) = line_column(source, span.start.min(source.len()));
        let (end_line, end_column) = line_column(source, span.end.clamp(span.start, source.len()));
        Place { line, column, end_line, end_column }
    }
}

impl Problem {
    /// The problems behind an error: one for each error in a file.
    pub(super) fn of_error(error: &CliError) -> Vec<Problem> {
        if let CliError::Library(library) = error
            && let LibraryError::Bad(files) = &**library
        {
            return files.iter().flat_map(|file| Problem::of_file(file, error.status())).collect();
        }
        let message = tame(&error.to_string());
        let text = error.text();
        vec![Problem { status: error.status(), file: None, place: None, message, help: None, text }]
    }

    fn of_file(errors: &FileErrors, status: RunStatus) -> impl Iterator<Item = Problem> {
        errors.diagnostics.iter().map(move |diagnostic| {
            let FileErrors { path, source, .. } = errors;
            Problem {
                status,
                file: Some(path.clone()),
                place: Some(Place::of(source, &diagnostic.span)),
                message: tame(&diagnostic.message),
                help: diagnostic.help.as_deref().map(tame),
                text: underlined_line(path, source, diagnostic),
            }
        })
    }

    /// A case whose reference does not meet its expectations; `sentence` says what is wrong, where both sides do
    /// not.
    pub(super) fn of_disagreement(error: &CheckError, sentence: Option<String>) -> Problem {
        let CheckError { place: at, file_text: source, span, .. } = error;
        let diagnostic = Diagnostic::new(error.headline(), span.clone());
        let details =
            error.details() + &sentence.iter().map(|text| format!("  {text}\n")).collect::<String>();
        let text = format!("{}\n{details}\n", underlined_line(&at.path, source, &diagnostic).trim_end());
        let details = Some(details.trim_end().to_owned()).filter(|details| !details.is_empty());
        Problem {
            status: RunStatus::BadCase,
            file: Some(at.path.clone()),
            place: Some(Place::of(source, span)),
            message: diagnostic.message,
            help: details,
            text,
        }
    }

    pub(super) fn of_warning(warning: &CaseWarning) -> Problem {
        let place =
            Place { line: warning.place.line, column: 1, end_line: warning.place.line, end_column: 1 };
        Problem {
            status: RunStatus::Passed,
            file: Some(warning.place.path.clone()),
            place: Some(place),
            message: warning.message.clone(),
            help: None,
            text: warning.to_string(),
        }
    }

    /// Whether two checks found the same problem, wherever it stands in its file.
    pub(super) fn is_same(&self, other: &Problem) -> bool {
        (&self.file, &self.message, &self.help) == (&other.file, &other.message, &other.help)
    }

    /// Whether it is no error.
    pub(super) fn is_warning(&self) -> bool {
        self.status == RunStatus::Passed
    }
}

/// An error in a file, with its line underlined.
fn underlined_line(path: &str, source: &str, diagnostic: &Diagnostic) -> String {
    let errors = FileErrors::new(path, source, vec![diagnostic.clone()]);
    underlined(&errors, output::colour(io::stderr()), output::width_of_errors())
}
