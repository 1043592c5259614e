//! The start folder and the environment of keur configure no tool that keur runs.

use crate::running::{Run, keur_command, root, run, shared_cache, unwrapped, write_files};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;

/// A student's repository with a trap for every tool that keur may run. Each trap leaves a mark.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn new() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        let mark = repository.mark().display().to_string();
        let shell = format!("#!/bin/sh\necho \"$0\" >> '{mark}'\nexit 1\n");
        let python = format!("open('{mark}', 'a').write(__name__ + '\\n')\n");
        let javascript = format!("require('fs').appendFileSync('{mark}', __filename + '\\n');\n");
        let evil = repository.path("evil").display().to_string();
        // Programs with the names that keur looks for, where a careless search would find them.
        for folder in ["", "bin/", "evil/bin/", "node_modules/.bin/", ".venv/bin/"] {
            for name in ["rustc", "cargo", "rustup", "python3", "python", "node", "java", "wrapper"] {
                repository.write(&format!("{folder}{name}"), &shell, true);
            }
            // One that is not a script is not even run for its version.
            fs::copy("/bin/true", repository.path(&format!("{folder}python3.11"))).unwrap();
            fs::copy("/bin/true", repository.path(&format!("{folder}nodejs"))).unwrap();
        }
        for (name, text) in [
            ("rust-toolchain.toml", format!("[toolchain]\npath = \"{evil}\"\n")),
            ("rust-toolchain", evil.clone()),
            (
                ".cargo/config.toml",
                format!("[build]\nrustc = \"{evil}/bin/rustc\"\nrustc-wrapper = \"{evil}/bin/wrapper\"\n"),
            ),
            (".python-version", format!("{evil}/bin/python3\n")),
            (".node-version", format!("{evil}/bin/node\n")),
            (".nvmrc", format!("{evil}/bin/node\n")),
            (".tool-versions", format!("python path:{evil}\nnodejs path:{evil}\n")),
            (".npmrc", format!("node-options=--require {evil}/evil.js\n")),
            ("package.json", "{\"type\": \"module\", \"volta\": {\"node\": \"1.0.0\"}}".to_owned()),
            ("pyvenv.cfg", format!("home = {evil}/bin\n")),
            ("sitecustomize.py", python.clone()),
            ("usercustomize.py", python.clone()),
            ("os.py", python.clone()),
            ("sysconfig.py", python.clone()),
            ("encodings/__init__.py", python),
            ("evil/evil.js", javascript.clone()),
            ("console.js", javascript),
        ] {
            repository.write(name, &text, false);
        }
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn mark(&self) -> PathBuf {
        self.path("MARK")
    }

    fn write(&self, name: &str, text: &str, program: bool) {
        write_files(self.folder.path(), &[(name, text)]);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(if program { 0o755 } else { 0o644 }))
            .unwrap();
    }

    /// Runs keur in a folder of the repository, with an environment that points into it.
    fn keur(&self, folder: &str, on_path: &[&str], args: &[&str]) -> Run {
        let own = |name: &str| self.path(name).display().to_string();
        let mut path = ".::bin:../bin:evil/bin:".to_owned();
        path.extend(on_path.iter().map(|name| own(name) + ":"));
        let path = path + &std::env::var("PATH").unwrap();
        let mut command = keur_command(args);
        command.current_dir(self.path(folder)).env("PATH", path);
        for (name, value) in [
            ("NODE_OPTIONS", format!("--require {}", own("evil/evil.js"))),
            ("NODE_PATH", own("")),
            ("PYTHONPATH", own("")),
            ("PYTHONSTARTUP", own("sitecustomize.py")),
            ("BASH_ENV", own("evil/bin/wrapper")),
            ("ENV", own("evil/bin/wrapper")),
            ("JAVA_TOOL_OPTIONS", "-XX:OnOutOfMemoryError=evil".to_owned()),
            ("RUSTC", own("evil/bin/rustc")),
            ("RUSTC_WRAPPER", own("evil/bin/wrapper")),
            ("CARGO_BUILD_RUSTC_WRAPPER", own("evil/bin/wrapper")),
            ("XDG_CACHE_HOME", shared_cache().display().to_string()),
        ] {
            command.env(name, value);
        }
        // As on a machine on which cargo did not start this test.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("CARGO_HOME");
        run(&mut command)
    }

    /// Checks that nothing of the repository has run.
    #[track_caller]
    fn is_untouched(&self, run: &Run) {
        let mark = fs::read_to_string(self.mark()).unwrap_or_default();
        assert!(mark.is_empty(), "these ran: {mark}\n{}", run.all());
    }
}

fn fixture(name: &str) -> String {
    fs::read_to_string(root().join("fixtures/submissions").join(name)).unwrap()
}

#[test]
fn a_students_repository_chooses_no_interpreter() {
    for (source, file) in
        [("codenames/python/correct.py", "codenames.py"), ("quixo/javascript/correct_flat.js", "quixo.js")]
    {
        let repository = Repository::new();
        repository.write(&format!("work/{file}"), &fixture(source), false);
        // A manifest among the files of another language does not make a crate.
        repository.write("work/Cargo.toml", "[package]\nname = \"x\"\n", false);
        let inside = ["node_modules/.bin", ".venv/bin", "bin"].as_slice();
        let file = format!("work/{file}");
        for (folder, path) in [("", "work"), ("work", "."), ("", "."), ("", &file), ("work", "../work")] {
            let on_path = if folder.is_empty() { inside } else { &[] };
            let run = repository.keur(folder, on_path, &["grade", path]);
            assert_eq!(run.code, 0, "{}", run.all());
            repository.is_untouched(&run);
        }
    }
}

#[test]
fn keur_doctor_asks_no_program_of_a_students_repository() {
    let repository = Repository::new();
    let run = repository.keur("", &[], &["doctor"]);
    assert!(run.all().contains("Python: 3."), "{}", run.all());
    repository.is_untouched(&run);
}

/// A version manager's shim: it searches from its start folder upwards for the file that names a version.
const SHIM: &str = r#"#!/bin/sh
at=$PWD
while :; do
    if [ -f "$at/@FILE@" ]; then exec "$(head -n 1 "$at/@FILE@")" "$@"; fi
    [ "$at" != / ] || break
    at=$(dirname "$at")
done
exec @REAL@ "$@"
"#;

#[test]
fn a_version_managers_shim_finds_no_file_of_a_submission() {
    let shims = tempfile::tempdir().unwrap();
    for (option, file, command, source, name) in [
        ("--python", ".python-version", "python3", "codenames/python/correct.py", "codenames.py"),
        ("--node", ".node-version", "node", "quixo/javascript/correct_flat.js", "quixo.js"),
    ] {
        let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|folder| folder.join(command))
            .find(|path| path.is_file())
            .unwrap();
        let shim = shims.path().join(command);
        fs::write(&shim, SHIM.replace("@FILE@", file).replace("@REAL@", &real.display().to_string()))
            .unwrap();
        fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).unwrap();
        let repository = Repository::new();
        repository.write(name, &fixture(source), false);
        let run = repository.keur("", &[], &["grade", name, option, shim.to_str().unwrap()]);
        assert_eq!(run.code, 0, "{}", run.all());
        repository.is_untouched(&run);
    }
}

#[test]
fn a_students_crate_chooses_no_toolchain() {
    let repository = Repository::new();
    repository.write(
        "Cargo.toml",
        "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        false,
    );
    repository.write("src/lib.rs", "fn wrong() -> u8 { \"text\" }\n", false);
    repository.write("tests/grade.rs", "// keur_core::submit::quixo\nfn main() {}\n", false);
    let run =
        repository.keur("", &["node_modules/.bin"], &["grade", ".", "--exercise", "quixo", "--lang", "en"]);
    assert_eq!(run.code, 1, "{}", run.all());
    assert!(run.all().contains("mismatched types"), "the true compiler compiles it: {}", run.all());
    repository.is_untouched(&run);
    let run = repository.keur("", &["bin"], &["test", ".", "--exercise", "quixo", "--", "--list"]);
    repository.is_untouched(&run);
}

#[test]
fn folders_of_cargos_that_lie_in_a_submission_are_refused() {
    let repository = Repository::new();
    repository.write(
        "Cargo.toml",
        "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        false,
    );
    repository.write("tests/grade.rs", "// keur_core::submit::quixo\nfn main() {}\n", false);
    for variable in ["XDG_CACHE_HOME", "CARGO_HOME"] {
        let mut command = keur_command(&["grade", ".", "--exercise", "quixo"]);
        command.current_dir(repository.path("")).env("XDG_CACHE_HOME", shared_cache());
        let Run { code, out: said, .. } = run(command.env(variable, repository.path("cache")));
        assert_eq!(code, 4);
        let why = "may belong to a submission";
        assert!(unwrapped(&said).contains(why) && said.contains(variable), "{said}");
    }
}
