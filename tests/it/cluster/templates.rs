//! The templates for GitHub and Kubernetes.

use super::{alone, reports};
use crate::required::{installed, needs};
use crate::running::{assert_says, path_with_keur, root, succeed};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The number of submissions of the class on GitHub: codenames, with the built-in cases.
const PROGRAMS: usize = 10;

/// The folder with the templates.
const TEMPLATES: &str = "templates/cluster";

#[test]
fn the_manifest_is_valid_in_the_oldest_and_the_latest_kubernetes() {
    needs!(External);
    let manifest = root().join(TEMPLATES).join("kubernetes.yaml");
    for version in [&["--kubernetes-version", "1.33"][..], &[]] {
        let validate = installed("bin/kubernetes-validate");
        let said = succeed(Command::new(&validate).arg("--strict").args(version).arg(&manifest));
        assert_says(&said, "passed for resource job/keur-class");
    }
}

#[test]
fn the_numbers_of_shards_in_a_template_agree() {
    let read = |name: &str| fs::read_to_string(root().join(TEMPLATES).join(name)).unwrap();
    let (kubernetes, github) = (read("kubernetes.yaml"), read("github.yml"));
    assert!(kubernetes.contains("completions: 16\n") && kubernetes.contains("auto/16"));
    assert!(github.contains("SHARDS: 8\n") && github.contains("shard: [1, 2, 3, 4, 5, 6, 7, 8]\n"));
}

#[test]
fn the_workflow_of_github_reports_as_one_machine_and_remembers() {
    needs!(External);
    let room = tempfile::tempdir().unwrap();
    let repository = room.path().join("repository");
    let submissions = fs::read_dir(root().join("fixtures/submissions/codenames/python")).unwrap();
    let mut programs: Vec<_> = submissions.map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    programs.retain(|path| path.extension().is_some_and(|ending| ending == "py"));
    for (number, program) in programs.iter().take(PROGRAMS).enumerate() {
        let place =
            repository.join(format!("downloads/Student {number}_{}_assignsubmission_file", 100 + number));
        fs::create_dir_all(&place).unwrap();
        fs::copy(program, place.join("codenames.py")).unwrap();
    }
    fs::create_dir_all(repository.join(".github/workflows")).unwrap();
    let workflow = repository.join(".github/workflows/class.yml");
    fs::copy(root().join(TEMPLATES).join("github.yml"), workflow).unwrap();
    // `act` asks git about the repository.
    for command in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "a"],
    ] {
        succeed(Command::new("git").current_dir(&repository).args(command));
    }
    act(room.path());
    let expected = alone(&repository);
    let report = room.path().join("artifacts/report/report.json");
    assert_eq!(fs::read_to_string(&report).unwrap(), expected[0]);
    let cached = room.path().join("artifacts/cached");
    fs::rename(cached.join("class-1-1"), cached.join("class")).unwrap();
    assert_eq!(reports(&cached), expected);
}

/// Runs the workflow with `act`, on this machine. Actions that `act` would fetch are replaced by those in
/// `actions/`.
fn act(folder: &Path) {
    let mut act = Command::new(installed("bin/act"));
    act.args([
        "workflow_dispatch", "--platform", "ubuntu-24.04=-self-hosted", "--no-cache-server",
        "--no-skip-checkout",
    ]);
    for (action, version) in
        [("checkout", "v7"), ("upload-artifact", "v7"), ("download-artifact", "v8"), ("cache", "v5")]
    {
        let stand_in = root().join("tests/it/cluster/actions").join(action);
        act.arg("--local-repository").arg(format!("actions/{action}@{version}={}", stand_in.display()));
    }
    for (variable, below) in [("REPOSITORY", "repository"), ("ARTIFACTS", "artifacts")] {
        act.arg("--env").arg(format!("{variable}={}", folder.join(below).display()));
    }
    act.current_dir(folder.join("repository")).env("PATH", path_with_keur());
    act.env("HOME", folder.join("home")).env("XDG_CACHE_HOME", folder.join("home/cache"));
    let said = succeed(&mut act);
    assert_says(&said, "Job succeeded");
}
