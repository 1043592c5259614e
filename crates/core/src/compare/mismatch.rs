//! The kind of mismatch: the basis of a message to a student.

use super::oracle::{CheckAnswer, Share};
use super::value::type_name;
use crate::languages::CompileError;
use crate::sandbox::Exit;
use crate::submission::FilesProblem;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::oracle::Refusal;

/// The kind of mistake behind a failure. Reports turn it into a sentence in the student's language.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Mismatch {
    /// Unexpected value.
    Value,
    /// The value is correct except for its type.
    Type {
        /// The expected type.
        expected: String,
        /// The actual type.
        got: String,
    },
    /// An oracle does not accept it.
    Refused(#[serde(with = "super::oracle::StoredRefusal")] Refusal),
    /// A check of the instructor's own does not accept it, or not for all points.
    Check {
        /// What the check says.
        message: Option<String>,
        /// The share of the points that it gives.
        share: Share,
    },
    /// It has an object in it where only plain values can be judged.
    NotPlain {
        /// The type of the object.
        kind: String,
    },
    /// Printed instead of returned.
    Printed,
    /// Nothing was returned.
    NoneReturned,
    /// Should return the object itself, but returned nothing.
    NoneForObject,
    /// Should return the object itself, but returned something else.
    AnotherObject,
    /// Should return another object, but returned this very object.
    SameObject {
        /// The name bound to that object.
        name: String,
    },
    /// The value is too large, nested too deep, or contains itself.
    TooLarge,
    /// A promise, coroutine or generator instead of the value.
    Deferred {
        /// Its type.
        kind: String,
    },
    /// The text is not a string.
    NoText {
        /// Its type.
        kind: String,
    },
    /// Unexpected output where nothing should be printed.
    Output,
    /// No output where something should be printed.
    NoOutput,
    /// The expected output, and more.
    MoreOutput,
    /// The output is correct except for the prompts of the program.
    Prompts,
    /// The value is correct except for the types of its items.
    InnerType,
    /// The text is correct except for trailing spaces.
    TrailingBlanks,
    /// The text is correct except for line ends after it.
    FinalNewlines,
    /// The text is correct except for capitalisation.
    Capitals,
    /// The text is correct except for spaces.
    Blanks,
    /// Unexpected number of lines.
    Lines {
        /// The expected lines.
        expected: usize,
        /// The actual lines.
        got: usize,
    },
    /// Unexpected text.
    Text,
    /// The text lacks a part that it should contain.
    Part {
        /// The beginning of the part.
        part: String,
        /// The problem.
        why: PartProblem,
    },
    /// The text does not have the form that a regular expression describes.
    Form,
    /// Lines of the text are missing, in whatever order they should come.
    MissingLines {
        /// The beginning of the first.
        first: String,
        /// How many are missing.
        count: usize,
    },
    /// The text has lines too many, in whatever order they may come.
    ExtraLines {
        /// The beginning of the first.
        first: String,
        /// How many are too many.
        count: usize,
    },
    /// The text of an object whose class does not define one.
    TextOfObject {
        /// The method that would.
        method: String,
    },
    /// The text of nothing: a method that should return the object returned nothing.
    TextOfNone,
    /// No exception where one was expected.
    NotRaised,
    /// Printed the message of the expected exception instead of raising it.
    MessagePrinted,
    /// Unexpected exception.
    Unexpected,
    /// Unexpected exception type.
    AnotherType,
    /// The message is correct except for capitalisation, spaces or punctuation.
    NearMessage,
    /// Unexpected message.
    AnotherMessage,
    /// An unrelated exception.
    AnotherException,
    /// A class or function is missing.
    NoDefinition {
        /// Its name.
        name: String,
        /// The existing name that was probably meant.
        near: Option<String>,
    },
    /// A method is missing.
    NoMethod {
        /// The class.
        class: String,
        /// The method.
        name: String,
        /// The existing name that was probably meant.
        near: Option<String>,
    },
    /// A method is called on the result of an earlier call, which returned nothing.
    MethodOfNothing {
        /// The type of nothing.
        class: String,
        /// The method.
        name: String,
    },
    /// A method is called on the result of an earlier call, which is a plain value and no object of a class.
    MethodOfValue {
        /// The type of the value.
        class: String,
        /// The method.
        name: String,
    },
    /// A property where there should be a method.
    Property {
        /// The class.
        class: String,
        /// The name.
        name: String,
    },
    /// An attribute is missing.
    NoAttribute {
        /// The class.
        class: String,
        /// The attribute.
        name: String,
        /// The existing name that was probably meant.
        near: Option<String>,
    },
    /// An attribute is asked of the result of an earlier call, which returned nothing.
    AttributeOfNothing {
        /// The type of nothing.
        class: String,
        /// The attribute.
        name: String,
    },
    /// An attribute is asked of a plain value, which is no object of a class.
    AttributeOfValue {
        /// The type of the value.
        class: String,
        /// The attribute.
        name: String,
    },
    /// A method where there should be an attribute.
    NotAttribute {
        /// The class.
        class: String,
        /// The name.
        name: String,
    },
    /// The processor time limit was reached.
    CpuLimit,
    /// The wall-clock time limit was reached.
    WallLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The output limit was reached.
    OutputLimit,
    /// Too much was written into the working folder.
    FilesLimit,
    /// A file that the step should leave is wrong.
    Written {
        /// Its name.
        file: String,
        /// The problem.
        problem: WrittenProblem,
    },
    /// The process ended.
    Ended(#[serde(with = "super::failure::StoredExit")] Exit),
    /// The protocol was broken; says how.
    Protocol(String),
    /// A compiled program never got ready.
    NotReady {
        /// The reason.
        why: String,
    },
    /// A syntax error.
    Syntax,
    /// Syntax of a newer interpreter.
    NewerSyntax {
        /// The syntax.
        what: String,
        /// The first version that has it.
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
    /// A package is not one of those that the exercise allows.
    NotAllowed {
        /// The name of its module.
        name: String,
    },
    /// A file of the submission is missing.
    NoFile {
        /// Its name.
        file: String,
    },
    /// A program is missing.
    NoProgram {
        /// Its file.
        file: String,
    },
    /// A program prints unexpected text at a turn of a dialogue.
    Dialogue,
    /// A program ended where it should wait for input.
    EndedEarly,
    /// A program ended with an unexpected status.
    Status,
    /// Too many games of a match were lost.
    GamesLost {
        /// The games played.
        games: u32,
        /// The games lost.
        lost: u32,
    },
    /// Too few games of a match were won.
    Games {
        /// The games played.
        games: u32,
        /// The wins required.
        needed: u32,
        /// The games won.
        got: u32,
    },
    /// A player changed the board that it was given.
    Changed,
    /// A problem with the files of the submission.
    Files(FilesProblem),
    /// It does not compile.
    Compile(Vec<CompileError>),
    /// Compiling it took too long.
    CompileTime,
    /// It compiles, but the test program is missing.
    ProgramGone {
        /// The source of that program.
        test: String,
    },
}

/// What is wrong with a file that a step should leave.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum WrittenProblem {
    /// There is none.
    Missing,
    /// There is a folder.
    Folder,
    /// There is a link, or something else that is not a file; or it cannot be read.
    Irregular,
    /// It is larger than any file may be.
    TooLarge,
    /// It is not text.
    Binary,
    /// It is empty, and should not be.
    Empty,
    /// Its text differs like this.
    Text(Box<Mismatch>),
}

/// The problem with a part that a text should contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum PartProblem {
    /// It is missing.
    Missing,
    /// It is there, but only before another part that it should follow.
    Order,
    /// It is there except for capitalisation.
    Capitals,
    /// It is there except for spaces.
    Blanks,
}

impl Mismatch {
    /// The mismatch of a value that a check of the instructor's own has judged; `None` if it accepts the value.
    pub(super) fn of_check(answer: CheckAnswer) -> Option<Mismatch> {
        let CheckAnswer { share, message } = answer;
        (share != Share::ALL).then_some(Mismatch::Check { message, share })
    }

    /// The share of the points that it leaves.
    pub fn share(&self) -> Share {
        let of_text = if let Mismatch::Written { problem: WrittenProblem::Text(text), .. } = self {
            text
        } else {
            self
        };
        if let Mismatch::Check { share, .. } = of_text { *share } else { Share::NONE }
    }

    /// The mismatch of a wrong value. `expected` is `None` if no single value is expected.
    pub(super) fn of_value(
        expected: Option<&Value>,
        got: &Value,
        printed: &str,
        notation: &'static dyn Notation,
    ) -> Mismatch {
        let none = matches!(got, Value::None | Value::Undefined);
        if let Some(expected) = expected.filter(|_| none) {
            let printed = printed.trim_end();
            let shown = [notation.literal(expected), notation.text(expected).to_lossy()];
            if !printed.is_empty() && shown.iter().any(|shown| shown.trim_end() == printed) {
                return Mismatch::Printed;
            }
        }
        if none {
            return Mismatch::NoneReturned;
        }
        if got.parts().any(|part| matches!(part, Value::Cut(_))) {
            return Mismatch::TooLarge;
        }
        if let Value::Opaque(kind) = got
            && DEFERRED.contains(&kind.as_str())
        {
            return Mismatch::Deferred { kind: kind.clone() };
        }
        match expected {
            Some(expected) if loosely_equal(expected, got, notation) => {
                let (expected, got) = (type_name(expected, notation), type_name(got, notation));
                if expected == got { Mismatch::InnerType } else { Mismatch::Type { expected, got } }
            }
            Some(_) | None => Mismatch::Value,
        }
    }

    /// The mismatch of an answer that an oracle does not accept: nothing was returned, a generator came, or it is
    /// refused for `why`.
    pub(crate) fn of_refusal(why: Refusal, got: &Value, notation: &'static dyn Notation) -> Mismatch {
        match Mismatch::of_value(None, got, "", notation) {
            mismatch if why == Refusal::NoAnswer && mismatch != Mismatch::Value => mismatch,
            _ => Mismatch::Refused(why),
        }
    }

    /// The mismatch of a wrong text.
    pub(super) fn of_text(expected: &str, got: &str, printed: &str) -> Mismatch {
        let ends = |text: &str| text.trim_end_matches(['\n', '\r']).to_owned();
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        let blankless = |text: &str| text.split_whitespace().collect::<String>();
        let nothing = matches!(got, "None" | "undefined" | "null");
        if nothing && !printed.is_empty() && trimmed(printed) == trimmed(expected) {
            Mismatch::Printed
        } else if nothing {
            Mismatch::TextOfNone
        } else if ends(expected) == ends(got) {
            Mismatch::FinalNewlines
        } else if trimmed(&ends(expected)) == trimmed(&ends(got)) {
            Mismatch::TrailingBlanks
        } else if expected.to_lowercase() == got.to_lowercase() {
            Mismatch::Capitals
        } else if blankless(expected) == blankless(got) {
            Mismatch::Blanks
        } else if expected.lines().count() != got.lines().count() {
            Mismatch::Lines { expected: expected.lines().count(), got: got.lines().count() }
        } else {
            Mismatch::Text
        }
    }

    /// The mismatch of wrong output.
    pub(super) fn of_output(expected: &str, got: &str) -> Mismatch {
        if expected.is_empty() {
            return Mismatch::Output;
        }
        if got.trim().is_empty() {
            return Mismatch::NoOutput;
        }
        let mismatch = Mismatch::of_text(expected, got, "");
        let unlike = matches!(mismatch, Mismatch::Text | Mismatch::Lines { .. });
        if unlike && got.contains(expected) { Mismatch::MoreOutput } else { mismatch }
    }

    /// The mismatch of a wrong message.
    pub(super) fn of_message(expected: &str, got: &str) -> Mismatch {
        let core = |text: &str| -> String {
            text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        if core(expected) == core(got) { Mismatch::NearMessage } else { Mismatch::AnotherMessage }
    }
}

/// Types of values that are not computed yet.
pub(super) const DEFERRED: [&str; 6] =
    ["coroutine", "generator", "async_generator", "Promise", "GeneratorFunction", "Generator"];

/// Whether two values are the same except for types: `1` and `True`, `'1'` and `1`, a list and a set.
fn loosely_equal(expected: &Value, got: &Value, notation: &'static dyn Notation) -> bool {
    let number = |value: &Value| {
        let Value::Bool(truth) = value else { return value.as_number() };
        Some(f64::from(u8::from(*truth)))
    };
    if let (Value::Int(expected) | Value::BigInt(expected), Value::Int(got) | Value::BigInt(got)) =
        (expected, got)
    {
        // As doubles, neighbouring large integers would be equal.
        return expected == got;
    }
    if let (Some(expected), Some(got)) = (number(expected), number(got)) {
        return expected == got;
    }
    match (expected, got) {
        (Value::Str(text), other) | (other, Value::Str(text)) => {
            let scalar = number(other).is_some() || matches!(other, Value::Str(_) | Value::None);
            scalar && (*text == notation.text(other) || *text == *notation.literal(other))
        }
        (Value::Set(set), Value::List(items) | Value::Tuple(items) | Value::Set(items))
        | (Value::List(items) | Value::Tuple(items), Value::Set(set)) => {
            set.len() == items.len()
                && set.iter().all(|member| items.iter().any(|item| loosely_equal(member, item, notation)))
        }
        (Value::List(expected) | Value::Tuple(expected), Value::List(got) | Value::Tuple(got)) => {
            expected.len() == got.len()
                && expected.iter().zip(got).all(|(expected, got)| loosely_equal(expected, got, notation))
        }
        _ => super::equal(expected, got, notation),
    }
}

#[cfg(test)]
mod tests {
    use super::Mismatch;
    use crate::languages::python::Python;
    use crate::value::Value;

    #[track_caller]
    fn check_value(expected: Value, got: Value, printed: &str, mismatch: Mismatch) {
        assert_eq!(Mismatch::of_value(Some(&expected), &got, printed, &Python), mismatch);
    }

    fn type_mismatch(expected: &str, got: &str) -> Mismatch {
        Mismatch::Type { expected: expected.to_owned(), got: got.to_owned() }
    }

    #[test]
    fn a_right_value_of_another_type_is_named_so() {
        let one = || Value::from(1);
        check_value(Value::from(true), one(), "", type_mismatch("bool", "int"));
        check_value(one(), Value::from("1"), "", type_mismatch("int", "str"));
        check_value(Value::Tuple(vec![one()]), Value::List(vec![one()]), "", type_mismatch("tuple", "list"));
        check_value(Value::Set(vec![one()]), Value::List(vec![one()]), "", type_mismatch("set", "list"));
        check_value(Value::from("R"), Value::from("B"), "", Mismatch::Value);
        let [large, next] = ["10000000000000000", "10000000000000001"].map(|digits| digits.parse().unwrap());
        check_value(Value::Int(large), Value::Int(next), "", Mismatch::Value);
        check_value(Value::List(vec![one()]), Value::List(vec![Value::from(2)]), "", Mismatch::Value);
    }

    #[test]
    fn printing_and_returning_nothing_are_told_apart() {
        check_value(Value::from("R"), Value::None, "R\n", Mismatch::Printed);
        check_value(Value::from("R"), Value::None, "'R'\n", Mismatch::Printed);
        check_value(Value::from("R"), Value::None, "", Mismatch::NoneReturned);
        check_value(Value::from("R"), Value::None, "B\n", Mismatch::NoneReturned);
        check_value(
            Value::from(1),
            Value::Opaque("coroutine".into()),
            "",
            Mismatch::Deferred { kind: "coroutine".into() },
        );
    }

    #[test]
    fn near_texts_are_told_how_they_differ() {
        for (expected, got, mismatch) in [
            ("a b\nc", "a b \nc", Mismatch::TrailingBlanks),
            ("a b", "a b\n", Mismatch::FinalNewlines),
            ("W b", "w b", Mismatch::Capitals),
            ("a b", "ab", Mismatch::Blanks),
            ("a\nb", "a", Mismatch::Lines { expected: 2, got: 1 }),
            ("a\nb", "a\nc", Mismatch::Text),
            ("a\nb", "None", Mismatch::TextOfNone),
        ] {
            assert_eq!(Mismatch::of_text(expected, got, ""), mismatch, "{expected:?} {got:?}");
        }
        assert_eq!(Mismatch::of_text("a\nb", "None", "a\nb\n"), Mismatch::Printed);
    }

    #[test]
    fn a_message_may_be_nearly_right() {
        assert_eq!(Mismatch::of_message("spel is afgelopen", "Spel is afgelopen!"), Mismatch::NearMessage);
        assert_eq!(Mismatch::of_message("spel is afgelopen", "game over"), Mismatch::AnotherMessage);
    }
}
