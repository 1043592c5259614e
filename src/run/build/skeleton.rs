//! The files of a crate that a student must not change: the course's own replace them.

use keur_core::case::Exercise;
use keur_core::submission;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The file that lists them, one path per line; `#` starts a comment.
const LIST: &str = "SKELETON";

/// The course's own files.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// An error in a skeleton.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SkeletonError {
    message: String,
}

impl Skeleton {
    /// Reads the files that `folder/SKELETON` lists, each inside `folder`.
    ///
    /// # Errors
    /// The list or a file in it cannot be read, lists nothing, or points outside the folder.
    pub fn read(folder: &Path) -> Result<Skeleton, SkeletonError> {
        let list = folder.join(LIST);
        let wrong = |path: &Path, why: &dyn fmt::Display| SkeletonError {
            message: format!("{}: {why}", path.display()),
        };
        let text = std::fs::read_to_string(&list).map_err(|error| {
            let why = format!(
                "cannot be read: {error}; it lists the files that students must not change, one path per line"
            );
            wrong(&list, &why)
        })?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut files = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let path = PathBuf::from(line);
            if !path.components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(wrong(&list, &format!("`{line}` is not a path inside the folder")));
            }
            let bytes = std::fs::read(folder.join(&path))
                .map_err(|error| wrong(&folder.join(&path), &format!("cannot be read: {error}")))?;
            files.push((path, bytes));
        }
        if files.is_empty() {
            return Err(wrong(&list, &"lists no files; write one path per line"));
        }
        Ok(Skeleton { files })
    }

    /// The exercise among `exercises` that the course's tests are for; `None` if they name none or several.
    pub fn exercise<'e>(&self, exercises: &[&'e Exercise]) -> Option<&'e Exercise> {
        let mut answered = exercises.iter().copied().filter(|exercise| self.test(exercise).is_some());
        answered.next().filter(|_| answered.next().is_none())
    }

    /// The course's test target for `exercise`, relative to the crate's folder.
    pub fn test(&self, exercise: &Exercise) -> Option<&Path> {
        let names = |bytes: &[u8]| submission::opened::exercises_named(&String::from_utf8_lossy(bytes));
        let mut tests = self.files.iter().filter(|(path, _)| path.starts_with("tests"));
        tests.find(|(_, bytes)| names(bytes).contains(&exercise.name)).map(|(path, _)| path.as_path())
    }

    /// Whether the file at this path, relative to the crate's folder, is the course's own.
    pub fn has(&self, path: &Path) -> bool {
        self.files().any(|(own, _)| own == path)
    }

    /// Each file's path relative to the crate's folder, and its bytes.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::Skeleton;
    use std::fs;

    #[track_caller]
    fn check(list: Option<&str>, says: &str) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "x").unwrap();
        if let Some(list) = list {
            fs::write(folder.path().join("SKELETON"), list).unwrap();
        }
        let said = match Skeleton::read(folder.path()) {
            Ok(skeleton) => format!("{:?}", skeleton.files().map(|(path, _)| path).collect::<Vec<_>>()),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(says), "{said}");
    }

    #[test]
    fn a_skeleton_names_its_files() {
        check(Some("# ours\nCargo.toml  # the manifest\n\n"), "[\"Cargo.toml\"]");
    }

    #[test]
    fn a_wrong_skeleton_is_told() {
        check(None, "one path per line");
        check(Some("# nothing\n"), "lists no files");
        check(Some("../Cargo.toml\n"), "is not a path inside the folder");
        check(Some("/etc/passwd\n"), "is not a path inside the folder");
        check(Some("src/lib.rs\n"), "lib.rs: cannot be read");
    }
}
