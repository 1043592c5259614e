//! A class: a folder or a zip with a submission in each entry.

use super::archive::{Archive, is_zip};
use super::directory::{Directory, ZipEntryKind};
use super::noise::is_noise;
use super::package::MANIFEST;
use crate::sandbox::lock;
use crate::submission::{FilesProblem, ZipProblem};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// A reason why the folder or the zip of a class cannot be read, for the person who grades.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntriesError {
    /// The system does not let it be read.
    #[error("{}: cannot be read: {why}", .path.display())]
    Unreadable {
        /// The folder or the zip.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The zip has more in it than keur reads.
    #[error("{}: the zip has more files or bytes than keur reads in one, or is written for larger ones (zip64): \
                 unpack it and give the folder", .path.display())]
    LargeZip {
        /// The zip.
        path: PathBuf,
    },
    /// The zip is damaged, or no zip.
    #[error("{}: is damaged, or is not a zip: download it again, or unpack it and give the folder", .path.display())]
    BadZip {
        /// The zip.
        path: PathBuf,
    },
}

impl EntriesError {
    /// A problem with the zip at `path`.
    fn of_zip(path: &Path, problem: FilesProblem) -> EntriesError {
        let path = path.to_owned();
        if let FilesProblem::Unreadable { why, .. } = problem {
            return EntriesError::Unreadable { path, why };
        }
        let is_large = matches!(
            problem,
            FilesProblem::TooLarge { .. }
                | FilesProblem::TooMany { .. }
                | FilesProblem::BadZip { why: ZipProblem::Zip64 | ZipProblem::Directory, .. }
        );
        if is_large { EntriesError::LargeZip { path } } else { EntriesError::BadZip { path } }
    }
}

/// The zips of classes that submissions are opened in: the directory of each is read once.
#[derive(Debug, Default)]
pub struct ClassZips(Mutex<HashMap<PathBuf, Arc<ReadOnce>>>);

/// The directory of a zip, once it is read.
type ReadOnce = OnceLock<Result<Arc<Directory>, EntriesError>>;

impl ClassZips {
    /// Opens the zip at `path`.
    pub(super) fn open(&self, path: &Path) -> Result<Archive, EntriesError> {
        // Only who opens the same zip waits until it is read.
        let read = {
            let mut zips = lock(&self.0);
            Arc::clone(zips.entry(path.to_owned()).or_default())
        };
        let directory = read.get_or_init(|| open_zip(path).map(|archive| archive.directory()));
        let opened = Archive::open_again(path, directory.clone()?);
        opened.map_err(|problem| EntriesError::of_zip(path, problem))
    }
}

/// Opens the zip of a class.
pub fn open_zip(path: &Path) -> Result<Archive, EntriesError> {
    Archive::open_class(path).map_err(|problem| EntriesError::of_zip(path, problem))
}

/// Whether the path may be a class: it is a folder or a zip.
pub fn may_be_class(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && is_zip(path))
}

/// The submissions of a folder or a zip, by name. Hidden entries are skipped, and what is a Rust workspace's
/// own if it is one.
///
/// Those of a zip have paths in it, such as `class.zip/jan`, which [`super::open`] takes. If all of a zip is
/// in one folder, with several entries or with the name of the zip, that folder is the class: programs that
/// zip a folder do so.
///
/// # Errors
/// It cannot be read.
pub fn entries(path: &Path) -> Result<Vec<PathBuf>, EntriesError> {
    let unreadable =
        |error: io::Error| EntriesError::Unreadable { path: path.to_owned(), why: error.to_string() };
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(unreadable)?;
        let entries = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        let mut entries = entries.map_err(unreadable)?;
        entries.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
        entries.sort();
        return Ok(without_workspace(entries));
    }
    let directory = open_zip(path)?.directory();
    let mut names = names_in(Path::new(""), &directory);
    if let [only] = names.as_slice() {
        let is_named = |stem: &OsStr| stem.to_string_lossy().starts_with(&*only.to_string_lossy());
        let below = names_in(only, &directory);
        if below.len() > 1 || path.file_stem().is_some_and(is_named) {
            names = below;
        }
    }
    Ok(without_workspace(names.into_iter().map(|name| path.join(name)).collect()))
}

/// The entries without what belongs to a Rust workspace, not to one of its members.
fn without_workspace(mut entries: Vec<PathBuf>) -> Vec<PathBuf> {
    const WORKSPACES_OWN: [&str; 3] = [MANIFEST, "Cargo.lock", "target"];
    if entries.iter().any(|entry| entry.ends_with(MANIFEST)) {
        entries.retain(|entry| !WORKSPACES_OWN.iter().any(|own| entry.ends_with(own)));
    }
    entries
}

/// The entries directly in a folder of a zip.
fn names_in(folder: &Path, directory: &Directory) -> Vec<PathBuf> {
    let inside = directory.below(folder).filter(|entry| entry.kind != ZipEntryKind::Outside);
    let below = inside.filter_map(|entry| entry.path.strip_prefix(folder).ok()?.components().next());
    let names: BTreeSet<PathBuf> =
        below.filter(|name| !is_noise(name.as_os_str(), true)).map(|name| folder.join(name)).collect();
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{ClassZips, entries};
    use std::fs;
    use std::sync::Arc;

    #[test]
    fn a_zip_that_is_too_large_or_damaged_is_told_to_the_one_who_grades() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.zip");
        let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz/zip");
        for (seed, said) in
            [("zip64", "(zip64): unpack it and give the folder"), ("count", "is damaged, or is not a zip")]
        {
            fs::copy(seeds.join(seed).with_extension("zip"), &path).unwrap();
            let message = entries(&path).unwrap_err().to_string();
            assert!(message.starts_with(path.to_str().unwrap()) && message.contains(said), "{message}");
        }
    }

    #[test]
    fn the_directory_of_a_zip_is_read_once() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz/zip/plain.zip");
        let zips = ClassZips::default();
        let [one, other] = [(); 2].map(|()| zips.open(&path).unwrap().directory());
        assert!(Arc::ptr_eq(&one, &other));
    }
}
