//! The files of a submission in the folder of a class, and their digest.

use crate::class::data::Taken;
use crate::class::digest::{chosen_digest, digest, no_files_digest};
use keur_core::languages;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use walkdir::WalkDir;

/// The digest of the files of a student and their names: that of a row in the table of submissions.
pub(super) fn files_digest(student: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
    if files.is_empty() { no_files_digest(student) } else { of_files(files) }
}

fn of_files(files: &BTreeMap<String, Vec<u8>>) -> String {
    digest(files.iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes]))
}

/// The digest of the files that lie in a folder.
///
/// # Errors
/// The folder or a file cannot be read.
pub fn read_folder_digest(folder: &Path) -> io::Result<String> {
    Ok(of_files(&read_folder(folder)?))
}

/// The digest of the files of a submission as they lie in its folder now, to compare with the one that was
/// stored.
///
/// # Errors
/// The folder or a file cannot be read.
pub fn read_submission_digest(taken: &Taken, folder: &Path) -> io::Result<String> {
    let files = files_digest(&taken.student, &read_folder(folder)?);
    Ok(chosen_digest(files, taken.chosen.as_deref()))
}

/// The files in the folder of a submission.
pub(super) fn read_folder(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(folder).min_depth(1) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
            files.insert(parts.collect::<Vec<_>>().join("/"), fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// The language of a source file, also of one that is only a part of a crate.
pub(super) fn language(name: &str) -> Option<&'static str> {
    let part = name.ends_with(".rs").then_some(languages::rust::LANGUAGE.name);
    languages::of_file(name).map(|language| language.name).or(part)
}

/// Writes files to `folder`, in place of what is there.
pub(super) fn write_folder(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) | Ok(()) => {}
    }
    fs::create_dir_all(folder)?;
    for (path, bytes) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // Two names may be one on this system.
        File::create_new(path)?.write_all(bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{files_digest, read_submission_digest, write_folder};
    use crate::class::data::Taken;
    use crate::writing::is_about_name;
    use std::collections::BTreeMap;

    #[test]
    fn files_on_disk_have_the_digest_that_was_stored() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("Jan Peeters#1");
        let taken = Taken { student: "Jan".to_owned(), ..Taken::default() };
        let files =
            [("a.py", "x = 1\n"), ("lib/bé.py", "")].map(|(path, text)| (path.to_owned(), text.into()));
        let mut files = BTreeMap::from(files);
        write_folder(&place, &files).unwrap();
        assert_eq!(read_submission_digest(&taken, &place).unwrap(), files_digest("Jan", &files));
        files.insert("a.py".to_owned(), b"x = 2\n".to_vec());
        assert_ne!(read_submission_digest(&taken, &place).unwrap(), files_digest("Jan", &files));
        files.remove("lib/bé.py");
        write_folder(&place, &files).unwrap();
        assert_eq!(read_submission_digest(&taken, &place).unwrap(), files_digest("Jan", &files));
    }

    #[test]
    fn a_name_that_the_system_refuses_is_told_from_a_fault_of_the_machine() {
        let folder = tempfile::tempdir().unwrap();
        let written = |names: &[&str]| {
            let files: BTreeMap<String, Vec<u8>> =
                names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
            write_folder(&folder.path().join("An#1"), &files)
        };
        written(&["a.py", "lib/b.py"]).unwrap();
        for names in [["a.py", "a.py/b.py"], ["a.py", "nul\0.py"]] {
            let error = written(&names).unwrap_err();
            assert!(is_about_name(&error), "{error:?}");
        }
        assert!(!is_about_name(&std::io::ErrorKind::StorageFull.into()));
    }
}
