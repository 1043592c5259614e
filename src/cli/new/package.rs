//! The package of a course, whose `cargo test` grades a submission: `keur new exercise --cargo`.

use super::super::error::CliError;
use crate::writing;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// The files of the package: paths beside the exercises, and texts.
const FILES: [(&str, &str); 2] = [
    ("Cargo.toml", include_str!("cargo/manifest.toml")),
    ("tests/grade.rs", include_str!("cargo/grade.rs.in")),
];

/// The package of the course that an exercise is part of, in the folder around the exercise's.
pub(super) struct CoursePackage {
    folder: PathBuf,
}

impl CoursePackage {
    /// The package around the folder of an exercise.
    pub(super) fn around(exercise: &Path) -> CoursePackage {
        let parent = exercise.parent().filter(|parent| *parent != Path::new(""));
        CoursePackage { folder: parent.unwrap_or(Path::new(".")).to_owned() }
    }

    /// Writes the files of the package, and returns what to do with them. Those that exist stay as they are.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(&self) -> Result<String, CliError> {
        let mut text = String::from("\n");
        for (name, content) in FILES {
            let path = self.folder.join(name);
            let is_kept = match writing::write_new(&path, content) {
                Ok(()) => false,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => true,
                Err(error) => return Err(CliError::write(&path)(error)),
            };
            let what = if is_kept { "exists and is left as it is" } else { "created" };
            let _ = writeln!(text, "{}: {what}", path.display());
        }
        let folder = self.folder.display();
        let _ = write!(
            text,
            "\nWrite the folder of keur's source in Cargo.toml. Then cargo grades a submission, a test for each case:\n  \
             cd {folder} && SUBMISSION=path/to/file cargo test\n"
        );
        Ok(text)
    }
}
