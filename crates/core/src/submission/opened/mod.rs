//! An opened submission: which exercise it answers, and which files belong to it.

mod archive;
mod budget;
mod class;
mod detect;
mod directory;
mod listing;
mod names;
mod noise;
mod package;
mod skipped;
mod taken;
mod tree;

pub use archive::{Archive, has_zip_name, is_zip};
pub use class::{ClassZips, EntriesError, entries, may_be_class};
pub use names::distinct_names;
pub use package::exercises_named;
pub use tree::{LARGEST_FILE, TreeError};
pub use {
    budget::ReadBudget,
    class::open_zip as open_class_zip,
    directory::{Directory, ZipBytes, ZipEntry, ZipEntryKind, ZipLimits},
    listing::{ListedEntry, list_folder, list_zipped},
    noise::{is_noise, is_noise_path},
    skipped::SkippedFiles,
    taken::{TakenPaths, can_be_kept, shown},
    tree::{MOST_READ, open_plain, open_plain_as},
};

use super::{FilesProblem, Found, Runner, Submission, SubmissionProblem, UnclearExercise};
use crate::adapter::{Bundle, Command, SourceFile};
use crate::case::Exercise;
use crate::languages::{self, Language};
use std::path::{Path, PathBuf};
use tree::{Tree, TreeEntry};

/// The most files that a submission may consist of.
const MOST_FILES: usize = 100;

/// The most bytes of all files together: they go to the driver in one request.
const MOST_BYTES: usize = 8 << 20;

/// Opens the file, folder or zip at `path`, which may be in a zip.
///
/// # Errors
/// There is nothing there, or it cannot be read.
pub fn open(path: &Path) -> Result<Opened, TreeError> {
    open_among(path, &ClassZips::default())
}

/// Opens the file, folder or zip at `path`, which may be in one of these zips.
///
/// # Errors
/// See [`open`].
pub fn open_among(path: &Path, zips: &ClassZips) -> Result<Opened, TreeError> {
    Ok(Opened { path: path.to_owned(), tree: Tree::open(path, zips)? })
}

/// Opens a submission that is a zip of these bytes.
pub fn open_zip(bytes: Vec<u8>) -> Opened {
    Opened { path: PathBuf::from("submission.zip"), tree: Tree::of_zip(bytes) }
}

/// A submission whose exercise is not yet known.
pub struct Opened {
    path: PathBuf,
    tree: Tree,
}

impl Opened {
    /// The exercise among `exercises` that this answers: by the names of its files, then by what they define.
    ///
    /// # Errors
    /// None of them matches, or several do: with the choices.
    pub fn exercise<'e>(&mut self, exercises: &[&'e Exercise]) -> Result<&'e Exercise, UnclearExercise> {
        match self.package_root() {
            Some(root) => package::exercise(&mut self.tree, &root, exercises),
            None => detect::exercise(&mut self.tree, exercises),
        }
    }

    /// The files of which one can be chosen, by their paths in the submission: the source files, or the
    /// manifests of crates.
    pub fn choices(&mut self) -> Vec<PathBuf> {
        if self.is_crate() { package::choices(&self.tree) } else { detect::choices(&self.tree) }
    }

    /// Lets this file, one of the [`choices`](Opened::choices), count, whichever one would be found.
    #[must_use]
    pub fn choosing(mut self, file: Option<&str>) -> Opened {
        file.into_iter().for_each(|file| self.tree.choose(file));
        self
    }

    /// Why there is nothing to grade: no source file of any language, or it cannot be read.
    pub fn nothing(&mut self, exercises: &[&Exercise]) -> Option<FilesProblem> {
        let found = if self.is_crate() { None } else { detect::nothing(&self.tree, exercises) };
        self.tree.problem().or(found)
    }

    /// Whether this is a Rust crate.
    pub fn is_crate(&mut self) -> bool {
        self.package_root().is_some()
    }

    /// The folder of the crate, if this is one. A manifest among the sources of another language does not
    /// make one.
    fn package_root(&mut self) -> Option<PathBuf> {
        let root = package::root(&self.tree)?;
        (!detect::has_source(&self.tree) || package::names_an_exercise(&mut self.tree, &root)).then_some(root)
    }

    /// Whether files that answer `exercise` lie directly at the path, not in a folder below it.
    pub fn is_at_top(&mut self, exercise: &Exercise) -> bool {
        if let Some(root) = self.package_root() {
            return root.as_os_str().is_empty();
        }
        let mains = detect::mains(&mut self.tree, exercise).unwrap_or_default();
        let mut files = detect::programs(&self.tree, exercise, mains.first());
        files.extend(mains);
        files.iter().any(|entry| entry.depth() == 1)
    }

    /// Whether there are files that answer `exercise` by their names, or by what they define.
    pub fn is_answer(&mut self, exercise: &Exercise) -> bool {
        self.is_crate() || (self.exercise(&[exercise]).is_ok() && find(&mut self.tree, exercise).is_ok())
    }

    /// The submission, as an answer to `exercise`.
    pub fn submission(mut self, exercise: &Exercise) -> Submission {
        let found = match (self.package_root(), package::several(&self.tree)) {
            (Some(_), Some(several)) => Err(several),
            (Some(root), None) => package::read(&mut self.tree, &root, exercise),
            (None, _) => find(&mut self.tree, exercise)
                .map(|(language, bundle)| Found { runner: Runner::Driver(language), bundle }),
        };
        self.with(found)
    }

    /// The submission, as an answer that a program of the user runs.
    ///
    /// Its language may be unknown: then its files are those that the exercise names for any language, else
    /// the single file.
    pub fn run_by_program(mut self, exercise: &Exercise, command: Command) -> Submission {
        let found = match find(&mut self.tree, exercise) {
            Err(FilesProblem::NoSource { .. } | FilesProblem::NothingRead { .. }) => {
                foreign(&mut self.tree, exercise).map(|bundle| (None, bundle))
            }
            found => found.map(|(language, bundle)| (Some(language), bundle)),
        };
        let found =
            found.map(|(language, bundle)| Found { runner: Runner::Program { command, language }, bundle });
        self.with(found)
    }

    fn with(self, found: Result<Found, FilesProblem>) -> Submission {
        let found = found.map_err(SubmissionProblem::Files);
        Submission { path: self.path, found, skipped: self.tree.skipped() }
    }
}

/// The files of a submission in an unknown language; each is a module with its own name.
fn foreign(tree: &mut Tree, exercise: &Exercise) -> Result<Bundle, FilesProblem> {
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

/// The files of a submission in a language that keur knows: those that are asked for, and those that they
/// import.
fn find(tree: &mut Tree, exercise: &Exercise) -> Result<(&'static Language, Bundle), FilesProblem> {
    if let Some(problem) = tree.problem() {
        return Err(problem);
    }
    // An exercise with only programs has nothing to load.
    let mains = match exercise.definitions().next() {
        Some(_) => detect::mains(tree, exercise)?,
        None => Vec::new(),
    };
    let programs = detect::programs(tree, exercise, mains.first());
    let Some(language) =
        mains.iter().chain(&programs).next().and_then(|entry| languages::of_file(entry.name()))
    else {
        return Err(detect::no_program(tree, exercise));
    };
    let mut bundle = Bundle { mains: mains.len(), ..Bundle::default() };
    let mut size = 0;
    let mut queue: Vec<TreeEntry> = mains.clone();
    queue.extend(programs.into_iter().filter(|program| !mains.contains(program)));
    let mut index = 0;
    while let Some(entry) = queue.get(index).cloned() {
        index += 1;
        let bytes = tree.read(&entry)?;
        size += bytes.len();
        if size > MOST_BYTES {
            return Err(FilesProblem::TooLargeTogether { most: MOST_BYTES as u64 });
        }
        let scan = (language.scan)(&String::from_utf8_lossy(&bytes));
        let file = entry.name().to_owned();
        if index <= mains.len() && bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(FilesProblem::Empty { file });
        }
        match encoding(&bytes) {
            Encoding::Utf16 if index <= mains.len().max(1) => {
                return Err(FilesProblem::Utf16 { file });
            }
            Encoding::Binary if index <= mains.len().max(1) => {
                return Err(FilesProblem::Binary { file });
            }
            Encoding::Text | Encoding::Utf16 | Encoding::Binary => {}
        }
        for import in scan.imports {
            if queue.len() == MOST_FILES {
                break;
            }
            let beside = tree.beside(&entry, &import, language.extensions);
            queue.extend(beside.filter(|beside| !queue.contains(beside)));
        }
        let name = entry.name().to_owned();
        let module = Some((language.module)(&name));
        bundle.files.push(SourceFile { name, module, path: tree.path(&entry), bytes });
    }
    Ok((language, bundle))
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
