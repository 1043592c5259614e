//! The files below a path, listed without following links and read one by one under caps.

use crate::compare::FilesProblem;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The largest source file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Entries of a folder or a zip that are looked at.
const MOST_ENTRIES: usize = 20_000;

/// Folders deep.
const MOST_DEPTH: usize = 12;

/// The largest zip, in bytes.
const MOST_ZIP: u64 = 64 << 20;

/// A zip entry may unpack to this many times its packed size.
const MOST_RATIO: u64 = 200;

/// Files of a zip, in bytes, taken together.
const MOST_UNPACKED: usize = 64 << 20;

/// Folders that hold nothing of a student's own.
const NOISE: [&str; 7] =
    ["__MACOSX", "node_modules", "__pycache__", "venv", "env", "site-packages", "target"];

/// Folders that hold no answer, but may belong to it.
const BESIDES: [&str; 5] = ["build", "dist", "test", "tests", "coverage"];

/// The files below a path.
pub(super) struct Tree {
    kind: Kind,
    /// Files that may be the answer.
    entries: Vec<Entry>,
    /// Files in folders that hold no answer.
    besides: Vec<Entry>,
    warnings: Vec<String>,
    problem: Option<FilesProblem>,
    read: BTreeMap<PathBuf, Vec<u8>>,
}

enum Kind {
    /// A file by itself.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A zip, whose sources were unpacked in memory.
    Zip,
}

/// A file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its path below the tree's root.
    path: PathBuf,
    name: String,
}

impl Entry {
    fn new(path: PathBuf) -> Entry {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Entry { path, name }
    }

    /// Its path below the tree's root.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// How many folders deep it lies.
    pub(super) fn depth(&self) -> usize {
        self.path.components().count()
    }

    /// Its path below the root, for a message.
    pub(super) fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

/// A path that cannot be graded at all: the call is wrong, not the submission.
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
    pub(super) fn open(path: &Path) -> Result<Tree, TreeError> {
        let error = |source| TreeError { path: path.to_owned(), source };
        let metadata = fs::metadata(path).map_err(error)?;
        let mut tree = Tree {
            kind: Kind::File(path.to_owned()),
            entries: Vec::new(),
            besides: Vec::new(),
            warnings: Vec::new(),
            problem: None,
            read: BTreeMap::new(),
        };
        if metadata.is_dir() {
            fs::read_dir(path).map_err(error)?;
            tree.kind = Kind::Folder(path.to_owned());
            tree.list(path);
        } else if !metadata.is_file() {
            return Err(error(io::Error::other("it is neither a file nor a folder")));
        } else if is_zip(path) {
            tree.kind = Kind::Zip;
            if let Err(why) = tree.unzip(path, metadata.len()) {
                let file = Entry::new(path.to_owned()).name;
                tree.problem = Some(FilesProblem::Unreadable { file, why });
            }
        } else {
            File::open(path).map_err(error)?;
            tree.entries = vec![Entry::new(PathBuf::from(path.file_name().unwrap_or_default()))];
        }
        Ok(tree)
    }

    /// What is wrong with the whole, before any file is looked at.
    pub(super) fn problem(&self) -> Option<FilesProblem> {
        self.problem.clone()
    }

    pub(super) fn warnings(self) -> Vec<String> {
        self.warnings
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Files in folders that hold no answer, but may belong to it: tests, for one.
    pub(super) fn besides(&self) -> &[Entry] {
        &self.besides
    }

    fn add(&mut self, entry: Entry) {
        let folders = entry.path.parent().into_iter().flat_map(Path::components);
        let mut names = folders.map(|part| part.as_os_str().to_string_lossy());
        let besides = names.any(|name| BESIDES.contains(&name.as_ref()));
        if besides { self.besides.push(entry) } else { self.entries.push(entry) }
    }

    /// The file that an import of `module` in `of` names, if it lies beside it.
    pub(super) fn beside(&self, of: &Entry, module: &str, endings: &[&str]) -> Option<Entry> {
        let folder = of.path.parent().unwrap_or(Path::new(""));
        let names = std::iter::once(module.to_owned())
            .chain(endings.iter().map(|ending| format!("{module}.{ending}")));
        let found = names
            .filter_map(|name| {
                let path = folder.join(name);
                self.entries.iter().find(|entry| entry.path == path)
            })
            .find(|entry| crate::driver::of_file(&entry.name).is_some());
        found.cloned()
    }

    /// Where a file lies; one in a zip lies nowhere.
    pub(super) fn path(&self, entry: &Entry) -> Option<PathBuf> {
        match &self.kind {
            Kind::File(path) => Some(path.clone()),
            Kind::Folder(root) => Some(root.join(&entry.path)),
            Kind::Zip => None,
        }
    }

    /// The bytes of a file: opened once, without following a link, within the cap.
    pub(super) fn read(&mut self, entry: &Entry) -> Result<Vec<u8>, FilesProblem> {
        if let Some(bytes) = self.read.get(&entry.path) {
            return Ok(bytes.clone());
        }
        let Some(path) = self.path(entry) else {
            return Err(FilesProblem::TooLarge { file: entry.shown() });
        };
        let alone = matches!(self.kind, Kind::File(_));
        let file = open_plain(&path, alone)
            .map_err(|error| FilesProblem::Unreadable { file: entry.shown(), why: error.to_string() })?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| FilesProblem::Unreadable { file: entry.shown(), why: error.to_string() })?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(FilesProblem::TooLarge { file: entry.shown() });
        }
        self.read.insert(entry.path.clone(), bytes.clone());
        Ok(bytes)
    }

    fn list(&mut self, root: &Path) {
        let walk = WalkDir::new(root).max_depth(MOST_DEPTH).sort_by_file_name().into_iter();
        let walk = walk.filter_entry(|entry| {
            entry.depth() == 0 || !is_noise(entry.file_name(), entry.file_type().is_dir())
        });
        for entry in walk.take(MOST_ENTRIES) {
            match entry {
                Ok(entry) if entry.depth() == 0 || entry.file_type().is_dir() => {}
                Ok(entry) => {
                    let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_owned();
                    if entry.file_type().is_file() {
                        self.add(Entry::new(path));
                    } else {
                        let what = if entry.file_type().is_symlink() { "a link" } else { "no regular file" };
                        self.warnings.push(format!("{} is {what} and was passed over", path.display()));
                    }
                }
                Err(error) => self.warnings.push(format!("passed over: {error}")),
            }
        }
    }

    fn unzip(&mut self, path: &Path, size: u64) -> Result<(), String> {
        if size > MOST_ZIP {
            return Err(format!("it has {size} bytes, more than {MOST_ZIP}"));
        }
        let file = File::open(path).map_err(|error| error.to_string())?;
        let mut zip = zip::ZipArchive::new(file).map_err(|error| error.to_string())?;
        if zip.len() > MOST_ENTRIES {
            return Err(format!("it has {} entries, more than {MOST_ENTRIES}", zip.len()));
        }
        // Of a crate every file may be needed to compile it.
        let whole =
            zip.file_names().any(|name| name.is_ok_and(|name| name.rsplit('/').next() == Some("Cargo.toml")));
        let mut unpacked = 0;
        for index in 0..zip.len() {
            let entry = zip.by_index(index).map_err(|error| error.to_string())?;
            // A name that leads out of the archive is no file of the submission.
            let Some(name) = entry.enclosed_name() else {
                let name = entry.name().map(|name| name.into_owned()).unwrap_or_default();
                self.warnings.push(format!("{name} leads out of the zip and was passed over"));
                continue;
            };
            let noise = name
                .parent()
                .into_iter()
                .flat_map(Path::components)
                .any(|part| is_noise(part.as_os_str(), true))
                || is_noise(name.file_name().unwrap_or_default(), false);
            if !entry.is_file() || noise {
                if entry.is_symlink() {
                    self.warnings.push(format!("{} is a link and was passed over", name.display()));
                }
                continue;
            }
            let item = Entry::new(name);
            if whole || crate::driver::of_file(item.name()).is_some() {
                let (packed, claimed) = (entry.compressed_size().max(1), entry.size());
                if claimed > MOST_BYTES && claimed / packed > MOST_RATIO {
                    return Err(format!("{} unpacks to {} times its size", item.shown(), claimed / packed));
                }
                let mut bytes = Vec::new();
                entry.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
                unpacked += bytes.len();
                if unpacked > MOST_UNPACKED {
                    return Err(format!("it unpacks to more than {MOST_UNPACKED} bytes"));
                }
                if bytes.len() as u64 <= MOST_BYTES {
                    self.read.insert(item.path.clone(), bytes);
                }
            }
            self.add(item);
        }
        Ok(())
    }
}

/// Opens a regular file. The file that a user named may be a link; one found in a folder may not have become one.
fn open_plain(path: &Path, named: bool) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    if !named {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    #[cfg(windows)]
    if !named {
        use std::os::windows::fs::OpenOptionsExt;
        // A link is opened itself, and is then no regular file.
        options.custom_flags(windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OPEN_REPARSE_POINT);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
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
