//! Alquerque's endgame tables, kept in the user's cache folder between runs.
//!
//! The file is optional: if it is absent, damaged or of another version it is replaced, and if it cannot be written
//! each run computes the tables. It is written next to its place and then moved there, so that no other process reads
//! half of it.
//!
//! The file holds the eight letters `keur-egt`, [`Tables::LAYOUT`] and the CRC-32 of the rest (both four bytes,
//! little-endian), and then the tables as bytes.

pub(super) mod perfect;

use super::search::Tables;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{fs, thread};

/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"keur-egt";
const HEADER: usize = MAGIC.len() + 2 * size_of::<u32>();

/// A folder for tables.
pub struct Cache {
    folder: Option<PathBuf>,
}

/// Tables that are ready for use.
pub struct ReadyTables {
    /// The tables.
    pub tables: Tables,
    /// Why they could not be kept; the next run must compute them again.
    pub not_kept: Option<io::Error>,
}

impl Cache {
    /// The user's cache folder: on Linux `$XDG_CACHE_HOME/keur` or `~/.cache/keur`.
    pub fn of_user() -> Cache {
        Cache { folder: crate::cache::folder() }
    }

    /// Another folder. It need not exist.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    /// The tables for up to `pieces` pieces, read from the folder or computed.
    ///
    /// Computing uses all processors and saves the tables. `progress` gets the completed fraction, from 0 to 1; it is
    /// not called when the tables are read.
    pub fn tables(&self, pieces: u8, progress: &mut dyn FnMut(f64)) -> ReadyTables {
        let path = self.folder.as_ref().map(|folder| folder.join(format!("alquerque-{pieces}.tables")));
        if let Some(tables) = path.as_deref().and_then(|path| read(path, pieces)) {
            return ReadyTables { tables, not_kept: None };
        }
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let tables = Tables::build(pieces, threads, progress);
        let kept = match &path {
            Some(path) => write(path, &tables),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "this user has no cache folder")),
        };
        ReadyTables { tables, not_kept: kept.err() }
    }
}

/// The tables in a file; `None` if it is incomplete or damaged.
fn read(path: &Path, pieces: u8) -> Option<Tables> {
    let mut bytes = fs::read(path).ok()?;
    let body = bytes.get(HEADER..)?;
    if bytes.get(..HEADER)? != header(body) {
        return None;
    }
    bytes.drain(..HEADER);
    Tables::from_bytes(bytes).ok().filter(|tables| tables.pieces() == pieces)
}

fn write(path: &Path, tables: &Tables) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&header(tables.as_bytes()))?;
    file.write_all(tables.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

fn header(body: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let (magic, numbers) = header.split_at_mut(MAGIC.len());
    magic.copy_from_slice(MAGIC);
    let (version, checksum) = numbers.split_at_mut(size_of::<u32>());
    version.copy_from_slice(&Tables::LAYOUT.to_le_bytes());
    checksum.copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::{Cache, HEADER, MAGIC, ReadyTables};
    use std::fs;
    use std::path::Path;

    const PIECES: u8 = 4;

    /// The tables from `folder`, and whether they were computed.
    fn tables(folder: &Path) -> (ReadyTables, bool) {
        let mut built = false;
        let ready = Cache::in_folder(folder).tables(PIECES, &mut |_| built = true);
        (ready, built)
    }

    #[test]
    fn tables_are_worked_out_once_and_read_from_then_on() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("not/yet/there");
        let (first, built) = tables(&folder);
        assert!(built && first.not_kept.is_none());
        let (second, built) = tables(&folder);
        assert!(!built && second.not_kept.is_none());
        assert_eq!(second.tables.as_bytes(), first.tables.as_bytes());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "something else was left");
    }

    #[track_caller]
    fn mends(damage: impl FnOnce(&mut Vec<u8>)) {
        let cache = tempfile::tempdir().unwrap();
        let (first, _) = tables(cache.path());
        let path = cache.path().join("alquerque-4.tables");
        let whole = fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        damage(&mut damaged);
        fs::write(&path, damaged).unwrap();
        let (second, built) = tables(cache.path());
        assert!(built && second.tables.as_bytes() == first.tables.as_bytes());
        assert!(fs::read(&path).unwrap() == whole);
    }

    #[test]
    fn a_file_that_is_not_whole_is_made_again() {
        mends(|file| file.clear());
        mends(|file| file.truncate(HEADER - 1));
        mends(|file| file.truncate(HEADER));
        mends(|file| file.truncate(file.len() - 1));
        mends(|file| file.push(0));
        mends(|file| file[0] ^= 1);
        mends(|file| file[MAGIC.len()] ^= 1);
        mends(|file| file[HEADER - 1] ^= 1);
        mends(|file| file[HEADER] = 5);
        mends(|file| {
            let middle = file.len() / 2;
            file[middle] ^= 0x40;
        });
    }

    #[test]
    fn a_folder_that_cannot_be_written_costs_only_the_work() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for _ in 0..2 {
            let (ready, built) = tables(file.path());
            assert!(built && ready.not_kept.is_some());
            assert_eq!(ready.tables.pieces(), PIECES);
        }
    }
}
