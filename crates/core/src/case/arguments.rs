//! The values of arguments in random sessions: `[arguments]` of an exercise.

use super::diagnostic::{Diagnostic, did_you_mean};
use super::model::Exercise;
use super::reader::{self, Entry};
use crate::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The longest text or list of a random session. What a mistake shows, it shows with few items too.
const LONGEST: u32 = 100;

/// The forms of a domain, for errors.
const FORMS: &str = "write { from = 0, to = 5 }, { one_of = [1, 2] }, { length = 8, of = \"ab\" } or { length = 3, list_of = { from = 0, to = 5 } }";

/// The values that a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// The integers from one to another, which are in it too.
    Integers {
        /// The smallest.
        from: i64,
        /// The largest.
        to: i64,
    },
    /// The numbers from one to another, which are in it too.
    Numbers {
        /// The smallest.
        from: f64,
        /// The largest.
        to: f64,
    },
    /// These values; at least one.
    OneOf(Vec<Value>),
    /// The texts of these characters, of which there is at least one.
    Text {
        /// The most characters.
        length: usize,
        /// The characters.
        of: Vec<char>,
    },
    /// The lists of such values.
    List {
        /// The most items.
        length: usize,
        /// The domain of an item.
        of: Box<Domain>,
    },
}

/// The domains in `[arguments]`, by parameter.
pub(super) fn arguments(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> BTreeMap<String, Domain> {
    let mut domains = BTreeMap::new();
    for (name, _, entry) in reader::entries(table, "arguments") {
        // A value of another type has its error already.
        if errors.iter().any(|error| entry.span().contains(&error.span.start)) {
            continue;
        }
        match domain(entry) {
            Ok(domain) => drop(domains.insert(name.to_owned(), domain)),
            Err(error) => errors.push(error),
        }
    }
    domains
}

/// Checks that `[arguments]` names parameters of the exercise.
pub(super) fn check_parameters(exercise: &Exercise, table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) {
    let mut known: Vec<&str> = exercise.parameters().map(|parameter| parameter.name.as_str()).collect();
    known.sort_unstable();
    known.dedup();
    for (name, span, _) in reader::entries(table, "arguments") {
        if !known.contains(&name) {
            let help = did_you_mean(name, known.iter().copied());
            errors.push(Diagnostic::new(format!("no parameter is called `{name}`"), span).maybe_help(help));
        }
    }
}

fn domain(entry: &Entry<'_>) -> Result<Domain, Diagnostic> {
    let unclear = || Diagnostic::new("this does not say which values there are", entry.span()).help(FORMS);
    let table = entry.get_ref().as_table().ok_or_else(unclear)?;
    let mut keys: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
    keys.sort_unstable();
    let given = |key: &str| reader::get(table, key).ok_or_else(unclear);
    match keys.as_slice() {
        ["from", "to"] => numbers(given("from")?, given("to")?),
        ["one_of"] => {
            let values = given("one_of")?;
            match reader::plain(values.get_ref()) {
                Some(Value::List(items)) if !items.is_empty() => Ok(Domain::OneOf(items)),
                _ => Err(Diagnostic::new("`one_of` is empty", values.span()).help("list the values")),
            }
        }
        ["length", "of"] => {
            let of = given("of")?;
            let characters: Vec<char> = of.get_ref().as_str().unwrap_or_default().chars().collect();
            if characters.is_empty() {
                let help = "name the characters of the texts: of = \"ab\"";
                return Err(Diagnostic::new("`of` is empty", of.span()).help(help));
            }
            Ok(Domain::Text { length: length(given("length")?)?, of: characters })
        }
        ["length", "list_of"] => {
            let of = Box::new(domain(given("list_of")?)?);
            Ok(Domain::List { length: length(given("length")?)?, of })
        }
        _ => Err(unclear()),
    }
}

fn numbers(from: &Entry<'_>, to: &Entry<'_>) -> Result<Domain, Diagnostic> {
    let span: Range<usize> = from.span().start..to.span().end.max(from.span().end);
    let integer = |entry: &Entry<'_>| match reader::plain(entry.get_ref()) {
        Some(Value::Int(int)) => int.to_i64(),
        _ => None,
    };
    let empty = |from: &str, to: &str| {
        Diagnostic::new(format!("there is no number from {from} to {to}"), span.clone())
            .help("`from` is the smallest number, and `to` is the largest")
    };
    if let (Some(from), Some(to)) = (integer(from), integer(to)) {
        let domain = Domain::Integers { from, to };
        return if from <= to { Ok(domain) } else { Err(empty(&from.to_string(), &to.to_string())) };
    }
    let number = |entry: &Entry<'_>| {
        reader::number(entry.get_ref()).filter(|number| number.is_finite()).ok_or_else(|| {
            Diagnostic::new("this number has no end", entry.span()).help("write a number such as 100.0")
        })
    };
    let (from, to) = (number(from)?, number(to)?);
    if from <= to { Ok(Domain::Numbers { from, to }) } else { Err(empty(&from.to_string(), &to.to_string())) }
}

fn length(entry: &Entry<'_>) -> Result<usize, Diagnostic> {
    let most = match entry.get_ref() {
        value @ DeValue::Integer(_) => reader::whole(value).filter(|most| (1..=LONGEST).contains(most)),
        _ => None,
    };
    most.and_then(|most| usize::try_from(most).ok()).ok_or_else(|| {
        Diagnostic::new(format!("`length` is a whole number from 1 to {LONGEST}"), entry.span())
            .help("it is the length of the longest text or list")
    })
}

#[cfg(test)]
mod tests {
    use super::Domain;
    use crate::case::parse_exercise;
    use crate::value::Value;

    fn parse(arguments: &str) -> Result<Vec<(String, Domain)>, String> {
        let source = format!(
            "title = \"Bank\"\nsession = \"python\"\n[function]\npay = [\"amount\", \"names?\"]\n\
             [arguments]\n{arguments}\n"
        );
        let read = parse_exercise("bank", "exercise.toml", &source);
        read.map(|exercise| exercise.arguments.into_iter().collect()).map_err(|errors| errors.to_string())
    }

    #[test]
    fn a_domain_says_which_values_a_parameter_takes() {
        let names = Domain::OneOf(vec![Value::from("An"), Value::from("Bo")]);
        for (text, domain) in [
            ("{ from = -1, to = 5 }", Domain::Integers { from: -1, to: 5 }),
            ("{ from = 0, to = 1.5 }", Domain::Numbers { from: 0.0, to: 1.5 }),
            ("{ one_of = [\"An\", \"Bo\"] }", names.clone()),
            ("{ length = 8, of = \"ab?\" }", Domain::Text { length: 8, of: vec!['a', 'b', '?'] }),
            (
                "{ length = 3, list_of = { one_of = [\"An\", \"Bo\"] } }",
                Domain::List { length: 3, of: Box::new(names) },
            ),
        ] {
            assert_eq!(parse(&format!("names = {text}")), Ok(vec![("names".to_owned(), domain)]), "{text}");
        }
    }

    #[test]
    fn errors_of_a_domain_name_their_place() {
        for (arguments, said) in [
            ("amuont = { from = 0, to = 5 }", "6:1: no parameter is called `amuont`; did you mean `amount`?"),
            ("amount = { from = 5, to = 0 }", "6:19: there is no number from 5 to 0; `from` is the smallest"),
            ("amount = { from = 0.5, to = 0 }", "6:19: there is no number from 0.5 to 0; "),
            ("amount = { from = 0.5, to = inf }", "6:29: this number has no end; "),
            ("amount = { from = 5 }", "6:10: this does not say which values there are; write { from = 0, "),
            (
                "amount = { from = 5, to = 6, one_of = [7] }",
                "6:10: this does not say which values there are; ",
            ),
            ("amount = { one_of = [] }", "6:21: `one_of` is empty; list the values"),
            ("amount = { one_of = 3 }", "6:21: `one_of` cannot be a number; it should be a list"),
            ("names = { length = 8, of = \"\" }", "6:28: `of` is empty; name the characters"),
            ("names = { length = 0, of = \"a\" }", "6:20: `length` is a whole number from 1 to 100; "),
            (
                "names = { length = 2, list_of = { to = 3 } }",
                "6:33: this does not say which values there are; ",
            ),
            (
                "names = { length = 2, list_of = { form = 3 } }",
                "6:35: unknown key `form`; did you mean `from`?",
            ),
            ("names = [1, 2]", "6:9: `names` cannot be a list; it should be a table"),
        ] {
            let errors = parse(arguments).expect_err(arguments);
            assert!(errors.starts_with(&format!("exercise.toml:{said}")), "{arguments}: {errors}");
            assert_eq!(errors.lines().count(), 1, "{errors}");
        }
    }
}
