//! Tests of databases that an earlier keur wrote.

use super::super::{Access, Store, StoreError};
use crate::class::digest::no_files_digest;
use crate::class::folder::ClassFolder;
use crate::class::reading::received_digest;
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A class with the database of the version before this one, and what it says.
fn earlier_class() -> (TempDir, ClassFolder) {
    let home = tempfile::tempdir().unwrap();
    let earlier =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/compatibility/before-0.1/class/class.db");
    fs::copy(earlier, home.path().join("class.db")).unwrap();
    let folder = ClassFolder::open(home.path()).unwrap();
    (home, folder)
}

#[test]
fn a_forged_database_of_an_earlier_version_is_not_taken_over() {
    for foreign in [
        "CREATE TRIGGER t AFTER INSERT ON student BEGIN SELECT 1; END",
        "CREATE INDEX t ON attempt (hex(zeroblob(started % 10)))",
        "DROP TABLE by_hand; CREATE VIEW by_hand AS SELECT hex(zeroblob(5000000)) AS student, 1 AS points, '' AS why, 1 AS at",
    ] {
        let (home, folder) = earlier_class();
        Connection::open(home.path().join("class.db")).unwrap().execute_batch(foreign).unwrap();
        let before = fs::read(home.path().join("class.db")).unwrap();
        let error = Store::open(&folder, Access::Read).err().unwrap().to_string();
        assert!(error.contains("which keur did not make"), "{error}");
        assert!(fs::read(home.path().join("class.db")).unwrap() == before, "{foreign}");
    }
}

#[test]
fn a_database_of_an_earlier_version_becomes_one_of_this() {
    for access in [Access::Read, Access::Write] {
        let (_home, folder) = earlier_class();
        let store = Store::open(&folder, access).unwrap();
        let sizes = store.sizes().unwrap();
        let expected = [("attempt", 1), ("by_hand", 1), ("cases", 2), ("conflict", 1)];
        let more = [("judge", 1), ("student", 8), ("submission", 7), ("verdict", 10)];
        assert_eq!(sizes, expected.into_iter().chain(more).collect());
        store.check_rows().unwrap();
        assert_eq!(store.damage().unwrap(), None);
        let mut gradings = Vec::new();
        store
            .each_verdict(&mut |verdict| {
                gradings.push(verdict.gradings);
                Ok::<_, StoreError>(())
            })
            .unwrap();
        assert_eq!(gradings, [1; 10]);
    }
}

#[test]
fn the_submissions_of_an_earlier_version_are_as_they_were_handed_in() {
    let (_home, folder) = earlier_class();
    let unkept = "UPDATE submission SET files = ?, problem = '\"Contested\"' WHERE student = 'Hal Dam'";
    let nothing = no_files_digest("Hal Dam");
    Connection::open(folder.database()).unwrap().execute(unkept, [&nothing]).unwrap();
    for taken in Store::open(&folder, Access::Read).unwrap().taken().unwrap() {
        let received = received_digest(&taken.student, &taken.files, taken.problem.as_deref());
        assert_eq!(taken.received, received);
        assert_eq!(taken.received == taken.files, taken.student != "Hal Dam");
    }
}

#[test]
fn a_migration_that_is_killed_leaves_the_earlier_database_whole() {
    let (_home, folder) = earlier_class();
    let before = fs::read(folder.database()).unwrap();
    let (_other, killed) = earlier_class();
    let db = rusqlite::Connection::open(folder.database()).unwrap();
    // A small cache writes pages before the end, and a kill leaves what the files have then.
    db.execute_batch("PRAGMA cache_size = 1; PRAGMA foreign_keys = OFF").unwrap();
    let store = Store::of_connection(db, &folder.database());
    let failed: Result<(), StoreError> = store.together(|| {
        store.migrate_from_2()?;
        for name in ["class.db", "class.db-journal"] {
            fs::copy(folder.path().join(name), killed.path().join(name)).unwrap();
        }
        Err(StoreError::Failed("the power fails".to_owned()))
    });
    assert!(failed.unwrap_err().to_string().contains("the power fails"));
    drop(store);
    assert_eq!(fs::read(folder.database()).unwrap(), before);
    assert_ne!(fs::read(killed.database()).unwrap(), before, "nothing was written before the kill");
    let store = Store::open(&killed, Access::Read).unwrap();
    assert_eq!(store.sizes().unwrap()["verdict"], 10);
}
