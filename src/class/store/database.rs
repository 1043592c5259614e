//! Opens the database of a class, and its transactions.

use super::error::{StoreError, damaged};
use super::guard;
use crate::class::folder::ClassFolder;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the tables, in the database's `user_version`.
const VERSION: i32 = 3;

/// Marks a database as that of a class: `keur` in ASCII, in its `application_id`.
const APPLICATION: i32 = 0x6b65_7572;

/// How long to wait for another program that holds the database.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest that a database of a stranger is read. The largest honest one takes some seconds.
const READING: Duration = Duration::from_secs(120);

/// What is done with the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it too.
    Write,
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
    /// It exists, or cannot be written.
    pub fn create(folder: &ClassFolder) -> Result<Store, StoreError> {
        Store::create_at(&folder.database())
    }

    /// Makes such a database at `path`.
    ///
    /// # Errors
    /// See [`Store::create`].
    pub fn create_at(path: &Path) -> Result<Store, StoreError> {
        if fs::metadata(path).is_ok_and(|data| data.len() > 0) {
            return Err(StoreError::NoClass(format!("{}: the class exists already", path.display())));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let store = Store::connect(path, flags)?;
        store.must_be_durable()?;
        // All at once: a process that is killed here leaves no half of a database.
        store.together(|| {
            store.set("application_id", APPLICATION)?;
            store.db.execute_batch(guard::SCHEMA).map_err(|error| store.failed(&error))?;
            store.set("user_version", VERSION)
        })?;
        Ok(store)
    }

    /// Opens the database of a class.
    ///
    /// # Errors
    /// There is none, it is of another version, or it cannot be read.
    pub fn open(folder: &ClassFolder, access: Access) -> Result<Store, StoreError> {
        if !folder.has_database()? {
            let shown = folder.path().display();
            let what = if folder.path().exists() { "is not a class" } else { "there is no such class" };
            return Err(StoreError::NoClass(format!(
                "{shown}: {what}; `keur class init {shown} --each SUBMISSIONS` makes one"
            )));
        }
        Store::open_at(&folder.database(), access)
    }

    /// Opens such a database at `path`.
    ///
    /// # Errors
    /// See [`Store::open`].
    pub fn open_at(path: &Path, access: Access) -> Result<Store, StoreError> {
        check_length(path, path)?;
        let writing = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let store = match access {
            Access::Write => Store::connect(path, writing)?,
            // Who was killed while writing left a journal, and who reads next must be able to take it back.
            Access::Read => Store::connect(path, writing)
                .or_else(|_| Store::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?,
        };
        store.must_be_of_a_class()?;
        store.must_be_ours()?;
        match access {
            Access::Write => store.must_be_durable()?,
            Access::Read => store.set("query_only", 1)?,
        }
        Ok(store)
    }

    /// Opens a copy of the database at `original`, which a stranger may have written, to read it: without locks, and under limits of
    /// time and length. Messages name the original.
    ///
    /// # Errors
    /// See [`Store::open`].
    pub fn open_copy(copy: &Path, original: &Path) -> Result<Store, StoreError> {
        check_length(copy, original)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let mut store = Store::connect_as(original, &immutable(copy), flags)?;
        guard::limit(&mut store.db, READING).map_err(|error| store.failed(&error))?;
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
        guard::lift_time_limit(&mut self.db).map_err(|error| self.failed(&error))
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        Store::connect_as(path, path, flags)
    }

    fn connect_as(path: &Path, named: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(named, flags);
        let db = opened.map_err(|error| StoreError::of_sqlite(path, &error))?;
        let store = Store { db, path: path.to_owned() };
        let ready = store.db.busy_timeout(PATIENCE).and_then(|()| guard::harden(&store.db));
        ready.map_err(|error| store.failed(&error))?;
        Ok(store)
    }

    /// The database itself, for what the methods here do not offer.
    pub(in crate::class) fn connection(&self) -> &Connection {
        &self.db
    }

    /// The path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does `work` in one transaction: all of it is stored, or nothing. Within another transaction it is a part of that.
    ///
    /// # Errors
    /// That of `work`, or it cannot be stored.
    pub fn together<T, E: From<StoreError>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if !self.db.is_autocommit() {
            return work();
        }
        self.batch("BEGIN IMMEDIATE")?;
        let done = work().and_then(|done| self.batch("COMMIT").map(|()| done).map_err(E::from));
        if done.is_err() && !self.db.is_autocommit() {
            // The first error says what is wrong.
            let _ = self.batch("ROLLBACK");
        }
        done
    }

    /// The error of SQLite, with advice.
    pub(in crate::class) fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of_sqlite(&self.path, error)
    }

    fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.db.execute_batch(sql).map_err(|error| self.failed(&error))
    }

    fn set(&self, name: &str, value: i32) -> Result<(), StoreError> {
        self.db.pragma_update(None, name, value).map_err(|error| self.failed(&error))
    }

    fn number(&self, name: &str) -> Result<i32, StoreError> {
        self.db.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| self.failed(&error))
    }

    /// Uses a rollback journal, as a write-ahead log does not work on a network file system, and waits for the disk.
    fn must_be_durable(&self) -> Result<(), StoreError> {
        self.batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;")
    }

    /// Refuses another program's database.
    fn must_be_of_a_class(&self) -> Result<(), StoreError> {
        let shown = self.path.display();
        if self.number("application_id")? != APPLICATION {
            return Err(StoreError::Failed(format!(
                "{shown}: this database is not that of a class; is it another program's?"
            )));
        }
        Ok(())
    }

    /// Refuses the database of another version of keur, and one with anything in it that keur did not make: a view in place of a
    /// table, a trigger.
    fn must_be_ours(&self) -> Result<(), StoreError> {
        let shown = self.path.display();
        let version = self.number("user_version")?;
        let keur = env!("CARGO_PKG_VERSION");
        if version > VERSION {
            return Err(StoreError::Foreign {
                what: format!(
                    "{shown}: a newer keur made this class (version {version} of its tables; keur {keur} knows {VERSION})"
                ),
                help: "use that keur".to_owned(),
            });
        }
        if version < VERSION {
            return Err(StoreError::Foreign {
                what: format!(
                    "{shown}: an older keur made this class (version {version} of its tables; keur {keur} knows {VERSION})"
                ),
                help: "use that keur, or make another class from the submissions".to_owned(),
            });
        }
        match guard::schema_difference(&self.db).map_err(|error| self.failed(&error))? {
            None => Ok(()),
            Some(difference) => Err(StoreError::Foreign {
                what: format!("{shown}: {difference}"),
                help: "remove what was added to it with `sqlite3`, or put back a copy".to_owned(),
            }),
        }
    }
}

/// Refuses a database that ends before its pages do. With a journal beside it SQLite first takes that back.
/// Messages name it as `shown`.
fn check_length(path: &Path, shown: &Path) -> Result<(), StoreError> {
    let unreadable =
        |error: std::io::Error| StoreError::Failed(format!("{}: cannot be read: {error}", shown.display()));
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    let mut header = Vec::new();
    let mut file = fs::File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    file.by_ref().take(100).read_to_end(&mut header).map_err(unreadable)?;
    if length == 0 {
        return Err(damaged(shown, "the database is empty"));
    }
    let short = || damaged(shown, &format!("the database is cut off after {length} bytes"));
    let (Some(&[high, low]), Some(&[a, b, c, d])) = (header.get(16..18), header.get(28..32)) else {
        return Err(short());
    };
    // A page of 65,536 bytes is written as 1.
    let page = match u16::from_be_bytes([high, low]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u64::from(u32::from_be_bytes([a, b, c, d]));
    if length < page * pages && !Path::new(&journal).exists() {
        return Err(short());
    }
    Ok(())
}

/// The name that opens a database without locks.
fn immutable(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let shown = absolute.to_string_lossy().replace('\\', "/");
    let escaped = shown.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let root = if escaped.starts_with('/') { "" } else { "/" };
    PathBuf::from(format!("file:{root}{escaped}?immutable=1"))
}
