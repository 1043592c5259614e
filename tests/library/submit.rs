//! Submissions in Rust: the crates of `fixtures/rust/` and `templates/rust-*/`, built and run as their
//! students do.

use crate::running::{copy_folder, root, run};
use keur_core::adapter::{Bundle, Dialect, SourceFile};
use keur_core::case::{Library, PlanStep};
use keur_core::exercises::EXERCISES;
use keur_core::judge::SessionWriter;
use keur_core::languages;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs `cargo test` in a copy of a crate, with this keur instead of the published one; all share their
/// builds.
fn cargo_test(krate: &Path, args: &[&str]) -> (i32, String) {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(krate, copy.path());
    let patch =
        format!("patch.crates-io.keur-core.path = {:?}", root().join("crates/core").display().to_string());
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--offline", "--tests", "--no-fail-fast", "--config", &patch]);
    command.arg("--target-dir").arg(builds());
    let run = run(command.args(args).current_dir(copy.path()));
    (run.code, run.all())
}

/// The target folder that all crates share.
fn builds() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust")
}

fn solution(exercise: &str) -> PathBuf {
    root().join("fixtures/rust").join(exercise)
}

#[test]
fn correct_types_pass_every_case_of_every_exercise() {
    for exercise in EXERCISES.iter().map(|exercise| exercise.name) {
        let (code, text) = cargo_test(&solution(exercise), &[]);
        assert_eq!(code, 0, "{text}");
        // On the scale of the exercise and in its language, like `keur grade`.
        let points: Vec<&str> = text.lines().filter(|line| line.contains(" · ")).collect();
        let [line] = points[..] else { panic!("{text}") };
        let numbers: Vec<&str> = line.split(' ').filter(|word| word.starts_with(char::is_numeric)).collect();
        assert!(numbers.len() == 4 && numbers[0] == numbers[1] && numbers[2] == numbers[3], "{line}");
        assert!(exercise != "codenames" || line.starts_with("20 van 20 punten · "), "{line}");
    }
}

#[test]
fn cases_are_listed_filtered_and_named_as_ever() {
    let quixo = solution("quixo");
    let (_, list) = cargo_test(&quixo, &["--test", "grade", "--", "--list"]);
    assert!(list.contains("quixo::spec_session: test"), "{list}");
    let (code, one) = cargo_test(&quixo, &["--test", "grade", "--", "--exact", "quixo::spec_session"]);
    assert!(code == 0 && one.contains("1 passed") && one.contains("1 van 1 testgevallen"), "{one}");
}

/// `cargo nextest` lists the tests of a program twice, and runs each in a separate process.
#[test]
fn tests_are_run_one_by_one_as_nextest_runs_them() {
    let ask = |args: &[&str]| cargo_test(&solution("quixo"), &[&["--test", "grade", "--"], args].concat());
    let (_, listed) = ask(&["--list", "--format", "terse"]);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    assert!(names.len() > 20 && names.contains(&"quixo::spec_session"), "{listed}");
    let (_, ignored) = ask(&["--list", "--format", "terse", "--ignored"]);
    assert!(!ignored.contains(": test"), "{ignored}");
    let (code, one) = ask(&["quixo::spec_session", "--exact", "--nocapture"]);
    assert!(code == 0 && one.contains("1 passed"), "{one}");
}

#[test]
fn a_panic_fails_only_its_own_case() {
    let (code, text) = cargo_test(&root().join("fixtures/rust/broken"), &[]);
    assert_eq!(code, 101, "{text}");
    let section = |case: &str| {
        let begin =
            text.find(&format!("---- quixo::{case} ----")).unwrap_or_else(|| panic!("{case}: {text}"));
        let rest = &text[begin + 4..];
        rest[..rest.find("\n---- ").unwrap_or(rest.len())].to_owned()
    };
    for (case, says) in [
        ("own_die", "te lang"),
        ("top_edge", "met exitcode 0"),
        ("ten_by_ten", "tijdens de test (signaal"),
        ("spec_session", "stap 2"),
        ("spec_session", "let quixo01 = Quixo::new("),
    ] {
        // A problem is told in the first of its cases that ran.
        let told = section(case);
        let first = told.split("hetzelfde probleem als in quixo::").nth(1);
        let first = first.and_then(|rest| rest.split_whitespace().next());
        let told = first.map(section).unwrap_or(told);
        assert!(told.contains(says), "{says:?} is not in {told}");
    }
    #[cfg(target_os = "linux")]
    assert!(text.contains("what is not its own cannot be read: Permission denied"), "it is confined: {text}");
    assert!(
        text.contains("an index out of bounds (src/lib.rs:"),
        "a panic is reported with its place: {text}"
    );
    assert!(
        text.contains("test quixo::zero_is_no_size ... ok") || text.contains("zero_is_no_size    ... ok"),
        "{text}"
    );
}

/// The end of a starter's manifest until keur-core is published: where keur's source is.
const SOURCE: &str = "\n[patch.crates-io]\nkeur-core = { path = \"../keur/crates/core\" }\n";

/// Writes where keur is into the manifest of a starter's copy, as its README says.
fn fill_in(manifest: &Path) {
    let text = fs::read_to_string(manifest).unwrap();
    let core = root().join("crates/core").display().to_string();
    let here = format!("\n[patch.crates-io]\nkeur-core = {{ path = {core:?} }}\n");
    fs::write(manifest, text.replace(SOURCE, "") + &here).unwrap();
}

/// Obeys a command of a README in the folder of a starter's copy.
fn obey(command: &str, folder: &Path) -> (i32, String) {
    let shell = run(Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", builds()));
    (shell.code, shell.all())
}

#[test]
fn a_starter_runs_once_copied_as_its_readme_says() {
    for exercise in EXERCISES {
        let copy = tempfile::tempdir().unwrap();
        let starter = root().join(format!("templates/rust-{}", exercise.name));
        copy_folder(&starter, copy.path());
        let readme = fs::read_to_string(copy.path().join("README.md")).unwrap();
        fill_in(&copy.path().join("Cargo.toml"));
        let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("cargo ")).collect();
        assert_eq!(commands.len(), 2, "{readme}");
        for command in commands {
            let (code, text) = obey(command, copy.path());
            assert_eq!(code, 101, "{}: {command}\n{text}", starter.display());
            assert!(!text.contains("warning: unused") && !text.contains("generated 1 warning"), "{text}");
            let ran = |line: &str| line.starts_with("0 ") && line.contains(" · ");
            assert!(
                text.lines().any(ran) && !text.contains("running 0 tests\n\ntest result: FAILED"),
                "{text}"
            );
            let said = ["nog niet geschreven", "ikke skrevet endnu"].iter().any(|said| text.contains(said));
            let kept =
                ["exception", "hint: ", "verwacht ", "forventet "].iter().any(|kept| text.contains(kept));
            assert!(said && !kept && text.contains("not implemented: "), "{text}");
        }
    }
}

#[test]
fn a_starter_is_a_member_of_a_courses_workspace_once_its_end_is_moved_there() {
    let course = tempfile::tempdir().unwrap();
    let member = course.path().join("an");
    copy_folder(&root().join("templates/rust-quixo"), &member);
    let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
    let (own, moved) = manifest.split_once("[workspace]\n").unwrap();
    fs::write(member.join("Cargo.toml"), own).unwrap();
    let workspace = course.path().join("Cargo.toml");
    fs::write(&workspace, format!("[workspace]\nmembers = [\"*\"]\n{moved}")).unwrap();
    fill_in(&workspace);
    let (code, text) = obey("cargo test", &member);
    assert!(code == 101 && text.contains("0 van 29 punten"), "{text}");
}

/// Sessions of every case of an exercise in Rust, each as a function.
fn sessions(exercise: &str, krate: &Path) -> String {
    let loaded = Library::BuiltIn.load(exercise).unwrap();
    let dialect = Dialect::of(languages::find("rust").unwrap());
    let naming = dialect.naming(&loaded.exercise);
    let name = "tests/grade.rs".to_owned();
    let bytes = fs::read(krate.join(&name)).unwrap().into();
    let test = SourceFile { module: Some(name.clone()), path: None, name, bytes };
    let bundle = Bundle { files: vec![test], ..Bundle::default() };
    let mut source = String::from("fn main() {}\n");
    for case in &loaded.cases {
        let plan = &case.plan;
        let lines = plan.steps.iter().flat_map(PlanStep::lines);
        let writer = SessionWriter::new(&naming, &dialect).with_objects(lines).with_files(Some(&bundle));
        source += &format!("#[allow(dead_code)]\nfn {}() {{\n", case.name);
        for line in writer.imports(&plan.definitions()) {
            source += &format!("    {}\n", line.text);
        }
        for step in &plan.steps {
            let Some(calls) = step.calls() else { continue };
            for (at, line) in calls.lines.iter().enumerate() {
                let prints = calls.want.text && at + 1 == calls.lines.len();
                source += &format!("    {}\n", writer.line(line, prints));
            }
        }
        source += "}\n";
    }
    source
}

#[test]
fn the_session_of_every_case_compiles_as_it_is_pasted() {
    for exercise in EXERCISES.iter().map(|exercise| exercise.name) {
        let copy = tempfile::tempdir().unwrap();
        copy_folder(&solution(exercise), copy.path());
        let source = sessions(exercise, copy.path());
        assert!(source.contains("use keur_core::submit::") && source.contains(&format!("use {exercise}::")));
        fs::write(copy.path().join("tests/sessions.rs"), &source).unwrap();
        let manifest = fs::read_to_string(copy.path().join("Cargo.toml")).unwrap();
        let target = "\n[[test]]\nname = \"sessions\"\nharness = false\n";
        fs::write(copy.path().join("Cargo.toml"), manifest + target).unwrap();
        let (code, text) = cargo_test(copy.path(), &["--test", "sessions", "--no-run"]);
        assert_eq!(code, 0, "{text}");
    }
}

#[test]
fn cases_that_depend_on_a_ruling_count_if_asked_for_and_are_told_otherwise() {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&solution("quixo"), copy.path());
    let source = copy.path().join("src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text.replace("ongeldige beurt", "verkeerde beurt")).unwrap();
    let (code, text) = cargo_test(copy.path(), &["--test", "grade"]);
    assert!(code == 0 && text.contains("testgevallen hangen af van een interpretatie"), "{text}");
    let (code, text) = cargo_test(copy.path(), &["--test", "grade", "--", "--rulings"]);
    assert!(code == 101 && !text.contains("hangen af van een interpretatie"), "{text}");
    // The assignment names no message of a turn; the cases that ask for that of the course fail by it.
    let begin = text.find("---- quixo::die_must_move ----").unwrap();
    for says in ["een andere boodschap dan verwacht", "ongeldige beurt", "verkeerde beurt"] {
        assert!(text[begin..].contains(says), "{says}: {text}");
    }
}
