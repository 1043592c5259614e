//! The way back of a class: its report, what changed, points set by hand, sheets of a platform, feedback, and
//! a signature.

use crate::running::{Run, assert_says, folder, keur_command, run, unwrapped, write_files};
use keur::class::{Access, ClassFolder, Store};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXERCISE: &str = "title = \"Counters\"\nsession = \"python\"\npoints = 20\n\n[files]\npython = [\"counter.py\"]\n\n\
                        [function]\nup = { args = [\"n\"] }\ndown = { args = [\"n\"] }\n";

/// A right program, long enough to be compared with others, and the same with other names.
const RIGHT: &str = "def up(n):\n    return n + 1\n\ndef down(n):\n    return n - 1\n\ndef both(n):\n    total = 0\n    for step in range(n):\n        total = total + up(step) - down(step)\n    return total\n";
const RENAMED: &str = "def up(it):  # one more\n    return it + 1\n\ndef down(it):\n    return it - 1\n\ndef both(it):  # of both\n    whole = 0\n    for one in range(it):\n        whole = whole + up(one) - down(one)\n    return whole\n";

/// The submissions of students; `None` hands in nothing, and an empty text is no program.
const CLASS: [(&str, Option<&str>); 6] = [
    ("An De Smet", Some(RIGHT)),
    ("Bo Jensen", Some("def up(n):\n    return n + 1\n\ndef down(n):\n    return n + 1\n")),
    ("Cas Öst", Some("def up(n):\n    return n + 2\n\ndef down(n):\n    return n - 1\n")),
    ("Dirk", Some(RENAMED)),
    ("Els", Some("")),
    ("Fien", None),
];

struct Class(tempfile::TempDir);

impl Class {
    /// A class from a download of Moodle, graded.
    fn graded() -> Class {
        let class = Class(folder(&[("cases/counters/exercise.toml", EXERCISE)]));
        class.write_case("up", 2);
        class.write_case("down", 0);
        let mut sheet =
            "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (submission)\n".to_owned();
        for (number, (name, text)) in (101..).zip(CLASS) {
            let minute =
                if name == "Dirk" { "4 November 2026, 10:00 AM" } else { "3 November 2026, 10:00 AM" };
            sheet +=
                &format!("Participant {number},{name},{number}@example.org,,10.00,\"Tuesday, {minute}\"\n");
            let Some(text) = text else { continue };
            let file = if text.is_empty() { "essay.txt" } else { "counter.py" };
            let path = format!("download/{name}_{number}_assignsubmission_file_/{file}");
            write_files(class.0.path(), &[(&path, text)]);
        }
        fs::write(class.path("roster.csv"), &sheet).unwrap();
        sheet += "Participant 999,Nobody,,,10.00,-\n";
        fs::write(class.path("grades.csv"), sheet).unwrap();
        let init = ["init", "class", "--each", "download", "--roster", "roster.csv", "--cases", "cases"];
        assert_eq!(class.keur(&init).code, 0);
        assert_eq!(class.keur(&["run", "class"]).code, 0);
        class
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes a case of the course, and of the class if that is made.
    fn write_case(&self, name: &str, expected: i32) {
        let case = format!("title = \"{name}\"\n\n[[step]]\ndo = \"{name}(1)\"\nreturns = {expected}\n");
        let of_class = self.path("class/cases/counters");
        let folder = if of_class.is_dir() { of_class } else { self.path("cases/counters") };
        fs::write(folder.join(format!("{name}.toml")), case).unwrap();
    }

    /// Runs `keur class`; its errors have no line breaks of a terminal.
    fn keur(&self, args: &[&str]) -> Run {
        let run = run(keur_command(&["class"]).args(args).current_dir(self.0.path()));
        Run { err: unwrapped(&run.err), ..run }
    }

    /// The report in JSON, by student.
    fn report(&self) -> impl Fn(&str) -> Value {
        let keur = self.keur(&["report", "class", "--format", "json"]);
        assert_eq!(keur.code, 0, "{}", keur.err);
        let report = keur.json();
        move |name| {
            let submissions = report["submissions"].as_array().unwrap();
            submissions.iter().find(|submission| submission["name"] == name).unwrap().clone()
        }
    }
}

#[test]
fn the_mark_of_a_late_submission_costs_a_day_and_reports_have_the_title() {
    let class = Class(folder(&[
        ("cases/counters/exercise.toml", EXERCISE),
        ("download/lian_101_901_counter.py", RIGHT),
        ("download/libo_LATE_102_902_counter.py", RENAMED),
    ]));
    class.write_case("up", 2);
    assert_eq!(class.keur(&["init", "class", "--each", "download", "--cases", "cases"]).code, 0);
    assert_eq!(class.keur(&["run", "class"]).code, 0);
    let late =
        |of: &dyn Fn(&str) -> Value| (of("libo")["points"].clone(), of("libo")["hand_in"]["late"].clone());
    // Without a rule it is late, and costs nothing.
    let mark = |lost: u32| serde_json::json!({ "seconds": null, "lost": lost });
    assert_eq!(late(&class.report()), (20.into(), mark(0)));
    let settings = class.read("class/class.toml");
    let rule = "\n[late]\ndue = 2026-11-03T12:00:00Z\ngrace = \"1h\"\nper_day = \"10%\"\n";
    fs::write(class.path("class/class.toml"), format!("title = \"Week <1>\"\n{settings}{rule}")).unwrap();
    let of = class.report();
    assert_eq!(late(&of), (18.into(), mark(2)));
    assert!(of("lian")["hand_in"]["late"].is_null());
    let status = "Week <1>: 2 students: 2 graded\n  1 handed in late\n  1 of these marked as late by the platform, without a time";
    let report = class.keur(&["report", "class"]);
    assert!(report.out.starts_with(status) && !report.out.contains("\nWeek <1>"), "{}", report.out);
    let formats = [
        ("html=page.html", "<h1>Week &lt;1&gt;</h1>"),
        ("html=pages/", ""),
        ("json=report.json", "\"title\": \"Week <1>\""),
        ("junit=report.xml", "<testsuites name=\"Week &lt;1&gt;\""),
        ("markdown=report.md", "# Week \\<1\\>\n"),
        ("tap=report.tap", "# Week <1>\n"),
        ("ctrf=report.ctrf", "\"reportName\": \"Week <1>\""),
        ("sarif=report.sarif", "\"text\": \"Week <1>\""),
        ("terminal=report.txt", "Week <1>\n"),
        ("feedback=feedback.zip", ""),
    ];
    let mut args = vec!["report", "class"];
    args.extend(formats.iter().flat_map(|(format, _)| ["--format", *format]));
    assert_eq!(class.keur(&args).code, 0);
    for (format, title) in formats {
        let (_, path) = format.split_once('=').unwrap();
        let text = if title.is_empty() { String::new() } else { class.read(path) };
        assert!(text.contains(title), "{format}: {text}");
    }
    assert!(class.read("pages/index.html").contains("<h1>Week &lt;1&gt;</h1>"));
    assert!(class.read("pages/s-libo.html").contains("← Week &lt;1&gt;"));
    let mut zip = zip::ZipArchive::new(fs::File::open(class.path("feedback.zip")).unwrap()).unwrap();
    let page =
        zip.file_names().map(|name| name.unwrap().into_owned()).find(|name| name.contains("LATE")).unwrap();
    let page = std::io::read_to_string(zip.by_name(&page).unwrap()).unwrap();
    assert!(
        page.contains("Week &lt;1&gt; · Counters") && page.contains("handed in late: 2 of 20 points lost"),
        "{page}"
    );
}

#[test]
fn names_sort_as_the_language_of_the_class_sorts_them() {
    let class = Class(folder(&[("cases/counters/exercise.toml", EXERCISE)]));
    class.write_case("up", 2);
    for name in ["Zoë", "Åse", "Eva", "Ærø", "Émile"] {
        write_files(class.0.path(), &[(&format!("download/{name}/counter.py"), RIGHT)]);
    }
    let init = ["init", "class", "--each", "download", "--cases", "cases", "--lang", "da"];
    assert_eq!(class.keur(&init).code, 0);
    let settings = class.read("class/class.toml");
    for (lang, expected) in [("da", "Émile Eva Zoë Ærø Åse"), ("nl", "Ærø Åse Émile Eva Zoë")] {
        fs::write(class.path("class/class.toml"), settings.replace("\"da\"", &format!("\"{lang}\"")))
            .unwrap();
        for sort in ["given", "name"] {
            let report = class.keur(&["report", "class", "--sort", sort, "--format", "markdown"]).out;
            let names = report.lines().filter_map(|line| line.strip_prefix("- ✗ `")?.split('`').next());
            assert_eq!(
                names.map(str::trim).collect::<Vec<_>>().join(" "),
                expected,
                "{lang}, {sort}: {report}"
            );
        }
    }
}

#[test]
fn names_sort_by_last_name_if_the_roster_has_it() {
    let class = Class(folder(&[("cases/counters/exercise.toml", EXERCISE)]));
    class.write_case("up", 2);
    for name in ["An Willems", "Bo De Smet", "Cem Aerts"] {
        write_files(class.0.path(), &[(&format!("download/{name}/counter.py"), RIGHT)]);
    }
    let names = || {
        let report = class.keur(&["report", "class", "--format", "csv"]).out;
        let names = report.lines().skip(1).filter_map(|line| line.split(',').next());
        names.map(|name| name.trim_matches('"')).collect::<Vec<_>>().join(", ")
    };
    let init = ["init", "class", "--each", "download", "--cases", "cases"];
    assert_eq!(class.keur(&init).code, 0);
    assert_eq!(names(), "An Willems, Bo De Smet, Cem Aerts");
    let roster = "First name,Last name\nAn,Willems\nBo,De Smet\nCem,Aerts\n";
    write_files(class.0.path(), &[("roster.csv", roster)]);
    assert_eq!(class.keur(&["init", "class", "--roster", "roster.csv"]).code, 0);
    assert_eq!(names(), "Cem Aerts, Bo De Smet, An Willems");
}

#[test]
fn a_report_keeps_the_states_apart_and_counts_what_is_late_or_set_by_hand() {
    let class = Class::graded();
    let of = class.report();
    for (name, points) in [("An De Smet", 20), ("Bo Jensen", 10), ("Cas Öst", 10), ("Dirk", 20)] {
        assert_eq!(of(name)["points"], points, "{name}");
    }
    assert_eq!(
        (&of("Els")["error"]["kind"], &of("Fien")["error"]["kind"]),
        (&"nothing".into(), &"absent".into())
    );
    // Late is by the roster or by class.toml, and what an instructor sets is the grade.
    let settings = class.read("class/class.toml");
    let late = "\n[late]\ndue = 2026-11-03T12:00:00Z\nper_day = \"10%\"\n";
    fs::write(class.path("class/class.toml"), settings.clone() + late).unwrap();
    let set = class.keur(&["set", "points", "class", "Participant 103", "12,5", "--why", "oral"]);
    assert_eq!((set.code, set.out.as_str()), (0, "Cas Öst: set to 12.5 points: oral\n"));
    let of = class.report();
    assert_eq!((&of("Dirk")["points"], &of("Dirk")["hand_in"]["earned"]), (&18.into(), &20.into()));
    assert_eq!(of("Dirk")["hand_in"]["late"], serde_json::json!({ "seconds": 79_200, "lost": 2 }));
    assert_eq!((&of("Cas Öst")["points"], &of("Cas Öst")["hand_in"]["earned"]), (&12.5.into(), &10.into()));
    let report = class.keur(&["report", "class"]);
    let status = "class: 6 students: 4 graded, 1 handed in nothing, 1 unreadable\n  1 handed in late\n  1 with points set by hand\n";
    assert!(report.out.starts_with(status), "{}", report.out);
    // Taken back, and refused where it is a slip.
    assert!(class.keur(&["set", "points", "class", "cas öst", "--clear"]).out.contains("are taken back"));
    assert_eq!(class.report()("Cas Öst")["points"], 10);
    for (args, said) in [
        (["Cas", "12", "--why", "x"], "no student of the class is called `Cas`"),
        (["Cas Öst", "25", "--why", "x"], "25 points are more than the highest possible grade, 20"),
        (["Cas Öst", "12", "--why", " "], "--why is empty"),
    ] {
        let set = class.keur(&[["set", "points", "class"].as_slice(), &args].concat());
        assert_eq!(set.code, 2, "{args:?}");
        assert_says(&set.err, said);
    }
    // A name that two have.
    let roster = class.read("roster.csv") + "Participant 107,\"Smet De, An\",a@example.org,,10.00,-\n";
    fs::write(class.path("roster.csv"), roster).unwrap();
    assert_eq!(class.keur(&["init", "class", "--roster", "roster.csv"]).code, 0);
    for args in [["An De Smet", "5", "--why", "x"].as_slice(), &["an de smet", "--clear"]] {
        let set = class.keur(&[["set", "points", "class"].as_slice(), args].concat());
        let choices = "number of one: An De Smet (number 101, 101@example.org); Smet De, An (number 107, a@example.org)";
        assert_eq!(
            (set.code, set.err.replace("or the e-mail address ", "").contains(choices)),
            (2, true),
            "{}",
            set.err
        );
    }
    for (wanted, name) in [("107", "Smet De, An"), ("101@example.org", "An De Smet")] {
        let set = class.keur(&["set", "points", "class", wanted, "5", "--why", "x"]);
        assert_eq!((set.code, set.out), (0, format!("{name}: set to 5 points: x\n")), "{}", set.err);
    }
    // An error in the settings has its place.
    fs::write(class.path("class/class.toml"), settings + &late.replace("10%", "10")).unwrap();
    let wrong = class.keur(&["report", "class"]);
    assert_eq!(wrong.code, 3);
    assert!(
        wrong
            .err
            .contains("`10` is not a percentage from 0% to 100%; write it like `10%` --> class/class.toml:")
    );
}

#[test]
fn a_mended_case_changes_grades_which_is_said_before_they_go_back() {
    let class = Class::graded();
    assert_eq!(class.keur(&["report", "class", "--format", "json=before.json"]).code, 0);
    // The course wanted something else: now Bo is right, and the others are not.
    class.write_case("down", 2);
    let unfinished = class.keur(&["report", "class", "--format", "csv=now.csv"]);
    assert_eq!(unfinished.code, 1);
    assert!(unfinished.err.contains("4 not graded yet") && unfinished.err.contains("keur class run class"));
    let terminal = class.keur(&["report", "class"]).out;
    assert_says(&terminal, "4 submissions are not graded yet");
    // The grades until then are shown as such, and go nowhere.
    let row = terminal.lines().find(|line| line.contains("Bo Jensen")).unwrap();
    assert_says(row, "before a case was changed: 10 of 20 points");
    let json = class.keur(&["report", "class", "--format", "json"]).json();
    let of = json["submissions"].as_array().unwrap().iter().find(|of| of["name"] == "Bo Jensen").unwrap();
    assert_eq!((&of["error"]["earlier"], &of["points"]), (&10.into(), &0.into()));
    let sheet = class.keur(&["report", "class", "--worksheet", "grades.csv"]);
    assert_says(&sheet.err, "grades-graded.csv: 0 grades of grades.csv");
    assert!(!class.read("now.csv").contains(",20,20,"), "who is not graded has no points");
    assert_eq!(class.keur(&["run", "class"]).code, 0);
    let args = [
        "report", "class", "--against", "before.json", "--format", "terminal", "--format",
        "changes=changes.json",
    ];
    let report = class.keur(&args);
    assert_eq!(report.code, 0, "{}", report.err);
    let said = "against before.json: 1 gains, 3 lose, 2 stay the same\n  down: 1 gains, 3 lose\n\n";
    assert_says(&report.out, said);
    assert!(
        report.out.contains("  + Bo Jensen   10 → 20         down: wrong value → passed\n"),
        "{}",
        report.out
    );
    assert!(
        report.out.contains("  − Dirk        20 → 10         down: passed → wrong value\n"),
        "{}",
        report.out
    );
    let changes: Value = serde_json::from_str(&class.read("changes.json")).unwrap();
    assert_eq!((&changes["gain"], &changes["lose"], &changes["same"]), (&1.into(), &3.into(), &2.into()));
    for (args, said) in [
        (["--against", "grades.csv"], "grades.csv: is not a report in JSON"),
        (["--against", "none.json"], "none.json: cannot be read"),
        (["--format", "changes"], "name it with --against"),
    ] {
        let refused = class.keur(&[["report", "class"].as_slice(), &args].concat());
        assert_eq!(refused.code, 2, "{args:?}");
        assert_says(&refused.err, said);
    }
}

#[test]
fn grades_and_feedback_go_back_under_the_names_of_the_platform() {
    let class = Class::graded();
    let stranger = "Participant 998,\"Eve\n::error::\u{1b}[2K\",,,10.00,-\n";
    fs::write(class.path("grades.csv"), class.read("grades.csv") + stranger).unwrap();
    let before = class.read("grades.csv");
    let args = ["report", "class", "--worksheet", "grades.csv", "--format", "feedback=feedback.zip"];
    let report = class.keur(&args);
    assert_eq!(report.code, 0, "{}", report.err);
    assert!(
        report.err.contains("grades-graded.csv: 4 grades of grades.csv scaled from 20 to 10"),
        "{}",
        report.err
    );
    let strangers = "in the sheet, but not in the class: Nobody, Eve␊::error::␛[2K";
    assert_says(&report.err, strangers);
    assert_eq!(class.read("grades.csv"), before, "the platform's own sheet stays");
    let grades = class.read("grades-graded.csv");
    for row in [
        "Participant 101,An De Smet,101@example.org,10,10.00,",
        "Participant 102,Bo Jensen,102@example.org,5,10.00,",
        "Participant 105,Els,105@example.org,,10.00,",
        "Participant 106,Fien,106@example.org,,10.00,",
    ] {
        assert!(grades.contains(row), "{row} is not in {grades}");
    }
    let mut zip = zip::ZipArchive::new(fs::File::open(class.path("feedback.zip")).unwrap()).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let handed_in = (101..).zip(CLASS).filter(|(_, (_, text))| text.is_some());
    let expected: Vec<String> = handed_in
        .map(|(number, (name, _))| format!("{name}_{number}_assignsubmission_file_/feedback.html"))
        .collect();
    assert_eq!(names, expected);
    let page = std::io::read_to_string(zip.by_index(1).unwrap()).unwrap();
    assert!(page.contains("Bo Jensen") && page.contains("return n + 1"), "the page shows the source");
    // Without a sheet, one is written; what is not a sheet is refused before anything is written.
    let fresh = class.keur(&["report", "class", "--format", "moodle"]);
    assert_says(&fresh.out, "\nParticipant 102,Bo Jensen,102@example.org,10,20,\n");
    let refused =
        class.keur(&["report", "class", "--worksheet", "cases/counters/up.toml", "--format", "csv=no.csv"]);
    assert_eq!(refused.code, 2);
    assert_says(&refused.err, "no column has names, numbers or e-mail addresses");
    assert!(!class.path("no.csv").exists());
}

#[test]
fn a_report_is_the_same_wherever_its_class_lies() {
    let class = Class::graded();
    let absolute = class.path("class").display().to_string();
    for format in ["json", "csv", "junit-rich", "sarif", "github", "markdown", "ctrf", "terminal"] {
        let [one, other] =
            ["class", &absolute].map(|path| class.keur(&["report", path, "--format", format]).out);
        // The line above the report for people repeats the path that was given.
        let other = if format == "terminal" { other.replace(&absolute, "class") } else { other };
        assert_eq!(one, other, "{format}");
    }
    assert!(class.report()("Bo Jensen")["path"].as_str().unwrap().starts_with("submissions/"));
}

#[test]
fn a_signed_receipt_shows_what_was_changed_afterwards() {
    if Command::new("ssh-keygen").arg("-?").output().is_err() {
        println!("not tested: ssh-keygen is missing");
        return;
    }
    let class = Class::graded();
    let keygen = ["-q", "-t", "ed25519", "-N", "", "-f", "key"];
    assert!(Command::new("ssh-keygen").current_dir(class.0.path()).args(keygen).status().unwrap().success());
    assert_eq!(class.keur(&["verify", "class"]).code, 2, "nothing is signed yet");
    let signed = class.keur(&["report", "class", "--sign", "key", "--format", "csv=grades-now.csv"]);
    assert_eq!(signed.code, 0, "{}", signed.err);
    // Wherever it lies.
    let copy =
        Command::new("cp").args(["-r", "class", "moved"]).current_dir(class.0.path()).status().unwrap();
    assert!(copy.success());
    let moved = class.keur(&["verify", "moved", "--signer", "key.pub"]);
    assert_eq!(moved.code, 0, "{}{}", moved.out, moved.err);
    let good = class.keur(&["verify", "class", "--signer", "key.pub"]);
    assert_eq!(good.out, "class/receipt.json: signed by key.pub\n6 students: everything is as signed\n");
    assert_eq!(good.code, 0);
    // Values of the database are changed behind keur's back: what the sheets know a student by, and when it
    // was handed in.
    let database = Connection::open(class.path("class/class.db")).unwrap();
    let swap = "UPDATE student SET number = CASE name WHEN 'An De Smet' THEN '102' ELSE '101' END,
                email = CASE name WHEN 'An De Smet' THEN '102@example.org' ELSE '101@example.org' || char(27) || '[2K' END
                WHERE name IN ('An De Smet', 'Bo Jensen');
                UPDATE submission SET handed_in = handed_in - 86400, original = 'x/' WHERE student = 'Dirk'";
    let whole = fs::read(class.path("class/class.db")).unwrap();
    database.execute_batch(swap).unwrap();
    drop(database);
    let damaged = class.keur(&["verify", "class"]);
    assert_eq!(damaged.code, 4);
    assert_says(&damaged.err, "damaged: a row of An De Smet in the table student");
    assert_says(&damaged.err, "`keur class backup`");
    // Who changes them on purpose gives them their checksums.
    let folder = ClassFolder::open(&class.path("class")).unwrap();
    Store::open(&folder, Access::Write).unwrap().seal().unwrap();
    let swapped = class.keur(&["verify", "class"]);
    assert_eq!(swapped.code, 1);
    for said in [
        "  An De Smet: student number: signed with \"101\", now \"102\"\n",
        "  An De Smet: student email: signed with \"101@example.org\", now \"102@example.org\"\n",
        "  Bo Jensen: student number: signed with \"102\", now \"101\"\n",
        "  Bo Jensen: student email: signed with \"102@example.org\", now \"101@example.org\\u{1b}[2K\"\n",
        "  Dirk: submission 1 handed_in: signed with 17",
        "  Dirk: submission 1 original: signed with \"Dirk_104_assignsubmission_file_/\", now \"x/\"\n",
        "6 differences from what was signed\n",
    ] {
        assert!(swapped.out.contains(said), "{said}: {}", swapped.out);
    }
    // A view in place of the one that says which attempt counts needs no row to change.
    let database = Connection::open(class.path("class/class.db")).unwrap();
    database.execute_batch("DROP VIEW latest; CREATE VIEW latest AS SELECT * FROM submission").unwrap();
    drop(database);
    let another = class.keur(&["verify", "class"]);
    assert_eq!(another.code, 4);
    assert_says(&another.err, "it has another view `latest`, which keur did not make");
    fs::write(class.path("class/class.db"), whole).unwrap();
    assert_eq!(class.keur(&["verify", "class"]).code, 0);
    // A link among the cases could lead anywhere.
    #[cfg(unix)]
    {
        let link = class.path("class/cases/counters/more.txt");
        std::os::unix::fs::symlink("up.toml", &link).unwrap();
        let linked = class.keur(&["verify", "class"]);
        assert!(
            linked.err.contains("more.txt: is a link, and keur uses no class with such a thing"),
            "{}",
            linked.err
        );
        assert_eq!(linked.code, 2);
        fs::remove_file(link).unwrap();
    }
    // A submission, a case and a grade are changed.
    let file = class.path("class/submissions/Bo Jensen#1/counter.py");
    let source = fs::read_to_string(&file).unwrap();
    fs::write(&file, source.clone() + "\n").unwrap();
    let refused = class.keur(&["report", "class", "--sign", "key", "--format", "csv=grades-now.csv"]);
    assert_says(&refused.err, "the files of Bo Jensen are not those that were graded");
    assert_eq!(refused.code, 1);
    assert_eq!(class.keur(&["set", "points", "class", "An De Smet", "19", "--why", "oral"]).code, 0);
    fs::write(class.path("class/cases/counters/note.txt"), "").unwrap();
    let differs = class.keur(&["verify", "class"]);
    assert_eq!(differs.code, 1);
    for said in [
        "  cases: not as signed\n",
        "  An De Smet: signed with 20/20, now 19/20\n",
        "  Bo Jensen: other files than signed\n",
    ] {
        assert_says(&differs.out, said);
    }
    // So is the receipt itself.
    let receipt = class.read("class/receipt.json").replace("20/20", "19/20");
    fs::write(class.path("class/receipt.json"), receipt).unwrap();
    let forged = class.keur(&["verify", "class"]);
    assert_says(&forged.out, "the signature is not good");
    assert_eq!(forged.code, 1);
    assert!(Path::new(&class.path("class/receipt.json.sig")).exists());
}
