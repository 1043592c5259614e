//! Finds the compilers of C and C++, those of GCC and of Clang.

use crate::languages::CompilerRequest;
use crate::sandbox::Tools;
use crate::sandbox::tools::{ANSWERING, Finished, run_to_end};
use std::env::consts::ARCH;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// A compiler of C or C++.
pub(in crate::languages) struct Found {
    pub(in crate::languages) program: PathBuf,
    /// The first line of its answer to `--version`.
    pub(in crate::languages) version: String,
    /// The version in numbers.
    pub(super) number: String,
    /// Whether it is Clang's, and not GCC's.
    pub(super) is_clang: bool,
}

/// A language, as far as the search for its compilers goes.
pub(in crate::languages) struct Kind {
    pub(in crate::languages) title: &'static str,
    /// The option that names the program.
    pub(in crate::languages) option: &'static str,
    /// The names of GCC's compiler and of Clang's.
    pub(in crate::languages) names: [&'static str; 2],
}

/// Compilers of C++.
pub(super) const CPP: Kind = Kind { title: "C++", option: "cpp", names: ["g++", "clang++"] };

/// The compiler that the user names, else GCC's or Clang's among the tools.
///
/// # Errors
/// There is none; the message says what to install.
pub(in crate::languages) fn find(kind: &Kind, request: &CompilerRequest<'_>) -> Result<Found, String> {
    let Kind { title, option, names: [gcc, clang] } = kind;
    if !cfg!(target_os = "linux") {
        return Err(format!("submissions in {title} are graded on Linux only"));
    }
    let among = || request.tools.find(gcc).or_else(|| request.tools.find(clang));
    let program = request.program.map(Path::to_owned).or_else(among).ok_or_else(|| {
        format!("no {gcc} or {clang} found on PATH; install one to grade {title}, or name it with --{option}")
    })?;
    identified(program, request.tools)
}

/// The compiler of C++ that belongs to a compiler of C: beside it, or else among the tools.
///
/// # Errors
/// There is none; the message says what to install.
pub(in crate::languages) fn beside(c: &Found, tools: &Tools) -> Result<Found, String> {
    let [gcc, clang] = CPP.names;
    let (name, ours) = if c.is_clang { ("clang", clang) } else { ("gcc", gcc) };
    // Such as `gcc-13`.
    let file = c.program.file_name().unwrap_or_default().to_string_lossy().replacen(name, ours, 1);
    let own = c.program.with_file_name(file);
    let own = Some(own).filter(|own| *own != c.program && own.is_file());
    let program = own.or_else(|| tools.find(ours));
    let lacks =
        || format!("keur's driver of C is in C++, and no {ours} found on PATH; install it to grade C");
    identified(program.ok_or_else(lacks)?, tools)
}

/// The compiler with this program, which says its version.
fn identified(program: PathBuf, tools: &Tools) -> Result<Found, String> {
    let ask = |argument: &str| answer(&program, argument, tools);
    let (version, number) = ask("--version")
        .zip(ask("-dumpfullversion").or_else(|| ask("-dumpversion")))
        .ok_or_else(|| format!("{} does not tell its version", program.display()))?;
    let is_clang = version.contains("clang");
    Ok(Found { program, version, number, is_clang })
}

/// The first line of the answer of a compiler.
fn answer(program: &Path, argument: &str, tools: &Tools) -> Option<String> {
    let mut command = tools.command(program);
    command.arg(argument).env("LC_ALL", "C");
    let finished = run_to_end(command, ANSWERING).ok()?;
    finished.status.filter(ExitStatus::success)?;
    Some(String::from_utf8_lossy(&finished.output).lines().next()?.trim().to_owned())
}

impl Found {
    /// The first number of its version.
    pub(super) fn major(&self) -> u32 {
        self.number.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0)
    }

    /// Clang's sanitizers, as a library that the driver and submissions share; `None` for GCC, whose library lies where
    /// the system finds it.
    ///
    /// # Errors
    /// It is not installed.
    pub(super) fn sanitizers(&self, tools: &Tools) -> Result<Option<PathBuf>, String> {
        if !self.is_clang {
            return Ok(None);
        }
        // Which name it has depends on how Clang was built.
        let names = [format!("libclang_rt.asan-{ARCH}.so"), "libclang_rt.asan.so".to_owned()];
        let paths =
            names.iter().filter_map(|name| answer(&self.program, &format!("-print-file-name={name}"), tools));
        let mut found = paths.map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
        let program = self.program.display();
        let lack = || format!("{program} has no sanitizers; install its runtime, on Debian libclang-rt-dev");
        found.next().map(Some).ok_or_else(lack)
    }
}

/// Whether a run of a compiler failed because a program that it started was killed.
pub(in crate::languages) fn is_cut_off(finished: &Finished) -> bool {
    let said = String::from_utf8_lossy(&finished.errors);
    let mut last = said.lines().rev().take(2);
    last.any(|line| {
        let gcc = ["gcc", "g++"].iter().any(|name| line.starts_with(name));
        gcc && line.contains("Killed signal terminated program")
            || line.starts_with("clang") && line.ends_with("unable to execute command: Killed")
    })
}
