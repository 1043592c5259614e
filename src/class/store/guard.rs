//! The settings of SQLite for a database that somebody else may have written: that it runs
//! nothing that the file names, and that the file has the tables of keur and nothing else.

use keur_core::compare::diff::visible;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Row};
use std::time::{Duration, Instant};

/// The tables and views of keur.
pub(super) const SCHEMA: &str = include_str!("schema.sql");

/// The tables and views of version 2.
pub(super) const SCHEMA_2: &str = include_str!("schema-2.sql");

/// The most memory that SQLite takes in this process, in bytes. It needs a few for its cache, whatever the
/// size of a class.
const MOST_MEMORY: u32 = 256 << 20;

/// The limits of every connection: the statements of keur are short, and the database brings none.
const LIMITS: [(Limit, i32); 7] = [
    (Limit::SQLITE_LIMIT_SCHEMA, 100),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// The longest row of a database that a stranger may have written, in bytes.
const LONGEST_ROW: i32 = 4 << 20;

/// How many instructions SQLite does between two looks at the clock.
const INSTRUCTIONS: i32 = 10_000;

/// The longest name of a table in a message, in characters.
const LONGEST_NAME: usize = 60;

/// Makes a new connection run nothing that a database has in it.
pub(super) fn harden(db: &Connection) -> rusqlite::Result<()> {
    for (limit, most) in LIMITS {
        db.set_limit(limit, most)?;
    }
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    db.execute_batch(&format!(
        "PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA hard_heap_limit = {MOST_MEMORY};"
    ))
}

/// Limits the time of all that is asked of a database, and the length of its rows. Time begins now.
pub(super) fn limit(db: &mut Connection, time: Duration) -> rusqlite::Result<()> {
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_ROW)?;
    let until = Instant::now() + time;
    db.progress_handler(INSTRUCTIONS, Some(move || Instant::now() >= until))
}

/// Lifts the limit of time.
pub(super) fn lift_time_limit(db: &mut Connection) -> rusqlite::Result<()> {
    db.progress_handler(0, None::<fn() -> bool>)
}

/// A table, an index, a view or a trigger, as SQLite describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SchemaObject {
    kind: String,
    name: String,
    table: String,
    sql: Option<String>,
}

impl SchemaObject {
    /// Of a row of `sqlite_schema`.
    fn of(row: &Row<'_>) -> rusqlite::Result<SchemaObject> {
        Ok(SchemaObject { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
    }
}

/// The difference between a database's schema and `schema` of keur, in words; `None` if there is none.
pub(super) fn schema_difference(db: &Connection, schema: &str) -> rusqlite::Result<Option<String>> {
    let ours = objects_of(schema)?;
    let mut seen = 0;
    let mut query = db.prepare(OBJECTS)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let object = SchemaObject::of(row)?;
        if !ours.contains(&object) {
            let name: String = visible(&object.name, false).chars().take(LONGEST_NAME).collect();
            let known = ours.iter().any(|known| known.name == object.name);
            let kind = visible(&object.kind, false);
            let whose = if known { "another" } else { "a foreign" };
            return Ok(Some(format!("it has {whose} {kind} `{name}`, which keur did not make")));
        }
        seen += 1;
    }
    Ok((seen < ours.len()).then(|| "it lacks a table of keur".to_owned()))
}

/// The parts of a schema but `rootpage`, which differs between databases, and which an integrity check covers.
const OBJECTS: &str = "SELECT type, name, tbl_name, sql FROM sqlite_schema";

/// A schema of keur, as SQLite keeps it.
fn objects_of(schema: &str) -> rusqlite::Result<Vec<SchemaObject>> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(schema)?;
    db.prepare(OBJECTS)?.query_map([], SchemaObject::of)?.collect()
}
