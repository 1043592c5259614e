//! C++, built by g++ or clang++ into a library that keur's driver loads.
//!
//! The driver is compiled once for each compiler, with its header, into a folder of the user's cache (`shared`). A
//! submission is compiled together with the calls of what its exercise asks for (`glue`): templates of the header
//! find their types.

mod common;
pub(super) mod compiler;
pub(super) mod errors;
pub(crate) mod faults;
pub(super) mod glue;
pub(crate) mod names;
mod notation;
mod settle;
pub(super) mod shared;
mod sources;

pub use notation::Cpp;
pub(super) use notation::SYNTAX;
#[cfg(target_os = "linux")]
pub(crate) use shared::LIBRARIES;
pub(super) use sources::compiled_with;

use super::pattern::pattern;
use super::{
    AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler, Convention, Language, Scan,
};
use crate::sandbox::Compilation;
use crate::sandbox::tools::Finished;
use crate::value::Bundle;
use compiler::{CPP, find};
use regex::Regex;
use shared::Shared;
use sources::included_in;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// C++20, or another standard that an exercise chooses.
pub static LANGUAGE: Language = Language {
    name: "cpp",
    title: "C++",
    extensions: &["cpp", "cc", "cxx"],
    headers: &["h", "hpp", "hh"],
    extends: None,
    notation: &Cpp,
    convention: Convention::AsIs,
    keywords: false,
    exceptions: EXCEPTIONS,
    crashes: &["std::bad_alloc", names::UNDEFINED, names::LEAK, names::ASSERTION, names::TERMINATED],
    scan: |source| scan_as(&LANGUAGE, source),
    definition: DEFINITION,
    module: str::to_owned,
    notebooks: None,
    engines: &[],
    build: Some(&BUILD),
};

/// A line that defines `NAME`: a class, a function whose body begins on a later line, or on this one.
pub(super) const DEFINITION: &str = concat!(
    r"\b(?:class|struct)[ \t]+NAME\b[ \t]*(?:final\b[ \t]*)?(?:[:{].*)?$",
    r"|^[^=(;/*]*[ \t*&:]NAME[ \t]*\([^;]*$",
    r"|^[^=(;/*]*\w[^=(;/*]*[ \t*&:]NAME[ \t]*\([^;{]*\{.*$",
);

/// Builds libraries with g++ or clang++.
#[doc(hidden)]
pub static BUILD: Build = Build {
    compiler: |request| Ok(Box::new(Shared::make(find(&CPP, request)?, request.options, request.tools)?)),
    version: |request| find(&CPP, request).map(|found| found.version),
    option: Some((CPP.option, "The C++ compiler; g++ or clang++ by default")),
    standards: &["c++20", "c++17", "c++23"],
};

/// The exceptions of the headers `stdexcept` and `new`, and those that containers and strings throw (ISO C++20, 19.2).
const EXCEPTIONS: &[&str] = &[
    "std::bad_alloc", "std::bad_cast", "std::bad_optional_access", "std::bad_variant_access",
    "std::domain_error", "std::exception", "std::invalid_argument", "std::length_error", "std::logic_error",
    "std::out_of_range", "std::overflow_error", "std::range_error", "std::runtime_error",
    "std::underflow_error",
];

/// The file that connects a submission with the driver: it includes the files that the exercise names.
/// It has no ending of a source, so that no file of a submission has its name.
pub(super) const GLUE: &str = "keur.glue";

/// How the file name of a library for calls begins; one digit follows.
const LIBRARY: &str = "library-";

impl Compiler for Shared {
    fn files(&self, bundle: &Bundle, asked: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
        if bundle.mains == 0 {
            return Vec::new();
        }
        let mut files = glue::with_own_includes(bundle);
        files.push((PathBuf::from(GLUE), glue::written(bundle, asked).into_bytes()));
        files
    }

    fn runs_unasked(&self) -> Option<&Path> {
        None
    }

    fn share(&self, place: &BuildPlace, asked: &AskedFor) -> io::Result<()> {
        let needing = calls(place).into_iter().chain(programs(asked)).filter(|of| needs_library(place, of));
        let has_calls: BTreeSet<bool> = needing.map(|target| target.name.is_empty()).collect();
        has_calls.into_iter().try_for_each(|has_calls| self.complete_library(has_calls))
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
        let targets = calls(place).into_iter().chain(programs(asked)).collect();
        Ok(BuildPlan { targets, scripts: Vec::new() })
    }

    fn compilation(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation {
        let mut args = self.language_flags();
        let has_library = needs_library(place, target);
        if !target.name.is_empty() {
            if has_library {
                args.extend(["-include".to_owned(), self.library().display().to_string()]);
            }
            args.extend(program_args(self, place, target, &LANGUAGE));
            return self.run(self.program(), place, args);
        }
        args.extend(library_args(self, place, target));
        args.push(format!("-I{}", self.include().display()));
        if fs::read_to_string(place.sources.join(GLUE)).is_ok_and(|glue| glue::header_leads(&glue)) {
            args.extend(["-include".to_owned(), self.header(has_library).display().to_string()]);
        }
        args.extend(["-x", "c++"].map(str::to_owned));
        args.extend(compiled_with(&place.sources, GLUE, &LANGUAGE));
        args.extend(["-x".to_owned(), "none".to_owned(), self.names().display().to_string()]);
        self.run(self.program(), place, args)
    }

    fn settle(&self, finished: &Finished, place: &BuildPlace, target: &BuildTarget) -> io::Result<bool> {
        if !target.name.is_empty() {
            return Ok(false);
        }
        let path = place.sources.join(GLUE);
        let before = fs::read_to_string(&path)?;
        let said = String::from_utf8_lossy(&finished.errors);
        let after =
            settle::settled(&before, &said, &|file, line| errors::source_line(&place.sources, file, line));
        if after == before {
            return Ok(false);
        }
        fs::write(path, after)?;
        Ok(true)
    }

    fn driver(&self) -> Option<PathBuf> {
        Some(Shared::driver(self))
    }

    fn reserves_memory(&self) -> bool {
        self.sanitizes()
    }

    fn is_cut_off(&self, finished: &Finished) -> bool {
        compiler::is_cut_off(finished)
    }

    fn errors(&self, finished: &Finished, place: &BuildPlace) -> Vec<CompileError> {
        errors::of_run(finished, place)
    }
}

/// A library that is to be made.
fn library(name: String, prefix: String) -> BuildTarget {
    BuildTarget { package: String::new(), name, folder: &[], prefix }
}

/// Whether all sources of a target include the whole standard library.
fn needs_library(place: &BuildPlace, target: &BuildTarget) -> bool {
    let own = |first| compiled_with(&place.sources, first, &LANGUAGE);
    if !target.name.is_empty() {
        return sources::include_library(&place.sources, own(&target.name).iter().map(String::as_str));
    }
    let glue = fs::read_to_string(place.sources.join(GLUE)).unwrap_or_default();
    let others = own(GLUE).into_iter().filter(|name| name != GLUE);
    let names: Vec<String> = included_in(&glue).chain(others).collect();
    sources::include_library(&place.sources, names.iter().map(String::as_str))
}

/// The library for calls, if there is any to make.
pub(super) fn calls(place: &BuildPlace) -> Option<BuildTarget> {
    place.sources.join(GLUE).exists().then(|| library(String::new(), LIBRARY.to_owned()))
}

/// The libraries of programs: each has its own, since two programs may define the same name.
pub(super) fn programs(asked: &AskedFor) -> impl Iterator<Item = BuildTarget> {
    let names = asked.programs.iter().enumerate();
    names.map(|(index, name)| library(name.clone(), format!("program-{index}-")))
}

/// The arguments of a compiler for any library, without its sources.
pub(super) fn library_args(shared: &Shared, place: &BuildPlace, target: &BuildTarget) -> Vec<String> {
    let mut args = shared.library_flags();
    args.push(format!("-ffile-prefix-map={}={}", place.sources.display(), errors::MAPPED));
    let output = place.target.join(format!("{}0", target.prefix));
    args.extend(["-o".to_owned(), output.display().to_string()]);
    args
}

/// The arguments of a compiler for the library of a program.
pub(super) fn program_args(
    shared: &Shared,
    place: &BuildPlace,
    target: &BuildTarget,
    language: &'static Language,
) -> Vec<String> {
    let mut args = library_args(shared, place, target);
    // As for a program, all must be there that is used.
    args.push("-Wl,-z,defs,--require-defined=main".to_owned());
    args.extend(compiled_with(&place.sources, &target.name, language));
    args
}

/// The classes and functions that a file defines; its possible dependencies are the files that it includes, and those
/// that may define what an included header declares.
pub(super) fn scan_as(language: &Language, source: &str) -> Scan {
    static TYPES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?m)^[ \t]*(?:class|struct|union|enum(?:[ \t]+class)?)[ \t]+(\w+)[^;()]*\{?[ \t]*$")
    });
    static FUNCTIONS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)^(?:[\w:<>,&*\[\]]+[ \t]+)+[&*]*(\w+)[ \t]*\([^;{}]*\)[ \t]*(?:noexcept[ \t]*)?\{?[ \t]*$",
        )
    });
    let all = |regex: &Regex| -> Vec<String> {
        regex.captures_iter(source).map(|found| found[1].to_owned()).collect()
    };
    let mut defines = all(&TYPES);
    defines.extend(all(&FUNCTIONS));
    let mut imports = sources::paths_in(source);
    let with_source = |name: &String| {
        let path = Path::new(name);
        let is_header =
            path.extension().is_some_and(|extension| language.headers.iter().any(|own| extension == *own));
        let sources =
            language.extensions.iter().map(|extension| path.with_extension(extension).display().to_string());
        if is_header { sources.collect() } else { Vec::new() }
    };
    let sources: Vec<String> = imports.iter().flat_map(with_source).collect();
    imports.extend(sources);
    Scan { defines, imports }
}
