//! Folders by their descriptors: each is opened from the one above it, and files are named in an open folder.

use super::refusal::{Existing, MissingFolder, is_link, not_regular};
use super::unfinished::{PREFIX, SUFFIX};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Gid, Mode, OFlags, Stat, Uid, fchmod, fchown, fstat, linkat, mkdirat,
    openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// How a folder is opened. Where the system can, one that may only be passed through can be opened too.
#[cfg(target_os = "linux")]
const WITHIN: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const WITHIN: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How a folder is opened to list what is in it.
const LISTED: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How a new file is opened: only if there is nothing with its name, not even a link.
const NEW: OFlags =
    OFlags::RDWR.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// How an old file is opened, to see that it may be written: it is neither changed nor waited for.
const OLD: OFlags = OFlags::WRONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// The permissions of a new file and a new folder, from which the system takes what the user does not give.
const FILE: Mode = Mode::from_raw_mode(0o666);
const FOLDER: Mode = Mode::from_raw_mode(0o777);

/// How often another name is tried.
const TRIES: usize = 8;

/// An open folder.
#[derive(Debug)]
pub(super) struct OpenFolder {
    folder: OwnedFd,
    path: PathBuf,
}

impl OpenFolder {
    pub(super) fn open(path: &Path, missing: MissingFolder) -> io::Result<OpenFolder> {
        let start = if path.is_absolute() { "/" } else { "." };
        let mut open =
            OpenFolder { folder: openat(CWD, start, WITHIN, Mode::empty())?, path: PathBuf::new() };
        let mut is_in_the_root = path.is_absolute();
        for part in path.components() {
            open.path.push(part);
            let follow = match part {
                Component::Normal(_) => std::mem::take(&mut is_in_the_root),
                Component::ParentDir => false,
                Component::RootDir | Component::CurDir | Component::Prefix(_) => continue,
            };
            let flags = if follow { WITHIN } else { WITHIN | OFlags::NOFOLLOW };
            let step = || openat(&open.folder, part.as_os_str(), flags, Mode::empty());
            let opened = match step() {
                Err(Errno::NOENT) if missing == MissingFolder::Made => {
                    match mkdirat(&open.folder, part.as_os_str(), FOLDER) {
                        Ok(()) | Err(Errno::EXIST) => step(),
                        Err(error) => Err(error),
                    }
                }
                opened => opened,
            };
            let opened = opened.map_err(|error| open.refusal(part.as_os_str(), &open.path, error))?;
            open.folder = opened;
        }
        open.remove_left_behind();
        Ok(open)
    }

    /// Removes the files that killed processes of this user left unfinished. What cannot be removed stays.
    fn remove_left_behind(&self) {
        let listed = openat(&self.folder, ".", LISTED, Mode::empty()).and_then(Dir::new);
        for entry in listed.into_iter().flatten().flatten() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if is_temporary(name) {
                let _ = self.remove_if_left_behind(name);
            }
        }
    }

    fn remove_if_left_behind(&self, name: &OsStr) -> rustix::io::Result<()> {
        let about = statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let is_ours = about.st_uid == geteuid().as_raw();
        if is_ours && FileType::from_raw_mode(about.st_mode) == FileType::RegularFile {
            let file = File::from(openat(&self.folder, name, OLD, Mode::empty())?);
            if file.try_lock().is_ok() {
                unlinkat(&self.folder, name, AtFlags::empty())?;
            }
        }
        Ok(())
    }

    pub(super) fn begin(&self, name: &OsStr, existing: Existing) -> io::Result<(File, PendingName)> {
        let old = match openat(&self.folder, name, OLD, Mode::empty()) {
            Ok(old) => Some(fstat(old)?),
            Err(Errno::NOENT) => None,
            Err(Errno::NXIO) => return Err(not_regular()),
            Err(error) => return Err(self.refusal(name, &self.path.join(name), error)),
        };
        if old.is_some() && existing == Existing::Refused {
            return Err(Errno::EXIST.into());
        }
        if old.as_ref().is_some_and(|old| FileType::from_raw_mode(old.st_mode) != FileType::RegularFile) {
            return Err(not_regular());
        }
        let folder = self.folder.try_clone()?;
        let (temporary, file) = self.temporary()?;
        Ok((file, PendingName { folder, temporary, name: name.to_owned(), old, existing, is_taken: false }))
    }

    /// A new file under a name that nobody can foresee, which is locked as long as it is open.
    fn temporary(&self) -> io::Result<(OsString, File)> {
        let mut refused = Errno::EXIST;
        for _ in 0..TRIES {
            let mut bytes = [0; 8];
            getrandom::fill(&mut bytes)?;
            let name = OsString::from(format!("{PREFIX}{:016x}{SUFFIX}", u64::from_ne_bytes(bytes)));
            match openat(&self.folder, &name, NEW, FILE) {
                Ok(file) => {
                    let file = File::from(file);
                    if is_kept(&file)? {
                        return Ok((name, file));
                    }
                }
                Err(error) => refused = error,
            }
            if refused != Errno::EXIST {
                break;
            }
        }
        Err(refused.into())
    }

    /// Why `name` in this folder, whose path is `path`, was not opened.
    fn refusal(&self, name: &OsStr, path: &Path, error: Errno) -> io::Error {
        match statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) if FileType::from_raw_mode(found.st_mode) == FileType::Symlink => is_link(path),
            Ok(_) | Err(_) => error.into(),
        }
    }
}

/// Whether a file has a name as [`OpenFolder::temporary`] gives it.
fn is_temporary(name: &OsStr) -> bool {
    let digits = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Locks a new file, so that nobody takes it for one that was left behind. Returns false if another process
/// just did, and removes it.
fn is_kept(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(false),
        // On a disk without locks, what a killed process leaves stays.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(fstat(file)?.st_nlink > 0),
    }
}

/// Takes from a file the permissions that another one does not give, and those of its group if it does not
/// get that of the other.
pub(super) fn restrict(file: &File, other: &Metadata) -> io::Result<()> {
    let group = Gid::from_raw(other.gid());
    let is_of_group = fchown(file.as_fd(), None, Some(group)).is_ok();
    let lost = if is_of_group { 0 } else { 0o070 };
    let kept = file.metadata()?.mode() & other.mode() & 0o777 & !lost;
    file.set_permissions(Permissions::from_mode(kept))
}

/// Where a new file goes, and where it lies until then.
#[derive(Debug)]
pub(super) struct PendingName {
    folder: OwnedFd,
    temporary: OsString,
    name: OsString,
    /// The file that it replaces.
    old: Option<Stat>,
    existing: Existing,
    is_taken: bool,
}

impl PendingName {
    /// Gives the file its name.
    pub(super) fn take(mut self, file: &File) -> io::Result<()> {
        if let Some(old) = &self.old {
            // Only root can give a file to another user; the mode comes after, as a change of the owner takes
            // from it.
            let _ = fchown(file.as_fd(), Some(Uid::from_raw(old.st_uid)), Some(Gid::from_raw(old.st_gid)));
            fchmod(file.as_fd(), Mode::from_raw_mode(old.st_mode & 0o777))?;
        }
        match self.existing {
            Existing::Replaced => self.rename()?,
            Existing::Refused => self.link()?,
        }
        Ok(())
    }

    fn rename(&mut self) -> rustix::io::Result<()> {
        renameat(&self.folder, &self.temporary, &self.folder, &self.name)?;
        self.is_taken = true;
        Ok(())
    }

    /// Gives the file its name if nothing has it; the other name is removed in the end.
    fn link(&mut self) -> rustix::io::Result<()> {
        match linkat(&self.folder, &self.temporary, &self.folder, &self.name, AtFlags::empty()) {
            Err(Errno::EXIST) => Err(Errno::EXIST),
            Ok(()) => Ok(()),
            // Not every file system has a second name for a file.
            Err(_) => match statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => self.rename(),
                found => found.and(Err(Errno::EXIST)),
            },
        }
    }
}

impl Drop for PendingName {
    fn drop(&mut self) {
        if !self.is_taken {
            let _ = unlinkat(&self.folder, &self.temporary, AtFlags::empty());
        }
    }
}
