//! The invariants of a pasted text that becomes a case, whatever it is.

use keur::author::import::{CaseLabels, ShellSettings, Unreadable, import_runs, import_session};
use keur_core::case::{Exercise, FileErrors, Library, line_column, parse_cases};
use std::sync::LazyLock;

/// The built-in exercises: one with sessions in Python, and one with sessions in JavaScript.
static EXERCISES: LazyLock<[Exercise; 2]> = LazyLock::new(|| {
    ["yinyang", "quixo"].map(|name| Library::BuiltIn.describe(name).expect("a built-in exercise"))
});

/// The first of them without its reference, so that a case can have code of Python.
static WITHOUT_REFERENCE: LazyLock<Exercise> = LazyLock::new(|| {
    let mut exercise = EXERCISES[0].clone();
    exercise.reference = None;
    exercise
});

static WITH_PROGRAM: LazyLock<Exercise> =
    LazyLock::new(|| Library::BuiltIn.describe("alquerque").expect("a built-in exercise"));

pub(crate) fn check(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let labels = CaseLabels { title: "A session", name: "session", path: "session.toml" };
    check_runs(text, &labels);
    let [first, second] = &*EXERCISES;
    let ways = [
        (first, Unreadable::LeftOut),
        (second, Unreadable::LeftOut),
        (&*WITHOUT_REFERENCE, Unreadable::Native),
    ];
    for (exercise, unreadable) in ways {
        let import = || import_session(exercise, &labels, "session.txt", text, unreadable);
        match (import(), import()) {
            (Ok(made), Ok(again)) => {
                assert_eq!(made.text, again.text);
                let cases = parse_cases(exercise, "session", "session.toml", &made.text)
                    .expect("keur reads its own text");
                assert_eq!(cases.len(), 1);
                assert_eq!(cases[0].plan, made.case.plan);
                assert_eq!(made.lines.len(), made.case.plan.steps.len());
                assert!(made.lines.is_sorted());
                made.problems.iter().for_each(|problems| check_errors(problems, text));
            }
            (Err(errors), Err(again)) => {
                assert_eq!(errors, again);
                check_errors(&errors, text);
            }
            (Ok(_), Err(errors)) | (Err(errors), Ok(_)) => panic!("read once and refused once: {errors}"),
        }
    }
}

/// The same of runs in a shell.
fn check_runs(text: &str, labels: &CaseLabels<'_>) {
    let typed_after = ["? ".to_owned()];
    let settings = ShellSettings { typed_after: &typed_after, file: &|path| Some(path.to_owned()) };
    match import_runs(&WITH_PROGRAM, labels, "session.txt", text, &settings) {
        Ok(made) => {
            parse_cases(&WITH_PROGRAM, "session", "session.toml", &made.text)
                .expect("keur reads its own text");
            assert_eq!(made.lines.len(), made.case.plan.steps.len());
            made.problems.iter().for_each(|problems| check_errors(problems, text));
        }
        Err(errors) => check_errors(&errors, text),
    }
}

fn check_errors(errors: &FileErrors, source: &str) {
    assert_eq!(errors.source, source);
    assert!(!errors.diagnostics.is_empty());
    for diagnostic in &errors.diagnostics {
        assert!(
            source.get(diagnostic.span.clone()).is_some(),
            "{:?} of {} bytes",
            diagnostic.span,
            source.len()
        );
        assert!(line_column(source, diagnostic.span.start).0 >= 1);
    }
}
