//! Languages whose submissions are built into a program before they run.

use crate::sandbox::tools::Finished;
use crate::sandbox::{Compilation, Tools};
use std::io;
use std::path::{Path, PathBuf};

/// How the submissions of a language are built into programs that speak the protocol.
pub trait Build: Sync {
    /// Finds the compiler among `tools`, and makes what all builds share. `keur` is the folder of the keur to build
    /// with, instead of the published one.
    ///
    /// # Errors
    /// There is no compiler, or what is shared cannot be made: a sentence that says what to do.
    fn compiler(&self, tools: &Tools, keur: Option<&Path>) -> Result<Box<dyn Compiler>, String>;

    /// The version of the compiler that it finds among `tools`, with all that may make another program of the same source.
    ///
    /// # Errors
    /// There is no compiler: a sentence that says what to do.
    fn version(&self, tools: &Tools) -> Result<String, String>;
}

/// A compiler, with what all its builds share.
pub trait Compiler: Send + Sync {
    /// Files that take the place of a submission's own: the path of each within its folder, and its bytes.
    fn files(&self) -> Vec<(&Path, &[u8])>;

    /// Writes what all builds share into the folders of one.
    ///
    /// # Errors
    /// It cannot be written.
    fn share(&self, place: &BuildPlace) -> io::Result<()>;

    /// The compiler's run.
    fn compilation(&self, place: &BuildPlace) -> Compilation;

    /// The program that the compiler built from the submission's file `main`, if it built one.
    ///
    /// # Errors
    /// Those of the compiler, the first ones; never none.
    fn program(
        &self,
        finished: &Finished,
        place: &BuildPlace,
        main: &Path,
    ) -> Result<Option<PathBuf>, Vec<CompileError>>;
}

/// The folders of one build.
#[derive(Clone, Debug)]
pub struct BuildPlace {
    /// The folder that holds the others.
    pub folder: PathBuf,
    /// The submission's files.
    pub sources: PathBuf,
    /// What the compiler makes, the program included.
    pub target: PathBuf,
    /// Temporary files.
    pub temporary: PathBuf,
}

impl BuildPlace {
    /// The folders of a build in `folder`.
    pub fn new(folder: &Path) -> BuildPlace {
        BuildPlace {
            folder: folder.to_owned(),
            sources: folder.join("submission"),
            target: folder.join("target"),
            temporary: folder.join("tmp"),
        }
    }
}

/// An error of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct CompileError {
    /// Its message.
    pub text: String,
    /// The file, the line from 1, and the text of that line, if it names one.
    pub place: Option<(String, usize, String)>,
}
