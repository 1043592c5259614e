//! Tests of the database: what goes in comes out, and what cannot be used says why.

mod damage;
mod earlier;

use super::{Access, ClassLock, KeptCount, Store, StoreError, guard};
use crate::class::data::{
    Attempt, ClassJudge, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
};
use crate::class::folder::ClassFolder;
use keur_core::case::Points;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use tempfile::TempDir;

fn class() -> (TempDir, ClassFolder, Store) {
    let home = tempfile::tempdir().unwrap();
    let folder = ClassFolder::open(home.path()).unwrap();
    let store = Store::create(&folder).unwrap();
    (home, folder, store)
}

fn verdict(case: &str, verdict: &str, attempt: &str) -> KeptVerdict {
    KeptVerdict {
        key: VerdictKey { files: "f".to_owned(), case: case.to_owned(), judge: "j".to_owned() },
        verdict: verdict.to_owned(),
        share: if verdict == "passed" { 1.0 } else { 0.0 },
        outcome: None,
        gradings: 1,
        attempt: attempt.to_owned(),
    }
}

fn student(name: &str) -> Student {
    Student { name: name.to_owned(), due: Some(5), on_roster: true, ..Student::default() }
}

fn attempt(student: &str, attempt: u32) -> Taken {
    let folder = format!("{student}#{attempt}");
    Taken { student: student.to_owned(), attempt, folder, files: format!("f{attempt}"), ..Taken::default() }
}

#[test]
fn rows_come_out_in_order() {
    let (_home, folder, store) = class();
    store.put_students(&[student("Jan"), student("An")]).unwrap();
    store.put_taken(&[attempt("Jan", 2), attempt("An", 1), attempt("Jan", 1)]).unwrap();
    let case = CurrentCase {
        exercise: "quixo".to_owned(),
        name: "size".to_owned(),
        place: 1,
        key: "k".to_owned(),
        title: "Size".to_owned(),
        points: Points::from_hundredths(150),
        hidden: true,
    };
    store.put_cases(std::slice::from_ref(&case)).unwrap();
    let run = Attempt {
        id: "a".to_owned(),
        host: "h".to_owned(),
        shard: Some("2/8".to_owned()),
        started: 1,
        finished: None,
    };
    store.put_attempt(&run).unwrap();
    let set = HandSet {
        student: "An".to_owned(),
        points: Points::from_hundredths(1200),
        why: "oral".to_owned(),
        at: 9,
    };
    store.set_points(&set).unwrap();
    drop(store);
    let store = Store::open(&folder, Access::Read).unwrap();
    assert_eq!(store.students().unwrap(), [student("An"), student("Jan")]);
    assert_eq!(store.taken().unwrap(), [attempt("An", 1), attempt("Jan", 1), attempt("Jan", 2)]);
    assert_eq!(store.latest().unwrap(), [attempt("An", 1), attempt("Jan", 2)]);
    assert_eq!(store.cases().unwrap(), [case]);
    assert_eq!(store.attempts().unwrap(), [run]);
    assert_eq!(store.by_hand().unwrap(), [set]);
    assert!(store.clear_points("An").is_err(), "who reads cannot write");
    drop(store);
    let store = Store::open(&folder, Access::Write).unwrap();
    assert!(store.clear_points("An").unwrap());
    assert!(!store.clear_points("An").unwrap());
}

#[test]
fn a_student_is_renewed_without_losing_the_submissions() {
    let (_home, _folder, store) = class();
    store.put_students(&[student("An")]).unwrap();
    store.put_taken(&[attempt("An", 1)]).unwrap();
    store.put_students(&[Student { due: None, ..student("An") }]).unwrap();
    assert_eq!(store.students().unwrap(), [Student { due: None, ..student("An") }]);
    assert_eq!(store.taken().unwrap().len(), 1);
}

#[test]
fn a_language_has_one_current_judge() {
    let (_home, _folder, store) = class();
    let judge = |key: &str| ClassJudge {
        key: key.to_owned(),
        language: "python".to_owned(),
        parts: BTreeMap::from([("engine".to_owned(), key.to_owned())]),
    };
    for key in ["one", "other", "one"] {
        store.put_judge(&judge(key)).unwrap();
        assert_eq!(store.judges().unwrap(), [judge(key)]);
    }
}

#[test]
fn two_verdicts_that_differ_count_as_none_until_they_are_settled() {
    let (_home, _folder, store) = class();
    let kept = |verdicts: &[KeptVerdict]| store.keep(verdicts).unwrap();
    let first = [verdict("a", "passed", "one"), verdict("b", "passed", "one")];
    assert_eq!(kept(&first), KeptCount { new: 2, ..KeptCount::default() });
    assert_eq!(kept(&[verdict("a", "passed", "two")]), KeptCount { same: 1, ..KeptCount::default() });
    let other = [verdict("b", "time limit", "two")];
    assert_eq!(kept(&other), KeptCount { conflicts: 1, ..KeptCount::default() });
    assert_eq!(kept(&first[1..]), KeptCount { conflicts: 1, ..KeptCount::default() }, "it stays out");
    let names = |store: &Store| -> Vec<String> {
        store.verdicts("f").unwrap().into_iter().map(|verdict| verdict.key.case).collect()
    };
    assert_eq!(names(&store), ["a"]);
    let [conflict] = <[_; 1]>::try_from(store.conflicts().unwrap()).unwrap();
    assert_eq!((conflict.one_attempt.as_str(), conflict.one_verdict.as_str()), ("one", "passed"));
    assert_eq!((conflict.other_attempt.as_str(), conflict.other_verdict.as_str()), ("two", "time limit"));
    store.settle(&[verdict("b", "passed", "three")]).unwrap();
    assert_eq!(names(&store), ["a", "b"]);
    assert_eq!(kept(&other), KeptCount { same: 1, ..KeptCount::default() }, "what is settled stays");
    assert_eq!(store.conflicts().unwrap()[0].settled.as_deref(), Some("three"));
}

#[test]
fn a_quick_pass_gives_way_to_the_strict_form_and_to_another_quick_pass() {
    let (_home, _folder, store) = class();
    let quick = |case: &str, pass: u8, attempt: &str| KeptVerdict {
        outcome: Some(format!("{{\"verdict\":\"passed\",\"quick\":{pass}}}")),
        ..verdict(case, "passed", attempt)
    };
    let strict = |verdict_name: &str| verdict("a", verdict_name, "strictly");
    let kept = |kept: KeptVerdict| {
        let KeptCount { new, same, conflicts } = store.keep(&[kept]).unwrap();
        let attempts = store.verdicts("f").unwrap().into_iter().map(|verdict| verdict.attempt);
        (new, same, conflicts, attempts.collect::<String>())
    };
    assert_eq!(kept(quick("a", 1, "one")), (1, 0, 0, "one".to_owned()));
    assert_eq!(kept(quick("a", 1, "again")), (0, 1, 0, "one".to_owned()));
    assert_eq!(kept(quick("a", 2, "two")), (0, 1, 0, "two".to_owned()));
    assert_eq!(kept(strict("passed")), (0, 1, 0, "strictly".to_owned()));
    assert_eq!(kept(quick("a", 2, "two")), (0, 1, 0, "strictly".to_owned()));
    // One that settled what differed gives way too.
    assert_eq!(kept(verdict("a", "raised", "other")), (0, 0, 1, String::new()));
    store.settle(&[quick("a", 2, "two")]).unwrap();
    assert_eq!(kept(quick("a", 3, "three")), (0, 1, 0, "three".to_owned()));
    assert_eq!(store.conflicts().unwrap()[0].settled.as_deref(), Some("three"));
    assert_eq!(kept(strict("raised")), (0, 0, 1, String::new()));
    assert_eq!(store.conflicts().unwrap()[0].settled, None);
    // And what was graded more often takes the place of what is settled.
    store.settle(&[strict("raised")]).unwrap();
    let often = KeptVerdict { gradings: 5, ..verdict("a", "raised", "often") };
    assert_eq!(kept(often), (1, 0, 0, "often".to_owned()));
}

#[test]
fn an_outcome_that_was_not_judged_gives_way_to_a_verdict_and_takes_the_place_of_a_quick_pass() {
    let (_home, _folder, store) = class();
    let not_judged = |attempt: &str| KeptVerdict {
        outcome: Some("{\"verdict\":\"not run\",\"not_judged\":true}".to_owned()),
        ..verdict("a", "not run", attempt)
    };
    let quick = KeptVerdict {
        outcome: Some("{\"verdict\":\"passed\",\"quick\":1}".to_owned()),
        ..verdict("a", "passed", "quick")
    };
    let kept = |kept: KeptVerdict| {
        let conflicts = store.keep(&[kept]).unwrap().conflicts;
        let verdicts = store.verdicts("f").unwrap().into_iter();
        (conflicts, verdicts.map(|verdict| verdict.attempt).collect::<String>())
    };
    assert_eq!(kept(quick), (0, "quick".to_owned()));
    assert_eq!(kept(not_judged("one")), (0, "one".to_owned()));
    assert_eq!(kept(not_judged("two")), (0, "one".to_owned()));
    assert_eq!(kept(verdict("a", "raised", "three")), (0, "three".to_owned()));
    assert_eq!(kept(not_judged("four")), (0, "three".to_owned()));
}

#[test]
fn changes_are_stored_together_or_not_at_all() {
    let (_home, _folder, store) = class();
    let failed: Result<(), StoreError> = store.together(|| {
        store.put_students(&[student("An")])?;
        Err(StoreError::Failed("the lights go out".to_owned()))
    });
    assert!(failed.is_err());
    assert!(store.students().unwrap().is_empty());
}

/// The message of opening a database of a class after it was changed.
fn refused(change: impl FnOnce(&ClassFolder, Store)) -> String {
    let (_home, folder, store) = class();
    change(&folder, store);
    match Store::open(&folder, Access::Write) {
        Ok(_) => panic!("it should be refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_database_that_cannot_be_used_says_why_and_what_to_do() {
    let cut = refused(|folder, store| {
        drop(store);
        let whole = fs::read(folder.database()).unwrap();
        fs::write(folder.database(), &whole[..whole.len() / 2 + 1]).unwrap();
    });
    assert!(cut.contains("is cut off after") && cut.contains(".recover"), "{cut}");
    let empty = refused(|folder, _| fs::write(folder.database(), "").unwrap());
    assert!(empty.contains("the database is empty"), "{empty}");
    let text = refused(|folder, _| fs::write(folder.database(), "a text\n".repeat(50)).unwrap());
    assert!(text.contains("cut off") || text.contains("not a database"), "{text}");
    let other = refused(|_, store| store.connection().pragma_update(None, "application_id", 7).unwrap());
    assert!(other.contains("not that of a class"), "{other}");
    let newer = refused(|_, store| store.connection().pragma_update(None, "user_version", 99).unwrap());
    assert!(newer.contains("a newer keur made this class") && newer.contains("use that keur"), "{newer}");
    let older = refused(|_, store| store.connection().pragma_update(None, "user_version", 1).unwrap());
    assert!(older.contains("an older keur made this class"), "{older}");
    let gone = refused(|folder, _| fs::remove_file(folder.database()).unwrap());
    assert!(gone.contains("is not a class") && gone.contains("keur class init"), "{gone}");
}

#[test]
fn a_database_that_is_removed_while_it_is_used_is_not_called_read_only() {
    let (_home, folder, store) = class();
    store.put_students(&[student("An")]).unwrap();
    fs::remove_file(folder.database()).unwrap();
    let error = store.put_students(&[student("Bo")]).unwrap_err().to_string();
    assert!(error.contains("the database was removed") && !error.contains("read-only"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_looked_at_is_not_said_to_be_no_class() {
    let home = tempfile::tempdir().unwrap();
    let folder = ClassFolder::open(home.path()).unwrap();
    // The system refuses so long a name.
    let unseen = folder.with_database(&home.path().join("n".repeat(5000)));
    let error = Store::open(&unseen, Access::Read).err().map(|error| error.to_string()).unwrap();
    assert!(error.contains("cannot be read") && error.contains("may read the class"), "{error}");
}

#[test]
fn a_database_with_anything_that_keur_did_not_make_is_refused() {
    for (change, said) in [
        ("CREATE TRIGGER t AFTER INSERT ON verdict BEGIN SELECT 1; END", "a foreign trigger `t`"),
        ("CREATE TABLE sqlite (x)", "a foreign table `sqlite`"),
        ("CREATE INDEX i ON verdict (attempt)", "a foreign index `i`"),
        ("CREATE VIRTUAL TABLE v USING fts5(x)", "a foreign table `v`"),
        ("DROP TABLE conflict", "it lacks a table"),
        ("DROP VIEW latest; CREATE VIEW latest AS SELECT * FROM submission", "another view `latest`"),
        ("ALTER TABLE verdict ADD COLUMN x TEXT AS (hex(share))", "another table `verdict`"),
        (
            "DROP TABLE verdict; CREATE VIEW verdict AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
             SELECT hex(zeroblob(1e6)) AS files, i AS \"case\", 'j' AS judge, 'passed' AS verdict, 1.0 AS share, NULL AS outcome, \
             'a' AS attempt FROM n",
            "another view `verdict`",
        ),
    ] {
        let message = refused(|folder, store| {
            drop(store);
            rusqlite::Connection::open(folder.database()).unwrap().execute_batch(change).unwrap();
        });
        assert!(message.contains(said) && message.contains("put back a copy"), "{change}: {message}");
    }
    let many = refused(|folder, store| {
        drop(store);
        let tables: String = (0..200).map(|number| format!("CREATE TABLE t{number} (x);")).collect();
        rusqlite::Connection::open(folder.database()).unwrap().execute_batch(&tables).unwrap();
    });
    assert!(many.contains("too many schema objects"), "{many}");
}

#[test]
fn questions_to_a_database_end_and_have_limits() {
    let mut db = rusqlite::Connection::open_in_memory().unwrap();
    guard::harden(&db).unwrap();
    let memory: i64 = db.pragma_query_value(None, "hard_heap_limit", |row| row.get(0)).unwrap();
    assert_eq!(memory, 256 << 20);
    let counted = |db: &rusqlite::Connection, to: &str| {
        let sql = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n {to}) SELECT count(*) FROM n"
        );
        db.query_row(&sql, [], |row| row.get::<_, i64>(0))
    };
    guard::limit(&mut db, std::time::Duration::ZERO).unwrap();
    let code = counted(&db, "").unwrap_err().sqlite_error_code();
    assert_eq!(code, Some(rusqlite::ErrorCode::OperationInterrupted));
    let long = db.query_row("SELECT zeroblob(5000000)", [], |row| row.get::<_, Vec<u8>>(0)).unwrap_err();
    assert_eq!(long.sqlite_error_code(), Some(rusqlite::ErrorCode::TooBig));
    guard::lift_time_limit(&mut db).unwrap();
    assert_eq!(counted(&db, "LIMIT 100000").unwrap(), 100_000);
}

#[test]
fn a_row_that_no_report_can_use_is_an_error() {
    for (change, said) in [
        ("UPDATE submission SET folder = '../../etc'", "is not a folder of submissions"),
        ("UPDATE submission SET folder = '/etc'", "is not a folder of submissions"),
        ("UPDATE submission SET folder = ''", "is not a folder of submissions"),
        ("UPDATE by_hand SET points = -1", "-1"),
        ("UPDATE by_hand SET points = 9223372036854775807", "9223372036854775807"),
    ] {
        let (_home, _folder, store) = class();
        store.put_students(&[student("An")]).unwrap();
        store.put_taken(&[attempt("An", 1)]).unwrap();
        let points = Points::from_hundredths(100);
        let set = HandSet { student: "An".to_owned(), points, why: "oral".to_owned(), at: 9 };
        store.set_points(&set).unwrap();
        let unchecked = format!("PRAGMA ignore_check_constraints = ON; {change}");
        store.connection().execute_batch(&unchecked).unwrap();
        store.seal().unwrap();
        let message = match (store.latest(), store.by_hand()) {
            (Err(error), _) | (_, Err(error)) => error.to_string(),
            _ => panic!("{change}: it should be refused"),
        };
        assert!(message.contains(said), "{change}: {message}");
    }
}

#[test]
fn a_full_disk_says_so_and_what_is_stored_stays() {
    let (_home, folder, store) = class();
    store.put_students(&[student("An")]).unwrap();
    let pages: i64 = store.connection().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection().pragma_update(None, "max_page_count", pages).unwrap();
    let many: Vec<Student> = (0..5000).map(|number| student(&format!("Student {number}"))).collect();
    let full = store.put_students(&many).unwrap_err();
    assert!(full.to_string().contains("the disk is full; what is stored stays"), "{full}");
    drop(store);
    assert_eq!(Store::open(&folder, Access::Read).unwrap().students().unwrap(), [student("An")]);
}

#[test]
fn one_process_at_a_time_writes_a_class_and_the_next_hears_who() {
    let (_home, folder, _store) = class();
    let lock = ClassLock::take(&folder).unwrap();
    let busy = ClassLock::take(&folder).unwrap_err();
    assert!(matches!(busy, StoreError::Busy(_)));
    assert!(busy.to_string().contains("another keur is working on this class"), "{busy}");
    #[cfg(unix)]
    assert!(busy.to_string().contains(&format!("process {} on ", std::process::id())), "{busy}");
    drop(lock);
    ClassLock::take(&folder).unwrap();
}

#[test]
fn a_database_that_nobody_writes_is_read_without_locks() {
    let home = tempfile::tempdir().unwrap();
    let name = OsString::from("50% of #1?é.db");
    #[cfg(target_os = "linux")]
    let name: OsString =
        std::os::unix::ffi::OsStringExt::from_vec([name.as_encoded_bytes(), b"\\\xff"].concat());
    let path = home.path().join(name);
    let store = Store::create_at(&path).unwrap();
    store.put_students(&[student("An")]).unwrap();
    // A lock of another process would keep a usual reader out.
    store.connection().execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(Store::open_copy(&path, &path).unwrap().students().unwrap(), [student("An")]);
}
