//! The keys of the files: one registry for the reader, its errors and the JSON Schema.

use super::{compile, declarations};
use crate::languages;
use crate::messages::Lang;
use crate::named::Named;
use std::sync::LazyLock;

/// A key of a table.
#[derive(Clone, Copy)]
pub struct Key {
    pub(super) name: &'static str,
    /// The meaning of the key, for the schema; a sentence without a full stop.
    pub(super) doc: &'static str,
    pub(super) shape: Shape,
    pub(super) required: bool,
}

/// The values that a key may have.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A string.
    Text,
    /// A string, or one per language.
    LocalText,
    /// A list of strings.
    Texts,
    /// A string or several.
    TextOrTexts,
    /// `true` or `false`.
    Bool,
    /// A date, with or without a time and its zone.
    DateTime,
    /// A number of points.
    Points,
    /// A number.
    Number,
    /// A list of whole numbers.
    Numbers,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A table with these keys.
    Table(&'static [Key]),
    /// A table with exactly one of the keys that are listed first.
    OneOf(&'static [&'static str], &'static [Key]),
    /// A table with the keys of `ROW`.
    Row,
    /// A table with keys that the author chooses.
    MapOf(&'static Shape),
    /// A list of such values.
    ListOf(&'static Shape),
    /// A list of any values.
    List,
    /// Only `true`.
    True,
    /// Any of these.
    Either(&'static [Shape]),
    /// Any value that is not a table.
    Value,
}

/// A key that may be omitted.
pub const fn key(name: &'static str, doc: &'static str, shape: Shape) -> Key {
    Key { name, doc, shape, required: false }
}

pub(super) const fn required(name: &'static str, doc: &'static str, shape: Shape) -> Key {
    Key { name, doc, shape, required: true }
}

/// A file that is there when a case starts.
const INPUT_FILE: Shape = Shape::Either(&[
    Shape::Text,
    Shape::Table(&[required("path", "A file of the exercise's folder that has the content", Shape::Text)]),
]);
const INPUT_FILES: Key = key(
    "input_files",
    "Files in the working folder when a case starts, by name: the content, or where it is",
    Shape::MapOf(&INPUT_FILE),
);
const PACKAGES: Key = key(
    "packages",
    "Packages that a submission may import besides the standard library, by programming language: only python",
    Shape::MapOf(&Shape::Texts),
);
const WRITES: Key = key(
    "writes",
    "The text of files that the step leaves is equal, or a matcher holds",
    Shape::MapOf(&EXPECTED_TEXT),
);

const CPU: Key = key("cpu", "Processor time per case, such as \"1s\"", Shape::Text);
const WALL: Key = key("wall", "Wall-clock time per case, such as \"5s\"", Shape::Text);
const MEMORY: Key = key("memory", "Memory, such as \"256MB\"", Shape::Text);
const OUTPUT: Key = key("output", "Output per case, such as \"64KB\"", Shape::Text);
const SUBMISSION: Key = key(
    "submission",
    "Total time for the cases of a submission that reach a limit, such as \"30s\"; the remaining cases are then not run",
    Shape::Text,
);

/// The limits of an exercise, or those above them.
pub const LIMITS: Key = key(
    "limits",
    "Limits per case and per submission",
    Shape::Table(&[CPU, WALL, MEMORY, OUTPUT, SUBMISSION]),
);

/// The keys of `exercise.toml`.
pub(super) const EXERCISE: &[Key] = &[
    required("title", "The title, for all readers or one per language", Shape::LocalText),
    required("session", "The syntax of the assignment's own sessions", Shape::Choice(languages::SESSIONS)),
    key("lang", "The language of feedback to students; en by default", Shape::Choice(Lang::NAMES)),
    key(
        "reference",
        "What answers correctly: a built-in game, or the path of a submission that is right, by programming language",
        Shape::Either(&[Shape::Text, Shape::MapOf(&Shape::Text)]),
    ),
    key("points", "The grade is scaled to this; the sum of the cases by default", Shape::Points),
    key("raises", "The type that an expected message also implies, where the language has it", Shape::Text),
    key(
        "prompts",
        "Whether the prompts of Python's input('n: ') are output; by default those of programs are, and those of calls are not",
        Shape::Choice(&["ignore", "output"]),
    ),
    key(
        "loading",
        "What output while the submission is loaded is: a warning, or output of the first step of each case",
        Shape::Choice(&["warning", "output"]),
    ),
    key(
        "strict_load",
        "Whether a submission gets no points when loading it raises an exception",
        Shape::Bool,
    ),
    key("files", "Names of a submission's files, by programming language", Shape::MapOf(&Shape::Texts)),
    key(
        "programs",
        "Programs of a submission, by programming language, at the same place in each list; they are never loaded",
        Shape::MapOf(&Shape::Texts),
    ),
    LIMITS,
    COMPARE,
    key(
        "class",
        "Classes a submission must define",
        Shape::MapOf(&Shape::Table(&[
            key("new", "Parameters of the constructor, `?` after an optional one", Shape::Texts),
            key("methods", "Parameters of each method", Shape::MapOf(&Shape::Texts)),
            key("attributes", "Attributes that a case may read and set", Shape::Texts),
            declarations::STRUCT,
            declarations::TEMPLATE,
        ])),
    ),
    key(
        "function",
        "Functions a submission must define",
        Shape::MapOf(&Shape::Either(&[Shape::Texts, Shape::Table(declarations::FUNCTION)])),
    ),
    key(
        "view",
        "How to look at a value of the submission's own type: expressions over `it`",
        Shape::MapOf(&Shape::Texts),
    ),
    key(
        "arguments",
        "The values that a parameter takes in random sessions, by its name; by default, values like those in the cases",
        Shape::MapOf(&Shape::Table(ARGUMENT_OR_LIST_OF_LISTS)),
    ),
    key(
        "names",
        "By programming language, names that do not follow its convention",
        Shape::MapOf(&Shape::MapOf(&Shape::Text)),
    ),
    INPUT_FILES,
    PACKAGES,
    compile::KEY,
];

const FROM: Key = key("from", "The smallest number", Shape::Number);
const TO: Key =
    key("to", "The largest number; a number has a fraction if this one or `from` does", Shape::Number);
const ONE_OF: Key = key("one_of", "All values", Shape::List);
const LENGTH: Key = key("length", "The length of the longest text or list", Shape::Number);
const OF: Key = key("of", "The characters of a text", Shape::Text);

/// The values of a parameter, without lists, with lists of these, and with lists of those.
const ARGUMENT: &[Key] = &[FROM, TO, ONE_OF, LENGTH, OF];
const ARGUMENT_OR_LIST: &[Key] = &[FROM, TO, ONE_OF, LENGTH, OF, list_of(ARGUMENT)];
const ARGUMENT_OR_LIST_OF_LISTS: &[Key] = &[FROM, TO, ONE_OF, LENGTH, OF, list_of(ARGUMENT_OR_LIST)];

const fn list_of(keys: &'static [Key]) -> Key {
    key("list_of", "The items of a list", Shape::Table(keys))
}

/// Whether a key in a table of `returns` is a matcher, or says more of one.
pub(super) fn is_matcher(name: &str) -> bool {
    MATCHER.iter().any(|key| key.name == name)
}

const MATCHER: &[Key] = &[
    key("any_order", "A list or tuple of these, in any order", Shape::List),
    key("one_of", "Equal to one of these", Shape::List),
    key("approx", "A number near this one", Shape::Number),
    key("within", "The largest difference that is allowed", Shape::Number),
    key("matches", "A string that this regular expression matches", Shape::Text),
    key("type", "A value of exactly the type of this name", Shape::Text),
    key("instance", "A value of the type of this name, or of a subtype", Shape::Text),
    key("not_same", "Not the very object bound to this name", Shape::Text),
    key("reference", "Equal to what the reference answers", Shape::True),
    key("oracle", "What this oracle of the reference accepts; `keur list --oracles` lists them", Shape::Text),
    key("of", "The bound name that the oracle is asked about", Shape::Text),
    key("depth", "How many moves the oracle looks ahead", Shape::Number),
    CHECK,
    WITH,
];

/// A check of the instructor's own.
const CHECK: Key = key(
    "check",
    "What a function in Python accepts: its file and its name, as in checker.py:is_path",
    Shape::Text,
);
const WITH: Key = key("with", "What the check gets after the value", Shape::List);

const COMPARE: Key = key(
    "compare",
    "How near values and texts must be to what is expected; what is omitted is inherited",
    Shape::Table(&[
        key(
            "exact",
            "Whether a value must be of exactly the expected type: no tuple for a list, nor one of a subclass",
            Shape::Bool,
        ),
        key("numbers", "Whether 3 and 3.0 are equal: only if \"loose\"", Shape::Choice(&["exact", "loose"])),
        key(
            "within",
            "How much a number may differ, also inside lists and dictionaries; by default 1e-9 for floating-point numbers and 0 for integers",
            Shape::Number,
        ),
        key("relative", "How much a number may differ, as a part of the expected number", Shape::Number),
        key(
            "text",
            "How near what is shown, printed or written must be; not what is returned",
            Shape::Table(&[
                key("case", "Whether capitals count: not if \"ignore\"", Shape::Choice(&["exact", "ignore"])),
                key(
                    "blanks",
                    "Whether the number of spaces counts: not if \"collapse\"",
                    Shape::Choice(&["exact", "collapse"]),
                ),
                key(
                    "line_ends",
                    "Whether spaces at the end of a line and empty lines at the end count: not if \"trim\"",
                    Shape::Choice(&["exact", "trim"]),
                ),
                key("numbers_within", "How much a number in a text may differ", Shape::Number),
            ]),
        ),
    ]),
);

/// A text that is expected: the text itself, or a matcher.
const EXPECTED_TEXT: Shape = Shape::Either(&[Shape::Text, Shape::Table(TEXT_MATCHER)]);

const TEXT_MATCHER: &[Key] = &[
    key("contains", "It contains this text, or these in this order", Shape::TextOrTexts),
    key("matches", "It contains a match of this regular expression", Shape::Text),
    key("any_order", "It has the lines of this text, in any order", Shape::Text),
    CHECK,
    WITH,
];

/// The keys of a `[[step]]`.
pub(super) const STEP: &[Key] = &[
    key(
        "do",
        "The line or lines to replay; expectations are about the last. Or, by programming language, code that runs as it \
         stands",
        Shape::Either(&[Shape::TextOrTexts, Shape::MapOf(&Shape::Text)]),
    ),
    key("binds", "The names that code of a programming language binds for later steps", Shape::Texts),
    key("run", "Instead of `do`: the program of the submission to run, one of [programs]", Shape::Text),
    key("args", "The arguments of the program", Shape::Texts),
    key("stdin", "The standard input of the program, or of the calls", Shape::Text),
    key(
        "turn",
        "A dialogue with the program, instead of `stdin`",
        Shape::ListOf(&Shape::Table(&[
            key("expect", "A regular expression for what it printed since the turn before", Shape::Text),
            key("send", "The line that is then sent to it", Shape::Text),
        ])),
    ),
    key("errors", "What the program wrote to standard error is equal, or a matcher holds", EXPECTED_TEXT),
    key("exit", "The exit code of the program", Shape::Number),
    key("play", "Instead of `do`: the call that gives the submission's move in a match", Shape::Text),
    key("on", "The line that makes the board of a game: `b = make_board()`", Shape::Text),
    key(
        "against",
        "Who plays against the submission: \"random\", or the reference that many moves ahead",
        Shape::Either(&[
            Shape::Choice(&["random"]),
            Shape::Table(&[required("depth", "How many moves ahead it looks", Shape::Number)]),
        ]),
    ),
    key("games", "How many games are played", Shape::Number),
    key("seed", "The seed of the opponent's choices; 0 by default", Shape::Number),
    key(
        "moves",
        "The oracle that accepts each move of the submission; by default each move must be legal",
        Shape::Table(&[
            required("oracle", "One of `keur list --oracles`", Shape::Text),
            key("depth", "How many moves the oracle looks ahead", Shape::Number),
        ]),
    ),
    key("not_lost", "How many games it must not lose; all by default", Shape::Number),
    key("won", "How many games it must win; 0 by default", Shape::Number),
    key(
        "returns",
        "The value is equal, or a matcher holds",
        Shape::Either(&[Shape::Value, Shape::Table(MATCHER)]),
    ),
    key(
        "equals",
        "The value is equal, type for type, to this literal; or to an object, by the submission's own ==; or to the columns of a table",
        Shape::Either(&[
            Shape::Text,
            Shape::Table(&[required(
                "csv",
                "A file of the exercise's folder, whose first row has the names",
                Shape::Text,
            )]),
        ]),
    ),
    key("shows", "Its text is equal, or a matcher holds", EXPECTED_TEXT),
    key("prints", "What the step wrote to standard output is equal, or a matcher holds", EXPECTED_TEXT),
    key(
        "raises",
        "It raises with this message; true for anything raised",
        Shape::Either(&[
            Shape::Text,
            Shape::True,
            Shape::Table(&[
                key(
                    "type",
                    "The name of the exception's type or of a supertype, or one by programming language",
                    Shape::Either(&[Shape::Text, Shape::MapOf(&Shape::Text)]),
                ),
                key("message", "Its message", Shape::Text),
            ]),
        ]),
    ),
    key("same", "The result is the very object bound to this name", Shape::Text),
    key(
        "hint",
        "Shown when the case fails first at this step, instead of the hint of the case",
        Shape::Either(&[Shape::Text, Shape::Table(STEP_HINT)]),
    ),
    WRITES,
    COMPARE,
];

/// The keys of the hint of a step: its text by language, and the failure that it is about.
const STEP_HINT: &[Key] = &[
    key("nl", "The hint in Dutch", Shape::Text),
    key("da", "The hint in Danish", Shape::Text),
    key("en", "The hint in English", Shape::Text),
    key("when", "Only for a failure of this kind", Shape::Choice(FAILURES)),
    key("got", "Only if this came, as the finding shows it", Shape::Text),
];

/// The kinds of failure that a hint may be about, as reports name them.
const FAILURES: &[&str] =
    &["wrong value", "wrong text", "wrong output", "raised", "did not raise", "time limit"];

/// The keys of a `[[row]]` besides those of the last step.
const OF_ROW: &[Key] = &[
    key(
        "given",
        "Values by name: the steps may use these names; a value that TOML lacks is { literal = \"(1, 2)\" }",
        Shape::MapOf(&Shape::Either(&[
            Shape::Value,
            Shape::Table(&[required("literal", "The value as `equals` takes it", Shape::Text)]),
        ])),
    ),
    key("title", "The title of this row; by default that of the file and the values", Shape::LocalText),
    key("points", "What this row is worth, instead of the points of the file", Shape::Points),
    key("tags", "The tags of this row, instead of those of the file", Shape::Texts),
    key("hidden", "Whether this row is hidden, whatever the file says", Shape::Bool),
    key("hint", "The hint of this row, instead of that of the file", Shape::LocalText),
];

/// The keys of a step that say what it does, and its hint; the rows of a case have them in common.
const OF_ALL_ROWS: &[&str] = &["do", "binds", "run", "play", "on", "against", "games", "seed", "hint"];

/// The keys of a `[[row]]`: its own, and those that it sets of the last step.
pub(super) static ROW: LazyLock<Vec<Key>> = LazyLock::new(|| {
    OF_ROW.iter().chain(STEP.iter().filter(|key| !OF_ALL_ROWS.contains(&key.name))).copied().collect()
});

/// Whether a key of a row is one of the last step.
pub(super) fn is_of_last_step(name: &str) -> bool {
    OF_ROW.iter().all(|key| key.name != name)
}

/// The keys of `[random]`.
const RANDOM: &[Key] = &[
    key("sessions", "How many sessions, with the seeds from 1 on; 60 by default", Shape::Number),
    key(
        "seeds",
        "The seeds of the sessions, instead of their number: those that `keur audit --pick` chooses",
        Shape::Numbers,
    ),
    key("steps", "The most steps of a session", Shape::Number),
    key(
        "calls",
        "The functions, methods and classes that the sessions may call: `push`, or `Stack.push` of one class",
        Shape::Texts,
    ),
    key("always", "Whether they are run even if another case failed", Shape::Bool),
];

/// The keys of a case file.
pub(super) const CASE: &[Key] = &[
    required("title", "The title, for all readers or one per language", Shape::LocalText),
    key("points", "What the case is worth, all or nothing; 1 by default", Shape::Points),
    key("tags", "Any words; `spec` and `ruling` have a special meaning", Shape::Texts),
    key(
        "order",
        "Cases with a number come before those without one, the lowest first; otherwise they are sorted by name",
        Shape::Number,
    ),
    key("hidden", "Whether a student sees only that it failed, and the hint", Shape::Bool),
    key(
        "hint",
        "Shown when the case fails at its last step by a mistake that it may be about",
        Shape::LocalText,
    ),
    key("limits", "Limits of this case", Shape::Table(&[CPU, WALL, MEMORY, OUTPUT])),
    COMPARE,
    key(
        "only_with",
        "A program of [programs]: a submission that lacks it is graded without this case",
        Shape::Text,
    ),
    INPUT_FILES,
    key(
        "partial",
        "Whether each step that expects something earns its share of the points when the case fails",
        Shape::Bool,
    ),
    key(
        "needs",
        "Names of cases without which this one is not run: it is left out when one of them fails",
        Shape::Texts,
    ),
    key(
        "group",
        "The heading under which reports gather cases, for all readers or one per language",
        Shape::LocalText,
    ),
    key("row", "Rows of values: each is a case of its own, with these steps", Shape::ListOf(&Shape::Row)),
    key("step", "The steps, in order", Shape::ListOf(&Shape::OneOf(&["do", "run", "play"], STEP))),
    key("random", "Instead of steps: random sessions, which the reference answers", Shape::Table(RANDOM)),
];

impl Shape {
    /// A description of the expected value, for error messages.
    pub(super) fn expected(&self) -> String {
        match self {
            Shape::Text => "a string".to_owned(),
            Shape::LocalText => "a string, or a table with one per language: { nl = …, en = … }".to_owned(),
            Shape::Texts => "a list of strings".to_owned(),
            Shape::TextOrTexts => "a string or a list of strings".to_owned(),
            Shape::Bool => "true or false".to_owned(),
            Shape::DateTime => "a date and time without quotes, such as 2026-11-03T23:59:00Z".to_owned(),
            Shape::Points => "a number of points: not negative, with at most two decimals".to_owned(),
            Shape::Number => "a number".to_owned(),
            Shape::Numbers => "a list of whole numbers".to_owned(),
            Shape::Choice(words) => format!("one of {}", words.join(", ")),
            Shape::Table(_) | Shape::OneOf(..) | Shape::Row | Shape::MapOf(_) => "a table".to_owned(),
            Shape::ListOf(_) => "a list of tables".to_owned(),
            Shape::List => "a list".to_owned(),
            Shape::True => "true".to_owned(),
            Shape::Either(shapes) => shapes.iter().map(Shape::expected).collect::<Vec<_>>().join(", or "),
            Shape::Value => "a value".to_owned(),
        }
    }
}
