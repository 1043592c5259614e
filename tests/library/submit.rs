//! Submissions in Rust: the crates of `fixtures/rust/` and `templates/rust-*/`, built and run as their
//! students do.

use crate::running::{copy_folder, root, run};
use keur_core::exercises::EXERCISES;
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
    command.arg("--target-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust"));
    let run = run(command.args(args).current_dir(copy.path()));
    (run.code, run.all())
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
        ("spec_session", "let mut quixo01 = Quixo::new("),
    ] {
        assert!(section(case).contains(says), "{says:?} is not in {}", section(case));
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

#[test]
fn templates_compile_without_warnings_and_fail_every_case_politely() {
    for exercise in EXERCISES {
        let template = root().join(format!("templates/rust-{}", exercise.name));
        let (code, text) = cargo_test(&template, &[]);
        assert_eq!(code, 101, "{}: {text}", template.display());
        assert!(!text.contains("warning: unused") && !text.contains("generated 1 warning"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("0 ") && line.contains(" · ")), "{text}");
        assert!(text.contains("not implemented: "), "{text}");
    }
}
