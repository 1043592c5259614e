//! Cargo: where it is, how it is started, and what it says.

use crate::compare::CompileError;
use crate::sandbox::Tools;
use crate::sandbox::tools::{ANSWERING, run_to_end};
use serde::Deserialize;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// What the linker and the compiler need of the system, where it is there.
const SYSTEM: [&str; 8] =
    ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/bin", "/lib", "/lib64", "/nix/store"];

/// What else of the system is read: where libraries lie, and how many processors there are.
const READABLE: [&str; 5] =
    ["/etc/ld.so.cache", "/usr/include", "/proc/self/cgroup", "/sys/fs/cgroup", "/proc/cpuinfo"];

/// The parts of cargo's home that a build reads: what was fetched, and from where. A user's credentials are not among
/// them.
const OF_HOME: [&str; 4] = ["registry", "git", "config.toml", "config"];

/// The parts of keur's own source that a build reads.
const OF_SOURCE: [&str; 5] = ["Cargo.toml", "Cargo.lock", "build.rs", "src", "cases"];

/// Errors of a compiler that are told; the first ones explain the others.
const MOST_ERRORS: usize = 5;

/// Characters of one.
const MOST_TEXT: usize = 4000;

/// The variable that says which toolchain rustup starts, before every file in a folder.
const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

/// The toolchain to pin where `rustc` is a proxy of rustup's: what the environment says, else the user's default.
fn pinned(tools: &Tools, rustc: &Path) -> Option<OsString> {
    if let Some(named) = std::env::var_os(TOOLCHAIN) {
        return Some(named);
    }
    let rustup = rustc.with_file_name(format!("rustup{}", std::env::consts::EXE_SUFFIX));
    let answer = tools.ask(&rustup, &["default"]).ok()?;
    answer.status.filter(ExitStatus::success)?;
    String::from_utf8_lossy(&answer.output).split_whitespace().next().map(OsString::from)
}

/// A toolchain of Rust, behind its version manager.
#[derive(Clone, Debug)]
pub(super) struct Toolchain {
    pub(super) tools: Tools,
    pub(super) cargo: PathBuf,
    rustc: PathBuf,
    sysroot: PathBuf,
    home: PathBuf,
    /// What `rustc -vV` says.
    pub(super) version: String,
}

impl Toolchain {
    /// The toolchain that `rustc` on PATH belongs to; of several that rustup has, the user's default one.
    ///
    /// # Errors
    /// There is none, in a sentence that says what to install.
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
        Ok(Toolchain { tools, cargo, rustc, sysroot, home, version })
    }

    /// The variables that a build needs.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let bin = self.sysroot.join("bin");
        let path = std::env::join_paths([bin.as_path(), Path::new("/usr/bin"), Path::new("/bin")]);
        let path = path.unwrap_or_default().to_string_lossy().into_owned();
        let own = [
            ("PATH".to_owned(), path),
            // What was compiled in another home counts as something else.
            ("CARGO_HOME".to_owned(), self.home.display().to_string()),
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

    /// What a confined build may read.
    pub(super) fn readable(&self, source: Option<&Path>) -> Vec<PathBuf> {
        let home = OF_HOME.iter().map(|name| self.home.join(name));
        let system = READABLE.iter().map(PathBuf::from);
        let source = source.into_iter().flat_map(|source| OF_SOURCE.map(|name| source.join(name)));
        let all = home.chain(system).chain(source);
        all.filter(|path| path.exists()).collect()
    }

    /// The trees of programs that a confined build may start.
    pub(super) fn executables(&self) -> Vec<PathBuf> {
        let system = SYSTEM.iter().map(PathBuf::from);
        std::iter::once(self.sysroot.clone()).chain(system).filter(|path| path.exists()).collect()
    }
}

/// How what crates are built upon is compiled, whatever a crate says of that itself: cargo uses nothing that was compiled
/// in another way. It is what the templates say.
const PROFILE: [&str; 3] = ["debug=false", "debug-assertions=false", "overflow-checks=false"];

/// The arguments of a build into `target`, with the keur of `source` in place of the published one.
pub(super) fn arguments(source: Option<&Path>, target: &Path) -> Vec<String> {
    let mut arguments =
        ["test", "--no-run", "--message-format", "json", "--target-dir"].map(str::to_owned).to_vec();
    arguments.push(target.display().to_string());
    for set in PROFILE {
        arguments.extend(["--config".to_owned(), format!("profile.dev.package.\"*\".{set}")]);
    }
    if let Some(source) = source {
        let source = toml::Value::String(source.display().to_string());
        arguments.extend(["--config".to_owned(), format!("patch.crates-io.keur.path={source}")]);
    }
    arguments
}

/// What cargo says in JSON, a line a message.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Errors of the compiler.
    pub(super) errors: Vec<CompileError>,
    /// The program that the test target was built into.
    pub(super) program: Option<PathBuf>,
}

impl Messages {
    /// Reads them, of a crate in the folder `krate` whose test target has the source `test`; paths in errors are told
    /// from that folder on. A macro may have written lines among them.
    pub(super) fn read(said: &[u8], krate: &Path, test: &Path) -> Messages {
        let mut messages = Messages::default();
        // What the system calls the folder may not be what it was made as.
        let real = test.canonicalize().unwrap_or_else(|_| test.to_owned());
        for line in said.split(|byte| *byte == b'\n') {
            let Ok(message) = serde_json::from_slice::<Message<'_>>(line) else { continue };
            if let Some(diagnostic) = message.message
                && messages.errors.len() < MOST_ERRORS
            {
                messages.errors.extend(error(&diagnostic, krate));
            }
            if let (Some(target), Some(program)) = (message.target, message.executable)
                && [test, &real].contains(&target.src_path.as_path())
            {
                messages.program = Some(program);
            }
        }
        messages
    }
}

/// A line of cargo's, as far as it is read here: a compiler may say megabytes besides.
#[derive(Deserialize)]
struct Message<'s> {
    #[serde(borrow)]
    message: Option<Diagnostic<'s>>,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Diagnostic<'s> {
    #[serde(borrow)]
    level: Cow<'s, str>,
    #[serde(borrow)]
    rendered: Option<Cow<'s, str>>,
    #[serde(borrow, default)]
    spans: Vec<Span<'s>>,
}

#[derive(Deserialize)]
struct Span<'s> {
    is_primary: bool,
    #[serde(borrow)]
    file_name: Cow<'s, str>,
    line_start: usize,
    #[serde(borrow, default)]
    text: Vec<SourceLine<'s>>,
}

#[derive(Deserialize)]
struct SourceLine<'s> {
    #[serde(borrow)]
    text: Cow<'s, str>,
}

/// An error of the compiler. The last of all, which only counts the others, has no code and no place.
fn error(message: &Diagnostic<'_>, krate: &Path) -> Option<CompileError> {
    if message.level != "error" {
        return None;
    }
    let text = message.rendered.as_deref()?;
    if message.spans.is_empty() && text.starts_with("error: aborting due to") {
        return None;
    }
    let primary = message.spans.iter().find(|span| span.is_primary);
    let place = primary.map(|span| {
        let source = span.text.first().map_or("", |line| line.text.trim_end());
        (own(&span.file_name, krate), span.line_start, own_line(source))
    });
    Some(CompileError { text: own(text, krate), place })
}

/// A line of source, shortened.
fn own_line(line: &str) -> String {
    line.chars().take(MOST_TEXT).collect()
}

/// Why cargo did not come to compiling: what it says, without what it says on the way.
pub(super) fn refusal(said: &[u8], krate: &Path) -> String {
    let said = String::from_utf8_lossy(said);
    // A line of its own: a package may be called `thiserror`.
    let from = if said.starts_with("error") { 0 } else { said.find("\nerror").unwrap_or(0) };
    let told = own(&said[from..], krate);
    if told.contains("failed to load manifest for dependency") {
        told + "\n\nnote: a crate is built confined to its own folder: a dependency by `path` lies outside of it"
    } else {
        told
    }
}

/// A text with the crate's folder left out, and shortened.
fn own(text: &str, krate: &Path) -> String {
    let text = text.replace(&format!("{}{}", krate.display(), std::path::MAIN_SEPARATOR), "");
    let text = text.replace(&krate.display().to_string(), ".");
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Messages, arguments, refusal};
    use std::path::Path;

    /// Else all that a template's crate needs would be compiled anew for each submission.
    #[test]
    fn every_crate_is_built_as_the_templates_say() {
        let arguments = arguments(None, Path::new("target"));
        for folder in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap() {
            let Ok(manifest) = std::fs::read_to_string(folder.unwrap().path().join("Cargo.toml")) else {
                continue;
            };
            let manifest: toml::Table = manifest.parse().unwrap();
            let profile = manifest["profile"]["dev"]["package"]["*"].as_table().unwrap();
            for (key, value) in profile {
                let set = format!("profile.dev.package.\"*\".{key}={value}");
                assert!(arguments.contains(&set), "{set}");
            }
        }
    }

    #[test]
    fn errors_are_told_with_their_places_and_programs_by_their_sources() {
        let said = concat!(
            "not json\n",
            r#"{"reason":"compiler-message","message":{"level":"warning","rendered":"w","spans":[]}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","rendered":"error: no `x`\n --> /k/src/lib.rs\n","spans":[{"is_primary":true,"file_name":"src/lib.rs","line_start":3,"text":[{"text":"    x  "}]}]}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","rendered":"error: aborting due to 1 previous error","spans":[]}}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"src_path":"/k/tests/grade.rs"},"executable":"/t/grade-1"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"src_path":"/k/src/lib.rs"},"executable":null}"#,
        );
        let read = |test: &str| Messages::read(said.as_bytes(), Path::new("/k"), Path::new(test));
        let messages = read("/k/tests/grade.rs");
        let [error] = messages.errors.as_slice() else { panic!("{messages:?}") };
        assert_eq!(error.text, "error: no `x`\n --> src/lib.rs");
        assert_eq!(error.place, Some(("src/lib.rs".to_owned(), 3, "    x".to_owned())));
        assert_eq!(messages.program.as_deref(), Some(Path::new("/t/grade-1")));
        assert_eq!(read("/k/src/lib.rs").program, None);
    }

    #[test]
    fn a_refusal_is_told_from_the_error_on() {
        let said = b"   Compiling x\nerror: no matching package named `rand` found\nlocation: /k\n";
        let told = refusal(said, Path::new("/k"));
        assert_eq!(told, "error: no matching package named `rand` found\nlocation: .");
        let said = b"   Compiling thiserror v2.0.21\nerror: failed to run custom build command for `q`\n";
        assert_eq!(refusal(said, Path::new("/k")), "error: failed to run custom build command for `q`");
        let told = refusal(b"error: failed to load manifest for dependency `keur`\n", Path::new("/k"));
        assert!(told.ends_with("a dependency by `path` lies outside of it"), "{told}");
    }
}
