//! A copy of a database that another process, perhaps on another machine, may be writing. No locks: network
//! file systems often have none that work.
//!
//! At every instant the file and its rollback journal together are what SQLite would find after a crash, and
//! from that it recovers the last commit. So a copy of both is as good as the original if neither changed
//! while they were copied.

use super::super::store::StoreError;
use super::taking::of_file;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// How long to try while another process writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(200);

/// How much is copied at once, in bytes.
const PART: u64 = 1 << 20;

/// Where the header of a database counts its changes: four bytes.
const CHANGES_AT: u64 = 24;

/// The state of a file. Two stamps differ if the file was written in between.
#[derive(PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: SystemTime,
    /// The count of changes in the header, if the file is a database.
    changes: [u8; 4],
}

/// The rollback journal of a database.
pub(super) fn journal(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-journal");
    PathBuf::from(name)
}

/// Copies the database at `from`, and its journal if there is one, to `to`.
///
/// # Errors
/// The database cannot be read or written, or another process kept writing it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if copy_once(from, to)? {
            return Ok(());
        }
        if Instant::now() > deadline {
            let message = format!(
                "{}: another process kept writing it for {} s, so it cannot be copied: wait until that is done, and try again",
                from.display(),
                PATIENCE.as_secs()
            );
            return Err(StoreError::Failed(message));
        }
        thread::sleep(PAUSE);
    }
}

/// Copies both files; returns whether neither was written meanwhile.
fn copy_once(from: &Path, to: &Path) -> Result<bool, StoreError> {
    let stamped = |path: &Path| stamp(path).map_err(|error| of_file(path, &error));
    let both = || Ok::<_, StoreError>((stamped(from)?, stamped(&journal(from))?));
    let before = both()?;
    if !bytes(from, to)? {
        return Err(of_file(from, &ErrorKind::NotFound.into()));
    }
    if !bytes(&journal(from), &journal(to))? {
        remove(&journal(to)).map_err(no_room)?;
    }
    Ok(before == both()?)
}

/// Copies a file, which may be protected against writing; the copy is not. Returns whether there is one.
fn bytes(from: &Path, to: &Path) -> Result<bool, StoreError> {
    let unread = |error: io::Error| of_file(from, &error);
    let source = match File::open(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        file => file.map_err(unread)?,
    };
    let mut copy = File::create(to).map_err(no_room)?;
    let mut part = Vec::new();
    while (&source).take(PART).read_to_end(&mut part).map_err(unread)? > 0 {
        copy.write_all(&part).map_err(no_room)?;
        part.clear();
    }
    Ok(true)
}

/// The error when this machine cannot keep a copy of the database.
pub(super) fn no_room(error: io::Error) -> StoreError {
    let place = std::env::temp_dir();
    StoreError::Failed(format!(
        "{}: {error}; the database of the class is copied there: make room, or set TMPDIR to a folder on a disk of this machine",
        place.display()
    ))
}

/// Deletes a file that may not be there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The stamp of a file; `None` if there is no file.
fn stamp(path: &Path) -> io::Result<Option<Stamp>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let about = file.metadata()?;
    let mut changes = [0; 4];
    file.seek(SeekFrom::Start(CHANGES_AT))?;
    // A file too short for a header has no changes to count.
    match file.read_exact(&mut changes) {
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error),
        _ => {}
    }
    Ok(Some(Stamp { size: about.len(), modified: about.modified()?, changes }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::{copy, journal};
    use rusqlite::Connection;
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A database with rows of which every transaction changes all.
    fn database(path: &Path) -> Connection {
        let db = Connection::open(path).unwrap();
        db.execute_batch(
            "PRAGMA cache_size = 2; CREATE TABLE row (number INTEGER PRIMARY KEY, turn INTEGER, text TEXT);",
        )
        .unwrap();
        let fill = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            INSERT INTO row SELECT i, 0, hex(zeroblob(200)) FROM n";
        db.execute(fill, []).unwrap();
        db
    }

    /// The lowest and highest turn, and whether the database is sound.
    fn turns(path: &Path) -> (i64, i64, String) {
        let db = Connection::open(path).unwrap();
        let sound = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        let (low, high) = db
            .query_row("SELECT min(turn), max(turn) FROM row", [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        (low, high, sound)
    }

    #[test]
    fn a_copy_made_while_another_writes_has_whole_transactions() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("class.db"), folder.path().join("copy.db"));
        let db = database(&from);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let done = &done;
            scope.spawn(move || {
                // The small cache writes pages before the commit, as a large transaction does.
                while !done.load(Ordering::Relaxed) {
                    db.execute("UPDATE row SET turn = turn + 1", []).unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
            });
            for _ in 0..10 {
                copy(&from, &to).unwrap();
                let (low, high, sound) = turns(&to);
                assert_eq!((low, sound.as_str()), (high, "ok"));
            }
            done.store(true, Ordering::Relaxed);
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_blamed_on_the_copy() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("class.db");
        drop(database(&from));
        let error = copy(&from, Path::new("/dev/full")).unwrap_err().to_string();
        let place = std::env::temp_dir();
        assert!(error.starts_with(&format!("{}: No space left", place.display())), "{error}");
        assert!(error.contains("set TMPDIR") && !error.contains("class.db"), "{error}");
    }

    #[test]
    fn a_transaction_that_was_cut_off_is_undone_in_the_copy_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (live, from, to) = ["live.db", "class.db", "copy.db"].map(|name| folder.path().join(name)).into();
        let db = database(&live);
        // What a machine leaves whose power fails in the middle of a commit.
        db.execute_batch("BEGIN; UPDATE row SET turn = turn + 1;").unwrap();
        fs::copy(&live, &from).unwrap();
        fs::copy(journal(&live), journal(&from)).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(turns(&to), (0, 0, "ok".to_owned()));
        assert!(journal(&from).exists());
        // A journal of an earlier copy is not taken for one of the next.
        fs::write(journal(&to), "old").unwrap();
        db.execute_batch("COMMIT").unwrap();
        copy(&live, &to).unwrap();
        assert!(!journal(&to).exists());
        assert_eq!(turns(&to), (1, 1, "ok".to_owned()));
    }
}
