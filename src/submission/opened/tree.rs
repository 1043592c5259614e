//! The files below a path, listed without following links and read one by one within limits.

use crate::compare::{FileKind, FilesProblem};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// The largest source file that is read, in bytes.
pub const LARGEST_FILE: u64 = 1 << 20;

/// The most bytes of source files that are read of one submission.
const MOST_READ: usize = 16 << 20;

/// The most entries of a folder or a zip that are listed.
const MOST_ENTRIES: usize = 20_000;

/// The most warnings about one submission; the rest are only counted.
const MOST_WARNINGS: usize = 10;

/// Characters of a path in a warning.
const MOST_SHOWN: usize = 120;

/// The most nested folders.
const MOST_DEPTH: usize = 12;

/// The largest zip, in bytes.
const MOST_ZIP: u64 = 64 << 20;

/// The largest directory of a zip, in bytes: it is kept in memory with all names.
const MOST_DIRECTORY: u64 = 8 << 20;

/// Folders without a student's own files.
const NOISE: [&str; 7] =
    ["__MACOSX", "node_modules", "__pycache__", "venv", "env", "site-packages", "target"];

/// Folders that hold no answer, but may belong to it.
const BESIDES: [&str; 5] = ["build", "dist", "test", "tests", "coverage"];

/// The files below a path.
pub(super) struct Tree {
    kind: EntryKind,
    /// Files that may be the answer.
    entries: Vec<TreeEntry>,
    /// Files in folders that hold no answer.
    besides: Vec<TreeEntry>,
    /// The indices in `entries` by path.
    places: HashMap<PathBuf, usize>,
    /// What else was found: links, hidden files.
    others: BTreeMap<FileKind, usize>,
    warnings: Vec<String>,
    /// The number of warnings beyond the limit.
    more_warnings: usize,
    problem: Option<FilesProblem>,
    read: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Bytes that may still be read.
    left: usize,
}

enum EntryKind {
    /// A single file.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A zip, whose sources were unpacked in memory.
    Zip,
    /// A link or a device, which is not followed or read.
    Apart,
}

/// A file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeEntry {
    /// Its path within the tree.
    path: PathBuf,
    name: String,
}

impl TreeEntry {
    fn new(path: PathBuf) -> TreeEntry {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        TreeEntry { path, name }
    }

    /// Its path within the tree.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its depth in folders.
    pub(super) fn depth(&self) -> usize {
        self.path.components().count()
    }

    /// Its path within the tree, for a message.
    pub(super) fn shown(&self) -> String {
        shown(&self.path)
    }
}

/// A path that cannot be graded at all: a usage error, not a fault of the submission.
#[derive(Debug)]
pub struct TreeError {
    /// The path.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        if self.source.kind() == io::ErrorKind::NotFound {
            write!(f, "{path}: there is no such file or folder")
        } else {
            write!(f, "{path}: cannot be read: {}", self.source)
        }
    }
}

impl std::error::Error for TreeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Tree {
    /// Opens what is at a path. A link is not followed, except to a folder whose name ends with a slash.
    pub(super) fn open(path: &Path) -> Result<Tree, TreeError> {
        let error = |source| TreeError { path: path.to_owned(), source };
        let metadata = fs::symlink_metadata(path).map_err(error)?;
        let mut tree = Tree {
            kind: EntryKind::File(path.to_owned()),
            entries: Vec::new(),
            besides: Vec::new(),
            places: HashMap::new(),
            others: BTreeMap::new(),
            warnings: Vec::new(),
            more_warnings: 0,
            problem: None,
            read: BTreeMap::new(),
            left: MOST_READ,
        };
        if metadata.is_symlink() {
            tree.kind = EntryKind::Apart;
            let to = fs::read_link(path).map_err(error)?;
            tree.problem = Some(FilesProblem::Link { to: shown(&to) });
        } else if metadata.is_dir() {
            fs::read_dir(path).map_err(error)?;
            tree.kind = EntryKind::Folder(path.to_owned());
            tree.list(path);
        } else if !metadata.is_file() {
            tree.kind = EntryKind::Apart;
            let (file, why) =
                (TreeEntry::new(path.to_owned()).name, "it is neither a file nor a folder".to_owned());
            tree.problem = Some(FilesProblem::Unreadable { file, why });
        } else if is_zip(path) {
            tree.kind = EntryKind::Zip;
            if let Err(why) = tree.unzip(path, metadata.len()) {
                let file = TreeEntry::new(path.to_owned()).name;
                tree.problem = Some(FilesProblem::Unreadable { file, why });
            }
        } else {
            File::open(path).map_err(error)?;
            tree.add(TreeEntry::new(PathBuf::from(path.file_name().unwrap_or_default())));
        }
        Ok(tree)
    }

    /// The problem with the whole, before any file is read.
    pub(super) fn problem(&self) -> Option<FilesProblem> {
        self.problem.clone()
    }

    pub(super) fn warnings(self) -> Vec<String> {
        let more = (self.more_warnings > 0).then(|| format!("and {} more", self.more_warnings));
        self.warnings.into_iter().chain(more).collect()
    }

    fn warn(&mut self, warning: impl FnOnce() -> String) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(warning())
        } else {
            self.more_warnings += 1
        }
    }

    /// The number of files of each kind, the most first.
    pub(super) fn contents(&self) -> Vec<(FileKind, usize)> {
        let mut kinds = self.others.clone();
        for entry in self.entries.iter().chain(&self.besides) {
            *kinds.entry(FileKind::of(&entry.name)).or_default() += 1;
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        kinds
    }

    pub(super) fn entries(&self) -> &[TreeEntry] {
        &self.entries
    }

    /// Files in folders that hold no answer but may belong to it, such as tests.
    pub(super) fn besides(&self) -> &[TreeEntry] {
        &self.besides
    }

    fn add(&mut self, entry: TreeEntry) {
        let folders = entry.path.parent().into_iter().flat_map(Path::components);
        let mut names = folders.map(|part| part.as_os_str().to_string_lossy());
        if names.any(|name| BESIDES.contains(&name.as_ref())) {
            self.besides.push(entry);
        } else {
            self.places.insert(entry.path.clone(), self.entries.len());
            self.entries.push(entry);
        }
    }

    /// The file that an import of `module` in `of` names, if it is beside it.
    pub(super) fn beside(&self, of: &TreeEntry, module: &str, endings: &[&str]) -> Option<TreeEntry> {
        let folder = of.path.parent().unwrap_or(Path::new(""));
        let names = std::iter::once(module.to_owned())
            .chain(endings.iter().map(|ending| format!("{module}.{ending}")));
        let found = names
            .filter_map(|name| self.entries.get(*self.places.get(&folder.join(name))?))
            .find(|entry| crate::languages::of_file(&entry.name).is_some());
        found.cloned()
    }

    /// The path of a file on disk; `None` in a zip.
    pub(super) fn path(&self, entry: &TreeEntry) -> Option<PathBuf> {
        match &self.kind {
            EntryKind::File(path) => Some(path.clone()),
            EntryKind::Folder(root) => Some(root.join(&entry.path)),
            EntryKind::Zip | EntryKind::Apart => None,
        }
    }

    /// The bytes of a file: opened once, without following a link, within the limit.
    pub(super) fn read(&mut self, entry: &TreeEntry) -> Result<Arc<[u8]>, FilesProblem> {
        if let Some(bytes) = self.read.get(&entry.path) {
            return Ok(Arc::clone(bytes));
        }
        let Some(path) = self.path(entry) else {
            return Err(FilesProblem::TooLarge { file: entry.shown() });
        };
        let unreadable =
            |error: io::Error| FilesProblem::Unreadable { file: entry.shown(), why: error.to_string() };
        let file = open_plain(&path).map_err(unreadable)?;
        let most = LARGEST_FILE.min(self.left as u64);
        if file.metadata().map_err(unreadable)?.len() > most {
            return Err(FilesProblem::TooLarge { file: entry.shown() });
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > most {
            return Err(FilesProblem::TooLarge { file: entry.shown() });
        }
        self.left -= bytes.len();
        let bytes: Arc<[u8]> = bytes.into();
        self.read.insert(entry.path.clone(), Arc::clone(&bytes));
        Ok(bytes)
    }

    fn list(&mut self, root: &Path) {
        let mut hidden = 0;
        let walk = WalkDir::new(root).min_depth(1).max_depth(MOST_DEPTH).into_iter().filter_entry(|entry| {
            let noise = is_noise(entry.file_name(), entry.file_type().is_dir());
            hidden += usize::from(noise && !entry.file_type().is_dir());
            !noise
        });
        // No more of a folder is held in memory than will be listed.
        let mut found: Vec<_> = walk.take(MOST_ENTRIES).collect();
        found.sort_by_cached_key(|entry| entry.as_ref().ok().map(|entry| entry.path().to_owned()));
        self.note(FileKind::Hidden, hidden);
        for entry in found {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_owned();
                    if entry.file_type().is_file() {
                        self.add(TreeEntry::new(path));
                    } else if entry.file_type().is_symlink() {
                        self.note(FileKind::Link, 1);
                        self.warn(|| format!("{} is a link", shown(&path)));
                    } else {
                        self.warn(|| format!("{} is not a regular file", shown(&path)));
                    }
                }
                Err(error) => self.warn(|| error.to_string()),
            }
        }
    }

    /// Counts files that are not among the entries.
    fn note(&mut self, kind: FileKind, count: usize) {
        if count > 0 {
            *self.others.entry(kind).or_default() += count;
        }
    }

    fn unzip(&mut self, path: &Path, size: u64) -> Result<(), String> {
        if size > MOST_ZIP {
            return Err(format!("it has {size} bytes, more than {MOST_ZIP}"));
        }
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        let (entries, directory) = zip_directory(&mut file, size).map_err(|error| error.to_string())?;
        if entries > MOST_ENTRIES as u64 {
            return Err(format!("it has {entries} entries, more than {MOST_ENTRIES}"));
        }
        if directory > MOST_DIRECTORY {
            return Err(format!("its directory has {directory} bytes, more than {MOST_DIRECTORY}"));
        }
        let mut zip = zip::ZipArchive::new(file).map_err(|error| error.to_string())?;
        if zip.len() > MOST_ENTRIES {
            return Err(format!("it has {} entries, more than {MOST_ENTRIES}", zip.len()));
        }
        // Compiling a crate may need every file of it.
        let whole =
            zip.file_names().any(|name| name.is_ok_and(|name| name.rsplit('/').next() == Some("Cargo.toml")));
        for index in 0..zip.len() {
            let entry = zip.by_index(index).map_err(|error| error.to_string())?;
            // A name that leads out of the archive is not a file of the submission.
            let Some(name) = entry.enclosed_name() else {
                let name = entry.name().map(|name| name.into_owned()).unwrap_or_default();
                self.warn(|| format!("{} leads out of the zip", shown(Path::new(&name))));
                continue;
            };
            let noise = name
                .parent()
                .into_iter()
                .flat_map(Path::components)
                .any(|part| is_noise(part.as_os_str(), true))
                || is_noise(name.file_name().unwrap_or_default(), false);
            if entry.is_symlink() && !noise {
                self.note(FileKind::Link, 1);
                self.warn(|| format!("{} is a link", shown(&name)));
                continue;
            }
            if !entry.is_file() || noise {
                self.note(FileKind::Hidden, usize::from(entry.is_file()));
                continue;
            }
            let item = TreeEntry::new(name);
            if (whole || crate::languages::of_file(item.name()).is_some()) && entry.size() <= LARGEST_FILE {
                let mut bytes = Vec::new();
                entry.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
                let Some(left) = self.left.checked_sub(bytes.len()) else {
                    return Err(format!("its source files unpack to more than {MOST_READ} bytes"));
                };
                self.left = left;
                if bytes.len() as u64 <= LARGEST_FILE {
                    self.read.insert(item.path.clone(), bytes.into());
                }
            }
            self.add(item);
        }
        Ok(())
    }
}

/// Opens a regular file, if it has not become a link since it was found.
fn open_plain(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // A link itself is opened, and is then not a regular file.
        options.custom_flags(windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OPEN_REPARSE_POINT);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

/// The number of entries that a zip declares, and the bytes of its directory.
///
/// They are checked before a library reads them all into memory (section 4.3.16 of the zip specification,
/// APPNOTE.TXT).
fn zip_directory(file: &mut File, size: u64) -> io::Result<(u64, u64)> {
    /// The record at the end, and the longest comment after it, with a margin before it.
    const TAIL: u64 = 22 + 65_535 + 4096;
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
    file.by_ref().take(TAIL).read_to_end(&mut tail)?;
    let number = |at: usize, width: usize| {
        let bytes = tail.get(at..at + width).unwrap_or_default();
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    let (mut entries, mut directory) = (None, 0);
    for at in 0..tail.len().saturating_sub(3) {
        match &tail[at..at + 4] {
            // The library decides which of several such records counts: so the largest must be within the limit.
            b"PK\x05\x06" => {
                entries = entries.max(Some(number(at + 10, 2)));
                directory = directory.max(number(at + 12, 4));
            }
            // Only archives beyond the limit need these, and they may declare anything.
            b"PK\x06\x06" | b"PK\x06\x07" => {
                return Err(io::Error::other(
                    "it is a zip64 archive, which keur cannot read; pack it again as a plain zip",
                ));
            }
            _ => {}
        }
    }
    let entries = entries.ok_or_else(|| io::Error::other("it is truncated, or it is not a zip"))?;
    Ok((entries, directory))
}

/// A path for a message, up to a limit.
fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn is_noise(name: &std::ffi::OsStr, folder: bool) -> bool {
    let name = name.to_string_lossy();
    (name.starts_with('.') && name != ".") || (folder && NOISE.contains(&name.as_ref()))
}

fn is_zip(path: &Path) -> bool {
    let mut start = [0; 4];
    let marked = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && (start == *b"PK\x03\x04" || start == *b"PK\x05\x06");
    marked || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}
