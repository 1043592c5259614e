//! C, built by gcc or clang into libraries that keur's driver of C++ loads.
//!
//! A pointer in C does not say what it points to, so an exercise declares its functions and structs (`declarations`). What
//! calls them is C++ that is compiled once for an exercise (`adapter`). A submission is compiled together with pointers to
//! its functions (`glue`), which the compiler compares with the declarations (`settle`).

mod adapter;
mod declarations;
mod ends;
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

use super::cpp::compiler::{Found, Kind, beside, find, is_cut_off};
use super::cpp::glue::{entries, with_own_includes};
use super::cpp::shared::Shared;
use super::cpp::{self, GLUE, calls, compiled_with, errors, library_args, program_args, programs};
use super::{
    AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler, Convention, Language,
};
use crate::sandbox::Compilation;
use crate::sandbox::tools::Finished;
use crate::value::Bundle;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// C17 or C11, with GNU's extensions.
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
    crashes: &cpp::names::ENDING,
    scan: |source| cpp::scan_as(&LANGUAGE, source),
    definition: cpp::DEFINITION,
    module: str::to_owned,
    notebooks: None,
    engines: &[],
    build: Some(&BUILD),
};

/// Builds libraries with gcc or clang, which a driver loads that g++ or clang++ compiles.
#[doc(hidden)]
pub static BUILD: Build = Build {
    compiler: |request| {
        let found = find(&KIND, request)?;
        let shared = Shared::make(beside(&found, request.tools)?, request.options, request.tools)?;
        let chosen = STANDARDS.iter().find(|(name, _)| Some(*name) == request.options.standard);
        let standard = chosen.unwrap_or(&STANDARDS[0]).1;
        Ok(Box::new(OfC { found, shared, standard }))
    },
    version: |request| {
        let found = find(&KIND, request)?;
        let driver = beside(&found, request.tools)?;
        Ok(format!("{}, {}", found.version, driver.version))
    },
    option: Some((KIND.option, "The C compiler; gcc or clang by default")),
    standards: &["c17", "c11"],
};

/// The standards, with the flag of each; the first is the default.
const STANDARDS: [(&str, &str); 2] = [("c17", "-std=gnu17"), ("c11", "-std=gnu11")];

/// A function that is not declared would be one that gives an `int`.
const DECLARED: &str = "-Werror=implicit-function-declaration";

/// Columns are places in a line in bytes.
const BYTES: &str = "-fdiagnostics-column-unit=byte";

/// Compilers of C.
const KIND: Kind = Kind { title: "C", option: "c", names: ["gcc", "clang"] };

/// A compiler of C, with the driver that loads what it makes.
struct OfC {
    found: Found,
    shared: Shared,
    /// The flag of the standard.
    standard: &'static str,
}

impl OfC {
    /// A run of the compiler.
    fn run(&self, place: &BuildPlace, args: Vec<String>) -> Compilation {
        // With the flag `-w`, a warning is no error either.
        let kept = args.into_iter().filter(|flag| flag != "-w");
        let args =
            [self.standard, DECLARED].map(str::to_owned).into_iter().chain(kept).chain(["-lm".to_owned()]);
        self.shared.run(&self.found.program, place, args.collect())
    }

    /// The run of the compiler that makes the library of functions.
    fn calls(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation {
        let mut args = library_args(&self.shared, place, target);
        if self.shared.sanitizes() {
            args.extend(["-include", ends::FILE].map(str::to_owned));
        }
        // By default, newer ones count what a column of a terminal shows.
        args.extend((!self.found.is_clang && self.found.major() >= 11).then(|| BYTES.to_owned()));
        args.extend(["-x", "c"].map(str::to_owned));
        args.extend(compiled_with(&place.sources, GLUE, &LANGUAGE));
        args.extend(["-x", "none"].map(str::to_owned));
        args.extend([target.package.clone(), self.shared.names().display().to_string()]);
        args.push("-lstdc++".to_owned());
        self.run(place, args)
    }
}

impl Compiler for OfC {
    fn files(&self, bundle: &Bundle, asked: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
        if bundle.mains == 0 || asked.declarations.is_empty() {
            return Vec::new();
        }
        let mut files = with_own_includes(bundle);
        let glue = glue::written(&entries(bundle, &asked.programs), &asked.declarations);
        files.push((PathBuf::from(GLUE), glue.into_bytes()));
        if self.shared.sanitizes() {
            files.push((PathBuf::from(ends::FILE), ends::REFUSED.into()));
        }
        files
    }

    fn runs_unasked(&self) -> Option<&Path> {
        None
    }

    fn share(&self, place: &BuildPlace, asked: &AskedFor) -> io::Result<()> {
        if calls(place).is_none() {
            return Ok(());
        }
        self.shared.complete_object(&adapter::written(&asked.declarations))
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
        self.run(place, program_args(&self.shared, place, target, &LANGUAGE))
    }

    fn settle(&self, finished: &Finished, place: &BuildPlace, target: &BuildTarget) -> io::Result<bool> {
        if !target.name.is_empty() {
            return Ok(false);
        }
        let path = place.sources.join(GLUE);
        let before = fs::read_to_string(&path)?;
        let said = String::from_utf8_lossy(&finished.errors);
        if ends::check(&said, &place.sources, &settle::functions(&before))? {
            return Ok(true);
        }
        let after = settle::settled(&before, &said);
        if after == before {
            return Ok(false);
        }
        fs::write(path, after)?;
        Ok(true)
    }

    fn driver(&self) -> Option<PathBuf> {
        Some(Shared::driver(&self.shared))
    }

    fn reserves_memory(&self) -> bool {
        self.shared.sanitizes()
    }

    fn is_cut_off(&self, finished: &Finished) -> bool {
        is_cut_off(finished)
    }

    fn errors(&self, finished: &Finished, place: &BuildPlace) -> Vec<CompileError> {
        let mut errors = errors::of_run(finished, place);
        for (.., line) in errors.iter_mut().filter_map(|error| error.place.as_mut()) {
            *line = ends::own(line);
        }
        errors
    }
}
