//! The keur that a graded crate depends on: this very one, cut down to what a submission needs.
//!
//! Its source is a part of this program, and it is all of keur that a build can read. So a submission cannot
//! call or copy a reference, a case or a mutant: there are none.

use crate::exercises::for_each_exercise;
use std::fs;
use std::io;
use std::path::Path;

/// The manifest of the library. Features that a crate may turn on by not turning them off change nothing
/// here.
const MANIFEST: &str = concat!(
    r#"[package]
name = "keur-core"
version = ""#,
    env!("CARGO_PKG_VERSION"),
    r#""
edition = "2024"
publish = false

[features]
default = []

[dependencies]
serde_json = "1.0.154"

[workspace]
"#
);

/// Stands for the cases that `cargo test` of a student runs.
const NO_CASES: &str = r#"//! A crate that is graded has no cases of its own.

pub(super) fn test(_: &str, _: &str) -> Result<std::process::ExitCode, String> {
    Err("keur built this program to grade it; `cargo test` builds one that tests itself".to_owned())
}
"#;

/// A file of keur's source, by its path in `src`.
macro_rules! source {
    ($($part:expr),+) => {
        (concat!($($part),+), include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/", $($part),+)))
    };
}

macro_rules! traits {
    ($($name:ident: $trait:ident,)+) => {
        /// The traits of the exercises.
        const TRAITS: &[(&str, &str)] =
            &[$(source!("exercises/", stringify!($name), "/submit.rs")),+];
    };
}
for_each_exercise!(traits);

/// The other files, by their paths in `src`.
const FILES: &[(&str, &str)] = &[
    ("lib.rs", include_str!("graded_lib.rs.in")),
    ("submit/cases.rs", NO_CASES),
    source!("adapter/live.rs"),
    source!("adapter/operate.rs"),
    source!("adapter/sequence.rs"),
    source!("adapter/serving.rs"),
    source!("adapter/session.rs"),
    source!("adapter/transcript.rs"),
    source!("adapter/wire/value.rs"),
    source!("case/node.rs"),
    source!("case/plan.rs"),
    source!("exercises/list.rs"),
    source!("exercises/submit.rs"),
    source!("languages/python/notation.rs"),
    source!("languages/rust/names.rs"),
    source!("named.rs"),
    source!("protocol.rs"),
    source!("submit/mod.rs"),
    source!("value/args.rs"),
    source!("value/bundle.rs"),
    source!("value/choices.rs"),
    source!("value/int.rs"),
    source!("value/mod.rs"),
    source!("value/notation.rs"),
    source!("value/operator.rs"),
    source!("value/oracle.rs"),
    source!("value/parts.rs"),
    source!("value/program.rs"),
    source!("value/random.rs"),
    source!("value/referee.rs"),
    source!("value/syntax.rs"),
    source!("value/text.rs"),
];

/// The files of the library, by their paths in its folder.
pub(super) fn files() -> impl Iterator<Item = (String, &'static str)> {
    let sources = FILES.iter().chain(TRAITS).map(|(path, text)| (format!("src/{path}"), *text));
    std::iter::once(("Cargo.toml".to_owned(), MANIFEST)).chain(sources)
}

/// Writes the library into `folder`. A file that is as it should be keeps its time, by which cargo decides
/// what to compile.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    for (path, text) in files() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        if fs::read(&path).is_ok_and(|written| written == text.as_bytes()) {
            continue;
        }
        fs::write(path, text)?;
    }
    Ok(())
}
