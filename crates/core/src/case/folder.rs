//! Paths of files beside the cases of an exercise.
//!
//! Such paths are written with `/` on every system, stay inside the exercise's folder and are never followed
//! through links.

use std::io;
use std::path::{Path, PathBuf};

/// Checks a path as an exercise or case file writes it.
///
/// # Errors
/// The problem, and how to write it.
pub(super) fn check_path(path: &str) -> Result<(), (String, &'static str)> {
    let help = "write a path in the exercise's folder, such as `solution/bank.py`";
    if path.is_empty() {
        return Err(("a path is empty".to_owned(), help));
    }
    if path.contains(['\\', '\0', ':']) {
        return Err((format!("`{path}` is not a path with `/` between its names"), help));
    }
    if path.starts_with('/') {
        return Err((format!("`{path}` is an absolute path"), help));
    }
    if path.split('/').any(|name| matches!(name, "" | "." | "..")) {
        return Err((format!("`{path}` has an empty name, `.` or `..` in it"), help));
    }
    Ok(())
}

/// The path in `folder` of a file that is written with `/`.
///
/// # Errors
/// There is nothing at the path, it leads out of the folder, or it or one of its folders is a link.
pub fn path_in(folder: &Path, path: &str) -> io::Result<PathBuf> {
    check_path(path).map_err(|(message, _)| io::Error::new(io::ErrorKind::InvalidInput, message))?;
    let mut found = folder.to_owned();
    for name in path.split('/') {
        found.push(name);
        if found.symlink_metadata()?.is_symlink() {
            let message = format!("{} is a link, which is not followed", found.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::check_path;

    #[test]
    fn a_path_stays_in_its_folder() {
        for path in ["bank.py", "solution/bank.py", "solution/..bank/a b.py", "é.py"] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
        for path in [
            "", "/bank.py", "../bank.py", "solution/../../bank.py", "a//b", "a/", "./a", "a\\b", "C:/a",
            "a\0",
        ] {
            assert!(check_path(path).is_err(), "{path:?}");
        }
    }
}
