//! The folder of a class: what lies where in it.

use std::path::{Path, PathBuf};

/// The folder of a class.
#[derive(Clone, Debug)]
pub struct ClassFolder {
    path: PathBuf,
    /// The database, where it lies outside of the folder.
    database: Option<PathBuf>,
}

impl ClassFolder {
    /// The folder at `path`, which may not exist yet.
    pub fn at(path: &Path) -> ClassFolder {
        ClassFolder { path: path.to_owned(), database: None }
    }

    /// The same folder, with another file as its database: the copy that a shard works on.
    #[must_use]
    pub fn with_database(&self, database: &Path) -> ClassFolder {
        ClassFolder { path: self.path.clone(), database: Some(database.to_owned()) }
    }

    /// Its path.
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

    /// The exercises with their cases: a copy that belongs to the class.
    pub fn cases(&self) -> PathBuf {
        self.path.join("cases")
    }

    /// The submissions: a folder for each attempt of a student.
    pub fn submissions(&self) -> PathBuf {
        self.path.join("submissions")
    }

    /// What other machines graded, until it is taken in.
    pub fn shards(&self) -> PathBuf {
        self.path.join("shards")
    }

    /// The file that the one process that writes holds locked; its text says who that is.
    pub fn lock(&self) -> PathBuf {
        self.path.join("class.lock")
    }
}
