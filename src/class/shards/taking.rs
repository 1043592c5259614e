//! Takes what other machines published into a database.

use super::checking::{CheckedShard, KnownClass, ShardCheck};
use crate::class::folder::ClassFolder;
use crate::class::scratch::ScratchFolder;
use crate::class::store::{KeptCount, Store, StoreError};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The ending of a published database.
const PUBLISHED: &str = "db";

/// The ending of one that was taken in, until it is removed.
const TAKING: &str = "taking";

/// The ending of one that is still copied.
pub(super) const UNFINISHED: &str = "part";

/// A copy that was not finished in this time never will be.
const GIVEN_UP: Duration = Duration::from_secs(3600);

/// The shards that were taken in.
#[derive(Debug, Default)]
pub struct TakenShards {
    /// The number of databases.
    pub databases: usize,
    /// The number of verdicts that were not known.
    pub new: usize,
    /// The number of those that were, and are the same.
    pub same: usize,
    /// The number of those that differ from what another machine found.
    pub conflicts: usize,
    /// Why databases are not taken in, which stay where they are.
    pub refused: Vec<StoreError>,
}

/// Takes what other machines published into the database of the class, which the caller may write, and
/// removes it from the folder. What cannot be taken in stays as it is.
///
/// If this is cut off, the next call goes on.
///
/// # Errors
/// The database of the class, or the folder of shards, cannot be written.
pub fn take_in(class: &ClassFolder, store: &Store) -> Result<TakenShards, StoreError> {
    ScratchFolder::remove_left_behind();
    let mut taken = TakenShards::default();
    let mut known = KnownClass::read(class, store)?;
    for published in files(class, &[PUBLISHED, TAKING])? {
        match CheckedShard::open(&published, &known)? {
            ShardCheck::Good(shard) => {
                let added = add(&shard, &mut known, store)?;
                taken.databases += 1;
                taken.new += added.new;
                taken.same += added.same;
                taken.conflicts += added.conflicts;
                remove(&published, &shard)?;
            }
            ShardCheck::Refused(problem) => taken.refused.push(problem),
        }
    }
    for path in files(class, &[UNFINISHED])? {
        let age = fs::symlink_metadata(&path)
            .and_then(|about| about.modified())
            .map(|at| SystemTime::now().duration_since(at));
        if matches!(age, Ok(Ok(age)) if age > GIVEN_UP) {
            // It may be gone by now, and is in nobody's way if not.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(taken)
}

/// Adds what other machines published to a copy of the class's database. It all stays where it is.
pub(super) fn look(class: &ClassFolder, store: &Store) -> Result<(), StoreError> {
    let mut known = KnownClass::read(class, store)?;
    for published in files(class, &[PUBLISHED, TAKING])? {
        // The process that takes it in reports one that it refuses. Another one may have taken it in
        // meanwhile.
        if let ShardCheck::Good(shard) = CheckedShard::open(&published, &known)? {
            add(&shard, &mut known, store)?;
        }
    }
    Ok(())
}

/// Adds the run and the verdicts of what was published: all of them or none.
fn add(shard: &CheckedShard, known: &mut KnownClass, store: &Store) -> Result<KeptCount, StoreError> {
    store.together(|| {
        if let Some(attempt) = &shard.attempt {
            store.put_attempt(attempt)?;
            known.add_attempt(attempt);
        }
        let mut count = KeptCount::default();
        shard.store.each_verdict(&mut |verdict| -> Result<(), StoreError> {
            count += store.keep(&[verdict])?;
            Ok(())
        })?;
        Ok(count)
    })
}

/// Removes what was taken in. If its machine has published more since it was checked, that stays for the next
/// time.
pub(super) fn remove(published: &Path, shard: &CheckedShard) -> Result<(), StoreError> {
    let of_file = |error: io::Error| of_file(published, &error);
    let mut path = published.to_owned();
    if published.extension() != Some(OsStr::new(TAKING)) {
        // Under another name no machine replaces it.
        path = aside(published);
        fs::rename(published, &path).map_err(of_file)?;
    }
    if shard.is_copy_of(&path) { fs::remove_file(&path).map_err(of_file) } else { Ok(()) }
}

/// A name beside a published file that no file has.
fn aside(published: &Path) -> PathBuf {
    let stem = published.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (0_u32..).map(|count| match count {
        0 => published.with_extension(TAKING),
        count => published.with_file_name(format!("{stem}.{count}.{TAKING}")),
    });
    let mut free = names.filter(|name| fs::symlink_metadata(name).is_err());
    free.next().unwrap_or_else(|| published.with_extension(TAKING))
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
