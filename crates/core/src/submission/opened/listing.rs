//! The entries of a submission's folder or zip: which of them are files to look at.
//!
//! Every entry counts to the budget before it is looked at. Nothing is read, and no link is followed.

use super::budget::ReadBudget;
use super::directory::{ZipEntry, ZipEntryKind};
use super::noise::{is_noise, is_noise_path};
use super::taken::{MOST_DEPTH, shown};
use crate::submission::{FilesProblem, SkippedFile};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// An entry of a folder or a zip that is no folder.
pub enum ListedEntry {
    /// A regular file, by its path within the submission.
    File(PathBuf),
    /// A hidden file.
    Hidden,
    /// A file that is not read.
    Skipped(SkippedFile),
}

/// The entries of the folder `root` on disk, by path. No more of it is held in memory than may be listed.
pub fn list_folder(root: &Path, budget: &mut ReadBudget) -> Result<Vec<ListedEntry>, FilesProblem> {
    // A folder that is closed before it is listed to its end would be held as a whole.
    let walk = WalkDir::new(root).min_depth(1).max_depth(MOST_DEPTH).max_open(MOST_DEPTH + 1);
    let mut walk = walk.into_iter();
    let mut found = Vec::new();
    while let Some(entry) = walk.next() {
        budget.take_entry()?;
        match entry {
            Ok(entry) if entry.file_type().is_dir() && is_noise(entry.file_name(), true) => {
                walk.skip_current_dir();
            }
            entry => found.push(entry),
        }
    }
    found.sort_by_cached_key(|entry| entry.as_ref().ok().map(|entry| entry.path().to_owned()));
    let entries = found.into_iter().filter_map(|entry| match entry {
        Ok(entry) => on_disk(root, &entry),
        Err(error) => Some(ListedEntry::Skipped(SkippedFile::Unlisted(error.to_string()))),
    });
    Ok(entries.collect())
}

/// An entry below `root`; `None` for a folder, whose own entries follow.
fn on_disk(root: &Path, entry: &DirEntry) -> Option<ListedEntry> {
    let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
    let kind = entry.file_type();
    let skipped = if kind.is_dir() {
        (entry.depth() == MOST_DEPTH).then(|| SkippedFile::Unkept(shown(path)))?
    } else if is_noise(entry.file_name(), false) {
        return Some(ListedEntry::Hidden);
    } else if kind.is_file() {
        return Some(ListedEntry::File(path.to_owned()));
    } else if kind.is_symlink() {
        SkippedFile::Link(shown(path))
    } else {
        SkippedFile::Irregular(shown(path))
    };
    Some(ListedEntry::Skipped(skipped))
}

/// An entry of a zip, to be found at `path`; `None` for a folder.
pub fn list_zipped(
    entry: &ZipEntry,
    path: PathBuf,
    budget: &mut ReadBudget,
) -> Result<Option<ListedEntry>, FilesProblem> {
    budget.take_entry()?;
    let skipped = match entry.kind {
        ZipEntryKind::Outside => SkippedFile::OutsideZip(shown(&entry.path)),
        ZipEntryKind::Folder => return Ok(None),
        ZipEntryKind::File | ZipEntryKind::Link | ZipEntryKind::Irregular | ZipEntryKind::Unkept
            if is_noise_path(&path) =>
        {
            return Ok(Some(ListedEntry::Hidden));
        }
        ZipEntryKind::File => return Ok(Some(ListedEntry::File(path))),
        ZipEntryKind::Link => SkippedFile::Link(shown(&path)),
        ZipEntryKind::Irregular => SkippedFile::Irregular(shown(&path)),
        ZipEntryKind::Unkept => SkippedFile::Unkept(shown(&path)),
    };
    Ok(Some(ListedEntry::Skipped(skipped)))
}

#[cfg(test)]
mod tests {
    use super::{ListedEntry, list_folder};
    use crate::submission::FilesProblem;
    use crate::submission::opened::budget::ReadBudget;
    use std::fs::{self, File};

    #[test]
    fn hidden_entries_count_and_what_is_in_hidden_folders_does_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("node_modules")).unwrap();
        for name in ["a.py", ".hidden", "node_modules/a.js", "node_modules/b.js"] {
            File::create(folder.path().join(name)).unwrap();
        }
        let list = |most| list_folder(folder.path(), &mut ReadBudget::of_entries(most));
        assert!(matches!(list(3).unwrap().as_slice(), [ListedEntry::Hidden, ListedEntry::File(_)]));
        assert_eq!(list(2).err(), Some(FilesProblem::TooMany { most: 20_000 }));
    }
}
