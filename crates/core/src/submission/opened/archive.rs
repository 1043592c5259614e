//! A zip, read within limits. Nothing of it is written to disk.
//!
//! The record at the end decides what is in a zip, and nothing else does: no other parser has a say, and
//! whatever the files of the zip hold is not looked at. [`Directory`] reads the record and the directory that
//! it leads to.

use super::budget::ReadBudget;
use super::directory::{Directory, ZipBytes, ZipEntry, ZipLimits, of_io};
use crate::submission::{FilesProblem, ZipProblem};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{Read, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// The bytes of a file that are read between two looks at the clock.
const PIECE: u64 = 1 << 20;

/// The length of the header before the bytes of a file, without the name.
const LOCAL_HEADER: usize = 30;

/// An open zip.
pub struct Archive {
    source: Box<dyn ZipBytes>,
    name: String,
    directory: Arc<Directory>,
}

impl Archive {
    /// Opens the zip called `name`.
    pub fn open(
        mut source: Box<dyn ZipBytes>,
        limits: &ZipLimits,
        name: &str,
    ) -> Result<Archive, FilesProblem> {
        let directory = Arc::new(Directory::read(source.as_mut(), limits, name)?);
        Ok(Archive { source, name: name.to_owned(), directory })
    }

    /// Opens the zip of a class at a path.
    pub(super) fn open_class(path: &Path) -> Result<Archive, FilesProblem> {
        let name = shown_name(path);
        let file = File::open(path).map_err(|error| of_io(&name, &error))?;
        Archive::open(Box::new(file), &ZipLimits::CLASS, &name)
    }

    /// Opens a zip at a path whose directory was read before.
    pub(super) fn open_again(path: &Path, directory: Arc<Directory>) -> Result<Archive, FilesProblem> {
        let name = shown_name(path);
        let file = File::open(path).map_err(|error| of_io(&name, &error))?;
        Ok(Archive { source: Box::new(file), name, directory })
    }

    /// The content of the zip, as its directory lists it.
    pub fn directory(&self) -> Arc<Directory> {
        Arc::clone(&self.directory)
    }

    /// The bytes of an entry, at most so many. What it costs is taken from the budget before.
    pub fn read(
        &mut self,
        entry: &ZipEntry,
        most: u64,
        budget: &mut ReadBudget,
    ) -> Result<Vec<u8>, FilesProblem> {
        let wanted = entry.size.min(most);
        budget.take_bytes(wanted)?;
        let name = self.name.clone();
        let bad = |why| FilesProblem::BadZip { file: name.clone(), why };
        if entry.is_encrypted {
            return Err(bad(ZipProblem::Password));
        }
        if entry.is_large {
            return Err(bad(ZipProblem::Zip64));
        }
        let start = self.start_of(entry)?;
        self.source.seek(SeekFrom::Start(start)).map_err(|error| of_io(&name, &error))?;
        let packed = self.source.as_mut().take(entry.packed);
        let bytes = match entry.method {
            0 if entry.packed == entry.size => collect(packed, wanted, &name, budget)?,
            0 => return Err(bad(ZipProblem::Damaged)),
            8 => collect(DeflateDecoder::new(packed), wanted, &name, budget)?,
            _ => return Err(bad(ZipProblem::Method)),
        };
        let mut crc = Crc::new();
        crc.update(&bytes);
        let is_whole = bytes.len() as u64 == entry.size;
        if bytes.len() as u64 != wanted || (is_whole && crc.sum() != entry.crc) {
            return Err(bad(ZipProblem::Damaged));
        }
        Ok(bytes)
    }

    /// Where the bytes of an entry start: after a header that says the same as the directory, and before the
    /// next entry.
    fn start_of(&mut self, entry: &ZipEntry) -> Result<u64, FilesProblem> {
        let name = &self.name;
        let damaged = || FilesProblem::BadZip { file: name.clone(), why: ZipProblem::Damaged };
        let mut header = vec![0; LOCAL_HEADER + entry.name.len()];
        let read = self.source.seek(SeekFrom::Start(entry.header));
        read.and_then(|_| self.source.read_exact(&mut header)).map_err(|error| of_io(name, &error))?;
        let number = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let same = header.starts_with(b"PK\x03\x04")
            && number(8) == entry.method
            && number(6) & 1 == 0
            && usize::from(number(26)) == entry.name.len()
            && header.ends_with(&entry.name);
        let start = entry.header + header.len() as u64 + u64::from(number(28));
        let fits = start.checked_add(entry.packed).is_some_and(|end| end <= entry.end);
        if same && fits { Ok(start) } else { Err(damaged()) }
    }
}

/// The name of the file at a path.
fn shown_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a file is a zip, by its start or its name.
pub fn is_zip(path: &Path) -> bool {
    let mut start = [0; 4];
    let marked = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && (start == *b"PK\x03\x04" || start == *b"PK\x05\x06");
    marked || has_zip_name(path)
}

/// Whether a path has the name of a zip.
pub fn has_zip_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

/// Up to `wanted` bytes.
fn collect(
    mut from: impl Read,
    wanted: u64,
    name: &str,
    budget: &ReadBudget,
) -> Result<Vec<u8>, FilesProblem> {
    let mut bytes = Vec::new();
    loop {
        budget.check_time()?;
        let missing = wanted - bytes.len() as u64;
        let got = from.by_ref().take(missing.min(PIECE)).read_to_end(&mut bytes);
        if got.map_err(|error| of_io(name, &error))? == 0 {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::submission::opened::tree::Tree;
    use crate::submission::{FilesProblem, SkippedFile, ZipProblem};
    use std::fs::File;
    use std::path::Path;

    /// The tree of a zip among the seeds of the fuzz target.
    fn tree(name: &str) -> Result<Tree, FilesProblem> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz/zip").join(name);
        Tree::of_zip(Box::new(File::open(path).unwrap()), name)
    }

    /// Checks the files of a zip, and those that are not read.
    #[track_caller]
    fn check(name: &str, files: &[&str], skipped: &[SkippedFile]) {
        let tree = tree(name).unwrap();
        let found: Vec<&str> = tree.entries().iter().map(|entry| entry.path().to_str().unwrap()).collect();
        assert_eq!(found, files, "{name}");
        assert_eq!(tree.skipped(), skipped, "{name}");
    }

    /// Checks why a zip is not read.
    #[track_caller]
    fn check_refused(name: &str, why: ZipProblem) {
        assert_eq!(tree(name).err(), Some(FilesProblem::BadZip { file: name.to_owned(), why }));
    }

    #[test]
    fn the_record_at_the_end_alone_decides() {
        check("plain.zip", &["codenames.py", "lib/board.py"], &[]);
        check("stored.zip", &["codenames.py"], &[]);
        check("found_mark_in_photo.zip", &["codenames.py", "photo.jpg"], &[]);
        check("comment_with_end.zip", &["codenames.py"], &[]);
        check_refused("zip64.zip", ZipProblem::Zip64);
        check_refused("count.zip", ZipProblem::Damaged);
        check("inner.zip", &["a.zip", "b.tar", "c.7z", "d.rar"], &[]);
    }

    #[test]
    fn an_entry_is_what_both_its_headers_say() {
        check_refused("encrypted.zip", ZipProblem::Password);
        check_refused("method.zip", ZipProblem::Method);
        check_refused("other_local_name.zip", ZipProblem::Damaged);
        check_refused("lying_size.zip", ZipProblem::Damaged);
        check_refused("overlap.zip", ZipProblem::Damaged);
    }

    #[test]
    fn a_name_is_one_file_below_the_folder_or_none() {
        let unkept = |name: &str| SkippedFile::Unkept(name.to_owned());
        let outside = |name: &str| SkippedFile::OutsideZip(name.to_owned());
        check(
            "names.zip",
            &["a/b.py", "a/d.py", "etc/a.py"],
            &[
                unkept(""),
                outside(".."),
                outside("../c.py"),
                outside("C:/a.py"),
                outside("C:b.py"),
                unkept(&"d/".repeat(20)[..39]),
                unkept(&format!("{}…", "n".repeat(120))),
            ],
        );
        check(
            "duplicates.zip",
            &["Codenames.py", "a/e\u{301}.py", "x"],
            &[unkept("a/é.py"), unkept("codenames.py"), unkept("codenames.py"), unkept("x/y.py")],
        );
        let link = SkippedFile::Link("codenames.py".to_owned());
        check("link.zip", &["other.py"], &[link, SkippedFile::Irregular("pipe.py".to_owned())]);
    }
}
