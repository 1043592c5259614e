//! The invariants of an exercise file and a case file, whatever their text.

use keur::cli::underlined;
use keur_core::adapter::wire::{Request, Spelling};
use keur_core::case::{
    Calls, Case, Convention, Diagnostic, Exercise, FileErrors, Library, Naming, Points, line_column,
    parse_cases, parse_exercise,
};
use std::ops::Range;
use std::sync::LazyLock;

/// The boundary between an exercise and its case.
const BETWEEN: &str = "\n---\n";

/// A key that every exercise has, and no case.
const ONLY_EXERCISE: &str = "session";

/// The number of errors of a file that are shown.
const SHOWN: usize = 4;

/// The most bytes shown of one error, besides its message and its help.
const MOST_SHOWN: usize = 16 << 10;

/// An exercise with the definitions of the built-in ones.
static EXERCISE: LazyLock<Exercise> = LazyLock::new(|| {
    let exercises = Library::BuiltIn.load_all().expect("the built-in exercises");
    let all = exercises.into_iter().map(|loaded| loaded.exercise).reduce(|mut all, one| {
        all.classes.extend(one.classes);
        all.functions.extend(one.functions);
        all.views.extend(one.views);
        all
    });
    all.expect("a built-in exercise")
});

/// Checks an exercise and a case of it; without a boundary a key shows which of the two the text is.
pub(crate) fn check(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    match text.split_once(BETWEEN) {
        Some((exercise, case)) => {
            let own = check_exercise(exercise);
            check_case(own.as_ref().unwrap_or(&EXERCISE), case);
        }
        None if text.contains(ONLY_EXERCISE) => {
            check_exercise(text);
        }
        None => check_case(&EXERCISE, text),
    }
}

fn check_exercise(source: &str) -> Option<Exercise> {
    let parse = || parse_exercise("exercise", "exercise.toml", source);
    match (parse(), parse()) {
        (Ok(exercise), Ok(again)) => {
            assert_eq!(format!("{exercise:?}"), format!("{again:?}"));
            assert!(exercise.definitions().next().is_some());
            assert!(exercise.points.is_none_or(|points| points <= Points::MOST));
            Some(exercise)
        }
        (Err(errors), Err(again)) => {
            assert_eq!(errors, again);
            check_errors(&errors, source);
            None
        }
        (Ok(_), Err(errors)) | (Err(errors), Ok(_)) => panic!("read once and refused once: {errors}"),
    }
}

fn check_case(exercise: &Exercise, source: &str) {
    let parse = || parse_cases(exercise, "case", "case.toml", source);
    match (parse(), parse()) {
        (Ok(cases), Ok(again)) => {
            assert_eq!(format!("{cases:?}"), format!("{again:?}"));
            assert!(!cases.is_empty());
            cases.iter().for_each(|case| check_plan(exercise, case));
        }
        (Err(errors), Err(again)) => {
            assert_eq!(errors, again);
            check_errors(&errors, source);
        }
        (Ok(_), Err(errors)) | (Err(errors), Ok(_)) => panic!("read once and refused once: {errors}"),
    }
}

fn check_plan(exercise: &Exercise, case: &Case) {
    assert!(!case.plan.steps.is_empty());
    assert_eq!(case.plan.steps.len(), case.expect.len());
    assert!(case.points <= Points::MOST);
    for expect in &case.expect {
        check_span(&expect.span, &case.source);
        expect.value.iter().for_each(|returns| check_span(&returns.span, &case.source));
    }
    let defined: Vec<&str> = exercise.definitions().collect();
    assert!(case.plan.definitions().iter().all(|name| defined.contains(name)));
    for convention in [Convention::Snake, Convention::Camel] {
        let spoken = Spoken { naming: Naming::new(exercise, "python", convention), convention };
        for step in &case.plan.steps {
            assert!(step.calls().is_none_or(|calls| !calls.lines.is_empty()));
            for (line, want) in step.calls().into_iter().flat_map(Calls::wanted) {
                let request = Request::run(line, want, &spoken);
                assert!(request.as_str().starts_with('{'));
            }
        }
    }
}

fn check_errors(errors: &FileErrors, source: &str) {
    assert_eq!(errors.source, source);
    assert!(!errors.diagnostics.is_empty());
    assert!(errors.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start));
    for diagnostic in &errors.diagnostics {
        check_span(&diagnostic.span, source);
        assert!(!diagnostic.message.is_empty());
        let (line, column) = line_column(source, diagnostic.span.start);
        assert!(line >= 1 && column >= 1);
    }
    // Showing an error takes longer than finding it, and all are shown alike.
    let first: Vec<Diagnostic> = errors.diagnostics.iter().take(SHOWN).cloned().collect();
    let most: usize = first
        .iter()
        .map(|one| MOST_SHOWN + 4 * (one.message.len() + one.help.as_ref().map_or(0, String::len)))
        .sum();
    let shown = underlined(&FileErrors { diagnostics: first, ..errors.clone() }, false, 100);
    assert!(shown.len() <= most, "{} bytes are shown", shown.len());
    let control = shown.chars().find(|ch| ch.is_control() && *ch != '\n');
    assert_eq!(control, None, "{shown:?}");
}

fn check_span(span: &Range<usize>, source: &str) {
    assert!(source.get(span.clone()).is_some(), "{span:?} of {} bytes", source.len());
}

struct Spoken<'a> {
    naming: Naming<'a>,
    convention: Convention,
}

impl Spelling for Spoken<'_> {
    fn spell(&self, name: &str) -> String {
        self.naming.spell(name)
    }

    fn keywords(&self) -> bool {
        self.convention == Convention::Snake
    }

    fn language(&self) -> &str {
        "python"
    }
}
