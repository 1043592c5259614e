//! Every command that writes, killed at each of its writes: the same command then resumes, and nothing is
//! lost.

use super::trace::{TraceEnd, kill_at_write, run_traced};
use super::{EXERCISE, RIGHT, STARTS};
use crate::required::{Need, not_tested};
use crate::running::{copy_folder, keur_command, root, run};
use keur::class::{
    Access, ClassFolder, ClassJudge, CurrentCase, HandSet, KeptVerdict, Store, StoreError, Student, Taken,
    VerdictKey,
};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use walkdir::WalkDir;

const INIT: &str = "class init class --each download --cases cases";

/// A command, in a folder that is ready for it.
struct Scenario {
    /// The line of arguments.
    line: &'static str,
    /// The files and folders whose content is compared, beside what a class reports.
    written: &'static [&'static str],
    start: TempDir,
}

/// The writes of a command, and those after which a kill lost something.
struct Kills {
    writes: usize,
    problems: Vec<String>,
}

/// The files and rows that a finished command leaves.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    files: BTreeMap<PathBuf, Vec<u8>>,
    class: Option<ClassRows>,
}

/// The rows of a class's database that its reports are made from, without times and the runs that graded.
#[derive(Debug, PartialEq)]
struct ClassRows {
    students: Vec<Student>,
    submissions: Vec<Taken>,
    cases: Vec<CurrentCase>,
    judges: Vec<ClassJudge>,
    set_points: Vec<HandSet>,
    conflicts: Vec<VerdictKey>,
    verdicts: Vec<KeptVerdict>,
}

fn read_class(class: &Path) -> Result<ClassRows, StoreError> {
    let store = Store::open(&ClassFolder::open(class)?, Access::Read)?;
    let mut verdicts = Vec::new();
    store.each_verdict(&mut |row| {
        let outcome = row.outcome.as_deref().map(|outcome| {
            let mut outcome: serde_json::Value = serde_json::from_str(outcome).unwrap();
            outcome.as_object_mut().unwrap().remove("spent");
            outcome.to_string()
        });
        verdicts.push(KeptVerdict { attempt: String::new(), outcome, ..row });
        Ok::<_, StoreError>(())
    })?;
    Ok(ClassRows {
        students: store.students()?,
        submissions: store.taken()?,
        cases: store.cases()?,
        judges: store.judges()?,
        set_points: store.by_hand()?.into_iter().map(|row| HandSet { at: 0, ..row }).collect(),
        conflicts: store.conflicts()?.into_iter().map(|row| row.key).collect(),
        verdicts,
    })
}

impl Scenario {
    /// A scenario in a folder with an exercise, a download of two, and a class that was made by these lines.
    fn after(earlier: &[&str], line: &'static str, written: &'static [&'static str]) -> Scenario {
        let scenario = Scenario { line, written, start: tempfile::tempdir().unwrap() };
        let home = scenario.start.path();
        let write = |path: &str, text: &str| {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("cases/counters/exercise.toml", EXERCISE);
        write("cases/counters/starts.toml", STARTS);
        write("own/exercise.toml", &format!("reference = {{ python = \"counter.py\" }}\n{EXERCISE}"));
        write("own/counter.py", RIGHT);
        write("own/unfilled.toml", "title = \"It starts\"\n\n[[step]]\ndo = \"Counter(3).value()\"\n");
        for (number, text) in [(1, RIGHT.to_owned()), (2, RIGHT.replace("self.start", "0"))] {
            write(&format!("download/Student {number}_{number}_assignsubmission_file_/counter.py"), &text);
        }
        write("again/Student 1_1_assignsubmission_file_/counter.py", &RIGHT.replace("self.start", "1"));
        for (name, text) in [("a", RIGHT), ("b", "class Counter: pass\n")] {
            write(&format!("two/Student 1_1_assignsubmission_file_/counter_{name}.py"), text);
        }
        write("again/Student 3_3_assignsubmission_file_/counter.py", RIGHT);
        for line in earlier {
            let run = run(&mut scenario.command(home, line));
            assert!(run.code < 2, "{line}: {run:?}");
        }
        scenario
    }

    /// A scenario with a class that an earlier keur made.
    fn of_earlier_class(line: &'static str, written: &'static [&'static str]) -> Scenario {
        let start = tempfile::tempdir().unwrap();
        copy_folder(&root().join("fixtures/compatibility/before-0.1/class"), &start.path().join("class"));
        Scenario { line, written, start }
    }

    fn command(&self, home: &Path, line: &str) -> Command {
        let mut command = keur_command(&line.split(' ').collect::<Vec<_>>());
        // `fill` refuses to write where this says that no person is there.
        command.current_dir(home).env_remove("CI");
        command
    }

    fn copy(&self) -> TempDir {
        let copy = tempfile::tempdir().unwrap();
        copy_folder(self.start.path(), copy.path());
        copy
    }

    fn outcome(&self, home: &Path) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let of_class = ["class/class.toml", "class/cases", "class/submissions"];
        for written in self.written.iter().chain(&of_class).filter(|written| home.join(written).exists()) {
            for entry in WalkDir::new(home.join(written)) {
                let entry = entry.unwrap();
                // A killed process cannot take away what it had begun to write.
                let is_begun = entry.file_name().to_string_lossy().starts_with(".keur-");
                if entry.file_type().is_file() && !is_begun {
                    let path = entry.path().strip_prefix(home).unwrap().to_owned();
                    outcome.files.insert(path, fs::read(entry.path()).unwrap());
                }
            }
        }
        let class = home.join("class");
        if class.exists() {
            let rows = read_class(&class).map_err(|error| format!("the class is not read: {error}"))?;
            outcome.class = Some(rows);
        }
        Ok(outcome)
    }

    fn kill_at_each_write(&self) -> Kills {
        let whole = self.copy();
        let end = run_traced(&mut self.command(whole.path(), self.line), whole.path()).unwrap();
        let TraceEnd::Exited { code, writes, stderr } = end else { panic!("{}: {end:?}", self.line) };
        assert!(code < 2, "{}: exits with {code}: {stderr}", self.line);
        assert!(writes > 0, "{}: no write was seen", self.line);
        let expected = self.outcome(whole.path()).unwrap();
        if expected.class.is_some() {
            let report = run(&mut self.command(whole.path(), "class report class --format json"));
            assert!(report.code < 2, "{report:?}");
        }
        let next = AtomicUsize::new(1);
        let problems = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let write = NonZeroUsize::new(next.fetch_add(1, Ordering::Relaxed)).unwrap();
                        if write.get() > writes {
                            break;
                        }
                        if let Err(problem) = self.resume_after_kill(write, code, &expected) {
                            let text =
                                format!("{}, killed at write {write} of {writes}: {problem}", self.line);
                            problems.lock().unwrap().push(text);
                        }
                    }
                });
            }
        });
        Kills { writes, problems: problems.into_inner().unwrap() }
    }

    /// Kills the command at `write` and runs it again, which must exit with `code` and leave `expected`.
    fn resume_after_kill(&self, write: NonZeroUsize, code: i32, expected: &Outcome) -> Result<(), String> {
        let copy = self.copy();
        match kill_at_write(&mut self.command(copy.path(), self.line), copy.path(), write).unwrap() {
            TraceEnd::Killed => {}
            end @ TraceEnd::Exited { .. } => return Err(format!("it was not killed, but {end:?}")),
        }
        let again = run(&mut self.command(copy.path(), self.line));
        // A backup replaces no file, so an existing file is complete.
        let is_there = again.err.contains("exists already");
        if again.code != code && !is_there {
            return Err(format!("then it fails: {again:?}"));
        }
        let outcome = self.outcome(copy.path())?;
        if outcome == *expected { Ok(()) } else { Err("the outcome differs".to_owned()) }
    }
}

#[test]
fn every_command_resumes_after_a_kill_at_any_write() {
    if let Err(error) = run_traced(&mut keur_command(&["--version"]), Path::new(".")) {
        return not_tested(
            Need::Tracing,
            "a kill at each write",
            &format!("no process can be traced: {error}"),
        );
    }
    let graded = [INIT, "class run class"];
    let scenarios = [
        Scenario::after(&[], INIT, &[]),
        Scenario::after(
            &[],
            "class init class --each download --cases cases --title Week --exercise counters",
            &[],
        ),
        Scenario::after(&[INIT], "class init class --each again", &[]),
        Scenario::after(&[INIT], "class run class --jobs 1", &[]),
        Scenario::after(&graded, "class set points class 1 1 --why oral", &[]),
        Scenario::after(
            &graded,
            "class report class --format json=a.json --format csv=b.csv --format html=pages/ --format moodle=c.csv",
            &["a.json", "b.csv", "pages", "c.csv"],
        ),
        Scenario::after(&[INIT], "class run class --shard 2/2 --jobs 1", &[]),
        Scenario::after(
            &[INIT, "class run class --shard 1/2", "class run class --shard 2/2"],
            "class run class",
            &[],
        ),
        Scenario::after(
            &[],
            "grade own/counter.py --cases cases --format json=a.json --format junit=b.xml",
            &["a.json", "b.xml"],
        ),
        Scenario::after(&[], "fill own --write", &["own"]),
        Scenario::after(&[INIT], "class backup class copy.db", &["copy.db"]),
        Scenario::after(&[INIT, "class init class --each two"], "class set file class 1 counter_a.py", &[]),
        Scenario::of_earlier_class("class report class --format json=a.json", &["a.json"]),
    ];
    let mut problems = Vec::new();
    for scenario in &scenarios {
        let kills = scenario.kill_at_each_write();
        println!("killed at each of {} writes: {}", kills.writes, scenario.line);
        problems.extend(kills.problems);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The number of copies of a class's database below a folder.
fn count_copies(folder: &Path) -> usize {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_name() == "class.db").count()
}

#[test]
fn the_copies_of_a_killed_backup_are_removed_by_the_next_run() {
    let scenario = Scenario::after(&[INIT, "class run class"], "class backup class copy.db", &[]);
    fs::create_dir(scenario.start.path().join("scratch")).unwrap();
    let command = |home: &Path, line: &str| {
        let mut command = scenario.command(home, line);
        command.env("TMPDIR", home.join("scratch"));
        command
    };
    let whole = scenario.copy();
    let writes = match run_traced(&mut command(whole.path(), scenario.line), whole.path()) {
        Ok(TraceEnd::Exited { code: 0, writes, .. }) => writes,
        Ok(end) => panic!("{end:?}"),
        Err(error) => {
            let why = format!("no process can be traced: {error}");
            return not_tested(Need::Tracing, "a kill at each write of a backup", &why);
        }
    };
    assert_eq!(count_copies(&whole.path().join("scratch")), 0);
    let mut left = 0;
    for write in (1..=writes).filter_map(NonZeroUsize::new) {
        let copy = scenario.copy();
        let scratch = copy.path().join("scratch");
        let end = kill_at_write(&mut command(copy.path(), scenario.line), copy.path(), write).unwrap();
        assert_eq!(end, TraceEnd::Killed, "at {write} of {writes}");
        left += count_copies(&scratch);
        let run = run(&mut command(copy.path(), "class run class"));
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(count_copies(&scratch), 0, "killed at {write} of {writes}");
    }
    assert!(left > 0, "no kill left a copy");
}
