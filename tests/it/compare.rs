//! Expectations of a case compared with answers: matchers of texts, and tolerance.

use crate::grading;
use crate::running::{assert_says, folder, write_files};
use keur_core::adapter::{ActionResult, Dialect, Launcher, Observation, StepOutcome, StepTranscript};
use keur_core::case::{Case, Matcher, parse_cases, parse_exercise};
use keur_core::compare::{self, Failure, Mistake, NoOracle, PartProblem, StepResult, TextMistake, Verdict};
use keur_core::grade::Worker;
use keur_core::languages::{self, Interpreters};
use keur_core::value::Value;

const EXERCISE: &str = r#"
title = "Any"
session = "python"
files.python = ["any.py"]
files.javascript = ["any.js"]
function.f.args = []
"#;

/// The case with one step of these keys, and its errors.
fn case(exercise: &str, keys: &str) -> Result<Case, String> {
    let exercise = parse_exercise("any", "exercise.toml", &format!("{EXERCISE}\n{exercise}")).unwrap();
    let source = format!("title = \"A case\"\n[[step]]\ndo = \"f()\"\n{keys}\n");
    parse_cases(&exercise, "case", "case.toml", &source)
        .map(|mut cases| cases.remove(0))
        .map_err(|errors| errors.to_string())
}

/// The failure of a step with these keys that gave `value`, has this text and printed `out`.
fn failure(language: &str, case: &Case, value: Value, text: &str, out: &str) -> Option<Failure> {
    let dialect = Dialect::of(languages::find(language).unwrap());
    let outcome = StepOutcome::Value { value: Some(value), text: Some(Value::from(text)) };
    let observation = Observation { output: out.into(), ..Observation::bare(outcome) };
    let seen = StepTranscript { result: ActionResult::Calls(vec![observation]), files: None };
    let Ok(result) = compare::step(&case.plan.steps[0], &case.expect[0], &seen, &dialect, &mut NoOracle);
    match result {
        StepResult::Failed(failure) => Some(*failure),
        StepResult::Passed => None,
        StepResult::NotRun => panic!("not run"),
    }
}

/// The mismatch of what a step with these keys printed, and the text that a finding then shows as
/// expected.
fn printed(keys: &str, out: &str) -> Option<(Mistake, String)> {
    let failure = failure("python", &case("", keys).unwrap(), Value::None, "", out)?;
    Some((failure.mistake, failure.expected.unwrap_or_default()))
}

fn part(part: &str, why: PartProblem) -> Mistake {
    Mistake::Text(TextMistake::Part { part: part.to_owned(), why })
}

#[track_caller]
fn check(keys: &str, out: &str, expected: Option<(Mistake, &str)>) {
    let expected = expected.map(|(mistake, text)| (mistake, text.to_owned()));
    assert_eq!(printed(keys, out), expected, "{keys}: {out:?}");
}

#[track_caller]
fn wrong(keys: &str, message: &str) {
    let said = case("", keys).unwrap_err();
    assert_says(&said, message);
}

#[test]
fn a_text_may_contain_what_is_asked() {
    let average = "prints = { contains = \"Average: 20.0\" }";
    check(average, "Data\nAverage: 20.0 (of 3)\n", None);
    let lacks = |why| Some((part("Average: 20.0", why), "Average: 20.0"));
    check(average, "Average: 2.0\n", lacks(PartProblem::Missing));
    check(average, "average: 20.0\n", lacks(PartProblem::Capitals));
    check(average, "Average:  20.0\n", lacks(PartProblem::Blanks));
    check(average, "\n", Some((Mistake::Text(TextMistake::NoOutput), "Average: 20.0")));
    let both = "prints = { contains = [\"one\", \"two\"] }";
    check(both, "one and two", None);
    check(both, "two and one", Some((part("two", PartProblem::Order), "two")));
    check(both, "two", Some((part("one", PartProblem::Missing), "one")));
}

#[test]
fn the_lines_of_a_text_may_come_in_any_order() {
    let lines = "prints = { any_order = \"a\\nb\\nb\\n\" }";
    check(lines, "b\na\nb\n", None);
    let missing =
        |first: &str, count| Mistake::Text(TextMistake::MissingLines { first: first.to_owned(), count });
    check(lines, "b\nc\nb\n", Some((missing("a", 1), "b\na\nb")));
    check(lines, "b\n", Some((missing("a", 2), "b\na\nb")));
    let extra = Mistake::Text(TextMistake::ExtraLines { first: "b".to_owned(), count: 1 });
    check(lines, "b\nb\nb\na\n", Some((extra, "b\nb\na")));
    check(lines, "", Some((Mistake::Text(TextMistake::NoOutput), "a\nb\nb")));
}

/// Of very many lines only the first ones are looked at, and none is called missing that may come later.
#[test]
fn a_thousand_lines_too_many_in_any_order_are_enough() {
    let late = "b\n".repeat(5000) + "a\n";
    let extra = Mistake::Text(TextMistake::ExtraLines { first: "b".to_owned(), count: 4998 });
    check("prints = { any_order = \"a\\nb\\nb\\n\" }", &late, Some((extra, "b\nb\na")));
}

#[test]
fn a_text_may_have_a_form() {
    let form = "prints = { matches = '^\\d+ points$' }";
    check(form, "12 points\n", None);
    check(form, "no points\n", Some((Mistake::Text(TextMistake::Form), r"/^\d+ points$/")));
    let shows = case("", "shows = { matches = \"^<.>$\" }").unwrap();
    assert_eq!(failure("python", &shows, Value::None, "<a>", ""), None);
    assert_eq!(
        failure("python", &shows, Value::None, "a", "").unwrap().mistake,
        Mistake::Text(TextMistake::Form)
    );
    let object = failure("python", &shows, Value::None, "<any.A object at 0x7f0000000000>", "").unwrap();
    assert_eq!(object.mistake, Mistake::Text(TextMistake::OfObject { method: "__str__".to_owned() }));
}

#[test]
fn errors_in_a_text_matcher_are_reported() {
    wrong("prints = {}", "an empty table has no matcher");
    wrong("prints = { contains = [] }", "`contains` has nothing to look for");
    wrong("prints = { contains = [\"a\", \"\"] }", "every text contains an empty one");
    wrong("shows = { matches = \"(\" }", "`matches` is not a regular expression");
    wrong("shows = { contains = \"a\", matches = \"b\" }", "not both `contains` and `matches`");
    wrong("prints = { contain = \"a\" }", "did you mean `contains`?");
    wrong("prints = 3", "`prints` cannot be a number");
}

/// A class with a subclass, in each language that is tested here.
const SHAPES: [(&str, &str); 2] = [
    (
        "any.py",
        "class Shape:\n    pass\n\nclass Circle(Shape):\n    pass\n\ndef f(n):\n    return [Circle(), Shape(), True, None][n]\n",
    ),
    (
        "any.js",
        "class Shape {}\nclass Circle extends Shape {}\nfunction f(n) { return [new Circle(), new Shape(), true, null][n]; }\n",
    ),
];

/// The verdict on each shape of a submission, of a case that expects this.
fn graded((file, text): (&str, &str), returns: &str) -> Vec<Verdict> {
    let exercise = EXERCISE.replace("function.f.args = []", "function.f.args = [\"n\"]");
    let folder = folder(&[("cases/exercise.toml", &exercise), (file, text)]);
    for n in 0..4 {
        let case = format!("title = \"{n}\"\n[[step]]\ndo = \"f({n})\"\nreturns = {returns}\n");
        write_files(folder.path(), &[(&format!("cases/{n}.toml"), &case)]);
    }
    let loaded = grading::load(&folder.path().join("cases")).unwrap();
    let path = folder.path().join(file);
    let report =
        grading::grade(&loaded, &path, &mut Worker::new(Launcher::portable(0)), &Interpreters::default())
            .unwrap();
    report.cases.iter().map(|case| case.verdict).collect()
}

#[test]
fn an_instance_may_be_of_a_subclass_and_a_type_is_exact() {
    use Verdict::{Passed, WrongValue};
    for shapes in SHAPES {
        let check = |returns: &str, verdicts: [Verdict; 4]| {
            assert_eq!(graded(shapes, returns), verdicts, "{returns} in {}", shapes.0);
        };
        check("{ instance = \"Shape\" }", [Passed, Passed, WrongValue, WrongValue]);
        check("{ instance = \"Circle\" }", [Passed, WrongValue, WrongValue, WrongValue]);
        check("{ instance = \"bool\" }", [WrongValue, WrongValue, Passed, WrongValue]);
        check("{ type = \"Shape\" }", [WrongValue, Passed, WrongValue, WrongValue]);
    }
}

/// The mismatch of a value, and the sides that a finding shows.
fn returned(language: &str, exercise: &str, keys: &str, value: Value) -> Option<(Mistake, String, String)> {
    let failure = failure(language, &case(exercise, keys).unwrap(), value, "", "")?;
    Some((failure.mistake, failure.expected.unwrap_or_default(), failure.got.unwrap_or_default()))
}

/// Checks a value of Python that a literal gives; `sides` are the expected and the actual one, if it is
/// wrong.
#[track_caller]
fn check_value(compare: &str, expected: &str, got: &str, sides: Option<(&str, &str)>) {
    let got_value = literal(got);
    let keys = format!("equals = \"{expected}\"\ncompare = {{ {compare} }}");
    let wrong = returned("python", "", &keys, got_value);
    let wrong = wrong.as_ref().map(|(_, expected, got)| (expected.as_str(), got.as_str()));
    assert_eq!(wrong, sides, "{compare}: {expected}, {got}");
}

/// The value of a literal in a case.
fn literal(text: &str) -> Value {
    let case = case("", &format!("equals = \"{text}\"")).unwrap();
    let matcher = &case.expect[0].value.as_ref().unwrap().matcher;
    let Matcher::Exact(value) = matcher else { panic!("{matcher:?}") };
    value.clone()
}

#[test]
fn an_integer_is_a_float_only_where_numbers_are_loose() {
    check_value("", "3", "3.0", Some(("3", "3.0")));
    check_value("numbers = 'loose'", "3", "3.0", None);
    check_value("numbers = 'loose'", "[{1: (3.0, 2)}]", "[{1.0: (3, 2.0)}]", None);
    check_value("numbers = 'loose'", "1", "True", Some(("1", "True")));
    check_value("numbers = 'loose'", "{1, 2}", "{2.0, 1.0}", None);
    check_value("numbers = 'loose'", "[1, 2]", "[1.0, 3.0]", Some(("[1.0, 2]", "[1.0, 3.0]")));
    // Where the numbers do not decide, nothing is said of them.
    check_value("within = 0.5", "3", "3.0", Some(("3", "3.0")));
    check_value("within = 0.5", "3.0", "'3.0'", Some(("3.0", "'3.0'")));
    check_value("within = 0.5", "[1.0, 2.0]", "[7.0]", Some(("[1.0, 2.0]", "[7.0]")));
}

#[test]
fn a_number_may_differ_by_what_is_allowed() {
    check_value("within = 0.01", "3.14", "3.1416", None);
    check_value("within = 0.01", "20.0", "20.01", None);
    check_value("within = 0.01", "3.14", "3.2", Some(("3.14 ± 0.01", "3.2")));
    check_value("relative = 0.001", "3140.0", "3141.5", None);
    check_value("relative = 0.001", "3140.0", "3144.0", Some(("3140.0 ± 3.14", "3144.0")));
    check_value("within = 1, relative = 0.5", "1.0", "2.0", None);
    check_value("within = 1", "3", "4", None);
    check_value("within = 1, numbers = 'loose'", "3", "3.5", None);
    check_value("within = 1e9", "inf", "1e308", Some(("inf", "1e+308")));
    check_value("relative = 1", "inf", "0.0", Some(("inf", "0.0")));
    check_value("within = 0.1", "nan", "nan", None);
    check_value("within = 0.1", "nan", "0.0", Some(("nan", "0.0")));
    let (large, next) = ("100000000000000000000", "100000000000000000001");
    check_value("within = 0.5", large, next, Some((&format!("{large} ± 0.5"), next)));
    check_value("within = 1e6", large, next, None);
}

#[test]
fn rounding_of_floats_costs_nothing_unless_an_exercise_says_so() {
    check_value("", "0.3", "0.30000000000000004", None);
    check_value("", "[{0.3: (1e20,)}]", "[{0.30000000000000004: (1.00000000001e20,)}]", None);
    check_value("", "{0.3, 1}", "{1, 0.30000000000000004}", None);
    // The allowance is told where it decides.
    check_value("", "0.3", "0.3000001", Some(("0.3 ± 1e-09", "0.3000001")));
    check_value("", "[0.3]", "[0.3000001]", Some(("[0.3] ± 1e-09", "[0.3000001]")));
    check_value("", "0.3", "0.4", Some(("0.3", "0.4")));
    let exact = "within = 0, relative = 0";
    check_value(exact, "0.3", "0.30000000000000004", Some(("0.3", "0.30000000000000004")));
    check_value("", "10000000000", "10000000001", Some(("10000000000", "10000000001")));
    // JavaScript's whole numbers are its integers.
    let javascript = |keys, got| returned("javascript", "", keys, Value::Number(got));
    assert_eq!(javascript("returns = 3", 3.000_000_000_000_000_4), None);
    assert!(javascript("returns = 10000000000", 10_000_000_001.0).is_some());
}

#[test]
fn the_tolerance_reaches_all_of_a_value_and_only_what_is_wrong_differs() {
    let within = "within = 0.01";
    check_value(within, "{'a': [1.0, (2.0,)]}", "{'a': [1.001, (2.001,)]}", None);
    check_value(
        within,
        "{'b': 2.0, 'a': [1.0, (2.0,)]}",
        "{'a': [1.001, (3.0,)], 'b': 2.001}",
        Some(("{'b': 2.001, 'a': [1.001, (2.0,)]} ± 0.01", "{'a': [1.001, (3.0,)], 'b': 2.001}")),
    );
    check_value(within, "[1.0, 2.0]", "[1.001]", Some(("[1.001, 2.0] ± 0.01", "[1.001]")));
    // Either may be the other's partner, but only one way fits both.
    check_value("within = 0.5", "{1.5, 1.0}", "{1.2, 1.8}", None);
    check_value(within, "{1.0, 2.0}", "{2.001, 3.0}", Some(("{1.0, 2.001} ± 0.01", "{2.001, 3.0}")));
    let any = "returns = { any_order = [1.0, 2.0] }\ncompare.within = 0.01";
    assert_eq!(returned("python", "", any, literal("[2.001, 1.0]")), None);
    let (_, expected, got) = returned("python", "", any, literal("[2.001, 4.0]")).unwrap();
    assert_eq!((expected.as_str(), got.as_str()), ("[1.0, 2.001] ± 0.01", "[2.001, 4.0]"));
}

#[test]
fn a_language_with_one_type_of_numbers_knows_no_difference() {
    let keys = "returns = 3\ncompare.within = 0.1";
    assert_eq!(returned("javascript", "", keys, Value::Number(3.05)), None);
    assert_eq!(returned("javascript", "", keys, Value::Number(3.5)).unwrap().1, "3 ± 0.1");
    let loose = "returns = 3\ncompare.numbers = \"loose\"";
    assert_eq!(returned("javascript", "", loose, Value::BigInt(3.into())), None);
}

#[test]
fn inner_settings_override_outer_ones_key_by_key() {
    let exercise =
        "[compare]\nwithin = 0.5\nnumbers = \"loose\"\ntext = { case = \"ignore\", blanks = \"collapse\" }";
    let gives = |keys: &str, value| returned("python", exercise, keys, value).is_none();
    assert!(gives("returns = 3", Value::Float(3.4)));
    assert!(!gives("returns = 3\ncompare.within = 0.1", Value::Float(3.4)));
    assert!(gives("returns = 3\ncompare.within = 0.1", Value::Float(3.0)));
    assert!(!gives("returns = 3\ncompare = { within = 0, numbers = \"exact\" }", Value::Float(3.0)));
    let prints =
        |keys: &str, out| failure("python", &case(exercise, keys).unwrap(), Value::None, "", out).is_none();
    assert!(prints("prints = \"A b\"", "a  B\n"));
    assert!(prints("prints = \"A b\"\ncompare.text.case = \"exact\"", "A  b\n"));
    assert!(!prints("prints = \"A b\"\ncompare.text.case = \"exact\"", "a  b\n"));
    // What a step returns is no text that is read: it is compared as a value.
    assert!(!gives("returns = \"a\"", Value::from("A")));
    let error = case("", "prints = \"\"\ncompare = { within = -1 }").unwrap_err();
    assert_says(&error, "`within` must be a number that is not negative");
}

#[test]
fn a_text_may_differ_in_what_makes_no_difference() {
    let text =
        |settings: &str, expected: &str| format!("prints = {expected:?}\ncompare.text = {{ {settings} }}");
    let [case, blanks, ends, numbers] =
        ["case = 'ignore'", "blanks = 'collapse'", "line_ends = 'trim'", "numbers_within = 0.01"];
    check(&text(case, "Hello World"), "hello WORLD\n", None);
    check(
        &text(case, "Hello World"),
        "hello  WORLD\n",
        Some((Mistake::Text(TextMistake::Blanks), "hello WORLD")),
    );
    check(&text(blanks, "a b\nc"), "  a\t b \nc\n", None);
    check(
        &text(blanks, "a b\nc"),
        "  a   b \n d\n",
        Some((Mistake::Text(TextMistake::Unexpected), "  a   b \n c")),
    );
    check(&text(ends, "a\nb"), "a  \nb\n\n\n", None);
    check(&text(ends, "a\nb"), "a  \nc\n\n\n", Some((Mistake::Text(TextMistake::Unexpected), "a  \nb\n\n")));
    check(&text(ends, "a b"), " a b\n", Some((Mistake::Text(TextMistake::Blanks), "a b")));
    check(&text(numbers, "Average: 20.0 of 3"), "Average: 20.001 of 3\n", None);
    let wrong = "Average: 20.001 of 4 ± 0.01";
    check(
        &text(numbers, "Average: 20.0 of 4"),
        "Average: 20.001 of 3\n",
        Some((Mistake::Text(TextMistake::Unexpected), wrong)),
    );
    check(&text(numbers, "x2 5-3"), "x2 5-3.001\n", None);
    check(&text(numbers, "x2"), "x2.001\n", Some((Mistake::Text(TextMistake::MoreOutput), "x2")));
    check(&text(numbers, "1e3 -2"), "1000 -2.00\n", None);
    check(
        &text(numbers, "12345678901234567890"),
        "12345678901234567891\n",
        Some((Mistake::Text(TextMistake::Unexpected), "12345678901234567890 ± 0.01")),
    );
    let contains =
        format!("prints = {{ contains = 'Average: 20.0' }}\ncompare.text = {{ {numbers}, {case} }}");
    check(&contains, "the average: 20.004!\n", None);
    check(
        &contains,
        "the average: 21\n",
        Some((part("Average: 20.0", PartProblem::Missing), "Average: 20.0")),
    );
    let lines = format!("prints = {{ any_order = \"a 1.0\\nb 2.0\" }}\ncompare.text = {{ {numbers} }}");
    check(&lines, "b 2.001\na 1\n", None);
}
