//! The files of a case's working folder: those that are there at the start, and those that a step writes.

use super::diagnostic::Diagnostic;
use super::folder::{check_path, path_in};
use super::plan::InputFile;
use super::reader;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// The largest input file, in bytes.
const MOST_FILE: u64 = 4 << 20;

/// The most bytes of all input files of a case together.
const MOST_BYTES: usize = 16 << 20;

/// The most input files of a case.
pub(super) const MOST_FILES: usize = 64;

/// The most folders above a file.
const MOST_FOLDERS: usize = 4;

/// The longest name of a file or folder, in bytes.
const LONGEST_NAME: usize = 255;

/// An input file as a file of the exercise gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenFile {
    name: String,
    content: Content,
    /// The bytes of its content in that file.
    span: Range<usize>,
}

/// The source of the content of an input file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    /// The content is written there.
    Text(Arc<[u8]>),
    /// A file of the exercise's folder.
    Path(String),
}

/// The files in `[input_files]`, not yet read.
pub(super) fn given(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Vec<GivenFile> {
    let mut all: Vec<GivenFile> = Vec::new();
    let entry = reader::get(table, "input_files");
    if let Some(entry) = entry.filter(|_| reader::entries(table, "input_files").count() > MOST_FILES) {
        errors.push(Diagnostic::new(format!("a case has at most {MOST_FILES} input files"), entry.span()));
        return all;
    }
    for (name, span, entry) in reader::entries(table, "input_files") {
        if let Err(problem) = check_name(name) {
            errors.push(problem.at(span));
            continue;
        }
        let content = match entry.get_ref() {
            DeValue::String(text) => Content::Text(text.as_bytes().into()),
            DeValue::Table(source) => match reader::text(source, "path") {
                Some(path) => Content::Path(path.to_owned()),
                None => continue,
            },
            _ => continue,
        };
        let inside =
            |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
        if let Some(other) = all.iter().find(|other| inside(name, &other.name) || inside(&other.name, name)) {
            let message = format!("`{name}` and `{}` cannot both exist: a file is not a folder", other.name);
            errors.push(Diagnostic::new(message, span));
            continue;
        }
        all.push(GivenFile { name: name.to_owned(), content, span: entry.span() });
    }
    all
}

/// Reads what is given, from the folder of the exercise where it is in files there.
pub(super) fn read(
    folder: Option<&Path>,
    given: &[GivenFile],
    errors: &mut Vec<Diagnostic>,
) -> Vec<InputFile> {
    let mut files = Vec::with_capacity(given.len());
    for GivenFile { name, content, span } in given {
        let bytes = match content {
            Content::Text(bytes) => Ok(Arc::clone(bytes)),
            Content::Path(path) => read_file(folder, path),
        };
        match bytes {
            Ok(bytes) => files.push(InputFile { name: name.clone(), bytes }),
            Err(problem) => errors.push(problem.at(span.clone())),
        }
    }
    files
}

/// The files of a case: its own, and those shared by the exercise that it does not replace, by name.
pub(super) fn together(
    shared: &[InputFile],
    own: Vec<InputFile>,
    span: Range<usize>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<InputFile> {
    let mut files: BTreeMap<String, InputFile> = BTreeMap::new();
    for file in shared.iter().cloned().chain(own) {
        files.insert(file.name.clone(), file);
    }
    let bytes: usize = files.values().map(|file| file.bytes.len()).sum();
    if files.len() > MOST_FILES {
        errors.push(Diagnostic::new(format!("a case has at most {MOST_FILES} input files"), span));
    } else if bytes > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        errors.push(Diagnostic::new(
            format!("the input files of a case have at most {most} MB together"),
            span,
        ));
    }
    files.into_values().collect()
}

/// An error in a file, and the way to fix it.
pub(super) struct Problem {
    message: String,
    help: Option<String>,
}

impl Problem {
    pub(super) fn new(message: String, help: &str) -> Problem {
        Problem { message, help: Some(help.to_owned()) }
    }

    pub(super) fn at(self, span: Range<usize>) -> Diagnostic {
        Diagnostic::new(self.message, span).maybe_help(self.help)
    }
}

/// Whether a name is that of a file below a folder.
pub(super) fn check_name(name: &str) -> Result<(), Problem> {
    let help = "write a name such as `data.txt` or `data/large.csv`";
    check_path(name).map_err(|(message, _)| Problem::new(message, help))?;
    let long = name.split('/').any(|part| part.len() > LONGEST_NAME);
    if long || name.chars().any(char::is_control) || name.split('/').count() > MOST_FOLDERS + 1 {
        return Err(Problem::new(format!("`{}` cannot be the name of a file", name.escape_debug()), help));
    }
    Ok(())
}

/// Reads a file of the exercise's folder, through no link.
pub(super) fn read_file(folder: Option<&Path>, name: &str) -> Result<Arc<[u8]>, Problem> {
    check_path(name).map_err(|(message, help)| Problem::new(message, help))?;
    let Some(folder) = folder else {
        let help = "write the content of the file instead of its path";
        return Err(Problem::new("a built-in exercise has no folder to read a file from".to_owned(), help));
    };
    let help = "a path is relative to the folder of the exercise";
    let unreadable = |error: io::Error| Problem::new(format!("cannot read `{name}`: {error}"), help);
    let path = path_in(folder, name).map_err(unreadable)?;
    let data = fs::metadata(&path).map_err(unreadable)?;
    if !data.is_file() {
        return Err(Problem::new(format!("`{name}` is not a file"), help));
    }
    if data.len() > MOST_FILE {
        let most = format!("an input file has at most {} MB", MOST_FILE >> 20);
        return Err(Problem::new(format!("`{name}` has {} bytes", data.len()), &most));
    }
    fs::read(&path).map(Arc::from).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::check_name;

    #[test]
    fn names_stay_in_their_folder() {
        for name in ["data.txt", ".hidden", "data/large.csv", "a/b/c/d/e", "één bestand.txt", "..."] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in [
            "", "/etc/passwd", "..", "a/../b", "./a", "a//b", "a/", "C:\\x", "a\\b", "a\0", "a\nb",
            "a/b/c/d/e/f",
        ] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
