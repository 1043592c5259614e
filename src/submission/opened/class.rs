//! A class: a folder or a zip with a submission in each entry.

use super::archive::Archive;
use super::directory::{Directory, ZipEntryKind};
use super::tree::{is_noise, is_zip};
use crate::compare::FilesProblem;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Whether the path may be a class: it is a folder or a zip.
pub fn may_be_class(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && is_zip(path))
}

/// The submissions of a folder or a zip, by name; hidden entries are skipped.
///
/// Those of a zip have paths in it, such as `class.zip/jan`, which [`super::open`] takes. If all of a zip is in one folder, with
/// several entries or with the name of the zip, that folder is the class: programs that zip a folder do so.
///
/// # Errors
/// It cannot be read.
pub fn entries(path: &Path) -> Result<Vec<PathBuf>, FilesProblem> {
    let file = path.display().to_string();
    let unreadable =
        |error: io::Error| FilesProblem::Unreadable { file: file.clone(), why: error.to_string() };
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(unreadable)?;
        let entries = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        let mut entries = entries.map_err(unreadable)?;
        entries.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
        entries.sort();
        return Ok(entries);
    }
    let directory = Archive::open_class(path)?.directory();
    let mut names = names_in(Path::new(""), &directory);
    if let [only] = names.as_slice() {
        let is_named = |stem: &OsStr| stem.to_string_lossy().starts_with(&*only.to_string_lossy());
        let below = names_in(only, &directory);
        if below.len() > 1 || path.file_stem().is_some_and(is_named) {
            names = below;
        }
    }
    Ok(names.into_iter().map(|name| path.join(name)).collect())
}

/// What lies directly in a folder of a zip.
fn names_in(folder: &Path, directory: &Directory) -> Vec<PathBuf> {
    let inside = directory.below(folder).filter(|entry| entry.kind != ZipEntryKind::Outside);
    let below = inside.filter_map(|entry| entry.path.strip_prefix(folder).ok()?.components().next());
    let names: BTreeSet<PathBuf> =
        below.filter(|name| !is_noise(name.as_os_str(), true)).map(|name| folder.join(name)).collect();
    names.into_iter().collect()
}
