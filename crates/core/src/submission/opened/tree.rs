//! The files below a path, listed without following links and read one by one within limits.

use super::archive::{Archive, has_zip_name, is_zip};
use super::budget::ReadBudget;
use super::class::ClassZips;
use super::directory::{ZipBytes, ZipEntry, ZipEntryKind, ZipLimits};
use super::listing::{ListedEntry, list_folder, list_zipped};
use super::noise::is_noise_path;
use super::package::MANIFEST;
use super::plain::{manifests_above, open_plain};
use super::skipped::SkippedFiles;
use super::taken::{TakenPaths, shown};
use crate::languages::Language;
use crate::submission::{FileKind, FilesProblem, SkippedFile};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The largest source file that is read, in bytes.
pub const LARGEST_FILE: u64 = 1 << 20;

/// The most bytes of source files that are read of one submission.
pub const MOST_READ: u64 = 16 << 20;

/// Folders that hold no answer, but may belong to it.
const BESIDES: [&str; 5] = ["build", "dist", "test", "tests", "coverage"];

/// The largest source file of this name that is read, in bytes: a notebook may be larger than others.
pub fn largest(name: &str) -> u64 {
    crate::languages::notebooks(name).map_or(LARGEST_FILE, |notebooks| notebooks.largest)
}

/// The files below a path.
pub(super) struct Tree {
    kind: EntryKind,
    /// Files that may be the answer.
    entries: Vec<TreeEntry>,
    /// Files in folders that hold no answer.
    besides: Vec<TreeEntry>,
    /// The indices in `entries` by path.
    places: HashMap<PathBuf, usize>,
    /// The other entries that were found: links, hidden files.
    others: BTreeMap<FileKind, usize>,
    skipped: SkippedFiles,
    /// The file that an instructor chose.
    chosen: Option<PathBuf>,
    /// The paths of the files of a zip.
    taken: TakenPaths,
    /// The manifests of crates in the folders of the zip around this one, the nearest first.
    around: Vec<Arc<[u8]>>,
    reading: RefCell<Reading>,
}

enum EntryKind {
    /// A single file.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A zip, whose sources were unpacked, or files that were never on disk.
    Memory,
}

/// The files that were read, and what may still be read.
struct Reading {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Bytes of sources that may still be read.
    left: u64,
    budget: ReadBudget,
}

impl Reading {
    /// Takes the bytes of a source that is about to be read or unpacked.
    fn spend(&mut self, bytes: u64) -> Result<(), FilesProblem> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or(FilesProblem::TooLargeTogether { most: MOST_READ })?;
        Ok(())
    }
}

/// A file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeEntry {
    /// The path within the tree.
    path: PathBuf,
    name: String,
}

impl TreeEntry {
    fn new(path: PathBuf) -> TreeEntry {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        TreeEntry { path, name }
    }

    /// The path within the tree.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The depth in folders.
    pub(super) fn depth(&self) -> usize {
        self.path.components().count()
    }

    /// The path within the tree, for a message.
    pub(super) fn shown(&self) -> String {
        shown(&self.path)
    }
}

/// Why what is at a path is not opened.
#[derive(Debug, thiserror::Error)]
pub enum Unopened {
    /// The path cannot be graded at all: a usage error, not a fault of the submission.
    #[error("{}", unreachable(.path, .source))]
    Unreachable {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The problem with the submission as a whole, before any file is read.
    #[error("{0}")]
    Problem(FilesProblem),
}

impl From<FilesProblem> for Unopened {
    fn from(problem: FilesProblem) -> Unopened {
        Unopened::Problem(problem)
    }
}

fn unreachable(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    if error.kind() == io::ErrorKind::NotFound {
        format!("{path}: there is no such file or folder")
    } else {
        format!("{path}: cannot be read: {error}")
    }
}

impl Tree {
    fn new(kind: EntryKind) -> Tree {
        Tree {
            kind,
            entries: Vec::new(),
            besides: Vec::new(),
            places: HashMap::new(),
            others: BTreeMap::new(),
            skipped: SkippedFiles::default(),
            chosen: None,
            taken: TakenPaths::default(),
            around: Vec::new(),
            reading: RefCell::new(Reading {
                files: BTreeMap::new(),
                left: MOST_READ,
                budget: ReadBudget::default(),
            }),
        }
    }

    /// The files of a zip that is a submission.
    pub(super) fn of_zip(bytes: Box<dyn ZipBytes>, name: &str) -> Result<Tree, FilesProblem> {
        let mut tree = Tree::new(EntryKind::Memory);
        tree.unzip(&mut Archive::open(bytes, &ZipLimits::SUBMISSION, name)?, Path::new(""))?;
        Ok(tree)
    }

    /// Files in memory, by their paths.
    pub(super) fn of_files(files: Vec<(PathBuf, Vec<u8>)>) -> Result<Tree, FilesProblem> {
        let mut tree = Tree::new(EntryKind::Memory);
        for (path, bytes) in files {
            tree.reading.get_mut().budget.take_entry()?;
            let listed = if is_noise_path(&path) { ListedEntry::Hidden } else { ListedEntry::File(path) };
            let Some(path) = tree.look(listed) else { continue };
            if !tree.taken.take(&path) {
                tree.skip(SkippedFile::Unkept(shown(&path)));
                continue;
            }
            let entry = TreeEntry::new(path);
            let size = bytes.len() as u64;
            if size <= largest(&entry.name) {
                let reading = tree.reading.get_mut();
                reading.spend(size)?;
                reading.files.insert(entry.path.clone(), bytes.into());
            }
            tree.add(entry);
        }
        Ok(tree)
    }

    /// Opens what is at a path. A link is not followed, except to a folder whose name ends with a slash.
    pub(super) fn open(path: &Path, zips: &ClassZips) -> Result<Tree, Unopened> {
        let unreachable = |source| Unopened::Unreachable { path: path.to_owned(), source };
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(missing) => {
                let zip = path.ancestors().skip(1).find(|around| around.is_file() && is_zip(around));
                let Some(zip) = zip else { return Err(unreachable(missing)) };
                let within = path.strip_prefix(zip).unwrap_or(path);
                let archive = zips.open(zip).map_err(|error| unreachable(io::Error::other(error)))?;
                if archive.directory().below(within).next().is_none() {
                    return Err(unreachable(io::ErrorKind::NotFound.into()));
                }
                return Ok(Tree::within_class(archive, within)?);
            }
        };
        let name = TreeEntry::new(path.to_owned()).name;
        if metadata.is_symlink() {
            let to = fs::read_link(path).map_err(unreachable)?;
            return Err(FilesProblem::Link { to: shown(&to) }.into());
        }
        if metadata.is_dir() {
            fs::read_dir(path).map_err(unreachable)?;
            let mut tree = Tree::new(EntryKind::Folder(path.to_owned()));
            tree.list(path)?;
            return Ok(tree);
        }
        if !metadata.is_file() {
            return Err(FilesProblem::Irregular { file: name }.into());
        }
        let file = File::open(path).map_err(unreachable)?;
        if is_zip(path) {
            return Ok(Tree::of_zip(Box::new(file), &name)?);
        }
        let mut tree = Tree::new(EntryKind::File(path.to_owned()));
        tree.add(TreeEntry::new(PathBuf::from(path.file_name().unwrap_or_default())));
        Ok(tree)
    }

    /// Chooses the file that counts. Its folder may hold the answer, whatever the name of that: this also
    /// takes the files in it out of `besides`, and makes entries of them.
    pub(super) fn choose(&mut self, file: &str) {
        let chosen = PathBuf::from(file);
        let is_beside = |entry: &mut TreeEntry| entry.path.parent() == chosen.parent();
        let beside: Vec<TreeEntry> = self.besides.extract_if(.., is_beside).collect();
        beside.into_iter().for_each(|entry| self.add_answer(entry));
        self.chosen = Some(chosen);
    }

    /// The chosen file, if it is a source file.
    pub(super) fn chosen_source(&self) -> Option<&TreeEntry> {
        let chosen = self.entries.get(*self.places.get(self.chosen.as_deref()?)?)?;
        crate::languages::of_file(&chosen.name).map(|_| chosen)
    }

    /// The one of several files that was chosen, or that alone lies beside the chosen one.
    pub(super) fn chosen_of<'e>(&self, several: &[&'e TreeEntry]) -> Option<&'e TreeEntry> {
        let chosen = self.chosen.as_deref()?;
        let beside = || {
            let mut beside = several.iter().filter(|entry| entry.path.parent() == chosen.parent());
            beside.next().filter(|_| beside.next().is_none())
        };
        several.iter().find(|entry| entry.path == chosen).or_else(beside).copied()
    }

    pub(super) fn skipped(self) -> Vec<SkippedFile> {
        self.skipped.into_named()
    }

    /// Why there may be no source: a file that was not read.
    pub(super) fn reason(&self) -> Option<&SkippedFile> {
        self.skipped.reason()
    }

    fn skip(&mut self, file: SkippedFile) {
        if matches!(file, SkippedFile::Link(_)) {
            self.note(FileKind::Link);
        }
        self.skipped.add(file);
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
            self.add_answer(entry);
        }
    }

    fn add_answer(&mut self, entry: TreeEntry) {
        self.places.insert(entry.path.clone(), self.entries.len());
        self.entries.push(entry);
    }

    /// The file that an import of `module` in `of` names, if it is beside it.
    pub(super) fn beside(&self, of: &TreeEntry, module: &str, language: &Language) -> Option<TreeEntry> {
        let folder = of.path.parent().unwrap_or(Path::new(""));
        let names = std::iter::once(module.to_owned())
            .chain(language.extensions.iter().map(|ending| format!("{module}.{ending}")));
        // Only an include may go up.
        let up = |part: &Component<'_>| *part == Component::ParentDir && !language.headers.is_empty();
        let place = |name: &str| {
            folder.join(name).components().fold(PathBuf::new(), |path, part| {
                if up(&part) { path.parent().unwrap_or(Path::new("")).to_owned() } else { path.join(part) }
            })
        };
        let is_header = |name: &str| {
            let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| language.headers.contains(&extension))
        };
        let found = names
            .filter_map(|name| self.entries.get(*self.places.get(&place(&name))?))
            .find(|entry| crate::languages::of_file(&entry.name).is_some() || is_header(&entry.name));
        found.cloned()
    }

    /// The path of a file on disk; `None` in memory.
    pub(super) fn path(&self, entry: &TreeEntry) -> Option<PathBuf> {
        match &self.kind {
            EntryKind::File(path) => Some(path.clone()),
            EntryKind::Folder(root) => Some(root.join(&entry.path)),
            EntryKind::Memory => None,
        }
    }

    /// The manifests of crates in the folders around the folder `root` of the tree, the nearest first. They
    /// need not be files of the submission.
    pub(super) fn manifests_around(&self, root: &Path) -> Vec<Arc<[u8]>> {
        match &self.kind {
            EntryKind::File(_) => Vec::new(),
            EntryKind::Folder(top) => manifests_above(&top.join(root)),
            EntryKind::Memory => {
                let folders = root.ancestors().skip(1);
                let within =
                    folders.filter_map(|folder| self.entries.get(*self.places.get(&folder.join(MANIFEST))?));
                within.filter_map(|entry| self.read(entry).ok()).chain(self.around.iter().cloned()).collect()
            }
        }
    }

    /// The source in a file: its bytes, or what a notebook has of it.
    pub(super) fn read(&self, entry: &TreeEntry) -> Result<Arc<[u8]>, FilesProblem> {
        let bytes = self.bytes(entry)?;
        let Some(notebooks) = crate::languages::notebooks(&entry.name) else { return Ok(bytes) };
        let source = (notebooks.source)(&bytes);
        let source = source.ok_or_else(|| FilesProblem::Notebook { file: entry.shown() })?;
        Ok(source.into_bytes().into())
    }

    /// The bytes of a file: opened once, without following a link, within the limit.
    fn bytes(&self, entry: &TreeEntry) -> Result<Arc<[u8]>, FilesProblem> {
        let mut reading = self.reading.borrow_mut();
        if let Some(bytes) = reading.files.get(&entry.path) {
            return Ok(Arc::clone(bytes));
        }
        let Some(path) = self.path(entry) else {
            // Files are in memory as far as they are within the limit.
            return Err(FilesProblem::TooLarge { file: entry.shown(), most: largest(&entry.name) });
        };
        let unreadable =
            |error: io::Error| FilesProblem::Unreadable { file: entry.shown(), why: error.to_string() };
        let file = open_plain(&path).map_err(unreadable)?;
        let most = largest(&entry.name);
        let too_large = || FilesProblem::TooLarge { file: entry.shown(), most };
        let size = file.metadata().map_err(unreadable)?.len();
        if size > most {
            return Err(too_large());
        }
        reading.spend(size)?;
        reading.budget.take_bytes(size)?;
        let mut bytes = Vec::new();
        file.take(size + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > size {
            return Err(unreadable(io::Error::other("it grows while it is read")));
        }
        let bytes: Arc<[u8]> = bytes.into();
        reading.files.insert(entry.path.clone(), Arc::clone(&bytes));
        Ok(bytes)
    }

    fn list(&mut self, root: &Path) -> Result<(), FilesProblem> {
        for entry in list_folder(root, &mut self.reading.get_mut().budget)? {
            if let Some(path) = self.look(entry) {
                self.add(TreeEntry::new(path));
            }
        }
        Ok(())
    }

    /// The path of an entry that is a file to look at; others are noted.
    fn look(&mut self, entry: ListedEntry) -> Option<PathBuf> {
        match entry {
            ListedEntry::File(path) => return Some(path),
            ListedEntry::Hidden => self.note(FileKind::Hidden),
            ListedEntry::Skipped(file) => self.skip(file),
        }
        None
    }

    /// Counts a file that is not among the entries.
    fn note(&mut self, kind: FileKind) {
        *self.others.entry(kind).or_default() += 1;
    }

    /// The file or folder `within` the zip of a class, or the files of a zip in it.
    fn within_class(mut archive: Archive, within: &Path) -> Result<Tree, FilesProblem> {
        let mut tree = Tree::new(EntryKind::Memory);
        let directory = archive.directory();
        let is_inner_zip = |entry: &&ZipEntry| {
            entry.path == within && entry.kind == ZipEntryKind::File && has_zip_name(within)
        };
        if let Some(zip) = directory.below(within).find(is_inner_zip) {
            let name = TreeEntry::new(within.to_owned()).name;
            let bytes = archive.read(zip, ZipLimits::INNER.bytes, &mut tree.reading.get_mut().budget)?;
            let mut inner = Archive::open(Box::new(Cursor::new(bytes)), &ZipLimits::INNER, &name)?;
            tree.unzip(&mut inner, Path::new(""))?;
        } else {
            tree.unzip(&mut archive, within)?;
            tree.look_around(&mut archive, within)?;
        }
        Ok(tree)
    }

    /// Reads the manifests of crates in the folders of a zip around the folder `within` of it.
    fn look_around(&mut self, archive: &mut Archive, within: &Path) -> Result<(), FilesProblem> {
        let directory = archive.directory();
        for manifest in within.ancestors().skip(1).map(|folder| folder.join(MANIFEST)) {
            let is_it = |entry: &&ZipEntry| entry.path == manifest && entry.kind == ZipEntryKind::File;
            let found = directory.below(&manifest).find(is_it);
            if let Some(entry) = found.filter(|entry| entry.size <= LARGEST_FILE) {
                let bytes = archive.read(entry, LARGEST_FILE, &mut self.reading.get_mut().budget)?;
                self.around.push(bytes.into());
            }
        }
        Ok(())
    }

    /// Takes the files of a zip that are `within` a folder of it. Sources are unpacked into memory.
    fn unzip(&mut self, archive: &mut Archive, within: &Path) -> Result<(), FilesProblem> {
        let directory = archive.directory();
        // Compiling a crate may need every file of it.
        let whole = directory.below(within).any(|entry| entry.path.ends_with("Cargo.toml"));
        for entry in directory.below(within) {
            let below = entry.path.strip_prefix(within).unwrap_or(&entry.path);
            let is_all = below.as_os_str().is_empty();
            let path = if is_all { Path::new(entry.path.file_name().unwrap_or_default()) } else { below };
            self.take(archive, entry, path, whole)?;
        }
        Ok(())
    }

    /// Takes an entry of a zip, to be found at `path`; a folder is nothing.
    fn take(
        &mut self,
        archive: &mut Archive,
        entry: &ZipEntry,
        path: &Path,
        whole: bool,
    ) -> Result<(), FilesProblem> {
        let listed = list_zipped(entry, path.to_owned(), &mut self.reading.get_mut().budget)?;
        let Some(path) = listed.and_then(|listed| self.look(listed)) else { return Ok(()) };
        if !self.taken.take(&path) {
            self.skip(SkippedFile::Unkept(shown(&path)));
            return Ok(());
        }
        let item = TreeEntry::new(path);
        if (whole || crate::languages::of_file(item.name()).is_some()) && entry.size <= largest(item.name()) {
            let reading = self.reading.get_mut();
            reading.spend(entry.size)?;
            let bytes = archive.read(entry, largest(item.name()), &mut reading.budget)?;
            reading.files.insert(item.path.clone(), bytes.into());
        }
        self.add(item);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGEST_FILE, Tree, Unopened};
    use crate::submission::opened::ClassZips;
    use crate::submission::{FilesProblem, SkippedFile};
    use std::fs;
    use std::path::PathBuf;

    #[test]
    fn a_folder_with_too_many_entries_is_refused_and_not_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let hidden = |index| folder.path().join(format!(".{index}"));
        (0..20_001).for_each(|index| drop(fs::File::create(hidden(index)).unwrap()));
        let problem = Tree::open(folder.path(), &ClassZips::default()).err();
        assert!(
            matches!(problem, Some(Unopened::Problem(FilesProblem::TooMany { most: 20_000 }))),
            "{problem:?}"
        );
    }

    #[test]
    fn files_in_memory_are_those_of_a_folder() {
        let file = |path: &str, size| (PathBuf::from(path), vec![b'x'; size]);
        let tree =
            Tree::of_files(vec![file("a.py", 3), file(".b.py", 1), file("A.PY", 1), file("c/d.py", 2 << 20)]);
        let tree = tree.unwrap();
        let read: Vec<_> =
            tree.entries().iter().map(|entry| tree.read(entry).map(|bytes| bytes.len())).collect();
        let too_large = FilesProblem::TooLarge { file: "c/d.py".to_owned(), most: LARGEST_FILE };
        assert_eq!(read, [Ok(3), Err(too_large)]);
        assert_eq!(tree.contents().len(), 2);
        assert_eq!(tree.skipped(), [SkippedFile::Unkept("A.PY".to_owned())]);
    }

    #[test]
    fn files_that_lie_too_deep_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let deep = "d/".repeat(12);
        fs::create_dir_all(folder.path().join(&deep)).unwrap();
        fs::write(folder.path().join(&deep).join("a.py"), "").unwrap();
        let tree = Tree::open(folder.path(), &ClassZips::default()).unwrap();
        assert!(tree.entries().is_empty());
        assert_eq!(tree.skipped(), [SkippedFile::Unkept(deep.trim_end_matches('/').to_owned())]);
    }
}
