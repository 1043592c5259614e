//! The folder of a class: what lies where in it.

use std::path::{Path, PathBuf};

/// The folder of a class.
#[derive(Clone, Debug)]
pub struct ClassFolder(PathBuf);

impl ClassFolder {
    /// The folder at `path`, which may not exist yet.
    pub fn at(path: &Path) -> ClassFolder {
        ClassFolder(path.to_owned())
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The settings, which people write.
    pub fn settings(&self) -> PathBuf {
        self.0.join("class.toml")
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.0.join("class.db")
    }

    /// The exercises with their cases: a copy that belongs to the class.
    pub fn cases(&self) -> PathBuf {
        self.0.join("cases")
    }

    /// The submissions: a folder for each attempt of a student.
    pub fn submissions(&self) -> PathBuf {
        self.0.join("submissions")
    }

    /// What other machines graded, until it is taken in.
    pub fn shards(&self) -> PathBuf {
        self.0.join("shards")
    }

    /// The file that the one process that writes holds locked; its text says who that is.
    pub fn lock(&self) -> PathBuf {
        self.0.join("class.lock")
    }
}
