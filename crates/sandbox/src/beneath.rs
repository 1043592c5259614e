//! Opens what lies beneath a folder that untrusted programs write in, by its names alone: no link is followed
//! on the way, and what is moved or put in its place meanwhile leads nowhere else.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// An open folder.
#[derive(Debug)]
pub struct Beneath {
    #[cfg(unix)]
    folder: std::os::fd::OwnedFd,
    #[cfg(not(unix))]
    folder: PathBuf,
}

#[cfg(unix)]
impl Beneath {
    /// Opens a folder by its path, which is trusted, but for its last part.
    ///
    /// # Errors
    /// It is not a folder, or it cannot be read.
    pub fn open(path: &Path) -> io::Result<Beneath> {
        Beneath::within(&rustix::fs::CWD, path)
    }

    /// The folder called `name` in it.
    ///
    /// # Errors
    /// There is none, or it is a link.
    pub fn folder(&self, name: &str) -> io::Result<Beneath> {
        Beneath::within(&self.folder, Path::new(name))
    }

    fn within(at: &impl std::os::fd::AsFd, path: &Path) -> io::Result<Beneath> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Beneath { folder: openat(at, path, flags, Mode::empty())? })
    }

    /// Opens what is called `name` in it for reading, without waiting for another process. It may be no file.
    ///
    /// # Errors
    /// There is nothing, it is a link, or it cannot be read.
    pub fn file(&self, name: &str) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        // A pipe is opened without its other side, and nothing becomes a terminal.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.folder, name, flags, Mode::empty())?))
    }

    /// The names in it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        use std::os::unix::ffi::OsStrExt;
        let entries = rustix::fs::Dir::read_from(&self.folder)?;
        let name = |entry: rustix::fs::DirEntry| {
            std::ffi::OsStr::from_bytes(entry.file_name().to_bytes()).to_owned()
        };
        Ok(entries.map(|entry| entry.map(name)).collect::<rustix::io::Result<_>>()?)
    }
}

/// Without descriptors of folders: a process that still runs could put a link in the place of what was looked
/// at.
#[cfg(not(unix))]
impl Beneath {
    /// Opens a folder by its path, which is trusted, but for its last part.
    ///
    /// # Errors
    /// It is not a folder, or it cannot be read.
    pub fn open(path: &Path) -> io::Result<Beneath> {
        if path.symlink_metadata()?.is_dir() {
            Ok(Beneath { folder: path.to_owned() })
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// The folder called `name` in it.
    ///
    /// # Errors
    /// There is none, or it is a link.
    pub fn folder(&self, name: &str) -> io::Result<Beneath> {
        Beneath::open(&self.folder.join(name))
    }

    /// Opens what is called `name` in it for reading.
    ///
    /// # Errors
    /// There is nothing, it is not a file, or it cannot be read.
    pub fn file(&self, name: &str) -> io::Result<File> {
        let path = self.folder.join(name);
        if path.symlink_metadata()?.is_file() {
            File::open(path)
        } else {
            Err(io::ErrorKind::InvalidInput.into())
        }
    }

    /// The names in it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        self.folder.read_dir()?.map(|entry| Ok(entry?.file_name())).collect()
    }
}
