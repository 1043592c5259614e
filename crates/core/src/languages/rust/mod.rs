//! Rust: crates whose own program speaks the protocol.
//!
//! What all crates share, keur and its dependencies, is built once into a folder of the user's cache
//! (`seed`). Each submission starts with a copy, so that none can change what another is built with.

mod cargo;
mod home;
mod library;
pub(crate) mod names;
mod notation;
mod seed;

pub use notation::Rust;

use super::{
    AskedFor, Build, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler, Convention, Language, Scan,
};
use crate::sandbox::Compilation;
use crate::sandbox::tools::Finished;
use crate::value::Bundle;
use cargo::Toolchain;
use names::{NAME, PANIC};
use seed::Seed;
use std::io;
use std::path::{Path, PathBuf};

/// Rust, of the edition of the crate. A source file alone is no submission: it needs a crate around it.
pub static LANGUAGE: Language = Language {
    name: NAME,
    title: "Rust",
    extensions: &[],
    headers: &[],
    extends: None,
    notation: &Rust,
    convention: Convention::Snake,
    keywords: false,
    exceptions: &[],
    crashes: &[PANIC],
    scan: |_| Scan::default(),
    definition: r"\b(?:fn|struct|enum)[ \t]+NAME\b",
    module: str::to_owned,
    notebooks: None,
    engines: &[],
    build: Some(&BUILD),
};

/// Builds crates with cargo.
#[doc(hidden)]
pub static BUILD: Build = Build {
    compiler: |request| Ok(Box::new(Seed::make(Toolchain::find(request.tools.clone())?)?)),
    version: |request| Ok(Toolchain::find(request.tools.clone())?.version),
    option: None,
    standards: &[],
};

impl Compiler for Seed {
    fn files(&self, _: &Bundle, _: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
        // It fixes the versions of what is already built.
        vec![(PathBuf::from("Cargo.lock"), self.lock.clone())]
    }

    fn runs_unasked(&self) -> Option<&Path> {
        Some(Path::new("build.rs"))
    }

    fn share(&self, place: &BuildPlace, _: &AskedFor) -> io::Result<()> {
        self.copy(&place.target)
    }

    fn inquiry(&self, place: &BuildPlace) -> Option<Compilation> {
        let mut args = cargo::inquiry(&self.toolchain.host, &self.library);
        args.push("--offline".to_owned());
        // Cargo writes its lock file.
        Some(self.run(place, args, vec![place.sources.clone(), place.temporary.clone()]))
    }

    fn plan(
        &self,
        inquired: Option<&Finished>,
        place: &BuildPlace,
        asked: &AskedFor,
    ) -> Result<BuildPlan, Vec<CompileError>> {
        inquired.map_or(Ok(BuildPlan::default()), |answer| cargo::plan(answer, &place.sources, &asked.test))
    }

    fn compilation(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation {
        let mut args = cargo::arguments(&self.library, &place.target);
        let this = ["--package", &target.package, "--test", &target.name, "--offline", "--locked"];
        args.extend(this.map(str::to_owned));
        self.run(place, args, vec![place.target.clone(), place.temporary.clone()])
    }

    fn is_cut_off(&self, finished: &Finished) -> bool {
        cargo::is_cut_off(finished)
    }

    fn errors(&self, finished: &Finished, place: &BuildPlace) -> Vec<CompileError> {
        cargo::errors(finished, &place.sources)
    }
}

impl Seed {
    /// A run of cargo on a submission, which may write in these folders.
    fn run(&self, place: &BuildPlace, args: Vec<String>, writable: Vec<PathBuf>) -> Compilation {
        let temporary = place.temporary.display().to_string();
        let mut env = self.toolchain.environment(&self.home.folder);
        env.extend(["HOME", "TMPDIR"].map(|name| (name.to_owned(), temporary.clone())));
        let readable = cargo::system_files().chain(self.home.readable()).chain([self.library.clone()]);
        Compilation {
            program: self.toolchain.cargo.clone(),
            args,
            env,
            home: place.folder.clone(),
            folder: place.sources.clone(),
            writable,
            readable: readable.filter(|path| path.exists()).collect(),
            hidden: self.home.hidden(),
            executables: self.toolchain.executables(),
        }
    }
}
