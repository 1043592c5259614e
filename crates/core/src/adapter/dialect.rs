//! The language of a submission, as the program that runs it speaks it.

use super::wire::{Ready, Spelling};
use crate::case::{Convention, Exercise, Naming};
use crate::languages::{self, Engine, Language};
use crate::value::notation::Notation;
use std::sync::Arc;

/// The language of a submission, and what the program that runs it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The language.
    pub language: SpokenLanguage,
    /// The version of its interpreter; empty before one has started.
    pub version: String,
    /// The engine that runs it, if it is one of keur's own.
    pub engine: Option<&'static Engine>,
    /// The spelling of names.
    pub convention: Convention,
    /// Whether arguments can be given by keyword.
    pub keywords: bool,
    /// Whether tuples are distinguished from lists; if not, a list counts as a tuple.
    pub tuples: bool,
    /// Whether the program can run programs.
    pub programs: bool,
    /// Whether the program knows operators, attributes and items.
    pub operators: bool,
    /// Whether the program can run code that stands in a case.
    pub native: bool,
    /// Whether the calls of a case can read standard input.
    pub stdin: bool,
    /// Modules that are installed and that the exercise does not allow, where it allows packages.
    pub barred: Arc<[String]>,
}

/// A language that a program names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpokenLanguage {
    /// One that keur knows.
    Known(&'static Language),
    /// Any other, called `name`, whose values are written as in the sessions of the exercise.
    Other {
        /// The name that the program gives in `ready`.
        name: String,
        /// The notation of the exercise's sessions.
        notation: &'static dyn Notation,
    },
}

impl Dialect {
    /// A language before any program has run it.
    pub fn of(language: &'static Language) -> Dialect {
        Dialect::before_start(SpokenLanguage::Known(language))
    }

    /// The language that a program has named, with what else it said of itself.
    pub(super) fn started(ready: Ready, exercise: &Exercise) -> Dialect {
        let language = match languages::find(&ready.language) {
            Some(language) => SpokenLanguage::Known(language),
            None => SpokenLanguage::Other { name: ready.language, notation: exercise.session },
        };
        let before = Dialect::before_start(language);
        Dialect {
            version: ready.version,
            convention: ready.convention.unwrap_or(before.convention),
            keywords: before.keywords || ready.keywords,
            tuples: ready.tuples.unwrap_or(before.tuples),
            programs: ready.programs,
            operators: ready.operators,
            native: ready.native,
            stdin: ready.stdin,
            ..before
        }
    }

    fn before_start(language: SpokenLanguage) -> Dialect {
        let known = language.known();
        Dialect {
            version: String::new(),
            engine: None,
            convention: known.map_or(Convention::AsIs, |language| language.convention),
            keywords: known.is_some_and(|language| language.keywords),
            tuples: language.notation().has_tuples(),
            programs: false,
            operators: false,
            native: false,
            stdin: false,
            barred: Arc::default(),
            language,
        }
    }

    /// The name of the language, as exercise files have it.
    pub fn name(&self) -> &str {
        self.language.name()
    }

    /// The notation of values in the language.
    pub fn notation(&self) -> &'static dyn Notation {
        self.language.notation()
    }

    /// The built-in exception types of the language.
    pub fn exceptions(&self) -> &'static [&'static str] {
        self.language.known().map_or(&[], |language| language.exceptions)
    }

    /// Whether an exception type is one that the language itself raises for a mistake in a program.
    pub fn is_crash(&self, kind: &str) -> bool {
        self.language.known().is_some_and(|language| language.crashes.contains(&kind))
    }

    /// The names of `exercise` as the language spells them.
    pub fn naming<'a>(&'a self, exercise: &'a Exercise) -> Naming<'a> {
        Naming::new(exercise, self.name(), self.convention)
    }
}

impl SpokenLanguage {
    /// The language, if keur knows it.
    pub fn known(&self) -> Option<&'static Language> {
        match self {
            SpokenLanguage::Known(language) => Some(language),
            SpokenLanguage::Other { .. } => None,
        }
    }

    fn name(&self) -> &str {
        match self {
            SpokenLanguage::Known(language) => language.name,
            SpokenLanguage::Other { name, .. } => name,
        }
    }

    fn notation(&self) -> &'static dyn Notation {
        match self {
            SpokenLanguage::Known(language) => language.notation,
            SpokenLanguage::Other { notation, .. } => *notation,
        }
    }
}

/// A command as a user would type it.
pub(super) fn command(dialect: &Dialect, file: &str, args: &[String]) -> String {
    let quoted = |arg: &String| {
        let plain = |ch: char| ch.is_ascii_alphanumeric() || "-_./=:,".contains(ch);
        let bare = !arg.is_empty() && arg.chars().all(plain);
        if bare { arg.clone() } else { format!("'{}'", arg.replace('\'', r"'\''")) }
    };
    let words = std::iter::once(dialect.notation().running(file)).chain(args.iter().map(quoted));
    words.collect::<Vec<_>>().join(" ")
}

/// The spelling of names in the requests to a program.
pub(super) struct Spoken<'a> {
    pub(super) naming: Naming<'a>,
    dialect: &'a Dialect,
}

impl<'a> Spoken<'a> {
    pub(super) fn new(exercise: &'a Exercise, dialect: &'a Dialect) -> Spoken<'a> {
        Spoken { naming: dialect.naming(exercise), dialect }
    }
}

impl Spelling for Spoken<'_> {
    fn spell(&self, name: &str) -> String {
        self.naming.spell(name)
    }

    fn keywords(&self) -> bool {
        self.dialect.keywords
    }

    fn language(&self) -> &str {
        self.dialect.name()
    }
}
