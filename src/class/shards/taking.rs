//! Takes what other machines published into a database.

use crate::class::data::{Attempt, KeptVerdict};
use crate::class::folder::ClassFolder;
use crate::class::store::{Access, Store, StoreError};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The ending of a published database.
const PUBLISHED: &str = "db";

/// The ending of one that is being taken in.
const TAKING: &str = "taking";

/// The ending of one that is still copied.
pub(super) const UNFINISHED: &str = "part";

/// A copy that was not finished in this time never will be.
const GIVEN_UP: Duration = Duration::from_secs(3600);

/// What was taken in.
#[derive(Debug, Default)]
pub struct TakenIn {
    /// The number of databases.
    pub databases: usize,
    /// The number of verdicts that were not known.
    pub new: usize,
    /// The number of those that were, and are the same.
    pub same: usize,
    /// The number of those that differ from what another machine found.
    pub conflicts: usize,
    /// The databases that cannot be read, which stay where they are, and why.
    pub unreadable: Vec<StoreError>,
}

/// Takes what other machines published into the database of the class, which the caller may write, and removes it from the folder.
///
/// If this is cut off, the next call goes on.
///
/// # Errors
/// The database of the class, or the folder of shards, cannot be written.
pub fn take_in(class: &ClassFolder, store: &Store) -> Result<TakenIn, StoreError> {
    let mut taken = TakenIn::default();
    for published in files(class, &[PUBLISHED, TAKING])? {
        // Under another name no machine replaces it: what that one publishes from now on is taken in next time. A file that
        // an earlier call left under that name has less of the same run than this one.
        let path = published.with_extension(TAKING);
        if path != published {
            fs::rename(&published, &path).map_err(|error| of_file(&published, &error))?;
        }
        match add(&path, store)? {
            Ok(added) => {
                taken.databases += added.databases;
                taken.new += added.new;
                taken.same += added.same;
                taken.conflicts += added.conflicts;
                fs::remove_file(&path).map_err(|error| of_file(&path, &error))?;
            }
            Err(problem) => taken.unreadable.push(problem),
        }
    }
    for path in files(class, &[UNFINISHED])? {
        let age = fs::metadata(&path)
            .and_then(|about| about.modified())
            .map(|at| SystemTime::now().duration_since(at));
        if matches!(age, Ok(Ok(age)) if age > GIVEN_UP) {
            // It may be gone by now, and is in nobody's way if not.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(taken)
}

/// Adds what other machines published to a copy of the class's database in the folder `room`. It all stays where it is.
pub(super) fn look(class: &ClassFolder, store: &Store, room: &Path) -> Result<(), StoreError> {
    for published in files(class, &[PUBLISHED, TAKING])? {
        // Opened where it is, it could be replaced while it is read.
        let path = room.join("other.db");
        match fs::copy(&published, &path) {
            // Taken in meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            copied => copied.map_err(|error| of_file(&published, &error))?,
        };
        // The process that takes it in reports one that cannot be read.
        let _ = add(&path, store)?;
        fs::remove_file(&path).map_err(|error| of_file(&path, &error))?;
    }
    Ok(())
}

/// Adds the verdicts and runs of a published database. The outer result is about `store`, the inner one about what was published.
fn add(path: &Path, store: &Store) -> Result<Result<TakenIn, StoreError>, StoreError> {
    let (attempts, verdicts) = match read(path) {
        Ok(read) => read,
        Err(problem) => return Ok(Err(problem)),
    };
    store.together(|| {
        for attempt in &attempts {
            store.put_attempt(attempt)?;
        }
        let kept = store.keep(&verdicts)?;
        Ok(Ok(TakenIn {
            databases: 1,
            new: kept.new,
            same: kept.same,
            conflicts: kept.conflicts,
            unreadable: Vec::new(),
        }))
    })
}

/// All runs and verdicts of a published database.
fn read(path: &Path) -> Result<(Vec<Attempt>, Vec<KeptVerdict>), StoreError> {
    let published = Store::open_at(path, Access::Immutable)?;
    let mut verdicts = Vec::new();
    published.each_verdict(&mut |verdict| {
        verdicts.push(verdict);
        Ok(())
    })?;
    Ok((published.attempts()?, verdicts))
}

/// The files of the folder of shards with one of these endings, by name.
fn files(class: &ClassFolder, endings: &[&str]) -> Result<Vec<PathBuf>, StoreError> {
    let folder = class.shards();
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries
            .and_then(|entries| entries.collect::<io::Result<Vec<_>>>())
            .map_err(|error| of_file(&folder, &error))?,
    };
    let wanted = |path: &PathBuf| {
        path.extension().and_then(OsStr::to_str).is_some_and(|found| endings.contains(&found))
    };
    let mut paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).filter(wanted).collect();
    paths.sort();
    Ok(paths)
}

/// A failure to read or write a file of the folder of shards.
pub(super) fn of_file(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed(format!("{}: {error}", path.display()))
}
