//! Submissions in Rust: a type behind a trait, and each case of the exercise as a test.
//!
//! `examples/quixo.rs` of this crate is a complete one in 70 lines; `cargo run --example quixo` runs the
//! cases of its exercise on it. The names of the traits and of their methods, and the messages of errors, are
//! those of the assignments, which are in Dutch.
//!
//! A student's crate has a library with the type, and a test target without a harness:
//!
//! ```toml
//! [dependencies]
//! keur-core = "0.1.0"
//!
//! [[test]]
//! name = "grade"
//! harness = false
//! ```
//!
//! ```no_run
//! // tests/grade.rs
//! # mod my_crate {
//! #     pub struct Spelbord;
//! #     impl std::fmt::Display for Spelbord {
//! #         fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("?") }
//! #     }
//! #     impl keur_core::submit::Codenames for Spelbord {
//! #         fn new(_: usize, _: usize, _: &str) -> Spelbord { Spelbord }
//! #         fn beurt(&self) -> Result<String, String> { Ok("B".to_owned()) }
//! #         fn stoppen(&mut self) -> Result<(), String> { Ok(()) }
//! #         fn aanduiden(&mut self, _: usize, _: usize) -> Result<(), String> { Ok(()) }
//! #         fn isafgelopen(&self) -> bool { false }
//! #     }
//! # }
//! fn main() -> std::process::ExitCode {
//!     keur_core::submit::codenames::<my_crate::Spelbord>()
//! }
//! ```
//!
//! `cargo test` then runs each case in a confined process, which is the same program again: a panic, an
//! endless loop, a stack overflow or an abort costs only that case. The process never gets the expected
//! values.
//!
//! There is a trait for each built-in exercise; [`exercise`] takes any [`Program`].
//! Where the assignment raises an exception, a method returns `Err` with the message.
//!
//! A case may call with a value that the types of a method exclude, such as a negative row. Then a value
//! arrives that is wrong in every game: a size or a depth as 0, any other number as the largest of its type, a
//! text as the empty one.

mod cases;

use crate::adapter;
use crate::exercises::for_each_exercise;
use crate::value::program::Program;
use std::io;
use std::marker::PhantomData;
use std::process::ExitCode;

/// The argument that starts a test program as the submission.
pub const SERVE: &str = "__keur_submission";

macro_rules! tests_of {
    ($($name:ident: $trait:ident,)+) => {$(
        pub use crate::exercises::$name::submit::*;

        #[doc = concat!("Tests `T`, which is a [`trait@", stringify!($trait), "`]. The whole of a test program's `main`.")]
        pub fn $name<T: $trait>() -> ExitCode {
            use crate::exercises::$name::submit::{Answers, DEFINITIONS};
            exercise(stringify!($name), DEFINITIONS, || Box::new(Answers::<T>(PhantomData)))
        }
    )+};
}
for_each_exercise!(tests_of);

/// Tests a program as an answer to the built-in exercise `name`.
///
/// `definitions` are the classes and functions that it answers to, as the exercise spells them; `open` starts
/// a new instance. The arguments are those of cargo's own tests, and so is the exit code: 0 when every test
/// that ran has passed, 101 otherwise.
pub fn exercise(name: &str, definitions: &[&str], open: fn() -> Box<dyn Program>) -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(SERVE) {
        return match serve(definitions, open()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("{error}")),
        };
    }
    cases::test(name, SERVE).unwrap_or_else(|message| fail(&message))
}

#[expect(clippy::print_stderr, reason = "a test program tells on the terminal why it cannot run")]
fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(4)
}

/// Answers requests until there are no more: the main loop of a submission's process.
fn serve(definitions: &[&str], program: Box<dyn Program>) -> io::Result<()> {
    #[cfg(unix)]
    {
        let channel = std::fs::File::from(crate::sandbox::inherited_socket());
        adapter::serve(program, definitions, &channel, &channel)
    }
    #[cfg(not(unix))]
    adapter::serve(program, definitions, io::stdin().lock(), io::stdout().lock())
}
