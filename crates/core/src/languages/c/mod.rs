//! C, built by gcc into libraries that keur's driver of C++ loads: programs only.

mod notation;

pub use notation::C;

use super::cpp::shared::{Found, Shared, cut_off, find_compiler};
use super::cpp::{self, errors, program_args, programs};
use super::{
    AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler, Convention, Language,
};
use crate::sandbox::tools::Finished;
use crate::sandbox::{Compilation, Tools};
use crate::value::Bundle;
use std::io;
use std::path::{Path, PathBuf};

/// C17, with GNU's extensions.
pub static LANGUAGE: Language = Language {
    name: "c",
    title: "C",
    extensions: &["c"],
    headers: &["h"],
    extends: None,
    notation: &C,
    convention: Convention::AsIs,
    keywords: false,
    exceptions: &[],
    crashes: &[cpp::names::UNDEFINED],
    scan: |source| cpp::scan_as(&LANGUAGE, source),
    definition: cpp::DEFINITION,
    module: str::to_owned,
    notebooks: None,
    engines: &[],
    build: Some(&BUILD),
};

/// Builds libraries with gcc, which a driver loads that g++ compiles.
#[doc(hidden)]
pub static BUILD: Build = Build {
    compiler: |tools| Ok(Box::new(Gcc { found: find(tools)?, shared: Shared::make(tools)? })),
    version: |tools| Ok(format!("{}, {}", find(tools)?.version, cpp::shared::find(tools)?.version)),
};

/// The flags of submissions. A function that is not declared would be one that gives an `int`.
const FLAGS: [&str; 2] = ["-std=gnu17", "-Werror=implicit-function-declaration"];

/// The gcc among the tools.
///
/// # Errors
/// There is none; the message says what to install.
fn find(tools: &Tools) -> Result<Found, String> {
    find_compiler(tools, "gcc", LANGUAGE.title)
}

/// A compiler of C, with the driver that loads what it makes.
struct Gcc {
    found: Found,
    shared: Shared,
}

impl Compiler for Gcc {
    fn files(&self, _: &Bundle, _: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
        Vec::new()
    }

    fn runs_unasked(&self) -> Option<&Path> {
        None
    }

    fn share(&self, _: &BuildPlace) -> io::Result<()> {
        Ok(())
    }

    fn inquiry(&self, _: &BuildPlace) -> Option<Compilation> {
        None
    }

    fn plan(
        &self,
        _: Option<&Finished>,
        _: &BuildPlace,
        asked: &AskedFor,
    ) -> Result<BuildPlan, Vec<CompileError>> {
        Ok(BuildPlan { targets: programs(asked).collect(), scripts: Vec::new() })
    }

    fn compilation(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation {
        // With this flag, a warning is no error either.
        let shared = program_args(place, target, &LANGUAGE).into_iter().filter(|flag| flag != "-w");
        let args = FLAGS.map(str::to_owned).into_iter().chain(shared).chain(["-lm".to_owned()]);
        self.shared.run(&self.found.program, place, args.collect())
    }

    fn driver(&self) -> Option<PathBuf> {
        Some(Shared::driver(&self.shared))
    }

    fn is_cut_off(&self, finished: &Finished) -> bool {
        cut_off(finished, "gcc: ")
    }

    fn errors(&self, finished: &Finished, place: &BuildPlace) -> Vec<CompileError> {
        errors::found(&String::from_utf8_lossy(&finished.errors), &place.sources)
    }
}
