//! How submissions are built: by which compilers, and in which time.

use super::Skeleton;
use keur_core::languages::{CompileOptions, CompilerRequest, Language};
use keur_sandbox::Tools;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The default wall-clock time for building one submission.
pub const BUILD_TIME: Duration = Duration::from_secs(120);

/// The settings for building submissions.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The course's own files, which replace a student's.
    pub skeleton: Option<Skeleton>,
    /// Wall-clock time for each, in all.
    pub time: Duration,
    /// The programs to find compilers among.
    pub tools: Tools,
    /// Programs of compilers that the user names, by language.
    pub compilers: HashMap<&'static str, PathBuf>,
}

impl BuildSettings {
    /// Builds with the compilers among `tools`.
    pub fn new(tools: Tools) -> BuildSettings {
        BuildSettings { skeleton: None, time: BUILD_TIME, tools, compilers: HashMap::new() }
    }

    /// Uses `program`, a path or a name on PATH, as the compiler of `language`.
    pub fn name(&mut self, language: &'static Language, program: &Path) {
        self.compilers.insert(language.name, self.tools.named(program));
    }

    /// The request for the compiler of `language`, which compiles in this way.
    #[doc(hidden)]
    pub fn request(&self, language: &'static Language, options: CompileOptions) -> CompilerRequest<'_> {
        let program = self.compilers.get(language.name).map(PathBuf::as_path);
        CompilerRequest { tools: &self.tools, program, options }
    }
}
