//! Files that are chosen: where several may be meant, and instead of one that was found.

use super::{Class, RIGHT};
use crate::running::{assert_says, unwrapped};
use serde_json::Value;
use std::fs;

/// The output of a command, which must exit with `code`, with white space joined.
#[track_caller]
pub(super) fn said(class: &Class, args: &[&str], code: i32) -> String {
    let output = class.keur(args);
    let text = output.all();
    assert_eq!(output.code, code, "{args:?}: {text}");
    unwrapped(&text)
}

/// The points of a student, or why there are none.
fn grade(class: &Class, name: &str) -> String {
    let report: Value = serde_json::from_str(&class.report()).unwrap();
    let of = |submission: &&Value| submission["name"] == name;
    let found = report["submissions"].as_array().unwrap().iter().find(of).unwrap();
    let error = found["error"]["message"].as_str();
    error.map_or_else(|| found["points"].to_string(), str::to_owned)
}

/// Puts a download of An's files beside the class.
pub(super) fn hand_in(class: &Class, download: &str, files: &[(&str, &str)]) {
    let folder = class.home.path().join(download).join("An_1000_assignsubmission_file_");
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a_file_that_is_chosen_is_graded_until_another_one_is_handed_in() {
    let class = Class::small();
    let halved = RIGHT.replace("+= by", "+= 1");
    let two = [("counter_v1.py", halved.as_str()), ("counter_final.py", RIGHT)];
    hand_in(&class, "two", &two);
    let init = said(&class, &["init", "class", "--each", "two"], 0);
    assert_says(&init, "1 of these cannot be read since several files may be meant");
    class.run(&[], 0);
    // No number is in any report or sheet, and each that has a reason has the names.
    let both = "counter_final.py, counter_v1.py";
    assert!(grade(&class, "An").contains(both), "{}", grade(&class, "An"));
    let report = said(&class, &["report", "class", "--findings", "all"], 0);
    assert!(report.contains(both) && report.contains("`keur class set file class STUDENT FILE`"), "{report}");
    for format in ["csv", "junit", "markdown", "html", "github", "tap"] {
        let text = said(&class, &["report", "class", "--format", format], 0);
        assert!(text.contains(both), "{format}: {text}");
    }
    let sheet = said(&class, &["report", "class", "--format", "moodle"], 0);
    assert!(
        sheet.contains("Participant 1001,Bo,,5,") && !sheet.contains("Participant 1000,An,,0"),
        "{sheet}"
    );
    // One of them is chosen, and another.
    for (file, why) in [("counter.py", both), ("../../An#1/counter.py", both), ("", both)] {
        let refused = said(&class, &["set", "file", "class", "An", file], 2);
        assert_says(&refused, &format!("which of these: {why}"));
    }
    let refused = said(&class, &["set", "file", "class", "Bo", "counter_v1.py"], 2);
    assert_says(&refused, "which of these: counter.py");
    for (file, points) in [("counter_v1.py", "2"), ("counter_final.py", "5"), ("counter_v1.py", "2")] {
        said(&class, &["set", "file", "class", "1000", file], 0);
        class.run(&[], 0);
        assert_eq!(grade(&class, "An"), points, "{file}");
    }
    // It stays when the same is given again, and as long as there is such a file.
    assert!(said(&class, &["init", "class", "--each", "two"], 0).contains("1 submission known already"));
    assert_eq!(grade(&class, "An"), "2");
    hand_in(&class, "three", &[two[0], two[1], ("counter_v3.py", RIGHT)]);
    said(&class, &["init", "class", "--each", "three"], 0);
    class.run(&[], 0);
    assert_eq!(grade(&class, "An"), "2");
    hand_in(&class, "others", &[("counter_v4.py", RIGHT), ("counter_v5.py", RIGHT)]);
    let init = said(&class, &["init", "class", "--each", "others"], 0);
    assert_says(&init, "1 lost the file that was chosen");
    assert!(grade(&class, "An").contains("counter_v4.py, counter_v5.py"));
    // With the files of before, the choice of before is back.
    said(&class, &["init", "class", "--each", "two"], 0);
    assert_eq!(grade(&class, "An"), "2");
    assert!(said(&class, &["set", "file", "class", "An", "--clear"], 0).contains("no longer counts"));
    assert!(grade(&class, "An").contains(both));
    assert!(said(&class, &["set", "file", "class", "An", "--clear"], 0).contains("no file was chosen"));
}

#[test]
fn a_student_whose_file_was_found_can_be_given_another() {
    let class = Class::small();
    let started = "class Counter:\n    def __init__(self, start=0):\n        self.value = lambda: start\n";
    hand_in(
        &class,
        "more",
        &[
            ("counter.py", "class Counter: pass\n"),
            ("second try.py", RIGHT),
            ("old/counter.py", started),
            ("dist/counter.py", "from start import Counter\n"),
            ("dist/start.py", started),
            ("test_counter.py", RIGHT),
            ("notes.txt", "see test_counter.py"),
        ],
    );
    said(&class, &["init", "class", "--each", "more"], 0);
    class.run(&[], 0);
    assert_eq!(grade(&class, "An"), "0");
    let refused = said(&class, &["set", "file", "class", "An", "notes.txt"], 2);
    let sources =
        "counter.py, old/counter.py, second try.py, test_counter.py, dist/counter.py, dist/start.py";
    assert_says(&refused, &format!("which of these: {sources}"));
    for (file, points) in [
        ("second try.py", "5"),
        ("old/counter.py", "2"),
        ("counter.py", "0"),
        ("dist/counter.py", "2"),
        ("test_counter.py", "5"),
    ] {
        let set = said(&class, &["set", "file", "class", "An", file], 0);
        assert_says(&set, &format!("{file} counts; `keur class run` grades it"));
        class.run(&[], 0);
        assert_eq!(grade(&class, "An"), points, "{file}");
    }
    // A later submission in which nothing is in doubt is graded as it is.
    hand_in(&class, "later", &[("counter.py", started), ("test_counter.py", RIGHT)]);
    let init = said(&class, &["init", "class", "--each", "later"], 0);
    assert!(init.contains("1 lost the file that was chosen") && init.contains(": An"), "{init}");
    class.run(&[], 0);
    assert_eq!(grade(&class, "An"), "2");
    said(&class, &["init", "class", "--each", "more"], 0);
    assert_eq!(grade(&class, "An"), "5");
    assert!(said(&class, &["set", "file", "class", "An", "--clear"], 0).contains("no longer counts"));
    class.run(&[], 0);
    assert_eq!(grade(&class, "An"), "0");
}

#[test]
fn files_that_were_found_together_are_replaced_together() {
    let class = Class::small();
    class.replace("exercise.toml", "[\"counter.py\"]", "[\"counter.py\", \"start.py\"]");
    let of_start = RIGHT.replace("self.start = start", "self.start = start + FIRST");
    let after = format!("from start import FIRST\n{of_start}");
    hand_in(
        &class,
        "more",
        &[
            ("counter.py", "class Counter: pass\n"),
            ("start.py", "FIRST = 1\n"),
            ("old/counter.py", &after),
            ("old/start.py", "FIRST = 0\n"),
        ],
    );
    said(&class, &["init", "class", "--each", "more"], 0);
    for (file, points) in [("old/counter.py", "5"), ("old/start.py", "5"), ("counter.py", "0")] {
        said(&class, &["set", "file", "class", "An", file], 0);
        class.run(&[], 0);
        assert_eq!(grade(&class, "An"), points, "{file}");
    }
}

#[test]
fn a_program_that_was_found_can_be_replaced() {
    let class = Class::small();
    let program = "title = \"Sums\"\nsession = \"python\"\n\n[programs]\npython = [\"sum.py\"]\n";
    let case = "title = \"It prints\"\n\n[[step]]\nrun = \"sum.py\"\nprints = \"3\\n\"\n";
    let folder = class.home.path().join("programs/sums");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("exercise.toml"), program).unwrap();
    fs::write(folder.join("prints.toml"), case).unwrap();
    hand_in(&class, "sums", &[("sum.py", "print(2)\n"), ("better.py", "print(3)\n")]);
    said(&class, &["init", "sums-class", "--each", "sums", "--cases", "programs"], 0);
    for (file, points) in [("better.py", 1), ("sum.py", 0)] {
        said(&class, &["set", "file", "sums-class", "An", file], 0);
        said(&class, &["run", "sums-class"], 0);
        let report = class.keur(&["report", "sums-class", "--format", "json"]);
        let report = report.json();
        assert_eq!(report["submissions"][0]["points"], points, "{file}");
    }
}

#[test]
fn a_choice_stays_with_an_edit_of_the_file() {
    let class = Class::small();
    hand_in(&class, "two", &[("counter_v1.py", RIGHT), ("counter_v2.py", "class Counter: pass\n")]);
    said(&class, &["init", "class", "--each", "two"], 0);
    said(&class, &["set", "file", "class", "An", "counter_v2.py"], 0);
    fs::write(class.path("submissions/An#2/counter_v2.py"), RIGHT.replace("+= by", "+= 1")).unwrap();
    let refused = said(&class, &["set", "file", "class", "An", "counter_v1.py"], 4);
    assert_says(&refused, "the files were changed; `keur class run` grades what is there now");
    class.run(&[], 0);
    for _ in 0..2 {
        assert!(said(&class, &["init", "class", "--each", "two"], 0).contains("1 submission known already"));
        class.run(&[], 0);
        assert_eq!(grade(&class, "An"), "2");
    }
    said(&class, &["set", "file", "class", "An", "counter_v1.py"], 0);
    class.run(&[], 0);
    assert_eq!(grade(&class, "An"), "5");
}

#[cfg(unix)]
#[test]
fn a_name_with_control_characters_is_chosen_as_it_is_shown() {
    let class = Class::small();
    let files = ["counter_\n.py", "counter_v2.py", "counter_\t.py", "counter_\u{202e}.py"];
    hand_in(&class, "two", &files.map(|name| (name, RIGHT)));
    said(&class, &["init", "class", "--each", "two"], 0);
    let report = said(&class, &["report", "class", "--findings", "all"], 1);
    assert!(report.contains("counter_␊.py") && report.contains("counter_⇥.py"), "{report}");
    let refused = said(&class, &["set", "file", "class", "An", "counter_.py"], 2);
    assert!(
        refused.ends_with(
            "counter_\\u202e.py (`\\u202e` and the like stand for characters that change the order of the text around them or \
             cannot be seen: type them as they are shown here)"
        ),
        "{refused}"
    );
    for name in ["counter_␊.py", "counter_⇥.py", "counter_\n.py", "counter_\\u202e.py"] {
        said(&class, &["set", "file", "class", "An", name], 0);
        class.run(&[], 0);
        assert_eq!(grade(&class, "An"), "5");
    }
}

#[test]
fn files_of_the_same_name_are_chosen_by_their_folder() {
    let class = Class::small();
    let helped = "from helper import start\n".to_owned()
        + &RIGHT.replace("self.start = start", "self.start = start()");
    hand_in(
        &class,
        "two",
        &[
            ("old/counter.py", "class Counter: pass\n"),
            ("old/helper.py", "start = 1\n"),
            ("new/counter.py", &helped.replace("start=0", "first=0").replace("start()", "start(first)")),
            ("new/helper.py", "def start(first):\n    return first\n"),
        ],
    );
    said(&class, &["init", "class", "--each", "two"], 0);
    said(&class, &["set", "file", "class", "An", "new/counter.py"], 0);
    class.run(&[], 0);
    assert_eq!(grade(&class, "An"), "5");
}
