//! The class's own copy of exercises and their cases.

use super::error::IntakeError;
use super::files::read_folder_digest;
use keur_core::case::{ExercisePlace, Library};
use keur_core::submission::FilesProblem;
use keur_core::submission::opened::{ReadBudget, is_noise, open_plain};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use walkdir::WalkDir;

/// Copies the exercises called `names` to the folder `to`, which gets a folder for each. It is there whole or
/// not at all: `part` is the folder in the making.
pub(super) fn copy(library: &Library, names: &[String], part: &Path, to: &Path) -> Result<(), IntakeError> {
    if part.exists() {
        fs::remove_dir_all(part).map_err(IntakeError::files(part))?;
    }
    for name in names {
        let folder = part.join(name);
        fs::create_dir_all(&folder).map_err(IntakeError::files(&folder))?;
        match library.place_of(name)? {
            ExercisePlace::Embedded(files) => {
                for (file, text) in files {
                    let file = folder.join(file);
                    fs::write(&file, text).map_err(IntakeError::files(&file))?;
                }
            }
            ExercisePlace::Folder(from) => copy_folder(&from, &folder)?,
        }
    }
    fs::rename(part, to).map_err(IntakeError::files(to))
}

/// Whether a class's `copy` of exercises is one of those in the folder `given`.
pub(super) fn is_copy(copy: &Path, given: &Path) -> Result<bool, IntakeError> {
    let (library, made) = (Library::Folder(given.to_owned()), Library::Folder(copy.to_owned()));
    let names = made.names()?;
    if names.iter().any(|name| library.place_of(name).is_err()) {
        return Ok(false);
    }
    let again = tempfile::tempdir().map_err(IntakeError::files(copy))?;
    let fresh = again.path().join("cases");
    self::copy(&library, &names, &again.path().join("part"), &fresh)?;
    let digest = |folder: &Path| read_folder_digest(folder).map_err(IntakeError::files(folder));
    Ok(digest(copy)? == digest(&fresh)?)
}

/// Copies what lies in a folder, as much as a submission may have; hidden files, links and what tools leave
/// behind are not part of an exercise.
fn copy_folder(from: &Path, to: &Path) -> Result<(), IntakeError> {
    let mut budget = ReadBudget::default();
    let too_much = |problem: FilesProblem| {
        IntakeError::Usage(format!(
            "{}: {problem}; an exercise has the limits of a submission",
            from.display()
        ))
    };
    let unread = |error: io::Error| IntakeError::Files(from.to_owned(), error);
    let walk = WalkDir::new(from).min_depth(1).into_iter();
    for entry in walk.filter_entry(|entry| !is_noise(entry.file_name(), entry.file_type().is_dir())) {
        let entry = entry.map_err(|error| unread(error.into()))?;
        budget.take_entry().map_err(too_much)?;
        let path = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&path).map_err(IntakeError::files(&path))?;
        } else if entry.file_type().is_file() {
            let file = open_plain(entry.path()).map_err(unread)?;
            let size = file.metadata().map_err(unread)?.len();
            budget.take_bytes(size).map_err(too_much)?;
            let copied =
                File::create_new(&path).and_then(|mut copy| io::copy(&mut file.take(size), &mut copy));
            copied.map_err(IntakeError::files(&path))?;
        }
    }
    Ok(())
}
