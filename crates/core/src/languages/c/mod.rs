//! C, built by gcc into libraries that keur's driver of C++ loads.
//!
//! A pointer in C does not say what it points to, so an exercise declares its functions and structs (`declarations`). What
//! calls them is C++ that is compiled once for an exercise (`adapter`). A submission is compiled together with pointers to
//! its functions (`glue`), which the compiler compares with the declarations (`settle`).

mod adapter;
mod declarations;
mod glue;
mod notation;
mod settle;
mod signature;
mod structure;
mod types;

pub use declarations::Declarations;
pub use notation::C;
pub(crate) use signature::{Keys, Signature};
pub(crate) use structure::{Structure, Unread};

use super::cpp::glue::{entries, with_own_includes};
use super::cpp::shared::{Found, Shared, cut_off, find_compiler};
use super::cpp::{self, GLUE, calls, compiled_with, errors, library_args, program_args, programs};
use super::{
    AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler, Convention, Language,
};
use crate::sandbox::tools::Finished;
use crate::sandbox::{Compilation, Tools};
use crate::value::Bundle;
use std::fs;
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
    compiler: |tools| {
        Ok(Box::new(Gcc { found: find(tools)?, shared: Shared::make(tools)?, tools: tools.clone() }))
    },
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
    tools: Tools,
}

impl Gcc {
    /// A run of the compiler.
    fn run(&self, place: &BuildPlace, args: Vec<String>) -> Compilation {
        // With the flag `-w`, a warning is no error either.
        let kept = args.into_iter().filter(|flag| flag != "-w");
        let args = FLAGS.map(str::to_owned).into_iter().chain(kept).chain(["-lm".to_owned()]);
        self.shared.run(&self.found.program, place, args.collect())
    }

    /// The run of the compiler that makes the library of functions.
    fn calls(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation {
        let mut args = library_args(place, target);
        args.extend(["-x", "c"].map(str::to_owned));
        args.extend(compiled_with(&place.sources, GLUE, &LANGUAGE));
        args.extend(["-x", "none"].map(str::to_owned));
        args.extend([target.package.clone(), self.shared.names().display().to_string()]);
        args.push("-lstdc++".to_owned());
        self.run(place, args)
    }
}

impl Compiler for Gcc {
    fn files(&self, bundle: &Bundle, asked: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
        if bundle.mains == 0 || asked.declarations.is_empty() {
            return Vec::new();
        }
        let mut files = with_own_includes(bundle);
        let glue = glue::written(&entries(bundle, &asked.programs), &asked.declarations);
        files.push((PathBuf::from(GLUE), glue.into_bytes()));
        files
    }

    fn runs_unasked(&self) -> Option<&Path> {
        None
    }

    fn share(&self, place: &BuildPlace, asked: &AskedFor) -> io::Result<()> {
        if calls(place).is_none() {
            return Ok(());
        }
        self.shared.complete_object(&self.tools, &adapter::written(&asked.declarations))
    }

    fn inquiry(&self, _: &BuildPlace) -> Option<Compilation> {
        None
    }

    fn plan(
        &self,
        _: Option<&Finished>,
        place: &BuildPlace,
        asked: &AskedFor,
    ) -> Result<BuildPlan, Vec<CompileError>> {
        let object = self.shared.object(&adapter::written(&asked.declarations));
        let calls =
            calls(place).map(|target| BuildTarget { package: object.display().to_string(), ..target });
        let targets = calls.into_iter().chain(programs(asked)).collect();
        Ok(BuildPlan { targets, scripts: Vec::new() })
    }

    fn compilation(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation {
        if target.name.is_empty() {
            return self.calls(place, target);
        }
        self.run(place, program_args(place, target, &LANGUAGE))
    }

    fn settle(&self, finished: &Finished, place: &BuildPlace, target: &BuildTarget) -> io::Result<bool> {
        if !target.name.is_empty() {
            return Ok(false);
        }
        let path = place.sources.join(GLUE);
        let before = fs::read_to_string(&path)?;
        let after = settle::settled(&before, &String::from_utf8_lossy(&finished.errors));
        if after == before {
            return Ok(false);
        }
        fs::write(path, after)?;
        Ok(true)
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
