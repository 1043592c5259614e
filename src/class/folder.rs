//! The folder of a class: what lies where in it.

use super::store::StoreError;
use keur_core::submission::opened::open_plain;
use std::fs::{self, FileType};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The names that keur reads or writes in the folder of a class.
pub(super) const OWN: [&str; 14] = [
    "cases", CASES_DRAFT, "class.db", JOURNAL, "class.db-shm", "class.db-wal", DRAFT, DRAFT_JOURNAL,
    "class.lock", "class.toml", "receipt.json", "receipt.json.sig", "shards", "submissions",
];

/// The copy of the exercises that is being made.
const CASES_DRAFT: &str = "cases.new";

/// The database of a class that is being made, and its journal.
const DRAFT: &str = "class.new";
const DRAFT_JOURNAL: &str = "class.new-journal";

/// The file from which SQLite undoes the work of a killed writer.
const JOURNAL: &str = "class.db-journal";

/// How the journal of a transaction in several databases ends, after the name of a file that SQLite deletes.
/// Keur writes none.
const OF_SEVERAL: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// The folder of a class.
#[derive(Clone, Debug)]
pub struct ClassFolder {
    path: PathBuf,
    /// The copy of the database that takes its place, which only this process uses.
    database: Option<PathBuf>,
}

impl ClassFolder {
    /// Opens the folder at `path`, which may not exist yet. Somebody else may have made it: a link in it
    /// could lead anywhere, and who opens a pipe waits.
    ///
    /// # Errors
    /// The path is a file, something of the class is neither a regular file nor a folder, or its journal names
    /// another file.
    pub fn open(path: &Path) -> Result<ClassFolder, StoreError> {
        let is_file = match fs::metadata(path) {
            Ok(about) => !about.is_dir(),
            Err(error) => error.kind() == ErrorKind::NotADirectory,
        };
        if is_file {
            return Err(StoreError::NoClass(format!(
                "{}: is a file, and a class is a folder, which `keur class init` makes",
                path.display()
            )));
        }
        for name in OWN {
            let path = path.join(name);
            match fs::symlink_metadata(&path) {
                Ok(about) => must_be_plain(&path, about.file_type())?,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(unreadable(&path, &error)),
            }
        }
        let folder = ClassFolder { path: path.to_owned(), database: None };
        let cases = folder.cases();
        if cases.is_dir() {
            for entry in WalkDir::new(&cases) {
                let entry = entry.map_err(|error| unreadable(&cases, &error.into()))?;
                must_be_plain(entry.path(), entry.file_type())?;
            }
        }
        let journal = path.join(JOURNAL);
        if journal.exists() && names_another(&journal).map_err(|error| unreadable(&journal, &error))? {
            return Err(StoreError::NoClass(format!(
                "{}: names another file, which keur never does; remove it, and use the class only if you know who made it",
                journal.display()
            )));
        }
        Ok(folder)
    }

    /// The same folder, with a copy as its database, which only this process uses: a shard works on one.
    #[must_use]
    pub fn with_database(&self, database: &Path) -> ClassFolder {
        ClassFolder { path: self.path.clone(), database: Some(database.to_owned()) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings, which people write.
    pub fn settings(&self) -> PathBuf {
        self.path.join("class.toml")
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.database.clone().unwrap_or_else(|| self.path.join("class.db"))
    }

    /// Whether the database is a copy that only this process uses.
    pub(super) fn is_on_copy(&self) -> bool {
        self.database.is_some()
    }

    /// The database while the class is made, and its journal.
    pub fn draft_files(&self) -> [PathBuf; 2] {
        [DRAFT, DRAFT_JOURNAL].map(|name| self.path.join(name))
    }

    /// Whether there is a database.
    ///
    /// # Errors
    /// The system does not say so.
    pub fn has_database(&self) -> Result<bool, StoreError> {
        let path = self.database();
        path.try_exists().map_err(|error| unreadable(&path, &error))
    }

    /// The exercises with their cases: a copy that belongs to the class.
    pub fn cases(&self) -> PathBuf {
        self.path.join("cases")
    }

    /// The copy of the exercises while it is made.
    pub fn cases_draft(&self) -> PathBuf {
        self.path.join(CASES_DRAFT)
    }

    /// The submissions: a folder for each attempt of a student.
    pub fn submissions(&self) -> PathBuf {
        self.path.join("submissions")
    }

    /// The folder for what other machines graded, until it is taken in.
    pub fn shards(&self) -> PathBuf {
        self.path.join("shards")
    }

    /// The file that the one process that writes holds locked; its text says who that is.
    pub fn lock(&self) -> PathBuf {
        self.path.join("class.lock")
    }
}

/// The largest settings that are read, in bytes: a person writes them.
pub const LARGEST_SETTINGS: u64 = 1 << 20;

/// The largest receipt that is read, in bytes: one of 20,000 students has some MB.
pub const LARGEST_RECEIPT: u64 = 256 << 20;

/// The bytes of a file of a class, which somebody else may have made.
///
/// # Errors
/// The file cannot be read, or has more than `most` bytes.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Whether the folder of a submission is there, and no file is left in it or in a folder below it.
pub(super) fn is_empty(folder: &Path) -> bool {
    let is_folder = |entry: walkdir::Result<DirEntry>| entry.is_ok_and(|entry| entry.file_type().is_dir());
    WalkDir::new(folder).into_iter().all(is_folder)
}

fn must_be_plain(path: &Path, kind: FileType) -> Result<(), StoreError> {
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    let what = if kind.is_symlink() { "a link" } else { "neither a file nor a folder" };
    Err(StoreError::NoClass(format!(
        "{}: is {what}, and keur uses no class with such a thing; put the file or folder itself there",
        path.display()
    )))
}

/// Whether this is the journal of a transaction in several databases.
fn names_another(journal: &Path) -> io::Result<bool> {
    let mut file = open_plain(journal)?;
    let mut end = [0; OF_SEVERAL.len()];
    if file.metadata()?.len() < end.len() as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-(end.len() as i64)))?;
    file.read_exact(&mut end)?;
    Ok(end == OF_SEVERAL)
}

fn unreadable(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed(format!(
        "{}: cannot be read: {error}; check that you may read the class",
        path.display()
    ))
}
