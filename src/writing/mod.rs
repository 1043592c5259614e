//! The files that keur writes where a user says: whole, and through no link.
//!
//! A report may go into the folder of a student, who can have put a link there under any name. So a new file
//! is written beside the target and then takes its name:
//!
//! - No part of a path may be a link, except the first of an absolute path: `/tmp` is one on macOS, and only
//!   the administrator can make links there.
//! - What has the name already must be a regular file that may be written. Its permissions stay; other names
//!   of it keep the old content.
//! - A failure, a full disk or a kill leaves the old file as it was. After a kill a file named `.keur-….part`
//!   may remain. On Unix the next file that the same user writes to that folder removes it: a living process
//!   holds its file locked.
//! - What is in `/dev`, such as `/dev/stdout`, `/dev/null` or the `/dev/fd/63` of a shell, is written where
//!   it is.
//!
//! On Unix each folder is opened from the one above it, so that nobody can put a link into a path after it
//! was looked at.

#[cfg(any(not(unix), test))]
mod portable;
mod refusal;
mod unfinished;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use portable::{CheckedFolder as SystemFolder, PendingPath as Pending};
pub(crate) use refusal::is_about_name;
use refusal::{Existing, MissingFolder, no_file};
pub use unfinished::is_unfinished;
#[cfg(unix)]
use unix::{OpenFolder as SystemFolder, PendingName as Pending};

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes a file, and replaces one that is there.
///
/// # Errors
/// It cannot be written, or a part of its path is a link.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    NewFile::replacing(path)?.complete(bytes.as_ref())
}

/// Writes a file that does not exist yet, and makes the folders that it is in.
///
/// # Errors
/// It exists, which is [`io::ErrorKind::AlreadyExists`]; it cannot be written, or a part of its path is a
/// link.
pub fn write_new(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let (folder, name) = parts(path)?;
    let folder = SystemFolder::open(folder, MissingFolder::Made)?;
    NewFile::begin(&folder, name, Existing::Refused)?.complete(bytes.as_ref())
}

/// A path whose parent is the folder that it is in: without links and `..` in the part that exists.
pub fn without_links(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|there| {
        let below = path.strip_prefix(there).ok()?;
        let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        Some(there.canonicalize().ok()?.join(below))
    });
    real.unwrap_or_else(|| path.to_owned())
}

/// A folder that files are written to.
#[derive(Debug)]
pub struct TargetFolder(SystemFolder);

impl TargetFolder {
    /// Opens a folder, and makes it and those that it is in where they are missing.
    ///
    /// # Errors
    /// It cannot be made or opened, or a part of its path is a link.
    pub fn make(path: &Path) -> io::Result<TargetFolder> {
        SystemFolder::open(path, MissingFolder::Made).map(TargetFolder)
    }

    /// Writes a file of this name, and replaces one that is there.
    ///
    /// # Errors
    /// It cannot be written, it is a link, or the name leads out of the folder.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        let name = match parts(Path::new(name))? {
            (above, name) if above == Path::new(".") => name,
            _ => return Err(no_file()),
        };
        NewFile::begin(&self.0, name, Existing::Replaced)?.complete(bytes.as_ref())
    }

    /// Checks that files can be made in it.
    ///
    /// # Errors
    /// They cannot.
    pub fn check(&self) -> io::Result<()> {
        NewFile::begin(&self.0, OsStr::new(".keur"), Existing::Refused).map(drop)
    }
}

/// A file that is being written, beside the one that it will replace. It is removed when this is dropped
/// before [`NewFile::finish`].
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// The name that it gets; `None` if it has it already, as `/dev/stdout` does.
    pending: Option<Pending>,
}

impl NewFile {
    /// Begins a file that will replace what is at `path`.
    ///
    /// # Errors
    /// It cannot be written, or a part of its path is a link.
    pub fn replacing(path: &Path) -> io::Result<NewFile> {
        if is_of_the_system(path) {
            // A shell may have opened it to append to a file.
            let file = File::options().append(true).open(path)?;
            return Ok(NewFile { file, pending: None });
        }
        let (folder, name) = parts(path)?;
        NewFile::begin(&SystemFolder::open(folder, MissingFolder::Refused)?, name, Existing::Replaced)
    }

    /// Begins a file that does not exist yet.
    ///
    /// # Errors
    /// It exists, which is [`io::ErrorKind::AlreadyExists`]; it cannot be written, or a part of its path is a
    /// link.
    pub fn under_new_name(path: &Path) -> io::Result<NewFile> {
        let (folder, name) = parts(path)?;
        NewFile::begin(&SystemFolder::open(folder, MissingFolder::Refused)?, name, Existing::Refused)
    }

    fn begin(folder: &SystemFolder, name: &OsStr, existing: Existing) -> io::Result<NewFile> {
        let (file, pending) = folder.begin(name, existing)?;
        Ok(NewFile { file, pending: Some(pending) })
    }

    /// Lets only those read and write the file who may do so with the file at `other`, and no more than the
    /// system lets.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn restrict_to_users_of(&self, other: &Path) -> io::Result<()> {
        #[cfg(unix)]
        unix::restrict(&self.file, &std::fs::metadata(other)?)?;
        #[cfg(not(unix))]
        let _ = other;
        Ok(())
    }

    fn complete(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.finish()
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// It could not be written completely, or not be renamed.
    pub fn finish(self) -> io::Result<()> {
        match self.pending {
            None => Ok(()),
            Some(pending) => {
                // Some file systems say only now that the disk is full.
                self.file.sync_all()?;
                pending.take(&self.file)
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The folder of a file, and its name in it.
fn parts(path: &Path) -> io::Result<(&Path, &OsStr)> {
    let name = path.file_name().ok_or_else(no_file)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok((folder.unwrap_or(Path::new(".")), name))
}

/// Whether a path leads to a device, or to what was opened for this process. `/dev/shm` is a disk like
/// others.
fn is_of_the_system(path: &Path) -> bool {
    use std::path::Component::Normal;
    let inside = path.strip_prefix("/dev").ok().filter(|_| cfg!(unix));
    inside.is_some_and(|inside| {
        inside.components().all(|part| matches!(part, Normal(_))) && !inside.starts_with("shm")
    })
}

#[cfg(test)]
mod tests;
