//! Builds a submission that is a crate of Rust, with everything in it untrusted: its build scripts and macros run in the
//! compiler's confinement, without a network, and write nowhere but in a folder of this submission alone.
//!
//! What all crates share, keur and what it needs, is built once into a folder of the user's cache (`seed`); each
//! submission starts out with a copy of that, so that none can touch what another is built with.

mod cargo;
mod place;
mod seed;
mod skeleton;

pub use skeleton::{Skeleton, SkeletonError};

use crate::adapter::{Command, Fault};
use crate::case::Exercise;
use crate::compare::{CompileError, FilesProblem, Slip};
use crate::sandbox::{Cancel, Compilation, Tier, Tools};
use crate::submission::{Built, DetectError, Found, Opened, Package, Runs, Submission};
use crate::submit::SERVE;
use cargo::{Messages, Toolchain};
use seed::Seed;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Time on the clock that building one submission may take, when nothing else is said.
pub const BUILD_TIME: Duration = Duration::from_secs(120);

/// How crates are built.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The folder of the keur that they are built with, in place of the published one.
    pub source: Option<PathBuf>,
    /// The course's own files, which replace a student's.
    pub skeleton: Option<Skeleton>,
    /// Time on the clock for each.
    pub time: Duration,
    /// The programs among which Rust is looked for.
    pub tools: Tools,
    /// Ends every build.
    pub cancel: Cancel,
}

impl BuildSettings {
    /// Crates built with the keur that this one was built from, where its source is still there, and the Rust among `tools`.
    pub fn new(tools: Tools) -> BuildSettings {
        let cancel = Cancel::default();
        BuildSettings { source: own_source(), skeleton: None, time: BUILD_TIME, tools, cancel }
    }
}

/// The source that this keur was built from, where it is still there: a checkout, or cargo's own copy of what it
/// installed.
pub fn own_source() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    source.join("Cargo.toml").is_file().then(|| source.to_owned())
}

/// Builds the crates of one run.
pub struct Builder {
    settings: BuildSettings,
    tier: Tier,
    seed: Mutex<Option<Result<Arc<Seed>, String>>>,
}

impl Builder {
    /// Builds nothing yet.
    pub fn new(settings: BuildSettings, tier: Tier) -> Builder {
        Builder { settings, tier, seed: Mutex::new(None) }
    }

    /// The programs that it takes Rust from.
    pub fn tools(&self) -> &Tools {
        &self.settings.tools
    }

    /// The exercise among `exercises` that this answers. For a crate whose tests are replaced by the course's own, these tell.
    ///
    /// # Errors
    /// None of them, or several: with the choices.
    pub fn exercise<'e>(
        &self,
        opened: &mut Opened,
        exercises: &[&'e Exercise],
    ) -> Result<&'e Exercise, DetectError> {
        let skeleton = self.settings.skeleton.as_ref().filter(|_| opened.is_crate());
        match skeleton.and_then(|skeleton| skeleton.exercise(exercises)) {
            Some(exercise) => Ok(exercise),
            None => opened.exercise(exercises),
        }
    }

    /// What was opened, as an answer to `exercise`: built first when it is a crate.
    ///
    /// # Errors
    /// A failure of keur's own: no cargo, a keur that cannot be had offline, a full disk.
    pub fn submission(&self, mut opened: Opened, exercise: &Exercise) -> Result<Submission, Fault> {
        match opened.package(exercise) {
            None => Ok(opened.submission(exercise)),
            Some(Err(problem)) => Ok(opened.built(Err(problem))),
            Some(Ok(mut package)) => {
                let own = self.settings.skeleton.as_ref().and_then(|skeleton| skeleton.test(exercise));
                package.test = own.map_or(package.test, Path::to_owned);
                let found = self.build(&package)?;
                Ok(opened.built(found))
            }
        }
    }

    fn build(&self, package: &Package) -> Result<Result<Found, Slip>, Fault> {
        if self.tier == Tier::Strict {
            let message =
                "a crate is built in the tier `standard` at the most; grade it with --confine standard";
            return Err(Fault { message: message.to_owned() });
        }
        let seed = self.seed()?;
        let home = tempfile::Builder::new().prefix("keur-rust-").tempdir().map_err(failed)?;
        let place = home.path().join("build");
        let built = self.build_at(&place, package, &seed);
        let kept = home.path().join("grade");
        let kept = match built {
            Ok(Ok(program)) => place::keep(program, &kept).map_err(failed).map(|()| Ok(kept)),
            Ok(Err(slip)) => Ok(Err(slip)),
            Err(fault) => Err(fault),
        };
        place::clear(&place);
        Ok(kept?.map(|program| found(package, home, &program)))
    }

    /// Builds a crate in a folder of its own, and opens the test program that comes of it.
    fn build_at(&self, place: &Path, package: &Package, seed: &Seed) -> Result<Result<File, Slip>, Fault> {
        self.lay_out(package, seed, place).map_err(failed)?;
        let compiled = self.compilation(seed, place).run(self.tier).map_err(|error| Fault {
            message: format!("{} cannot be started: {error}", seed.toolchain.cargo.display()),
        })?;
        let Some(status) = compiled.status else { return Ok(Err(Slip::CompileTime)) };
        let krate = place.join("crate");
        let messages = Messages::read(&compiled.output, &krate, &krate.join(&package.test));
        if !status.success() {
            let errors = if messages.errors.is_empty() {
                vec![CompileError { text: cargo::refusal(&compiled.errors, &krate), place: None }]
            } else {
                messages.errors
            };
            return Ok(Err(Slip::Compile(errors)));
        }
        let test = package.test.display().to_string();
        let Some(program) = messages.program else {
            return Ok(Err(Slip::Files(FilesProblem::NoTest { test })));
        };
        Ok(place::program(&program, &place.join("target")).ok_or(Slip::ProgramGone { test }))
    }

    /// What all crates of this run are built upon, made when the first one is.
    fn seed(&self) -> Result<Arc<Seed>, Fault> {
        let mut seed = self.seed.lock().unwrap_or_else(PoisonError::into_inner);
        let made = seed.get_or_insert_with(|| {
            let toolchain = Toolchain::find(self.settings.tools.clone())?;
            Seed::make(toolchain, self.settings.source.as_deref()).map(Arc::new)
        });
        made.clone().map_err(|message| Fault { message })
    }

    /// Writes the files of a crate, the course's own in place of the student's, beside what it is built upon.
    fn lay_out(&self, package: &Package, seed: &Seed, place: &Path) -> io::Result<()> {
        for folder in ["crate", "tmp"] {
            fs::create_dir_all(place.join(folder))?;
        }
        let given = package.files.iter().map(|(path, _, bytes)| (path.as_path(), bytes.as_ref()));
        let own = self.settings.skeleton.iter().flat_map(Skeleton::files);
        // The versions of what is built already are those of the seed.
        let lock = [(Path::new("Cargo.lock"), seed.lock.as_slice())];
        place::lay_out(&place.join("crate"), own.chain(lock), given)?;
        seed.copy(&place.join("target"))?;
        // Whoever runs it may pass through here, and see nothing.
        #[cfg(unix)]
        if let Some(home) = place.parent() {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(home, fs::Permissions::from_mode(0o711))?;
            fs::set_permissions(place, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn compilation(&self, seed: &Seed, place: &Path) -> Compilation {
        let toolchain = &seed.toolchain;
        let text = |path: PathBuf| path.display().to_string();
        let mut env = toolchain.environment();
        env.extend([
            ("HOME".to_owned(), text(place.join("tmp"))),
            ("TMPDIR".to_owned(), text(place.join("tmp"))),
        ]);
        let mut args = cargo::arguments(self.settings.source.as_deref(), &place.join("target"));
        args.extend(["--tests".to_owned(), "--offline".to_owned()]);
        Compilation {
            program: toolchain.cargo.clone(),
            args,
            env,
            writable: place.to_owned(),
            folder: place.join("crate"),
            readable: toolchain.readable(self.settings.source.as_deref()),
            executables: toolchain.executables(),
            time: self.settings.time,
            cancel: self.settings.cancel.clone(),
        }
    }
}

fn failed(error: io::Error) -> Fault {
    Fault { message: format!("a crate cannot be built: {error}; check the temporary folder") }
}

fn found(package: &Package, home: TempDir, program: &Path) -> Found {
    let name = |path: &Path| path.display().to_string();
    let sources =
        package.files.iter().filter(|(path, _, _)| path.extension().is_some_and(|ending| ending == "rs"));
    let mut found = Found {
        runs: Runs::Built(Arc::new(Built {
            command: Command { words: vec![name(program), SERVE.to_owned()], confined: true },
            home,
        })),
        bundle: crate::adapter::Bundle::default(),
        files: Vec::new(),
    };
    for (path, lies, bytes) in sources {
        found.files.extend(lies.as_ref().map(|lies| (name(path), name(lies))));
        found.bundle.files.push((name(path), name(path), bytes.clone()));
    }
    found
}
