//! Warnings about case files, for their authors: what is valid, but can hardly be meant.

use crate::case::{
    Bind, Builtin, Case, CasePlace, CaseStep, Exercise, Expect, Matcher, Node, Operator, PlanStep,
    RaisedType, StepNo, near,
};
use crate::compare::PLAIN_TYPES;
use crate::languages::{self, Language};
use crate::named::Named;
use crate::value::{Text, Value};
use std::collections::BTreeSet;
use std::fmt;

/// The tags that decide whether a case counts.
const MEANINGFUL: [&str; 1] = ["ruling"];

/// The languages in which calls get input.
const CALLS_WITH_INPUT: [&str; 3] = ["python", "cpp", "c"];

/// A warning about a case: valid, but possibly not intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseWarning {
    /// The step's line in the case's file.
    pub place: CasePlace,
    /// The warning, and how to fix it.
    pub message: String,
}

impl fmt::Display for CaseWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "warning: {}", self.message)?;
        writeln!(f, " --> {}", self.place)
    }
}

/// The warnings for a case, in the order of its steps.
pub fn warnings(exercise: &Exercise, case: &Case) -> Vec<CaseWarning> {
    let mut found: Vec<(StepNo, String)> = Vec::new();
    found.extend(expects_nothing(case));
    found.extend(repeats(case));
    found.extend(operations(exercise, case));
    found.extend(equal_only(case));
    found.extend(misspelt_tags(case));
    found.extend(stdin_elsewhere(exercise, case));
    for step in case.steps() {
        found.extend(raises(exercise, step.expect).map(|message| (step.number, message)));
        found.extend(value_type(exercise, step.expect).map(|message| (step.number, message)));
    }
    found.sort_by_key(|(step, _)| *step);
    let warning = |(step, message)| CaseWarning { place: case.place(Some(step)), message };
    found.into_iter().map(warning).collect()
}

/// The languages in which an exercise takes submissions.
fn languages_of(exercise: &Exercise) -> impl Iterator<Item = &'static Language> {
    exercise.files.keys().filter_map(|language| languages::find(language))
}

/// The titles of languages, as a sentence lists them; `None` if there are none.
fn titles<'l>(languages: impl Iterator<Item = &'l Language>) -> Option<String> {
    let titles: Vec<&str> = languages.map(|language| language.title).collect();
    (!titles.is_empty()).then(|| titles.join(" and "))
}

/// A case of calls in which nothing is looked at: whatever is answered, it passes.
fn expects_nothing(case: &Case) -> Option<(StepNo, String)> {
    // A program that runs to its end without an exception is something to expect.
    let tells_nothing = |step: CaseStep<'_>| step.plan.calls().is_some() && !step.expect.has_any();
    let first = case.steps().next().filter(|_| case.steps().all(tells_nothing))?;
    let message = "no step of this case expects anything, so it passes whatever the calls give; say what one of them \
                   `returns`, `shows`, `prints` or `raises`";
    Some((first.number, message.to_owned()))
}

/// The steps that can tell nothing, because a step before them did the same and expected the same.
fn repeats(case: &Case) -> Vec<(StepNo, String)> {
    // What a call gives may depend on what an earlier one has read.
    let all_pure = case.plan.files.is_none() && case.plan.steps.iter().all(is_pure_call);
    let mut earlier: Vec<(&PlanStep, String)> = Vec::new();
    let mut found = Vec::new();
    for step in case.steps() {
        let this = (step.plan, step.expect.described());
        let is_repeated = if all_pure {
            earlier.contains(&this)
        } else {
            only_looks(step.plan) && earlier.last() == Some(&this)
        };
        if is_repeated && step.expect.has_any() {
            let message = "this step does and expects the same as one before it, and nothing in between can change \
                           the result; leave it out, or change one of them";
            found.push((step.number, message.to_owned()));
        }
        earlier.push(this);
    }
    found
}

/// The tags that are nearly one with a meaning.
fn misspelt_tags(case: &Case) -> impl Iterator<Item = (StepNo, String)> {
    case.tags.iter().filter_map(|tag| {
        let meant = near(tag, MEANINGFUL).filter(|meant| meant != tag)?;
        Some((StepNo::FIRST, format!("the tag `{tag}` has no meaning; did you mean `{meant}`?")))
    })
}

/// The first call that gets input, if the case counts for a language in which calls get none.
fn stdin_elsewhere(exercise: &Exercise, case: &Case) -> Option<(StepNo, String)> {
    let gets_input = |step: &CaseStep<'_>| {
        step.plan.lines().iter().any(|line| line.stdin.as_ref().is_some_and(|stdin| !stdin.text.is_empty()))
    };
    let first = case.steps().find(gets_input)?;
    let has_code =
        |step: CaseStep<'_>| step.plan.lines().iter().any(|line| matches!(line.node, Node::Native(_)));
    if case.steps().any(has_code) {
        return None;
    }
    let without =
        titles(languages_of(exercise).filter(|language| !CALLS_WITH_INPUT.contains(&language.name)))?;
    let message = format!(
        "calls get `stdin` only in Python, C++ and C: a submission in {without} stops the grading; write the call as \
         do = {{ python = \"…\" }}, so that the case counts in Python alone"
    );
    Some((first.number, message))
}

/// The first step that asks whether two objects are equal by the submission's own `==`, if no step of the case
/// asks it of two that differ: an `==` that always holds passes.
fn equal_only(case: &Case) -> Option<(StepNo, String)> {
    let asked = |step: CaseStep<'_>| {
        let Node::Operation(operator, sides) = &step.plan.lines().last()?.node else { return None };
        let returns = &step.expect.value.as_ref()?.matcher;
        let (Matcher::Plain(Value::Bool(holds)) | Matcher::Exact(Value::Bool(holds))) = returns else {
            return None;
        };
        let makes_object = sides.iter().any(has_new_object);
        match operator {
            Operator::Equal => Some((makes_object, *holds)),
            // Of two that are equal, this tests `!=` itself.
            Operator::NotEqual => Some((false, !holds)),
            _ => None,
        }
    };
    let first = case.steps().find(|step| asked(*step) == Some((true, true)))?;
    let has_different = case.steps().any(|step| asked(step).is_some_and(|(_, holds)| !holds));
    let message = "this is decided by the submission's own `==`, and one that always holds would pass; beside it, expect that two \
                   objects differ, as in do = \"a == b\" with returns = false";
    (!has_different).then(|| (first.number, message.to_owned()))
}

/// Whether a value is a new object, or a collection with one.
fn has_new_object(node: &Node) -> bool {
    match node {
        Node::New { .. } => true,
        Node::Items(_, items) => items.iter().any(has_new_object),
        Node::Pairs(pairs) => pairs.iter().any(|(key, value)| has_new_object(key) || has_new_object(value)),
        _ => false,
    }
}

/// Whether a step has no call, and so can change nothing.
fn only_looks(step: &PlanStep) -> bool {
    let looks = |node: &Node| {
        let mut calls = false;
        node.visit(&mut |node| {
            calls |= matches!(
                node,
                Node::New { .. } | Node::Function { .. } | Node::Method { .. } | Node::Native(_)
            );
        });
        !calls
    };
    step.calls().is_some() && step.lines().iter().all(|line| line.bind == Bind::Nothing && looks(&line.node))
}

/// Whether a step only calls functions, with nothing but values: what such a call gives hardly depends on
/// earlier ones.
fn is_pure_call(step: &PlanStep) -> bool {
    let pure = |node: &Node| {
        let mut impure = false;
        node.visit(&mut |node| {
            impure |=
                matches!(node, Node::New { .. } | Node::Method { .. } | Node::Name(_) | Node::Native(_));
        });
        !impure
    };
    step.calls().is_some() && step.lines().iter().all(|line| line.bind == Bind::Nothing && pure(&line.node))
}

/// The operations of steps on objects of the exercise's classes for which some language of the exercise has
/// no method.
fn operations(exercise: &Exercise, case: &Case) -> Vec<(StepNo, String)> {
    // Names of objects that the case made.
    let mut objects: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for step in case.steps() {
        for line in step.plan.lines() {
            let is_object = |node: &Node| {
                matches!(node, Node::New { .. })
                    || matches!(node, Node::Name(name) if objects.contains(name.as_str()))
            };
            let mut message = None;
            line.node.visit(&mut |node| {
                let (what, on) = if let Node::Operation(operator, operands) = node
                    && is_arithmetic(*operator)
                {
                    let sign = if *operator == Operator::Negate { "-" } else { operator.name() };
                    (sign, operands.as_slice())
                } else if let Node::Builtin(Builtin::Repr, args) = node {
                    ("repr", args.as_slice())
                } else if let Node::Slice { on, .. } = node {
                    ("[:]", std::slice::from_ref(on.as_ref()))
                } else {
                    return;
                };
                if message.is_none() && on.iter().any(is_object) {
                    message = lacks_operation(exercise, what);
                }
            });
            let is_bound = line.bind.name().is_some() && is_object(&line.node);
            found.extend(message.map(|message| (step.number, message)));
            for name in line.bind.names() {
                if is_bound {
                    objects.insert(name);
                } else {
                    objects.remove(name.as_str());
                }
            }
        }
    }
    found
}

/// The warning about an operation on an object, if a class cannot have it in some language of the exercise.
fn lacks_operation(exercise: &Exercise, what: &str) -> Option<String> {
    let without = titles(languages_of(exercise).filter(|language| !language.notation.has_own(what)))?;
    Some(format!(
        "`{what}` on an object has no meaning in {without}, where this step fails; call a method, or write the step in \
         code: do = {{ python = \"…\" }}"
    ))
}

/// Whether an operator calculates: only some languages have methods for those.
fn is_arithmetic(operator: Operator) -> bool {
    match operator {
        Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::FloorDivide
        | Operator::Modulo
        | Operator::Power
        | Operator::Negate => true,
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual
        | Operator::In
        | Operator::Not => false,
    }
}

/// An exception type that some language of the exercise does not have, with nothing else that restricts the
/// exceptions.
fn raises(exercise: &Exercise, expect: &Expect) -> Option<String> {
    let is_type =
        |name: &str| languages::LANGUAGES.iter().any(|language| language.exceptions.contains(&name));
    if let Some(raises) = &expect.raises
        && let Some(message) = raises.message.as_ref().and_then(Text::as_str)
    {
        if is_type(message) {
            return Some(format!(
                "`{message}` is a message here; a type is written raises = {{ type = \"{message}\" }}"
            ));
        }
        // As the last line of a traceback.
        if let Some((kind, rest)) = message.split_once(": ").filter(|(kind, _)| is_type(kind)) {
            return Some(format!(
                "`{message}` is the whole message here; with its type it is written raises = {{ type = \"{kind}\", \
                 message = \"{rest}\" }}"
            ));
        }
    }
    let raises = expect.raises.as_ref().filter(|raises| raises.message.is_none())?;
    let has = |language: &Language, name: &str| language.exceptions.contains(&name);
    let (name, without): (&str, Vec<_>) = match raises.kind.as_ref()? {
        RaisedType::Step(name) => {
            let known = languages::LANGUAGES.iter().any(|language| has(language, name));
            (name, languages_of(exercise).filter(|language| known && !has(language, name)).collect())
        }
        RaisedType::PerLanguage(names) => {
            let name = names.values().next()?;
            let without = languages_of(exercise).filter(|language| !names.contains_key(language.name));
            (name, without.collect())
        }
        RaisedType::Exercise(_) => return None,
    };
    let first = without.first()?;
    Some(format!(
        "`{name}` has no meaning in {}: there, any exception that is not a crash is accepted; name a type for each \
         language, such as {{ {} = \"…\" }}, or a message",
        titles(without.iter().copied())?,
        first.name,
    ))
}

/// The type of a value that some language of the exercise does not have, or that is probably misspelt.
fn value_type(exercise: &Exercise, expect: &Expect) -> Option<String> {
    let (Matcher::Type(name) | Matcher::Instance(name)) = &expect.value.as_ref()?.matcher else {
        return None;
    };
    let has: fn(&Language) -> bool = match name.as_str() {
        "tuple" => |language| language.notation.has_tuples(),
        "undefined" | "bigint" => |language| language.notation.types().undefined == "undefined",
        name if PLAIN_TYPES.contains(&name) => return None,
        name => {
            let classes = exercise.classes.keys().map(String::as_str);
            let meant = near(name, classes).filter(|meant| *meant != name)?;
            return Some(format!("the exercise has no class `{name}`; did you mean `{meant}`?"));
        }
    };
    let without = titles(languages_of(exercise).filter(|language| !has(language)))?;
    Some(format!("no value in {without} has the type `{name}`, so no submission in it passes"))
}

#[cfg(test)]
mod tests {
    use super::warnings;
    use crate::case::{Library, parse_cases, parse_exercise};

    const EXERCISE: &str = r#"
title = "Any"
session = "python"
files.python = ["any.py"]
files.javascript = ["any.js"]
files.cpp = ["any.cpp"]
function.f.args = ["n?"]
[class.Shape]
methods.grow = []
"#;

    /// Checks that the steps of a case, each a line of keys, earn the warnings that begin like this.
    #[track_caller]
    fn check(steps: &[&str], expected: &[(usize, &str)]) {
        let exercise = parse_exercise("any", "exercise.toml", EXERCISE).unwrap();
        let steps: Vec<String> = steps.iter().map(|keys| format!("  {{ {keys} }},\n")).collect();
        let source = format!("title = \"Any\"\nstep = [\n{}]\n", steps.concat());
        let case = parse_cases(&exercise, "any", "any.toml", &source).unwrap().remove(0);
        let found = warnings(&exercise, &case);
        let lines: Vec<usize> = found.iter().map(|warning| warning.place.line - 2).collect();
        assert_eq!(lines, expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(), "{found:?}");
        for (warning, (_, begins)) in found.iter().zip(expected) {
            assert!(warning.message.contains(begins), "{warning}");
        }
    }

    #[test]
    fn a_case_that_expects_nothing_can_tell_nothing() {
        let nothing = "no step of this case expects anything";
        check(&["do = 's = Shape()'", "do = 's.grow()'"], &[(1, nothing)]);
        check(&["do = 's = Shape()'", "do = 's.grow()', same = 's'"], &[]);
        check(&["do = 'f()', prints = ''"], &[]);
        check(&["do = 'f()', compare = { within = 1 }"], &[(1, nothing)]);
    }

    #[test]
    fn a_step_that_repeats_another_one_can_tell_nothing() {
        let repeats = "the same as one before it";
        check(
            &["do = 'f(1)', returns = 1", "do = 'f(2)', returns = 2", "do = 'f(1)', returns = 1"],
            &[(3, repeats)],
        );
        check(&["do = 'f(1)', returns = 1", "do = 'f(1)', prints = ''"], &[]);
        check(&["do = 'f(1)', returns = 1", "do = 'f(1)', returns = { approx = 1, within = 0 }"], &[]);
        // A method may change its object, and a function what it is given.
        let [made, grown, text] =
            ["do = 's = Shape()'", "do = 's.grow()', same = 's'", "do = 's', shows = 'x'"];
        check(&[made, grown, grown], &[]);
        check(&[made, "do = 'f(s)', returns = 1", "do = 'f(s)', returns = 1"], &[]);
        check(&[made, text, text], &[(3, repeats)]);
        check(&[made, text, grown, text], &[]);
    }

    #[test]
    fn an_operator_that_a_language_has_no_method_for_is_named() {
        let made = "do = 's = Shape()'";
        let lacks =
            |what: &str| format!("`{what}` on an object has no meaning in JavaScript, where this step fails");
        for (line, what) in [("s + 1", "+"), ("[f(Shape() * 2)]", "*"), ("-s", "-"), ("repr(s)", "repr")] {
            check(&[made, &format!("do = '{line}', returns = 1")], &[(2, &lacks(what))]);
        }
        for (line, what) in [("s[1:]", "[:]"), ("s // 2", "//"), ("s ** 2", "**")] {
            let lacks = lacks(what).replace("JavaScript", "C++ and JavaScript");
            check(&[made, &format!("do = '{line}', returns = 1")], &[(2, &lacks)]);
        }
        for line in ["s == Shape()", "s < s", "len(s) + 1", "f(s) + 1", "not s", "s in [s]"] {
            check(&[made, &format!("do = '{line}', returns = 1")], &[]);
        }
        check(&[made, "do = 's = f(s)'", "do = 's + 1', returns = 1"], &[]);
    }

    #[test]
    fn a_type_that_a_language_lacks_is_named() {
        let of = |expected: &str| format!("do = 'f()', returns = {{ {expected} }}");
        let lacks = "no value in C++ and JavaScript has the type `tuple`";
        check(&[&of("type = 'tuple'")], &[(1, lacks)]);
        check(
            &[&of("instance = 'undefined'")],
            &[(1, "no value in C++ and Python has the type `undefined`")],
        );
        check(&[&of("type = 'Shpae'")], &[(1, "did you mean `Shape`?")]);
        for known in ["Shape", "set", "int", "Fraction"] {
            check(&[&of(&format!("type = '{known}'"))], &[]);
        }
        check(
            &["do = 'f()', raises = { type = 'ValueError' }"],
            &[(1, "`ValueError` has no meaning in C++ and JavaScript")],
        );
    }

    #[test]
    fn a_message_that_names_its_type_is_told() {
        check(
            &["do = 'f()', raises = 'ValueError'"],
            &[(1, "a type is written raises = { type = \"ValueError\" }")],
        );
        check(
            &["do = 'f()', raises = 'ValueError: bad'"],
            &[(
                1,
                "is the whole message here; with its type it is written raises = { type = \"ValueError\", message = \"bad\" }",
            )],
        );
        check(&["do = 'f()', raises = 'Error in a: b'"], &[]);
    }

    #[test]
    fn input_of_a_call_is_only_for_some_languages() {
        let only =
            "calls get `stdin` only in Python, C++ and C: a submission in JavaScript stops the grading";
        check(&["do = 'f()', returns = 1", "do = 'f(2)', stdin = '3', returns = 1"], &[(2, only)]);
        check(&["do = { python = 'f()' }, stdin = '3', returns = 1"], &[]);
    }

    #[test]
    fn the_built_in_cases_earn_no_warnings() {
        for loaded in Library::BuiltIn.load_all().unwrap() {
            for case in &loaded.cases {
                assert_eq!(warnings(&loaded.exercise, case), [], "{}", case.path);
            }
        }
    }
}
