//! Programs and rights that a test needs and a machine may lack.
//!
//! A test that cannot run says so, and fails if `KEUR_REQUIRE` names what is missing:
//! `KEUR_REQUIRE=isolated,strict cargo test`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names what the machine must have, separated by commas.
pub(crate) const VARIABLE: &str = "KEUR_REQUIRE";

/// The prefix of the line of a test that cannot run.
pub(crate) const NOT_TESTED: &str = "not tested: ";

/// A requirement that a machine may not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Namespaces, in which submissions see only their own files.
    Isolated,
    /// Namespaces and control groups, for the strict tier.
    Strict,
    /// Tests that root must run.
    Root,
    /// A Python at `/usr/bin/python3`.
    SystemPython,
    /// The right to trace a process that one started.
    Tracing,
    /// A JDK.
    Java,
    /// The compiler of C++ that GCC has.
    Cpp,
    /// The compiler of C++ that Clang has.
    Clang,
    /// Chromium, and the driver by which a test controls it.
    Browser,
    /// Firefox, which a test controls without a driver.
    Firefox,
    /// Perl, with the module that reads JSON.
    Perl,
    /// Slurm's programs, and root, who starts its nodes as namespaces.
    Slurm,
    /// Programs that `.ci/run` installs in `target/external`: validators of formats, a Python with numpy, a Node that
    /// strips types, and Pyodide.
    External,
}

impl Need {
    pub(crate) const ALL: [Need; 13] = [
        Need::Isolated,
        Need::Strict,
        Need::Root,
        Need::SystemPython,
        Need::Tracing,
        Need::Java,
        Need::Cpp,
        Need::Clang,
        Need::Browser,
        Need::Firefox,
        Need::Perl,
        Need::Slurm,
        Need::External,
    ];

    /// Its name in `KEUR_REQUIRE`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Need::Isolated => "isolated",
            Need::Strict => "strict",
            Need::Root => "root",
            Need::SystemPython => "system-python",
            Need::Tracing => "tracing",
            Need::Java => "java",
            Need::Cpp => "cpp",
            Need::Clang => "clang",
            Need::Browser => "browser",
            Need::Firefox => "firefox",
            Need::Perl => "perl",
            Need::Slurm => "slurm",
            Need::External => "external",
        }
    }
}

/// The needs in `KEUR_REQUIRE`.
///
/// # Errors
/// The variable names something that no test needs.
pub(crate) fn required() -> Result<Vec<Need>, String> {
    let list = std::env::var(VARIABLE).unwrap_or_default();
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let needs = names.map(|name| {
        let known = Need::ALL.map(Need::name).join(", ");
        let need = Need::ALL.into_iter().find(|need| need.name() == name);
        need.ok_or_else(|| format!("{VARIABLE} names `{name}`; it knows {known}"))
    });
    needs.collect()
}

/// Reports that `what` is not tested, because the machine lacks what it needs.
///
/// # Panics
/// `KEUR_REQUIRE` names the need.
#[track_caller]
pub(crate) fn not_tested(need: Need, what: &str, because: &str) {
    let line = format!("{NOT_TESTED}{what}, because {because}");
    let required = required().unwrap_or_else(|problem| panic!("{problem}"));
    assert!(!required.contains(&need), "{line}, and {VARIABLE} names `{}`", need.name());
    // The macros' output is not shown for a test that passes.
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Ends a test where the machine lacks the programs of what it needs: `needs!(Java, External);`.
#[allow(unused_macros, reason = "some targets need no programs")]
macro_rules! needs {
    ($($need:ident),+) => {
        $(if !$crate::required::has($crate::required::Need::$need) {
            return;
        })+
    };
}
#[allow(unused_imports, reason = "some targets need no programs")]
pub(crate) use needs;

/// Whether the machine has the programs of a need. The test that asks is reported as not tested if not.
///
/// # Panics
/// `KEUR_REQUIRE` names the need.
#[allow(dead_code, reason = "some targets need no programs")]
#[track_caller]
pub(crate) fn has(need: Need) -> bool {
    let lack = lacks_program(need);
    if let Some(because) = &lack {
        not_tested(need, std::thread::current().name().unwrap_or("a test"), because);
    }
    lack.is_none()
}

/// The programs of a need that the machine lacks; none for a need of something else than programs.
pub(crate) fn lacks_program(need: Need) -> Option<String> {
    let programs: &[&[&str]] = match need {
        Need::Java => &[&["java"], &["javac"]],
        Need::Cpp => &[&["g++"], &["gcc"]],
        Need::Clang => &[&["clang++"], &["clang"]],
        Need::Browser => &[BROWSERS, &["chromedriver"]],
        Need::Firefox => &[FIREFOX],
        // A small system has a Perl without its modules.
        Need::Perl => {
            let loaded = Command::new("perl").args(["-MJSON::PP", "-e", "1"]).output();
            let works = loaded.is_ok_and(|output| output.status.success());
            return (!works).then(|| "there is no perl with JSON::PP".to_owned());
        }
        Need::Slurm if !is_root() => return Some("a plain user runs the tests".to_owned()),
        Need::Slurm => &[&["slurmctld"], &["slurmd"], &["sbatch"], &["munged"], &["pgrep"]],
        Need::External => {
            let installed =
                ["bin/act", "bin/python", "node_modules/node/bin/node", "node_modules/pyodide/pyodide.mjs"];
            let lacking = installed.iter().find(|name| !external().join(name).is_file())?;
            return Some(format!("there is no target/external/{lacking}, which .ci/run installs"));
        }
        Need::Isolated | Need::Strict | Need::Root | Need::SystemPython | Need::Tracing => return None,
    };
    let lacking = programs.iter().find(|names| program(names).is_none())?;
    Some(format!("no folder of PATH has {}", lacking[0]))
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// The names of the browser's program, by distribution.
pub(crate) const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// The names of Firefox.
pub(crate) const FIREFOX: &[&str] = &["firefox-esr", "firefox"];

/// A program on the path, by the first of its names that is there.
pub(crate) fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places =
        std::env::split_paths(&path).flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    places.find(|place| place.is_file())
}

/// The folder in which `.ci/run` installs validators.
pub(crate) fn external() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/external")
}

/// A tool that `.ci/run` installs.
#[allow(dead_code, reason = "some targets need none")]
pub(crate) fn installed(below: &str) -> PathBuf {
    let path = external().join(below);
    assert!(path.exists(), "{} is missing: install it as .ci/run does", path.display());
    path
}
