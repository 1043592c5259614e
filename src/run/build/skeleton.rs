//! The files of a crate that a student must not change: the course's own replace them.

use super::workspace;
use keur_core::adapter::{Bundle, SourceFile};
use keur_core::case::Exercise;
use keur_core::languages::CompileError;
use keur_core::submission;
use keur_core::submission::opened::{MANIFEST, manifests_above};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file that lists them, one path per line; `#` starts a comment.
const LIST: &str = "SKELETON";

/// The course's own files.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// A reason why a skeleton cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SkeletonError {
    /// The list cannot be read.
    #[error("{}: cannot be read: {}; it lists the files that students must not change, one path per line", .0.display(), .1)]
    List(PathBuf, #[source] io::Error),
    /// A file in the list cannot be read.
    #[error("{}: cannot be read: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The manifest inherits a key that is not there.
    #[error("{}: inherits `{}`, and no workspace around the folder sets it", .0.display(), .1)]
    NotInherited(PathBuf, String),
    /// The list has no files.
    #[error("{}: lists no files; write one path per line", .0.display())]
    Empty(PathBuf),
    /// A line of the list leads out of the folder.
    #[error("{}: `{}` is not a path inside the folder", .0.display(), .1)]
    Outside(PathBuf, String),
}

impl Skeleton {
    /// Reads the files that `folder/SKELETON` lists, each inside `folder`.
    ///
    /// # Errors
    /// The list cannot be read or is empty, or a file in it cannot be read or lies outside the folder.
    pub fn read(folder: &Path) -> Result<Skeleton, SkeletonError> {
        let list = folder.join(LIST);
        let text = match fs::read(&list) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => return Err(SkeletonError::List(list, error)),
        };
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut files = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            // `./Cargo.toml` is `Cargo.toml`.
            let parts = Path::new(line).components().filter(|part| *part != Component::CurDir);
            let path: PathBuf = parts.collect();
            if !path.components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(SkeletonError::Outside(list, line.to_owned()));
            }
            let place = folder.join(&path);
            let bytes = fs::read(&place).map_err(|error| SkeletonError::File(place.clone(), error))?;
            let bytes = if path == Path::new(MANIFEST) {
                let all = workspace::with_inherited(&bytes, &manifests_above(folder));
                all.map_err(|key| SkeletonError::NotInherited(place, key))?
            } else {
                bytes
            };
            files.push((path, bytes));
        }
        if files.is_empty() { Err(SkeletonError::Empty(list)) } else { Ok(Skeleton { files }) }
    }

    /// The exercise among `exercises` that the course's tests are for; `None` if they name none or several.
    pub fn exercise_tested<'e>(&self, exercises: &[&'e Exercise]) -> Option<&'e Exercise> {
        let mut answered = exercises.iter().copied().filter(|exercise| self.test_of(exercise).is_some());
        answered.next().filter(|_| answered.next().is_none())
    }

    /// The course's test target for `exercise`, relative to the crate's folder.
    pub fn test_of(&self, exercise: &Exercise) -> Option<&Path> {
        let names = |bytes: &[u8]| submission::opened::exercises_named(&String::from_utf8_lossy(bytes));
        let mut tests = self.files.iter().filter(|(path, _)| path.starts_with("tests"));
        tests.find(|(_, bytes)| names(bytes).contains(&exercise.name)).map(|(path, _)| path.as_path())
    }

    /// Whether the file at this path, relative to the crate's folder, is the course's own.
    pub fn contains(&self, path: &Path) -> bool {
        self.files().any(|(own, _)| own == path)
    }

    /// Names in each of these errors of a crate with these files the crate that it misses, if the crate's own
    /// manifest, which the course's has replaced, added that.
    pub(super) fn name_unlisted(&self, files: &Bundle, errors: &mut [CompileError]) {
        let own = self.files().find(|(path, _)| *path == Path::new(MANIFEST));
        let theirs = files.files.iter().find(|file| file.name == MANIFEST);
        let (Some((_, own)), Some(theirs)) = (own, theirs) else { return };
        let listed = dependencies(own);
        let added: Vec<String> = dependencies(&theirs.bytes).difference(&listed).cloned().collect();
        for error in errors {
            // The compiler names a crate in code, where a hyphen is an underscore.
            let is_missed = |name: &&String| error.text.contains(&format!("`{}`", name.replace('-', "_")));
            error.unlisted = added.iter().find(is_missed).cloned();
        }
    }

    /// Puts the course's tests into the files of a crate, from which sessions know its type.
    pub(super) fn replace_tests(&self, files: &mut Bundle) {
        for (path, bytes) in self.files().filter(|(path, _)| path.starts_with("tests")) {
            let name = path.display().to_string();
            files.files.retain(|file| file.name != name);
            files.files.push(SourceFile {
                module: Some(name.clone()),
                path: None,
                name,
                bytes: bytes.into(),
            });
        }
    }

    /// Each file's path relative to the crate's folder, and its bytes.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()))
    }
}

/// The crates that a manifest lists as dependencies, read line by line, as cargo and people write it: a student
/// wrote it, so it is not parsed.
fn dependencies(manifest: &[u8]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut lists = false;
    for line in String::from_utf8_lossy(manifest).lines().map(str::trim) {
        let header = line.strip_prefix('[').and_then(|rest| rest.split(']').next());
        let name = match header.map(|header| header.rsplit_once("dependencies").unwrap_or((header, "-"))) {
            Some((_, rest)) => {
                // What a workspace has for its members is not yet what this one depends on.
                let is_shared = header.is_some_and(|header| header.starts_with("workspace."));
                lists = rest.is_empty() && !is_shared;
                rest.strip_prefix('.').filter(|_| !is_shared)
            }
            None if lists => line.split(['=', '.']).next(),
            None => None,
        };
        let name = name.unwrap_or_default().trim().trim_matches(['"', '\'']);
        if !name.is_empty() && name.chars().all(|ch| ch.is_ascii_alphanumeric() || "-_".contains(ch)) {
            names.insert(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{Skeleton, SkeletonError, dependencies};
    use std::fs;

    /// Reads a folder with a `Cargo.toml` and, if given, this list.
    fn read(list: Option<&str>) -> Result<Skeleton, SkeletonError> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "x").unwrap();
        if let Some(list) = list {
            fs::write(folder.path().join("SKELETON"), list).unwrap();
        }
        Skeleton::read(folder.path())
    }

    #[track_caller]
    fn check_reads(list: &str) {
        let skeleton = read(Some(list)).unwrap();
        let files: Vec<_> = skeleton.files().map(|(path, bytes)| (path.to_str().unwrap(), bytes)).collect();
        assert_eq!(files, [("Cargo.toml", &b"x"[..])]);
    }

    #[track_caller]
    fn check_refused(list: Option<&str>, says: &str) {
        let said = read(list).unwrap_err().to_string();
        assert!(said.contains(says), "{said}");
    }

    #[test]
    fn a_skeleton_names_its_files() {
        check_reads("# ours\nCargo.toml  # the manifest\n\n");
        check_reads("./Cargo.toml\n");
    }

    #[test]
    fn a_manifest_lists_its_dependencies() {
        let manifest = "[package]\nname = \"own\"\n[dependencies]\n# rand = \"1\"\nrand = \"0.9\"\n\"a-b\" = { version = \"1\" }\n\
            serde.workspace = true\n\n[dev-dependencies.c]\nversion = \"1\"\n[target.'cfg(unix)'.dependencies]\nd = \"1\"\n\
            [features]\ne = []\n[workspace.dependencies]\nf = \"1\"\n[workspace.dependencies.g]\n";
        let names: Vec<String> = dependencies(manifest.as_bytes()).into_iter().collect();
        assert_eq!(names, ["a-b", "c", "d", "rand", "serde"]);
    }

    #[test]
    fn a_wrong_skeleton_is_told() {
        check_refused(None, "one path per line");
        check_refused(Some("# nothing\n"), "lists no files");
        check_refused(Some("../Cargo.toml\n"), "is not a path inside the folder");
        check_refused(Some("/etc/passwd\n"), "is not a path inside the folder");
        check_refused(Some("src/lib.rs\n"), "lib.rs: cannot be read");
    }
}
