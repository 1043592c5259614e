//! The kind of difference: what a sentence to a student is made of.

use super::value::type_name;
use crate::sandbox::Exit;
use crate::value::Value;
use crate::value::oracle::Refusal;
use crate::value::syntax::Syntax;

/// An error of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// What it says.
    pub text: String,
    /// The file, the line from 1, and the text of that line, where it names one.
    pub place: Option<(String, usize, String)>,
}

/// What kind of mistake a failure looks like. Reports turn it into a sentence in the student's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Another value.
    Value,
    /// The right value but for its type.
    Type {
        /// The type expected.
        expected: String,
        /// The type that came.
        got: String,
    },
    /// An oracle does not accept it.
    Refused(Refusal),
    /// Printed instead of returned.
    Printed,
    /// Nothing was returned.
    NoneReturned,
    /// Nothing was returned where the object itself was expected.
    NoneForObject,
    /// Something else was returned than the object itself.
    AnotherObject,
    /// The very object was returned where another one was expected.
    SameObject {
        /// The name bound to that object.
        name: String,
    },
    /// The value is too large, nested too deep, or contains itself.
    TooLarge,
    /// A promise, coroutine or generator came instead of the value.
    Deferred {
        /// Its type.
        kind: String,
    },
    /// The text is no string.
    NoText {
        /// Its type.
        kind: String,
    },
    /// Something was printed where nothing should be.
    Output,
    /// The right value but for the types of what is in it.
    InnerType,
    /// The right text but for blanks at the ends of lines.
    TrailingBlanks,
    /// The right text but for line ends after it.
    FinalNewlines,
    /// The right text but for capitals.
    Capitals,
    /// The right text but for blanks.
    Blanks,
    /// Another number of lines.
    Lines {
        /// Lines expected.
        expected: usize,
        /// Lines that came.
        got: usize,
    },
    /// Another text.
    Text,
    /// The text of nothing: a method that should return the object returned nothing.
    TextOfNone,
    /// It should have raised.
    NotRaised,
    /// It should not have raised.
    Unexpected,
    /// Another type of exception.
    AnotherType,
    /// The right message but for capitals, blanks or punctuation.
    NearMessage,
    /// Another message.
    AnotherMessage,
    /// Another exception altogether.
    AnotherException,
    /// A class or function is missing.
    NoDefinition {
        /// Its name.
        name: String,
        /// What was probably meant to be it.
        near: Option<String>,
    },
    /// A method is missing.
    NoMethod {
        /// The class.
        class: String,
        /// The method.
        name: String,
        /// What was probably meant to be it.
        near: Option<String>,
    },
    /// A method is asked where there is a property.
    Property {
        /// The class.
        class: String,
        /// The name.
        name: String,
    },
    /// Out of processor time.
    CpuLimit,
    /// Out of time on the clock.
    WallLimit,
    /// Out of memory.
    MemoryLimit,
    /// Too much output.
    OutputLimit,
    /// The process ended.
    Ended(Exit),
    /// The protocol was broken: how.
    Protocol(String),
    /// A compiled program was never ready to be asked anything.
    NotReady {
        /// Why.
        why: String,
    },
    /// A syntax error.
    Syntax,
    /// Syntax that a newer interpreter has.
    NewerSyntax {
        /// What it is.
        what: String,
        /// The version that has it.
        since: String,
        /// The version that was found.
        version: String,
    },
    /// An exception while loading.
    Loading,
    /// The submission asks for input while it is loaded.
    AsksInput,
    /// A module is not available.
    NoModule {
        /// Its name.
        name: String,
    },
    /// A program is not there.
    NoProgram {
        /// Its file.
        file: String,
    },
    /// A program does not say at a turn of a dialogue what is expected.
    Dialogue,
    /// A program ended where it should still have waited for input.
    EndedEarly,
    /// A program ended with another status.
    Status,
    /// Too many games of a match were lost.
    GamesLost {
        /// The games that were played.
        games: u32,
        /// Those that were lost.
        lost: u32,
    },
    /// Too few games of a match were won.
    Games {
        /// The games that were played.
        games: u32,
        /// Those that must be won.
        needed: u32,
        /// Those that were.
        got: u32,
    },
    /// The board that was given to a player was changed.
    Changed,
    /// A problem with the files of the submission.
    Files(FilesProblem),
    /// It does not compile.
    Compile(Vec<CompileError>),
    /// It was not compiled in time.
    CompileTime,
    /// It compiles, but leaves no test program where it was compiled to.
    ProgramGone {
        /// The source of that program.
        test: String,
    },
}

/// A kind of file, as far as its name tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// A picture.
    Picture,
    /// Any file with this extension, without the dot and in lower case.
    Extension(String),
    /// A file without an extension.
    Plain,
    /// A hidden file.
    Hidden,
    /// A link.
    Link,
}

impl FileKind {
    /// The kind of the file of this name.
    pub fn of(name: &str) -> FileKind {
        const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "bmp", "webp", "heic", "tiff", "svg"];
        const LONGEST: usize = 8;
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension {
            Some(extension) if PICTURES.contains(&extension.as_str()) => FileKind::Picture,
            Some(extension)
                if (1..=LONGEST).contains(&extension.len())
                    && extension.chars().all(|ch| ch.is_ascii_alphanumeric()) =>
            {
                FileKind::Extension(extension)
            }
            Some(_) | None => FileKind::Plain,
        }
    }
}

/// What is wrong with the files of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesProblem {
    /// There is no source file of a language that the exercise takes.
    NoSource {
        /// The files that were looked for.
        wanted: Vec<String>,
        /// What there is instead: of each kind how many files.
        found: Vec<(FileKind, usize)>,
    },
    /// A crate of Rust has no such test target.
    NoTest {
        /// The source of the test target.
        test: String,
    },
    /// It is a link, which is not followed.
    Link {
        /// Where it leads.
        to: String,
    },
    /// There are several files that could be it.
    Several {
        /// They.
        found: Vec<String>,
    },
    /// It is a notebook.
    Notebook {
        /// The file.
        file: String,
    },
    /// It is empty.
    Empty {
        /// The file.
        file: String,
    },
    /// A file is too large.
    TooLarge {
        /// The file.
        file: String,
    },
    /// It cannot be read as what it seems to be.
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        why: String,
    },
}

impl FilesProblem {
    /// Whether there is nothing that could be graded, so that a grade would say nothing of the work.
    pub fn is_nothing_to_grade(&self) -> bool {
        match self {
            FilesProblem::NoSource { .. }
            | FilesProblem::Link { .. }
            | FilesProblem::Notebook { .. }
            | FilesProblem::TooLarge { .. }
            | FilesProblem::Unreadable { .. } => true,
            FilesProblem::NoTest { .. } | FilesProblem::Several { .. } | FilesProblem::Empty { .. } => false,
        }
    }
}

impl Slip {
    /// The slip behind a wrong value. `expected` is none where no single value is expected.
    pub(super) fn of_value(expected: Option<&Value>, got: &Value, printed: &str, syntax: Syntax) -> Slip {
        let none = matches!(got, Value::None | Value::Undefined);
        if let Some(expected) = expected.filter(|_| none) {
            let printed = printed.trim_end();
            let shown = [syntax.literal(expected), syntax.text(expected).to_lossy()];
            if !printed.is_empty() && shown.iter().any(|shown| shown.trim_end() == printed) {
                return Slip::Printed;
            }
        }
        if none {
            return Slip::NoneReturned;
        }
        if is_cut(got) {
            return Slip::TooLarge;
        }
        if let Value::Opaque(kind) = got
            && DEFERRED.contains(&kind.as_str())
        {
            return Slip::Deferred { kind: kind.clone() };
        }
        match expected {
            Some(expected) if loosely_equal(expected, got, syntax) => {
                let (expected, got) = (type_name(expected, syntax), type_name(got, syntax));
                if expected == got { Slip::InnerType } else { Slip::Type { expected, got } }
            }
            Some(_) | None => Slip::Value,
        }
    }

    /// The slip behind a wrong text.
    pub(super) fn of_text(expected: &str, got: &str, printed: &str) -> Slip {
        let ends = |text: &str| text.trim_end_matches(['\n', '\r']).to_owned();
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        let blankless = |text: &str| text.split_whitespace().collect::<String>();
        let nothing = matches!(got, "None" | "undefined" | "null");
        if nothing && !printed.is_empty() && trimmed(printed) == trimmed(expected) {
            Slip::Printed
        } else if nothing {
            Slip::TextOfNone
        } else if ends(expected) == ends(got) {
            Slip::FinalNewlines
        } else if trimmed(&ends(expected)) == trimmed(&ends(got)) {
            Slip::TrailingBlanks
        } else if expected.to_lowercase() == got.to_lowercase() {
            Slip::Capitals
        } else if blankless(expected) == blankless(got) {
            Slip::Blanks
        } else if expected.lines().count() != got.lines().count() {
            Slip::Lines { expected: expected.lines().count(), got: got.lines().count() }
        } else {
            Slip::Text
        }
    }

    /// The slip behind a wrong message.
    pub(super) fn of_message(expected: &str, got: &str) -> Slip {
        let core = |text: &str| -> String {
            text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        if core(expected) == core(got) { Slip::NearMessage } else { Slip::AnotherMessage }
    }
}

/// Whether a value, or a part of it, was too much to send.
fn is_cut(value: &Value) -> bool {
    match value {
        Value::Cut(_) => true,
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => items.iter().any(is_cut),
        Value::Dict(pairs) => pairs.iter().any(|(key, item)| is_cut(key) || is_cut(item)),
        Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Str(_)
        | Value::Opaque(_) => false,
    }
}

/// Types of values that stand for a value to come.
const DEFERRED: [&str; 6] =
    ["coroutine", "generator", "async_generator", "Promise", "GeneratorFunction", "Generator"];

/// Whether two values are the same but for types: `1` and `True`, `'1'` and `1`, a list and a set.
fn loosely_equal(expected: &Value, got: &Value, syntax: Syntax) -> bool {
    let number = |value: &Value| {
        let Value::Bool(truth) = value else { return super::value::number(value) };
        Some(f64::from(u8::from(*truth)))
    };
    if let (Value::Int(expected) | Value::BigInt(expected), Value::Int(got) | Value::BigInt(got)) =
        (expected, got)
    {
        // Doubles would make neighbours of large ones equal.
        return expected == got;
    }
    if let (Some(expected), Some(got)) = (number(expected), number(got)) {
        return expected == got;
    }
    match (expected, got) {
        (Value::Str(text), other) | (other, Value::Str(text)) => {
            let scalar = number(other).is_some() || matches!(other, Value::Str(_) | Value::None);
            scalar && (*text == syntax.text(other) || *text == *syntax.literal(other))
        }
        (Value::Set(set), Value::List(items) | Value::Tuple(items) | Value::Set(items))
        | (Value::List(items) | Value::Tuple(items), Value::Set(set)) => {
            set.len() == items.len()
                && set.iter().all(|member| items.iter().any(|item| loosely_equal(member, item, syntax)))
        }
        (Value::List(expected) | Value::Tuple(expected), Value::List(got) | Value::Tuple(got)) => {
            expected.len() == got.len()
                && expected.iter().zip(got).all(|(expected, got)| loosely_equal(expected, got, syntax))
        }
        _ => super::equal(expected, got, syntax),
    }
}

#[cfg(test)]
mod tests {
    use super::Slip;
    use crate::value::Value;
    use crate::value::syntax::Syntax;

    #[track_caller]
    fn check_value(expected: Value, got: Value, printed: &str, slip: Slip) {
        assert_eq!(Slip::of_value(Some(&expected), &got, printed, Syntax::Python), slip);
    }

    fn type_slip(expected: &str, got: &str) -> Slip {
        Slip::Type { expected: expected.to_owned(), got: got.to_owned() }
    }

    #[test]
    fn a_right_value_of_another_type_is_named_so() {
        let one = || Value::from(1);
        check_value(Value::from(true), one(), "", type_slip("bool", "int"));
        check_value(one(), Value::from("1"), "", type_slip("int", "str"));
        check_value(Value::Tuple(vec![one()]), Value::List(vec![one()]), "", type_slip("tuple", "list"));
        check_value(Value::Set(vec![one()]), Value::List(vec![one()]), "", type_slip("set", "list"));
        check_value(Value::from("R"), Value::from("B"), "", Slip::Value);
        let [large, next] = ["10000000000000000", "10000000000000001"].map(|digits| digits.parse().unwrap());
        check_value(Value::Int(large), Value::Int(next), "", Slip::Value);
        check_value(Value::List(vec![one()]), Value::List(vec![Value::from(2)]), "", Slip::Value);
    }

    #[test]
    fn printing_and_returning_nothing_are_told_apart() {
        check_value(Value::from("R"), Value::None, "R\n", Slip::Printed);
        check_value(Value::from("R"), Value::None, "'R'\n", Slip::Printed);
        check_value(Value::from("R"), Value::None, "", Slip::NoneReturned);
        check_value(Value::from("R"), Value::None, "B\n", Slip::NoneReturned);
        check_value(
            Value::from(1),
            Value::Opaque("coroutine".into()),
            "",
            Slip::Deferred { kind: "coroutine".into() },
        );
    }

    #[test]
    fn near_texts_are_told_how_they_differ() {
        for (expected, got, slip) in [
            ("a b\nc", "a b \nc", Slip::TrailingBlanks),
            ("a b", "a b\n", Slip::FinalNewlines),
            ("W b", "w b", Slip::Capitals),
            ("a b", "ab", Slip::Blanks),
            ("a\nb", "a", Slip::Lines { expected: 2, got: 1 }),
            ("a\nb", "a\nc", Slip::Text),
            ("a\nb", "None", Slip::TextOfNone),
        ] {
            assert_eq!(Slip::of_text(expected, got, ""), slip, "{expected:?} {got:?}");
        }
        assert_eq!(Slip::of_text("a\nb", "None", "a\nb\n"), Slip::Printed);
    }

    #[test]
    fn a_message_may_be_nearly_right() {
        assert_eq!(Slip::of_message("spel is afgelopen", "Spel is afgelopen!"), Slip::NearMessage);
        assert_eq!(Slip::of_message("spel is afgelopen", "game over"), Slip::AnotherMessage);
    }
}
