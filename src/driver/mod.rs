//! The programming languages of submissions: one file a language, and the driver text it ships.
//!
//! A driver knows how to start its interpreter and how to read a source file without running it. It knows no game
//! and no exercise. [`DRIVERS`] is the registry; a new language is a file and a row.

mod interpreter;
mod javascript;
mod python;

pub use interpreter::{Interpreter, InterpreterError, Interpreters};

use crate::sandbox::{Launch, Transport};
use crate::value::syntax::Syntax;
use std::fmt;
use std::path::Path;

/// A programming language that submissions are written in.
pub struct Driver {
    /// The language, as exercise files name it: `python`.
    pub language: &'static str,
    /// The language, as people do: `Python`.
    pub title: &'static str,
    /// Endings of its source files, without the dot.
    pub endings: &'static [&'static str],
    /// How it writes values.
    pub syntax: Syntax,
    /// Whether names of functions and methods are written `like_this`; else `likeThis`.
    pub snake_case: bool,
    /// Whether arguments can be given by keyword.
    pub keywords: bool,
    /// Its built-in exception types: a type expected by an exercise counts where it stands here.
    pub exceptions: &'static [&'static str],
    /// Whether one process answers for all cases of a submission, with a fresh context for each.
    pub shared: bool,
    /// Names under which its interpreter is found.
    pub programs: &'static [&'static str],
    /// The oldest version that will do, and what to install when there is none.
    pub oldest: (u32, u32),
    /// Arguments with which the interpreter tells where it really is and its version, on two lines.
    pub probe: &'static [&'static str],
    /// How to start it with its driver.
    pub launch: fn(program: &Path, transport: Transport) -> Launch,
    /// What a source file defines and imports, read without running it.
    pub scan: fn(source: &str) -> Scan,
    /// The name by which a file's module is loaded.
    pub module: fn(file: &str) -> String,
    /// Syntax that needs a newer interpreter than `(major, minor)`: what it is and the version that has it.
    pub newer_syntax: fn(line: &str, version: (u32, u32)) -> Option<(&'static str, &'static str)>,
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.language)
    }
}

/// What a source file holds, as far as reading tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Names it defines at the top level.
    pub defines: Vec<String>,
    /// Names of modules that it imports and that may be files beside it.
    pub imports: Vec<String>,
}

/// Every language.
pub const DRIVERS: &[&Driver] = &[&python::DRIVER, &javascript::DRIVER];

/// The driver of a language.
pub fn find(language: &str) -> Option<&'static Driver> {
    DRIVERS.iter().copied().find(|driver| driver.language == language)
}

/// The driver of a source file, by its ending.
pub fn of_file(name: &str) -> Option<&'static Driver> {
    let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    DRIVERS.iter().copied().find(|driver| driver.endings.contains(&ending.as_str()))
}
