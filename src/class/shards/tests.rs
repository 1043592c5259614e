//! Machines that grade, publish and are taken in.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{Outpost, take_in};
use crate::class::{Access, Attempt, ClassFolder, KeptVerdict, Store, StoreError, VerdictKey};
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A class without anything in it.
fn class() -> (TempDir, ClassFolder, Store) {
    let room = tempfile::tempdir().unwrap();
    let class = ClassFolder::at(room.path());
    let store = Store::create(&class).unwrap();
    (room, class, store)
}

/// The verdict of the run `attempt` on the only case of a submission.
fn verdict(files: &str, verdict: &str, attempt: &str) -> KeptVerdict {
    KeptVerdict {
        key: VerdictKey { files: files.to_owned(), case: "case".to_owned(), judge: "judge".to_owned() },
        verdict: verdict.to_owned(),
        share: f64::from(u8::from(verdict == "passed")),
        outcome: None,
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
            shard: Some("1/2".to_owned()),
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
            all.push((one.key.files, one.attempt));
            Ok(())
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
    let alone = Store::open_at(&class.shards().join("one.db"), Access::Immutable).unwrap();
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
    let class = ClassFolder::at(&room.path().join("none"));
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
    let seen = || verdicts(&Store::open_at(&class.shards().join("one.db"), Access::Immutable).unwrap());
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

#[test]
fn what_cannot_be_read_stays_and_is_named_and_the_rest_is_taken_in() {
    let (_room, class, store) = class();
    graded(&class, "one", &[("a", "passed")]);
    fs::write(class.shards().join("another.db"), "no database").unwrap();
    fs::write(class.shards().join("slurm-1.out"), "a log").unwrap();
    graded(&class, "two", &[("b", "passed")]);
    for _ in 0..2 {
        let taken = take_in(&class, &store).unwrap();
        assert_eq!(taken.unreadable.len(), 1);
        let message = taken.unreadable[0].message();
        assert!(message.starts_with(&class.shards().join("another.").display().to_string()), "{message}");
    }
    assert_eq!(verdicts(&store), pairs(&[("a", "one"), ("b", "two")]));
    assert_eq!(published(&class), ["another.taking", "slurm-1.out"]);
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
fn what_cannot_be_published_is_kept() {
    let (_room, class, store) = class();
    let (mut outpost, here) = machine(&class, "one");
    fs::remove_dir(class.shards()).unwrap();
    fs::write(class.shards(), "in the way").unwrap();
    here.keep(&[verdict("a", "passed", "one")]).unwrap();
    outpost.publish_if_due("one");
    let message = outpost.publish("one").unwrap_err().message().to_owned();
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
    let message = Outpost::open(&class).unwrap_err().message().to_owned();
    assert!(message.starts_with(&class.shards().display().to_string()), "{message}");
    fs::remove_dir_all(kept.parent().unwrap()).unwrap();
}
