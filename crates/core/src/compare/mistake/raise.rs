//! Mistakes in what is raised.

use super::{DeclaredMistake, Mistake, Reach, Traits};
use crate::adapter::Exception;
use crate::languages::cpp::names::{ASSERTION, LEAK, NOT_CALLABLE, REFUSED, TERMINATED, UNDEFINED};
use crate::languages::rust::names::PANIC;
use crate::messages::Message;
use crate::value::Text;

/// A mistake in what is raised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum RaiseMistake {
    /// Nothing was raised where an exception was expected.
    NotRaised,
    /// The message of the expected exception was printed instead of raised.
    MessagePrinted,
    /// The message of the expected exception, or an exception with it, was returned instead of raised.
    MessageReturned,
    /// An exception was raised where none was expected.
    Unexpected,
    /// The submission panicked, which is never expected.
    Panic,
    /// A sanitizer found undefined behaviour, which is never expected.
    Undefined,
    /// Memory of C++ or C is lost, in an exercise that asks for it, which is never expected.
    Leak,
    /// An `assert` of C++ or C fails, which is never expected.
    Assertion,
    /// An exception of C++ leaves a function that none may leave, which is never expected.
    Terminated,
    /// A parameter has a type that does not take the argument.
    ArgumentRefused,
    /// The case cannot call it in this way.
    NotCallable,
    /// A submission in C declares it in another way than the exercise.
    Declared(DeclaredMistake),
    /// The code that was called is not written yet, and says so.
    NotWritten,
    /// More lines were read from standard input than there are.
    PastInput {
        /// The number of lines that there are.
        lines: usize,
    },
    /// A method of Python takes fewer values than it is given, with the object itself among them.
    FewParameters {
        /// The class.
        class: String,
        /// The method.
        name: String,
    },
    /// A method of Python that gives the text of an object does not return a string.
    NoString {
        /// The method.
        name: String,
        /// The type of what it returns.
        class: String,
    },
    /// The exception is correct except for its type.
    AnotherType,
    /// The message is correct except for capitalisation, spaces or punctuation.
    NearMessage,
    /// The exception is correct except for its message.
    AnotherMessage,
    /// Neither the type nor the message of the exception is correct.
    AnotherException,
}

#[warn(clippy::wildcard_enum_match_arm)]
impl RaiseMistake {
    pub(super) fn message(&self) -> Message {
        Message::new(match self {
            RaiseMistake::PastInput { lines } => return Message::new("mistake-past-input").count(*lines),
            RaiseMistake::FewParameters { class, name } => {
                return Message::new("mistake-few-parameters").with("class", class).with("name", name);
            }
            RaiseMistake::NoString { name, class } => {
                return Message::new("mistake-no-string").with("name", name).with("class", class);
            }
            RaiseMistake::Declared(difference) => return difference.message(),
            RaiseMistake::NotRaised => "mistake-not-raised",
            RaiseMistake::MessagePrinted => "mistake-message-printed",
            RaiseMistake::MessageReturned => "mistake-message-returned",
            RaiseMistake::Unexpected => "mistake-unexpected",
            RaiseMistake::Panic => "mistake-panic",
            RaiseMistake::Undefined => "mistake-undefined",
            RaiseMistake::Leak => "mistake-leak",
            RaiseMistake::Assertion => "mistake-assertion",
            RaiseMistake::Terminated => "mistake-terminated",
            RaiseMistake::ArgumentRefused => "mistake-refused",
            RaiseMistake::NotCallable => "mistake-not-callable",
            RaiseMistake::NotWritten => "mistake-not-written",
            RaiseMistake::AnotherType => "mistake-another-type",
            RaiseMistake::NearMessage => "mistake-near-message",
            RaiseMistake::AnotherMessage => "mistake-another-message",
            RaiseMistake::AnotherException => "mistake-another-exception",
        })
    }

    pub(super) fn traits(&self) -> Traits {
        match self {
            RaiseMistake::NotRaised => Traits::plain(Reach::NotRaised),
            RaiseMistake::Unexpected
            | RaiseMistake::Panic
            | RaiseMistake::Undefined
            | RaiseMistake::Leak
            | RaiseMistake::Assertion
            | RaiseMistake::Terminated
            | RaiseMistake::AnotherException => Traits::plain(Reach::Case),
            RaiseMistake::ArgumentRefused | RaiseMistake::NotCallable | RaiseMistake::Declared(_) => {
                Traits::advising(Reach::Function)
            }
            RaiseMistake::NotWritten => Traits::advising(Reach::Case),
            RaiseMistake::PastInput { .. }
            | RaiseMistake::FewParameters { .. }
            | RaiseMistake::NoString { .. } => Traits::advising(Reach::Function),
            RaiseMistake::MessagePrinted | RaiseMistake::MessageReturned => Traits::plain(Reach::Function),
            RaiseMistake::AnotherType | RaiseMistake::NearMessage => Traits::advising(Reach::Exception),
            RaiseMistake::AnotherMessage => Traits::plain(Reach::Exception),
        }
    }
}

/// The messages by which the starters say that a function is not written yet.
const NOT_WRITTEN: [&str; 3] = ["nog niet geschreven", "ikke skrevet endnu", "not written yet"];

/// The beginnings of the panics of `unimplemented!` and `todo!`.
const UNIMPLEMENTED: [&str; 2] = ["not implemented", "not yet implemented"];

impl RaiseMistake {
    /// The mistake of an exception that is wrong whatever was expected: one of code that is not written yet, a
    /// panic, undefined behaviour, a refused argument, or one of a method that has too few parameters or returns no string.
    pub(crate) fn of_its_own(raised: &Exception) -> Option<RaiseMistake> {
        let message = raised.message.as_ref().map(Text::to_lossy).unwrap_or_default();
        if raised.kind == "TypeError"
            && let Some(mistake) = few_parameters(&message).or_else(|| no_string(&message))
        {
            return Some(mistake);
        }
        let panics = raised.kind == PANIC;
        let is_unwritten = raised.kind == "NotImplementedError"
            || NOT_WRITTEN.iter().any(|known| message.trim().eq_ignore_ascii_case(known))
            || panics && UNIMPLEMENTED.iter().any(|begin| message.starts_with(begin))
            || panics && NOT_WRITTEN.iter().any(|begin| message.starts_with(begin));
        match raised.kind.as_str() {
            UNDEFINED => return Some(RaiseMistake::Undefined),
            LEAK => return Some(RaiseMistake::Leak),
            ASSERTION => return Some(RaiseMistake::Assertion),
            TERMINATED => return Some(RaiseMistake::Terminated),
            REFUSED => return Some(RaiseMistake::ArgumentRefused),
            NOT_CALLABLE => {
                let declared = DeclaredMistake::of_refusal(&message).map(RaiseMistake::Declared);
                return Some(declared.unwrap_or(RaiseMistake::NotCallable));
            }
            _ => {}
        }
        match (is_unwritten, panics) {
            (true, _) => Some(RaiseMistake::NotWritten),
            (false, true) => Some(RaiseMistake::Panic),
            (false, false) => None,
        }
    }
}

/// The mistake of a method that gives the text of an object, as Python says it: `__str__ returned non-string (type int)`.
fn no_string(message: &str) -> Option<RaiseMistake> {
    let (name, class) = message.split_once(" returned non-string (type ")?;
    Some(RaiseMistake::NoString { name: name.to_owned(), class: class.strip_suffix(')')?.to_owned() })
}

/// The mistake behind Python's message that a method was given one value more than it takes, which is what a
/// forgotten `self` looks like: "Playlist.add() takes 1 positional argument but 2 were given".
fn few_parameters(message: &str) -> Option<RaiseMistake> {
    let (method, rest) = message.split_once("() takes ")?;
    let (takes, given) = rest.split_once(" positional argument")?;
    let given = given.trim_start_matches('s').strip_prefix(" but ")?.split(' ').next()?;
    let (class, name) = method.split_once('.').filter(|(_, name)| !name.contains('.'))?;
    let is_one_more = takes.parse::<u32>().ok()?.checked_add(1)? == given.parse::<u32>().ok()?;
    is_one_more.then(|| RaiseMistake::FewParameters { class: class.to_owned(), name: name.to_owned() })
}

impl Mistake {
    /// The mistake of a wrong message.
    pub(in crate::compare) fn of_message(expected: &str, got: &str) -> Mistake {
        let core = |text: &str| -> String {
            text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        Mistake::Raise(if core(expected) == core(got) {
            RaiseMistake::NearMessage
        } else {
            RaiseMistake::AnotherMessage
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{DeclaredMistake, Mistake, RaiseMistake};
    use crate::adapter::Exception;
    use crate::value::Text;

    #[test]
    fn some_exceptions_tell_their_mistake() {
        let few_parameters = || RaiseMistake::FewParameters { class: "A".to_owned(), name: "f".to_owned() };
        let no_string = RaiseMistake::NoString { name: "__str__".to_owned(), class: "NoneType".to_owned() };
        let name = || "f".to_owned();
        let declared = |difference| Some(RaiseMistake::Declared(difference));
        let (own, asked) = ("char *".to_owned(), "int".to_owned());
        let parameter = declared(DeclaredMistake::Parameter { name: name(), number: 2, own, asked });
        let (own, asked) = ("int".to_owned(), "long".to_owned());
        let returned = declared(DeclaredMistake::Returned { name: name(), own, asked });
        let count = declared(DeclaredMistake::Count { name: name(), own: 1, asked: 2 });
        let (struct_p, asked) = (|| "struct p".to_owned(), "int x; int y".to_owned());
        let fields = declared(DeclaredMistake::Fields { name: struct_p(), asked });
        let no_type = declared(DeclaredMistake::NoType { name: struct_p() });
        for (kind, message, mistake) in [
            ("panic", "not implemented: new (src/lib.rs:18)", Some(RaiseMistake::NotWritten)),
            ("panic", "not yet implemented (src/lib.rs:18)", Some(RaiseMistake::NotWritten)),
            ("panic", "nog niet geschreven (src/lib.rs:18)", Some(RaiseMistake::NotWritten)),
            ("NotImplementedError", "", Some(RaiseMistake::NotWritten)),
            ("Error", "ikke skrevet endnu", Some(RaiseMistake::NotWritten)),
            ("panic", "index out of bounds (src/lib.rs:18)", Some(RaiseMistake::Panic)),
            ("undefined behaviour", "Index 5 out of bounds", Some(RaiseMistake::Undefined)),
            ("lost memory", "8 bytes", Some(RaiseMistake::Leak)),
            ("failed assertion", "n > 0", Some(RaiseMistake::Assertion)),
            ("std::terminate", "std::runtime_error: no", Some(RaiseMistake::Terminated)),
            ("keur::Refused", "Quixo: nothing is no int", Some(RaiseMistake::ArgumentRefused)),
            ("keur::NotCallable", "f: it takes 2 arguments, not 3", Some(RaiseMistake::NotCallable)),
            (
                "keur::NotCallable",
                "f: its parameter 2 is `char *`, and `int` is asked (int f(int a))",
                parameter,
            ),
            ("keur::NotCallable", "f: it returns `int`, and `long` is asked (long f(void))", returned),
            ("keur::NotCallable", "f: the number of its parameters is 1, and 2 is asked", count),
            ("keur::NotCallable", "p: the fields of `struct p` are not `int x; int y`", fields),
            ("keur::NotCallable", "f: there is no type `struct p` (int f(struct p a))", no_type),
            (
                "keur::NotCallable",
                "f: the class is abstract: one of its methods has no body (= 0)",
                declared(DeclaredMistake::Abstract { name: name() }),
            ),
            (
                "keur::NotCallable",
                "f: it cannot be called from outside its class",
                declared(DeclaredMistake::NotPublic { name: name() }),
            ),
            (
                "keur::NotCallable",
                "f: it is a variable, not a method",
                declared(DeclaredMistake::Variable { name: name() }),
            ),
            (
                "keur::NotCallable",
                "f: nothing that keur can call takes 1 argument",
                declared(DeclaredMistake::NoConstructor { name: name() }),
            ),
            ("Error", "not implemented", None),
            ("ValueError", "no", None),
            ("TypeError", "__str__ returned non-string (type NoneType)", Some(no_string)),
            ("TypeError", "A.f() takes 1 positional argument but 3 were given", None),
            ("TypeError", "f() takes 1 positional argument but 2 were given", None),
            ("TypeError", "A.f() takes 0 positional arguments but 1 was given", Some(few_parameters())),
            ("TypeError", "A.f() takes 2 positional arguments but 3 were given", Some(few_parameters())),
        ] {
            let raised = Exception {
                kind: kind.to_owned(),
                bases: Vec::new(),
                message: Some(Text::from(message.to_owned())),
                ..Exception::default()
            };
            assert_eq!(RaiseMistake::of_its_own(&raised), mistake, "{kind}: {message}");
        }
    }

    #[test]
    fn a_message_may_be_nearly_right() {
        for (got, mistake) in
            [("Spel is afgelopen!", RaiseMistake::NearMessage), ("game over", RaiseMistake::AnotherMessage)]
        {
            assert_eq!(Mistake::of_message("spel is afgelopen", got), Mistake::Raise(mistake));
        }
    }
}
