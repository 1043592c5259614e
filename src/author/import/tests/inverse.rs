//! What `keur show` writes is read back as the same case, in Python and in JavaScript.

use super::{exercise, import};
use crate::author::show;
use keur_core::case::written::string;
use keur_core::case::{Bind, Case, Expect, Line, Node, parse_cases};
use keur_core::languages;
use keur_core::value::{Text, Value};
use proptest::prelude::*;

/// How `keur show` calls an answer that it looks at twice.
const ANSWER: &str = "answer";

/// A language, and what only it can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tongue {
    Python,
    JavaScript,
}

impl Tongue {
    fn name(self) -> &'static str {
        match self {
            Tongue::Python => "python",
            Tongue::JavaScript => "javascript",
        }
    }
}

/// A text without the marks that copying adds, which a reader removes.
fn any_text() -> impl Strategy<Value = String> {
    let copied =
        |ch: char| "\u{a0}\u{2007}\u{202f}\u{ad}\u{feff}\u{200b}\u{200c}\u{200d}\u{2060}".contains(ch);
    prop_oneof![
        "[a-z '\"\\\\\n\t>.#/{$`’“]{0,8}".prop_map(|text| text),
        any::<String>().prop_map(move |text| text.chars().filter(|ch| !copied(*ch)).take(8).collect()),
    ]
}

/// A value that both languages have: JavaScript has one type of number, and no tuples.
fn value(tongue: Tongue) -> BoxedStrategy<Value> {
    let float = (-1e6..1e6f64).prop_map(move |float| match tongue {
        Tongue::Python => Value::Float(float),
        Tongue::JavaScript => Value::Float(float.floor() + 0.5),
    });
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|int| Value::from(i64::from(int))),
        float,
        any_text().prop_map(|text| Value::Str(Text::from(text))),
    ];
    leaf.prop_recursive(2, 8, 3, move |inner| {
        let items = || prop::collection::vec(inner.clone(), 0..3);
        let pairs = prop::collection::vec((any_text(), inner.clone()), 0..3);
        let pairs = pairs.prop_map(|pairs| {
            Value::Dict(pairs.into_iter().map(|(key, value)| (Value::Str(Text::from(key)), value)).collect())
        });
        let tuple = items().prop_map(move |items| match tongue {
            Tongue::Python => Value::Tuple(items),
            Tongue::JavaScript => Value::List(items),
        });
        prop_oneof![items().prop_map(Value::List), tuple, items().prop_map(Value::Set), pairs]
    })
    .boxed()
}

/// The literal of a value in a case.
fn literal(value: &Value) -> String {
    languages::python::LANGUAGE.notation.literal(value)
}

/// A line over `a`, an account, and `x`, any value.
fn line(tongue: Tongue) -> impl Strategy<Value = String> {
    let call = value(tongue).prop_map(|value| literal(&value)).boxed();
    let small = -3..4i32;
    prop_oneof![
        call.clone().prop_map(|arg| format!("greet({arg})")),
        call.clone().prop_map(|arg| format!("greet(loud={arg})")),
        call.clone().prop_map(|arg| format!("average([x, {arg}])")),
        (call.clone(), small.clone()).prop_map(|(arg, amount)| format!("Account({arg}).pay_in({amount})")),
        small.clone().prop_map(|amount| format!("a.pay_in({amount}).pay_in(a.total()).total()")),
        Just("a.balance".to_owned()),
        Just("move({'k': x})".to_owned()),
        small.clone().prop_map(|index| format!("x[{index}]")),
        small.clone().prop_map(|start| format!("x[{start}:]")),
        Just("x[:2]".to_owned()),
        Just("sorted(x)[0]".to_owned()),
        Just("len(list(x)) <= a.total()".to_owned()),
        small.clone().prop_map(|left| format!("({left} + a.balance) * 2 - 7 // 2")),
        call.clone().prop_map(|item| format!("{item} in x")),
        call.prop_map(|item| format!("{item} not in x")),
        Just("isinstance(a, Account)".to_owned()),
        Just("not x".to_owned()),
    ]
}

/// A text that a program prints.
fn printed() -> impl Strategy<Value = String> {
    "[A-Z?+][a-z ?+.|-]{0,6}[a-z?](\n[A-Z?+|][a-z ?+.|-]{0,6}[a-z?]|\n){0,3}"
        .prop_filter("the last line is not empty", |text| !text.ends_with('\n'))
}

/// Expectations of a step, as keys of TOML.
fn expected(tongue: Tongue) -> impl Strategy<Value = String> {
    let plain = |value: &Value| {
        let is = |part: &Value| {
            !matches!(part, Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_))
        };
        !value.parts().any(is)
    };
    let value = value(tongue)
        .prop_map(move |value| {
            let key = if plain(&value) {
                format!("returns = {}", toml(&value))
            } else {
                format!("equals = {}", string(&literal(&value)))
            };
            format!("{key}\n")
        })
        .boxed();
    let message = "[a-z]{1,6}( [a-z:']{1,5}){0,2}";
    let kind = move |message: String| match tongue {
        Tongue::Python => format!("raises = {{ type = \"ValueError\", message = {} }}\n", string(&message)),
        Tongue::JavaScript => format!("raises = {}\n", string(&message)),
    };
    prop_oneof![
        Just(String::new()),
        value.clone(),
        value,
        printed().prop_map(|text| format!("shows = {}\n", string(&text))),
        printed().prop_map(|text| format!("prints = {}\n", string(&text))),
        (printed(), -9..9).prop_map(|(text, int)| format!("prints = {}\nreturns = {int}\n", string(&text))),
        message.prop_map(|message| format!("raises = {}\n", string(&message))),
        message.prop_map(kind),
        Just("same = \"a\"\n".to_owned()),
        Just("returns = { not_same = \"a\" }\n".to_owned()),
        Just("returns = { any_order = [1, \"b\"] }\n".to_owned()),
    ]
}

/// A plain value in TOML.
fn toml(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => format!("{float:?}"),
        Value::Str(text) => string(&text.to_lossy()),
        Value::List(items) => format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", ")),
        other @ (Value::None
        | Value::Undefined
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Tuple(_)
        | Value::Set(_)
        | Value::Dict(_)
        | Value::Opaque(_)
        | Value::Cut(_)) => panic!("{other:?} is not of TOML"),
    }
}

/// The text of a case.
fn case(tongue: Tongue) -> impl Strategy<Value = String> {
    let step = prop_oneof![
        4 => (line(tongue), expected(tongue)).prop_map(|(line, expected)| (vec![line], expected)),
        1 => line(tongue).prop_map(|line| (vec![format!("x = {line}")], String::new())),
        1 => (line(tongue), printed()).prop_map(|(line, text)| (vec![format!("x = {line}")], format!("prints = {}\n", string(&text)))),
        1 => (line(tongue), -9..9).prop_map(|(line, int)| (vec![format!("y = {line}"), "y".to_owned()], format!("returns = {int}\n"))),
        1 => Just((vec!["x, y = average(1)".to_owned()], String::new())),
        1 => Just((vec!["a.balance = 5".to_owned()], String::new())),
    ];
    prop::collection::vec(step, 1..6).prop_map(|steps| {
        let mut text = "title = 'T'\n[[step]]\ndo = [\"a = Account('An')\", \"x = greet()\"]\n".to_owned();
        for (lines, expected) in steps {
            let lines: Vec<String> = lines.iter().map(|line| string(line)).collect();
            text.push_str(&format!("[[step]]\ndo = [{}]\n{expected}", lines.join(", ")));
        }
        text
    })
}

/// Each line of a case, with what is expected of it. Keywords are those of a language that has them, and a
/// name that `keur show` gave to an answer is gone.
fn flat(case: &Case) -> Vec<String> {
    let mut lines: Vec<(Line, Expect)> = Vec::new();
    for (step, expect) in case.plan.steps.iter().zip(&case.expect) {
        let last = step.lines().len() - 1;
        for (index, line) in step.lines().iter().enumerate() {
            let expect = if index == last { expect.clone() } else { Expect::default() };
            let looks = matches!(&line.node, Node::Name(name) if name.starts_with(ANSWER));
            match lines.last_mut().filter(|_| looks) {
                Some((_, of)) => {
                    of.value = of.value.clone().or(expect.value);
                    of.shows = of.shows.clone().or(expect.shows);
                }
                None => lines.push((line.clone(), expect)),
            }
        }
    }
    let keyword = regex::Regex::new("keyword: (None|Some\\(\"[a-z]*\"\\)), ").unwrap();
    let described = lines.into_iter().map(|(line, expect)| {
        let named = line.bind.name().is_some_and(|name| name.starts_with(ANSWER));
        let bind = if named { Bind::Nothing } else { line.bind };
        let line = format!("{bind:?} {:?} {}", line.node, expect.described());
        keyword.replace_all(&line, "").into_owned()
    });
    described.collect()
}

fn check(tongue: Tongue, source: &str) {
    let exercise = exercise();
    let cases =
        parse_cases(&exercise, "t", "t.toml", source).unwrap_or_else(|errors| panic!("{errors}\n{source}"));
    let language = languages::find(tongue.name()).unwrap();
    let session = show(&exercise, &cases, language);
    let imported = import(&session).unwrap_or_else(|errors| panic!("{errors}\n{session}\n{source}"));
    assert_eq!(imported.problems.map(|problems| problems.to_string()), None, "{session}\n{source}");
    assert_eq!(flat(&imported.case), flat(&cases[0]), "{session}\n{}\n{source}", imported.text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_session_of_python_is_read_as_it_was_shown(source in case(Tongue::Python)) {
        check(Tongue::Python, &source);
    }

    #[test]
    fn a_session_of_javascript_is_read_as_it_was_shown(source in case(Tongue::JavaScript)) {
        check(Tongue::JavaScript, &source);
    }
}
