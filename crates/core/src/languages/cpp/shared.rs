//! The driver and its header, which all builds of one compiler share: compiled once and kept in the user's cache.

use crate::cache;
use crate::languages::BuildPlace;
use crate::languages::build::SYSTEM;
use crate::sandbox::tools::{ANSWERING, Finished, run_to_end};
use crate::sandbox::{Compilation, Tools};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

/// The texts of the driver, by their file names. The first one is what submissions are compiled with.
const TEXTS: [(&str, &str); 15] = [
    (HEADER, include_str!("keur.hpp")),
    ("include/keur-containers.hpp", include_str!("keur-containers.hpp")),
    ("include/keur-driver.hpp", include_str!("keur-driver.hpp")),
    ("include/keur-values.hpp", include_str!("keur-values.hpp")),
    ("include/keur-c.hpp", include_str!("../c/keur-c.hpp")),
    ("values.hpp", include_str!("values.hpp")),
    ("library.hpp", include_str!("library.hpp")),
    ("input.hpp", include_str!("input.hpp")),
    ("json.hpp", include_str!("json.hpp")),
    ("plain.hpp", include_str!("plain.hpp")),
    ("operators.hpp", include_str!("operators.hpp")),
    ("session.hpp", include_str!("session.hpp")),
    ("containers.cpp", include_str!("containers.cpp")),
    ("library.cpp", include_str!("library.cpp")),
    ("driver.cpp", include_str!("driver.cpp")),
];

const HEADER: &str = "include/keur.hpp";

/// The header, compiled.
const PRECOMPILED: &str = "include/keur.hpp.gch";

/// The folder of the header: submissions find no other text of the driver.
const INCLUDE: &str = "include";

/// The program of the driver.
const DRIVER: &str = "driver";

/// The folder of what is compiled once for an exercise.
const OBJECTS: &str = "objects";

/// What libraries find in the driver, for the linker, which would report it as missing.
const NAMES: &str = "names.so";

/// The flag of the driver, and of libraries in C++.
pub(in crate::languages) const STANDARD: &str = "-std=c++20";

/// Further flags of the driver and of libraries, which must be the same where types of the standard library pass between them.
/// The check of an object's table of methods asks the kernel which memory is there, by a call that the confinement
/// refuses; those of alignment and of the size of objects find little and take a third of the time to compile.
const COMMON_FLAGS: [&str; 6] = [
    "-g1",
    // The linker names the file of an included line only by this version.
    "-gdwarf-4",
    "-fsanitize=address,undefined",
    "-fno-sanitize=vptr,alignment,object-size",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

/// Flags of the driver's own code: the frames of its functions are not kept after they have returned, since each case
/// would pay for their memory.
const DRIVER_FLAGS: [&str; 1] = ["--param=asan-use-after-return=0"];

/// Flags of libraries, and of the header that they begin with.
const HEADER_FLAGS: [&str; 5] =
    ["-fPIC", "-O0", "-w", "-fdiagnostics-color=never", "-fno-diagnostics-show-caret"];

/// The flags of a library.
pub(super) fn library_flags() -> impl Iterator<Item = &'static str> {
    COMMON_FLAGS.into_iter().chain(HEADER_FLAGS).chain(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"])
}

/// Time for compiling what is shared.
const TIME: Duration = Duration::from_secs(5 * 60);

/// Other parts of the system that a compiler reads.
const READABLE: [&str; 3] = ["/etc/ld.so.cache", "/usr/include", "/usr/local/include"];

/// A compiler of C or C++.
pub(in crate::languages) struct Found {
    pub(in crate::languages) program: PathBuf,
    /// The first line of its answer to `--version`.
    pub(in crate::languages) version: String,
    /// The version in numbers.
    number: String,
}

/// The g++ among the tools.
///
/// # Errors
/// There is none; the message says what to install.
pub(in crate::languages) fn find(tools: &Tools) -> Result<Found, String> {
    find_compiler(tools, "g++", "C++")
}

/// The compiler of this name among the tools, for submissions in the language of this title.
///
/// # Errors
/// There is none; the message says what to install.
pub(in crate::languages) fn find_compiler(tools: &Tools, name: &str, title: &str) -> Result<Found, String> {
    if !cfg!(target_os = "linux") {
        return Err(format!("submissions in {title} are graded on Linux only"));
    }
    let program =
        tools.find(name).ok_or_else(|| format!("no {name} found on PATH; install it to grade {title}"))?;
    let ask = |argument: &str| {
        let mut command = tools.command(&program);
        command.arg(argument).env("LC_ALL", "C");
        let finished = run_to_end(command, ANSWERING).ok()?;
        finished.status.filter(ExitStatus::success)?;
        Some(String::from_utf8_lossy(&finished.output).lines().next()?.trim().to_owned())
    };
    let (version, number) = ask("--version")
        .zip(ask("-dumpfullversion").or_else(|| ask("-dumpversion")))
        .ok_or_else(|| format!("{} does not tell its version", program.display()))?;
    Ok(Found { program, version, number })
}

/// Whether a run of the compiler whose messages begin so failed because a program that it started was killed.
pub(in crate::languages) fn cut_off(finished: &Finished, begin: &str) -> bool {
    let said = String::from_utf8_lossy(&finished.errors);
    let mut last = said.lines().rev().take(2);
    last.any(|line| line.starts_with(begin) && line.contains("Killed signal terminated program"))
}

/// A compiler with what all its builds share.
pub(in crate::languages) struct Shared {
    compiler: Found,
    folder: PathBuf,
}

impl Shared {
    /// Brings the shared files up to date: compiles what is missing, which takes seconds the first time. Nothing in it comes from a
    /// submission.
    ///
    /// # Errors
    /// There is no compiler, or it does not compile the driver; the message quotes it.
    pub(in crate::languages) fn make(tools: &Tools) -> Result<Shared, String> {
        let compiler = find(tools)?;
        let mut key = DefaultHasher::new();
        (&compiler.program, &compiler.version, TEXTS, STANDARD, COMMON_FLAGS, DRIVER_FLAGS, HEADER_FLAGS)
            .hash(&mut key);
        // Not in the temporary folder, where anybody may have created that name.
        let nowhere = "there is no cache folder for keur's driver of C++ that cannot be a submission's; \
                       set XDG_CACHE_HOME to another folder";
        let folder = cache::trusted(tools).ok_or(nowhere)?.join("cpp").join(format!("{:016x}", key.finish()));
        let shared = Shared { compiler, folder };
        shared.complete(tools)?;
        Ok(shared)
    }

    /// Compiles what is missing.
    fn complete(&self, tools: &Tools) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", self.folder.display());
        fs::create_dir_all(self.folder.join(INCLUDE)).map_err(failed)?;
        let guard = File::create(self.folder.join("lock")).map_err(failed)?;
        guard.lock().map_err(failed)?;
        let done = self.folder.join("done");
        if [DRIVER, NAMES, PRECOMPILED].iter().all(|made| self.folder.join(made).exists()) && done.exists() {
            return Ok(());
        }
        for (name, text) in TEXTS {
            fs::write(self.folder.join(name), text).map_err(failed)?;
        }
        let version = format!("-DKEUR_VERSION=\"{}\"", self.compiler.number);
        let objects = ["library.o", "containers.o"];
        let own = |args: &[&'static str]| DRIVER_FLAGS.iter().chain(args).copied().collect::<Vec<_>>();
        let library = own(&["-O1", "-fPIC", "-Iinclude", "-c", "library.cpp"]);
        let containers = own(&["-O0", "-fPIC", "-Iinclude", "-c", "containers.cpp"]);
        // A library asks for it at run time by this name, that of what the kernel gives to every process.
        let names = ["-shared", "-Wl,-soname,linux-vdso.so.1", "-o", NAMES].into_iter().chain(objects);
        // What it needs is bound before it forks, and not in each case.
        let driver = ["-O1", "-Iinclude", &version, "-rdynamic", "-Wl,-z,now", "-o", DRIVER, "driver.cpp"];
        let driver = DRIVER_FLAGS.into_iter().chain(driver).chain(objects).chain(["-ldl"]);
        let header = HEADER_FLAGS.into_iter().chain(["-x", "c++-header", HEADER, "-o", PRECOMPILED]);
        for args in [library, containers, names.collect(), driver.collect(), header.collect()] {
            let said = self.compile(tools, &args).map_err(failed)?;
            said.map_err(|said| format!("keur's driver of C++ cannot be compiled{said}"))?;
        }
        fs::write(done, "").map_err(failed)
    }

    /// Compiles in the folder. The inner error is what the compiler says.
    fn compile(&self, tools: &Tools, args: &[&str]) -> io::Result<Result<(), String>> {
        let mut command = tools.command(&self.compiler.program);
        command.arg(STANDARD).args(COMMON_FLAGS).args(args).env("LC_ALL", "C").current_dir(&self.folder);
        let finished = run_to_end(command, TIME)?;
        let said = String::from_utf8_lossy(&finished.errors);
        let said = said.lines().take(20).map(|line| format!("\n{line}")).collect();
        Ok(if finished.status.is_some_and(|status| status.success()) { Ok(()) } else { Err(said) })
    }

    /// Compiles a source that includes the header, unless it was compiled before. Nothing in it comes from a submission.
    ///
    /// # Errors
    /// It cannot be written, or the compiler does not compile it.
    pub(in crate::languages) fn complete_object(&self, tools: &Tools, source: &str) -> io::Result<()> {
        let object = self.object(source);
        if object.exists() {
            return Ok(());
        }
        let guard = File::create(self.folder.join("lock"))?;
        guard.lock()?;
        // Another keur may have made it meanwhile.
        if object.exists() {
            return Ok(());
        }
        let (text, made) = (object.with_extension("cpp"), object.with_extension("new"));
        fs::create_dir_all(self.folder.join(OBJECTS))?;
        fs::write(&text, source)?;
        let [text, new] = [&text, &made].map(|path| path.display().to_string());
        // Reports name no folder of this machine, and no file of keur's as one of the submission.
        let folders = [&self.folder.display().to_string(), INCLUDE];
        let [folder, include] = folders.map(|folder| format!("-ffile-prefix-map={folder}=/keur"));
        let args = ["-I", INCLUDE, "-include", HEADER, "-c", &text, "-o", &new, &folder, &include];
        let said = self.compile(tools, &HEADER_FLAGS.into_iter().chain(args).collect::<Vec<_>>())?;
        said.map_err(|said| {
            io::Error::other(format!("the declarations of the exercise cannot be compiled{said}"))
        })?;
        fs::rename(made, object)
    }

    /// The object that such a source becomes.
    pub(in crate::languages) fn object(&self, source: &str) -> PathBuf {
        let mut key = DefaultHasher::new();
        source.hash(&mut key);
        self.folder.join(OBJECTS).join(format!("{:016x}.o", key.finish()))
    }

    /// The header that submissions are compiled with.
    pub(super) fn header(&self) -> PathBuf {
        self.folder.join(HEADER)
    }

    /// The folder of the header.
    pub(in crate::languages) fn include(&self) -> PathBuf {
        self.folder.join(INCLUDE)
    }

    /// The names that a library finds in the driver.
    pub(in crate::languages) fn names(&self) -> PathBuf {
        self.folder.join(NAMES)
    }

    /// The compiler of the driver.
    pub(super) fn program(&self) -> &Path {
        &self.compiler.program
    }

    /// A run of a compiler on a submission.
    pub(in crate::languages) fn run(
        &self,
        program: &Path,
        place: &BuildPlace,
        args: Vec<String>,
    ) -> Compilation {
        let temporary = place.temporary.display().to_string();
        let env = [("LC_ALL", "C"), ("PATH", "/usr/bin:/bin"), ("TMPDIR", &temporary)];
        let existing =
            |paths: &[&str]| paths.iter().map(PathBuf::from).filter(|path| path.exists()).collect::<Vec<_>>();
        let mut readable = existing(&READABLE);
        readable.push(self.folder.clone());
        let mut executables = existing(&SYSTEM);
        // Where its programs and libraries lie, if that is not the system's.
        let prefix = program.ancestors().nth(2).unwrap_or(Path::new("/usr"));
        let parts = ["bin", "include", "lib", "lib64", "libexec"].map(|part| prefix.join(part));
        executables.extend(parts.into_iter().filter(|path| path.exists()));
        Compilation {
            program: program.to_owned(),
            args,
            env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            home: place.folder.clone(),
            folder: place.sources.clone(),
            writable: vec![place.target.clone(), place.temporary.clone()],
            readable,
            hidden: Vec::new(),
            executables,
        }
    }

    /// The program of the driver.
    pub(in crate::languages) fn driver(&self) -> PathBuf {
        self.folder.join(DRIVER)
    }
}
