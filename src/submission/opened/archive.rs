//! A zip, read in memory and within limits. Nothing of it is written to disk.

use crate::compare::{FilesProblem, ZipProblem};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use zip::read::ZipFile;
use zip::result::ZipError;

/// The most entries of a zip.
const MOST_ENTRIES: usize = 20_000;

/// The largest directory of a zip, in bytes: it is kept in memory with all names.
const MOST_DIRECTORY: u64 = 8 << 20;

/// Where the bytes of a zip come from.
pub(crate) trait ZipBytes: Read + Seek {}

impl<R: Read + Seek> ZipBytes for R {}

/// An open zip.
pub(crate) struct Archive {
    zip: zip::ZipArchive<Box<dyn ZipBytes>>,
    name: String,
}

impl Archive {
    /// Opens the zip called `name`, of at most `most` bytes.
    pub(crate) fn open(
        mut source: Box<dyn ZipBytes>,
        most: u64,
        name: &str,
    ) -> Result<Archive, FilesProblem> {
        let size = source.seek(SeekFrom::End(0)).map_err(|error| of_io(name, &error))?;
        if size > most {
            return Err(FilesProblem::TooLarge { file: name.to_owned(), most });
        }
        check_directory(source.as_mut(), size, name)?;
        let zip = zip::ZipArchive::new(source).map_err(|error| of_zip(name, error))?;
        if zip.len() > MOST_ENTRIES {
            return Err(FilesProblem::TooMany { most: MOST_ENTRIES });
        }
        Ok(Archive { zip, name: name.to_owned() })
    }

    /// The path of each entry in the zip; for one that leads out of it, its name.
    pub(crate) fn paths(&self) -> Vec<Result<PathBuf, String>> {
        let names = self.zip.file_names().map(|name| name.map(|name| name.into_owned()).unwrap_or_default());
        names.map(|name| path(&name).ok_or(name)).collect()
    }

    /// The entry at an index of [`Archive::paths`].
    pub(crate) fn entry(&mut self, index: usize) -> Result<ZipFile<'_, Box<dyn ZipBytes>>, FilesProblem> {
        let name = &self.name;
        self.zip.by_index(index).map_err(|error| of_zip(name, error))
    }

    /// The bytes of the entry at an index, and one more than `most` if there are more.
    pub(crate) fn read(&mut self, index: usize, most: u64) -> Result<Vec<u8>, FilesProblem> {
        let name = self.name.clone();
        let mut bytes = Vec::new();
        let mut entry = self.entry(index)?.take(most + 1);
        entry.read_to_end(&mut bytes).map_err(|error| of_io(&name, &error))?;
        Ok(bytes)
    }
}

/// The path that a name in a zip stands for; `None` if it leads out of the zip.
fn path(name: &str) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let parts = Path::new(&name).components();
    let parts = parts.filter(|part| !matches!(part, Component::RootDir | Component::CurDir));
    let part = |part: Component<'_>| match part {
        Component::Normal(part) => Some(part.to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    };
    parts.map(part).collect::<Option<PathBuf>>().filter(|_| !name.contains('\0'))
}

fn of_zip(name: &str, error: ZipError) -> FilesProblem {
    if matches!(error, ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword)
    {
        FilesProblem::BadZip { file: name.to_owned(), why: ZipProblem::Password }
    } else if let ZipError::Io(error) = error {
        of_io(name, &error)
    } else {
        of_io(name, &error.into())
    }
}

/// An error of the system has a number. Others come from the library, about what it reads.
fn of_io(name: &str, error: &io::Error) -> FilesProblem {
    let file = name.to_owned();
    match error.raw_os_error() {
        Some(_) => FilesProblem::Unreadable { file, why: error.to_string() },
        None if error.kind() == io::ErrorKind::Unsupported => {
            FilesProblem::BadZip { file, why: ZipProblem::Method }
        }
        None => FilesProblem::BadZip { file, why: ZipProblem::Damaged },
    }
}

/// Checks the number of entries that a zip declares, and the bytes of its directory.
///
/// They are checked before a library reads them all into memory (section 4.3.16 of the zip specification,
/// APPNOTE.TXT).
fn check_directory(source: &mut dyn ZipBytes, size: u64, name: &str) -> Result<(), FilesProblem> {
    /// The record at the end, and the longest comment after it, with a margin before it.
    const TAIL: u64 = 22 + 65_535 + 4096;
    let mut tail = Vec::new();
    let start = SeekFrom::Start(size.saturating_sub(TAIL));
    let read = source.seek(start).and_then(|_| source.take(TAIL).read_to_end(&mut tail));
    read.map_err(|error| of_io(name, &error))?;
    let bad = |why| Err(FilesProblem::BadZip { file: name.to_owned(), why });
    let number = |at: usize, width: usize| {
        let bytes = tail.get(at..at + width).unwrap_or_default();
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    let (mut entries, mut directory) = (None, 0);
    for at in 0..tail.len().saturating_sub(3) {
        match &tail[at..at + 4] {
            // The library decides which of several such records counts: so the largest must be within the limit.
            b"PK\x05\x06" => {
                entries = entries.max(Some(number(at + 10, 2)));
                directory = directory.max(number(at + 12, 4));
            }
            // Only archives beyond the limit need these, and they may declare anything.
            b"PK\x06\x06" | b"PK\x06\x07" => return bad(ZipProblem::Zip64),
            _ => {}
        }
    }
    match entries {
        None => bad(ZipProblem::Damaged),
        Some(entries) if entries > MOST_ENTRIES as u64 || directory > MOST_DIRECTORY => {
            Err(FilesProblem::TooMany { most: MOST_ENTRIES })
        }
        Some(_) => Ok(()),
    }
}
