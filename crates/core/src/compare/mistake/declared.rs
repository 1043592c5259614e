//! Mistakes in how a submission in C or C++ declares what its exercise declares.

use crate::languages::pattern;
use crate::messages::Message;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A difference from a declaration of the exercise.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum DeclaredMistake {
    /// A parameter has another type.
    Parameter {
        /// The function.
        name: String,
        /// The place of the parameter, from 1.
        number: usize,
        /// Its type in the submission.
        own: String,
        /// Its type in the exercise.
        asked: String,
    },
    /// A function returns another type.
    Returned {
        /// The function.
        name: String,
        /// The type in the submission.
        own: String,
        /// The type in the exercise.
        asked: String,
    },
    /// A function has another number of parameters.
    Count {
        /// The function.
        name: String,
        /// The number in the submission.
        own: usize,
        /// The number in the exercise.
        asked: usize,
    },
    /// A struct has other fields, or the same ones in another order.
    Fields {
        /// Its type.
        name: String,
        /// The fields in the exercise.
        asked: String,
    },
    /// A struct is not declared.
    NoType {
        /// Its type.
        name: String,
    },
    /// A method in C++ cannot be called from outside its class: mostly it is not public.
    NotPublic {
        /// The method.
        name: String,
    },
    /// A variable has the name of a method.
    Variable {
        /// The variable.
        name: String,
    },
    /// A class in C++ has no public constructor for the arguments.
    NoConstructor {
        /// The class.
        name: String,
    },
    /// A class of which the case makes an object is abstract.
    Abstract {
        /// The class.
        name: String,
    },
}

/// How a difference follows from what its pattern captured.
type Reading = fn(&Captures<'_>) -> DeclaredMistake;

/// The messages of the driver, after the name of what is called (`languages/c/settle.rs` writes them, and
/// `keur.hpp` and `library.hpp` in `languages/cpp`).
const MESSAGES: [(&str, Reading); 9] = [
    (
        r"^(?P<name>\w+): its parameter (?P<number>\d+) is `(?P<own>[^`]*)`, and `(?P<asked>[^`]*)` is asked",
        |found| DeclaredMistake::Parameter {
            name: text(found, "name"),
            number: number(found, "number"),
            own: text(found, "own"),
            asked: text(found, "asked"),
        },
    ),
    (r"^(?P<name>\w+): it returns `(?P<own>[^`]*)`, and `(?P<asked>[^`]*)` is asked", |found| {
        DeclaredMistake::Returned {
            name: text(found, "name"),
            own: text(found, "own"),
            asked: text(found, "asked"),
        }
    }),
    (r"^(?P<name>\w+): the number of its parameters is (?P<own>\d+), and (?P<asked>\d+) is asked", |found| {
        DeclaredMistake::Count {
            name: text(found, "name"),
            own: number(found, "own"),
            asked: number(found, "asked"),
        }
    }),
    (r"^\w+: the fields of `(?P<name>[^`]*)` are not `(?P<asked>[^`]*)`", |found| DeclaredMistake::Fields {
        name: text(found, "name"),
        asked: text(found, "asked"),
    }),
    (r"^\w+: there is no type `(?P<name>[^`]*)`", |found| DeclaredMistake::NoType {
        name: text(found, "name"),
    }),
    (r"^(?P<name>\w+): it cannot be called from outside", |found| DeclaredMistake::NotPublic {
        name: text(found, "name"),
    }),
    (r"^(?P<name>\w+): the class is abstract: ", |found| DeclaredMistake::Abstract {
        name: text(found, "name"),
    }),
    (r"^(?P<name>\w+): it is a variable, not a method$", |found| DeclaredMistake::Variable {
        name: text(found, "name"),
    }),
    (r"^(?P<name>\w+): nothing that keur can call takes ", |found| DeclaredMistake::NoConstructor {
        name: text(found, "name"),
    }),
];

fn text(found: &Captures<'_>, name: &str) -> String {
    found.name(name).map_or("", |found| found.as_str()).to_owned()
}

fn number(found: &Captures<'_>, name: &str) -> usize {
    found.name(name).and_then(|found| found.as_str().parse().ok()).unwrap_or_default()
}

impl DeclaredMistake {
    /// The difference that a refusal of a call names.
    pub(super) fn of_refusal(message: &str) -> Option<DeclaredMistake> {
        static PATTERNS: LazyLock<Vec<(Regex, Reading)>> =
            LazyLock::new(|| MESSAGES.iter().map(|(regex, reading)| (pattern(regex), *reading)).collect());
        PATTERNS.iter().find_map(|(regex, reading)| Some(reading(&regex.captures(message)?)))
    }

    pub(super) fn message(&self) -> Message {
        match self {
            DeclaredMistake::Parameter { name, number, own, asked } => {
                let message = Message::new("mistake-declared-parameter").with("name", name);
                message.with("number", number).with("own", own).with("asked", asked)
            }
            DeclaredMistake::Returned { name, own, asked } => {
                let message = Message::new("mistake-declared-returned").with("name", name);
                message.with("own", own).with("asked", asked)
            }
            DeclaredMistake::Count { name, own, asked } => {
                let message = Message::new("mistake-declared-count").with("name", name);
                message.with("own", own).with("asked", asked)
            }
            DeclaredMistake::Fields { name, asked } => {
                Message::new("mistake-declared-fields").with("name", name).with("asked", asked)
            }
            DeclaredMistake::NoType { name } => Message::new("mistake-declared-no-type").with("name", name),
            DeclaredMistake::NotPublic { name } => {
                Message::new("mistake-declared-not-public").with("name", name)
            }
            DeclaredMistake::Variable { name } => {
                Message::new("mistake-declared-variable").with("name", name)
            }
            DeclaredMistake::Abstract { name } => {
                Message::new("mistake-declared-abstract").with("name", name)
            }
            DeclaredMistake::NoConstructor { name } => {
                Message::new("mistake-declared-no-constructor").with("name", name)
            }
        }
    }
}
