//! Machines that grade, publish and are taken in.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{Outpost, take_in};
use crate::class::{
    Access, Attempt, ClassFolder, ClassJudge, KeptVerdict, Store, StoreError, Student, Taken, VerdictKey,
    digest,
};
use keur_core::compare::Verdict;
use keur_core::judge::{CaseOutcome, KnownCase};
use keur_core::named::Named;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The submissions of the class, each of a student of that name.
const SUBMISSIONS: [&str; 2] = ["a", "b"];

/// A class of two submissions, without verdicts.
fn class() -> (TempDir, ClassFolder, Store) {
    let room = tempfile::tempdir().unwrap();
    let class = ClassFolder::open(room.path()).unwrap();
    let store = Store::create(&class).unwrap();
    for name in SUBMISSIONS {
        store.put_students(&[Student { name: name.to_owned(), ..Student::default() }]).unwrap();
        let student = name.to_owned();
        let folder = format!("{name}#1");
        store
            .put_taken(&[Taken { student, attempt: 1, folder, files: digest([name]), ..Taken::default() }])
            .unwrap();
    }
    let judge = ClassJudge { key: digest(["judge"]), language: "python".to_owned(), parts: BTreeMap::new() };
    store.put_judge(&judge).unwrap();
    (room, class, store)
}

/// The verdict of the run `attempt` on the only case of a submission.
fn verdict(files: &str, verdict: &str, attempt: &str) -> KeptVerdict {
    let verdict = Verdict::from_name(verdict).unwrap();
    let outcome = KnownCase::Graded(CaseOutcome { verdict, ..CaseOutcome::passed() });
    KeptVerdict {
        key: VerdictKey { files: digest([files]), case: digest(["case"]), judge: digest(["judge"]) },
        verdict: verdict.name().to_owned(),
        share: f64::from(u8::from(verdict == Verdict::Passed)),
        outcome: outcome.to_stored(),
        gradings: 1,
        attempt: attempt.to_owned(),
    }
}

/// A machine that starts the run `attempt`.
fn machine(class: &ClassFolder, attempt: &str) -> (Outpost, Store) {
    let outpost = Outpost::open(class).unwrap();
    let store = Store::open(outpost.folder(), Access::Write).unwrap();
    let host = attempt.to_owned();
    store
        .put_attempt(&Attempt {
            id: host.clone(),
            host,
            shard: Some("1/1".to_owned()),
            started: 1,
            finished: None,
        })
        .unwrap();
    (outpost, store)
}

/// A machine that grades these and publishes them.
fn graded(class: &ClassFolder, attempt: &str, verdicts: &[(&str, &str)]) {
    let (mut outpost, store) = machine(class, attempt);
    let verdicts: Vec<KeptVerdict> =
        verdicts.iter().map(|(files, found)| verdict(files, found, attempt)).collect();
    store.keep(&verdicts).unwrap();
    outpost.publish(attempt).unwrap();
}

/// The names of the published files.
fn published(class: &ClassFolder) -> Vec<String> {
    let mut names: Vec<String> = match fs::read_dir(class.shards()) {
        Ok(entries) => entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect(),
        Err(_) => Vec::new(),
    };
    names.sort();
    names
}

/// The submissions with a verdict, and the runs that found it.
fn verdicts(store: &Store) -> Vec<(String, String)> {
    let mut all = Vec::new();
    store
        .each_verdict(&mut |one| {
            let name = SUBMISSIONS.into_iter().find(|name| digest([name]) == one.key.files);
            all.push((name.unwrap().to_owned(), one.attempt));
            Ok::<_, StoreError>(())
        })
        .unwrap();
    all.sort();
    all
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(files, attempt)| ((*files).to_owned(), (*attempt).to_owned())).collect()
}

#[test]
fn a_machine_publishes_what_it_graded_and_the_class_takes_it_in() {
    let (_room, class, store) = class();
    store.keep(&[verdict("a", "passed", "zero")]).unwrap();
    let before = fs::read(class.database()).unwrap();
    graded(&class, "one", &[("b", "passed")]);
    assert_eq!(fs::read(class.database()).unwrap(), before);
    assert_eq!(published(&class), ["one.db"]);
    let alone = Store::open_copy(&class.shards().join("one.db"), Path::new("copy")).unwrap();
    assert_eq!(verdicts(&alone), pairs(&[("b", "one")]));
    // A task that is started again goes on with what was published, taken in or not.
    let (_, again) = machine(&class, "two");
    assert_eq!(verdicts(&again), pairs(&[("a", "zero"), ("b", "one")]));
    let taken = take_in(&class, &store).unwrap();
    assert_eq!((taken.databases, taken.new, taken.same, taken.conflicts), (1, 1, 0, 0));
    assert!(published(&class).is_empty());
    assert_eq!(verdicts(&store), pairs(&[("a", "zero"), ("b", "one")]));
    assert_eq!(store.attempts().unwrap()[0].id, "one");
    assert_eq!(take_in(&class, &store).unwrap().databases, 0);
}

#[test]
fn a_machine_does_not_make_a_class() {
    let room = tempfile::tempdir().unwrap();
    let class = ClassFolder::open(&room.path().join("none")).unwrap();
    assert!(matches!(Outpost::open(&class), Err(StoreError::NoClass(_))));
    assert!(!class.path().exists());
}

#[test]
fn a_machine_publishes_at_once_and_then_now_and_then() {
    let (_room, class, _) = class();
    let (mut outpost, store) = machine(&class, "one");
    store.keep(&[verdict("a", "passed", "one")]).unwrap();
    outpost.publish_if_due("one");
    store.keep(&[verdict("b", "passed", "one")]).unwrap();
    outpost.publish_if_due("one");
    let seen = || verdicts(&Store::open_copy(&class.shards().join("one.db"), Path::new("copy")).unwrap());
    assert_eq!(seen(), pairs(&[("a", "one")]));
    outpost.publish("one").unwrap();
    assert_eq!(seen(), pairs(&[("a", "one"), ("b", "one")]));
    assert_eq!(published(&class), ["one.db"]);
}

#[test]
fn two_machines_that_agree_are_one_and_two_that_differ_are_a_conflict() {
    let (_room, class, store) = class();
    // Neither sees the other.
    let [(mut one, first), (mut two, second)] = ["one", "two"].map(|attempt| machine(&class, attempt));
    first.keep(&[verdict("a", "passed", "one"), verdict("b", "passed", "one")]).unwrap();
    second.keep(&[verdict("a", "passed", "two"), verdict("b", "raised", "two")]).unwrap();
    one.publish("one").unwrap();
    two.publish("two").unwrap();
    let taken = take_in(&class, &store).unwrap();
    assert_eq!((taken.databases, taken.new, taken.same, taken.conflicts), (2, 2, 1, 1));
    assert_eq!(verdicts(&store), pairs(&[("a", "one")]));
    let conflicts = store.conflicts().unwrap();
    let named: Vec<&str> =
        conflicts.iter().flat_map(|found| [found.one_attempt.as_str(), &found.other_attempt]).collect();
    assert_eq!(named, ["one", "two"]);
}

/// Publishes two runs; the second one is changed before it is taken in. It must be refused for this reason
/// and stay as it is, the first one is taken in, and the class must be as good as before.
#[track_caller]
fn refused(said: &str, change: impl FnOnce(&Path)) {
    let (_room, class, store) = class();
    graded(&class, "one", &[("a", "passed")]);
    graded(&class, "two", &[("b", "crashed")]);
    let path = class.shards().join("two.db");
    change(&path);
    let before = fs::symlink_metadata(&path).unwrap();
    for _ in 0..2 {
        // Another machine that looks is not held up either.
        let machine = Outpost::open(&class).unwrap();
        assert_eq!(verdicts(&Store::open(machine.folder(), Access::Read).unwrap()), pairs(&[("a", "one")]));
        let taken = take_in(&class, &store).unwrap();
        let [problem] = taken.refused.as_slice() else { panic!("{:?}, not {said}", taken.refused) };
        let message = problem.to_string();
        assert!(message.starts_with(&path.display().to_string()) && message.contains(said), "{message}");
        assert!(message.contains("delete it, and `keur class run"), "{message}");
        // What the owner of a database can do is no help here.
        assert!(!message.contains("sqlite3") && !message.contains("use that keur"), "{message}");
    }
    assert_eq!(published(&class), ["two.db"]);
    assert_eq!(fs::symlink_metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
    assert_eq!(verdicts(&store), pairs(&[("a", "one")]));
    assert_eq!(store.attempts().unwrap().len(), 1);
}

/// Like [`refused`], with a change in SQL.
#[track_caller]
fn refused_after(sql: &str, said: &str) {
    refused(said, |path| {
        let database = Connection::open(path).unwrap();
        database.execute_batch(&format!("PRAGMA ignore_check_constraints = ON; {sql}")).unwrap();
        drop(database);
        // Who writes a database on purpose gives its rows their checksums.
        let folder = ClassFolder::open(path.parent().unwrap()).unwrap().with_database(path);
        if let Ok(store) = Store::open(&folder, Access::Write) {
            store.connection().execute_batch("PRAGMA ignore_check_constraints = ON").unwrap();
            store.seal().unwrap();
        }
    });
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    refused("not a database", |path| fs::write(path, "no database. ".repeat(50)).unwrap());
    refused("is empty", |path| fs::write(path, "").unwrap());
    refused("cut off", |path| {
        let whole = fs::read(path).unwrap();
        fs::write(path, &whole[..whole.len() - 1]).unwrap();
    });
    refused("cannot be read", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    });
    refused("it is damaged", |path| {
        let mut bytes = fs::read(path).unwrap();
        // The pages of the tables follow that of the schema.
        let second = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
        bytes[second..].iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55);
        fs::write(path, bytes).unwrap();
    });
}

#[cfg(unix)]
#[test]
fn a_link_or_a_pipe_is_not_opened() {
    let (room, other, _) = class();
    graded(&other, "other", &[("b", "passed")]);
    let target = other.shards().join("other.db");
    refused("cannot be read", |path| {
        fs::remove_file(path).unwrap();
        std::os::unix::fs::symlink(&target, path).unwrap();
    });
    refused("cannot be read", |path| {
        fs::remove_file(path).unwrap();
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    });
    drop(room);
}

#[test]
fn a_schema_that_is_not_that_of_keur_is_refused() {
    // One that would fill the memory of a process that reads it as a table.
    refused_after(
        "DROP TABLE verdict; CREATE VIEW verdict AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT hex(zeroblob(1e6)) AS files, i AS \"case\", 'j' AS judge, 'passed' AS verdict, 1.0 AS share, NULL AS outcome,
         'two' AS attempt FROM n",
        "another view `verdict`",
    );
    refused_after("CREATE TABLE more (x)", "a foreign table `more`");
    refused_after("PRAGMA user_version = 99", "a newer keur");
}

#[test]
fn a_row_that_no_report_could_read_is_refused() {
    for (set, said) in [
        ("verdict = 'splendid'", "cannot be read"),
        ("outcome = NULL", "only its verdict is stored"),
        ("outcome = '{'", "cannot be read"),
        ("outcome = replace(outcome, 'crashed', 'raised')", "its verdict is `raised`"),
        (
            "outcome = json_set(outcome, '$.held', json('{\"whole\":4000000000,\"parts\":[]}'))",
            "4000000000 millionths",
        ),
        (
            "outcome = json_set(outcome, '$.spent', json('[18446744073709551615]'))",
            "graded too often, or for too long",
        ),
        ("outcome = json_set(outcome, '$.more', hex(zeroblob(600000)))", "its outcome has 12000"),
        ("outcome = hex(zeroblob(3000000))", "a row of it is longer than keur writes"),
        ("share = 1e999", "a share of inf"),
        ("share = -0.5", "a share of -0.5"),
        ("gradings = 101", "it was graded 101 times"),
        ("share = 0.5, verdict = 'passed', outcome = NULL", "a share of 0.5 does not go with `passed`"),
        ("files = 'F'", "no digest"),
        ("\"case\" = 'x' || char(27)", "no digest"),
        (
            "files = '0123456789abcdef0123456789abcdef'",
            "the class has no submission with the files 0123456789abcdef",
        ),
        ("judge = '0123456789abcdef0123456789abcdef'", "the class never had the judge"),
        ("attempt = 'one'", "of a run that it does not have"),
    ] {
        refused_after(&format!("UPDATE verdict SET {set}"), said);
    }
}

#[test]
fn submissions_outside_a_shard_are_refused() {
    for (sql, said) in [
        ("UPDATE attempt SET shard = '3/2'", "there is no shard 3/2"),
        ("INSERT INTO attempt VALUES ('three', 'h', NULL, 1, NULL, 0)", "it is of 2 runs"),
        ("DELETE FROM attempt", "of a run that it does not have"),
        ("UPDATE attempt SET host = char(27) || '[31m'", "the name of its run or its machine"),
        ("UPDATE attempt SET id = 'one'; UPDATE verdict SET attempt = 'one'", "the name of another run"),
        (
            "INSERT INTO student VALUES ('An', NULL, NULL, NULL, NULL, 0, NULL, 0)",
            "rows in the table student",
        ),
        ("INSERT INTO by_hand VALUES ('a', 100, 'why', 1, 0)", "rows in the table by_hand"),
    ] {
        let sql = format!("PRAGMA foreign_keys = OFF; {sql}");
        refused_after(&sql, said);
    }
    // Of two parts, one has these files.
    let parts = ["1/2", "2/2"].map(|part| super::Shard::parse(part, &|_| None).unwrap());
    let other = parts.into_iter().find(|part| !part.has(&digest(["b"]))).unwrap();
    refused_after(&format!("UPDATE attempt SET shard = '{other}'"), "are not in the shard");
}

#[test]
fn a_database_published_during_intake_stays_for_the_next_time() {
    let (_room, class, store) = class();
    let (mut outpost, here) = machine(&class, "one");
    here.keep(&[verdict("a", "passed", "one")]).unwrap();
    outpost.publish("one").unwrap();
    let path = class.shards().join("one.db");
    let known = super::checking::KnownClass::read(&class, &store).unwrap();
    let checked = super::checking::CheckedShard::open(&path, &known).unwrap();
    let super::checking::ShardCheck::Good(shard) = checked else { panic!("it is refused") };
    here.keep(&[verdict("b", "passed", "one")]).unwrap();
    outpost.publish("one").unwrap();
    super::taking::remove(&path, &shard).unwrap();
    assert_eq!(published(&class), ["one.taking"]);
    assert_eq!(take_in(&class, &store).unwrap().new, 2);
    assert!(published(&class).is_empty());
}

#[test]
fn an_outcome_that_is_too_long_is_not_published() {
    let (_room, class, store) = class();
    let (mut outpost, here) = machine(&class, "one");
    let long = KeptVerdict { outcome: Some("x".repeat(2 << 20)), ..verdict("a", "crashed", "one") };
    here.keep(&[long, verdict("b", "passed", "one")]).unwrap();
    outpost.publish("one").unwrap();
    let taken = take_in(&class, &store).unwrap();
    assert_eq!((taken.new, taken.refused.len()), (1, 0));
}

#[test]
fn taking_in_goes_on_where_it_was_cut_off() {
    let (_room, class, store) = class();
    graded(&class, "one", &[("a", "passed")]);
    let file = |ending: &str| class.shards().join(format!("one.{ending}"));
    fs::rename(file("db"), file("taking")).unwrap();
    // Meanwhile the machine went on, and another was cut off while it published.
    graded(&class, "two", &[("b", "passed")]);
    for (name, age) in [("old.part", 7200), ("new.part", 0)] {
        let path = class.shards().join(name);
        File::create(path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
    assert_eq!(take_in(&class, &store).unwrap().databases, 2);
    assert_eq!(verdicts(&store), pairs(&[("a", "one"), ("b", "two")]));
    assert_eq!(published(&class), ["new.part"]);
}

#[test]
fn verdicts_that_cannot_be_published_are_kept() {
    let (_room, class, store) = class();
    let (mut outpost, here) = machine(&class, "one");
    fs::remove_dir(class.shards()).unwrap();
    fs::write(class.shards(), "in the way").unwrap();
    here.keep(&[verdict("a", "passed", "one")]).unwrap();
    outpost.publish_if_due("one");
    let message = outpost.publish("one").unwrap_err().to_string();
    let kept = message.split_whitespace().find(|word| word.ends_with("published.db")).unwrap();
    let kept = PathBuf::from(kept);
    fs::remove_file(class.shards()).unwrap();
    fs::create_dir(class.shards()).unwrap();
    fs::rename(&kept, class.shards().join("by hand.db")).unwrap();
    assert_eq!(take_in(&class, &store).unwrap().new, 1);
    drop(here);
    // A machine that could not publish does not begin.
    fs::remove_dir(class.shards()).unwrap();
    fs::write(class.shards(), "in the way").unwrap();
    let message = Outpost::open(&class).unwrap_err().to_string();
    assert!(message.starts_with(&class.shards().display().to_string()), "{message}");
    fs::remove_dir_all(kept.parent().unwrap()).unwrap();
}
