//! Classes as users see them: a run grades what is missing, whatever happened to the runs before it.

mod chosen;
#[cfg(target_os = "linux")]
mod crashes;
mod edited;
mod first;
mod forms;
#[cfg(unix)]
mod killed;
#[cfg(unix)]
mod sent;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(unix)]
mod waiting;

use crate::running::{Run, assert_says, folder, keur_command, run, unwrapped, write_files};
use keur::class::{Access, ClassFolder, Store};
use rusqlite::Connection;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// An exercise about a class that counts.
pub(crate) const EXERCISE: &str = r#"
title = "Counters"
session = "python"

[files]
python = ["counter.py"]

[class.Counter]
new = ["start?"]
methods = { count_up = ["by?"], value = [] }
"#;

const STARTS: &str = r#"
title = "It starts where it is told"
points = 2

[[step]]
do = "Counter(7).value()"
returns = 7
"#;

const COUNTS: &str = r#"
title = "It counts"
points = 3

[[step]]
do = "c = Counter(1)"

[[step]]
do = "c.count_up(by=2)"

[[step]]
do = "c.value()"
returns = 3
"#;

const RIGHT: &str = "class Counter:
    def __init__(self, start=0):
        self.start = start

    def count_up(self, by=1):
        self.start += by

    def value(self):
        return self.start
";

/// A class in a folder of its own, and the download that it was made of.
struct Class {
    home: TempDir,
}

impl Class {
    /// A class of these submissions, taken in and not yet graded.
    fn of(submissions: &[(&str, String)]) -> Class {
        let home = folder(&[
            ("cases/counters/exercise.toml", EXERCISE),
            ("cases/counters/starts.toml", STARTS),
            ("cases/counters/counts.toml", COUNTS),
        ]);
        let class = Class { home };
        for (index, (name, text)) in submissions.iter().enumerate() {
            let path = format!("download/{name}_{}_assignsubmission_file_/counter.py", 1000 + index);
            write_files(class.home.path(), &[(&path, text)]);
        }
        let made = class.keur(&["init", "class", "--each", "download", "--cases", "cases"]);
        assert_eq!(made.code, 0, "{made:?}");
        class
    }

    /// A class of four: two who handed in the same, one who counts wrongly, and one whose file does not load.
    fn small() -> Class {
        Class::of(&[
            ("An", RIGHT.to_owned()),
            ("Bo", RIGHT.to_owned()),
            ("Cem", RIGHT.replace("+= by", "+= 1")),
            ("Dee", "class Counter(:\n".to_owned()),
        ])
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = keur_command(&["class"]);
        command.args(args).current_dir(self.home.path());
        command
    }

    fn keur(&self, args: &[&str]) -> Run {
        run(&mut self.command(args))
    }

    /// Starts a run, and leaves it running.
    fn start(&self) -> Child {
        let mut command = self.command(&["run", "class", "--jobs", "2"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The output of a run, which must exit with `code`, with white space joined.
    #[track_caller]
    fn run(&self, args: &[&str], code: i32) -> String {
        let run = self.keur(&[&["run", "class"], args].concat());
        let said = unwrapped(&run.all());
        assert_eq!(run.code, code, "{said}");
        said
    }

    /// The report in JSON.
    fn report(&self) -> String {
        let run = self.keur(&["report", "class", "--format", "json"]);
        assert!(run.code < 2, "{run:?}");
        run.out
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join("class").join(name)
    }

    fn database(&self) -> Connection {
        Connection::open(self.path("class.db")).unwrap()
    }

    /// Changes rows as keur could have written them.
    fn change(&self, sql: &str) {
        self.database().execute_batch(sql).unwrap();
        let folder = ClassFolder::open(&self.home.path().join("class")).unwrap();
        Store::open(&folder, Access::Write).unwrap().seal().unwrap();
    }

    /// The verdicts as far as they do not depend on time.
    fn verdicts(&self) -> BTreeSet<(String, String, String)> {
        verdicts(&self.path("class.db"))
    }

    fn replace(&self, case: &str, from: &str, to: &str) {
        let path = self.path("cases/counters").join(case);
        let text = fs::read_to_string(&path).unwrap();
        assert_says(&text, from);
        fs::write(&path, text.replace(from, to)).unwrap();
    }
}

/// The verdicts in a database: of which files, by which case, and what.
fn verdicts(path: &Path) -> BTreeSet<(String, String, String)> {
    let database = Connection::open(path).unwrap();
    let mut query = database.prepare(r#"SELECT files, "case", verdict FROM verdict"#).unwrap();
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(|row| row.unwrap()).collect()
}

#[test]
fn a_run_grades_what_is_missing_and_nothing_twice() {
    let class = Class::small();
    assert_eq!(
        class.run(&[], 0),
        "4 submissions, 1 the same as another: 6 cases to grade graded 6 cases of 3 submissions"
    );
    assert_eq!(class.run(&[], 0), "4 submissions, 1 the same as another: all graded");
    // A changed title, weight, hint or order is no reason to grade again.
    class.replace("counts.toml", "points = 3", "points = 30\nhint = \"Add by.\"\norder = 1");
    class.replace("counts.toml", "It counts", "It counts up");
    assert!(class.run(&[], 0).contains("all graded"));
    // A mended case is, alone.
    class.replace("counts.toml", "returns = 3", "returns = 4");
    assert!(class.run(&[], 0).ends_with("3 cases to grade, 3 are known graded 3 cases of 3 submissions"));
    // What was known before is known again, but for what passed quickly together with a case that was graded
    // strictly since.
    class.replace("counts.toml", "returns = 4", "returns = 3");
    assert!(class.run(&[], 0).ends_with("1 case to grade, 5 are known graded 1 case of 1 submission"));
    assert!(class.run(&[], 0).contains("all graded"));
}

#[test]
fn a_submission_in_a_language_that_nothing_here_grades_stops_no_other() {
    let class = Class::small();
    let folder = class.home.path().join("download/Eva_2000_assignsubmission_file_");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("counter.js"), "class Counter {}\n").unwrap();
    let nowhere = ["--node", "/nowhere"];
    let more = class.keur(&[&["init", "class", "--each", "download"], &nowhere[..]].concat());
    assert_eq!(more.code, 0, "{more:?}");
    let said = class.run(&nowhere, 1);
    assert_says(&said, "graded 6 cases of 3 submissions");
    assert_says(&said, "not graded: Eva: the exercise does not ask for javascript");
    assert!(class.run(&nowhere, 1).contains("all graded"));
    // Where it can be graded, it is.
    assert!(class.run(&[], 0).ends_with("graded 2 cases of 1 submission"));
    // What the exercise asks for must be there.
    class.run(&["--python", "/nowhere"], 4);
}

#[test]
fn a_case_that_needs_a_failed_one_is_said_not_to_be_run() {
    let class = Class::small();
    class.replace("counts.toml", "returns = 3", "returns = 5");
    class.replace("starts.toml", "points = 2", "points = 2\nneeds = [\"counts\"]");
    let not_run = "3 are not run: they need a case that failed, or come after a limit";
    let said = class.run(&[], 0);
    assert!(said.ends_with(&format!("graded 3 cases of 3 submissions; {not_run}")), "{said}");
    assert!(class.run(&[], 0).contains("all graded"));
}

/// Whether a needed case was right is no reason to ask a case again: its second run would tell the
/// submission.
#[test]
fn a_case_that_needs_a_failed_one_is_run_once_and_counts_when_that_passes() {
    let class = Class::small();
    class.replace("counts.toml", "returns = 3", "returns = 5");
    class.replace("starts.toml", "points = 2", "points = 2\nneeds = [\"counts\"]");
    class.run(&[], 0);
    let late = "title = \"It starts at 20\"\n[[step]]\ndo = \"Counter(20).value()\"\nreturns = 20\n";
    fs::write(class.path("cases/counters/late.toml"), late).unwrap();
    assert!(class.run(&[], 0).ends_with("graded 3 cases of 3 submissions"));
    class.replace("counts.toml", "returns = 5", "returns = 3");
    // Nothing is run again: the verdict of the needing case is there, and counts for the one who counts
    // right.
    let said = class.run(&[], 0);
    assert_says(&said, ": 3 cases to grade, 6 are known");
    assert!(class.run(&[], 0).ends_with(": all graded"));
}

#[test]
fn a_new_contract_reads_the_submissions_again() {
    let class = Class::small();
    let read_with = || {
        let database = class.database();
        let mut query = database.prepare("SELECT DISTINCT read_with FROM submission").unwrap();
        let rows = query.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(|row| row.unwrap()).collect::<Vec<_>>()
    };
    let before = read_with();
    class.replace("exercise.toml", "counter.py", "count.py");
    assert!(class.run(&[], 0).contains("graded 6 cases of 3 submissions"));
    let after = read_with();
    assert_eq!(after.len(), 1);
    assert_ne!(after, before);
}

#[test]
fn a_machine_that_grades_otherwise_is_refused_until_it_is_to_grade_all() {
    let class = Class::small();
    class.run(&[], 0);
    let older = "UPDATE judge SET key = 'other', parts = json_set(parts, '$.version', '3.2.1')";
    class.change(older);
    let said = class.run(&[], 4);
    assert_says(&said, "this machine grades Python otherwise than the class was begun: version: 3.");
    assert_says(&said, "here, 3.2.1 in the class");
    assert_says(&said, "keur class run CLASS --new-judge");
    assert!(class.run(&["--new-judge"], 0).contains("all graded"), "its verdicts were kept");
    assert!(class.run(&[], 0).contains("all graded"));
}

#[test]
fn another_build_of_the_same_version_is_another_judge() {
    let class = Class::small();
    class.run(&[], 0);
    class.change("UPDATE judge SET key = 'other', parts = json_set(parts, '$.interpreter', 'of yesterday')");
    let said = class.run(&[], 4);
    assert_says(&said, "interpreter: 3.");
    assert!(said.contains("(digest ") && said.contains("here, of yesterday in the class"), "{said}");
}

#[test]
fn a_case_that_was_graded_less_often_is_graded_again() {
    let class = Class::small();
    class.run(&[], 0);
    assert!(class.run(&["--repeat", "3"], 0).contains("graded 6 cases of 3 submissions"));
    let gradings = "SELECT min(gradings), max(gradings) FROM verdict";
    let found = class.database().query_row(gradings, [], |row| Ok((row.get(0)?, row.get(1)?)));
    assert_eq!(found.unwrap(), (3, 3));
    for enough in ["1", "2", "3"] {
        assert!(class.run(&["--repeat", enough], 0).contains("all graded"));
    }
}

#[test]
fn a_student_who_handed_in_nothing_is_not_graded_again() {
    let class = Class::small();
    let roster = "Identifier,Full name\nParticipant 1000,An\nParticipant 2000,Emma\nParticipant 2001,Finn\n";
    fs::write(class.home.path().join("roster.csv"), roster).unwrap();
    let init = class.keur(&["init", "class", "--each", "download", "--roster", "roster.csv"]);
    assert_eq!(init.code, 0, "{init:?}");
    let said = class.run(&["--again", "An", "2000", "Finn"], 2);
    assert_says(&said, "error: class: Emma, Finn handed in nothing, so there is nothing to grade again");
    assert!(class.verdicts().is_empty());
    assert!(class.run(&["--again", "An"], 0).contains("graded 6 cases"));
}

#[test]
fn damaged_verdicts_are_named_and_graded_again() {
    let class = Class::small();
    class.run(&[], 0);
    let before = class.verdicts();
    let change = "UPDATE verdict SET share = 0.25 WHERE verdict = 'passed' AND files IN (SELECT files FROM submission WHERE student = 'An')";
    class.database().execute_batch(change).unwrap();
    let report = class.keur(&["report", "class"]);
    let said = report.err;
    assert_eq!(report.code, 4, "{said}");
    assert_says(&said, "damaged: a row of An and 1 more in the table verdict was changed");
    assert_says(&said, "`keur class run class` grades again what is damaged");
    let said = class.run(&[], 0);
    assert_says(&said, "class.db is damaged: verdicts of An, Bo were lost");
    assert_says(&said, "graded 2 cases of 1 submission");
    assert_eq!(class.verdicts(), before);
}

#[test]
fn other_limits_are_another_judge_and_are_shown_as_they_are_set() {
    let class = Class::small();
    class.run(&[], 0);
    let path = class.path("class.toml");
    let text = fs::read_to_string(&path).unwrap().replace("# wall = \"5s\"", "wall = \"7s\"");
    fs::write(&path, text.replace("# memory = \"256MB\"", "memory = \"300MB\"")).unwrap();
    let said = class.run(&[], 4);
    assert_says(&said, "limits: wall = \"7s\", memory = \"300MB\" here, none in the class");
}

#[test]
fn a_large_file_that_is_no_source_is_named() {
    let class = Class::small();
    let folder = class.home.path().join("download/Eva_2000_assignsubmission_file_");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("counter.py"), RIGHT).unwrap();
    fs::write(folder.join("data.txt"), vec![b'1'; 1_100_000]).unwrap();
    let more = class.keur(&["init", "class", "--each", "download"]);
    let said = more.out;
    assert_says(&said, "1 handed in files that are skipped, and the report names them: Eva");
    class.run(&[], 0);
    let report: Value = serde_json::from_str(&class.report()).unwrap();
    let eva = report["submissions"].as_array().unwrap().iter().find(|entry| entry["name"] == "Eva").unwrap();
    assert!(eva["warnings"].to_string().contains("data.txt is too large"), "{eva}");
}

#[test]
fn a_damaged_or_lost_row_of_any_table_ends_a_run_and_a_report() {
    let class = Class::small();
    class.run(&[], 0);
    let set = class.keur(&["set", "points", "class", "Bo", "4", "--why", "oral"]);
    assert_eq!(set.code, 0, "{set:?}");
    let conflict =
        "INSERT INTO conflict SELECT files, \"case\", judge, attempt, verdict, attempt, 'raised', attempt, 0
                    FROM verdict WHERE files IN (SELECT files FROM submission WHERE student = 'Cem') LIMIT 1";
    class.change(conflict);
    let (report, whole) = (class.report(), fs::read(class.path("class.db")).unwrap());
    for (change, said) in [
        ("UPDATE by_hand SET points = 400000", "a row of Bo in the table by_hand was changed"),
        ("DELETE FROM by_hand", "a row in the table by_hand was lost"),
        (
            "UPDATE student SET email = 'x' WHERE name = 'Cem'",
            "a row of Cem in the table student was changed",
        ),
        ("UPDATE conflict SET settled = NULL", "a row of Cem in the table conflict was changed"),
        ("DELETE FROM conflict", "a row in the table conflict was lost"),
        ("UPDATE attempt SET host = 'x'", "in the table attempt was changed"),
    ] {
        class.database().execute_batch(change).unwrap();
        let told = class.run(&[], 4);
        assert!(told.contains(said) && told.contains("keur class backup"), "{change}: {told}");
        let told = class.run(&["--shard", "1/2"], 4);
        assert!(told.contains(said) && told.contains("`keur class report class`"), "{change}: {told}");
        let told = class.keur(&["report", "class"]);
        assert_eq!(told.code, 4, "{change}: {told:?}");
        assert!(told.err.contains(said), "{change}: {told:?}");
        fs::write(class.path("class.db"), &whole).unwrap();
    }
    // What the class has in its folder is written again.
    class.database().execute_batch("UPDATE cases SET points = 7").unwrap();
    let told = class.keur(&["report", "class"]);
    let told = told.err;
    assert_says(&told, "`keur class run class` writes the rows of the cases again");
    assert!(class.run(&[], 0).contains("all graded"));
    assert!(class.report() == report, "the report differs");
}

#[test]
fn two_gradings_that_differ_are_settled_by_a_run() {
    let class = Class::small();
    class.run(&[], 0);
    let before = class.verdicts();
    let database = class.database();
    class.change(
        "INSERT INTO conflict SELECT files, \"case\", judge, 'one', verdict, 'other', 'time limit', NULL, 0
         FROM verdict LIMIT 1;
         DELETE FROM verdict WHERE (files, \"case\") IN (SELECT files, \"case\" FROM conflict);",
    );
    assert!(class.run(&[], 0).ends_with("1 case to grade, 5 are known graded 1 case of 1 submission"));
    assert_eq!(class.verdicts(), before);
    let settled = "SELECT settled = attempt FROM conflict JOIN verdict USING (files, \"case\", judge)";
    assert!(database.query_row(settled, [], |row| row.get::<_, bool>(0)).unwrap());
}

#[test]
fn a_bad_shard_stays_and_holds_up_neither_reports_nor_other_shards() {
    let class = Class::small();
    // Each of three shards of two has the submissions of one, both of one, or nothing.
    for shard in ["1/3", "2/3", "3/3"] {
        class.run(&["--shard", shard], 0);
    }
    let shards = || -> Vec<PathBuf> {
        let entries = fs::read_dir(class.path("shards")).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let bad = shards()[0].clone();
    let others: usize = shards()[1..].iter().map(|path| verdicts(path).len()).sum();
    let database = Connection::open(&bad).unwrap();
    database.execute("UPDATE verdict SET verdict = 'splendid'", []).unwrap();
    drop(database);
    for _ in 0..2 {
        let report = class.keur(&["report", "class"]);
        let said = report.err;
        assert_eq!(report.code, 1, "{said}");
        let name = bad.file_name().unwrap().to_str().unwrap();
        assert!(said.contains("warning: not taken in: class/shards") && said.contains(name), "{said}");
        assert_says(&said, "delete it, and `keur class run class` grades what is then missing");
        assert!(!said.contains(".recover"), "{said}");
        assert_eq!(shards(), std::slice::from_ref(&bad));
        assert_eq!(class.verdicts().len(), others);
    }
    // A run grades the rest, and says the same until the file is gone.
    assert!(class.run(&[], 1).contains("not taken in: class/shards"));
    fs::remove_file(bad).unwrap();
    assert!(class.run(&[], 0).contains("all graded"));
    assert_eq!(class.verdicts().len(), 6);
}

#[test]
fn a_class_that_cannot_be_used_says_why() {
    let class = Class::small();
    let said = class.keur(&["run", "download"]);
    let text = said.err;
    assert!(said.code == 2 && text.contains("download: is not a class"), "{text}");
    assert!(!class.home.path().join("download/class.lock").exists());
    fs::write(class.home.path().join("roster.csv"), "name\nAn\n").unwrap();
    for args in [
        &["report", "roster.csv"][..],
        &["run", "roster.csv"],
        &["run", "roster.csv", "--shard", "1/2"],
        &["init", "roster.csv", "--each", "download"],
        &["set", "points", "roster.csv", "An", "--clear"],
        &["backup", "roster.csv", "copy.db"],
        &["verify", "roster.csv"],
    ] {
        let said = class.keur(args);
        let text = said.err;
        let is_file = "roster.csv: is a file, and a class is a folder, which `keur class init";
        assert!(said.code == 2 && text.contains(is_file), "{args:?}: {text}");
    }
    let whole = fs::read(class.path("class.db")).unwrap();
    let half = &whole[..whole.len() / 2];
    fs::write(class.path("class.db"), half).unwrap();
    let said = class.run(&[], 4);
    assert_says(&said, "class/class.db: the database is cut off after");
    assert_eq!(fs::read(class.path("class.db")).unwrap(), half, "it is left as it is");
    // A shard works on a copy, which is gone by then.
    let said = class.run(&["--shard", "1/2"], 4);
    assert!(
        said.contains("class/class.db: cannot be graded in shards") && !said.contains(".recover"),
        "{said}"
    );
}

#[test]
fn a_folder_that_is_gone_for_a_while_costs_no_grade() {
    let class = Class::small();
    class.run(&[], 0);
    let (cem, away) = (class.path("submissions/Cem#1"), class.home.path().join("away"));
    fs::rename(&cem, &away).unwrap();
    let verdicts = class.verdicts();
    let said = class.run(&[], 4);
    assert_says(&said, "all graded error: the folders of Cem in class/submissions are gone");
    let said = class.run(&["--again", "Cem"], 4);
    assert_says(&said, "not graded: Cem: class/submissions/Cem#1: was removed");
    assert_eq!(class.verdicts(), verdicts, "what is stored stays until there is something better");
    class.replace("exercise.toml", "python = [\"counter.py\"]", "python = [\"counter.py\", \"more.py\"]");
    class.run(&[], 4);
    fs::rename(&away, &cem).unwrap();
    assert!(class.run(&[], 0).contains("graded 2 cases of 1 submission"));
}

#[test]
fn a_download_is_not_taken_in_where_the_class_cannot_be_graded() {
    let class = Class::small();
    let folder = class.home.path().join("download/Eva_2000_assignsubmission_file_");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("counter.py"), RIGHT.replace("self", "this")).unwrap();
    let init = ["init", "class", "--each", "download"];
    assert_eq!(class.keur(&[&init[..], &["--python", "/nowhere"]].concat()).code, 4);
    let taken = class.keur(&init);
    let said = taken.out;
    assert!(taken.code == 0 && said.contains("1 new"), "{said}");
}

#[test]
fn a_submission_that_is_removed_is_not_graded_until_it_is_back() {
    let class = Class::small();
    let (an, cem) = (class.path("submissions/An#1"), class.path("submissions/Cem#1"));
    fs::remove_dir_all(&an).unwrap();
    fs::remove_file(cem.join("counter.py")).unwrap();
    let said = class.run(&[], 4);
    for part in [
        "not graded: An, Bo: class/submissions/An#1: was removed; put it back, or give the download",
        "not graded: Cem: class/submissions/Cem#1: was removed; put it back, or give the download",
    ] {
        assert_says(&said, part);
    }
    // Nothing is stored of them, not that there is nothing to grade either.
    assert_eq!(class.verdicts().len(), 2);
    let init = class.keur(&["init", "class", "--each", "download"]);
    assert_eq!(init.code, 0, "{init:?}");
    class.run(&[], 0);
    assert_eq!(class.verdicts().len(), 6);
}

#[test]
fn a_backup_is_new_sound_and_brings_the_class_back() {
    let class = Class::small();
    class.run(&[], 0);
    let (before, report) = (class.verdicts(), class.report());
    let backup = |name: &str, code: i32| -> String {
        let output = class.keur(&["backup", "class", name]);
        assert_eq!(output.code, code, "{output:?}");
        output.all()
    };
    assert_eq!(backup("good.db", 0), "good.db: the database of class, 4 students\n");
    assert!(backup("good.db", 2).contains("exists already"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(class.path("class.db"), fs::Permissions::from_mode(0o640)).unwrap();
        backup("private.db", 0);
        let private = class.home.path().join("private.db");
        let mode = fs::metadata(&private).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & !0o640, 0, "{mode:o}");
        fs::remove_file(private).unwrap();
    }
    class.database().execute_batch("UPDATE student SET number = '7' WHERE name = 'An'").unwrap();
    let said = backup("bad.db", 4);
    assert_says(&said, "damaged: a row of An in the table student was changed");
    let names = fs::read_dir(class.home.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["cases", "class", "download", "good.db"]);
    fs::copy(class.home.path().join("good.db"), class.path("class.db")).unwrap();
    assert_eq!((class.verdicts(), class.report()), (before, report));
}
