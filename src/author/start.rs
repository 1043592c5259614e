//! The beginning of a case, for a person who writes the rest.

use keur_core::case::written::{key, string, strings};
use keur_core::case::{Convention, Exercise, Function, Parameter};
use keur_core::messages::LocalText;
use keur_core::named::Named;

/// The text of a new case in the file `path`. Its first calls have the names of parameters where values
/// belong, so that `keur check` names each that is still to be written.
pub fn started_case(exercise: &Exercise, title: &str, path: &str) -> String {
    let title = match exercise.title {
        LocalText::Plain(_) => string(title),
        LocalText::PerLang(_) => format!("{{ {} = {} }}", exercise.lang.name(), string(title)),
    };
    let calls = first_calls(exercise);
    let mut comment = Vec::new();
    if calls.iter().any(|call| !call.ends_with("()")) {
        comment.push(
            "Replace the names between the brackets by values, such as 3, 'a text' or [1, 2].".to_owned(),
        );
    }
    if calls.is_empty() {
        comment.push("Write what the program is given and what it `prints`, and add steps.".to_owned());
    } else {
        comment.push(
            "Add steps. Each can say what its call `returns`, `shows`, `prints` or `raises`.".to_owned(),
        );
    }
    if exercise.reference.is_some() && !calls.is_empty() {
        comment.push(format!(
            "`keur fill {path}` shows what the reference answers, and with --write writes it."
        ));
    }
    comment.push(format!("`keur check {path}` says what is still to do."));
    let comment: String = comment.iter().map(|line| format!("# {line}\n")).collect();
    let steps: Vec<String> = match calls.as_slice() {
        [] => vec![program(exercise)],
        calls => calls.iter().map(|call| format!("[[step]]\ndo = {}\n", string(call))).collect(),
    };
    format!("title = {title}\npoints = 1\n\n{comment}{}", steps.join("\n"))
}

/// Calls that make an object and call its first method, or a call of a function; none if there are only
/// programs.
fn first_calls(exercise: &Exercise) -> Vec<String> {
    let Some((name, class)) = exercise.classes.first_key_value() else {
        return first_function(exercise)
            .map(|(name, function)| function_call(name, function))
            .into_iter()
            .collect();
    };
    let object = Convention::Snake.spell(name);
    let mut calls = vec![format!("{object} = {name}({})", placeholders(&class.new))];
    calls.extend(
        class
            .methods
            .first_key_value()
            .map(|(method, parameters)| format!("{object}.{method}({})", placeholders(parameters))),
    );
    calls
}

/// The function that a session begins with: one that makes something of nothing, else the first.
fn first_function(exercise: &Exercise) -> Option<(&str, &Function)> {
    let needs_nothing = |function: &Function| function.args.iter().all(|parameter| parameter.optional);
    let makes = exercise.functions.iter().find(|(_, made)| made.returns.is_some() && needs_nothing(made));
    makes.or_else(|| exercise.functions.first_key_value()).map(|(name, function)| (name.as_str(), function))
}

fn function_call(name: &str, function: &Function) -> String {
    let call = format!("{name}({})", placeholders(&function.args));
    match &function.returns {
        Some((made, false)) => format!("{} = {call}", Convention::Snake.spell(made)),
        Some((_, true)) | None => call,
    }
}

/// The names of the parameters that a call must give.
fn placeholders(parameters: &[Parameter]) -> String {
    let needed = parameters.iter().filter(|parameter| !parameter.optional);
    needed.map(|parameter| parameter.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// A run of the first program, in the language of the exercise's own sessions if there is one.
fn program(exercise: &Exercise) -> String {
    let own = exercise.programs.get(exercise.session.language());
    let file = own.or_else(|| exercise.programs.values().next()).and_then(|files| files.first());
    let keys = [
        ("run", string(file.map_or("", String::as_str))),
        ("args", strings([])),
        ("stdin", string("")),
        ("prints", string("")),
    ];
    let lines = keys.map(|(name, value)| format!("{} = {value}\n", key(name)));
    format!("[[step]]\n{}", lines.concat())
}
