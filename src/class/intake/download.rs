//! A download: a folder or a zip with the submissions of a class, sorted out by student and attempt.

use super::names::{EntryShape, NamedBy, Platform};
use super::sorting::{self, DownloadNaming, Incoming, KnownStudents, NamedEntry, Sorted};
use super::unpack::{Unpacked, Unpacker};
use keur_core::named::Named;
use keur_core::submission::FilesProblem;
use keur_core::submission::opened::{
    Archive, Directory, EntriesError, ReadBudget, ZipEntry, ZipEntryKind, is_noise, is_noise_path, is_zip,
    open_class_zip, open_plain, shown,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most bytes that are read of a platform's own text about an attempt.
const MOST_ABOUT: u64 = 4096;

/// The platforms that write a folder for each student.
const FOLDERS: [Platform; 2] = [Platform::Moodle, Platform::Brightspace];

/// A download, open.
pub(super) struct Download {
    archive: Option<Archive>,
    entries: Vec<DownloadEntry>,
    /// Entries whose names do not even start with one that could be a student's.
    nameless: Vec<String>,
}

/// A file or folder directly in a download.
struct DownloadEntry {
    name: String,
    content: EntryContent,
}

enum EntryContent {
    FileOnDisk(PathBuf),
    FolderOnDisk(PathBuf),
    LinkOnDisk(PathBuf),
    /// Entries of the zip, each with its path below this one; the path of a file is empty.
    Zipped(Vec<(usize, PathBuf)>),
}

/// A reason why a download cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// The path has nothing, or something else than a folder or a zip.
    #[error("{0}")]
    Usage(String),
    /// The platform that named the entries is not the one that was named, or is not clear.
    #[error("{0}")]
    UnclearPlatform(String),
    /// The download cannot be read.
    #[error("{}: cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    /// The download is a zip that cannot be unpacked.
    #[error("{0}")]
    Zip(EntriesError),
}

impl Download {
    /// Opens the folder or zip at `path`.
    pub(super) fn open(path: &Path) -> Result<Download, DownloadError> {
        let shown = path.display();
        let unreadable = |error| DownloadError::Unreadable(path.to_owned(), error);
        if path.is_dir() {
            let entries = on_disk(path).map_err(unreadable)?;
            return Ok(Download { archive: None, entries, nameless: Vec::new() });
        }
        if !path.exists() {
            return Err(DownloadError::Usage(format!("{shown}: there is no such file or folder")));
        }
        if !path.is_file() || !is_zip(path) {
            return Err(DownloadError::Usage(format!(
                "{shown}: is no folder or zip of submissions, as the learning platform exports it"
            )));
        }
        let archive = open_class_zip(path).map_err(DownloadError::Zip)?;
        let (entries, nameless) = zipped(path, &archive.directory());
        Ok(Download { archive: Some(archive), entries, nameless })
    }

    /// The platform that named the entries, and a warning if that is not certain. `asked` settles it.
    pub(super) fn named_by(&self, asked: Option<NamedBy>) -> Result<(NamedBy, Option<String>), String> {
        let entries = self.named();
        if let Some(asked) = asked {
            let NamedBy::Platform(platform) = asked else { return Ok((asked, None)) };
            let wrote = |entry: &NamedEntry| platform.read(&entry.name, entry.shape).is_some();
            return if entries.iter().any(wrote) {
                Ok((asked, None))
            } else {
                Err(format!("no name in it is one of {}'s; name another platform", platform.title()))
            };
        }
        match sorting::naming(&entries) {
            DownloadNaming::Clear(named_by) => Ok((named_by, None)),
            DownloadNaming::Few(platform, count) => {
                let warning = format!(
                    "{count} of {} names look like those of {}, and are taken as names of students; if {} wrote them, \
                     name `{}` as the platform",
                    entries.len(),
                    platform.title(),
                    platform.title(),
                    platform.name(),
                );
                Ok((NamedBy::People, Some(warning)))
            }
            DownloadNaming::Unclear(platforms) => {
                let titles: Vec<&str> = platforms.iter().map(|platform| platform.title()).collect();
                Err(format!("its names may be those of {}; say which", titles.join(" or of ")))
            }
            DownloadNaming::Mixed(counts) => {
                let counted =
                    |(platform, count): &(Platform, usize)| format!("{count} of {}", platform.title());
                let counts: Vec<String> = counts.iter().map(counted).collect();
                Err(format!(
                    "it has names of several platforms ({}); give each download by itself, or say which \
                     platform's names count",
                    counts.join(", ")
                ))
            }
        }
    }

    /// Sorts the entries out by student.
    pub(super) fn sorted(&mut self, named_by: NamedBy, known: &dyn KnownStudents) -> Sorted {
        let entries = self.named();
        let mut sorted = sorting::sort(&entries, named_by, known, &mut |index| self.about(index));
        sorted.nobodys.extend_from_slice(&self.nameless);
        sorted
    }

    /// The names of the entries.
    fn named(&self) -> Vec<NamedEntry> {
        let shape = |entry: &DownloadEntry| match &entry.content {
            EntryContent::FileOnDisk(_) | EntryContent::LinkOnDisk(_) => EntryShape::File,
            EntryContent::FolderOnDisk(_) => EntryShape::Folder,
            EntryContent::Zipped(files) if files.iter().all(|(_, path)| path.as_os_str().is_empty()) => {
                EntryShape::File
            }
            EntryContent::Zipped(_) => EntryShape::Folder,
        };
        self.entries
            .iter()
            .map(|entry| NamedEntry { name: entry.name.clone(), shape: shape(entry) })
            .collect()
    }

    /// The start of a platform's text about an attempt.
    fn about(&mut self, index: usize) -> String {
        let bytes = match (&self.entries[index].content, &mut self.archive) {
            (EntryContent::FileOnDisk(path), _) => open_plain(path)
                .and_then(|file| {
                    let mut bytes = Vec::new();
                    file.take(MOST_ABOUT).read_to_end(&mut bytes)?;
                    Ok(bytes)
                })
                .unwrap_or_default(),
            (EntryContent::Zipped(files), Some(archive)) => match files.as_slice() {
                [(index, _)] => {
                    let directory = archive.directory();
                    let read =
                        archive.read(&directory.entries()[*index], MOST_ABOUT, &mut ReadBudget::default());
                    read.unwrap_or_default()
                }
                _ => Vec::new(),
            },
            (EntryContent::FolderOnDisk(_) | EntryContent::LinkOnDisk(_) | EntryContent::Zipped(_), _) => {
                Vec::new()
            }
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Unpacks an attempt.
    pub(super) fn unpack(&mut self, incoming: &Incoming) -> Unpacked {
        let mut unpacker = Unpacker::new();
        for (index, name) in &incoming.parts {
            let entry = &self.entries[*index];
            let own = PathBuf::from(name.as_ref().unwrap_or(&entry.name));
            match &entry.content {
                EntryContent::FileOnDisk(path) => unpacker.file(path, own),
                EntryContent::FolderOnDisk(path) => unpacker.folder(path),
                EntryContent::LinkOnDisk(path) => {
                    let to = fs::read_link(path).unwrap_or_default();
                    unpacker.fail(FilesProblem::Link { to: shown(&to) });
                }
                EntryContent::Zipped(files) => {
                    let place = |path: &PathBuf| {
                        if path.as_os_str().is_empty() { own.clone() } else { path.clone() }
                    };
                    if let Some(archive) = &mut self.archive {
                        let directory = archive.directory();
                        let all = directory.entries();
                        let files = files.iter().map(|(index, path)| (&all[*index], place(path)));
                        unpacker.entries(archive, files, 1);
                    }
                }
            }
        }
        unpacker.finish()
    }
}

/// The entries of a folder, by name.
fn on_disk(folder: &Path) -> io::Result<Vec<DownloadEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let content = if kind.is_dir() {
            EntryContent::FolderOnDisk(path)
        } else if kind.is_symlink() {
            EntryContent::LinkOnDisk(path)
        } else {
            EntryContent::FileOnDisk(path)
        };
        entries.push(DownloadEntry { name: entry.file_name().to_string_lossy().into_owned(), content });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// The entries of a zip, by name, and the names of those without an owner. If all of it is in one folder,
/// with several entries or with the name of the zip, that folder is the download: programs that zip a folder
/// do so.
fn zipped(path: &Path, directory: &Directory) -> (Vec<DownloadEntry>, Vec<String>) {
    let all = directory.entries();
    let paths: Vec<(usize, PathBuf)> = all.iter().map(start).enumerate().collect();
    let top = |paths: &[(usize, PathBuf)]| -> BTreeSet<PathBuf> {
        let names = paths.iter().filter_map(|(_, path)| path.components().next());
        names.map(|name| PathBuf::from(name.as_os_str())).collect()
    };
    let names: Vec<PathBuf> =
        top(&paths).into_iter().filter(|name| !is_noise(name.as_os_str(), true)).collect();
    let mut paths = paths;
    if let [only] = names.as_slice()
        && !FOLDERS
            .iter()
            .any(|platform| platform.read(&only.to_string_lossy(), EntryShape::Folder).is_some())
    {
        let below =
            paths.iter().filter_map(|(index, path)| Some((*index, path.strip_prefix(only).ok()?.to_owned())));
        let below: Vec<_> = below.filter(|(_, path)| !path.as_os_str().is_empty()).collect();
        let is_named = |stem: &OsStr| stem.to_string_lossy().starts_with(&*only.to_string_lossy());
        if top(&below).len() > 1 || (!below.is_empty() && path.file_stem().is_some_and(is_named)) {
            paths = below;
        }
    }
    let mut entries: BTreeMap<String, Vec<(usize, PathBuf)>> = BTreeMap::new();
    let is_file = |index: &usize| {
        let entry = &all[*index];
        entry.kind == ZipEntryKind::Outside
            || (entry.kind != ZipEntryKind::Folder && !is_noise_path(&entry.path))
    };
    let mut lost: BTreeSet<usize> = (0..all.len()).filter(is_file).collect();
    for (index, path) in paths {
        let mut parts = path.components();
        let Some(name) = parts.next() else { continue };
        lost.remove(&index);
        let name = name.as_os_str().to_string_lossy().into_owned();
        entries.entry(name).or_default().push((index, parts.as_path().to_owned()));
    }
    let entries = entries.into_iter().map(|(name, mut files)| {
        // The folder itself is an entry of some zips.
        if files.len() > 1 {
            files.retain(|(index, path)| {
                !path.as_os_str().is_empty() || all[*index].kind != ZipEntryKind::Folder
            });
        }
        DownloadEntry { name, content: EntryContent::Zipped(files) }
    });
    let nameless = lost.iter().map(|index| format!("`{}`", shown(&all[*index].path)));
    (entries.collect(), nameless.collect())
}

/// The path of an entry, as far as it leads into the zip.
fn start(entry: &ZipEntry) -> PathBuf {
    if entry.kind != ZipEntryKind::Outside {
        return entry.path.clone();
    }
    let text = entry.path.to_string_lossy();
    let parts = text.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".");
    let is_name =
        |part: &&str| *part != ".." && !part.contains('\0') && part.as_bytes().get(1) != Some(&b':');
    parts.take_while(is_name).collect()
}
