//! The definition of a language: a row of the registry.

use super::build::Build;
use super::engine::Engine;
use crate::value::notation::Notation;
use std::fmt;

/// A programming language that submissions are written in.
#[non_exhaustive]
pub struct Language {
    /// The name in exercise files: `python`.
    pub name: &'static str,
    /// The display name: `Python`.
    pub title: &'static str,
    /// Extensions of its source files, without the dot.
    pub extensions: &'static [&'static str],
    /// The language whose code runs in it too: JavaScript, for TypeScript.
    pub(crate) extends: Option<&'static Language>,
    /// The notation of values and statements.
    pub notation: &'static dyn Notation,
    /// Whether names of functions and methods are written `like_this`; else `likeThis`.
    #[doc(hidden)]
    pub snake_case: bool,
    /// Whether arguments can be given by keyword.
    pub(crate) keywords: bool,
    /// The built-in exception types: an exercise's expected type counts only if it is listed here.
    pub(crate) exceptions: &'static [&'static str],
    /// The exception types that the language itself raises for a mistake in a program: they never count as a
    /// type that the language does not have.
    pub(crate) crashes: &'static [&'static str],
    /// Finds what a source file defines and imports, without running it.
    #[doc(hidden)]
    pub scan: fn(source: &str) -> Scan,
    /// The name by which a file's module is loaded.
    #[doc(hidden)]
    pub module: fn(file: &str) -> String,
    /// The engines: the first one is the default, unless it is missing. A language that is built needs none.
    pub engines: &'static [&'static Engine],
    /// The build of its submissions, if they are built into programs.
    #[doc(hidden)]
    pub build: Option<&'static Build>,
}

impl Language {
    /// Whether keur works fully without the default engine of the language.
    pub fn is_optional(&self) -> bool {
        self.engines.first().is_none_or(|engine| engine.optional)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name == other.name
    }
}

impl Eq for Language {}

/// The definitions and imports of a source file, found by reading it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Names it defines at the top level.
    pub defines: Vec<String>,
    /// Imported modules that may be files next to it.
    pub imports: Vec<String>,
}
