//! Tests of rows and pages that were changed or lost.

use super::super::error::BACK;
use super::super::tables::TABLES;
use super::super::{Access, Store, StoreError};
use super::{attempt, class, student, verdict};
use crate::class::data::{Attempt, ClassJudge, HandSet, KeptVerdict, VerdictKey};
use crate::class::folder::ClassFolder;
use keur_core::case::Points;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

#[test]
fn every_column_of_the_schema_has_a_checksum() {
    let (_home, _folder, store) = class();
    let query = |sql: &str| -> Vec<String> {
        let mut query = store.connection().prepare(sql).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'tally' ORDER BY name";
    assert_eq!(query(tables), names);
    for table in TABLES {
        let columns: Vec<&str> = table.columns.iter().map(|name| name.trim_matches('"')).collect();
        let about = format!("FROM pragma_table_info('{}')", table.name);
        assert_eq!(query(&format!("SELECT name {about} WHERE name <> 'sum' ORDER BY cid")), columns);
        let key = query(&format!("SELECT name {about} WHERE pk > 0 ORDER BY pk"));
        assert_eq!(key, columns[..table.key]);
    }
}

#[test]
fn a_row_of_no_student_or_of_another_type_is_not_stored() {
    let (_home, _folder, store) = class();
    assert!(store.put_taken(&[attempt("An", 1)]).is_err());
    store.put_students(&[student("An")]).unwrap();
    store.put_taken(&[attempt("An", 1)]).unwrap();
    assert!(store.put_taken(&[attempt("An", 0)]).is_err());
    let text = "UPDATE submission SET handed_in = 'yesterday'";
    assert!(store.connection().execute_batch(text).is_err());
}

/// A class with rows in every table that a report is made from.
fn full_class() -> (TempDir, ClassFolder) {
    let (home, folder, store) = class();
    store.put_students(&["An", "Bo", "Cem"].map(student)).unwrap();
    store.put_taken(&[attempt("An", 1), attempt("An", 2), attempt("Bo", 1)]).unwrap();
    let points = Points::from_hundredths(100);
    store.set_points(&HandSet { student: "Bo".to_owned(), points, why: "oral".to_owned(), at: 9 }).unwrap();
    let kept = |files: &str, case: &str| KeptVerdict {
        key: VerdictKey { files: files.to_owned(), case: case.to_owned(), judge: "j".to_owned() },
        ..verdict("a", "passed", "one")
    };
    store.keep(&[kept("f1", "a"), kept("f1", "b"), kept("f2", "a"), kept("f2", "b")]).unwrap();
    store
        .put_judge(&ClassJudge { key: "j".to_owned(), language: "python".to_owned(), parts: BTreeMap::new() })
        .unwrap();
    (home, folder)
}

/// All that a report is made from, or why not.
fn told(folder: &ClassFolder) -> Result<String, String> {
    let told = || {
        let store = Store::open(folder, Access::Read)?;
        let verdicts: Result<Vec<_>, _> =
            ["f1", "f2"].map(|files| store.verdicts(files)).into_iter().collect();
        let rows = (store.students()?, store.latest()?, store.by_hand()?, store.judges()?, verdicts?);
        Ok::<_, StoreError>(format!("{rows:?}"))
    };
    told().map_err(|error| error.to_string())
}

#[test]
fn no_bit_of_the_database_changes_a_report_without_a_word() {
    let (_home, folder) = full_class();
    let good = told(&folder).unwrap();
    let whole = fs::read(folder.database()).unwrap();
    let (mut same, mut noticed) = (0, 0);
    // Where there is something: an empty part of a page is not read.
    let places = (0..whole.len()).filter(|place| whole[*place] != 0).step_by(9);
    let places: Vec<usize> = places.collect();
    for (count, place) in places.iter().enumerate() {
        let mut damaged = whole.clone();
        damaged[*place] ^= 1 << (count % 8);
        fs::write(folder.database(), &damaged).unwrap();
        match told(&folder) {
            Ok(report) => {
                assert_eq!(report, good, "byte {place}, bit {}", count % 8);
                same += 1;
            }
            Err(message) => {
                let advises = message.contains(BACK) || message.contains("`keur class run");
                assert!(message.contains("class.db: ") && advises, "byte {place}: {message}");
                noticed += 1;
            }
        }
    }
    assert!(noticed > same / 4 && same + noticed == places.len(), "{same} the same, {noticed} noticed");
}

#[test]
fn a_damaged_row_names_its_student_and_a_lost_one_its_table() {
    for (change, said) in [
        ("UPDATE by_hand SET points = 200", "damaged: a row of Bo in the table by_hand was changed"),
        ("UPDATE student SET due = 7 WHERE name = 'Cem'", "a row of Cem in the table student was changed"),
        ("UPDATE verdict SET share = 0.5 WHERE files = 'f1'", "a row of An and 1 more in the table verdict"),
        ("DELETE FROM by_hand", "a row in the table by_hand was lost"),
        ("DELETE FROM submission WHERE attempt = 2", "a row in the table submission was lost"),
        ("DELETE FROM verdict WHERE files = 'f2'", "a row of An in the table verdict was lost"),
        ("DELETE FROM tally WHERE part = 'f2'", "a row of An in the table verdict was lost"),
    ] {
        let (_home, folder) = full_class();
        let store = Store::open(&folder, Access::Write).unwrap();
        store.connection().execute_batch(change).unwrap();
        drop(store);
        let message = told(&folder).unwrap_err();
        assert!(message.contains(said), "{change}: {message}");
        let help = if change.contains("verdict") || change.contains("f2") {
            "keur class run"
        } else {
            "keur class backup"
        };
        assert!(message.contains(help), "{change}: {message}");
    }
}

#[test]
fn damaged_verdicts_are_forgotten_and_the_others_stay() {
    let (_home, folder) = full_class();
    let store = Store::open(&folder, Access::Write).unwrap();
    let change = "UPDATE verdict SET share = 0.5 WHERE files = 'f1' AND \"case\" = 'b'";
    store.connection().execute_batch(change).unwrap();
    assert_eq!(store.forget_damaged_verdicts().unwrap(), ["An", "Bo"]);
    let cases = |files: &str| -> Vec<String> {
        store.verdicts(files).unwrap().into_iter().map(|verdict| verdict.key.case).collect()
    };
    assert_eq!((cases("f1"), cases("f2")), (vec!["a".to_owned()], vec!["a".to_owned(), "b".to_owned()]));
    store.check_rows().unwrap();
    assert!(store.forget_damaged_verdicts().unwrap().is_empty());
}

#[test]
fn a_verdict_of_more_gradings_takes_the_place_of_one_of_fewer() {
    let (_home, _folder, store) = class();
    let often =
        |name: &str, gradings: u32, attempt: &str| KeptVerdict { gradings, ..verdict("a", name, attempt) };
    let kept = |verdict: KeptVerdict| store.keep(&[verdict]).unwrap();
    assert_eq!(kept(often("passed", 1, "one")).new, 1);
    assert_eq!(kept(often("raised", 5, "two")).new, 1);
    assert_eq!(store.verdicts("f").unwrap(), [often("raised", 5, "two")]);
    assert_eq!(kept(often("raised", 1, "three")).same, 1);
    // Who found another verdict in fewer gradings may be right too.
    assert_eq!(kept(often("passed", 1, "four")).conflicts, 1);
    assert!(store.verdicts("f").unwrap().is_empty());
}

#[test]
fn a_database_is_checked_whole_after_a_crash() {
    let (_home, folder) = full_class();
    let (_other, crashed) = full_class();
    // A checksum that no report of this class reads.
    for place in [&folder, &crashed] {
        let store = Store::open(place, Access::Write).unwrap();
        let run =
            Attempt { id: "a".to_owned(), host: "h".to_owned(), shard: None, started: 1, finished: None };
        store.put_attempt(&run).unwrap();
        store.connection().execute_batch("UPDATE attempt SET host = 'other'").unwrap();
    }
    Store::open(&folder, Access::Read).unwrap();
    let store = Store::open(&folder, Access::Write).unwrap();
    store.connection().execute_batch("PRAGMA cache_size = 1").unwrap();
    let failed: Result<(), StoreError> = store.together(|| {
        store.put_students(&(0..500).map(|n| student(&format!("Student {n}"))).collect::<Vec<_>>())?;
        for name in ["class.db", "class.db-journal"] {
            fs::copy(folder.path().join(name), crashed.path().join(name)).unwrap();
        }
        Err(StoreError::Failed("the power fails".to_owned()))
    });
    assert!(failed.is_err());
    let message = match Store::open(&crashed, Access::Read) {
        Ok(_) => panic!("it is opened"),
        Err(error) => error.to_string(),
    };
    assert!(message.contains("a row in the table attempt was changed"), "{message}");
}
