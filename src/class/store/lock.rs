//! The lock of a class: one process writes its database.

use super::error::StoreError;
use crate::class::folder::ClassFolder;
use crate::class::machine::{host, now, written_time};
use keur_core::submission::opened::{open_plain, open_plain_as};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::process;

/// The right to write a class, which one process has at a time. It ends when this is dropped, or with the
/// process, however that ends.
#[derive(Debug)]
pub struct ClassLock {
    _file: File,
}

impl ClassLock {
    /// Takes the lock. The file says who holds it, and since when.
    ///
    /// # Errors
    /// Another process has it, which the message names; or the folder cannot be written.
    pub fn take(folder: &ClassFolder) -> Result<ClassLock, StoreError> {
        let path = folder.lock();
        let unusable = |error: std::io::Error| {
            StoreError::Failed(format!(
                "{}: cannot be locked: {error}; a run needs a class that it may write",
                path.display()
            ))
        };
        let unlocked = |error: std::io::Error| {
            if is_without_locks(&error) { StoreError::no_locks(&path) } else { unusable(error) }
        };
        // What a link leads to is neither locked nor written.
        let opened =
            open_plain_as(&path, OpenOptions::new().read(true).write(true).create(true).truncate(false));
        let mut file = opened.map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy(folder, file)),
            Err(TryLockError::Error(error)) => return Err(unlocked(error)),
        }
        let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| {
            writeln!(file, "process {} on {}, since {}", process::id(), host(), written_time(now()))
        });
        written.map_err(unusable)?;
        Ok(ClassLock { _file: file })
    }

    /// Whether another process has it.
    pub(super) fn is_taken(folder: &ClassFolder) -> bool {
        let opened = open_plain(&folder.lock());
        opened.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Whether the file system has no locks: some network file systems are so, or lost their lock server.
#[cfg(unix)]
fn is_without_locks(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    let errno = Errno::from_io_error(error);
    errno.is_some_and(|errno| matches!(errno, Errno::NOLCK | Errno::NOSYS | Errno::OPNOTSUPP))
}

#[cfg(not(unix))]
fn is_without_locks(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::Unsupported
}

/// The message that names the holder.
fn busy(folder: &ClassFolder, mut file: File) -> StoreError {
    let mut text = String::new();
    // Some systems do not let others read a locked file.
    let holder = match file.read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => text.trim(),
        Ok(_) | Err(_) => "another process",
    };
    StoreError::Busy(format!(
        "{}: another keur is working on this class: {holder}; wait for it, or end it",
        folder.path().display()
    ))
}
