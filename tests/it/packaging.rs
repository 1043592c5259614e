//! What packages are made of: names and addresses in `Cargo.toml` and `ci/package.py`, and the launcher of npm.
//!
//! `ci/release.sh --check` tries the packages themselves.

use crate::running::{assert_says, folder, root, run, succeed};
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What an expression of `ci/package.py` is, where `p` is that file and `package` what Cargo says of keur.
fn python(expression: &str) -> Value {
    let script =
        format!("import json, package as p\npackage = p.metadata()\nprint(json.dumps({expression}))");
    let mut command = Command::new("python3");
    command.args(["-B", "-c", &script]).env("PYTHONPATH", root().join("ci"));
    serde_json::from_str(&succeed(&mut command)).unwrap()
}

/// The packages of npm as they are installed: the launcher, and a program for this system if there is a script.
fn installed(script: Option<&str>) -> TempDir {
    let manifest = python("p.npm_launcher(package)").to_string();
    let folder = folder(&[("node_modules/keur/package.json", &manifest)]);
    let modules = folder.path().join("node_modules");
    fs::create_dir(modules.join("keur/bin")).unwrap();
    fs::copy(root().join("ci/npm/keur.js"), modules.join("keur/bin/keur.js")).unwrap();
    if let Some(script) = script {
        let system = succeed(Command::new("node").args(["-p", "`${process.platform}-${process.arch}`"]));
        let bin = modules.join(format!("keur-{}/bin", system.trim()));
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("keur"), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(bin.join("keur"), fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink(modules.join("keur/bin/keur.js"), folder.path().join("keur")).unwrap();
    folder
}

fn launcher(folder: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg(folder.join("keur"));
    command
}

#[test]
fn the_launcher_of_npm_passes_arguments_and_the_exit_code() {
    let folder = installed(Some("printf '<%s>' \"$@\"; cat; exit 3"));
    let ended = run(launcher(folder.path()).args(["grade", "a b.py", "--lang=en"]));
    assert_eq!((ended.code, &*ended.out, &*ended.err), (3, "<grade><a b.py><--lang=en>", ""));
}

#[test]
fn the_launcher_of_npm_ends_by_the_signal_of_the_program() {
    let folder = installed(Some("kill -TERM $$"));
    assert_eq!(launcher(folder.path()).status().unwrap().signal(), Some(15));
}

#[test]
fn the_launcher_of_npm_passes_on_a_signal() {
    let folder = installed(Some(
        "trap 'echo stopped; exit 7' TERM; echo started; for _ in $(seq 100); do sleep 0.1; done",
    ));
    let mut running = launcher(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(running.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "started");
    succeed(Command::new("kill").args(["-TERM", &running.id().to_string()]));
    assert_eq!(
        (lines.next().unwrap().unwrap().as_str(), running.wait().unwrap().code()),
        ("stopped", Some(7))
    );
}

#[test]
fn the_launcher_of_npm_says_what_is_missing() {
    let ended = run(launcher(installed(None).path()).arg("--version"));
    assert_eq!(ended.code, 4);
    assert!(ended.err.contains("run `npm install keur` again, without `--omit=optional`"), "{}", ended.err);
}

#[test]
fn binstall_finds_the_archive_of_each_system() {
    let manifest: toml::Value =
        toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let settings = &manifest["package"]["metadata"]["binstall"];
    let overrides = settings["overrides"].as_table().unwrap();
    let archives = python("{target: p.archive_name(package['version'], target) for target in p.SYSTEMS}");
    let archives = archives.as_object().unwrap();
    let mut found = Vec::new();
    for target in archives.keys().chain(overrides.keys()) {
        let setting = |name: &str| {
            let own = overrides.get(target).and_then(|own| own.get(name));
            let filled = own.unwrap_or(&settings[name]).as_str().unwrap();
            filled.replace("{ version }", env!("CARGO_PKG_VERSION")).replace("{ target }", target)
        };
        let address = setting("pkg-url");
        let name =
            address.strip_prefix(concat!("{ repo }/releases/download/v", env!("CARGO_PKG_VERSION"), "/"));
        let name = name.unwrap_or_else(|| panic!("{address}"));
        let archive = archives.iter().find(|(_, archive)| archive.as_str() == Some(name));
        let (built_for, _) = archive.unwrap_or_else(|| panic!("{target}: no archive is named {name}"));
        assert_eq!(
            setting("bin-dir"),
            format!("keur-{}-{built_for}/{{ bin }}{{ binary-ext }}", env!("CARGO_PKG_VERSION"))
        );
        assert_eq!(setting("pkg-fmt"), if name.ends_with(".zip") { "zip" } else { "tgz" });
        found.push(built_for);
    }
    found.sort();
    found.dedup();
    assert_eq!(found, archives.keys().collect::<Vec<_>>());
}

#[test]
fn the_scripts_and_the_workflow_have_the_targets_of_the_packages() {
    let targets = python("sorted(p.SYSTEMS)");
    let targets = targets.as_array().unwrap().iter().map(|target| target.as_str().unwrap());
    let targets: BTreeSet<&str> = targets.collect();
    let target = Regex::new(r"\b(x86_64|aarch64)-\w+-\w+(-\w+)?").unwrap();
    for file in ["ci/release.sh", "ci/get.sh", ".github/workflows/release.yml"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let found: BTreeSet<&str> = target.find_iter(&text).map(|target| target.as_str()).collect();
        assert_eq!(found, targets, "{file}");
    }
}

#[test]
fn a_release_replaces_no_other_files() {
    let place = folder(&[("Cargo.toml", ""), ("crates/core/Cargo.toml", "")]);
    let script = root().join("ci/release.sh");
    // A relative folder is one of the folder in which the script is called.
    let refused = run(Command::new("bash").arg(script).arg(".").current_dir(place.path()));
    assert_eq!(refused.code, 2, "{}", refused.all());
    assert_says(&refused.err, "has other files than those of a release");
    assert!(place.path().join("crates/core/Cargo.toml").exists());
}

#[test]
fn a_wrong_call_of_the_scripts_says_what_is_wrong() {
    let place = folder(&[]);
    let called = run(Command::new("bash").arg("../ci/release.sh").current_dir(root().join("docs")));
    assert_eq!(called.code, 2, "{}", called.all());
    assert_says(&called.err, "ci/release.sh --check OUT [TRY]...");
    let check = |tries: &[&str]| {
        let mut script = Command::new("python3");
        script.arg("-B").arg(root().join("ci/try_release.py")).arg(place.path()).args(tries);
        run(&mut script)
    };
    let misspelt = check(&["npm", "wheel", "windos"]);
    assert_eq!(misspelt.code, 1, "{}", misspelt.all());
    assert_says(&misspelt.err, "there is no try `windos`; there are sums, expect, programs, ");
    assert_says(&check(&[]).err, "has no release; `ci/release.sh ");
}
