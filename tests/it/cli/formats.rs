//! Reports for readers other than a terminal, and several reports of one run.

use super::{CASE, COUNTER, EXERCISE, library};
use crate::running::{assert_says, keur};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with `src/counter.py`, which raises on its sixth line.
fn raising() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let text = COUNTER.replace("return self\n", "raise ValueError('50%, a:b')\n");
    fs::write(folder.path().join("src/counter.py"), text).unwrap();
    folder
}

fn grade(submission: &Path, library: &Path, more: &[&str]) -> super::Run {
    let mut args = vec!["grade", submission.to_str().unwrap(), "--cases", library.to_str().unwrap()];
    args.extend(["--lang", "en"]);
    args.extend(more);
    keur(&args)
}

#[test]
fn an_annotation_stands_at_the_line_that_raised() {
    let (library, folder) = (library(EXERCISE, CASE), raising());
    let run = grade(folder.path(), library.path(), &["--format", "github"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let file = folder.path().join("src/counter.py");
    let error = format!(
        "::error file={},line=7,title=It counts · exception::step 2: ValueError was raised, but no \
         exception is expected here%0A",
        file.display()
    );
    assert!(run.out.contains(&error), "{error}\nis not in\n{}", run.out);
    assert_says(&run.out, "ValueError: 50%25, a:b");
    assert_says(&run.out, "· Counters::0 of 1 points · 0 of 1 cases passed\n");
}

#[test]
fn an_annotation_of_a_wrong_value_stands_at_the_function() {
    let (library, folder) = (library(EXERCISE, CASE), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("return self.n", "return str(self.n)")).unwrap();
    let run = grade(&file, library.path(), &["--format", "github"]);
    let error = format!("::error file={},line=9,title=It counts · wrong value::step 3: ", file.display());
    assert!(run.out.contains(&error), "{error}\nis not in\n{}", run.out);
}

/// Earlier lines of a session, one for each kind of result, and a line that fails.
const LONGER: &str = r#"
title = "It goes on"

[[step]]
do = "c = Counter(1)"
shows = "C1"

[[step]]
do = "c.count_up()"
returns = false

[[step]]
do = "c.count_up(by='x')"
raises = "no"

[[step]]
do = "c.value()"
returns = 3
"#;

const LONGER_COUNTER: &str = "class Counter:
    def __init__(self, start=0):
        self.n = start

    def __str__(self):
        return f'C{self.n}'

    def count_up(self, by=1):
        if by == 'x':
            raise ValueError('no')
        print('up', by)
        return False

    def value(self):
        return 1 / 0
";

#[test]
fn a_students_page_shows_what_each_line_gave_and_the_source_with_the_line_that_raised() {
    let (library, folder) = (library(EXERCISE, LONGER), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, LONGER_COUNTER).unwrap();
    let page = grade(&file, library.path(), &["--format", "html"]).out;
    let session = page.split_once("<div class=\"session\">").unwrap().1.split_once("</div>").unwrap().0;
    let tags = regex::Regex::new("</?[a-z][^>]*>").unwrap();
    let session =
        tags.replace_all(session, "").replace("</code>", "").replace("&gt;", ">").replace("&#39;", "'");
    let lines = [
        ">>> from counter import Counter",
        "1>>> c = Counter(1)",
        ">>> print(c)",
        "C1",
        "2>>> c.count_up()",
        "up 1",
        "False",
        "3>>> c.count_up(by='x')",
        "ValueError: no",
        "4>>> c.value()",
    ];
    assert_eq!(session.lines().collect::<Vec<_>>(), lines);
    let marked = "<li class=\"failing\" id=\"l0-15\">        return 1 / 0<span class=\"note\">\
        <strong>ZeroDivisionError: division by zero</strong>";
    assert!(
        page.contains(marked) && page.contains("<a href=\"#l0-15\">in counter.py, line 15</a>"),
        "{page}"
    );
    fs::write(&file, LONGER_COUNTER.replace("1 / 0", "3")).unwrap();
    let page = grade(&file, library.path(), &["--format", "html"]).out;
    assert!(page.contains("1 of 1 points") && !page.contains("id=\"source\""), "{page}");
}

#[test]
fn a_summary_shows_the_cases_and_the_session_of_each_failure() {
    let (library, folder) = (library(EXERCISE, CASE), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("return self.n", "return str(self.n)")).unwrap();
    let run = grade(&file, library.path(), &["--format", "markdown"]);
    let shown = "## ✗ ` counter ` · Counters

**0 of 1 points** · 0 of 1 cases passed

### ✗ It counts · wrong value

```pycon
  >>> from counter import Counter
1 >>> c = Counter(1)
2 >>> c.count_up(by=2)
3 >>> c.value()
```

";
    assert!(run.out.starts_with(shown), "{}", run.out);
    assert_says(&run.out, "```diff\n- 3\n+ '3'\n```\n");
    let cases = "| | case | result | points |\n|---|---|---|--:|\n| ✗ | It counts | wrong value | 0/1 |\n\n";
    assert!(run.out.ends_with(cases), "{}", run.out);
}

#[test]
fn the_outputs_of_a_step_hold_the_grade_and_a_classroom_reads_its_tests() {
    let file = "fixtures/submissions/codenames/python/blue_keeps_turn_on_red_spy.py";
    let run = keur(&["grade", file, "--format", "github-output"]);
    assert_eq!(run.out, "points=18.67\nmax_points=20\npassed=false\n");
    let run = keur(&["grade", file, "--format", "classroom"]);
    let json = run.json();
    assert_eq!(
        (&json["version"], &json["status"], &json["max_score"]),
        (&1.into(), &"fail".into(), &20.into())
    );
    let tests = json["tests"].as_array().unwrap();
    let sum: f64 = tests.iter().map(|test| test["score"].as_f64().unwrap()).sum();
    assert_eq!((tests.len(), sum), (26, 18.67));
    let failed: Vec<&Value> = tests.iter().filter(|test| test["status"] != "pass").collect();
    // The random sessions wait for all other cases.
    assert_eq!(failed.len(), 2);
    assert_eq!((&failed[0]["line_no"], &failed[0]["score"]), (&0.into(), &0.0.into()));
    assert!(failed[0]["message"].as_str().unwrap().starts_with("stap 3: "), "{}", failed[0]);
}

#[test]
fn many_submissions_are_a_table_in_the_order_that_was_asked_for() {
    let names = [
        "raises_value_error", "correct", "aanduiden_takes_a_tuple", "beurt_prints_the_team",
        "red_always_begins",
    ];
    let files = names.map(|name| format!("fixtures/submissions/codenames/python/{name}.py"));
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("points.csv");
    let gradebook = format!("csv={}", csv.display());
    let order = |sort: &str| {
        let mut args =
            vec!["grade", "--lang", "en", "--exit-zero", "--format", "terminal", "--format", &gradebook];
        args.extend(["--sort", sort]);
        args.extend(files.iter().map(String::as_str));
        let run = keur(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        let table: Vec<&str> =
            run.out.lines().skip_while(|line| !line.starts_with("  submission ")).collect();
        let shown: Vec<&str> = table[1..6].iter().map(|row| row.split_whitespace().nth(1).unwrap()).collect();
        let rows = fs::read_to_string(&csv).unwrap();
        let listed: Vec<&str> = rows.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
        assert_eq!(shown, listed);
        (listed.join(" "), table.join("\n"))
    };
    let (given, table) = order("given");
    assert_eq!(given, names.join(" "));
    for says in [
        "✓ correct                    20/20\n",
        "✗ red_always_begins          18/20  wrong value  'R' instead of 'B' · Blue begins when it has more …\n",
        "\n    0–  9 %  █ 1\n",
        "\n      100 %  █ 1\n",
        "\n1 of 5 submissions passed all cases · 62.66 of 100 points · 12.53 on average",
    ] {
        assert!(table.contains(says), "{says:?} is not in\n{table}");
    }
    let by_points =
        "correct red_always_begins raises_value_error beurt_prints_the_team aanduiden_takes_a_tuple";
    assert_eq!(order("points").0, by_points);
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(order("name").0, sorted.join(" "));
    let run = keur(&["grade", &files[0], "--sort", "age"]);
    assert_eq!((run.code, run.err.contains("[possible values: given, name, exercise, points]")), (2, true));
}

#[test]
fn one_run_writes_several_reports() {
    let (library, folder) = (library(EXERCISE, CASE), raising());
    let out = tempfile::tempdir().unwrap();
    let path = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let (json, summary) = (format!("json={}", path("r=1.json")), format!("markdown={}", path("r.md")));
    let run = grade(
        folder.path(),
        library.path(),
        &["--format", &json, "--format", "github", "--format", &summary],
    );
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.starts_with("::notice "), "{}", run.out);
    let alone = |format| grade(folder.path(), library.path(), &["--format", format]).out;
    assert_eq!(fs::read_to_string(path("r=1.json")).unwrap(), alone("json"));
    assert_eq!(fs::read_to_string(path("r.md")).unwrap(), alone("markdown"));
    // If all reports go to files, standard output is empty.
    assert_eq!(grade(folder.path(), library.path(), &["--format", &json]).out, "");
}

#[test]
fn reports_that_cannot_be_written_are_said_before_anything_is_graded() {
    let file = "fixtures/submissions/codenames/python/correct.py";
    for (formats, code, says) in [
        (["json", "terminal"], 2, "two reports would be written to standard output"),
        (["json=tests/same", "terminal=tests/same"], 2, "two reports would be written to tests/same"),
        (["json=Cargo.toml/x", "terminal"], 4, "Cargo.toml/x: cannot be written"),
        (["json=", "terminal"], 2, "write a path after the `=`"),
        (["xml=x", "terminal"], 2, "expected one of terminal, json, html, csv, markdown, github"),
    ] {
        let run = keur(&["grade", file, "--format", formats[0], "--format", formats[1]]);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{formats:?}: {}", run.err);
        assert!(run.err.contains(says), "{formats:?}: {}", run.err);
    }
}

#[test]
fn the_folders_of_a_report_are_made() {
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("new/reports/r.json");
    let format = format!("json={}", path.display());
    let run = keur(&["grade", "fixtures/submissions/codenames/python/correct.py", "--format", &format]);
    assert_eq!((run.code, path.is_file()), (0, true), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_found_no_room_is_exit_4() {
    let run = keur(&[
        "grade",
        "fixtures/submissions/codenames/python/correct.py",
        "--format",
        "json=/dev/full",
        "--format",
        "terminal",
    ]);
    assert_eq!(run.code, 4, "{}", run.err);
    assert_says(&run.err, "/dev/full: cannot be written");
    assert!(run.out.starts_with("correct · Codenames"), "{}", run.out);
}

#[test]
fn a_folder_takes_a_page_for_each_submission() {
    let (library, folder, out) =
        (library(EXERCISE, CASE), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, text) in [("index.py", COUNTER), ("An Na.py", "x = 1\n")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let new = out.path().join("a/new");
    let (new, there) = (format!("html={}/", new.display()), format!("html={}", out.path().display()));
    let run = keur(&[
        "grade",
        "--each",
        folder.path().to_str().unwrap(),
        "--cases",
        library.path().to_str().unwrap(),
        "--format",
        &new,
        "--format",
        &there,
    ]);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    for place in [out.path().join("a/new"), out.path().to_owned()] {
        let mut names: Vec<String> = fs::read_dir(&place)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.retain(|name| name != "a");
        names.sort();
        assert_eq!(names.len(), 3, "{names:?}");
        assert_eq!((names[0].as_str(), names[2].as_str()), ("index.html", "s-index.html"));
        assert!(names[1].starts_with("s-an-na."), "{names:?}");
        let class = fs::read_to_string(place.join("index.html")).unwrap();
        assert_says(&class, &format!("href=\"{}\"", names[1]));
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_anything_is_graded() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("file");
    fs::write(&file, "").unwrap();
    let submission = "fixtures/submissions/codenames/python/correct.py";
    for (format, code, says) in [
        (format!("html={}/", file.display()), 4, "cannot be written: "),
        (format!("html={}/below/", file.display()), 4, "cannot be written: "),
        (format!("json={}", out.path().display()), 2, "this is a folder; json is written to a file"),
    ] {
        let run = keur(&["grade", submission, "--format", "terminal", "--format", &format]);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{format}: {}", run.err);
        assert!(run.err.contains(says), "{format}: {}", run.err);
    }
    // A folder cannot be written as a file, by any user.
    #[cfg(target_os = "linux")]
    {
        let run = keur(&["grade", submission, "--format", "html=/proc/self/"]);
        assert_eq!(run.code, 4, "{}", run.err);
        assert_says(&run.err, "/proc/self/: cannot be written");
    }
}
