//! The languages that the exercise takes.

use super::ImportSettings;
use super::reading::{CALLED, LANGUAGES, Reader, WITH_CODE};
use super::suite::{Input, TestedSuite};
use std::ops::Range;

/// The languages in which keur gives a call standard input.
pub(super) const READING_CALLS: &[&str] = &["python", "cpp"];

/// A part of a suite that only some languages can do.
#[derive(Debug)]
pub(super) struct Restriction {
    /// The part, in words that "in python only" follows.
    pub(super) what: &'static str,
    pub(super) languages: Vec<String>,
    /// The languages that TESTed grades it in and keur does not, with their places.
    pub(super) lost: Vec<(String, Range<usize>)>,
    /// The bytes in the suite.
    pub(super) span: Range<usize>,
}

/// The languages in which keur can do what a test case does, and what that is.
fn able(input: &Input) -> (&'static str, &'static [&'static str]) {
    match input {
        Input::Main { .. } => ("keur runs programs", LANGUAGES),
        Input::Neutral(line) if line.names_constant() => {
            ("a case names constants of a submission", WITH_CODE)
        }
        Input::Neutral(_) => ("functions without a signature are called", CALLED),
        Input::Native(_) => ("a case can have code", WITH_CODE),
    }
}

/// Whether a test case does what keur can do in one of these languages.
pub(super) fn is_able(input: &Input, languages: &[&str]) -> bool {
    able(input).1.iter().any(|language| languages.contains(language))
}

/// The languages that the exercise takes: those of its code, or all that can do what it does.
pub(super) fn languages(
    reader: &mut Reader<'_>,
    suite: &TestedSuite,
    settings: &ImportSettings<'_>,
) -> Vec<&'static str> {
    let testcases = || suite.tabs.iter().flat_map(|tab| &tab.contexts).flat_map(|context| &context.testcases);
    let has_program = testcases().any(|testcase| matches!(testcase.input, Input::Main { .. }));
    let known = LANGUAGES.iter().copied();
    let mut languages: Vec<_> = match settings.only_language {
        Some(language) => known.filter(|known| *known == language).collect(),
        // The driver of TypeScript runs no programs.
        None if has_program => known.filter(|known| *known != "typescript").collect(),
        None => known.collect(),
    };
    // Those in which every native line is written, if there is one.
    let has_all_lines = |language: &str| {
        testcases().all(|testcase| match &testcase.input {
            Input::Native(native) => native.codes.contains_key(language),
            Input::Main { .. } | Input::Neutral(_) => true,
        })
    };
    if languages.iter().any(|language| has_all_lines(language)) {
        languages.retain(|language| has_all_lines(language));
    }
    for testcase in testcases() {
        if let (Some(stdin), Input::Neutral(_) | Input::Native(_)) = (&testcase.stdin, &testcase.input) {
            reader.restrict("a call reads standard input", READING_CALLS, &stdin.span);
        }
        let (what, can) = able(&testcase.input);
        reader.restrict(what, can, &testcase.span);
    }
    for restriction in std::mem::take(&mut reader.restrictions) {
        let is_allowed = |language: &str| restriction.languages.iter().any(|allowed| allowed == language);
        if !languages.iter().any(|language| is_allowed(language)) {
            let message = format!(
                "{} in {} only; this exercise has {}",
                restriction.what,
                restriction.languages.join(", "),
                languages.join(", ")
            );
            reader.problem(message, &restriction.span);
            continue;
        }
        for (language, span) in &restriction.lost {
            if languages.contains(&language.as_str()) {
                reader.problem(
                    format!("keur runs checks in Python, so the exercise takes no submissions in {language}"),
                    span,
                );
            }
        }
        languages.retain(|language| is_allowed(language));
    }
    languages
}
