//! An opened submission: which exercise it answers, and which files belong to it.

mod archive;
mod budget;
mod class;
mod detect;
mod directory;
mod listing;
mod names;
mod nearest;
mod noise;
mod package;
mod plain;
mod skipped;
mod taken;
mod tree;

pub use class::{EntriesError, entries};
pub use tree::Unopened;
#[doc(hidden)]
pub use {
    archive::{Archive, has_zip_name, is_zip},
    budget::ReadBudget,
    class::{ClassZips, may_be_class, open_zip as open_class_zip},
    directory::{Directory, ZipBytes, ZipEntry, ZipEntryKind, ZipLimits},
    listing::{ListedEntry, list_folder, list_zipped},
    names::distinct_names,
    noise::{is_noise, is_noise_path},
    package::{MANIFEST, USUAL_TEST, exercises_named},
    plain::{manifests_above, open_plain, open_plain_as},
    skipped::SkippedFiles,
    taken::{TakenPaths, can_be_kept, shown},
    tree::{LARGEST_FILE, MOST_READ, largest},
};

use super::{FilesProblem, Found, Runner, SkippedFile, Submission, SubmissionProblem, UnclearExercise};
use crate::adapter::{Bundle, Command, SourceFile};
use crate::case::Exercise;
use crate::languages::{self, Language};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use tree::{Tree, TreeEntry};

/// The most files that a submission may consist of.
const MOST_FILES: usize = 100;

/// The most bytes of all files together: they go to the driver in one request.
const MOST_BYTES: usize = 8 << 20;

/// Opens the file, folder or zip at `path`, which may be in a zip.
///
/// # Errors
/// There is nothing there, it cannot be read, or it is no file, folder or zip within the limits.
pub fn open(path: &Path) -> Result<Opened, Unopened> {
    open_among(path, &ClassZips::default())
}

/// Opens the file, folder or zip at `path`, which may be in one of these zips.
///
/// # Errors
/// See [`open`].
#[doc(hidden)]
pub fn open_among(path: &Path, zips: &ClassZips) -> Result<Opened, Unopened> {
    Ok(Opened::new(path, Tree::open(path, zips)?))
}

/// Opens a submission that is a zip of these bytes.
///
/// # Errors
/// It is damaged, or not within the limits.
#[doc(hidden)]
pub fn open_zip(bytes: Vec<u8>) -> Result<Opened, FilesProblem> {
    let name = "submission.zip";
    Ok(Opened::new(Path::new(name), Tree::of_zip(Box::new(Cursor::new(bytes)), name)?))
}

/// Opens files in memory, by their paths within the submission; a zip alone is opened as one.
///
/// # Errors
/// The zip is damaged, or they are not within the limits.
pub fn open_files(name: &str, mut files: Vec<(PathBuf, Vec<u8>)>) -> Result<Opened, FilesProblem> {
    let tree = match files.as_mut_slice() {
        [(path, bytes)] if has_zip_name(path) => {
            Tree::of_zip(Box::new(Cursor::new(std::mem::take(bytes))), name)?
        }
        _ => Tree::of_files(files)?,
    };
    Ok(Opened::new(Path::new(name), tree))
}

/// A submission whose exercise is not yet known.
pub struct Opened {
    path: PathBuf,
    tree: Tree,
    /// The folder within the tree of a Rust crate, if this is one.
    crate_root: Option<PathBuf>,
}

impl Opened {
    fn new(path: &Path, tree: Tree) -> Opened {
        Opened { path: path.to_owned(), crate_root: package::root(&tree), tree }
    }

    /// The exercise among `exercises` that this answers: by the names of its files, then by what they define.
    ///
    /// # Errors
    /// None of them matches, or several do: with the choices.
    pub fn exercise<'e>(&self, exercises: &[&'e Exercise]) -> Result<&'e Exercise, UnclearExercise> {
        match &self.crate_root {
            Some(root) => package::exercise(&self.tree, root, exercises),
            None => detect::exercise(&self.tree, exercises),
        }
    }

    /// The files of which one can be chosen, by their paths in the submission: the source files, or the
    /// manifests of crates.
    pub fn choices(&self) -> Vec<PathBuf> {
        if self.is_crate() { package::choices(&self.tree) } else { detect::choices(&self.tree) }
    }

    /// Chooses `file`, one of the [`choices`](Opened::choices): it counts instead of the one that would be
    /// found.
    #[must_use]
    pub fn choosing(mut self, file: Option<&str>) -> Opened {
        if let Some(file) = file {
            self.tree.choose(file);
            self.crate_root = package::root(&self.tree);
        }
        self
    }

    /// The problem if there is nothing to grade: no source file of any language.
    pub fn nothing(&self, exercises: &[&Exercise]) -> Option<FilesProblem> {
        if self.is_crate() { None } else { detect::nothing(&self.tree, exercises) }
    }

    /// Whether this is a Rust crate.
    pub fn is_crate(&self) -> bool {
        self.crate_root.is_some()
    }

    /// Whether a folder is one submission rather than a folder of many: directly in it lies a crate, a file
    /// with a name that `exercise` asks for, or an answer of several files.
    pub fn is_one(&self, exercise: &Exercise) -> bool {
        if let Some(root) = &self.crate_root {
            return root.as_os_str().is_empty();
        }
        let mains = detect::mains(&self.tree, exercise).unwrap_or_default();
        let mut files = detect::programs(&self.tree, exercise, mains.first());
        files.extend(mains);
        files.retain(|entry| entry.depth() == 1);
        let wanted = detect::wanted(exercise);
        let is_wanted = |entry: &TreeEntry| wanted.iter().any(|name| name.eq_ignore_ascii_case(entry.name()));
        files.iter().any(is_wanted)
            || (!files.is_empty()
                && find(&self.tree, exercise).is_ok_and(|sources| sources.bundle.files.len() > 1))
    }

    /// Whether there are files that answer `exercise` by their names, or by what they define.
    pub fn is_answer(&self, exercise: &Exercise) -> bool {
        self.is_crate() || (self.exercise(&[exercise]).is_ok() && find(&self.tree, exercise).is_ok())
    }

    /// The submission, as an answer to `exercise`.
    pub fn submission(self, exercise: &Exercise) -> Submission {
        let found = match &self.crate_root {
            Some(root) => package::read(&self.tree, root, exercise),
            None => find(&self.tree, exercise)
                .map(|Sources { language, bundle }| Found { runner: Runner::Driver(language), bundle }),
        };
        self.with(found)
    }

    /// The submission, as an answer that a program of the user runs.
    ///
    /// Its language may be unknown: then its files are those that the exercise names for any language, else
    /// the single file.
    pub fn run_by_program(self, exercise: &Exercise, command: Command) -> Submission {
        let found = match find(&self.tree, exercise) {
            Ok(Sources { language, bundle }) => {
                Ok(Found { runner: Runner::Program { command, language: Some(language) }, bundle })
            }
            Err(FilesProblem::NoSource { .. } | FilesProblem::NothingRead { .. }) => {
                foreign(&self.tree, exercise)
                    .map(|bundle| Found { runner: Runner::Program { command, language: None }, bundle })
            }
            Err(problem) => Err(problem),
        };
        self.with(found)
    }

    fn with(self, found: Result<Found, FilesProblem>) -> Submission {
        let found = found.map_err(SubmissionProblem::Files);
        let mut skipped = self.tree.skipped();
        skipped.extend(found.iter().flat_map(|found| &found.bundle.files).filter_map(blanked));
        Submission { path: self.path, found, skipped }
    }
}

/// The warning for a notebook of which lines were left out.
fn blanked(file: &SourceFile) -> Option<SkippedFile> {
    let notebooks = languages::notebooks(&file.name)?;
    (notebooks.has_blanked)(&String::from_utf8_lossy(&file.bytes))
        .then(|| SkippedFile::Magics(file.name.clone()))
}

/// The files of a submission in an unknown language; each is a module with its own name.
fn foreign(tree: &Tree, exercise: &Exercise) -> Result<Bundle, FilesProblem> {
    let wanted = detect::wanted(exercise);
    let named = |entry: &&TreeEntry| wanted.iter().any(|name| name == entry.name());
    let mut mains: Vec<TreeEntry> = tree.entries().iter().filter(named).cloned().collect();
    mains.sort_by_key(|entry| wanted.iter().position(|name| name == entry.name()));
    if let ([], [only]) = (mains.as_slice(), tree.entries()) {
        mains.push(only.clone());
    }
    if mains.is_empty() {
        return Err(detect::no_source(tree, exercise));
    }
    let mut bundle = Bundle::default();
    for entry in &mains {
        let name = entry.name().to_owned();
        let module = Some(name.clone());
        bundle.files.push(SourceFile { name, module, path: tree.path(entry), bytes: tree.read(entry)? });
    }
    bundle.mains = mains.len();
    Ok(bundle)
}

/// The files of a submission in a language that keur knows.
struct Sources {
    language: &'static Language,
    bundle: Bundle,
}

/// A file of a submission.
#[derive(Clone)]
struct SubmittedFile {
    entry: TreeEntry,
    role: Role,
}

/// The role of a file in a submission.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A file with what the exercise asks for.
    Main,
    /// The first program, of an exercise that asks for nothing else.
    Program,
    /// A further program, or a file that one of the others imports.
    Other,
}

impl Role {
    /// Refuses a file that cannot have this role, whatever is in the others.
    fn check(self, entry: &TreeEntry, bytes: &[u8]) -> Result<(), FilesProblem> {
        let file = entry.name().to_owned();
        if self == Role::Main && bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(FilesProblem::Empty { file });
        }
        match encoding(bytes) {
            Encoding::Utf16 if self != Role::Other => Err(FilesProblem::Utf16 { file }),
            Encoding::Binary if self != Role::Other => Err(FilesProblem::Binary { file }),
            _ => Ok(()),
        }
    }
}

/// The files that are asked for, and those that they import.
fn find(tree: &Tree, exercise: &Exercise) -> Result<Sources, FilesProblem> {
    // An exercise with only programs has nothing to load.
    let mains = if detect::has_only_programs(exercise) { Vec::new() } else { detect::mains(tree, exercise)? };
    let programs = detect::programs(tree, exercise, mains.first());
    let Some(language) =
        mains.iter().chain(&programs).next().and_then(|entry| languages::of_file(entry.name()))
    else {
        return Err(detect::no_program(tree, exercise));
    };
    let mut bundle = Bundle { mains: mains.len(), ..Bundle::default() };
    let mut files: Vec<SubmittedFile> =
        mains.into_iter().map(|entry| SubmittedFile { entry, role: Role::Main }).collect();
    for entry in programs {
        let role = if files.is_empty() { Role::Program } else { Role::Other };
        add_new(&mut files, SubmittedFile { entry, role });
    }
    let (mut next, mut size) = (0, 0);
    while let Some(SubmittedFile { entry, role }) = files.get(next).cloned() {
        next += 1;
        let bytes = tree.read(&entry)?;
        size += bytes.len();
        if size > MOST_BYTES {
            return Err(FilesProblem::TooLargeTogether { most: MOST_BYTES as u64 });
        }
        role.check(&entry, &bytes)?;
        for import in (language.scan)(&String::from_utf8_lossy(&bytes)).imports {
            if files.len() == MOST_FILES {
                break;
            }
            if let Some(entry) = tree.beside(&entry, &import, language) {
                add_new(&mut files, SubmittedFile { entry, role: Role::Other });
            }
        }
        let name = entry.name().to_owned();
        let module = Some((language.module)(&name));
        bundle.files.push(SourceFile { name, module, path: tree.path(&entry), bytes });
    }
    Ok(Sources { language, bundle })
}

/// Adds a file, unless it is there already.
fn add_new(files: &mut Vec<SubmittedFile>, new: SubmittedFile) {
    if files.iter().all(|file| file.entry != new.entry) {
        files.push(new);
    }
}

/// The encodings of a source file.
enum Encoding {
    /// A text that the interpreter can try to read.
    Text,
    /// Text that no interpreter reads.
    Utf16,
    /// Anything else.
    Binary,
}

/// Judges bytes by the nulls among them: a text has none. Strings of JavaScript may hold a few, in UTF-8.
fn encoding(bytes: &[u8]) -> Encoding {
    let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let nulls = |from| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (nulls(0), nulls(1));
    let few = bytes.len() / 10;
    if marked || (even.min(odd) == 0 && even + odd > 3 * few) {
        Encoding::Utf16
    } else if even + odd > few || (even + odd > 0 && std::str::from_utf8(bytes).is_err()) {
        Encoding::Binary
    } else {
        Encoding::Text
    }
}
