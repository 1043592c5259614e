//! Cargo: finds it, starts it, and reads its output.

use crate::languages::CompileError;
use crate::sandbox::Tools;
use crate::sandbox::tools::{ANSWERING, run_to_end};
use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// What the linker and the compiler read from the system, if present.
const SYSTEM: [&str; 8] =
    ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/bin", "/lib", "/lib64", "/nix/store"];

/// Other parts of the system that are read: library paths and the number of processors.
const READABLE: [&str; 5] =
    ["/etc/ld.so.cache", "/usr/include", "/proc/self/cgroup", "/sys/fs/cgroup", "/proc/cpuinfo"];

/// The parts of cargo's home that a build reads: what was fetched, and from where. The user's credentials are not
/// included.
const OF_HOME: [&str; 4] = ["registry", "git", "config.toml", "config"];

/// The parts of keur's own source that a build reads.
const OF_SOURCE: [&str; 5] = ["Cargo.toml", "Cargo.lock", "build.rs", "src", "cases"];

/// The most compiler errors that are reported; the first ones explain the others.
const MOST_ERRORS: usize = 5;

/// The most characters of one error.
const MOST_TEXT: usize = 4000;

/// The longest message that is read, in bytes: a longer one is not the compiler's, and takes many times its memory.
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
    home: PathBuf,
    /// The output of `rustc -vV`.
    pub(super) version: String,
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
            // Compiled code from another home counts as different.
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

    /// The program trees that a confined build may start.
    pub(super) fn executables(&self) -> Vec<PathBuf> {
        let system = SYSTEM.iter().map(PathBuf::from);
        std::iter::once(self.sysroot.clone()).chain(system).filter(|path| path.exists()).collect()
    }
}

/// The compile options of dependencies, which override the crate's own: cargo does not reuse code built with other
/// options. They match the templates.
const PROFILE: [&str; 3] = ["debug=false", "debug-assertions=false", "overflow-checks=false"];

/// The arguments of a build into `target`, with the keur in `source` instead of the published one.
pub(super) fn arguments(source: Option<&Path>, target: &Path) -> Vec<String> {
    let mut arguments =
        ["test", "--no-run", "--message-format", "json", "--target-dir"].map(str::to_owned).to_vec();
    arguments.push(target.display().to_string());
    for set in PROFILE {
        arguments.extend(["--config".to_owned(), format!("profile.dev.package.\"*\".{set}")]);
    }
    if let Some(source) = source {
        // A string of JSON is one of TOML too.
        let source = Json::from(source.display().to_string());
        arguments.extend(["--config".to_owned(), format!("patch.crates-io.keur.path={source}")]);
    }
    arguments
}

/// Cargo's JSON messages, one per line.
#[derive(Debug, Default)]
pub(super) struct CargoMessages {
    /// The compiler's errors.
    pub(super) errors: Vec<CompileError>,
    /// The program built from the test target.
    pub(super) program: Option<PathBuf>,
}

impl CargoMessages {
    /// Parses the messages of a crate in the folder `krate` whose test target has the source `test`; paths in errors
    /// are relative to that folder. A macro may have written some of the lines.
    pub(super) fn read(said: &[u8], krate: &Path, test: &Path) -> CargoMessages {
        let mut messages = CargoMessages::default();
        // The system's name for the folder may differ from the one it was made with.
        let real = test.canonicalize().unwrap_or_else(|_| test.to_owned());
        let lines = said.split(|byte| *byte == b'\n').filter(|line| line.len() <= LONGEST_MESSAGE);
        for line in lines {
            let Ok(message) = serde_json::from_slice::<Json>(line) else { continue };
            if messages.errors.len() < MOST_ERRORS {
                messages.errors.extend(error(&message["message"], krate));
            }
            let source = message["target"]["src_path"].as_str().map(Path::new);
            if let (Some(source), Some(program)) = (source, message["executable"].as_str())
                && [test, &real].contains(&source)
            {
                messages.program = Some(PathBuf::from(program));
            }
        }
        messages
    }
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
        Some((own(span["file_name"].as_str()?, krate), line, own_line(source.trim_end())))
    });
    Some(CompileError { text: own(text, krate), place })
}

/// A line of source, shortened.
fn own_line(line: &str) -> String {
    line.chars().take(MOST_TEXT).collect()
}

/// Why cargo did not start compiling: its message without the progress lines.
pub(super) fn refusal(said: &[u8], krate: &Path) -> String {
    let said = String::from_utf8_lossy(said);
    // A separate line: a package may be called `thiserror`.
    let from = if said.starts_with("error") { 0 } else { said.find("\nerror").unwrap_or(0) };
    let told = own(&said[from..], krate);
    if told.contains("failed to load manifest for dependency") {
        told + "\n\nnote: a crate is built confined to its own folder: a dependency by `path` lies outside of it"
    } else {
        told
    }
}

/// A text without the path of the crate's folder, and shortened.
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
    use super::{CargoMessages, PROFILE, arguments, refusal};
    use std::path::Path;

    /// Otherwise all dependencies of a template's crate would be compiled again for each submission.
    #[test]
    fn every_crate_is_built_as_the_templates_say() {
        let arguments = arguments(None, Path::new("target"));
        for folder in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap() {
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
        let read = |test: &str| CargoMessages::read(said.as_bytes(), Path::new("/k"), Path::new(test));
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
