//! Waiting for another program that holds the database.
//!
//! A viewer may have a transaction open for hours: that must not end a run. SQLite tries for a moment, then
//! others that wait have their turn, as who tries to write keeps new readers out.

use super::error::StoreError;
use keur_sandbox::Cancel;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// How long others have their turn.
const PAUSE: Duration = Duration::from_millis(200);

/// How long to wait before a message says so.
const QUIET: Duration = Duration::from_secs(1);

/// How long to wait where nobody would hear that it waits.
const PATIENCE: Duration = Duration::from_secs(10);

static TELL: OnceLock<fn(&str)> = OnceLock::new();
static CANCEL: OnceLock<Cancel> = OnceLock::new();

/// Waits as long as it takes from now on in this process, and gives `tell` a sentence about whom it waits
/// for.
pub fn tell_waits_by(tell: fn(&str)) {
    let _ = TELL.set(tell);
}

/// Ends what waits in this process when `cancel` is.
pub fn end_waits_by(cancel: Cancel) {
    let _ = CANCEL.set(cancel);
}

/// Does `work` on the database at `path` when no other program keeps it from that.
pub(super) fn patiently<T>(
    path: &Path,
    mut work: impl FnMut() -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let start = Instant::now();
    let mut told = None;
    loop {
        let error = match work() {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => error,
            done => return done.map_err(|error| StoreError::of_sqlite(path, &error)),
        };
        let cancelled = CANCEL.get().is_some_and(Cancel::is_cancelled);
        if cancelled || (TELL.get().is_none() && start.elapsed() > PATIENCE) {
            return Err(StoreError::of_sqlite(path, &error));
        }
        if start.elapsed() > QUIET {
            let holder = holder(path);
            if told.is_none() && holder.is_none() && has_no_locks(path) {
                return Err(StoreError::no_locks(path));
            }
            let holder = holder.unwrap_or_else(|| "another program".to_owned());
            if let Some(tell) = TELL.get().filter(|_| told.as_ref() != Some(&holder)) {
                tell(&format!(
                    "{}: waits for {holder}, which holds the database locked; close it to go on",
                    path.display()
                ));
            }
            told = Some(holder);
        }
        thread::sleep(PAUSE);
    }
}

/// Whether not even a new database beside the one at `path`, which no other program knows, can be locked.
fn has_no_locks(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Without the right to write there, this is not known.
    let Ok(file) = tempfile::Builder::new().prefix(".keur-").suffix(".part").tempfile_in(folder) else {
        return false;
    };
    let opened = Connection::open_with_flags(file.path(), OpenFlags::SQLITE_OPEN_READ_WRITE);
    let locked = opened.and_then(|db| db.execute_batch("BEGIN EXCLUSIVE; ROLLBACK"));
    locked.is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy))
}

/// A process that has a lock of the database, by number and name.
#[cfg(target_os = "linux")]
fn holder(path: &Path) -> Option<String> {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata(path).ok()?;
    let (major, minor) = (rustix::fs::major(about.dev()), rustix::fs::minor(about.dev()));
    let place = format!("{major:02x}:{minor:02x}:{}", about.ino());
    let own = std::process::id().to_string();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let process = locks.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let process = words.by_ref().nth(4)?;
        (words.next() == Some(&place) && process != own && process.parse::<u32>().is_ok_and(|id| id > 0))
            .then_some(process)
    })?;
    let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    let name = keur_core::compare::diff::visible(name.trim(), false);
    Some(if name.is_empty() { format!("process {process}") } else { format!("process {process} ({name})") })
}

#[cfg(not(target_os = "linux"))]
fn holder(_path: &Path) -> Option<String> {
    None
}
