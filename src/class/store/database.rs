//! Opens the database of a class, and its transactions.

use super::error::{BACK, StoreError, damaged};
use super::guard;
use super::lock::ClassLock;
use super::waiting::patiently;
use crate::class::folder::ClassFolder;
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags, Params};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the tables, in the database's `user_version`.
const VERSION: i32 = 3;

/// The oldest version that is made into this one.
const OLDEST: i32 = 2;

/// Marks a database as that of a class: `keur` in ASCII, in its `application_id`.
const APPLICATION: i32 = 0x6b65_7572;

/// How long SQLite tries to lock the database, before others that wait for it have their turn: see `waiting`.
const TRYING: Duration = Duration::from_millis(100);

/// The longest that a database of a stranger is read. The largest honest one takes some seconds.
const READING: Duration = Duration::from_secs(120);

/// The purpose for which the database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it too: the caller has the lock of the class, or the only copy.
    Write,
}

/// Whether SQLite locks a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Locks {
    /// Locked, as other processes may use the database.
    Taken,
    /// Not locked: a copy that only this process uses, perhaps on a file system without locks.
    NotNeeded,
}

impl Locks {
    /// The locks of a class's database.
    fn of(folder: &ClassFolder) -> Locks {
        if folder.is_on_copy() { Locks::NotNeeded } else { Locks::Taken }
    }
}

/// The database of a class.
pub struct Store {
    db: Connection,
    path: PathBuf,
}

impl Store {
    /// Makes the database of a class, which must not exist. An empty file, left by a power failure, is none.
    ///
    /// # Errors
    /// The database exists, or cannot be written.
    pub fn create(folder: &ClassFolder) -> Result<Store, StoreError> {
        Store::create_with(&folder.database(), Locks::of(folder))
    }

    /// Makes such a database at `path`.
    ///
    /// # Errors
    /// See [`Store::create`].
    pub fn create_at(path: &Path) -> Result<Store, StoreError> {
        Store::create_with(path, Locks::Taken)
    }

    fn create_with(path: &Path, locks: Locks) -> Result<Store, StoreError> {
        if fs::metadata(path).is_ok_and(|data| data.len() > 0) {
            return Err(StoreError::NoClass(format!("{}: the class exists already", path.display())));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let store = Store::connect(path, flags, locks)?;
        store.must_be_durable()?;
        // All at once: a process that is killed here leaves no half of a database.
        store.together(|| {
            store.set("application_id", APPLICATION)?;
            store.db.execute_batch(guard::SCHEMA).map_err(|error| store.sqlite_error(&error))?;
            store.set("user_version", VERSION)
        })?;
        Ok(store)
    }

    /// Opens the database of a class.
    ///
    /// # Errors
    /// The class has no database, or one of another version, or one that cannot be read.
    pub fn open(folder: &ClassFolder, access: Access) -> Result<Store, StoreError> {
        if !folder.has_database()? {
            let shown = folder.path().display();
            let what = if folder.path().exists() { "is not a class" } else { "there is no such class" };
            return Err(StoreError::NoClass(format!(
                "{shown}: {what}; `keur class init {shown} --each DOWNLOAD` makes one"
            )));
        }
        let path = folder.database();
        check_header(&path, &path)?;
        // Who writes now has a journal too. Without one, who wrote was killed.
        let was_written = has_journal(&path) && (access == Access::Write || !ClassLock::is_taken(folder));
        let connect = |flags| Store::connect(&path, flags, Locks::of(folder));
        let writing = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let store = match access {
            Access::Write => connect(writing)?,
            // Who was killed while writing left a journal, and who reads next must be able to take it back.
            Access::Read => connect(writing).or_else(|_| connect(OpenFlags::SQLITE_OPEN_READ_ONLY))?,
        };
        store.must_be_of_a_class()?;
        let version = store.number("user_version")?;
        if (OLDEST..VERSION).contains(&version) {
            let locked = match access {
                Access::Read => ClassLock::take(folder).map(Some),
                Access::Write => Ok(None),
            };
            let migrated = locked.and_then(|lock| store.migrate().map(|()| drop(lock)));
            migrated.map_err(|error| {
                StoreError::Failed(format!(
                    "{}: an older keur made this class (version {version} of its tables), and it cannot be made one of \
                     version {VERSION}: {error}",
                    path.display()
                ))
            })?;
        }
        store.must_be_ours()?;
        match access {
            Access::Write => store.must_be_durable()?,
            Access::Read => store.set("query_only", 1)?,
        }
        if was_written && !has_journal(&path) {
            store.check_after_crash()?;
        }
        Ok(store)
    }

    /// Makes the tables of an earlier version those of this one: all of it, or nothing. Another process may
    /// have done it meanwhile.
    fn migrate(&self) -> Result<(), StoreError> {
        self.must_be_durable()?;
        // Tables that others name are renamed and removed.
        self.set("foreign_keys", 0)?;
        self.together(|| {
            if self.number("user_version")? != VERSION {
                // Nothing of it is read before it is known to have the tables of keur alone.
                self.must_have(guard::SCHEMA_2)?;
                self.migrate_from_2()?;
                self.set("user_version", VERSION)?;
            }
            Ok::<_, StoreError>(())
        })?;
        self.set("foreign_keys", 1)
    }

    /// Checks all of a database that its last writer did not leave in order.
    fn check_after_crash(&self) -> Result<(), StoreError> {
        self.reading(|| self.check_whole())
    }

    /// Checks the pages, the references and the rows.
    fn check_whole(&self) -> Result<(), StoreError> {
        let broken = |what: &str| damaged(&self.path, &format!("the database is damaged: {what}"));
        if let Some(damage) = self.damage()? {
            return Err(broken(&damage));
        }
        if let Some(table) = self.foreign_row()? {
            return Err(broken(&format!("a row of the table {table} is of no student")));
        }
        self.check_rows()
    }

    /// Opens a copy of the database at `original`, which a stranger may have written, to read it: without
    /// locks, and under limits of time and length. Messages name the original.
    ///
    /// # Errors
    /// See [`Store::open`].
    pub fn open_copy(copy: &Path, original: &Path) -> Result<Store, StoreError> {
        check_header(copy, original)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let mut store = Store::connect_as(original, uri(copy, "immutable=1"), flags)?;
        guard::limit(&mut store.db, READING).map_err(|error| store.sqlite_error(&error))?;
        store.must_be_of_a_class()?;
        store.must_be_ours()?;
        store.set("query_only", 1)?;
        Ok(store)
    }

    /// Lets a copy be read without a limit of time from now on.
    ///
    /// # Errors
    /// SQLite refuses it.
    pub fn lift_time_limit(&mut self) -> Result<(), StoreError> {
        guard::lift_time_limit(&mut self.db).map_err(|error| self.sqlite_error(&error))
    }

    fn connect(path: &Path, flags: OpenFlags, locks: Locks) -> Result<Store, StoreError> {
        match locks {
            Locks::Taken => Store::connect_as(path, path, flags),
            Locks::NotNeeded => {
                Store::connect_as(path, uri(path, "nolock=1"), flags | OpenFlags::SQLITE_OPEN_URI)
            }
        }
    }

    fn connect_as(path: &Path, named: impl AsRef<Path>, flags: OpenFlags) -> Result<Store, StoreError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(named, flags);
        let db = opened.map_err(|error| StoreError::of_sqlite(path, &error))?;
        let store = Store::of_connection(db, path);
        let ready = store.db.busy_timeout(TRYING).and_then(|()| guard::harden(&store.db));
        ready.map_err(|error| store.sqlite_error(&error))?;
        Ok(store)
    }

    /// The store of a connection that is not yet made ready.
    pub(super) fn of_connection(db: Connection, path: &Path) -> Store {
        Store { db, path: path.to_owned() }
    }

    /// The database itself, for what the methods here do not offer.
    pub(in crate::class) fn connection(&self) -> &Connection {
        &self.db
    }

    /// The path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does `work` in one transaction: all of it is stored, or nothing. Within another transaction it is a
    /// part of that.
    ///
    /// No reader is waited for in the middle: the lock is had from the beginning.
    ///
    /// # Errors
    /// The error of `work`, or the work cannot be stored.
    pub fn together<T, E: From<StoreError>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if !self.db.is_autocommit() {
            return work();
        }
        self.begin("BEGIN EXCLUSIVE")?;
        self.finish_transaction(work())
    }

    /// Reads in `work` one state of the database, whatever others write.
    ///
    /// # Errors
    /// The error of `work`, or the database cannot be read.
    pub(super) fn reading<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.db.is_autocommit() {
            return work();
        }
        self.begin("BEGIN")?;
        // From here on nobody writes.
        let first = self.number("user_version").map_err(E::from);
        self.finish_transaction(first.and_then(|_| work()))
    }

    /// Commits the transaction of `done`, or rolls it back if that is an error.
    fn finish_transaction<T, E: From<StoreError>>(&self, done: Result<T, E>) -> Result<T, E> {
        let done = done.and_then(|done| self.execute("COMMIT", []).map(|()| done).map_err(E::from));
        if done.is_err() && !self.db.is_autocommit() {
            // The first error says what is wrong.
            let _ = self.execute("ROLLBACK", []);
        }
        done
    }

    /// The error of SQLite, with advice.
    pub(in crate::class) fn sqlite_error(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of_sqlite(&self.path, error)
    }

    /// Runs a statement in a transaction.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<(), StoreError> {
        let prepared = self.db.prepare_cached(sql);
        let done = prepared.and_then(|mut statement| statement.execute(params));
        done.map(|_| ()).map_err(|error| self.sqlite_error(&error))
    }

    fn begin(&self, sql: &str) -> Result<(), StoreError> {
        self.patient(|| self.db.prepare_cached(sql)?.execute([]).map(|_| ()))
    }

    pub(super) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.patient(|| self.db.execute_batch(sql))
    }

    /// Copies the database to a new file at `to` that no other process uses, as it is between two
    /// transactions, and checks the copy.
    ///
    /// # Errors
    /// The database cannot be read or written, or is damaged.
    pub fn copy_to(&self, to: &Path) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| StoreError::of_sqlite(to, &error);
        let flags = OpenFlags::default() | OpenFlags::SQLITE_OPEN_URI;
        let mut copy = Connection::open_with_flags(uri(to, "nolock=1"), flags).map_err(failed)?;
        self.reading(|| {
            let backup = Backup::new(&self.db, &mut copy).map_err(failed)?;
            backup.step(-1).map(|_| ()).map_err(failed)
        })?;
        // Messages are about the original.
        Store::of_connection(copy, &self.path).check_whole()
    }

    fn patient<T>(&self, work: impl FnMut() -> rusqlite::Result<T>) -> Result<T, StoreError> {
        patiently(&self.path, work)
    }

    fn set(&self, name: &str, value: i32) -> Result<(), StoreError> {
        self.patient(|| self.db.pragma_update(None, name, value))
    }

    fn number(&self, name: &str) -> Result<i32, StoreError> {
        self.patient(|| self.db.pragma_query_value(None, name, |row| row.get(0)))
    }

    /// Uses a rollback journal, as a write-ahead log does not work on a network file system, and waits for
    /// the disk.
    fn must_be_durable(&self) -> Result<(), StoreError> {
        self.batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;")
    }

    /// Refuses another program's database.
    fn must_be_of_a_class(&self) -> Result<(), StoreError> {
        let shown = self.path.display();
        if self.number("application_id")? != APPLICATION {
            return Err(StoreError::Foreign {
                what: format!("{shown}: this database is not that of a class"),
                help: format!("if another program did not make it, it is damaged: {BACK}"),
            });
        }
        Ok(())
    }

    /// Refuses the database of another version of keur, and one with anything in it that keur did not make: a
    /// view in place of a table, a trigger.
    fn must_be_ours(&self) -> Result<(), StoreError> {
        let shown = self.path.display();
        let version = self.number("user_version")?;
        let keur = env!("CARGO_PKG_VERSION");
        if version > VERSION {
            return Err(StoreError::Foreign {
                what: format!(
                    "{shown}: a newer keur made this class (version {version} of its tables; keur {keur} knows {VERSION})"
                ),
                help: format!("use that keur; if there is none, the database is damaged: {BACK}"),
            });
        }
        if version < VERSION {
            return Err(StoreError::Foreign {
                what: format!(
                    "{shown}: an older keur made this class (version {version} of its tables; keur {keur} knows {VERSION})"
                ),
                help: format!(
                    "use that keur, or make another class from the submissions; if there is no such keur, the database is damaged: \
                     {BACK}"
                ),
            });
        }
        self.reading(|| self.must_have(guard::SCHEMA))
    }

    /// Refuses a database with another schema than this one of keur.
    fn must_have(&self, schema: &str) -> Result<(), StoreError> {
        let shown = self.path.display();
        match guard::schema_difference(&self.db, schema).map_err(|error| self.sqlite_error(&error))? {
            None => Ok(()),
            Some(difference) => Err(StoreError::Foreign {
                what: format!(
                    "{shown}: the database is damaged, or another program changed it: {difference}"
                ),
                help: format!("{BACK}; what another program added, `sqlite3` can remove"),
            }),
        }
    }
}

/// Whether there is a journal beside a database: somebody writes it, or was killed while writing.
fn has_journal(path: &Path) -> bool {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    fs::metadata(journal).is_ok_and(|about| about.len() > 0)
}

/// Refuses a database whose first bytes are not what SQLite writes, and one that ends before its pages do.
/// With a journal beside it SQLite first takes that back. Messages name it as `shown`.
fn check_header(path: &Path, shown: &Path) -> Result<(), StoreError> {
    let unreadable =
        |error: std::io::Error| StoreError::Failed(format!("{}: cannot be read: {error}", shown.display()));
    let mut header = Vec::new();
    let mut file = fs::File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    file.by_ref().take(100).read_to_end(&mut header).map_err(unreadable)?;
    if length == 0 {
        return Err(damaged(shown, "the database is empty"));
    }
    let short = || damaged(shown, &format!("the database is cut off after {length} bytes"));
    // The versions of the format to write and to read: SQLite calls a database with another one read-only.
    let known = |version: Option<&u8>| matches!(version, Some(1 | 2) | None);
    if !known(header.get(18)) || !known(header.get(19)) {
        return Err(damaged(shown, "this is not a database, or its start was overwritten"));
    }
    let (Some(&[high, low]), Some(&[a, b, c, d])) = (header.get(16..18), header.get(28..32)) else {
        return Err(short());
    };
    // A page of 65,536 bytes is written as 1.
    let page = match u16::from_be_bytes([high, low]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u64::from(u32::from_be_bytes([a, b, c, d]));
    if length < page * pages && !has_journal(path) {
        return Err(short());
    }
    Ok(())
}

/// The name that opens a database with a parameter of SQLite.
fn uri(path: &Path, parameter: &str) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let bytes = absolute.as_os_str().as_encoded_bytes();
    let root = if bytes.starts_with(b"/") { "" } else { "/" };
    let escaped = bytes.iter().map(|byte| match byte {
        b'\\' if cfg!(windows) => "/".to_owned(),
        b'/' | b':' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(*byte).to_string(),
        byte => format!("%{byte:02x}"),
    });
    format!("file:{root}{}?{parameter}", escaped.collect::<String>())
}
