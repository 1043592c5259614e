//! The parts of a case that a session cannot show, in words: the comments of [`super::show()`].

use keur_core::case::{
    Asked, CustomCheck, Expect, Match, Matcher, Opponent, ProgramRun, TextMatcher, TextTolerance, Tolerance,
};
use keur_core::value::notation::{Notation, double};
use keur_core::value::{Text, Value};

/// The most lines of a file in a comment.
const MOST_LINES: usize = 20;

/// Values, separated by commas.
fn literals(values: &[Value], notation: &dyn Notation) -> String {
    values.iter().map(|value| notation.literal(value)).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str, notation: &dyn Notation) -> String {
    notation.string(&Text::from(text))
}

/// The condition on a value that no single value says; `None` if one does.
pub(super) fn condition(matcher: &Matcher, notation: &dyn Notation) -> Option<String> {
    Some(match matcher {
        Matcher::Plain(_) | Matcher::Exact(_) | Matcher::NotSame(_) => return None,
        Matcher::AnyOrder(_) => "in any order".to_owned(),
        Matcher::OneOf(values) => format!("one of: {}", literals(values, notation)),
        Matcher::Approx { value, within } => {
            format!("about {}: at most {} away", notation.float(*value), notation.float(*within))
        }
        Matcher::Matches(regex) => format!("a text that matches {regex}"),
        Matcher::Type(name) => format!("a value of the type {name}"),
        Matcher::Instance(name) => format!("a value of the type {name}, or of a subtype"),
        Matcher::Reference => "what the reference answers".to_owned(),
        Matcher::Oracle(asked) => format!("a value that {} accepts", oracle(asked)),
        Matcher::Check(check) => format!("a value that {}", accepts(check, notation)),
    })
}

fn oracle(asked: &Asked) -> String {
    let depth = asked.depth.map(|depth| format!(" at depth {depth}")).unwrap_or_default();
    format!("the oracle {} of {}{depth}", asked.oracle, asked.of)
}

fn accepts(check: &CustomCheck, notation: &dyn Notation) -> String {
    let CustomCheck { file, function, with } = check;
    let with = if with.is_empty() { String::new() } else { format!(", with {}", literals(with, notation)) };
    format!("the check {file}:{function} accepts{with}")
}

/// The condition on a text that no single text says, after what it is a condition on; `None` if one does.
pub(super) fn text_condition(what: &str, matcher: &TextMatcher, notation: &dyn Notation) -> Option<String> {
    let all = |texts: &[String]| texts.iter().map(|text| quoted(text, notation)).collect::<Vec<_>>();
    Some(match matcher {
        TextMatcher::Plain(_) => return None,
        TextMatcher::Contains(texts) => format!("{what} contains {}", all(texts).join(", then ")),
        TextMatcher::Matches(regex) => format!("{what} matches {regex}"),
        TextMatcher::AnyOrder(lines) => {
            format!("{what} has these lines, in any order: {}", all(lines).join(", "))
        }
        TextMatcher::Check(check) => {
            format!("{what} is one that {}", accepts(check, notation))
        }
    })
}

/// Whether tolerance of numbers can matter to a value.
pub(super) fn has_numbers(matcher: &Matcher) -> bool {
    match matcher {
        Matcher::Plain(value) | Matcher::Exact(value) => value.has_number(),
        Matcher::AnyOrder(values) | Matcher::OneOf(values) => values.iter().any(Value::has_number),
        Matcher::Reference => true,
        _ => false,
    }
}

/// The sentences about differences that are tolerated, for a step that expects a value or a text.
pub(super) fn tolerance(tolerance: &Tolerance, value: bool, text: bool) -> Vec<String> {
    let mut said = Vec::new();
    if value {
        if tolerance.exact_types == Some(true) {
            said.push("exactly this type".to_owned());
        }
        if tolerance.loose_numbers == Some(true) {
            said.push("3 counts as 3.0".to_owned());
        }
        if let Some(within) = tolerance.within.filter(|within| *within > 0.0) {
            said.push(format!("numbers may differ by {}", double(within)));
        }
        if let Some(relative) = tolerance.relative.filter(|relative| *relative > 0.0) {
            said.push(format!("numbers may differ by {} of what is expected", double(relative)));
        }
    }
    let TextTolerance { ignore_case, collapse_blanks, trim_line_ends, numbers_within } = &tolerance.text;
    if text {
        let mut ignored = Vec::new();
        ignored.extend((*ignore_case == Some(true)).then_some("capitals"));
        ignored.extend((*collapse_blanks == Some(true)).then_some("the number of spaces"));
        ignored.extend((*trim_line_ends == Some(true)).then_some("spaces and empty lines at the end"));
        if !ignored.is_empty() {
            said.push(format!("not counted in texts: {}", ignored.join(", ")));
        }
        if let Some(within) = numbers_within.filter(|within| *within > 0.0) {
            said.push(format!("numbers in texts may differ by {}", double(within)));
        }
    }
    said
}

/// A text below a line that says what it is.
pub(super) fn block(what: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut said = vec![match lines.as_slice() {
        [] => format!("{what}: empty"),
        _ => format!("{what}:"),
    }];
    said.extend(lines.iter().take(MOST_LINES).map(|line| format!("  {line}").trim_end().to_owned()));
    if lines.len() > MOST_LINES {
        said.push(format!("  … and {} more lines", lines.len() - MOST_LINES));
    }
    said
}

/// The sentence about a text that is expected, and the text below it.
fn text_said(what: &str, matcher: &TextMatcher, notation: &dyn Notation) -> Vec<String> {
    match matcher {
        TextMatcher::Plain(text) => block(what, text),
        _ => text_condition(what, matcher, notation).into_iter().collect(),
    }
}

/// The sentences about the files that a step must leave.
pub(super) fn file_sentences(expect: &Expect, notation: &dyn Notation) -> Vec<String> {
    let said = |(name, matcher): &(String, TextMatcher)| {
        let what = match matcher {
            TextMatcher::Plain(_) => format!("writes the file {name}"),
            _ => format!("writes the file {name}, which"),
        };
        text_said(&what, matcher, notation)
    };
    expect.writes.iter().flat_map(said).collect()
}

/// A run of a program, with what it must do.
pub(super) fn run(run: &ProgramRun, expect: &Expect, language: &str, notation: &dyn Notation) -> Vec<String> {
    let file = run.files.get(language).or_else(|| run.files.values().next());
    let program = file.map(|file| notation.running(&shell_word(file)));
    let command: Vec<String> =
        program.into_iter().chain(run.args.iter().map(|arg| shell_word(arg))).collect();
    let mut said = vec![format!("$ {}", command.join(" "))];
    if expect.program.turns.is_empty() {
        said.extend(run.input.iter().map(|input| format!("its input: {}", quoted(input, notation))));
    } else {
        let inputs = run.input.iter().map(Some).chain(std::iter::repeat(None));
        for (turn, input) in expect.program.turns.iter().zip(inputs) {
            if let Some(regex) = turn {
                said.push(format!("its output matches {regex}"));
            }
            said.push(match input {
                Some(input) => format!("its input: {}", quoted(input, notation)),
                None => "its input ends".to_owned(),
            });
        }
    }
    if let Some(matcher) = &expect.prints {
        said.extend(text_said("its output", matcher, notation));
    }
    if let Some(matcher) = &expect.program.errors {
        said.extend(text_said("its standard error", matcher, notation));
    }
    if let Some(status) = expect.program.exit {
        said.push(format!("its exit code: {status}"));
    }
    said.extend(file_sentences(expect, notation));
    said
}

/// A word of a command, in quotes where a shell needs them.
fn shell_word(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

/// A match, whose `start` and `player` are lines of the language.
pub(super) fn game(game: &Match, expect: &Expect, start: &str, player: &str) -> Vec<String> {
    let opponent = match game.opponent {
        Opponent::Random => "an opponent that moves at random".to_owned(),
        Opponent::Depth(depth) => format!("an opponent that looks {depth} moves ahead"),
    };
    let mut said = vec![
        format!("plays {} games against {opponent}", game.games),
        format!("each game begins with {start}"),
        format!("each move is {player}"),
    ];
    if let Some((oracle, depth)) = &expect.games.moves {
        let depth = depth.map(|depth| format!(" at depth {depth}")).unwrap_or_default();
        said.push(format!("each move is one that the oracle {oracle}{depth} accepts"));
    }
    said.push(format!("at least {} are not lost, and {} are won", expect.games.not_lost, expect.games.won));
    said
}
