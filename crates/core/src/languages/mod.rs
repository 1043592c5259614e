//! The programming languages of submissions: a folder and a row each.
//!
//! A language knows how to write values and how to read a source file without running it; an engine knows how
//! to start a program that runs the language, with keur's driver text. Neither knows an exercise.
//! [`LANGUAGES`] is the registry.

mod build;
pub mod c;
mod common_error;
mod convention;
pub mod cpp;
mod driver;
mod engine;
mod interpreter;
pub mod java;
pub mod javascript;
mod language;
mod newer_syntax;
mod pattern;
pub mod python;
pub mod rust;
mod tokens;
pub mod typescript;
mod version;

pub use build::{CompileError, CompileOptions};
pub use common_error::CommonError;
pub use convention::Convention;
#[cfg(target_os = "linux")]
pub(crate) use cpp::LIBRARIES;
use driver::in_variables;
pub use engine::Engine;
use engine::parse_three_lines;
pub use interpreter::{Interpreter, InterpreterError, Interpreters};
pub use language::Language;
pub(crate) use language::Notebooks;
use newer_syntax::NewerSyntax;
pub use version::Version;
#[doc(hidden)]
pub use {
    build::{AskedClass, AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, Compiler, CompilerRequest},
    driver::{COMPILED, DriverArgs, Mode},
    engine::{Carried, ENGINE, Forks, Lifetime, ProbeResult},
    language::Scan,
    newer_syntax::Newer,
    pattern::pattern,
    tokens::{NoContent, Token, TokenKind, Tokens},
};

use crate::value::notation::Notation;
use std::path::Path;

/// The languages that an assignment writes its sessions in, by name.
#[doc(hidden)]
pub const SESSIONS: &[&str] = &[python::LANGUAGE.name, javascript::LANGUAGE.name];

/// The default language of an exercise's sessions.
#[doc(hidden)]
pub const SESSION: &dyn Notation = &python::Python;

/// Every language.
pub static LANGUAGES: &[&Language] = &[
    &python::LANGUAGE,
    &javascript::LANGUAGE,
    &typescript::LANGUAGE,
    &java::LANGUAGE,
    &cpp::LANGUAGE,
    &c::LANGUAGE,
    &rust::LANGUAGE,
];

/// Every engine, those that run the same language next to each other.
pub fn engines() -> impl Iterator<Item = &'static Engine> {
    LANGUAGES.iter().flat_map(|language| language.engines).copied()
}

/// The language called `name`.
pub fn find(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|language| language.name == name)
}

/// The languages whose submissions are built. These answer any exercise, whatever files it names.
pub fn built() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter().copied().filter(|language| language.build.is_some())
}

/// The language of a source file, by its extension.
pub fn of_file(name: &str) -> Option<&'static Language> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES.iter().copied().find(|language| language.extensions.contains(&extension.as_str()))
}

/// The notebooks that a file of this name is one of.
pub(crate) fn notebooks(name: &str) -> Option<&'static Notebooks> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    let mut all = LANGUAGES.iter().filter_map(|language| language.notebooks);
    all.find(|notebooks| notebooks.extension == extension)
}

#[cfg(test)]
mod notation_tests;

#[cfg(test)]
mod tests {
    use super::{DriverArgs, Mode, engines};
    use crate::sandbox::Transport;
    use std::path::Path;

    /// The most units of 16 bits that Windows takes in a command line or a variable.
    const MOST_UNITS: usize = 32_767;

    #[test]
    fn a_driver_fits_the_command_line_and_the_environment_of_windows() {
        for engine in engines() {
            let mode = Mode::Process(Transport::Pipes);
            let start = DriverArgs {
                program: Path::new("program"),
                mode,
                memory: 1 << 28,
                seed: 0,
                text: None,
                has_folder: false,
                cache: None,
            };
            let launch = (engine.launch)(&start);
            // A quote or a backslash takes two.
            let line: usize = launch.args.iter().map(|arg| 2 * arg.to_string_lossy().len() + 3).sum();
            assert!(line < MOST_UNITS, "{engine:?}: a command line of {line} units");
            for (key, value) in &launch.env {
                let units = key.len() + value.encode_utf16().count() + 2;
                assert!(units < MOST_UNITS, "{engine:?}: {key} has {units} units");
            }
        }
    }
}
