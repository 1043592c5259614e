//! A download: a folder or a zip with the submissions of a class, sorted out by student and attempt.

use super::names::{self, EntryName, Platform, WrittenName};
use super::people;
use super::unpack::{Unpacked, Unpacker};
use crate::compare::FilesProblem;
use crate::submission::opened::{
    Archive, Budget, Directory, ZipEntryKind, is_noise, is_zip, open_plain, shown,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most bytes that are read of a platform's own text about an attempt.
const MOST_ABOUT: u64 = 4096;

/// A download, open.
pub(super) struct Download {
    archive: Option<Archive>,
    entries: Vec<DownloadEntry>,
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

/// An attempt of a student, in a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Incoming {
    pub(super) student: WrittenName,
    /// The student's number on the platform.
    pub(super) id: Option<String>,
    /// Whether a platform wrote the name; else it is that of a file or folder.
    pub(super) platform: Option<Platform>,
    pub(super) at: Option<i64>,
    pub(super) late: bool,
    /// The name of its file or folder, with a `/` after that of a folder.
    pub(super) original: String,
    /// The entries that belong to it, and the name that each has for the student.
    pub(super) parts: Vec<(usize, Option<String>)>,
}

/// What a download holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted {
    /// By student, the earliest attempt first.
    pub(super) attempts: Vec<Incoming>,
    /// The names of what is nobody's.
    pub(super) nobodys: Vec<String>,
}

/// Why a download cannot be opened.
#[derive(Debug)]
pub enum DownloadError {
    /// There is nothing at the path, or no folder or zip.
    Usage(String),
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is a zip that cannot be unpacked.
    Zip(PathBuf, FilesProblem),
}

impl fmt::Display for DownloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DownloadError::Usage(message) => f.write_str(message),
            DownloadError::Unreadable(path, error) => {
                write!(f, "{}: cannot be read: {error}", path.display())
            }
            DownloadError::Zip(path, problem) => {
                let words = crate::report::words::Words::new(crate::messages::Lang::En);
                write!(f, "{}: {}", path.display(), words.files(problem))
            }
        }
    }
}

impl std::error::Error for DownloadError {}

impl Download {
    /// Opens the folder or zip at `path`.
    pub(super) fn open(path: &Path) -> Result<Download, DownloadError> {
        let shown = path.display();
        let unreadable = |error| DownloadError::Unreadable(path.to_owned(), error);
        if path.is_dir() {
            return Ok(Download { archive: None, entries: on_disk(path).map_err(unreadable)? });
        }
        if !path.exists() {
            return Err(DownloadError::Usage(format!("{shown}: there is no such file or folder")));
        }
        if !path.is_file() || !is_zip(path) {
            return Err(DownloadError::Usage(format!(
                "{shown}: --each takes a folder or a zip of submissions, as the learning platform exports it"
            )));
        }
        let archive =
            Archive::open_class(path).map_err(|problem| DownloadError::Zip(path.to_owned(), problem))?;
        let entries = zipped(path, &archive.directory());
        Ok(Download { archive: Some(archive), entries })
    }

    /// Sorts the entries out by student. Where a platform wrote the names, another name is that of a student only if
    /// `is_student` says so.
    pub(super) fn sorted(&mut self, is_student: &dyn Fn(&str) -> bool) -> Sorted {
        let mut sorted = Sorted::default();
        let read: Vec<Option<EntryName>> =
            self.entries.iter().map(|entry| names::read(&entry.name)).collect();
        let candidates = self.entries.iter().filter(|entry| !names::is_nobodys(&entry.name)).count();
        let by_platform = 2 * read.iter().flatten().count() >= candidates.max(1);
        let mut full = BTreeMap::new();
        let mut groups: BTreeMap<(String, Option<i64>), Group> = BTreeMap::new();
        for (index, found) in read.into_iter().enumerate() {
            let name = self.entries[index].name.clone();
            let Some(found) = found.filter(|_| by_platform) else {
                let student = self.own_name(index);
                if names::is_nobodys(&name) || (by_platform && !is_student(&student)) {
                    sorted.nobodys.push(name);
                } else {
                    let key = (people::tidied(&student), None);
                    groups.entry(key).or_default().add(index, None, student);
                }
                continue;
            };
            let login = found.student.text().to_owned();
            if found.about {
                let about = self.about(index);
                full.extend(names::named_in(&about, &login).map(|name| (login.clone(), name)));
            }
            let key = (found.id.clone().unwrap_or_else(|| people::key(&login)), found.at);
            groups.entry(key).or_default().add(index, Some(found), login);
        }
        for group in groups.into_values() {
            self.split(group, &full, &mut sorted);
        }
        sorted
    }

    /// The name of a student that is only that of a file or folder.
    fn own_name(&self, index: usize) -> String {
        let entry = &self.entries[index];
        let path = Path::new(&entry.name);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if self.is_folder(index) { entry.name.clone() } else { stem }
    }

    fn is_folder(&self, index: usize) -> bool {
        match &self.entries[index].content {
            EntryContent::FileOnDisk(_) | EntryContent::LinkOnDisk(_) => false,
            EntryContent::FolderOnDisk(_) => true,
            EntryContent::Zipped(files) => files.iter().any(|(_, path)| !path.as_os_str().is_empty()),
        }
    }

    /// Adds the attempts of a student, of which the platform keeps the latest if it does not write the time.
    fn split(&self, group: Group, full: &BTreeMap<String, String>, sorted: &mut Sorted) {
        let files: Vec<_> = group
            .entries
            .iter()
            .filter(|(_, found)| !found.as_ref().is_some_and(|name| name.about))
            .collect();
        let Some((first, _)) = files.first().or(group.entries.first().as_ref()).copied() else { return };
        // The versions of each file, the oldest first.
        let mut versions: BTreeMap<String, Vec<(u32, usize)>> = BTreeMap::new();
        for (index, found) in &files {
            let file =
                found.as_ref().and_then(|found| found.file.clone()).filter(|_| !self.is_folder(*index));
            let again = found.as_ref().map_or(0, |found| found.again);
            let name = file.unwrap_or_else(|| self.entries[*index].name.clone());
            versions.entry(name).or_default().push((again, *index));
        }
        versions.values_mut().for_each(|versions| versions.sort_unstable());
        let named = |index: usize| {
            // They are in the order of the download.
            let found = group.entries.binary_search_by_key(&index, |(other, _)| *other);
            found.ok().and_then(|place| group.entries[place].1.as_ref())
        };
        let name = named(*first);
        let student = match name.map(|name| &name.student) {
            Some(WrittenName::Login(login)) => full
                .get(login)
                .map_or_else(|| WrittenName::Login(login.clone()), |name| WrittenName::Full(name.clone())),
            Some(written) => written.clone(),
            None => WrittenName::Full(group.student.clone()),
        };
        let count = versions.values().map(Vec::len).max().unwrap_or(1);
        for attempt in 0..count {
            let parts = versions.iter().filter_map(|(file, versions)| {
                let (_, index) = versions.get(attempt).or(versions.last())?;
                Some((
                    *index,
                    Some(file.clone()).filter(|_| named(*index).is_some_and(|name| name.file.is_some())),
                ))
            });
            let parts: Vec<(usize, Option<String>)> = parts.collect();
            let main = parts.first().map_or(*first, |(index, _)| *index);
            let slash = if self.is_folder(main) { "/" } else { "" };
            sorted.attempts.push(Incoming {
                student: student.clone(),
                id: name.and_then(|name| name.id.clone()),
                platform: name.map(|name| name.platform),
                at: name.and_then(|name| name.at),
                late: parts.iter().any(|(index, _)| named(*index).is_some_and(|name| name.late)),
                original: format!("{}{slash}", self.entries[main].name),
                parts,
            });
        }
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
                    let read = archive.read(&directory.entries()[*index], MOST_ABOUT, &mut Budget::new());
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

/// Entries of the same student and time.
#[derive(Default)]
struct Group {
    student: String,
    entries: Vec<(usize, Option<EntryName>)>,
}

impl Group {
    fn add(&mut self, index: usize, found: Option<EntryName>, student: String) {
        self.entries.push((index, found));
        self.student = student;
    }
}

/// What lies in a folder, by name.
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

/// What lies in a zip, by name. If all of it is in one folder, with several entries or with the name of the zip, that
/// folder is the download: programs that zip a folder do so.
fn zipped(path: &Path, directory: &Directory) -> Vec<DownloadEntry> {
    let entries = directory.entries().iter().enumerate();
    let inside = entries.filter(|(_, entry)| entry.kind != ZipEntryKind::Outside);
    let paths: Vec<(usize, PathBuf)> = inside.map(|(index, entry)| (index, entry.path.clone())).collect();
    let top = |paths: &[(usize, PathBuf)]| -> BTreeSet<PathBuf> {
        let names = paths.iter().filter_map(|(_, path)| path.components().next());
        names.map(|name| PathBuf::from(name.as_os_str())).collect()
    };
    let names: Vec<PathBuf> =
        top(&paths).into_iter().filter(|name| !is_noise(name.as_os_str(), true)).collect();
    let mut paths = paths;
    if let [only] = names.as_slice()
        && names::read(&only.to_string_lossy()).is_none()
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
    for (index, path) in paths {
        let mut parts = path.components();
        let Some(name) = parts.next() else { continue };
        let name = name.as_os_str().to_string_lossy().into_owned();
        entries.entry(name).or_default().push((index, parts.as_path().to_owned()));
    }
    let entries = entries.into_iter().map(|(name, mut files)| {
        // The folder itself is an entry of some zips.
        if files.len() > 1 {
            files.retain(|(_, path)| !path.as_os_str().is_empty());
        }
        DownloadEntry { name, content: EntryContent::Zipped(files) }
    });
    entries.collect()
}
