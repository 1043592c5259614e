//! Attributes, items, operators and code of a case mean the same in every language, and leave no trace.

use super::{Course, meaning, verdicts};
use crate::required::needs;
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use keur_sandbox::Tier;

/// Grades a submission in both forms, in which every case must pass.
#[track_caller]
fn passes(file: &str, text: &str, interpreters: &Interpreters) {
    let mut cases: Vec<(&str, String)> =
        meaning::CASES.iter().map(|(name, steps)| (*name, meaning::case(name, steps))).collect();
    cases.push(("native", meaning::NATIVE.to_owned()));
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let course = Course::new(meaning::EXERCISE, &cases);
    let report =
        course.grade((file, text), interpreters, &mut Worker::new(Launcher::new(Tier::default(), 0)));
    for case in &report.cases {
        let said = case.finding.as_ref().map(|finding| (&finding.session, &finding.got, &finding.exception));
        assert_eq!(case.verdict, Verdict::Passed, "{file}: {said:#?}");
    }
    assert_eq!(verdicts(&report).len(), cases.len());
}

#[test]
fn operators_mean_the_same_in_every_language() {
    passes("accounts.py", meaning::PYTHON, &Interpreters::default());
    passes("accounts.js", meaning::JAVASCRIPT, &Interpreters::default());
}

#[test]
fn operators_mean_the_same_in_java() {
    needs!(Java);
    passes("Accounts.java", meaning::JAVA, &Interpreters::default());
}

#[cfg(feature = "quickjs")]
#[test]
fn operators_mean_the_same_on_the_engine_that_keur_carries() {
    passes("accounts.js", meaning::JAVASCRIPT, &crate::grading::embedded());
}

/// The finding on a line that raises, or asks for something that is not there.
#[track_caller]
fn fails(file: &str, text: &str, lines: &[(&str, &str)]) {
    let cases: Vec<(String, String)> = lines
        .iter()
        .enumerate()
        .map(|(i, (line, _))| {
            let steps = [("a = Account(5)", ""), ("b = Bag([1])", ""), (*line, "'never'")];
            (format!("case_{i}"), meaning::case(line, &steps).replace("title = \"", "title = \"It fails: "))
        })
        .collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let exercise = meaning::EXERCISE.replace("\"twice\"]", "\"twice\", \"balanse\", \"rate\", \"settle\"]");
    let course = Course::new(&exercise, &cases);
    let report = course.grade(
        (file, text),
        &Interpreters::default(),
        &mut Worker::new(Launcher::new(Tier::default(), 0)),
    );
    for (case, (line, says)) in report.cases.iter().zip(lines) {
        assert_ne!(case.verdict, Verdict::Passed, "{line}");
        let finding = case.finding.as_ref().unwrap();
        let said = format!("{:?} {:?} {:?}", finding.mistake, finding.got, finding.exception);
        assert!(said.contains(says), "{line}: {says:?} is not in {said}");
    }
}

#[test]
fn missing_names_are_named_in_javascript() {
    let lines = [
        ("a.balanse", r#"NoAttribute { class: "Account", name: "balanse", near: Some("balance") }"#),
        ("a.rate", r#"NoAttribute { class: "Account", name: "rate", near: None }"#),
        ("a.settle", r#"NotAttribute { class: "Account", name: "settle" }"#),
        ("a + a", r#"NoMethod { class: "Account", name: "+""#),
        ("b < b", r#"NoMethod { class: "Bag", name: "compareTo""#),
        ("len(a)", r#"NoMethod { class: "Account", name: "length""#),
        ("list(a)", r#"NoMethod { class: "Account", name: "[Symbol.iterator]""#),
        ("b[0:1]", r#"NoMethod { class: "Bag", name: "slice""#),
        ("repr(a)", r#"NoMethod { class: "Account", name: "repr""#),
        ("7 / (5 - a.balance)", "Error: division by zero"),
        ("[1][3]", "Error: list index out of range"),
        ("{'a': 1}['b']", "Error: 'b'"),
        ("'a' + 1", "TypeError: '+' is not supported for string and number"),
        ("len(1)", "TypeError: number has no length"),
        ("x, y = [1]", "Error: not enough values to unpack (expected 2, got 1)"),
    ];
    fails("accounts.js", meaning::JAVASCRIPT, &lines);
}

#[test]
fn missing_names_are_named_in_java() {
    needs!(Java);
    let lines = [
        ("a.balanse", r#"NoAttribute { class: "Account", name: "balanse", near: Some("balance") }"#),
        ("a.rate", r#"NoAttribute { class: "Account", name: "rate", near: None }"#),
        ("a.settle", r#"NotAttribute { class: "Account", name: "settle" }"#),
        ("a.balance = 'x'", "IllegalArgumentException: balance is of type int, and cannot be 'x'"),
        ("a + a", r#"NoMethod { class: "Account", name: "+""#),
        ("b < b", r#"NoMethod { class: "Bag", name: "compareTo""#),
        ("len(a)", r#"NoMethod { class: "Account", name: "size""#),
        ("list(a)", r#"NoMethod { class: "Account", name: "iterator""#),
        ("a[0]", r#"NoMethod { class: "Account", name: "get""#),
        ("repr(a)", r#"NoMethod { class: "Account", name: "repr""#),
        ("7 / (5 - a.balance)", "ArithmeticException: division by zero"),
        ("[1][3]", "IndexOutOfBoundsException: list index out of range"),
        ("{'a': 1}['b']", "NoSuchElementException: 'b'"),
        ("'a' + 1", "UnsupportedOperationException: '+' is not supported for String and Integer"),
        ("x, y = [1]", "IllegalArgumentException: not enough values to unpack (expected 2, got 1)"),
        ("a < 5", "ClassCastException: class java.lang.Integer cannot be cast to class Account\""),
    ];
    fails("Accounts.java", meaning::JAVA, &lines);
}
