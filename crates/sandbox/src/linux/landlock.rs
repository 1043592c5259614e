//! The Landlock ruleset of a confinement: read access below listed paths, and nothing else.
//!
//! What the kernel can restrict depends on its Landlock version; each version's rights are requested if it has them.
//! It takes three system calls, and a library would allocate in a child that was forked from threads.
//! Rules apply to files, not to names, so they also hold in another mount namespace.

use super::sys::{self, Ruleset};
use super::unavailable::{MissingFeature, Unavailable};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const EXECUTE: u64 = 1 << 0;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
/// Making devices, of characters and of blocks.
const DEVICES: u64 = 1 << 6 | 1 << 11;
/// Reading, writing, truncating, making and removing files and folders, and moving them about. Nothing can be executed, and
/// no link, pipe, socket or device can be made.
const WORKING: u64 = 1 << 1 | READ_FILE | READ_DIR | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | TRUNCATE;
const TRUNCATE: u64 = 1 << 14;
/// The rights on a file that is not a folder: execute, write, read, truncate, and device controls.
const FILES: u64 = EXECUTE | 1 << 1 | READ_FILE | 1 << 14 | 1 << 15;
/// The number of rights on files that the first version knows, and the versions that added one each.
const FIRST_RIGHTS: u32 = 13;
const RIGHT_ADDED_IN: [u32; 3] = [2, 3, 5];
/// Binding and connecting TCP sockets.
const NETWORK: u64 = 0b11;
const NETWORK_ADDED_IN: u32 = 4;
/// Abstract unix sockets and signals that leave the confinement.
const SCOPES: u64 = 0b11;
const SCOPES_ADDED_IN: u32 = 6;

/// The version of Landlock that this kernel offers.
///
/// # Errors
/// What is missing, if there is none.
pub(super) fn version() -> Result<u32, MissingFeature> {
    sys::landlock_version().map_err(|error| match error.raw_os_error() {
        Some(libc::EOPNOTSUPP) => MissingFeature::new(
            "Landlock is built into this kernel but was not enabled at boot",
            "add `landlock` to the kernel's `lsm=` boot parameter",
        ),
        Some(libc::EPERM) => MissingFeature::new(
            "Landlock's system calls are refused, probably by a container's seccomp profile",
            "use a newer container runtime, or a seccomp profile that allows the landlock_* calls",
        ),
        _ => MissingFeature::new(
            format!("this kernel has no Landlock ({error})"),
            "use Linux 5.13 or newer, built with CONFIG_SECURITY_LANDLOCK",
        ),
    })
}

/// The rights to restrict in a version; unknown newer versions are treated as the newest known.
pub(super) fn restrained(version: u32) -> Ruleset {
    let rights = FIRST_RIGHTS + RIGHT_ADDED_IN.iter().filter(|added| version >= **added).count() as u32;
    Ruleset {
        files: (1 << rights) - 1,
        network: if version >= NETWORK_ADDED_IN { NETWORK } else { 0 },
        scoped: if version >= SCOPES_ADDED_IN { SCOPES } else { 0 },
    }
}

/// The paths that a ruleset allows.
pub(super) struct Allowed<'a> {
    /// Files and trees that may be read.
    pub(super) readable: &'a [PathBuf],
    /// Files and trees below those, and below `executables`, that may not be read.
    pub(super) hidden: &'a [PathBuf],
    /// Regular files that may be executed, and read.
    pub(super) programs: &'a [PathBuf],
    /// Files and trees of programs that may be executed, and read.
    pub(super) executables: &'a [PathBuf],
    /// Files and trees that may be changed in every way, and executed.
    pub(super) writable: &'a [PathBuf],
    /// A folder in which files may be changed, but not executed.
    pub(super) folder: Option<&'a Path>,
}

/// A ruleset that allows only this.
///
/// # Errors
/// [`Unavailable::Feature`] without Landlock, [`Unavailable::Path`] for a path that does not exist.
pub(super) fn ruleset(allowed: &Allowed<'_>) -> Result<OwnedFd, Unavailable> {
    let attributes = restrained(version()?);
    let ruleset = sys::landlock_create(&attributes)
        .map_err(|source| Unavailable::System { what: "create a Landlock ruleset", source })?;
    for path in allowed.programs {
        let opened = open(path).map_err(|source| lack(path, source))?;
        // A rule on a folder would allow everything below it.
        if !opened.metadata().is_ok_and(|data| data.is_file()) {
            return Err(lack(path, io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")));
        }
        let rights = EXECUTE | READ_FILE;
        sys::landlock_allow(&ruleset, &opened.into(), rights).map_err(|source| lack(path, source))?;
    }
    for path in allowed.writable {
        let rights = if path.is_dir() { attributes.files & !DEVICES } else { attributes.files & FILES };
        allow(&ruleset, path, rights)?;
    }
    if let Some(path) = allowed.folder {
        // Otherwise what may be read could be emptied.
        if attributes.files & TRUNCATE == 0 {
            return Err(Unavailable::Feature(MissingFeature::new(
                "a case with files needs Linux 6.2 or newer, whose Landlock restricts truncating",
                "use a newer kernel, or --confine portable for submissions that you trust",
            )));
        }
        allow(&ruleset, path, WORKING & attributes.files)?;
    }
    let hidden: Vec<PathBuf> = allowed.hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    for (paths, rights) in [(allowed.readable, READ_FILE), (allowed.executables, EXECUTE | READ_FILE)] {
        for path in paths {
            let real = path.canonicalize().map_err(|source| lack(path, source))?;
            allow_tree(&ruleset, &real, rights, &hidden)?;
        }
    }
    Ok(ruleset)
}

/// Allows these rights on the files of a tree, and listing its folders. Landlock cannot revoke what it allows above: if a folder contains something hidden, listing it is
/// allowed, and its other entries are allowed one by one.
fn allow_tree(ruleset: &OwnedFd, path: &Path, rights: u64, hidden: &[PathBuf]) -> Result<(), Unavailable> {
    if hidden.iter().any(|hidden| path.starts_with(hidden)) {
        return Ok(());
    }
    if !path.is_dir() {
        return allow(ruleset, path, rights);
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(path)) {
        return allow(ruleset, path, rights | READ_DIR);
    }
    allow(ruleset, path, READ_DIR)?;
    for entry in path.read_dir().map_err(|source| lack(path, source))? {
        let entry = entry.map_err(|source| lack(path, source))?.path();
        // A link to a file is followed, but not one to a folder, which might contain anything; a broken one leads
        // nowhere.
        match entry.canonicalize() {
            Ok(real) if !entry.is_symlink() || real.is_file() => allow_tree(ruleset, &real, rights, hidden)?,
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

fn allow(ruleset: &OwnedFd, path: &Path, rights: u64) -> Result<(), Unavailable> {
    let opened = open(path).map_err(|source| lack(path, source))?.into();
    sys::landlock_allow(ruleset, &opened, rights).map_err(|source| lack(path, source))
}

/// Opens a path as a location, without reading it.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path)
}

fn lack(path: &Path, source: io::Error) -> Unavailable {
    Unavailable::Path { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(version: u32, files: u64, network: u64, scoped: u64) {
        assert_eq!(restrained(version), Ruleset { files, network, scoped });
    }

    #[test]
    fn each_version_restrains_what_it_knows() {
        check(1, 0x1fff, 0, 0);
        check(2, 0x3fff, 0, 0);
        check(3, 0x7fff, 0, 0);
        check(4, 0x7fff, 3, 0);
        check(5, 0xffff, 3, 0);
        check(6, 0xffff, 3, 3);
        check(99, 0xffff, 3, 3);
    }
}
