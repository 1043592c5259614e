//! Finds the compilers of C and C++, those of GCC and of Clang.

use crate::languages::CompilerRequest;
use crate::languages::pattern::pattern;
use crate::sandbox::Tools;
use crate::sandbox::tools::{ANSWERING, Finished, MOST_SAID, run_to_end};
use regex::Regex;
use std::env::consts::ARCH;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::LazyLock;

/// A compiler of C or C++.
pub(in crate::languages) struct Found {
    pub(in crate::languages) program: PathBuf,
    /// The first line of its answer to `--version`.
    pub(in crate::languages) version: String,
    /// The version in numbers.
    pub(super) number: String,
    /// Whether it is Clang's, and not GCC's.
    pub(in crate::languages) is_clang: bool,
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
    pub(in crate::languages) fn major(&self) -> u32 {
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

/// The line with which GCC says that a program which it started was killed. Where it is confined, it has the name of the
/// program behind links, such as `x86_64-linux-gnu-gcc-12`.
static KILLED_OF_GCC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[^\s:]*(?:gcc|g\+\+)[^\s:]*: fatal error: Killed signal terminated program \S+|collect2: fatal error: ld terminated with signal 9 \[Killed\].*)$",
    )
});

/// The line with which Clang says it.
static KILLED_OF_CLANG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^clang[^\s:]*: error: unable to execute command: Killed$"));

/// The exit status of Clang then.
const CUT_OFF_OF_CLANG: i32 = 254;

/// Whether a run of a compiler failed because a program that it started was killed. The compiler says so in the first
/// error of all: a submission can put any lines into an error of its own, but it cannot leave out the words before them.
pub(in crate::languages) fn is_cut_off(finished: &Finished) -> bool {
    let Some(status) = finished.status.and_then(|status| status.code()) else { return false };
    let said = String::from_utf8_lossy(&finished.errors);
    let mut errors = said.lines().skip_while(|line| !line.contains("rror: "));
    let Some(first) = errors.next().filter(|_| finished.errors.len() < MOST_SAID) else { return false };
    match status {
        0 => false,
        CUT_OFF_OF_CLANG => KILLED_OF_CLANG.is_match(first),
        _ => KILLED_OF_GCC.is_match(first) && errors.eq(["compilation terminated."]),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::is_cut_off;
    use crate::sandbox::tools::Finished;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    #[test]
    fn only_the_compiler_itself_says_that_one_of_its_programs_was_killed() {
        #[track_caller]
        fn check(expected: bool, code: i32, said: &str) {
            let status = Some(ExitStatus::from_raw(code << 8));
            let errors = said.as_bytes().to_vec();
            let finished = Finished { status, output: Vec::new(), errors, is_cut_off: false };
            assert_eq!(is_cut_off(&finished), expected, "{said}");
        }
        let gcc = "fatal error: Killed signal terminated program cc1\ncompilation terminated.\n";
        let linker = "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.\n";
        let clang = "clang: error: unable to execute command: Killed\n\
                     clang: error: clang frontend command failed due to signal (use -v to see invocation)\n\
                     Debian clang version 14.0.6\n";
        check(true, 1, &format!("gcc: {gcc}"));
        check(true, 1, &format!("a.c:3:1: warning: no value\nx86_64-linux-gnu-g++-12: {gcc}"));
        check(true, 1, linker);
        check(true, 254, clang);
        // As a submission says it, in the name of a file or in an error of its own.
        check(false, 1, "gcc: fatal error: Killed signal terminated program cc1:1:2: error: #error no\n");
        check(false, 1, &format!("a\ngcc: {gcc}:1:2: error: #error no\n"));
        check(false, 1, &format!("a.c:1:2: error: a\ngcc: {gcc}"));
        check(false, 1, &format!("/tmp/a.s:3: Error: a\ngcc: {gcc}"));
        check(false, 1, &format!("a\n{clang}:1:2: error: no\n"));
        check(false, 1, "clang:1:2: error: unable to execute command: Killed\n");
    }
}
