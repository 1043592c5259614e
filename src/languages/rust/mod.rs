//! Rust: crates whose own program speaks the protocol.
//!
//! What all crates share, keur and its dependencies, is built once into a folder of the user's cache (`seed`). Each
//! submission starts with a copy, so that none can change what another is built with.

mod cargo;
pub(crate) mod names;
mod notation;
mod seed;

pub use notation::Rust;

use super::{Build, BuildPlace, CompileError, Compiler, Language, Scan};
use crate::sandbox::tools::Finished;
use crate::sandbox::{Compilation, Tools};
use cargo::{CargoMessages, Toolchain};
use names::{NAME, PANIC};
use seed::Seed;
use std::io;
use std::path::{Path, PathBuf};

/// Rust, of the edition of the crate. A source file alone is no submission: it needs a crate around it.
pub static LANGUAGE: Language = Language {
    name: NAME,
    title: "Rust",
    extensions: &[],
    notation: &Rust,
    snake_case: true,
    keywords: false,
    exceptions: &[],
    crashes: &[PANIC],
    scan: |_| Scan::default(),
    module: str::to_owned,
    engines: &[],
    build: Some(&Cargo),
};

/// Builds crates with cargo.
struct Cargo;

impl Build for Cargo {
    fn compiler(&self, tools: &Tools, keur: Option<&Path>) -> Result<Box<dyn Compiler>, String> {
        let toolchain = Toolchain::find(tools.clone())?;
        Ok(Box::new(Seed::make(toolchain, keur)?))
    }

    fn version(&self, tools: &Tools) -> Result<String, String> {
        Ok(Toolchain::find(tools.clone())?.version)
    }
}

impl Compiler for Seed {
    fn files(&self) -> Vec<(&Path, &[u8])> {
        // It fixes the versions of what is already built.
        vec![(Path::new("Cargo.lock"), self.lock.as_slice())]
    }

    fn share(&self, place: &BuildPlace) -> io::Result<()> {
        self.copy(&place.target)
    }

    fn compilation(&self, place: &BuildPlace) -> Compilation {
        let temporary = place.temporary.display().to_string();
        let mut env = self.toolchain.environment();
        env.extend(["HOME", "TMPDIR"].map(|name| (name.to_owned(), temporary.clone())));
        let mut args = cargo::arguments(self.keur.as_deref(), &place.target);
        args.extend(["--tests".to_owned(), "--offline".to_owned()]);
        Compilation {
            program: self.toolchain.cargo.clone(),
            args,
            env,
            writable: place.folder.clone(),
            folder: place.sources.clone(),
            readable: self.toolchain.readable(self.keur.as_deref()),
            executables: self.toolchain.executables(),
        }
    }

    fn program(
        &self,
        finished: &Finished,
        place: &BuildPlace,
        main: &Path,
    ) -> Result<Option<PathBuf>, Vec<CompileError>> {
        let messages = CargoMessages::read(&finished.output, &place.sources, &place.sources.join(main));
        if finished.status.is_some_and(|status| status.success()) {
            return Ok(messages.program);
        }
        if messages.errors.is_empty() {
            let text = cargo::refusal(&finished.errors, &place.sources);
            return Err(vec![CompileError { text, place: None }]);
        }
        Err(messages.errors)
    }
}
