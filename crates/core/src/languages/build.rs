//! Languages whose submissions are built into a program before they run.

use super::CommonError;
use super::c::Declarations;
use crate::sandbox::tools::Finished;
use crate::sandbox::{Compilation, Tools};
use crate::value::Bundle;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The files of the system that compilers and linkers read and start, if present.
pub(super) const SYSTEM: [&str; 8] =
    ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/bin", "/lib", "/lib64", "/nix/store"];

/// How the submissions of a language are built into programs that speak the protocol. The error of either
/// function is a sentence that says what to do.
#[derive(Debug)]
pub struct Build {
    /// Finds the compiler, and makes what all its builds share.
    pub compiler: fn(request: &CompilerRequest<'_>) -> Result<Box<dyn Compiler>, String>,
    /// The version of the compiler that is found, with all that may make another program of the same source.
    pub version: fn(request: &CompilerRequest<'_>) -> Result<String, String>,
    /// The option that names the program of the compiler, and its help; `None` if only PATH decides.
    pub option: Option<(&'static str, &'static str)>,
    /// The standards of the language that an exercise may choose, the default first; none if it cannot choose.
    pub standards: &'static [&'static str],
}

/// The request for a compiler.
#[derive(Clone, Copy, Debug)]
pub struct CompilerRequest<'a> {
    /// The programs to find it among.
    pub tools: &'a Tools,
    /// Its program, if the user names one.
    pub program: Option<&'a Path>,
    /// How it compiles.
    pub options: CompileOptions,
}

/// How the submissions of an exercise are compiled in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompileOptions {
    /// The standard of the language; `None` for the default.
    pub standard: Option<&'static str>,
    /// Whether sanitizers look for undefined behaviour.
    pub sanitize: bool,
    /// Whether memory that is not freed, and that nothing points to any more, is a fault.
    pub leaks: bool,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions { standard: None, sanitize: true, leaks: false }
    }
}

/// A compiler, with what all its builds share; a trait so that tests can use one that only sleeps.
pub trait Compiler: Send + Sync {
    /// Files that take the place of the submission's own, for a build of these files that answers for these
    /// definitions: the path of each within its folder, and its bytes.
    fn files(&self, bundle: &Bundle, asked: &AskedFor) -> Vec<(PathBuf, Vec<u8>)>;

    /// The source file in a submission's folder whose program runs while it is compiled, though nothing names
    /// it; `None` if nothing of it runs.
    fn runs_unasked(&self) -> Option<&Path>;

    /// Makes what all builds share that answer for these definitions, in the folders of one or in the cache.
    ///
    /// # Errors
    /// It cannot be written.
    fn share(&self, place: &BuildPlace, asked: &AskedFor) -> io::Result<()>;

    /// Settles what there is to compile, and fixes its versions. Nothing of the submission runs. `None` if there
    /// is nothing to settle.
    fn inquiry(&self, place: &BuildPlace) -> Option<Compilation>;

    /// The plan that follows from the inquiry, if there was one; what is built answers for `asked`.
    ///
    /// # Errors
    /// Why it cannot be compiled, in the compiler's words; never none.
    fn plan(
        &self,
        inquired: Option<&Finished>,
        place: &BuildPlace,
        asked: &AskedFor,
    ) -> Result<BuildPlan, Vec<CompileError>>;

    /// The compiler's run, which makes the program of `target`.
    fn compilation(&self, place: &BuildPlace, target: &BuildTarget) -> Compilation;

    /// Removes definitions that the compiler did not find, after a run for `target` that failed. Returns whether
    /// the build should be repeated.
    ///
    /// # Errors
    /// A file cannot be read or written.
    fn settle(&self, _finished: &Finished, _place: &BuildPlace, _target: &BuildTarget) -> io::Result<bool> {
        Ok(false)
    }

    /// The program that loads what is built, if that is a library; `None` if it is a program itself.
    fn driver(&self) -> Option<PathBuf> {
        None
    }

    /// Whether what is built reserves much more memory than it uses, as with sanitizers.
    fn reserves_memory(&self) -> bool {
        false
    }

    /// Whether a run failed because a program that it started was ended by `SIGKILL`.
    fn is_cut_off(&self, finished: &Finished) -> bool;

    /// The errors of a run that failed, the first ones; never none.
    fn errors(&self, finished: &Finished, place: &BuildPlace) -> Vec<CompileError>;
}

/// The definitions and programs that an exercise asks for, as the language spells them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedFor {
    /// The file of the submission that its program is made of, in a crate.
    pub test: PathBuf,
    /// The files of the submission that are programs of their own.
    pub programs: Vec<String>,
    /// The classes.
    pub classes: Vec<AskedClass>,
    /// The functions.
    pub functions: Vec<String>,
    /// The exercise's declarations in C.
    pub declarations: Declarations,
    /// Its declarations in C++ of functions, and the types that class templates are, by name.
    pub signatures: BTreeMap<String, Vec<String>>,
    /// How they are compiled.
    pub options: CompileOptions,
}

/// A class that an exercise asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedClass {
    /// Its name.
    pub name: String,
    /// The names of its methods.
    pub methods: Vec<String>,
    /// The names of its attributes.
    pub attributes: Vec<String>,
}

/// The commands that compile a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildPlan {
    /// The targets: those that are asked for, and are there.
    pub targets: Vec<BuildTarget>,
    /// Source files of the submission whose programs run while it is compiled, relative to its folder.
    pub scripts: Vec<PathBuf>,
}

/// The target that a compiler makes a program of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildTarget {
    /// The package, as the compiler identifies it, or what is made once for the exercise.
    pub package: String,
    /// The name of the target. Of a library with a program of the submission it is the file's; of that for
    /// calls it is empty.
    pub name: String,
    /// The folder of its program, below the target folder.
    pub folder: &'static [&'static str],
    /// How the file name of its program begins. A hash in hexadecimal digits and the system's ending follow.
    pub prefix: String,
}

/// The folders of one build.
#[derive(Clone, Debug)]
pub struct BuildPlace {
    /// The folder that holds the others.
    pub folder: PathBuf,
    /// The submission's files.
    pub sources: PathBuf,
    /// The folder of the compiler's output, the program included.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct CompileError {
    /// The compiler's message.
    pub text: String,
    /// The file, the line from 1, and the text of that line, if it names one.
    pub place: Option<(String, usize, String)>,
    /// The part of keur's library that it uses, which is out of reach of what is graded.
    #[serde(default)]
    pub withheld: Option<String>,
    /// The crate that it misses because the course's manifest, which does not list it, replaced the
    /// submission's.
    #[serde(default)]
    pub unlisted: Option<String>,
    /// The common error that it is.
    #[serde(default)]
    pub common: Option<CommonError>,
}
