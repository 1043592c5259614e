//! The paths of a submission's files, such that each of them can be a file of its own on every system.

use crate::messages::shortened;
use std::collections::HashSet;
use std::path::{Component, Path};
use unicode_normalization::UnicodeNormalization;

/// The longest path that is kept, in bytes. A system has its own limit, often of 4,096, for this and the
/// folder around it.
pub(super) const LONGEST_PATH: usize = 1024;

/// The longest name of a file or folder, in bytes.
pub(super) const LONGEST_NAME: usize = 255;

/// The most names in a path, of its folders and its file.
pub(crate) const MOST_DEPTH: usize = 12;

/// Characters of a path in a message.
const MOST_SHOWN: usize = 120;

/// Paths that are taken.
#[derive(Debug, Default)]
pub struct TakenPaths {
    files: HashSet<String>,
    folders: HashSet<String>,
}

impl TakenPaths {
    /// Takes the path of a file; false if it cannot be kept, or is taken: some systems do not tell capitals
    /// from small letters, nor a letter with an accent from both apart.
    pub fn take(&mut self, path: &Path) -> bool {
        if !can_be_kept(path) || self.is_taken(path) {
            return false;
        }
        let key = folded(path);
        self.folders.extend(folders(&key).map(str::to_owned));
        self.files.insert(key)
    }

    /// Whether a file is at the path, or above or below it.
    pub fn is_taken(&self, path: &Path) -> bool {
        let key = folded(path);
        self.files.contains(&key)
            || self.folders.contains(&key)
            || folders(&key).any(|folder| self.files.contains(folder))
    }
}

/// Whether a path names a file below a folder, within the limits.
pub fn can_be_kept(path: &Path) -> bool {
    let is_kept = |part| matches!(part, Component::Normal(name) if name.len() <= LONGEST_NAME);
    path.as_os_str().len() <= LONGEST_PATH
        && (1..=MOST_DEPTH).contains(&path.components().count())
        && path.components().all(is_kept)
}

/// The path as a system sees it that tells the fewest names apart.
fn folded(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/").to_lowercase().nfc().collect()
}

fn folders(key: &str) -> impl Iterator<Item = &str> {
    key.match_indices('/').map(|(at, _)| &key[..at])
}

/// A path for a message, up to a limit.
pub fn shown(path: &Path) -> String {
    shortened(&path.display().to_string(), MOST_SHOWN).into_owned()
}

#[cfg(test)]
mod tests {
    use super::TakenPaths;
    use std::path::Path;

    #[test]
    fn a_path_is_taken_once_on_every_system() {
        let mut taken = TakenPaths::default();
        let mut take = |path: &str| taken.take(Path::new(path));
        assert!(take("a/é.py") && take("b.py"));
        for path in ["a/e\u{301}.py", "A/É.PY", "a", "b.py/c.py", "B.py/c.py", "a/é.py"] {
            assert!(!take(path), "{path}");
        }
        for path in ["", ".", "..", "../a.py", "/a.py"] {
            assert!(!take(path), "{path}");
        }
        let (name, deep, long) = ("n".repeat(256), "d/".repeat(12) + "a.py", "0123456789/".repeat(100));
        assert!(!take(&name) && !take(&deep) && !take(&long));
        assert!(take(&deep[2..]) && take(&name[1..]));
    }
}
