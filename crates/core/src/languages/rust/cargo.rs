//! Cargo: finds it, starts it, and reads its output.
//!
//! Few of cargo's messages are read, which does not need the types of `cargo_metadata`.

use crate::languages::build::SYSTEM;
use crate::languages::{BuildPlan, BuildTarget, CompileError};
use crate::sandbox::Tools;
use crate::sandbox::tools::{ANSWERING, Finished, MOST_SAID, run_to_end};
use regex::Regex;
use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::LazyLock;

/// Other parts of the system that are read: library paths and the number of processors.
const READABLE: [&str; 5] =
    ["/etc/ld.so.cache", "/usr/include", "/proc/self/cgroup", "/sys/fs/cgroup", "/proc/cpuinfo"];

/// The most compiler errors that are reported; the first ones explain the others.
const MOST_ERRORS: usize = 5;

/// The most characters of one error.
const MOST_TEXT: usize = 4000;

/// The longest message that is read, in bytes: a longer one is not the compiler's, and takes many times its
/// memory.
const LONGEST_MESSAGE: usize = 1 << 20;

/// The variable that selects rustup's toolchain; it overrides every file in a folder.
const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

/// The toolchain to pin if `rustc` is a rustup proxy: the environment's, else the user's default.
fn pinned(tools: &Tools, rustc: &Path) -> Option<OsString> {
    if let Some(named) = std::env::var_os(TOOLCHAIN) {
        return Some(named);
    }
    let rustup = rustc.with_file_name(format!("rustup{}", std::env::consts::EXE_SUFFIX));
    let answer = tools.ask(&rustup, &["default"]).ok()?;
    answer.status.filter(ExitStatus::success)?;
    String::from_utf8_lossy(&answer.output).split_whitespace().next().map(OsString::from)
}

/// A Rust toolchain, found behind its version manager.
#[derive(Clone, Debug)]
pub(super) struct Toolchain {
    pub(super) tools: Tools,
    pub(super) cargo: PathBuf,
    rustc: PathBuf,
    sysroot: PathBuf,
    /// Cargo's folder of this user.
    pub(super) home: PathBuf,
    /// The output of `rustc -vV`.
    pub(super) version: String,
    /// The system that it compiles for.
    pub(super) host: String,
}

impl Toolchain {
    /// The toolchain of the `rustc` on PATH; with rustup, the user's default one.
    ///
    /// # Errors
    /// There is none; the message says what to install.
    pub(super) fn find(tools: Tools) -> Result<Toolchain, String> {
        let missing = "no Rust found on PATH; install it from https://rustup.rs to grade crates";
        let proxy = tools.find("rustc").ok_or(missing)?;
        let pinned = pinned(&tools, &proxy);
        let ask = |arguments: &[&str]| {
            let mut command = tools.command(&proxy);
            command.args(arguments).envs(pinned.iter().map(|name| (TOOLCHAIN, name)));
            let finished = run_to_end(command, ANSWERING).ok()?;
            let text = String::from_utf8_lossy(&finished.output).trim().to_owned();
            finished.status.filter(ExitStatus::success).map(|_| text)
        };
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"]).ok_or(missing)?);
        let version = ask(&["-vV"]).ok_or(missing)?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or(missing)?.to_owned();
        let program = |name: &str| {
            let path = sysroot.join("bin").join(name).with_extension(std::env::consts::EXE_EXTENSION);
            path.is_file().then_some(path)
        };
        let rustc = program("rustc").ok_or(missing)?;
        let cargo = program("cargo").ok_or("no cargo found beside rustc; install it to grade crates")?;
        let home =
            std::env::var_os("CARGO_HOME").map(|home| std::path::absolute(&home).unwrap_or(home.into()));
        let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).ok_or(missing)?;
        if tools.may_be_foreign(&home) {
            let home = home.display();
            return Err(format!(
                "cargo's folder {home} may belong to a submission; set CARGO_HOME to another one"
            ));
        }
        Ok(Toolchain { tools, cargo, rustc, sysroot, home, version, host })
    }

    /// The variables that a build needs, with this folder as cargo's own.
    pub(super) fn environment(&self, home: &Path) -> Vec<(String, String)> {
        let bin = self.sysroot.join("bin");
        let path = std::env::join_paths([bin.as_path(), Path::new("/usr/bin"), Path::new("/bin")]);
        let path = path.unwrap_or_default().to_string_lossy().into_owned();
        let own = [
            ("PATH".to_owned(), path),
            // Compiled code from another home counts as different.
            ("CARGO_HOME".to_owned(), home.display().to_string()),
            ("RUSTC".to_owned(), self.rustc.display().to_string()),
            ("CARGO_INCREMENTAL".to_owned(), "0".to_owned()),
            ("CARGO_PROFILE_DEV_DEBUG".to_owned(), "0".to_owned()),
            ("CARGO_TERM_COLOR".to_owned(), "never".to_owned()),
        ];
        // What Windows itself needs to start a program.
        let system = ["SystemRoot", "TEMP", "TMP", "ProgramFiles(x86)", "ProgramData"]
            .into_iter()
            .filter(|_| cfg!(windows))
            .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)));
        own.into_iter().chain(system).collect()
    }

    /// The program trees that a confined build may start.
    pub(super) fn executables(&self) -> Vec<PathBuf> {
        let system = SYSTEM.iter().map(PathBuf::from);
        std::iter::once(self.sysroot.clone()).chain(system).filter(|path| path.exists()).collect()
    }
}

/// The compile options of dependencies, which override the crate's own: cargo does not reuse code built with
/// other options. They match the templates.
const PROFILE: [&str; 3] = ["debug=false", "debug-assertions=false", "overflow-checks=false"];

/// The parts of the system that a build reads.
pub(super) fn system_files() -> impl Iterator<Item = PathBuf> {
    READABLE.iter().map(PathBuf::from)
}

/// The arguments of a build into `target`, with the keur in the folder `library`.
pub(super) fn arguments(library: &Path, target: &Path) -> Vec<String> {
    let mut arguments =
        ["test", "--no-run", "--message-format", "json", "--target-dir"].map(str::to_owned).to_vec();
    arguments.push(target.display().to_string());
    for set in PROFILE {
        arguments.extend(["--config".to_owned(), format!("profile.dev.package.\"*\".{set}")]);
    }
    arguments.extend(with(library));
    arguments
}

/// The advice for a crate that cargo would have to fetch.
const NO_NETWORK: &str = "note: builds have no network: a crate that this one depends on must be in cargo's cache on the \
    machine that grades; `cargo fetch` puts it there";

/// The arguments that ask what there is to compile. Cargo answers without running anything of a crate.
pub(super) fn inquiry(host: &str, library: &Path) -> Vec<String> {
    let mut arguments =
        ["metadata", "--format-version", "1", "--filter-platform", host].map(str::to_owned).to_vec();
    arguments.extend(with(library));
    arguments
}

/// The arguments that put the keur in a folder in the place of the published one.
fn with(library: &Path) -> [String; 2] {
    // A string of JSON is one of TOML too.
    let library = Json::from(library.display().to_string());
    ["--config".to_owned(), format!("patch.crates-io.keur-core.path={library}")]
}

/// The plan to compile the crate in the folder `krate`, whose test target has the source `test`.
pub(super) fn plan(asked: &Finished, krate: &Path, test: &Path) -> Result<BuildPlan, Vec<CompileError>> {
    let refused = || {
        vec![CompileError {
            text: refusal(&asked.errors, krate),
            place: None,
            withheld: None,
            unlisted: None,
            common: None,
        }]
    };
    if !asked.status.is_some_and(|status| status.success()) {
        return Err(refused());
    }
    let answer: Json = serde_json::from_slice(&asked.output).map_err(|_| refused())?;
    // The system's name for the folder may differ from the one it was made with.
    let real = krate.canonicalize().unwrap_or_else(|_| krate.to_owned());
    let below = |path: &str| {
        let path = Path::new(path);
        [krate, &real].into_iter().find_map(|krate| path.strip_prefix(krate).ok()).map(Path::to_owned)
    };
    let mut plan = BuildPlan::default();
    for package in answer["packages"].as_array().into_iter().flatten() {
        for target in package["targets"].as_array().into_iter().flatten() {
            let Some(source) = target["src_path"].as_str() else { continue };
            let is = |kinds: &[&str]| {
                let own = target["kind"].as_array().map(Vec::as_slice).unwrap_or_default();
                own.iter().filter_map(Json::as_str).any(|kind| kinds.contains(&kind))
            };
            if package["source"].is_null() && is(&["custom-build", "proc-macro"]) {
                plan.scripts.push(below(source).unwrap_or_else(|| PathBuf::from(source)));
            }
            if let (Some(name), Some(package)) = (target["name"].as_str(), package["id"].as_str())
                && is(&["test"])
                && below(source).is_some_and(|source| source == test)
            {
                plan.targets = vec![BuildTarget {
                    package: package.to_owned(),
                    name: name.to_owned(),
                    folder: &["debug", "deps"],
                    prefix: format!("{}-", name.replace('-', "_")),
                }];
            }
        }
    }
    Ok(plan)
}

/// The errors of a build that failed of the crate in the folder `krate`; paths in them are relative to that
/// folder.
pub(super) fn errors(finished: &Finished, krate: &Path) -> Vec<CompileError> {
    let mut errors = errors_in(&finished.output, krate);
    if errors.is_empty() {
        errors.push(CompileError {
            text: refusal(&finished.errors, krate),
            place: None,
            withheld: None,
            unlisted: None,
            common: None,
        });
    }
    errors
}

/// Whether cargo ends with the error that a program which it started was killed. Cargo indents what a build
/// script writes, and prints its own error last, so nothing else is taken for it as long as all of it was
/// kept.
pub(super) fn is_cut_off(finished: &Finished) -> bool {
    static KILLED: LazyLock<Regex> = LazyLock::new(|| {
        crate::languages::pattern(
            r"\Aerror: (?:could not compile|failed to run custom build command for) `[^`\n]*`[^\n]*\n(?:note: [^\n]*\n)*\nCaused by:\n  process didn't exit successfully: `[^\n]*` \(signal: 9, SIGKILL: kill\)",
        )
    });
    let errors = String::from_utf8_lossy(&finished.errors);
    let last = errors
        .match_indices("error: ")
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || errors[..*at].ends_with('\n'))
        .last();
    let failed = finished.status.is_some_and(|status| !status.success());
    failed && finished.errors.len() < MOST_SAID && last.is_some_and(|at| KILLED.is_match(&errors[at..]))
}

/// The first errors among cargo's JSON messages, one per line. A macro may have written some of the lines.
fn errors_in(output: &[u8], krate: &Path) -> Vec<CompileError> {
    let lines = output.split(|byte| *byte == b'\n').filter(|line| line.len() <= LONGEST_MESSAGE);
    let messages = lines.filter_map(|line| serde_json::from_slice::<Json>(line).ok());
    messages.filter_map(|message| error(&message["message"], krate)).take(MOST_ERRORS).collect()
}

/// An error of the compiler. The final one, which only counts the others, has no code and no place.
fn error(message: &Json, krate: &Path) -> Option<CompileError> {
    if message["level"] != "error" {
        return None;
    }
    let text = message["rendered"].as_str()?;
    let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    if spans.is_empty() && text.starts_with("error: aborting due to") {
        return None;
    }
    let primary = spans.iter().find(|span| span["is_primary"] == true);
    let place = primary.and_then(|span| {
        let line = usize::try_from(span["line_start"].as_u64()?).ok()?;
        let source = span["text"][0]["text"].as_str().unwrap_or_default();
        Some((without_folder(span["file_name"].as_str()?, krate), line, shortened_line(source.trim_end())))
    });
    let withheld = message["message"].as_str().and_then(withheld);
    Some(CompileError { text: without_folder(text, krate), place, withheld, unlisted: None, common: None })
}

/// The part of keur's library that an error does not find, because it is not in what a graded crate is built
/// with.
fn withheld(message: &str) -> Option<String> {
    static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
        crate::languages::pattern(
            r"^unresolved imports? `keur_core::(\w+)|(?:could not find|cannot find(?: \w+)*) `(\w+)` in (?:the crate root `keur_core`|(?:crate )?`keur_core`)|^module `(adapter|case|exercises|languages|sandbox)` is private",
        )
    });
    let found = ABSENT.captures(message)?;
    (1..found.len()).find_map(|group| found.get(group)).map(|name| format!("keur_core::{}", name.as_str()))
}

/// A line of source, shortened.
fn shortened_line(line: &str) -> String {
    line.chars().take(MOST_TEXT).collect()
}

/// Why cargo did not start compiling: its message without the progress lines.
pub(super) fn refusal(errors: &[u8], krate: &Path) -> String {
    let errors = String::from_utf8_lossy(errors);
    // A separate line: a package may be called `thiserror`.
    let from = if errors.starts_with("error") { 0 } else { errors.find("\nerror").unwrap_or(0) };
    let message = without_folder(&errors[from..], krate);
    if message.contains("failed to load manifest for dependency") {
        message
            + "\n\nnote: a crate is built confined to its own folder: a dependency by `path` lies outside of it"
    } else if message.contains("offline") {
        // Reports show only the first lines.
        let (error, rest) = message.split_once('\n').unwrap_or((&message, ""));
        let rest = rest.split_once("As a reminder, you're using offline mode").map_or(rest, |(rest, _)| rest);
        format!("{error}\n{NO_NETWORK}\n{rest}").trim_end().to_owned()
    } else {
        message
    }
}

/// A text without the path of the crate's folder, and shortened.
fn without_folder(text: &str, krate: &Path) -> String {
    let text = text.replace(&format!("{}{}", krate.display(), std::path::MAIN_SEPARATOR), "");
    let text = text.replace(&krate.display().to_string(), ".");
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{PROFILE, arguments, errors_in, refusal, withheld};
    use crate::sandbox::tools::Finished;
    use std::path::{Path, PathBuf};

    /// Otherwise all dependencies of a template's crate would be compiled again for each submission.
    #[test]
    fn every_crate_is_built_as_the_templates_say() {
        let arguments = arguments(Path::new("keur"), Path::new("target"));
        for folder in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../templates")).unwrap() {
            let Ok(manifest) = std::fs::read_to_string(folder.unwrap().path().join("Cargo.toml")) else {
                continue;
            };
            let (_, profile) = manifest.split_once("[profile.dev.package.\"*\"]\n").unwrap();
            let lines: Vec<&str> = profile.lines().take_while(|line| !line.is_empty()).collect();
            assert_eq!(lines.len(), PROFILE.len());
            for line in lines {
                let set = format!("profile.dev.package.\"*\".{}", line.replace(' ', ""));
                assert!(arguments.contains(&set), "{set}");
            }
        }
    }

    #[test]
    fn errors_are_told_with_their_places() {
        let said = concat!(
            "not json\n",
            r#"{"reason":"compiler-message","message":{"level":"warning","rendered":"w","spans":[]}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","rendered":"error: no `x`\n --> /k/src/lib.rs\n","spans":[{"is_primary":true,"file_name":"src/lib.rs","line_start":3,"text":[{"text":"    x  "}]}]}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","rendered":"error: aborting due to 1 previous error","spans":[]}}"#,
        );
        let errors = errors_in(said.as_bytes(), Path::new("/k"));
        let [error] = errors.as_slice() else { panic!("{errors:?}") };
        assert_eq!(error.text, "error: no `x`\n --> src/lib.rs");
        assert_eq!(error.place, Some(("src/lib.rs".to_owned(), 3, "    x".to_owned())));
        assert_eq!(error.withheld, None);
    }

    #[cfg(unix)]
    #[test]
    fn only_cargos_own_last_error_says_that_a_program_was_killed() {
        let killed = "error: could not compile `own` (test \"grade\")\n\nCaused by:\n  process didn't exit successfully: \
            `rustc --crate-name grade` (signal: 9, SIGKILL: kill)\n";
        let script = killed.replace("compile `own`", "compile").replace(
            "could not compile (test \"grade\")",
            "failed to run custom build command for `own v0.1.0 (/k)`\nnote: a backtrace",
        );
        let own = "error: could not compile `own` (test \"grade\") due to 1 previous error\n";
        let indented = format!("{own}  --- stderr\n{}", killed.replace("error:", "  error:"));
        let cases = [
            (true, format!("   Compiling own v0.1.0\n{killed}")),
            (true, format!("{own}{script}")),
            (false, format!("{killed}{own}")),
            (false, indented),
            (false, killed.replace("9, SIGKILL: kill", "6, SIGABRT: process abort signal")),
        ];
        for (expected, said) in cases {
            let status = Some(std::os::unix::process::ExitStatusExt::from_raw(101 << 8));
            let errors = said.clone().into_bytes();
            let finished = Finished { status, output: Vec::new(), errors, is_cut_off: false };
            assert_eq!(super::is_cut_off(&finished), expected, "{said}");
        }
    }

    #[test]
    fn parts_withheld_of_keur_are_named() {
        for (message, name) in [
            ("module `exercises` is private", Some("keur_core::exercises")),
            ("unresolved import `keur_core::grade`", Some("keur_core::grade")),
            ("unresolved import `keur_core::exercises::grid`", Some("keur_core::exercises")),
            ("failed to resolve: could not find `grade` in `keur_core`", Some("keur_core::grade")),
            ("cannot find `grade` in `keur_core`", Some("keur_core::grade")),
            ("cannot find module or crate `grade` in the crate root `keur_core`", Some("keur_core::grade")),
            ("module `board` is private", None),
            ("unresolved import `crate::grade`", None),
        ] {
            assert_eq!(withheld(message).as_deref(), name, "{message}");
        }
    }

    #[test]
    fn a_program_and_what_runs_before_it_are_found_by_their_sources() {
        let target = |kind: &str, name: &str, path: &str| {
            format!(r#"{{"kind":["{kind}"],"name":"{name}","src_path":"{path}"}}"#)
        };
        let of = |id: &str, source: &str, targets: &[String]| {
            format!(r#"{{"id":"{id}","source":{source},"targets":[{}]}}"#, targets.join(","))
        };
        let own = [
            target("lib", "own", "/k/src/lib.rs"),
            target("test", "other", "/k/tests/other.rs"),
            target("test", "the-grade", "/k/tests/grade.rs"),
            target("custom-build", "build-script-build", "/k/build.rs"),
        ];
        let part = [target("proc-macro", "part", "/k/part/src/lib.rs")];
        let fetched = [target("custom-build", "build-script-build", "/registry/serde/build.rs")];
        let packages =
            [of("own", "null", &own), of("part", "null", &part), of("serde", "\"registry\"", &fetched)];
        let asked = Finished {
            status: Some(std::process::ExitStatus::default()),
            output: format!(r#"{{"packages":[{}]}}"#, packages.join(",")).into_bytes(),
            errors: Vec::new(),
            is_cut_off: false,
        };
        let plan = |test: &str| super::plan(&asked, Path::new("/k"), Path::new(test)).unwrap();
        let found = plan("tests/grade.rs");
        assert_eq!(found.scripts, ["build.rs", "part/src/lib.rs"].map(PathBuf::from));
        let [target] = found.targets.try_into().unwrap();
        assert_eq!(
            (target.package, target.name, target.prefix),
            ("own".into(), "the-grade".into(), "the_grade-".into())
        );
        assert_eq!(plan("tests/none.rs").targets, []);
    }

    #[test]
    fn a_refusal_starts_at_the_error_line() {
        let errors = b"   Compiling x\nerror: no matching package named `rand` found\nlocation: /k\n";
        let message = refusal(errors, Path::new("/k"));
        assert_eq!(message, "error: no matching package named `rand` found\nlocation: .");
        let errors = b"error: no matching package named `rand` found\nlocation: /k\nAs a reminder, you're using offline mode (--offline)\n";
        let message = refusal(errors, Path::new("/k"));
        let [error, note, rest] = message.lines().collect::<Vec<_>>()[..] else { panic!("{message}") };
        assert_eq!((error, rest), ("error: no matching package named `rand` found", "location: ."));
        assert!(note.contains("no network") && note.contains("`cargo fetch`"), "{note}");
        let errors = b"   Compiling thiserror v2.0.21\nerror: failed to run custom build command for `q`\n";
        assert_eq!(refusal(errors, Path::new("/k")), "error: failed to run custom build command for `q`");
        let message =
            refusal(b"error: failed to load manifest for dependency `keur-core`\n", Path::new("/k"));
        assert!(message.ends_with("a dependency by `path` lies outside of it"), "{message}");
    }
}
