//! The answers of the built-in references as expectations of a case.

use crate::author::ask::ask;
use crate::author::keys::expectation_keys;
use keur_core::adapter::{Adapter, Dialect, Launcher, NoGuide};
use keur_core::adapter::{Exception, Observation, StepOutcome};
use keur_core::case::{
    AskedStep, Bind, Exercise, Expect, Library, LimitsPatch, Matcher, cases_to_ask, parse_cases,
    parse_exercise, plan_of,
};
use keur_core::exercises::sessions::Look;
use keur_core::judge::{check_case, limits, reference_adapter};
use keur_core::languages::{self, Interpreters};
use keur_core::sessions::{Answers, NoExpectation};
use keur_core::value::{Cut, Text, Value};
use keur_sandbox::Tier;

const EXPECTATIONS: &[&str] = &["returns", "equals", "shows", "prints", "raises", "same"];

/// The steps of a case file, to change them.
fn steps(table: &mut toml::Table) -> impl Iterator<Item = &mut toml::Table> {
    table["step"].as_array_mut().unwrap().iter_mut().map(|step| step.as_table_mut().unwrap())
}

/// Whether only a person can write the expectation in this form.
fn needs_a_person(expect: &Expect) -> bool {
    let matcher = expect.value.as_ref().map(|returns| &returns.matcher);
    let plain = matcher.is_none_or(|matcher| matches!(matcher, Matcher::Plain(_) | Matcher::Exact(_)));
    !plain || expect.prints.is_some()
}

#[test]
fn every_case_without_expectations_gets_them_back_from_its_reference() {
    for name in Library::BuiltIn.names().unwrap() {
        let loaded = Library::BuiltIn.load(&name).unwrap();
        let exercise = &loaded.exercise;
        let dialect = Dialect::of(languages::find(exercise.session.language()).unwrap());
        let answers = Answers { exercise, dialect: &dialect, bundle: None };
        let mut adapter = reference_adapter(exercise).unwrap();
        let (interpreters, mut launcher) = (Interpreters::default(), Launcher::new(Tier::default(), 0));
        for original in loaded.cases.iter().filter(|case| case.random.is_none()) {
            let mut table: toml::Table = toml::from_str(&original.source).unwrap();
            for step in steps(&mut table) {
                EXPECTATIONS.iter().for_each(|key| drop(step.remove(*key)));
            }
            let bare = toml::to_string(&table).unwrap();
            let asked = cases_to_ask(exercise, &original.name, "bare.toml", &bare).unwrap();
            let [case] = asked.as_slice() else { panic!("{} has rows", original.name) };
            let mut replay = |plan: &_| {
                let limits = limits(&LimitsPatch::default(), case, exercise);
                adapter.replay(plan, &limits, &mut NoGuide)
            };
            let answered = ask(&answers, case, &mut replay).unwrap();
            let mut typed: Vec<Expect> = Vec::new();
            for ((answer, step), bare) in answered.into_iter().zip(steps(&mut table)).zip(&case.expect) {
                let Some(expect) = answer.expect else {
                    typed.push(bare.clone());
                    continue;
                };
                let expect = expect.unwrap_or_else(|error| panic!("{}: {error}", original.name));
                for (key, value) in expectation_keys(&expect, &bare.tolerance) {
                    let line: toml::Table = toml::from_str(&format!("{key} = {value}")).unwrap();
                    step.insert(key.to_owned(), line[key].clone());
                }
                typed.push(expect);
            }
            // The text means what is typed, and the reference answers so.
            let text = toml::to_string(&table).unwrap();
            let parsed = parse_cases(exercise, &original.name, "filled.toml", &text).unwrap();
            let described = |all: &[Expect]| all.iter().map(Expect::described).collect::<Vec<_>>();
            assert_eq!(described(&parsed[0].expect), described(&typed), "{}", original.name);
            if let Err(error) = check_case(exercise, &parsed[0], &mut adapter, &interpreters, &mut launcher) {
                panic!("{text}\n{error}");
            }
            // Where a person expects an answer, one is expected.
            for (index, (expect, typed)) in original.expect.iter().zip(&typed).enumerate() {
                let line = case.plan.steps[index].lines().last();
                let binds = line.is_some_and(|line| line.bind != Bind::Nothing);
                let any = typed.has_any() || !expect.has_any() || needs_a_person(expect) || binds;
                assert!(any, "{} step {}: nothing for {expect:?}", original.name, index + 1);
            }
        }
    }
}

fn exercise(text: &str) -> Exercise {
    let start = "title = \"A bank\"\nsession = \"python\"\n";
    let definitions =
        "[files]\npython = [\"bank.py\"]\njavascript = [\"bank.js\"]\n[function]\nf = { args = [] }\n";
    parse_exercise("bank", "exercise.toml", &format!("{start}{text}{definitions}")).unwrap()
}

/// The keys for what `f()` gave in Python.
fn keys(exercise: &Exercise, outcome: StepOutcome, look: &Look) -> Result<String, NoExpectation> {
    let asked = AskedStep { lines: vec!["f()".to_owned()], value: true, text: true };
    let plan = plan_of(exercise, &[asked]).unwrap();
    let dialect = Dialect::of(languages::find("python").unwrap());
    let answers = Answers { exercise, dialect: &dialect, bundle: None };
    let observed = [Observation::bare(outcome)];
    let expect = answers.expected(&plan.steps[0], look, &observed, &exercise.tolerance)?;
    let keys = expectation_keys(&expect, &exercise.tolerance);
    Ok(keys.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join("; "))
}

#[test]
fn a_value_is_written_in_the_plainest_way() {
    let exercise = exercise("");
    let (one, two) = (|| Value::from(1), || Value::from(2));
    for (value, expected) in [
        (Value::from(true), Ok("returns = true")),
        (Value::Float(2.5), Ok("returns = 2.5")),
        (Value::Float(1.0 / 3.0), Ok("returns = 0.3333333333333333")),
        (Value::Float(f64::NAN), Ok("returns = nan")),
        (Value::from("it's"), Ok("returns = \"it's\"")),
        (Value::List(vec![one(), Value::from("a")]), Ok("returns = [1, \"a\"]")),
        (Value::None, Ok("equals = \"None\"")),
        (Value::Tuple(vec![one()]), Ok("equals = \"(1,)\"")),
        (Value::Set(Vec::new()), Ok("equals = \"set()\"")),
        (Value::Set(vec![two(), one()]), Ok("equals = \"{1, 2}\"")),
        (Value::Dict(vec![(Value::from("a"), one())]), Ok("equals = \"{'a': 1}\"")),
        (Value::Int("9223372036854775808".parse().unwrap()), Ok("equals = \"9223372036854775808\"")),
        (Value::Number(3.0), Ok("returns = 3")),
        (Value::Str(Text::from_units(vec![0xd800])), Ok("equals = \"'\\\\ud800'\"")),
        (Value::List(vec![Value::Opaque("Card".to_owned())]), Err(NoExpectation::Opaque("Card".to_owned()))),
        (Value::Cut(Cut::Size), Err(NoExpectation::TooLarge)),
    ] {
        let outcome = StepOutcome::Value { value: Some(value.clone()), text: None };
        let got = keys(&exercise, outcome, &Look::Value);
        assert_eq!(got.as_deref(), expected.as_ref().copied(), "{value:?}");
    }
}

#[test]
fn a_text_is_one_that_the_class_gives() {
    let exercise = exercise("");
    for (text, expected) in [
        ("one line", Ok("shows = \"one line\"")),
        ("a\nb", Ok("shows = \"\"\"\na\nb\n\"\"\"")),
        ("<bank.Account object at 0x7f0000000000>", Err(NoExpectation::Opaque("Account".to_owned()))),
    ] {
        let outcome = StepOutcome::Value { value: None, text: Some(Value::from(text)) };
        assert_eq!(keys(&exercise, outcome, &Look::Text).as_deref(), expected.as_ref().copied());
    }
}

#[test]
fn the_type_of_an_exception_is_written_unless_it_is_implied() {
    let plain = exercise("");
    let assertion = exercise("raises = \"AssertionError\"\n");
    let python = "type = { python = ";
    for (exercise, kind, message, expected) in [
        (&plain, "Exception", "no", "raises = \"no\"".to_owned()),
        (&plain, "Exception", "", "raises = true".to_owned()),
        (&plain, "ValueError", "no", format!("raises = {{ {python}\"ValueError\" }}, message = \"no\" }}")),
        (&plain, "ValueError", "", format!("raises = {{ {python}\"ValueError\" }} }}")),
        (&plain, "KeyError", "'a'", format!("raises = {{ {python}\"KeyError\" }} }}")),
        (&assertion, "AssertionError", "no", "raises = \"no\"".to_owned()),
        (
            &assertion,
            "ValueError",
            "no",
            format!("raises = {{ {python}\"ValueError\" }}, message = \"no\" }}"),
        ),
    ] {
        let raised = Exception {
            kind: kind.to_owned(),
            bases: vec![kind.to_owned(), "Exception".to_owned()],
            message: Some(Text::from(message)),
            ..Exception::default()
        };
        assert_eq!(keys(exercise, StepOutcome::Raised(raised), &Look::Value).unwrap(), expected);
    }
}
