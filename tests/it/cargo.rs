//! Tests the cases of a submission as tests in cargo's style: `keur test`, and the test programs of
//! `keur::testing`.

use crate::running::{Run, assert_says, folder, grade_test, keur, root, run, write_files};
use std::path::Path;
use std::process::Command;

const EXERCISE: &str = "title = \"Counters\"\nsession = \"python\"\nfiles = { python = [\"counter.py\"] }\n\
                        [class.Counter]\nnew = []\nmethods = { count = [] }\n";
const CASE: &str = "title = \"It counts\"\n[[step]]\ndo = \"Counter().count()\"\nreturns = 1\n";
const COUNTER: &str = "class Counter:\n    def count(self):\n        return 1\n";

/// Runs the test program `grade` with these variables, called in the folder `called_in`.
fn grade(called_in: &Path, variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = Command::new(grade_test());
    for known in ["SUBMISSION", "CASES", "EXERCISE", "RULINGS", "NEXTEST"] {
        command.env_remove(known);
    }
    command.current_dir(root()).env("PWD", called_in).envs(variables.iter().copied());
    run(command.args(args))
}

/// A folder with a submission and, in `week1`, the exercise `counters`.
fn course(exercise: &str) -> tempfile::TempDir {
    folder(&[
        ("week1/counters/exercise.toml", exercise),
        ("week1/counters/counts.toml", CASE),
        ("counter.py", COUNTER),
    ])
}

#[test]
fn without_a_submission_the_references_are_tested_and_a_note_says_so() {
    let tested = grade(root(), &[], &["spec_session"]);
    assert_eq!(tested.code, 0, "{}", tested.all());
    assert_says(&tested.err, "SUBMISSION is not set, so the references are graded");
    assert_says(&tested.err, "SUBMISSION=path/to/file cargo test");
    let listed = grade(root(), &[], &["--list"]);
    // Nextest shows no note: the names say it too.
    let is_said = listed.out.contains("reference::quixo::spec_session: test");
    assert!(listed.err.is_empty() && is_said, "{}", listed.all());
}

#[test]
fn an_empty_variable_names_no_submission() {
    let tested = grade(root(), &[("SUBMISSION", "")], &[]);
    assert_eq!(tested.code, 2, "{}", tested.all());
    assert_says(&tested.err, "error: SUBMISSION is set, but empty");
}

#[test]
fn an_unknown_exercise_is_named() {
    let tested = grade(root(), &[("EXERCISE", "quixxo")], &[]);
    assert_eq!(tested.code, 2, "{}", tested.all());
    assert_says(&tested.err, "error: no exercise `quixxo` in the built-in exercises; did you mean `quixo`?");
}

#[test]
fn a_misspelt_variable_is_named() {
    let submission = grade(root(), &[("SUBMISION", "an.py")], &[]);
    assert_eq!(submission.code, 2, "{}", submission.all());
    assert_says(&submission.err, "SUBMISION is set, but not SUBMISSION");
    let exercise = grade(root(), &[("EXERCISES", "quixo")], &["spec_session"]);
    assert_eq!(exercise.code, 0, "{}", exercise.all());
    assert_says(&exercise.err, "EXERCISES is set and means nothing here; is EXERCISE meant?");
    let case = grade(root(), &[("CASE", "ten_by_ten")], &["spec_session"]);
    assert_eq!(case.code, 0, "{}", case.all());
    assert_says(&case.err, "CASE is set and means nothing here");
    assert_says(&case.err, "cargo test ten_by_ten");
    let other = grade(root(), &[("SUBMISSION_ID", "4")], &["spec_session"]);
    assert!(other.code == 0 && !other.err.contains("SUBMISSION_ID"), "{}", other.all());
}

#[test]
fn what_cannot_be_graded_is_named_with_its_path_and_variable() {
    let course = course(EXERCISE);
    let files = [("notes.md", "n"), ("hi.py", "print('hi')\n")];
    write_files(course.path(), &files);
    std::fs::create_dir(course.path().join("none")).unwrap();
    for (submission, said) in [
        ("none", "there are no files here"),
        ("notes.md", "there is no source file"),
        ("hi.py", "it is not clear which exercise this answers"),
    ] {
        let tested = grade(course.path(), &[("SUBMISSION", submission)], &[]);
        assert_eq!(tested.code, 2, "{}", tested.all());
        assert_says(&tested.err, &format!("error: {}: {said}", course.path().join(submission).display()));
        assert!(!tested.err.contains("--"), "{}", tested.err);
    }
    let unclear = grade(course.path(), &[("SUBMISSION", "hi.py")], &[]).err;
    assert!(unclear.contains("EXERCISE=NAME") && unclear.contains("CASES=DIR"), "{unclear}");
    let cases = grade(course.path(), &[("CASES", "counter.py")], &[]);
    assert_eq!(cases.code, 2, "{}", cases.all());
    assert_says(&cases.err, "counter.py is not a folder; name a folder of exercises");
}

#[test]
fn rulings_count_unless_the_variable_says_no() {
    let course = course(EXERCISE);
    let ruling = format!("tags = [\"ruling\"]\n{}", CASE.replace("It counts", "It counts again"));
    write_files(course.path(), &[("week1/counters/again.toml", &ruling)]);
    let ran = |value: &str| {
        let variables = [("SUBMISSION", "counter.py"), ("CASES", "week1"), ("RULINGS", value)];
        grade(course.path(), &variables, &[]).out.contains("counters::again")
    };
    assert_eq!(["1", "yes", "0", "false", "No", ""].map(ran), [true, true, false, false, false, false]);
}

#[test]
fn paths_count_from_the_folder_in_which_cargo_was_called() {
    let course = course(EXERCISE);
    let variables = [("SUBMISSION", "counter.py"), ("CASES", "week1"), ("EXERCISE", "counters")];
    let tested = grade(course.path(), &variables, &[]);
    assert_eq!(tested.code, 0, "{}", tested.all());
    assert_says(&tested.out, "test counters::counts ... ok");
    let missing = grade(course.path(), &[("SUBMISSION", "counters.py")], &[]);
    assert_eq!(missing.code, 2, "{}", missing.all());
    let place = format!("SUBMISSION: counters.py does not exist in {}", course.path().display());
    assert_says(&missing.err, &place);
    // That of the package is taken, with a note.
    let other = grade(course.path(), &[("SUBMISSION", "fixtures/class/bo")], &["--exact", "no_test"]);
    assert_eq!(other.code, 0, "{}", other.all());
    let place =
        format!("note: SUBMISSION: fixtures/class/bo does not exist in {}, so ", course.path().display());
    assert_says(&other.err, &place);
}

#[test]
fn the_own_reference_of_an_exercise_is_tested_without_a_submission() {
    let course = course(&format!("reference = {{ python = \"solution.py\" }}\n{EXERCISE}"));
    write_files(course.path(), &[("week1/counters/solution.py", COUNTER)]);
    let tested = grade(course.path(), &[("CASES", "week1")], &[]);
    assert_eq!(tested.code, 0, "{}", tested.all());
    assert_says(&tested.out, "test reference::counters::counts ... ok");
    write_files(course.path(), &[("week1/counters/solution.py", &COUNTER.replace('1', "2"))]);
    let wrong = grade(course.path(), &[("CASES", "week1")], &[]);
    assert_eq!(wrong.code, 101, "{}", wrong.all());
    assert_says(&wrong.out, "this is the reference of the exercise: either it or the case is wrong: ");
    assert_says(&wrong.out, "counts.toml:3\n");
    let submitted = grade(course.path(), &[("CASES", "week1"), ("SUBMISSION", "counter.py")], &[]);
    assert!(!submitted.out.contains("reference"), "{}", submitted.all());
}

#[test]
fn an_error_in_a_case_is_shown_to_the_instructor() {
    let course = course(EXERCISE);
    write_files(course.path(), &[("week1/counters/counts.toml", &CASE.replace("returns", "retuns"))]);
    let tested = grade(course.path(), &[("CASES", "week1"), ("SUBMISSION", "counter.py")], &[]);
    assert_eq!(tested.code, 2, "{}", tested.all());
    assert_says(&tested.err, "counts.toml:4:1: unknown key `retuns`");
    let path = |name: &str| course.path().join(name).display().to_string();
    let (submission, cases) = (path("counter.py"), path("week1"));
    let student = keur(&["test", &submission, "--cases", &cases, "--audience", "student"]);
    assert!(student.code == 3 && !student.err.contains("retuns"), "{}", student.all());
}

#[test]
fn an_entry_that_cannot_be_graded_is_one_failed_test() {
    let quixo =
        std::fs::read_to_string(root().join("fixtures/submissions/quixo/python/correct_lists.py")).unwrap();
    let class = folder(&[
        ("mix/an.py", &quixo),
        ("mix/bo.py", &quixo),
        ("mix/cem.py", "print('hi')\n"),
        ("mix/dag.py", "raise ValueError(3)\n"),
        ("mix/eva.md", "n"),
    ]);
    std::fs::create_dir(class.path().join("mix/fen")).unwrap();
    let variables = [("SUBMISSION", "mix")];
    let tested = grade(class.path(), &variables, &["--skip", "bo::"]);
    assert_eq!(tested.code, 101, "{}", tested.all());
    for name in ["cem", "dag", "eva", "fen"] {
        assert!(tested.out.contains(&format!("test {name}::can_be_graded ")), "{}", tested.out);
    }
    assert_says(&tested.out, "---- cem::can_be_graded ----\nit is not clear which exercise this answers");
    assert_says(&tested.out, "---- fen::can_be_graded ----\nthere are no files here");
    assert_says(&tested.out, "an: 29 van 29 punten");
    let one = grade(class.path(), &variables, &["bo::"]);
    assert_eq!(one.code, 0, "{}", one.all());
    let exact =
        grade(class.path(), &[("SUBMISSION", "mix"), ("NEXTEST", "1")], &["--exact", "cem::can_be_graded"]);
    assert_eq!(exact.code, 101, "{}", exact.all());
    assert_says(&exact.err, "Error: it is not clear which exercise this answers");
    let path = class.path().join("mix").display().to_string();
    let command = keur(&["test", &path, "cem::"]);
    assert_eq!(command.code, 101, "{}", command.all());
    assert_says(&command.out, "choose with --exercise (");
}

#[test]
fn the_tests_of_a_folder_have_the_name_of_the_submission_before_them() {
    let listed = |files: &[(&str, &str)]| {
        let course = course(EXERCISE);
        write_files(course.path(), files);
        let variables = [("SUBMISSION", "all"), ("CASES", "week1")];
        let listed = grade(course.path(), &variables, &["--list"]);
        assert_eq!(listed.code, 0, "{}", listed.all());
        listed.out.lines().map(|line| line.trim_end_matches(": test").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(&[("all/an.py", COUNTER)]), ["an::counters::counts"]);
    assert_eq!(listed(&[("all/an/counter.py", COUNTER)]), ["an::counters::counts"]);
    let bad = listed(&[("all/an.py", COUNTER), ("all/bo.py", "print(1)\n")]);
    assert_eq!(bad, ["an::counters::counts", "bo::counters::counts"]);
    // A folder that is one submission.
    assert_eq!(listed(&[("all/counter.py", COUNTER), ("all/other.py", "")]), ["counters::counts"]);
    assert_eq!(listed(&[("all/src/counter.py", COUNTER), ("all/README.md", "")]), ["counters::counts"]);
    let imports = format!("import other\n{COUNTER}");
    assert_eq!(listed(&[("all/an.py", &imports), ("all/other.py", "x = 1\n")]), ["counters::counts"]);
}

#[test]
fn nextest_finds_the_reason_of_a_failure_on_standard_error() {
    let variables = [("SUBMISSION", "fixtures/class/bo"), ("NEXTEST", "1")];
    let failed = grade(root(), &variables, &["--exact", "codenames::one_row"]);
    assert_eq!(failed.code, 101, "{}", failed.all());
    assert_says(&failed.err, "Error: stap 2: ");
}

#[test]
fn a_submission_is_graded_once_for_all_of_its_tests() {
    let limits = "[limits]\ncpu = \"200ms\"\nsubmission = \"200ms\"\n";
    let course = course(&format!("{EXERCISE}{limits}"));
    let again = CASE.replace("It counts", "It counts again");
    let endless = COUNTER.replace("return 1", "while True: pass");
    write_files(course.path(), &[("week1/counters/again.toml", &again), ("counter.py", &endless)]);
    let path = |name: &str| course.path().join(name).display().to_string();
    let tested = keur(&["test", &path("counter.py"), "--cases", &path("week1")]);
    assert_eq!(tested.code, 101, "{}", tested.all());
    // The cases share the time for those that reach a limit, and one that was not run says so.
    let reason = "warning: 1 case was not run: the cases that reached a limit used up the 0.2 s allowed";
    let of_test = |name: &str| {
        let (_, rest) = tested.out.split_once(&format!("---- counters::{name} ----")).unwrap();
        rest.split("----").next().unwrap().to_owned()
    };
    assert_says(&of_test("again"), "time limit");
    assert_says(&of_test("counts"), reason);
}

#[test]
fn an_exact_name_runs_only_its_test() {
    let course = course(EXERCISE);
    let files = [("all/an/quixo.py", COUNTER), ("all/bo/quixo.py", COUNTER), ("all/cem/other.py", "x = 1\n")];
    write_files(course.path(), &files);
    let all = course.path().join("all").display().to_string();
    let one = keur(&["test", &all, "--", "--exact", "an::quixo::spec_session"]);
    assert_eq!(one.code, 101, "{}", one.all());
    assert_says(&one.out, "test an::quixo::spec_session ... FAILED");
}

#[test]
fn a_problem_of_several_cases_is_told_by_the_simplest_of_those_that_run() {
    let many = keur(&["test", "fixtures/class/bo"]);
    let told = many.out.matches("\n    stap 2: ").count();
    let first = "codenames::aanduiden_returns_the_board";
    let same = format!("waarschijnlijk dezelfde oorzaak als in {first}\n");
    assert_eq!((told, many.out.matches(&same).count()), (1, 13), "{}", many.out);
    let folder = keur(&["test", "fixtures/class", "bo::"]);
    assert_says(&folder.out, &format!("waarschijnlijk dezelfde oorzaak als in bo::{first}\n"));
    let one = keur(&["test", "fixtures/class/bo", "--", "--exact", "codenames::one_row"]);
    assert!(one.out.contains(">>> ") && !one.out.contains("dezelfde oorzaak"), "{}", one.out);
}

#[test]
fn a_failure_has_the_name_of_the_submission_and_others_print_nothing() {
    let one = keur(&["test", "fixtures/class/bo"]);
    assert_says(&one.out, "\nbo · Codenames · Python");
    let many = keur(&["test", "fixtures/class", "bo::"]);
    assert!(many.out.contains("\nbo: ") && !many.out.contains("\nan: "), "{}", many.out);
}

#[test]
fn standard_error_is_shown_of_a_case_that_fails() {
    let course = course(EXERCISE);
    let talks = |value: &str| {
        format!(
            "import sys\nclass Counter:\n    def __init__(self):\n        print('made', file=sys.stderr)\n    \
             def count(self):\n        print('counts', file=sys.stderr)\n        return {value}\n"
        )
    };
    let path = |name: &str| course.path().join(name).display().to_string();
    let file = path("counter.py");
    let cases = path("week1");
    let graded = |value: &str, more: &[&str]| {
        write_files(course.path(), &[("counter.py", &talks(value))]);
        keur(&[&["grade", &file, "--cases", &cases, "--lang", "en"], more].concat())
    };
    assert_says(&graded("2", &[]).out, "    written to standard error:\n      made\n      counts\n");
    assert!(!graded("1", &[]).out.contains("standard error"));
    // An engine that ends writes what is different each time.
    assert!(!graded("__import__('os')._exit(1)", &[]).out.contains("standard error"));
    // Nor does one without memory always write the same.
    let full = graded("bytearray(1 << 50)", &[]).out;
    assert!(full.contains("memory") && !full.contains("standard error"), "{full}");
    let case = format!("hidden = true\n{CASE}");
    write_files(course.path(), &[("week1/counters/counts.toml", &case)]);
    assert!(!graded("2", &["--audience", "student"]).out.contains("standard error"));
}

#[test]
fn a_course_gets_a_package_whose_tests_grade() {
    let course = folder(&[]);
    let path = |name: &str| course.path().join(name);
    let make = |name: &str, kind: &str| {
        keur(&["new", "exercise", path(name).to_str().unwrap(), "--kind", kind, "--cargo"])
    };
    let made = make("average", "functions");
    assert_eq!(made.code, 0, "{}", made.all());
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_says(&read("tests/grade.rs"), "keur::testing::cases_of(env!(\"CARGO_MANIFEST_DIR\"))");
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    assert_eq!(manifest["dev-dependencies"]["keur"]["default-features"].as_bool(), Some(false));
    // A second exercise joins it.
    std::fs::write(path("Cargo.toml"), "# of the course\n").unwrap();
    let second = make("bank", "class");
    assert_eq!(second.code, 0, "{}", second.all());
    assert_says(&second.out, "Cargo.toml: exists and is left as it is");
    assert_eq!(read("Cargo.toml"), "# of the course\n");
    assert_eq!(make("adder", "program").code, 0);
    // The folder is one of exercises, whatever else it holds.
    let checked = keur(&["check", course.path().to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.all());
    let tested = grade(course.path(), &[("CASES", ".")], &[]);
    assert_eq!(tested.code, 0, "{}", tested.all());
    assert_says(&tested.out, "test result: ok. 6 passed;");
}

#[cfg(unix)]
#[test]
fn names_of_submissions_are_printed_without_escapes_and_commands() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let course = course(EXERCISE);
    let wrong = COUNTER.replace('1', "2");
    for name in ["\u{1b}[31mcy", "bo\n::error::forged", "::error::forged"] {
        write_files(course.path(), &[(&format!("all/{name}/counter.py"), &wrong)]);
    }
    let path = |name: &str| course.path().join(name);
    let harmless = |tested: &Run| {
        let all = tested.all();
        let is_harmless = |line: &str| !line.starts_with("::") && !line.contains('\u{1b}');
        assert!(all.lines().all(is_harmless), "{all:?}");
    };
    let mut by_keur = crate::running::keur_command(&["test"]);
    by_keur.arg(path("all")).arg("--cases").arg(path("week1")).env("GITHUB_ACTIONS", "true");
    let mut by_cargo = Command::new(grade_test());
    by_cargo.current_dir(root()).env("SUBMISSION", path("all")).env("CASES", path("week1"));
    by_cargo.env("GITHUB_ACTIONS", "true");
    for command in [&mut by_keur, &mut by_cargo] {
        let tested = run(command);
        assert_eq!(tested.code, 101, "{}", tested.all());
        assert_says(&tested.out, "␛[31mcy: 0 ");
        harmless(&tested);
    }
    let missing = run(by_cargo.env("SUBMISSION", "\u{1b}[31m\n::error::a"));
    assert_says(&missing.err, "SUBMISSION: ␛[31m␊::error::a does not exist");
    harmless(&missing);
    let unknown = by_cargo.env("SUBMISSION", path("all")).env("EXERCISE", OsStr::from_bytes(b"\x1b\xff"));
    let unknown = run(unknown);
    assert_eq!(unknown.code, 2, "{}", unknown.all());
    harmless(&unknown);
}
