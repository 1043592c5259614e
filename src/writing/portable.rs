//! Folders by their paths, for systems without descriptors of them: a link that is put into a path while keur
//! writes is not noticed.

use super::refusal::{Existing, MissingFolder, is_link, not_regular};
use super::unfinished::{PREFIX, SUFFIX};
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A folder whose path has no links.
#[derive(Debug)]
pub(super) struct CheckedFolder(PathBuf);

impl CheckedFolder {
    pub(super) fn open(path: &Path, missing: MissingFolder) -> io::Result<CheckedFolder> {
        let mut open = PathBuf::new();
        for part in path.components() {
            open.push(part);
            match open.symlink_metadata() {
                Ok(found) if found.is_symlink() => return Err(is_link(&open)),
                Ok(found) if !found.is_dir() => return Err(ErrorKind::NotADirectory.into()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound && missing == MissingFolder::Made => {
                    fs::create_dir(&open)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(CheckedFolder(open))
    }

    pub(super) fn begin(&self, name: &OsStr, existing: Existing) -> io::Result<(File, PendingPath)> {
        let path = self.0.join(name);
        let old = match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => return Err(is_link(&path)),
            Ok(_) if existing == Existing::Refused => return Err(ErrorKind::AlreadyExists.into()),
            Ok(found) if !found.is_file() => return Err(not_regular()),
            Ok(found) => Some(found.permissions()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let temporary = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(&self.0)?;
        let (file, temporary) = temporary.into_parts();
        Ok((file, PendingPath { temporary, path, old, existing }))
    }
}

/// Where a new file goes, and where it lies until then.
#[derive(Debug)]
pub(super) struct PendingPath {
    temporary: TempPath,
    path: PathBuf,
    /// The permissions of the file that it replaces.
    old: Option<Permissions>,
    existing: Existing,
}

impl PendingPath {
    /// Gives the file its name.
    pub(super) fn take(self, file: &File) -> io::Result<()> {
        let PendingPath { temporary, path, old, existing } = self;
        if let Some(old) = old {
            file.set_permissions(old)?;
        }
        let taken = match existing {
            Existing::Replaced => temporary.persist(path),
            Existing::Refused => temporary.persist_noclobber(path),
        };
        taken.map_err(|error| error.error)
    }
}
