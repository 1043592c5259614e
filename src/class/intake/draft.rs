//! The database of a class that is being made. It takes its place when all is in it, so that a class is there
//! whole or not at all.

use super::error::IntakeError;
use crate::class::folder::ClassFolder;
use crate::class::store::Store;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The files and folders that an `init` makes for a new class.
pub(super) struct NewParts {
    parts: Vec<PathBuf>,
    folder: Option<PathBuf>,
}

impl NewParts {
    /// The parts of a class that are not yet there.
    pub(super) fn missing_in(folder: &ClassFolder) -> NewParts {
        let is_missing = |path: &PathBuf| fs::symlink_metadata(path).is_err();
        let parts = [folder.cases(), folder.cases_draft(), folder.settings(), folder.submissions()];
        let parts = parts.into_iter().chain(folder.draft_files()).chain([folder.lock()]);
        let class = Some(folder.path().to_owned());
        NewParts { parts: parts.filter(is_missing).collect(), folder: class.filter(is_missing) }
    }

    /// Removes them, after a failure: the folder is as it was before.
    pub(super) fn remove(&self) {
        // The failure is what is told.
        for part in &self.parts {
            let _ = fs::remove_file(part).or_else(|_| fs::remove_dir_all(part));
        }
        let _ = self.folder.as_ref().map(fs::remove_dir);
    }
}

/// Begins the database of a new class.
pub(super) fn begin(folder: &ClassFolder) -> Result<Store, IntakeError> {
    // One whose making was interrupted, and its journal.
    for path in folder.draft_files() {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(IntakeError::files(&path)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    let [draft, _] = folder.draft_files();
    Ok(Store::create_at(&draft)?)
}

/// Puts a database that is complete and closed in its place.
pub(super) fn finish(folder: &ClassFolder) -> Result<(), IntakeError> {
    let [draft, _] = folder.draft_files();
    fs::rename(draft, folder.database()).map_err(IntakeError::files(&folder.database()))
}
