//! The file of a submission that an instructor chooses: one of several that may be meant, or another one than
//! keur found.

use super::data::Taken;
use super::folder::ClassFolder;
use super::intake::read_submission_digest;
use super::reading::read;
use keur_core::case::Exercise;
use keur_core::compare::diff::visible;
use keur_core::submission::opened::{self, Unopened, shown};
use std::io;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The explanation of the escapes in names.
const UNSEEN: &str = " (`\\u202e` and the like stand for characters that change the order of the text around them or cannot be seen: \
                      type them as they are shown here)";

/// Why a file of a submission is not chosen.
#[derive(Debug, thiserror::Error)]
pub enum SetChoiceError {
    /// The file cannot be chosen.
    #[error("{}", none_of(choices))]
    NotThere {
        /// The files that can be.
        choices: Vec<String>,
    },
    /// The files in the class were changed, and no run has read them since.
    #[error(
        "{}: the files were changed; `keur class run` grades what is there now, and then a file of it can be chosen",
        .0.display()
    )]
    Edited(PathBuf),
    /// The folder of the submission cannot be read.
    #[error("{}: cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
}

fn none_of(choices: &[String]) -> String {
    if choices.is_empty() {
        return "the submission has no source file to choose".to_owned();
    }
    let are_plain = choices.iter().all(|choice| visible(choice, false) == *choice);
    let names = choices.join(", ");
    let unseen = if are_plain { "" } else { UNSEEN };
    format!("this is none of the files that can be chosen; which of these: {names}{unseen}")
}

/// The row of a submission with this file chosen, or with none.
///
/// # Errors
/// The file is none of those that can be chosen, or the files in the class cannot be used.
pub fn with_choice(
    folder: &ClassFolder,
    exercises: &[Exercise],
    taken: &Taken,
    chosen: Option<&str>,
) -> Result<Taken, SetChoiceError> {
    let path = folder.submissions().join(&taken.folder);
    let digest = |taken: &Taken| {
        read_submission_digest(taken, &path).map_err(|error| SetChoiceError::Unreadable(path.clone(), error))
    };
    if digest(taken)? != taken.files {
        return Err(SetChoiceError::Edited(path));
    }
    let mut taken = Taken { chosen: None, ..taken.clone() };
    let files = digest(&taken)?;
    let chosen = chosen.map(|file| path_meant(&path, file));
    if let Some(file) = &chosen {
        let choices = match opened::open(&path) {
            Ok(opened) => opened.choices(),
            Err(Unopened::Problem(_)) => Vec::new(),
            Err(Unopened::Unreachable { source, .. }) => {
                return Err(SetChoiceError::Unreadable(path, source));
            }
        };
        if !choices.iter().any(|choice| choice == Path::new(file)) {
            return Err(SetChoiceError::NotThere {
                choices: choices.iter().map(|path| shown(path)).collect(),
            });
        }
    }
    let read = read(&path, exercises, chosen.as_deref());
    read.put_chosen(&mut taken, files, chosen, exercises);
    Ok(taken)
}

/// The path of the file in a folder that is meant: the text itself, or the only file that reports show so.
fn path_meant(folder: &Path, text: &str) -> String {
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let paths = files.filter_map(|entry| {
        let path = entry.path().strip_prefix(folder).ok()?.to_str()?.to_owned();
        (path == text || visible(&shown(Path::new(&path)), false) == text).then_some(path)
    });
    let paths: Vec<String> = paths.collect();
    match paths.as_slice() {
        [only] => only.clone(),
        _ => text.to_owned(),
    }
}
