//! The driver and its header, which all builds of one compiler share: compiled once and kept in the user's cache.

use super::compiler::Found;
use crate::cache;
use crate::languages::build::SYSTEM;
use crate::languages::{BuildPlace, CompileOptions};
use crate::sandbox::tools::run_to_end;
use crate::sandbox::{Compilation, Tools};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The texts of the driver, by their file names. The first one is what submissions are compiled with.
const TEXTS: [(&str, &str); 21] = [
    (HEADER, include_str!("keur.hpp")),
    (LIBRARY, include_str!("keur-library.hpp")),
    (WITH_LIBRARY, include_str!("keur-with-library.hpp")),
    ("include/keur-containers.hpp", include_str!("keur-containers.hpp")),
    ("include/keur-driver.hpp", include_str!("keur-driver.hpp")),
    ("include/keur-values.hpp", include_str!("keur-values.hpp")),
    ("include/keur-c.hpp", include_str!("../c/keur-c.hpp")),
    ("values.hpp", include_str!("values.hpp")),
    ("library.hpp", include_str!("library.hpp")),
    ("forks.hpp", include_str!("forks.hpp")),
    ("frames.hpp", include_str!("frames.hpp")),
    ("input.hpp", include_str!("input.hpp")),
    ("json.hpp", include_str!("json.hpp")),
    ("leaks.hpp", include_str!("leaks.hpp")),
    ("lines.hpp", include_str!("lines.hpp")),
    ("plain.hpp", include_str!("plain.hpp")),
    ("operators.hpp", include_str!("operators.hpp")),
    ("session.hpp", include_str!("session.hpp")),
    ("containers.cpp", include_str!("containers.cpp")),
    ("library.cpp", include_str!("library.cpp")),
    ("driver.cpp", include_str!("driver.cpp")),
];

/// The header that submissions are compiled with.
const HEADER: &str = "include/keur.hpp";

/// The whole standard library, for programs that include it: precompiled, it is read in a third of the time.
const LIBRARY: &str = "include/keur-library.hpp";

/// The header, after the whole standard library.
const WITH_LIBRARY: &str = "include/keur-with-library.hpp";

/// The folder of the header: submissions find no other text of the driver.
const INCLUDE: &str = "include";

/// The program of the driver.
const DRIVER: &str = "driver";

/// The folder of what is compiled once for an exercise. The driver reports no line of a file whose name begins so.
const OBJECTS: &str = "include/keur-objects";

/// The parts of the driver that libraries find in it, compiled.
const PARTS: [&str; 2] = ["containers.o", "library.o"];

/// The folder of libraries that the driver needs besides the system's.
pub(crate) const LIBRARIES: &str = "lib";

/// The names that libraries find in the driver, for the linker, which would report them as missing.
const NAMES: &str = "names.so";

/// The standards of libraries in C++, with the flag of each; the first is the driver's own, and the default.
const STANDARDS: [(&str, &str); 3] =
    [("c++20", "-std=c++20"), ("c++17", "-std=c++17"), ("c++23", "-std=c++2b")];

/// Flags of the driver and of libraries. The linker names the file of an included line only by this version of debug
/// information.
const COMMON_FLAGS: [&str; 3] = ["-g1", "-gdwarf-4", "-fno-omit-frame-pointer"];

/// The checks of the driver and of libraries, which must be the same. The sanitizer's check of an object's table of methods
/// asks the kernel which memory is there, by a call that the confinement refuses; those of alignment and of the size of
/// objects find little and take a third of the time to compile.
const SANITIZERS: [&str; 4] = [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize=vptr,alignment,object-size",
    "-fno-sanitize-recover=all",
    // Containers check their indexes, which the sanitizers do up to their capacity only.
    "-D_GLIBCXX_ASSERTIONS",
];

/// Flags of libraries, and of the header that they begin with.
const HEADER_FLAGS: [&str; 3] = ["-fPIC", "-w", "-fdiagnostics-color=never"];

/// Time for compiling what is shared.
const TIME: Duration = Duration::from_secs(5 * 60);

/// Other parts of the system that a compiler reads.
const READABLE: [&str; 3] = ["/etc/ld.so.cache", "/usr/include", "/usr/local/include"];

/// The arguments that compile the driver's own code, which is trusted: without sanitizers it is faster.
fn own(args: &[&str]) -> Vec<String> {
    let flags = [STANDARDS[0].1, "-O1", "-Iinclude", "-fno-sanitize=all"];
    flags.iter().chain(args).map(|arg| (*arg).to_owned()).collect()
}

/// A compiler with what all its builds share.
pub(in crate::languages) struct Shared {
    compiler: Found,
    options: CompileOptions,
    tools: Tools,
    /// Clang's sanitizers.
    sanitizers: Option<PathBuf>,
    folder: PathBuf,
}

impl Shared {
    /// Brings the shared files up to date: compiles what is missing, which takes seconds the first time. Nothing in it comes from a
    /// submission.
    ///
    /// # Errors
    /// The compiler does not compile the driver; the message quotes it.
    pub(in crate::languages) fn make(
        compiler: Found,
        options: CompileOptions,
        tools: &Tools,
    ) -> Result<Shared, String> {
        let sanitizers = if options.sanitize { compiler.sanitizers(tools)? } else { None };
        // Not in the temporary folder, where anybody may have created that name.
        let nowhere = "there is no cache folder for keur's driver of C++ that cannot be a submission's; \
                       set XDG_CACHE_HOME to another folder";
        let folder = cache::trusted(tools).ok_or(nowhere)?.join("cpp");
        let mut shared = Shared { compiler, options, tools: tools.clone(), sanitizers, folder };
        let mut key = DefaultHasher::new();
        (&shared.compiler.program, &shared.compiler.version, TEXTS).hash(&mut key);
        (
            own(&[]),
            shared.common_flags(),
            shared.header_flags(),
            shared.containers_flags(),
            shared.driver_flags(),
        )
            .hash(&mut key);
        shared.folder.push(format!("{:016x}", key.finish()));
        shared.complete()?;
        Ok(shared)
    }

    /// Compiles what is missing.
    fn complete(&self) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", self.folder.display());
        fs::create_dir_all(self.folder.join(INCLUDE)).map_err(failed)?;
        let guard = File::create(self.folder.join("lock")).map_err(failed)?;
        guard.lock().map_err(failed)?;
        let done = self.folder.join("done");
        let precompiled = self.precompiled(HEADER);
        if [DRIVER, NAMES, &precompiled].iter().all(|made| self.folder.join(made).exists()) && done.exists() {
            return Ok(());
        }
        if let Some(library) = &self.sanitizers {
            // A confined driver reads only this folder and those of the system.
            let folder = self.folder.join(LIBRARIES);
            fs::create_dir_all(&folder).map_err(failed)?;
            fs::copy(library, folder.join(library.file_name().unwrap_or_default())).map_err(failed)?;
        }
        for (name, text) in TEXTS {
            fs::write(self.folder.join(name), text).map_err(failed)?;
        }
        let library = own(&["-fPIC", "-c", "library.cpp"]);
        let version = format!("-DKEUR_VERSION=\"{}\"", self.compiler.number);
        let driver = own(&[&version, "-c", "driver.cpp"]);
        // A library asks for it at run time by this name, that of what the kernel gives to every process.
        let names = ["-shared", "-Wl,-soname,linux-vdso.so.1", "-o", NAMES];
        let names = [&names[..], &PARTS].concat().into_iter().map(str::to_owned).collect();
        let header = self.precompiling(HEADER, &precompiled);
        for args in [library, self.containers_flags(), names, driver, self.driver_flags(), header] {
            let said = self.compile(&args).map_err(failed)?;
            said.map_err(|said| format!("keur's driver of C++ cannot be compiled{said}"))?;
        }
        fs::write(done, "").map_err(failed)
    }

    /// Compiles in the folder. The inner error is what the compiler says.
    fn compile(&self, args: &[String]) -> io::Result<Result<(), String>> {
        let mut command = self.tools.command(&self.compiler.program);
        command.args(self.common_flags()).args(args).env("LC_ALL", "C").current_dir(&self.folder);
        let finished = run_to_end(command, TIME)?;
        let said = String::from_utf8_lossy(&finished.errors);
        let said = said.lines().take(20).map(|line| format!("\n{line}")).collect();
        Ok(if finished.status.is_some_and(|status| status.success()) { Ok(()) } else { Err(said) })
    }

    /// The arguments that compile containers, to which each standard adds members. The frames of their functions are not kept
    /// after they have returned, since each case would pay for their memory.
    fn containers_flags(&self) -> Vec<String> {
        let flag = match (self.options.sanitize, self.compiler.is_clang, self.compiler.major()) {
            (true, false, _) => Some("--param=asan-use-after-return=0"),
            // Older ones have no such flag.
            (true, true, 13..) => Some("-fsanitize-address-use-after-return=never"),
            _ => None,
        };
        let args = [self.standard(), "-O0", "-fPIC", "-Iinclude", "-c", "containers.cpp"];
        flag.into_iter().chain(args).map(str::to_owned).collect()
    }

    /// Makes a file of the folder unless it is there: `make` writes it under another name, and says what the compiler says.
    fn once(
        &self,
        made: &Path,
        make: impl FnOnce(&Path) -> io::Result<Result<(), String>>,
    ) -> io::Result<()> {
        if made.exists() {
            return Ok(());
        }
        let guard = File::create(self.folder.join("lock"))?;
        guard.lock()?;
        // Another keur may have made it meanwhile.
        if made.exists() {
            return Ok(());
        }
        let new = made.with_extension("new");
        let refused = |said| format!("what submissions are compiled with cannot be compiled{said}");
        make(&new)?.map_err(|said| io::Error::other(refused(said)))?;
        fs::rename(new, made)
    }

    /// Compiles a source that includes the header, unless it was compiled before. Nothing in it comes from a submission.
    ///
    /// # Errors
    /// The object cannot be written, or the compiler does not compile the source.
    pub(in crate::languages) fn complete_object(&self, source: &str) -> io::Result<()> {
        let object = self.object(source);
        self.once(&object, |new| self.compile_object(source, &object.with_extension("cpp"), new))
    }

    /// Compiles a source in the file `text` into the object `new`. The inner error is what the compiler says.
    fn compile_object(&self, source: &str, text: &Path, new: &Path) -> io::Result<Result<(), String>> {
        fs::create_dir_all(self.folder.join(OBJECTS))?;
        fs::write(text, source)?;
        let [text, new] = [text, new].map(|path| path.display().to_string());
        // Reports name no folder of this machine, and no file of keur's as one of the submission.
        let folders = [&self.folder.display().to_string(), INCLUDE];
        let [folder, include] = folders.map(|folder| format!("-ffile-prefix-map={folder}=/keur"));
        let args =
            [self.standard(), "-I", INCLUDE, "-include", HEADER, "-c", &text, "-o", &new, &folder, &include];
        let mut all = self.header_flags();
        all.extend(args.map(str::to_owned));
        // Clang's lines would name the header as a file of the submission.
        all.extend(self.compiler.is_clang.then(|| "-g0".to_owned()));
        self.compile(&all)
    }

    /// The object that such a source becomes.
    pub(in crate::languages) fn object(&self, source: &str) -> PathBuf {
        let mut key = DefaultHasher::new();
        source.hash(&mut key);
        self.folder.join(OBJECTS).join(format!("{:016x}.o", key.finish()))
    }

    /// The arguments that link the driver. Containers come first: submissions use them with their sanitizers.
    fn driver_flags(&self) -> Vec<String> {
        // What it needs is bound before it forks, and not in each case.
        let driver = ["-rdynamic", "-Wl,-z,now", "-o", DRIVER, PARTS[0], PARTS[1], "driver.o", "-ldl"];
        let libraries = self.folder.join(LIBRARIES);
        let path = self.sanitizers.iter().map(|_| format!("-Wl,-rpath,{}", libraries.display()));
        driver.into_iter().map(str::to_owned).chain(path).collect()
    }

    /// The flags of the driver and of libraries.
    fn common_flags(&self) -> Vec<&'static str> {
        let sanitizers = if self.options.sanitize { &SANITIZERS[..] } else { &[] };
        let shared = self.sanitizers.is_some().then_some("-shared-libasan");
        COMMON_FLAGS.into_iter().chain(sanitizers.iter().copied()).chain(shared).collect()
    }

    /// The flags of libraries, and of the header that they begin with.
    fn header_flags(&self) -> Vec<String> {
        // Without the line of the source below each error; all errors, since the first ones may be the glue's.
        let messages: &[&str] = if self.compiler.is_clang {
            &["-fno-caret-diagnostics", "-ferror-limit=0"]
        } else {
            &["-fno-diagnostics-show-caret"]
        };
        // Without sanitizers, the time of the submission counts.
        let level: &[&str] = match (self.options.sanitize, self.compiler.is_clang, self.compiler.major()) {
            (false, ..) => &["-O2"],
            // Older ones have no such flag.
            (true, false, ..12) | (true, true, ..8) => &["-O0"],
            // A variable without a value has the same conspicuous one each time, and not the right one by chance.
            (true, ..) => &["-O0", "-ftrivial-auto-var-init=pattern"],
        };
        HEADER_FLAGS.iter().chain(level).chain(messages).map(|flag| (*flag).to_owned()).collect()
    }

    /// The flag of the standard of libraries in C++. A driver for libraries in C knows none of theirs.
    fn standard(&self) -> &'static str {
        let chosen = STANDARDS.iter().find(|(name, _)| Some(*name) == self.options.standard);
        chosen.unwrap_or(&STANDARDS[0]).1
    }

    /// Whether sanitizers look for undefined behaviour.
    pub(in crate::languages) fn sanitizes(&self) -> bool {
        self.options.sanitize
    }

    /// The first arguments for a submission in C++. Clang is a compiler of C if it is started by another name, as it is
    /// where it is confined.
    pub(super) fn language_flags(&self) -> Vec<String> {
        let mode = self.compiler.is_clang.then_some("--driver-mode=g++");
        mode.into_iter().chain([self.standard()]).map(str::to_owned).collect()
    }

    /// The flags of a library.
    pub(super) fn library_flags(&self) -> Vec<String> {
        let mut args: Vec<String> = self.common_flags().into_iter().map(str::to_owned).collect();
        args.extend(self.header_flags());
        args.extend(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"].map(str::to_owned));
        args
    }

    /// The header for calls of a submission, if that includes the whole standard library, or not.
    pub(super) fn header(&self, has_library: bool) -> PathBuf {
        self.folder.join(if has_library { WITH_LIBRARY } else { HEADER })
    }

    /// The header of the whole standard library, for a program.
    pub(super) fn library(&self) -> PathBuf {
        self.folder.join(LIBRARY)
    }

    /// Precompiles the headers of submissions that include the whole standard library, for calls or for programs, unless
    /// that was done before. Nothing in it comes from a submission.
    ///
    /// # Errors
    /// The precompiled header cannot be written, or the compiler does not compile it.
    pub(super) fn complete_library(&self, has_calls: bool) -> io::Result<()> {
        let header = if has_calls { WITH_LIBRARY } else { LIBRARY };
        let made = self.folder.join(self.precompiled(header));
        self.once(&made, |new| self.compile(&self.precompiling(header, &new.display().to_string())))
    }

    /// The file that a header is precompiled into, in the folder.
    fn precompiled(&self, header: &str) -> String {
        format!("{header}.{}", if self.compiler.is_clang { "pch" } else { "gch" })
    }

    /// The arguments that precompile a header.
    fn precompiling(&self, header: &str, made: &str) -> Vec<String> {
        let mut args = self.header_flags();
        args.extend([self.standard(), "-x", "c++-header", header, "-o", made].map(str::to_owned));
        args
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
