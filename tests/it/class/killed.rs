//! Runs that are killed, asked to end, or start beside another one.

use super::{Class, RIGHT, verdicts};
use crate::running::{Run, assert_says, unwrapped};
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

/// The number of runs that are killed, one after the other.
const KILLS: u64 = 20;

/// The longest that a run lives before it is killed.
const LONGEST: Duration = Duration::from_millis(500);

/// A class whose submissions wait, so that there is time to disturb a run.
fn slow(students: usize, seconds: &str) -> Class {
    let submissions: Vec<(String, String)> = (0..students)
        .map(|number| {
            let text = RIGHT.replace(
                "return self.start",
                &format!("__import__('time').sleep({seconds})\n        return self.start"),
            );
            let wrong = if number % 2 == 0 { text } else { text.replace("+= by", "+= 1") };
            (format!("Student {number:02}"), format!("# {number}\n{wrong}"))
        })
        .collect();
    let named: Vec<(&str, String)> =
        submissions.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    Class::of(&named)
}

#[test]
fn a_run_that_is_killed_again_and_again_loses_nothing() {
    let class = slow(24, "0.05");
    let undisturbed = tempfile::tempdir().unwrap();
    let copied = undisturbed.path().join("class.db");
    let mut known = BTreeSet::new();
    // The same instants each time: what they hit differs all the same.
    let instants = (1..=KILLS).map(|number| LONGEST.mul_f64((number * 7 % KILLS) as f64 / KILLS as f64));
    fs::copy(class.path("class.db"), &copied).unwrap();
    for instant in instants {
        let mut run = class.start();
        sleep(instant);
        run.kill().unwrap();
        run.wait().unwrap();
        let now = class.verdicts();
        assert!(known.is_subset(&now), "what was stored stays");
        known = now;
    }
    class.run(&[], 0);
    let whole: String = class.database().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok");
    let disturbed = class.report();
    assert_eq!(class.verdicts().len(), 48);
    fs::copy(copied, class.path("class.db")).unwrap();
    class.run(&[], 0);
    assert!(class.report() == disturbed, "the reports differ");
}

#[test]
fn a_run_that_is_asked_to_end_stores_what_it_graded() {
    let class = slow(6, "0.3");
    let run = class.start();
    while verdicts(&class.path("class.db")).is_empty() {
        sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&run), Signal::TERM).unwrap();
    let output = Run::of(run.wait_with_output().unwrap());
    let said = output.err;
    let said = unwrapped(&said);
    assert_eq!(output.code, 4, "{said}");
    assert!(
        said.contains("of 6 submissions not yet graded; what is graded is stored")
            && said.contains("the same command goes on"),
        "{said}"
    );
    let unfinished = "SELECT count(*) FROM attempt WHERE finished IS NULL";
    let database = Connection::open(class.path("class.db")).unwrap();
    assert_eq!(database.query_row(unfinished, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    assert!(class.run(&[], 0).contains("are known"));
}

#[test]
fn a_second_run_of_a_class_names_the_first() {
    let class = slow(2, "2");
    let mut run = class.start();
    let holder = format!("process {} on ", run.id());
    while !fs::read_to_string(class.path("class.lock")).is_ok_and(|text| text.contains(&holder)) {
        sleep(Duration::from_millis(20));
    }
    let said = class.run(&[], 4);
    assert_says(&said, &format!("another keur is working on this class: {holder}"));
    run.kill().unwrap();
    run.wait().unwrap();
}
