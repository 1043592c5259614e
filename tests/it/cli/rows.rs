//! Rows, needs, groups and partial points: what case files may say, and what reports make of it.

use crate::running::{Run, assert_says, keur};
use keur_core::case::{Library, Loaded};
use keur_core::report::formats::FORMATS;
use serde_json::Value;
use std::fs;
use std::path::Path;

const EXERCISE: &str = r#"
title = "Numerals"
session = "python"

[files]
python = ["numerals.py"]

[programs]
python = ["add.py"]

[function]
to_roman = { args = ["n"] }

[class.Box]
new = ["n"]
methods = { get = [], add = ["k"] }
"#;

const NUMERALS: &str = r#"
title = "In Roman numerals"
points = 2
hint = "Of the file."

[[step]]
do = "to_roman(n)"

[[row]]
given = { n = 4 }
returns = "IV"

[[row]]
given = { n = 9 }
returns = "IX"
title = "Nine"
points = 0.5
hint = "Of the row."
tags = ["large"]

[[row]]
given = { n = { literal = "(1, 2)" } }
raises = true

[[row]]
given = { n = 740031 }
returns = "M"
hidden = true
"#;

/// Answers everything but 4 and 740031.
const SUBMISSION: &str = "def to_roman(n):
    return {1: 'I', 3: 'III', 4: 'IIII', 9: 'IX'}[n] if n < 1000 else 'm'

class Box:
    def __init__(self, n):
        self.n = n

    def get(self):
        return self.n

    def add(self, k):
        self.n += k
        return self.n
";

/// A folder with the exercise `numerals` and these cases.
fn library(cases: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let numerals = folder.path().join("numerals");
    fs::create_dir(&numerals).unwrap();
    fs::write(numerals.join("exercise.toml"), EXERCISE).unwrap();
    for (name, text) in cases {
        fs::write(numerals.join(format!("{name}.toml")), text).unwrap();
    }
    fs::write(folder.path().join("numerals.py"), SUBMISSION).unwrap();
    folder
}

fn load(cases: &[(&str, &str)]) -> Result<Loaded, String> {
    Library::Folder(library(cases).path().to_owned()).load("numerals").map_err(|error| error.to_string())
}

/// One grading of the submission, on these cases.
fn grade(cases: &[(&str, &str)], more: &[&str]) -> Run {
    let library = library(cases);
    let (cases, submission) = (library.path(), library.path().join("numerals.py"));
    let mut args = vec!["grade", submission.to_str().unwrap(), "--cases", cases.to_str().unwrap()];
    args.extend(more);
    if !more.contains(&"--lang") {
        args.extend(["--lang", "en"]);
    }
    keur(&args)
}

/// The cases of a report, graded quickly and strictly: both must agree.
fn graded(cases: &[(&str, &str)], more: &[&str]) -> Vec<Value> {
    let run = grade(cases, &[&["--format", "json", "--isolation", "both"], more].concat());
    let report = run.json();
    report["submissions"][0]["cases"].as_array().unwrap_or_else(|| panic!("{report:#}")).clone()
}

/// The name and the verdict of each case, in order.
fn verdicts(cases: &[Value]) -> Vec<(&str, &str)> {
    let text = |case: &'_ Value, key: &str| case[key].as_str().unwrap().to_owned().leak() as &str;
    cases.iter().map(|case| (text(case, "name"), text(case, "verdict"))).collect()
}

#[test]
fn a_row_is_a_case_of_its_own() {
    let loaded = load(&[("numerals", NUMERALS)]).unwrap();
    let seen: Vec<(&str, &str, String, bool)> = loaded
        .cases
        .iter()
        .map(|case| (case.name.as_str(), case.title.texts()[0], case.points.to_string(), case.hidden))
        .collect();
    assert_eq!(
        seen,
        [
            ("numerals[1]", "In Roman numerals: n = 4", "2".to_owned(), false),
            ("numerals[2]", "Nine", "0.5".to_owned(), false),
            ("numerals[3]", "In Roman numerals: n = (1, 2)", "2".to_owned(), false),
            // A student must not read what a hidden case asks.
            ("numerals[4]", "In Roman numerals [4]", "2".to_owned(), true),
        ]
    );
}

#[test]
fn a_row_is_graded_with_its_values_in_place_of_their_names() {
    let cases = graded(&[("numerals", NUMERALS)], &[]);
    assert_eq!(
        verdicts(&cases),
        [
            ("numerals[1]", "wrong value"),
            ("numerals[2]", "passed"),
            ("numerals[3]", "passed"),
            ("numerals[4]", "wrong value"),
        ]
    );
    let finding = &cases[0]["finding"];
    assert_eq!(finding["session"][1], ">>> to_roman(4)");
    assert_eq!(finding["expected"], "'IV'");
    // The line of the row, not of the step.
    assert_eq!(finding["case_line"], 10);
    assert_eq!(
        (&cases[0]["hint"], &cases[1]["hint"]),
        (&Value::from("Of the file."), &Value::from("Of the row."))
    );
    assert_eq!(cases[1]["tags"], serde_json::json!(["large"]));
    let one = graded(&[("numerals", NUMERALS)], &["--case", "numerals[2]"]);
    assert_eq!(verdicts(&one), [("numerals[2]", "passed")]);
}

#[test]
fn students_do_not_read_the_values_of_a_hidden_row_in_any_format() {
    let library = library(&[("numerals", NUMERALS)]);
    let submission = library.path().join("numerals.py");
    let out = tempfile::tempdir().unwrap();
    let mut args = vec!["grade".to_owned(), submission.display().to_string(), "--cases".to_owned()];
    args.extend([library.path().display().to_string(), "--audience".to_owned(), "student".to_owned()]);
    for format in FORMATS {
        args.extend([
            "--format".to_owned(),
            format!("{}={}", format.name, out.path().join(format.name).display()),
        ]);
    }
    let run = keur(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(run.code, 1, "{}", run.err);
    for format in FORMATS {
        let text = fs::read_to_string(out.path().join(format.name)).unwrap();
        assert!(!text.contains("740031"), "{}: {text}", format.name);
    }
}

#[test]
fn rows_set_the_input_of_a_program() {
    let case = r#"
title = "It adds"

[[step]]
run = "add.py"
exit = 0

[[row]]
args = ["1", "2"]
prints = "3"

[[row]]
stdin = "4"
args = ["x"]
prints = ""
errors = ""
exit = 3
"#;
    let loaded = load(&[("adds", case)]).unwrap();
    let titles: Vec<&str> = loaded.cases.iter().map(|case| case.title.texts()[0]).collect();
    assert_eq!(titles, ["It adds [1]", "It adds [2]"]);
    let run = |index: usize| loaded.cases[index].plan.steps[0].program().unwrap().clone();
    let exit = |index: usize| loaded.cases[index].expect[0].program.exit;
    assert_eq!((run(0).args, run(0).input, exit(0)), (vec!["1".into(), "2".into()], vec![], Some(0)));
    assert_eq!((run(1).args, run(1).input, exit(1)), (vec!["x".into()], vec!["4".to_owned()], Some(3)));
}

#[track_caller]
fn check_error(case: &str, error: &str) {
    let found = load(&[("numerals", case)]).unwrap_err();
    let found = found.split("numerals.toml:").last().unwrap();
    assert_eq!(found, error, "{case}");
}

#[test]
fn errors_of_rows_have_their_places() {
    let mut wrong = Vec::new();
    let case = |rows: &str| format!("title = \"T\"\nstep = [{{ do = \"to_roman(n)\" }}]\n{rows}\n");
    for (rows, error) in [
        (
            "row = [{ given = { m = 4 } }, { given = { m = 5 } }]",
            "2:26: `n` is used before it is bound; did you mean `m`?",
        ),
        (
            "row = [{ given = { n = 4, k = 5 } }]",
            "3:27: no step uses `k`; write it in a `do`, or leave it out",
        ),
        (
            "row = [{ given = { n = 4 } }, { returns = 3 }]",
            "3:33: the row does not give `n`, as the first row does; each row gives the same names",
        ),
        (
            "row = [{ given = { n = 4 } }, { given = { m = 4 } }]",
            "3:43: the first row does not give `m`; did you mean `n`?",
        ),
        (
            "row = [{ given = { n = 4, \"a b\" = 4 } }]",
            "3:27: `a b` is not a name; a name has letters, digits and `_`, and does not start with a digit",
        ),
        (
            "row = [{ given = { n = 4, to_roman = 4 } }]",
            "3:27: `to_roman` is a name that the submission defines; give the value another name",
        ),
        ("row = [{ given = { n = { literal = \"(1\" } } }]", "3:39: expected `)`"),
        (
            "row = [{ given = { n = { literal = \"f()\" } } }]",
            "3:36: `literal` takes a literal; write a value such as \"(1, 2)\"; names and calls belong in `do`",
        ),
        (
            "row = [{ given = { n = 4 }, retruns = 4 }]",
            "3:29: unknown key `retruns`; did you mean `returns`?",
        ),
        (
            "row = [{ given = { n = 4 }, order = 4 }]",
            "3:29: `order` is below a [[row]], so it belongs to that row; a row has values, and what is expected of the last step; move it up, above the first [[row]]",
        ),
        ("row = [{ given = { n = 4 }, args = [] }]", "3:36: `args` goes with `run`"),
        (
            "row = [{ given = { n = 4 }, returns = 1, equals = \"1\" }]",
            "3:10: `returns` and `equals` both expect the value; keep one of them",
        ),
        (
            "row = [{ given = { n = 4 }, returns = { matches = \"(\" } }]",
            "3:51: `matches` is not a regular expression; unclosed group",
        ),
        (
            "row = [{ given = { n = 4 } }, {}]",
            "3:31: the row is empty; give it values, and what is expected: given = { n = 4 }, returns = …",
        ),
        ("row = []", "3:7: the case has no row; add one, or leave `row` out"),
        (
            "row = [{ given = { n = 4 }, title = \"A\" }, { given = { n = 5 }, title = \"A\" }]",
            "3:74: numerals[1] has the same title; give each case of an exercise its own title",
        ),
    ] {
        let found = load(&[("numerals", &case(rows))]).unwrap_err();
        // The first error is the one that matters.
        let first = found.lines().next().unwrap();
        let first = first.split("numerals.toml:").last().unwrap();
        if first != error {
            wrong.push(format!("{rows}\n{found}\n{error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    check_error(
        "title = \"T\"\nstep = [{ do = \"n = to_roman(n)\" }]\nrow = [{ given = { n = 4 } }, { given = { n = 5 } }]\n",
        "2:17: `n` is a value that the rows give; bind the value to another name",
    );
    let many = format!(
        "title = \"T\"\nstep = [{{ do = \"to_roman(n)\" }}]\nrow = [{}]\n",
        "{ given = { n = 4 } },".repeat(1001)
    );
    check_error(&many, "3:7: the case has 1001 rows; a file has at most 1000");
}

#[test]
fn rows_with_equal_values_have_distinct_titles() {
    let case = "title = \"T\"\nstep = [{ do = \"to_roman(n)\" }]\nrow = [{ given = { n = 4 } }, { given = { n = 4 } }]\n";
    let loaded = load(&[("numerals", case)]).unwrap();
    let titles: Vec<&str> = loaded.cases.iter().map(|case| case.title.texts()[0]).collect();
    assert_eq!(titles, ["T: n = 4", "T: n = 4 [2]"]);
    // So have values that are too long to be shown whole.
    let long = |end: &str| format!("{{ given = {{ n = \"{}{end}\" }} }}", "x".repeat(80));
    let rows = format!("row = [{}, {}]", long("1"), long("2"));
    let case = format!("title = \"T\"\nstep = [{{ do = \"to_roman(n)\" }}]\n{rows}\n");
    let loaded = load(&[("numerals", &case)]).unwrap();
    let titles: Vec<&str> = loaded.cases.iter().map(|case| case.title.texts()[0]).collect();
    let shown = format!("T: n = '{}…", "x".repeat(59));
    assert_eq!(titles, [shown.clone(), format!("{shown} [2]")]);
}

const BOX: &str = r#"
title = "A box"
points = 1
partial = true

[[step]]
do = "b = Box(1)"

[[step]]
do = "b.get()"
returns = 1

[[step]]
do = "b.add(2)"
returns = 9

[[step]]
do = "b.get()"
returns = 3
"#;

#[test]
fn a_step_that_holds_earns_its_share() {
    let earned = |case: &str| graded(&[("box", case)], &[])[0]["points"].clone();
    assert_eq!(earned(BOX), 0.67);
    // The first of three shares is the larger one.
    assert_eq!(earned(&BOX.replace("returns = 1", "returns = 8")), 0.33);
    assert_eq!(earned(&BOX.replace("returns = 9", "returns = 3")), 1);
    assert_eq!(earned(&BOX.replace("partial = true", "")), 0);
    // A step that expects nothing belongs to the next that does.
    let raises =
        BOX.replace("returns = 9", "").replace("add(2)", "add('x')").replace("returns = 3", "returns = 1");
    assert_eq!(earned(&raises), 0.5);
    let nothing = "title = \"T\"\npartial = true\nstep = [{ do = \"Box(1)\" }]\n";
    check_error(
        nothing,
        "2:11: no step expects anything, so none earns points; each step that expects something earns a share: write what one of them returns, or leave `partial` out until keur fill has",
    );
}

#[test]
fn of_several_gradings_the_fewest_points_count() {
    let by_chance = |letter: char, more: &[&str]| {
        let library = library(&[("box", BOX)]);
        let first = format!("return self.n + (next(iter({{'a', 'b', 'c'}})) == '{letter}')");
        let submission = library.path().join("numerals.py");
        fs::write(&submission, SUBMISSION.replacen("return self.n", &first, 1)).unwrap();
        let cases = library.path().display().to_string();
        let run = keur(
            &[&["grade", submission.to_str().unwrap(), "--cases", &cases, "--format", "json"], more].concat(),
        );
        let report = run.json();
        report["submissions"][0]["cases"][0]["points"].as_f64().unwrap()
    };
    let once = ['a', 'b', 'c'].map(|letter| by_chance(letter, &[]));
    assert!(once.contains(&0.67), "{once:?}");
    for letter in ['a', 'b', 'c'] {
        assert_eq!(by_chance(letter, &["--repeat", "16"]), 0.0);
    }
}

#[test]
fn every_report_with_points_has_those_of_a_part() {
    for (format, part) in [
        ("terminal", "0.67/1"),
        ("json", "\"points\": 0.67,"),
        ("csv", ",0.67"),
        ("gradescope", "\"score\": 0.67,\n      \"status\""),
        ("dodona", "partly right: 0.67 of 1 points"),
        ("classroom50", "\"score\": 67,"),
        ("markdown", "0.67/1"),
        ("html", "0.67 of 1 points"),
        ("junit-rich", "name=\"points\" value=\"0.67\""),
        ("junit", "partly right: 0.67 of 1 points"),
        ("tap", "    partly right: 0.67 of 1 points"),
        ("ctrf", "\"points\": 0.67,"),
        ("exercism", "partly right: 0.67 of 1 points"),
    ] {
        let run = grade(&[("box", BOX)], &["--format", format]);
        assert!(run.out.contains(part), "{format}: {}", run.out);
        assert_eq!(run.code, 1);
    }
}

const NEEDED: [(&str, &str); 6] = [
    ("a_last", "title = \"Last\"\nneeds = [\"z_next\"]\nstep = [{ do = \"to_roman(3)\" }]\n"),
    ("b_first", "title = \"First\"\nstep = [{ do = \"to_roman(1)\", returns = \"I\" }]\n"),
    (
        "c_hidden",
        "title = \"Hidden\"\nhidden = true\nneeds = [\"b_first\"]\nstep = [{ do = \"to_roman(9)\" }]\n",
    ),
    (
        "d_rows",
        "title = \"Rows\"\nneeds = [\"b_first\"]\nstep = [{ do = \"to_roman(n)\" }]\nrow = [{ given = { n = 3 }, returns = \"III\" }, { given = { n = 4 }, returns = \"IV\" }]\n",
    ),
    ("e_free", "title = \"Free\"\nneeds = [\"d_rows[1]\"]\nstep = [{ do = \"to_roman(3)\" }]\n"),
    ("z_next", "title = \"Next\"\nneeds = [\"d_rows\"]\nstep = [{ do = \"to_roman(1)\" }]\n"),
];

#[test]
fn a_case_comes_after_those_that_it_needs_and_is_not_run_when_one_failed() {
    let cases = graded(&NEEDED, &[]);
    assert_eq!(
        verdicts(&cases),
        [
            ("b_first", "passed"),
            ("d_rows[1]", "passed"),
            ("d_rows[2]", "wrong value"),
            ("e_free", "passed"),
            ("z_next", "not run"),
            ("a_last", "not run"),
            ("c_hidden", "passed"),
        ]
    );
    // The case that failed is named, also over one that was not run.
    let blocked: Vec<&Value> = cases.iter().filter_map(|case| case.get("blocked_by")).collect();
    assert_eq!(blocked, ["d_rows[2]", "d_rows[2]"]);
    assert_eq!(cases[4]["points"], 0);
    let run = grade(&NEEDED, &["--format", "junit"]);
    assert_says(&run.out, "<skipped message=\"not run, because “Rows: n = 4” failed\"/>");
    let run = grade(&NEEDED, &[]);
    assert_says(&run.out, "not run, because “d_rows[2]” failed");
    // What is left out keeps nothing from being run.
    let alone = graded(&NEEDED, &["--case", "z_next", "--case", "a_last"]);
    assert_eq!(verdicts(&alone), [("z_next", "passed"), ("a_last", "passed")]);
    let ruling = NEEDED.map(|(name, text)| {
        (name, text.replace("title = \"Rows\"", "title = \"Rows\"\ntags = [\"ruling\"]"))
    });
    let ruling: Vec<(&str, &str)> = ruling.iter().map(|(name, text)| (*name, text.as_str())).collect();
    assert!(graded(&ruling, &[]).iter().all(|case| case["verdict"] == "passed"));
}

#[test]
fn students_do_not_read_why_a_hidden_case_was_not_run() {
    let cases = [
        ("a", "title = \"A\"\nstep = [{ do = \"to_roman(4)\", returns = \"IV\" }]\n"),
        ("b", "title = \"B\"\nhidden = true\nneeds = [\"a\"]\nstep = [{ do = \"to_roman(1)\" }]\n"),
    ];
    let blocked = |audience: &str| {
        let case = graded(&cases, &["--audience", audience]).remove(1);
        (case["verdict"].clone(), case.get("blocked_by").cloned())
    };
    assert_eq!(blocked("instructor"), ("not run".into(), Some("a".into())));
    assert_eq!(blocked("student"), ("failed".into(), None));
}

#[test]
fn warnings_about_steps_of_rows_stand_once() {
    let exercise = EXERCISE
        .replace("python = [\"numerals.py\"]", "python = [\"numerals.py\"]\njavascript = [\"numerals.js\"]");
    let case = "title = \"T\"\nstep = [{ do = \"to_roman(1)\" }, { do = \"to_roman(n)\" }]\nrow = [{ given = { n = 1 } }, { given = { n = 3 } }]\n";
    let case = case.replace("\"to_roman(1)\"", "\"to_roman(1)\", raises = { type = \"KeyError\" }");
    let library = library(&[("t", &case)]);
    let folder = library.path().join("numerals");
    fs::write(folder.join("exercise.toml"), exercise).unwrap();
    let run = keur(&["check", folder.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.err.matches("has no meaning in JavaScript").count(), 1, "{}", run.err);
    assert!(run.out.starts_with("2 cases of 1 exercise"), "{}", run.out);
}

#[test]
fn a_problem_before_the_first_step_explains_what_needs_the_case_too() {
    let library = library(&NEEDED);
    fs::write(library.path().join("numerals.py"), "def to_roman(n:\n").unwrap();
    let submission = library.path().join("numerals.py");
    let run = keur(&["grade", submission.to_str().unwrap(), "--cases", library.path().to_str().unwrap()]);
    assert!(run.out.contains("in all 7 cases") && !run.out.contains("e_free"), "{}", run.out);
}

#[test]
fn needs_that_cannot_be_met_are_errors() {
    for (replaced, by, error) in [
        ("\"b_first\"", "\"b_frist\"", "there is no case `b_frist`; did you mean `b_first`?"),
        (
            "\"d_rows\"",
            "\"a_last\"",
            "a_last.toml:2:10: these cases need one another: a_last, z_next, a_last",
        ),
        ("\"d_rows[1]\"", "\"e_free\"", "e_free.toml:2:10: the case needs itself"),
        (
            "\"d_rows\"",
            "\"c_hidden\"",
            "z_next.toml:2:10: `c_hidden` is hidden, and this case is not; only a hidden case can need a hidden one",
        ),
        (
            "\"d_rows[1]\"",
            "\"d_rows[3]\"",
            "e_free.toml:2:10: there is no case `d_rows[3]`; did you mean `d_rows[1]`?",
        ),
    ] {
        let cases = NEEDED.map(|(name, text)| (name, text.replace(replaced, by)));
        let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let found = load(&cases).unwrap_err();
        assert!(found.contains(error), "{found}\n{error}");
    }
    // A file that is checked alone may need a case of another file.
    let library = library(&NEEDED);
    let file = |name: &str| library.path().join("numerals").join(name).display().to_string();
    assert_eq!(keur(&["check", &file("e_free.toml")]).code, 0);
    fs::remove_file(file("d_rows.toml")).unwrap();
    assert_eq!(keur(&["check", &file("e_free.toml")]).code, 3);
}

const GROUPED: [(&str, &str); 4] = [
    (
        "a",
        "title = \"A\"\ngroup = { en = \"Simple\", nl = \"Eenvoudig\" }\nstep = [{ do = \"to_roman(1)\" }]\n",
    ),
    ("b", "title = \"B\"\ngroup = \"Errors\"\nstep = [{ do = \"to_roman('x')\", raises = true }]\n"),
    (
        "c",
        "title = \"C\"\ngroup = { en = \"Simple\", nl = \"Eenvoudig\" }\nstep = [{ do = \"to_roman(4)\", returns = \"IV\" }]\n",
    ),
    ("d", "title = \"D\"\nstep = [{ do = \"to_roman(3)\" }]\n"),
];

#[test]
fn cases_are_gathered_by_group() {
    let cases = graded(&GROUPED, &[]);
    let seen: Vec<(&Value, Option<&str>)> =
        cases.iter().map(|case| (&case["name"], case.get("group").and_then(Value::as_str))).collect();
    let expected = [("d", None), ("a", Some("Simple")), ("c", Some("Simple")), ("b", Some("Errors"))];
    assert!(seen.iter().map(|(name, group)| (name.as_str().unwrap(), *group)).eq(expected), "{seen:?}");
    let dutch = grade(&GROUPED, &["--lang", "nl"]);
    assert!(dutch.out.contains("\n  Eenvoudig\n") && dutch.out.contains("\n  Errors\n"), "{}", dutch.out);
}

#[test]
fn every_report_with_headings_has_the_groups_in_order() {
    for (format, parts) in [
        ("terminal", ["D", "\n  Simple\n", "\n  Errors\n"]),
        ("markdown", ["| D |", "### Simple\n", "### Errors\n"]),
        (
            "junit",
            [
                "testsuite name=\"numerals\" tests=\"1\"",
                "name=\"numerals: Simple\" tests=\"2\" failures=\"1\"",
                "name=\"numerals: Errors\" tests=\"1\"",
            ],
        ),
        ("gradescope", ["\"name\": \"D\"", "\"name\": \"Simple: A\"", "\"name\": \"Errors: B\""]),
        (
            "dodona",
            [
                "\"start-tab\",\"title\":\"Numerals\"",
                "\"start-tab\",\"title\":\"Simple\"",
                "\"start-tab\",\"title\":\"Errors\"",
            ],
        ),
        ("ctrf", ["::d\"", "\"Simple\"\n", "\"Errors\"\n"]),
        ("html", ["aria-label=\"D · passed\"", ">Simple</p>", ">Errors</p>"]),
    ] {
        let run = grade(&GROUPED, &["--format", format]);
        let places: Vec<usize> = parts
            .iter()
            .map(|part| run.out.find(part).unwrap_or_else(|| panic!("{format} lacks {part}: {}", run.out)))
            .collect();
        assert!(places.is_sorted(), "{format}: {places:?} {}", run.out);
    }
    let library = library(&GROUPED);
    let submission = library.path().join("numerals.py").display().to_string();
    let other = library.path().join("other.py");
    fs::copy(&submission, &other).unwrap();
    let cases = library.path().display().to_string();
    let args = [
        "grade",
        &submission,
        other.to_str().unwrap(),
        "--cases",
        &cases,
        "--lang",
        "en",
        "--format",
        "html",
    ];
    let page = keur(&args).out;
    let [simple, errors] = ["Simple", "Errors"].map(|group| {
        page.find(&format!("<tr class=\"group\"><th colspan=\"4\" scope=\"colgroup\">{group}</th>")).unwrap()
    });
    assert!(simple < errors);
}

#[test]
fn a_group_is_written_in_one_way() {
    let cases = [GROUPED[0], ("z", "title = \"Z\"\ngroup = \"Simple\"\nstep = [{ do = \"to_roman(1)\" }]\n")];
    let found = load(&cases).unwrap_err();
    assert!(
        found.contains("z.toml:2:9: ") && found.contains("a.toml writes this group in another way"),
        "{found}"
    );
}

#[test]
fn rows_are_tests_by_their_names() {
    let library = library(&[("numerals", NUMERALS)]);
    let submission = library.path().join("numerals.py").display().to_string();
    let run = |more: &[&str]| {
        let cases = library.path().display().to_string();
        keur(&[&["test", &submission, "--cases", &cases, "--"], more].concat())
    };
    assert!(run(&["--list"]).out.contains("numerals::numerals[2]: test\n"));
    let one = run(&["--exact", "numerals::numerals[2]"]);
    assert!(one.code == 0 && one.out.contains("1 passed; 0 failed"), "{}", one.out);
}

#[test]
fn the_parts_of_a_case_in_a_file_name_are_not_a_row() {
    let cases =
        [("numerals", NUMERALS), ("numerals[1]", "title = \"X\"\nstep = [{ do = \"to_roman(1)\" }]\n")];
    let found = load(&cases).unwrap_err();
    assert_says(&found, "also has a case called `numerals[1]`");
    assert!(Path::new(&found.split(':').next().unwrap()).extension().is_some());
}
