//! C++, built by g++ into a library that keur's driver loads.
//!
//! The driver is compiled once for each compiler, with its header, into a folder of the user's cache (`shared`). A
//! submission is compiled together with the calls of what its exercise asks for (`glue`): templates of the header
//! find their types.

mod errors;
mod glue;
pub(crate) mod names;
mod notation;
mod shared;

pub use notation::Cpp;

use super::pattern::pattern;
use super::{
    AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler, Convention, Language, Scan,
};
use crate::sandbox::Compilation;
use crate::sandbox::tools::Finished;
use crate::value::Bundle;
use regex::Regex;
use shared::{Shared, library_flags};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// C++20.
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
    crashes: &["std::bad_alloc", names::UNDEFINED],
    scan,
    definition: r"\b(?:class|struct)[ \t]+NAME\b[^;]*$|^[^=(;/*]*[ \t*&]NAME[ \t]*\([^;]*$",
    module: str::to_owned,
    notebooks: None,
    engines: &[],
    build: Some(&BUILD),
};

/// Builds libraries with g++.
#[doc(hidden)]
pub static BUILD: Build = Build {
    compiler: |tools| Ok(Box::new(Shared::make(tools)?)),
    version: |tools| shared::find(tools).map(|found| found.version),
};

/// The exceptions of the headers `stdexcept` and `new`, and those that containers and strings throw (ISO C++20, 19.2).
const EXCEPTIONS: &[&str] = &[
    "std::bad_alloc", "std::bad_cast", "std::bad_optional_access", "std::bad_variant_access",
    "std::domain_error", "std::exception", "std::invalid_argument", "std::length_error", "std::logic_error",
    "std::out_of_range", "std::overflow_error", "std::range_error", "std::runtime_error",
    "std::underflow_error",
];

/// The file that connects a submission with the driver: it includes the files that the exercise names.
const GLUE: &str = "keur-glue.cpp";

/// How the file name of a library begins; one digit follows.
const LIBRARY: &str = "library-";

impl Compiler for Shared {
    fn files(&self, bundle: &Bundle, asked: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
        vec![(PathBuf::from(GLUE), glue::written(bundle, asked).into_bytes())]
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

    fn plan(&self, _: Option<&Finished>, _: &BuildPlace, _: &Path) -> Result<BuildPlan, Vec<CompileError>> {
        let target = BuildTarget {
            package: String::new(),
            name: String::new(),
            folder: &[],
            prefix: LIBRARY.to_owned(),
        };
        Ok(BuildPlan { target: Some(target), scripts: Vec::new() })
    }

    fn compilation(&self, place: &BuildPlace, _: &BuildTarget) -> Compilation {
        let mut args: Vec<String> = library_flags().map(str::to_owned).collect();
        args.push(format!("-ffile-prefix-map={}=/submission", place.sources.display()));
        args.push(format!("-I{}", self.include().display()));
        if fs::read_to_string(place.sources.join(GLUE)).is_ok_and(|glue| glue::header_leads(&glue)) {
            args.extend(["-include".to_owned(), self.header().display().to_string()]);
        }
        args.extend(["-o".to_owned(), place.target.join(format!("{LIBRARY}0")).display().to_string()]);
        args.push(GLUE.to_owned());
        args.extend(glue::further_sources(&place.sources));
        self.run(place, args)
    }

    fn settle(&self, finished: &Finished, place: &BuildPlace) -> io::Result<bool> {
        let path = place.sources.join(GLUE);
        let before = fs::read_to_string(&path)?;
        let said = String::from_utf8_lossy(&finished.errors);
        let after = glue::settled(&before, &said);
        if after == before {
            return Ok(false);
        }
        fs::write(path, after)?;
        Ok(true)
    }

    fn driver(&self) -> Option<PathBuf> {
        Some(Shared::driver(self))
    }

    fn is_cut_off(&self, finished: &Finished) -> bool {
        let said = String::from_utf8_lossy(&finished.errors);
        let mut last = said.lines().rev().take(2);
        last.any(|line| line.starts_with("g++: ") && line.contains("Killed signal terminated program"))
    }

    fn errors(&self, finished: &Finished, place: &BuildPlace) -> Vec<CompileError> {
        errors::found(&String::from_utf8_lossy(&finished.errors), &place.sources)
    }
}

/// The classes and functions that a file defines; its possible dependencies are the files that it includes, and those
/// that may define what an included header declares.
fn scan(source: &str) -> Scan {
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
    let mut imports = glue::included_in(source);
    let with_source = |name: &String| {
        let path = Path::new(name);
        let is_header =
            path.extension().is_some_and(|extension| LANGUAGE.headers.iter().any(|own| extension == *own));
        let sources =
            LANGUAGE.extensions.iter().map(|extension| path.with_extension(extension).display().to_string());
        if is_header { sources.collect() } else { Vec::new() }
    };
    let sources: Vec<String> = imports.iter().flat_map(with_source).collect();
    imports.extend(sources);
    Scan { defines, imports }
}
