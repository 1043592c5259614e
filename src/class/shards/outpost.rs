//! The database of a machine that grades a shard, and how it is published.

use super::checking::{LARGEST, LONGEST_OUTCOME};
use super::snapshot;
use super::taking;
use crate::class::error::ClassError;
use crate::class::folder::ClassFolder;
use crate::class::scratch::ScratchFolder;
use crate::class::store::{Access, Store, StoreError};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The least time between two publications. Less is lost with a machine than is graded in this time.
const APART: Duration = Duration::from_secs(5);

/// Publishing takes at most one part in so many of a machine's time.
const SHARE: u32 = 20;

/// The name of what is published, on this machine.
const EXPORT: &str = "published.db";

/// Where a machine grades its shard: a copy of the class's database on its own disk.
///
/// Other machines see what is published. The copy is deleted in the end.
#[derive(Debug)]
pub struct Outpost {
    class: ClassFolder,
    here: ClassFolder,
    room: ScratchFolder,
    /// When it published last, and how long that took.
    last: Option<(Instant, Duration)>,
}

impl Outpost {
    /// Copies the class's database, with what other shards published until now.
    ///
    /// Nothing of the class is locked or changed.
    ///
    /// # Errors
    /// The database cannot be copied, this machine has no room for a copy, or the folder of shards cannot be
    /// written.
    pub fn open(class: &ClassFolder) -> Result<Outpost, StoreError> {
        if !class.has_database()? {
            // Which says what to do.
            Store::open(class, Access::Read)?;
        }
        // Better now than after hours of grading.
        let folder = class.shards();
        fs::create_dir_all(&folder).and_then(|()| tempfile::tempfile_in(&folder).map(drop)).map_err(|error| {
            StoreError::Failed(format!(
                "{}: {error}: this machine must be able to write there, where it publishes what it graded",
                folder.display()
            ))
        })?;
        ScratchFolder::remove_left_behind();
        let room = ScratchFolder::new().map_err(snapshot::no_room)?;
        let copy = room.path().join("class.db");
        snapshot::copy(&class.database(), &copy)?;
        let here = class.with_database(&copy);
        let opened = Store::open(&here, Access::Write).and_then(|store| taking::look(class, &store));
        opened.map_err(|error| of_copy(class, error))?;
        Ok(Outpost { class: class.clone(), here, room, last: None })
    }

    /// The class with the copy as its database.
    pub fn folder(&self) -> &ClassFolder {
        &self.here
    }

    /// The error of a run on the copy, as one of the class.
    pub fn explained(&self, error: ClassError) -> ClassError {
        if let ClassError::Store(error) = error {
            return ClassError::Store(of_copy(&self.class, error));
        }
        error
    }

    /// Publishes what the run `attempt` graded until now, unless that was done a moment ago.
    ///
    /// A failure is not reported: the next publication has the same and more, and the last one reports it.
    pub fn publish_if_due(&mut self, attempt: &str) {
        if self.last.is_none_or(|(at, took)| at.elapsed() >= APART.max(took * SHARE)) {
            let start = Instant::now();
            // See above.
            let _ = self.write(attempt);
            self.last = Some((Instant::now(), start.elapsed()));
        }
    }

    /// Publishes what the run `attempt` graded, in the end.
    ///
    /// # Errors
    /// The database could not be published. The message says where this machine keeps it.
    pub fn publish(&mut self, attempt: &str) -> Result<(), StoreError> {
        self.write(attempt).map_err(|error| {
            self.room.keep();
            let kept = self.room.path().join(EXPORT);
            StoreError::Failed(format!(
                "{error}; {} has what was graded: copy it to {} under another name, and `keur class run` takes it in",
                kept.display(),
                self.class.shards().display()
            ))
        })
    }

    /// Writes a database with what the run graded, and puts it in the place of an earlier one of this run,
    /// whole.
    fn write(&self, attempt: &str) -> Result<(), StoreError> {
        let export = self.room.path().join(EXPORT);
        self.export(attempt, &export)?;
        if fs::metadata(&export).is_ok_and(|about| about.len() > LARGEST) {
            return Err(StoreError::Failed(format!(
                "{}: has more than {LARGEST} bytes, which nobody takes in: divide the class into more shards",
                export.display()
            )));
        }
        let folder = self.class.shards();
        let place = folder.join(format!("{attempt}.db"));
        replace(&export, &place).map_err(|error| {
            StoreError::Failed(format!(
                "{}: {error}: what this machine graded cannot be published",
                place.display()
            ))
        })
    }

    /// Writes a database with what the run graded, on this machine.
    fn export(&self, attempt: &str, export: &Path) -> Result<(), StoreError> {
        if export.exists() {
            fs::remove_file(export).map_err(|error| taking::of_file(export, &error))?;
        }
        let here = Store::open(&self.here, Access::Read)?;
        let export = Store::create(&self.here.with_database(export))?;
        export.together(|| {
            for one in here.attempts()?.iter().filter(|one| one.id == attempt) {
                export.put_attempt(one)?;
            }
            here.each_verdict(&mut |verdict| {
                let too_long =
                    verdict.outcome.as_ref().is_some_and(|outcome| outcome.len() > LONGEST_OUTCOME);
                // Which nobody would take in: that case stays to be graded where the class is.
                if verdict.attempt == attempt && !too_long {
                    export.keep(&[verdict])?;
                }
                Ok(())
            })
        })
    }
}

/// The error of a copy of the class's database. What is wrong with what keur wrote is wrong with the original
/// too.
fn of_copy(class: &ClassFolder, error: StoreError) -> StoreError {
    let (StoreError::Foreign { what, .. } | StoreError::DamagedRows { what, .. }) = &error else {
        return error;
    };
    StoreError::Failed(format!(
        "{}: cannot be graded in shards, since a copy of it is damaged ({what}); `keur class report {}` says what to do",
        class.database().display(),
        class.path().display()
    ))
}

/// Copies a file to another disk so that nobody ever sees a part of it.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let unfinished = unfinished(to);
    let copied = (|| {
        let mut file = File::create(&unfinished)?;
        io::copy(&mut File::open(from)?, &mut file)?;
        file.sync_all()?;
        fs::rename(&unfinished, to)
    })();
    if copied.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    copied?;
    // The name too must outlast a power cut; not every system lets a folder be opened for that.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// The name of a file while it is copied.
fn unfinished(to: &Path) -> PathBuf {
    to.with_extension(taking::UNFINISHED)
}
