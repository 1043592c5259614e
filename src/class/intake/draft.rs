//! The database of a class that is being made. It takes its place when all is in it, so that a class is there whole or not at
//! all.

use super::error::IntakeError;
use crate::class::folder::ClassFolder;
use crate::class::store::Store;
use std::fs;
use std::io::ErrorKind;

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
