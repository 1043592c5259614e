//! Rust crates graded from outside: built confined, each over its own copy of what all share.

use crate::running::{Run, assert_says, copy_folder, keur_command, root, run, shared_cache};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

/// A folder of cargo's with what was fetched, and with secrets and sources that no build may read.
fn home() -> &'static Path {
    static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cargo-home");
        let real = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let real = real.unwrap_or_else(|| std::env::home_dir().unwrap().join(".cargo")).join("registry");
        for part in ["index", "cache"] {
            for entry in walkdir::WalkDir::new(real.join(part)) {
                let Ok(entry) = entry else { continue };
                let to = home.join("registry").join(entry.path().strip_prefix(&real).unwrap());
                if entry.file_type().is_dir() {
                    fs::create_dir_all(to).unwrap();
                } else if !to.exists() {
                    fs::copy(entry.path(), to).unwrap();
                }
            }
        }
        for name in WITHHELD {
            let path = home.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "[registry]\ntoken = \"secret\"\n").unwrap();
        }
        home
    });
    &HOME
}

/// Files of cargo's folder that builds may not read.
const WITHHELD: [&str; 6] = [
    "config.toml",
    "credentials.toml",
    "git/db/own-1/config",
    "registry/index/own-1/.git/config",
    "registry/cache/own-1/keur-0.1.0.crate",
    "registry/src/own-1/keur-core-0.1.0/src/exercises/quixo/rules.rs",
];

fn command() -> Command {
    let mut command = keur_command(&[]);
    command.env("XDG_CACHE_HOME", shared_cache()).env("CARGO_HOME", home());
    command
}

pub(crate) fn keur(args: &[&str]) -> Run {
    run(command().args(args))
}

/// The exit code and the report of a crate.
pub(crate) fn grade(krate: &Path, args: &[&str]) -> (i32, Json) {
    let path = krate.display().to_string();
    let run = keur(&[&["grade", path.as_str(), "--format", "json"], args].concat());
    (run.code, run.json())
}

/// A copy of an answer that passes, to be modified.
pub(crate) fn solution() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&root().join("fixtures/rust/quixo"), copy.path());
    copy
}

/// Whether a process has this in its command line.
fn runs(mark: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok()).any(|line| {
        let line = String::from_utf8_lossy(&line).into_owned();
        line.contains(mark)
    })
}

#[test]
fn a_crate_passes_from_outside_as_from_inside() {
    let krate = root().join("fixtures/rust/quixo");
    let (code, report) = grade(&krate, &["--exercise", "quixo"]);
    assert_eq!(code, 0, "{report:#}");
    let submission = &report["submissions"][0];
    assert_eq!((&submission["language"], &submission["passed"]), (&"rust".into(), &true.into()));
    assert_eq!(submission["confinement"], "standard");
}

#[test]
fn the_exercise_of_a_crate_is_the_one_that_its_tests_name() {
    let path = root().join("templates/rust-codenames").display().to_string();
    let run = keur(&["test", &path, "--", "--list"]);
    let text = run.all();
    assert!(run.code == 0 && text.contains("codenames::spec_session: test"), "{text}");
    let several = solution();
    let main = "fn main() {\n    keur_core::submit::codenames::<quixo::Quixo>();\n}\n";
    fs::write(several.path().join("tests/codenames.rs"), main).unwrap();
    let run = keur(&["grade", several.path().to_str().unwrap()]);
    let text = run.all();
    assert_eq!(run.code, 2, "{text}");
    assert_says(&text, "--exercise");
}

#[test]
fn the_session_of_a_crate_is_written_in_rust() {
    let krate = root().join("fixtures/rust/broken");
    let (code, report) = grade(&krate, &["--exercise", "quixo", "--case", "spec_session"]);
    assert_eq!(code, 1, "{report:#}");
    let session = &report["submissions"][0]["cases"][0]["finding"]["session"];
    let lines: Vec<&str> = session.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let imports = ["use keur_core::submit::Quixo as _;", "use broken::Quixo;"];
    assert!(lines[..2] == imports && lines[2].starts_with("let quixo01 = Quixo::new("), "{session:#}");
    assert!(lines[2].ends_with("Some(\"X-XXX-XO-OO-OOOOXOX-OOOO-\")).unwrap();"), "{session:#}");
    assert!(lines.iter().all(|line| line.ends_with(';')), "{session:#}");
}

#[test]
fn compile_errors_show_the_compilers_message_at_its_line() {
    let krate = solution();
    let source = krate.path().join("src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    let line = text.lines().count() + 2;
    fs::write(&source, text + "fn wrong() -> u8 {\n    \"text\"\n}\n").unwrap();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo"]);
    assert_eq!(code, 1, "{report:#}");
    let finding = &report["submissions"][0]["cases"][0]["finding"];
    assert_eq!(finding["verdict"], "load error");
    let exception = &finding["exception"];
    assert!(exception["text"].as_str().unwrap().contains("mismatched types"), "{exception:#}");
    assert_eq!(exception["places"][0]["file"], "src/lib.rs");
    assert_eq!(exception["places"][0]["line"], line);
    assert!(!exception["text"].as_str().unwrap().contains("keur-rust-"), "a temporary path: {exception:#}");
}

#[test]
fn references_in_keur_itself_are_out_of_reach() {
    let krate = root().join("fixtures/rust/wrapper");
    let (code, report) = grade(&krate, &["--exercise", "quixo", "--lang", "en"]);
    assert_eq!(code, 1, "{report:#}");
    let cases = report["submissions"][0]["cases"].as_array().unwrap();
    assert!(cases.iter().all(|case| case["verdict"] == "load error"), "{report:#}");
    let message = cases[0]["finding"]["message"].as_str().unwrap();
    assert_says(message, "keur_core::exercises, which is not available when keur grades");
}

#[test]
fn a_manifest_that_asks_for_what_is_not_there_is_the_submissions_own_fault() {
    let krate = solution();
    let manifest = krate.path().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let text = text.replace("[dependencies]", "[dependencies]\nno-such-crate-of-keur = \"1\"");
    fs::write(&manifest, text).unwrap();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo"]);
    assert_eq!(code, 1, "{report:#}");
    let exception = &report["submissions"][0]["cases"][0]["finding"]["exception"];
    assert!(exception["text"].as_str().unwrap().contains("no-such-crate-of-keur"), "{exception:#}");
}

#[test]
fn crates_are_those_that_the_course_lists() {
    let course = solution();
    fs::write(course.path().join("SKELETON"), "Cargo.toml\ntests/grade.rs\n").unwrap();
    let own = course.path().display().to_string();
    let krate = solution();
    let source = krate.path().join("src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text + "\npub fn seed() -> u64 {\n    fastrand::u64(..)\n}\n").unwrap();
    let adds = |manifest: &Path| {
        let text = fs::read_to_string(manifest).unwrap();
        fs::write(manifest, text.replace("[dependencies]", "[dependencies]\nfastrand = \"2\"")).unwrap();
    };
    adds(&krate.path().join("Cargo.toml"));
    let (code, report) = grade(krate.path(), &["--skeleton", &own, "--lang", "en"]);
    assert_eq!(code, 1, "{report:#}");
    let message = report["submissions"][0]["cases"][0]["finding"]["message"].as_str().unwrap();
    assert_says(message, "your Cargo.toml was replaced by the course's, and yours added fastrand;");
    adds(&course.path().join("Cargo.toml"));
    // As `cargo fetch` in the folder of the course, but without all that keur needs.
    let fetched = own_main("", None);
    let manifest = fetched.path().join("Cargo.toml");
    fs::write(&manifest, fs::read_to_string(&manifest).unwrap() + "[dependencies]\n").unwrap();
    adds(&manifest);
    let mut fetch = Command::new(env!("CARGO"));
    let fetch = run(fetch.args(["fetch", "--offline"]).env("CARGO_HOME", home()).current_dir(fetched.path()));
    assert_eq!(fetch.code, 0, "{}", fetch.all());
    let (code, report) = grade(krate.path(), &["--skeleton", &own]);
    assert_eq!(code, 0, "{report:#}");
}

#[test]
fn a_member_of_a_workspace_is_built_with_what_it_inherits() {
    let course = tempfile::tempdir().unwrap();
    let workspace = "[workspace]\nmembers = [\"*\"]\n[workspace.package]\nedition = \"2024\"\n\
        [workspace.dependencies]\nkeur-core = \"0.1\"\n";
    fs::write(course.path().join("Cargo.toml"), workspace).unwrap();
    let member = course.path().join("quixo");
    copy_folder(&root().join("fixtures/rust/quixo"), &member);
    let manifest = fs::read_to_string(member.join("Cargo.toml")).unwrap();
    let manifest = manifest.replace("edition = \"2024\"", "edition.workspace = true");
    let of_member = concat!("keur-core = \"", env!("CARGO_PKG_VERSION"), "\"");
    let manifest = manifest.replace(of_member, "keur-core.workspace = true");
    let (own, _) = manifest.split_once("[workspace]").unwrap();
    assert_eq!(own.matches("workspace = true").count(), 2, "{own}");
    fs::write(member.join("Cargo.toml"), own).unwrap();
    // The workspace is no crate itself.
    for path in [&member, course.path()] {
        let (code, report) = grade(path, &["--exercise", "quixo"]);
        assert_eq!(code, 0, "{report:#}");
    }
}

/// A build script that tries forbidden things. It fails the build with those that worked.
const ATTACKS: &str = r#"
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

fn main() {
    let mut done = Vec::new();
    let mut tries = |what: &str, worked: bool| if worked { done.push(what.to_owned()) };
    for path in [@UNREADABLE@] { tries(&format!("reads {path}"), fs::read(path).is_ok()); }
    let settings = fs::read_to_string(format!("{}/config.toml", std::env::var("CARGO_HOME").unwrap()));
    tries("reads a token in cargo's settings", settings.is_ok_and(|text| text.contains("secret")));
    tries("writes a file of the crate", fs::write("tests/grade.rs", "fn main() {}").is_ok());
    tries("empties one", fs::OpenOptions::new().truncate(true).write(true).open("src/lib.rs").is_ok());
    tries("adds one", fs::write("src/more.rs", "").is_ok());
    tries("removes one", fs::remove_file("Cargo.lock").is_ok());
    tries("moves the crate", fs::rename("../submission", "../moved").is_ok());
    tries("moves the target folder", fs::rename("../target", "../moved").is_ok());
    let linked = std::env::temp_dir().join("linked.rs");
    tries("writes one by a link", fs::hard_link("src/lib.rs", &linked).and_then(|()| fs::write(&linked, "")).is_ok());
    tries("lists a home", fs::read_dir("@HOME@").is_ok());
    tries("writes among what all crates share", fs::write("@CACHE@/keur/rust/poison", "x").is_ok());
    tries("writes beside the crate", fs::write("@BESIDE@/escaped", "x").is_ok());
    tries("writes where its program will be kept", fs::write("../../escaped", "x").is_ok());
    tries("writes in the temporary folder", fs::write("/tmp/keur-escaped", "x").is_ok());
    tries("listens", TcpListener::bind("127.0.0.1:0").is_ok());
    tries("connects", TcpStream::connect("127.0.0.1:1").is_err_and(|error| error.raw_os_error() != Some(1)));
    tries("makes a socket", UnixListener::bind(std::env::temp_dir().join("s")).is_ok());
    let kill = |pid: &str| Command::new("/usr/bin/kill").args(["-9", pid]).status().is_ok_and(|status| status.success());
    tries("kills what started it", kill("@KEUR@"));
    tries("leaves the session", Command::new("/usr/bin/setsid").arg("true").status().is_ok_and(|s| s.success()));
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
    let at = |name: &str| std::env::temp_dir().join(name);
    fs::write(at("run"), "x").unwrap();
    for special in [0o4755, 0o2755, 0o1755] {
        let is_special = || fs::metadata(at("run")).unwrap().permissions().mode() & 0o7000 != 0;
        let _ = fs::set_permissions(at("run"), fs::Permissions::from_mode(special));
        tries("sets a special mode", is_special());
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(special).open(at(&special.to_string()));
        tries("makes a file with a special mode", made.is_ok());
        let made = fs::DirBuilder::new().mode(special).create(at(&format!("d{special}")));
        tries("makes a folder with a special mode", made.is_ok());
        let _ = Command::new("/usr/bin/chmod").arg(format!("{special:o}")).arg(at("run")).status();
        tries("has a program set a special mode", is_special());
    }
    let shared = std::env::var("CARGO_HOME").unwrap();
    let mode_of = || fs::metadata(&shared).unwrap().permissions().mode() & 0o777;
    let before = mode_of();
    for mode in [0, 0o500, 0o644, 0o700] {
        let _ = fs::set_permissions(&shared, fs::Permissions::from_mode(mode));
        tries("takes permissions from what builds share", mode_of() & before != before);
    }
    let locked = fs::File::open(format!("{shared}/config.toml")).and_then(|file| file.lock());
    tries("locks what builds share", locked.is_ok());
    let mut stays = Command::new("/usr/bin/sleep");
    stays.arg("86399.25").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    assert!(done.is_empty(), "IT COULD: {done:?}");
}
"#;

#[test]
fn a_build_script_reaches_nothing_and_leaves_nothing() {
    let krate = solution();
    let beside = tempfile::tempdir().unwrap();
    let source = [
        "crates/core/src/lib.rs",
        "crates/core/src/exercises/quixo/rules.rs",
        "cases/quixo/mutants/quixo.py",
        "cases/quixo/own_die.toml",
        "fixtures/rust/quixo/src/lib.rs",
        ".git/HEAD",
    ];
    let source = source.map(|path| root().join(path)).into_iter().filter(|path| path.exists());
    let unreadable = source.chain(WITHHELD.map(|path| home().join(path)));
    let unreadable = unreadable.chain(["/etc/passwd", env!("CARGO_BIN_EXE_keur")].map(PathBuf::from));
    let unreadable: String = unreadable.map(|path| format!("{path:?}, ")).collect();
    let attacks = ATTACKS
        .replace("@UNREADABLE@", &unreadable)
        .replace("@HOME@", &std::env::home_dir().unwrap().display().to_string())
        .replace("@CACHE@", &shared_cache().display().to_string())
        .replace("@BESIDE@", &beside.path().display().to_string())
        .replace("@KEUR@", &std::process::id().to_string());
    fs::write(krate.path().join("build.rs"), attacks).unwrap();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo"]);
    assert_eq!(code, 0, "{report:#}");
    assert!(
        fs::read_dir(beside.path()).unwrap().next().is_none() && !Path::new("/tmp/keur-escaped").exists()
    );
    assert!(!shared_cache().join("keur/rust/poison").exists());
    assert!(!runs("86399.25"), "a process of the build script goes on");
}

#[test]
fn a_build_that_does_away_with_its_program_is_the_submissions_own_fault() {
    let krate = solution();
    let links = r#"fn main() { println!("cargo:rustc-link-arg-tests=-Wl,-o,{}", std::env::temp_dir().join("elsewhere").display()); }"#;
    fs::write(krate.path().join("build.rs"), links).unwrap();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo", "--lang", "en"]);
    assert_eq!(code, 1, "{report:#}");
    let finding = &report["submissions"][0]["cases"][0]["finding"];
    assert_eq!(finding["verdict"], "load error");
    assert!(finding["message"].as_str().unwrap().contains("tests/grade.rs"), "{finding:#}");
}

#[test]
fn files_that_collide_with_the_courses_own_are_skipped() {
    let krate = solution();
    let course = solution();
    fs::write(course.path().join("SKELETON"), "tests/grade.rs\n").unwrap();
    fs::create_dir_all(krate.path().join("Cargo.lock")).unwrap();
    fs::write(krate.path().join("Cargo.lock/file.rs"), "").unwrap();
    fs::remove_dir_all(krate.path().join("tests")).unwrap();
    fs::write(krate.path().join("tests"), "").unwrap();
    let own = course.path().display().to_string();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo", "--skeleton", &own]);
    assert_ne!(code, 4, "{report:#}");
    assert_ne!(code, 2, "{report:#}");
}

#[test]
fn a_build_that_does_not_end_is_ended() {
    let krate = solution();
    let endless =
        "fn main() { std::process::Command::new(\"/usr/bin/sleep\").arg(\"86399.75\").status().unwrap(); }";
    fs::write(krate.path().join("build.rs"), endless).unwrap();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo", "--build-time", "20s", "--lang", "en"]);
    assert_eq!(code, 1, "{report:#}");
    let finding = &report["submissions"][0]["cases"][0]["finding"];
    assert_eq!(finding["message"], "compiling took too long", "{finding:#}");
    std::thread::sleep(Duration::from_millis(200));
    assert!(!runs("86399.75"), "a process of the build script goes on");
}

#[test]
fn files_that_a_student_must_not_change_are_the_courses_own() {
    let krate = solution();
    let course = solution();
    fs::write(course.path().join("SKELETON"), "Cargo.toml\ntests/grade.rs\n").unwrap();
    fs::write(krate.path().join("tests/grade.rs"), "fn main() { println!(\"submit::quixo, all is well\") }")
        .unwrap();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo"]);
    assert_ne!(code, 0, "a test of the student's own earns nothing: {report:#}");
    let own = course.path().display().to_string();
    let (code, report) = grade(krate.path(), &["--exercise", "quixo", "--skeleton", &own]);
    assert_eq!(code, 0, "{report:#}");
    // The course's own test determines the exercise too, whatever happened to the student's.
    fs::write(krate.path().join("tests/grade.rs"), "").unwrap();
    let (code, report) = grade(krate.path(), &["--skeleton", &own]);
    assert_eq!(code, 0, "{report:#}");
    fs::remove_file(course.path().join("SKELETON")).unwrap();
    let run = keur(&["grade", &own, "--exercise", "quixo", "--skeleton", &own]);
    let text = run.all();
    assert_eq!(run.code, 2, "{text}");
    assert_says(&text, "one path per line");
}

#[test]
fn only_the_courses_own_programs_run_while_a_crate_is_built() {
    let course = solution();
    let own = course.path().display().to_string();
    let list = |files: &str| fs::write(course.path().join("SKELETON"), files).unwrap();
    let krate = solution();
    let at = |path: &str| krate.path().join(path);
    let told = || {
        let (code, report) = grade(krate.path(), &["--skeleton", &own, "--lang", "en"]);
        (code, report["submissions"][0]["cases"][0]["finding"]["message"].to_string())
    };
    // One that nothing names does not count; that of the course does.
    fs::write(at("build.rs"), "fn main() { panic!(\"theirs\") }").unwrap();
    list("Cargo.toml\ntests/grade.rs\n");
    assert_eq!(told().0, 0);
    fs::write(course.path().join("build.rs"), "fn main() { panic!(\"of the course\") }").unwrap();
    list("tests/grade.rs\nbuild.rs\n");
    let (code, report) = grade(krate.path(), &["--skeleton", &own]);
    assert!(code == 1 && report.to_string().contains("of the course"), "{report:#}");
    // One that the manifest names is refused before it runs.
    list("tests/grade.rs\n");
    let manifest = fs::read_to_string(at("Cargo.toml")).unwrap();
    fs::write(at("src/make.rs"), "fn main() {}").unwrap();
    fs::write(at("Cargo.toml"), manifest.replace("[package]", "[package]\nbuild = \"src/make.rs\"")).unwrap();
    let (code, message) = told();
    assert!(code == 1 && message.contains("src/make.rs would run while"), "{message}");
    fs::create_dir_all(at("part/src")).unwrap();
    fs::write(at("part/src/lib.rs"), "").unwrap();
    let part = "[package]\nname = \"part\"\nversion = \"0.1.0\"\n[lib]\nproc-macro = true\n";
    fs::write(at("part/Cargo.toml"), part).unwrap();
    let uses = "[dependencies]\npart = { path = \"part\" }";
    fs::write(at("Cargo.toml"), manifest.replace("[dependencies]", uses)).unwrap();
    let (code, message) = told();
    assert!(code == 1 && message.contains("part/src/lib.rs would run while"), "{message}");
}

/// A crate with only a test program with its own `main`, and perhaps a build script.
fn own_main(main: &str, build: Option<&str>) -> TempDir {
    let krate = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
        [[test]]\nname = \"grade\"\nharness = false\n";
    fs::write(krate.path().join("Cargo.toml"), manifest).unwrap();
    for folder in ["src", "tests"] {
        fs::create_dir(krate.path().join(folder)).unwrap();
    }
    fs::write(krate.path().join("src/lib.rs"), "").unwrap();
    fs::write(krate.path().join("tests/grade.rs"), main).unwrap();
    if let Some(build) = build {
        fs::write(krate.path().join("build.rs"), build).unwrap();
    }
    krate
}

/// The message of the first finding of a crate that cannot be loaded: every case fails with it.
#[track_caller]
fn load_error(krate: &TempDir) -> String {
    let (code, report) = grade(krate.path(), &["--exercise", "quixo", "--lang", "en"]);
    assert_eq!(code, 1, "{report:#}");
    let cases = report["submissions"][0]["cases"].as_array().unwrap();
    assert!(cases.len() > 20 && cases.iter().all(|case| case["verdict"] == "load error"), "{report:#}");
    cases[0]["finding"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_program_that_is_not_keurs_test_is_the_submissions_own_fault() {
    for (main, says) in [
        ("fn main() {}", "it ended with status 0"),
        ("fn main() { std::process::exit(3) }", "it ended with status 3"),
        ("fn main() { std::process::abort() }", "it was ended by signal 6"),
        ("fn main() { loop { std::hint::spin_loop() } }", "it did not answer in time"),
    ] {
        let message = load_error(&own_main(main, None));
        assert!(message.contains(says) && message.contains("have its own main"), "{main}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_loads_with_the_systems_loader_alone() {
    for (loader, says) in [
        ("loader", "it names the loader loader, which is not an absolute path"),
        ("../../../..", "which is not an absolute path"),
        ("/", "it names the loader /, which is not a regular file"),
        ("/usr/lib", "which is not a regular file"),
        ("/nonexistent/ld.so", "it names the loader /nonexistent/ld.so, which cannot be used"),
        ("/usr/bin/env", "it names the loader /usr/bin/env, which is not the system's"),
    ] {
        let build = format!(
            "fn main() {{ println!(\"cargo:rustc-link-arg-tests=-Wl,--dynamic-linker={loader}\"); }}"
        );
        let message = load_error(&own_main("fn main() {}", Some(&build)));
        assert!(message.contains(says), "{loader}: {message}");
    }
}

/// Takes memory that no data limit counts; exits with a bit for each way that worked.
#[cfg(target_os = "linux")]
const UNCOUNTED: &str = r#"
use std::ffi::{c_int, c_long, c_void};
unsafe extern "C" {
    fn mmap(at: *mut c_void, length: usize, protection: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
    fn memfd_create(name: *const u8, flags: u32) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
}
fn main() {
    let mut worked = 0;
    // Shared; private but growing down; huge; shared and validated.
    for (bit, flags) in [0x21, 0x122, 0x40022, 0x23].into_iter().enumerate() {
        let pages = unsafe { mmap(std::ptr::null_mut(), 1 << 20, 3, flags, -1, 0) };
        worked |= c_int::from(pages as isize != -1) << bit;
    }
    // Private, but more than there may be: stacks of threads, and plain.
    let pages = unsafe { mmap(std::ptr::null_mut(), 1 << 30, 3, 0x20022, -1, 0) };
    worked |= c_int::from(pages as isize != -1) << 4;
    worked |= c_int::from(unsafe { memfd_create(b"m\0".as_ptr(), 0) } >= 0) << 5;
    // A process of its own: vfork and fork, by the call of old.
    worked |= c_int::from(unsafe { syscall(56, 17_u64, 0_u64) } > 0) << 6;
    std::process::exit(if worked == 0 { 7 } else { 128 + worked });
}
"#;

#[cfg(target_os = "linux")]
#[test]
fn a_program_takes_only_memory_that_its_limit_counts() {
    let message = load_error(&own_main(UNCOUNTED, None));
    assert_says(&message, "it ended with status 7");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_has_no_thousand_threads() {
    let threads = "fn main() {
        for started in 0..1000 {
            let thread = std::thread::Builder::new().stack_size(16 << 10);
            let sleep = || std::thread::sleep(std::time::Duration::from_secs(60));
            if thread.spawn(sleep).is_err() {
                std::process::exit(if started >= 8 { 7 } else { 8 });
            }
        }
        std::thread::sleep(std::time::Duration::from_secs(1));
        std::process::exit(9);
    }";
    let message = load_error(&own_main(threads, None));
    // Root gives each program an id whose threads are counted; those of a plain user are watched.
    let ends = ["it ended with status 7", "it ran out of memory"];
    assert!(ends.iter().any(|end| message.contains(end)), "{message}");
}

/// Macros that write to cargo's own message stream: the path of another program, and a lot.
const MACROS: &str = r###"
use std::io::Write;

#[proc_macro]
pub fn forge(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let program = format!("{folder}/../target/usr/bin/false");
    let message = format!(r##"{{"reason":"compiler-artifact","target":{{"src_path":"{folder}/tests/grade.rs"}},"executable":"{program}"}}"##);
    for _ in 0..100_000 { println!("{message}"); }
    "fn main() { std::process::exit(7) }".parse().unwrap()
}

#[proc_macro]
pub fn flood(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut line = b"{\"reason\":\"compiler-message\",\"message\":{\"level\":\"note\",\"children\":[{}".to_vec();
    while line.len() < 6 << 20 {
        line.extend(b",{\"a\":0}");
    }
    line.extend(b"]}}\n");
    std::io::stdout().write_all(&line).unwrap();
    "fn main() {}".parse().unwrap()
}
"###;

/// A crate whose test program comes from a macro.
#[cfg(target_os = "linux")]
fn with_macro(name: &str) -> TempDir {
    let krate = own_main(&format!("own_macro::{name}!();"), None);
    let part = krate.path().join("own-macro");
    fs::create_dir_all(part.join("src")).unwrap();
    fs::write(part.join("src/lib.rs"), MACROS).unwrap();
    let manifest = "[package]\nname = \"own-macro\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nproc-macro = true\n";
    fs::write(part.join("Cargo.toml"), manifest).unwrap();
    let manifest = fs::read_to_string(krate.path().join("Cargo.toml")).unwrap();
    let manifest = manifest + "\n[dependencies]\nown-macro = { path = \"own-macro\" }\n";
    fs::write(krate.path().join("Cargo.toml"), manifest).unwrap();
    krate
}

/// Puts a link to the root folder in the place of the target folder as soon as the program is there.
const SWAPS: &str = r#"fn main() {
    let wait = "while ! ls ../target/debug/deps/grade-????????????????; do :; done; mv ../target ../gone; ln -s / ../target";
    let mut waits = std::process::Command::new("/bin/sh");
    let null = std::process::Stdio::null;
    waits.args(["-c", wait]).stdin(null()).stdout(null()).stderr(null()).spawn().unwrap();
}"#;

/// The confinement already refuses to rename the target folder, so this does not show that keur follows no
/// link there: that is a unit test of `run::build::place`,
/// `a_program_is_the_only_file_of_its_name_beneath_the_folder`.
#[cfg(target_os = "linux")]
#[test]
fn no_other_program_of_the_machine_runs_as_a_submission() {
    let krate = with_macro("forge");
    fs::write(krate.path().join("build.rs"), SWAPS).unwrap();
    let message = load_error(&krate);
    assert_says(&message, "it ended with status 7");
}

#[cfg(target_os = "linux")]
#[test]
fn output_of_a_macro_among_cargos_messages_costs_keur_little_memory() {
    let krate = with_macro("flood");
    let mut command = command();
    command.args(["grade", "--exercise", "quixo"]).arg(krate.path());
    let mut child =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(now.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(peak > 0 && peak < 200 << 10, "keur took {peak} KiB");
}

#[test]
fn a_crate_reads_and_writes_in_the_folder_of_a_case() {
    let krate = solution();
    let source = krate.path().join("src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    let begin = "        let board = match faces {";
    let uses = "        let data = std::fs::read_to_string(\"data.txt\").map_err(|error| error.to_string())?;\n        \
                std::fs::write(\"out.txt\", data.to_uppercase()).map_err(|error| error.to_string())?;\n        \
                std::fs::write(\"/tmp/keur-crate-escaped\", \"\").err().ok_or(\"escaped\")?;\n";
    assert!(text.contains(begin));
    fs::write(&source, text.replace(begin, &format!("{uses}{begin}"))).unwrap();
    let cases = tempfile::tempdir().unwrap();
    let quixo = cases.path().join("quixo");
    fs::create_dir(&quixo).unwrap();
    fs::copy(root().join("cases/quixo/exercise.toml"), quixo.join("exercise.toml")).unwrap();
    let case = "[input_files]\n\"data.txt\" = \"one\\n\"\n[[step]]\ndo = \"q = Quixo(5)\"\nwrites = { \"out.txt\" = \"ONE\" }\n";
    for name in ["first", "second"] {
        fs::write(quixo.join(format!("{name}.toml")), format!("title = \"{name}\"\n{case}")).unwrap();
    }
    let (code, report) = grade(krate.path(), &["--cases", &cases.path().display().to_string()]);
    assert_eq!(code, 0, "{report:#}");
}
