//! Tests the action and the examples of `docs/ci.md`: their steps are read from the files and run like in CI.
//!
//! `keur` is on the path, and the working folder holds a submission. Afterwards the files that GitHub reads
//! are checked in the way that GitHub reads them. Hostile submissions are only ever graded, never run.

use crate::address::once_published;
use crate::running::{Run, assert_says, folder, path_with_keur, root, run, succeed};
use base64::Engine;
use saphyr::{LoadableYamlNode, Yaml};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The step of the action that grades.
const GRADE: &str = "Grade";

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

fn yaml(text: &str) -> Yaml<'_> {
    let documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.into_iter().next().unwrap()
}

/// The text at a path of keys, if any.
fn text(node: &Yaml<'_>, keys: &[&str]) -> Option<String> {
    let found = keys.iter().try_fold(node, |node, key| node.as_mapping_get(key))?;
    found.as_str().map(str::to_owned)
}

/// The keys of a mapping and their texts.
fn texts(node: Option<&Yaml<'_>>) -> BTreeMap<String, String> {
    let pairs = node.and_then(Yaml::as_mapping).into_iter().flatten();
    pairs.map(|(key, value)| (key.as_str().unwrap().to_owned(), value.as_str().unwrap().to_owned())).collect()
}

/// A step of the action.
struct Step {
    name: String,
    run: String,
    env: BTreeMap<String, String>,
}

fn steps() -> Vec<Step> {
    let source = read(root().join("action.yml"));
    let action = yaml(&source);
    let steps = action.as_mapping_get("runs").unwrap().as_mapping_get("steps").unwrap();
    steps
        .as_sequence()
        .unwrap()
        .iter()
        .map(|step| {
            assert_eq!(text(step, &["shell"]).unwrap(), "bash");
            Step {
                name: text(step, &["name"]).unwrap(),
                run: text(step, &["run"]).unwrap(),
                env: texts(step.as_mapping_get("env")),
            }
        })
        .collect()
}

/// The inputs of the action, with their defaults.
fn inputs() -> BTreeMap<String, String> {
    let source = read(root().join("action.yml"));
    let action = yaml(&source);
    let inputs = action.as_mapping_get("inputs").unwrap().as_mapping().unwrap();
    let default = |input: &Yaml<'_>| text(input, &["default"]).unwrap();
    inputs.iter().map(|(name, input)| (name.as_str().unwrap().to_owned(), default(input))).collect()
}

/// A job on a GitHub runner: its folders, and the files that are read after each step.
struct Job {
    folder: tempfile::TempDir,
    path: String,
    /// The folder of the action.
    action: PathBuf,
    /// The runner's system and processor.
    runner: [&'static str; 2],
}

impl Job {
    fn new() -> Job {
        let folder = tempfile::tempdir().unwrap();
        for below in ["workspace", "temp"] {
            fs::create_dir(folder.path().join(below)).unwrap();
        }
        for file in ["summary", "output", "path"] {
            fs::write(folder.path().join(file), "").unwrap();
        }
        let path = path_with_keur().into_string().unwrap();
        Job { folder, path, action: root().to_owned(), runner: ["Linux", "X64"] }
    }

    fn at(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Puts a submission into the workspace.
    fn hand_in(&self, from: &str, name: &str) {
        fs::copy(root().join(from), self.at("workspace").join(name)).unwrap();
    }

    /// Runs a step as the runner does: bash on a file with the step, inputs filled in.
    fn run(&self, step: &Step, with: &[(&str, &str)]) -> Run {
        assert!(!step.run.contains("${{"), "what an expression stands for would be run: {}", step.run);
        let script = self.at("step.sh");
        fs::write(&script, &step.run).unwrap();
        let mut inputs = inputs();
        for (name, value) in with {
            assert!(inputs.insert((*name).to_owned(), (*value).to_owned()).is_some(), "no input {name}");
        }
        let evaluated = step.env.iter().map(|(name, value)| {
            let expression = value.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}")).unwrap();
            let value = match expression.split_once('.').unwrap() {
                ("inputs", name) => inputs[name].clone(),
                _ => panic!("{expression}"),
            };
            (name.clone(), value)
        });
        let added = read(self.at("path"));
        let path: Vec<&str> = added.lines().rev().chain([self.path.as_str()]).collect();
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail"])
            .arg(script)
            .current_dir(self.at("workspace"))
            .env_clear()
            .envs(std::env::var("HOME").map(|home| ("HOME", home)))
            .env("PATH", path.join(":"))
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_ACTION_PATH", &self.action)
            .env("GITHUB_WORKSPACE", self.at("workspace"))
            .env("GITHUB_STEP_SUMMARY", self.at("summary"))
            .env("GITHUB_OUTPUT", self.at("output"))
            .env("GITHUB_PATH", self.at("path"))
            .env("RUNNER_OS", self.runner[0])
            .env("RUNNER_ARCH", self.runner[1])
            .env("RUNNER_TEMP", self.at("temp"))
            .envs(evaluated);
        run(&mut bash)
    }

    /// Runs every step until one fails: returns the last exit code and the whole log.
    fn all(&self, with: &[(&str, &str)]) -> (i32, String) {
        let mut log = String::new();
        for step in steps() {
            let run = self.run(&step, with);
            log += &run.all();
            if run.code != 0 || step.name == GRADE {
                return (run.code, log);
            }
        }
        panic!("no step is called {GRADE}");
    }

    /// The outputs of the action, taken from those of its step.
    fn outputs(&self) -> BTreeMap<String, String> {
        let written = read(self.at("output"));
        let of_step: BTreeMap<&str, &str> =
            written.lines().map(|line| line.split_once('=').unwrap()).collect();
        assert_eq!(of_step.len(), written.lines().count(), "{written}");
        let source = read(root().join("action.yml"));
        let action = yaml(&source);
        let outputs = action.as_mapping_get("outputs").unwrap().as_mapping().unwrap();
        let outputs: BTreeMap<String, String> = outputs
            .iter()
            .map(|(name, output)| {
                let value = text(output, &["value"]).unwrap();
                let from =
                    value.strip_prefix("${{ steps.grade.outputs.").unwrap().strip_suffix(" }}").unwrap();
                (name.as_str().unwrap().to_owned(), of_step.get(from).copied().unwrap_or_default().to_owned())
            })
            .collect();
        assert!(of_step.keys().all(|key| outputs.contains_key(*key)), "{written}");
        outputs
    }

    fn result(&self) -> Value {
        let json = base64::engine::general_purpose::STANDARD.decode(&self.outputs()["result"]).unwrap();
        serde_json::from_slice(&json).unwrap()
    }
}

/// The commands of a log, as the runner finds them.
///
/// A line that begins with `::` after blanks, and the older form, which may be anywhere in a line.
fn commands(log: &str) -> Vec<&str> {
    let newer = |line: &str| line.trim_start().starts_with("::");
    log.split(['\n', '\r']).filter(|line| newer(line) || line.contains("##[")).collect()
}

#[test]
fn a_submission_that_passes_passes_the_step() {
    let job = Job::new();
    job.hand_in("fixtures/submissions/codenames/python/correct.py", "codenames.py");
    let (code, log) = job.all(&[]);
    assert_eq!(code, 0, "{log}");
    assert_eq!(
        commands(&log),
        ["::notice title=workspace · Codenames::20 van 20 punten · 26 van 26 testgevallen geslaagd"]
    );
    let outputs = job.outputs();
    assert_eq!((outputs["points"].as_str(), outputs["max_points"].as_str()), ("20", "20"));
    assert_eq!(outputs["passed"], "true");
    let result = job.result();
    assert_eq!((&result["status"], &result["max_score"]), (&"pass".into(), &20.into()));
    assert!(read(job.at("summary")).starts_with("## ✓ ` workspace ` · Codenames\n"));
    assert_eq!(
        job.at("temp").read_dir().unwrap().count(),
        0,
        "something is left in the folder of the runner"
    );
}

#[test]
fn a_submission_that_fails_fails_the_step_and_is_annotated() {
    let job = Job::new();
    job.hand_in("fixtures/submissions/codenames/python/blue_keeps_turn_on_red_spy.py", "answer.py");
    fs::write(job.at("summary"), "earlier\n").unwrap();
    fs::write(job.at("output"), "earlier=1\n").unwrap();
    let (code, log) = job.all(&[
        ("submission", "answer.py"),
        ("exercise", "codenames"),
        ("lang", "en"),
        ("format", "json=report.json\nterminal=report.txt\n"),
    ]);
    assert_eq!(code, 1, "{log}");
    let found = commands(&log);
    assert_eq!(found[0], "::notice title=answer · Codenames::18.67 of 20 points · 24 of 26 cases passed");
    assert!(
        found[1]
            .starts_with("::error file=answer.py,line=28,title=Blue reveals a red spy · wrong value::step 3")
    );
    assert_eq!(found.len(), 2);
    let summary = read(job.at("summary"));
    assert!(summary.starts_with("earlier\n## ✗ ` answer `"), "{summary}");
    assert!(read(job.at("output")).starts_with("earlier=1\npoints=18.67\n"));
    let json: Value = serde_json::from_str(&read(job.at("workspace/report.json"))).unwrap();
    assert_eq!(json["submissions"][0]["points"], 18.67);
    assert!(read(job.at("workspace/report.txt")).contains("18.67 of 20 points"));
}

#[test]
fn a_wrong_call_fails_the_step_and_says_why() {
    let job = Job::new();
    let (code, log) = job.all(&[("submission", "no/such.py")]);
    assert_eq!(code, 2, "{log}");
    assert!(commands(&log)[0].starts_with("::error title=such · not graded::no/such.py"), "{log}");
    assert_eq!((job.outputs()["passed"].as_str(), job.outputs()["points"].as_str()), ("false", ""));
    let job = Job::new();
    let (code, log) = job.all(&[("format", "json")]);
    assert_eq!((code, log.contains("FORMAT=PATH")), (2, true), "{log}");
    let mut left = fs::read_dir(job.at("temp")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!left.any(|name| name.to_string_lossy().starts_with("keur.")), "reports are left behind");
    // A value that looks like a flag is a path.
    let (code, log) = Job::new().all(&[("submission", "--exit-zero")]);
    assert_eq!((code, log.contains("--exit-zero · ")), (2, true), "{log}");
}

#[test]
fn a_run_that_cannot_start_is_annotated() {
    for (with, code, why) in [
        (("exercise", "codenaems"), 2, "codenaems"),
        (("cases", "no-cases"), 2, "no-cases"),
        (("lang", "fr"), 2, "invalid value 'fr'"),
        (("format", "json=codenames.py/report.json"), 4, "codenames.py/report.json: cannot be written"),
    ] {
        let job = Job::new();
        job.hand_in("fixtures/submissions/codenames/python/correct.py", "codenames.py");
        let (exit, log) = job.all(&[with]);
        assert_eq!(exit, code, "{log}");
        let found = commands(&log);
        assert!(found[0].starts_with("::error title=keur::") && found[0].contains(why), "{with:?}: {log}");
        assert!(found.len() == 1 && !found[0].contains("error: "), "{log}");
        assert!(job.outputs().values().all(String::is_empty));
    }
}

#[test]
fn a_fault_of_the_course_is_annotated_and_no_grade() {
    let broken = folder(&[("codenames/exercise.toml", "title = [\n")]);
    let none = folder(&[]);
    for (path, cases, code, why) in [
        (
            format!("{}:/usr/bin:/bin", none.path().display()),
            broken.path().to_str().unwrap(),
            3,
            "this exercise has an error",
        ),
        (none.path().display().to_string(), "", 4, "actions/setup-python"),
    ] {
        let mut job = Job::new();
        job.hand_in("fixtures/submissions/codenames/python/correct.py", "codenames.py");
        for program in ["keur", "bash", "cat", "base64", "grep", "mktemp", "rm", "tr"] {
            let find = format!("command -v {program}");
            let found = succeed(Command::new("sh").args(["-c", &find]).env("PATH", &job.path));
            let _ = std::os::unix::fs::symlink(found.trim(), none.path().join(program));
        }
        job.path = path;
        let (exit, log) = job.all(&[("cases", cases), ("exercise", "codenames")]);
        assert_eq!(exit, code, "{log}");
        assert!(
            commands(&log).iter().any(|line| line.starts_with("::error ") && line.contains(why)),
            "{log}"
        );
        let outputs = job.outputs();
        let given: Vec<&String> = outputs.values().filter(|value| !value.is_empty()).collect();
        assert_eq!((outputs["passed"].as_str(), given.len()), ("false", 1), "{outputs:?}");
        assert!(!read(job.at("summary")).is_empty());
    }
}

#[test]
fn blanks_around_a_format_are_ignored() {
    let job = Job::new();
    job.hand_in("fixtures/submissions/codenames/python/correct.py", "codenames.py");
    let (code, log) = job.all(&[("format", "  json=new/a.json\r\n\tterminal=b.txt \n")]);
    assert_eq!(code, 0, "{log}");
    assert!(job.at("workspace/new/a.json").is_file() && job.at("workspace/b.txt").is_file());
}

/// The lines of a summary outside blocks of code.
#[cfg(target_os = "linux")]
fn outside_of_code(summary: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let mut prose = Vec::new();
    for line in summary.lines() {
        let marks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if line == marks && marks.len() >= open.len() => fence = None,
            None if marks.len() >= 3 => fence = Some(marks),
            None => prose.push(line),
            Some(_) => {}
        }
    }
    prose
}

#[cfg(target_os = "linux")]
#[test]
fn a_hostile_submission_commands_nothing() {
    let cases = root().join("fixtures/hostile/cases");
    for (language, ending) in [("python", "py"), ("javascript", "js")] {
        for fixture in ["text_markup", "text_controls", "text_names", "result_markers", "flood_output"] {
            let job = Job::new();
            let name = format!("{fixture}.{ending}");
            job.hand_in(&format!("fixtures/hostile/submissions/{language}/{name}"), &name);
            let (code, log) = job.all(&[("submission", &name), ("cases", cases.to_str().unwrap())]);
            let (points, most) = (&job.outputs()["points"], &job.outputs()["max_points"]);
            assert_eq!(code, i32::from(points != most), "{name}: {log}");
            for line in commands(&log) {
                let own = line.starts_with("::error ") || line.starts_with("::notice ");
                assert!(own && line.contains("title="), "{name}: {line}");
            }
            // Only keur's own four lines are there, whatever the submission printed.
            let output = read(job.at("output"));
            assert_eq!(output.lines().count(), 4, "{name}: {output}");
            assert!(
                output.lines().all(|line| !line.contains(' ') && !line.contains("<<")),
                "{name}: {output}"
            );
            let summary = read(job.at("summary"));
            let prose = outside_of_code(&summary);
            let is_markup = |line: &&str| line.replace("\\<", "").contains('<');
            assert!(prose.len() > 5 && !prose.iter().any(is_markup), "{name}: {summary}");
            assert_eq!(job.result()["status"], if points == most { "pass" } else { "fail" });
        }
    }
}

/// A job without keur on its path, whose action has a released program on a server that a folder replaces.
struct Release {
    job: Job,
    /// What the server has of this version.
    files: PathBuf,
}

impl Release {
    /// Publishes a program that is this script, for the target of a runner.
    fn new(target: &str, ending: &str, script: &str) -> Release {
        let mut job = Job::new();
        job.action = job.at("action");
        fs::create_dir(&job.action).unwrap();
        std::os::unix::fs::symlink(root().join("ci"), job.action.join("ci")).unwrap();
        let address = format!("file://{}/an/keur", job.at("server").display());
        let manifest = format!("[workspace.package]\nversion = \"1.2.3\"\nrepository = \"{address}\"\n");
        fs::write(job.action.join("Cargo.toml"), manifest).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        let folders = std::env::split_paths(&path).filter(|folder| !folder.join("keur").exists());
        job.path = std::env::join_paths(folders).unwrap().into_string().unwrap();
        let files = job.at("server/an/keur/releases/download/v1.2.3");
        let name = format!("keur-1.2.3-{target}");
        write_program(&files.join(&name).join("keur"), script);
        let pack = match ending {
            "zip" => format!("python3 -m zipfile -c {name}.zip {name}"),
            _ => format!("tar -czf {name}.{ending} {name}"),
        };
        let script = format!(
            "{pack}; rm -r {name}; sha256sum keur-* > SHA256SUMS || shasum -a 256 keur-* > SHA256SUMS"
        );
        succeed(Command::new("bash").args(["-c", &script]).current_dir(&files));
        Release { job, files }
    }

    /// A release for Linux on X64.
    fn for_linux(script: &str) -> Release {
        Release::new("x86_64-unknown-linux-musl", "tar.gz", script)
    }

    /// The archive for Linux on X64.
    fn archive(&self) -> PathBuf {
        self.files.join("keur-1.2.3-x86_64-unknown-linux-musl.tar.gz")
    }

    /// Runs the step that gets keur.
    fn get(&self) -> Run {
        self.job.run(&steps()[0], &[])
    }
}

/// Writes a script that can be run.
fn write_program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Checks that the step fails with a sentence that contains `why`, and leaves the path as it is.
#[track_caller]
fn check_refused(release: &Release, why: &str) {
    let Run { code, out, err } = release.get();
    assert_eq!(code, 4, "{why}: {out}{err}");
    let found = commands(&out);
    assert!(found.len() == 1 && found[0].starts_with("::error title=keur::"), "{why}: {out}");
    assert_says(found[0], why);
    assert_eq!(read(release.job.at("path")), "");
}

#[test]
fn each_runner_gets_the_program_that_is_released_for_it() {
    for (runner, target, ending) in [
        (["Linux", "X64"], "x86_64-unknown-linux-musl", "tar.gz"),
        (["Linux", "ARM64"], "aarch64-unknown-linux-musl", "tar.gz"),
        (["macOS", "X64"], "x86_64-apple-darwin", "tar.gz"),
        (["macOS", "ARM64"], "aarch64-apple-darwin", "tar.gz"),
        (["Windows", "X64"], "x86_64-pc-windows-gnu", "zip"),
    ] {
        let mut release = Release::new(target, ending, "echo a released keur");
        release.job.runner = runner;
        let got = release.get();
        assert_eq!((got.code, got.out.as_str()), (0, "a released keur\n"), "{}", got.err);
        let home = release.job.at("temp/keur-program").join(format!("keur-1.2.3-{target}"));
        assert_eq!(read(release.job.at("path")), format!("{}\n", home.display()));
    }
}

#[test]
fn a_submission_is_graded_by_the_released_program() {
    let release = Release::for_linux(&format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_keur")));
    release.job.hand_in("fixtures/submissions/codenames/python/correct.py", "codenames.py");
    let (code, log) = release.job.all(&[]);
    assert_eq!((code, release.job.outputs()["points"].as_str()), (0, "20"), "{log}");
}

#[test]
fn a_program_that_is_not_the_released_one_is_refused() {
    let released = || Release::for_linux("echo a released keur");
    let release = released();
    fs::write(release.archive(), "another file").unwrap();
    check_refused(&release, "is not the released file");
    // The sums are those of other files.
    let release = released();
    let sums = read(release.files.join("SHA256SUMS")).replace("x86_64", "riscv64");
    fs::write(release.files.join("SHA256SUMS"), sums).unwrap();
    check_refused(&release, "is not the released file");
    for file in ["SHA256SUMS", "keur-1.2.3-x86_64-unknown-linux-musl.tar.gz"] {
        let release = released();
        fs::remove_file(release.files.join(file)).unwrap();
        check_refused(&release, &format!("/an/keur/releases/download/v1.2.3/{file} cannot be downloaded"));
    }
}

#[test]
fn a_released_program_that_cannot_run_is_no_grade() {
    check_refused(&Release::for_linux("exit 1"), "does not start on this runner");
    let release = Release::for_linux("");
    fs::write(release.archive(), "no archive").unwrap();
    let script = "sha256sum keur-* > SHA256SUMS || shasum -a 256 keur-* > SHA256SUMS";
    succeed(Command::new("bash").args(["-c", script]).current_dir(&release.files));
    check_refused(&release, "cannot be unpacked");
}

#[test]
fn without_a_released_program_the_step_says_what_to_do() {
    let mut release = Release::for_linux("");
    release.job.runner = ["Linux", "RISCV64"];
    check_refused(&release, "There is no released keur for Linux on RISCV64");
    // The action of a keur that is not published.
    let mut release = Release::for_linux("");
    let manifest = release.job.action.join("Cargo.toml");
    fs::write(&manifest, read(&manifest).replace("/an/keur", "/-OWNER-/keur")).unwrap();
    check_refused(&release, "This keur is not published");
    release = Release::for_linux("");
    let programs = release.job.at("programs");
    fs::create_dir(&programs).unwrap();
    for program in ["bash", "sed", "head"] {
        let found = succeed(Command::new("sh").args(["-c", &format!("command -v {program}")]));
        std::os::unix::fs::symlink(found.trim(), programs.join(program)).unwrap();
    }
    release.job.path = programs.display().to_string();
    check_refused(&release, "There is no curl");
}

#[test]
fn a_students_repository_chooses_no_program() {
    let mut release = Release::for_linux(&format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_keur")));
    release.job.hand_in("fixtures/submissions/codenames/python/correct.py", "codenames.py");
    let (workspace, mark, link) =
        (release.job.at("workspace"), release.job.at("mark"), release.job.at("link"));
    std::os::unix::fs::symlink(&workspace, &link).unwrap();
    let theirs = format!("echo theirs >'{}'", mark.display());
    for program in ["awk", "cat", "curl", "dirname", "keur", "mktemp", "sha256sum", "tar"] {
        write_program(&workspace.join(program), &theirs);
        write_program(&workspace.join(".venv/bin").join(program), &theirs);
    }
    // What an earlier step put on the path, in each way that leads into the workspace.
    let (workspace, link) = (workspace.display(), link.display());
    let others = &release.job.path;
    release.job.path = format!(".::{workspace}:{workspace}/.venv/bin:{link}/.venv/bin:{others}");
    let (code, log) = release.job.all(&[("submission", "codenames.py"), ("exercise", "codenames")]);
    assert_eq!((code, release.job.outputs()["points"].as_str()), (0, "20"), "{log}");
    assert!(!mark.exists());
}

/// The fenced blocks of YAML of a page.
fn blocks(page: &str) -> Vec<String> {
    let page = read(root().join(page));
    let blocks = page.split("```yaml\n").skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The steps of a workflow, or of a part of one, that use the action.
#[track_caller]
fn check_uses(workflow: &str) {
    let document = yaml(workflow);
    let steps = match document.as_mapping_get("jobs") {
        Some(jobs) => jobs.as_mapping_get("grade").unwrap().as_mapping_get("steps").unwrap(),
        None => &document,
    };
    let known = inputs();
    let mut found = 0;
    for step in steps.as_sequence().unwrap() {
        if text(step, &["uses"]).is_some_and(|uses| uses.contains("/keur@")) {
            found += 1;
            for name in texts(step.as_mapping_get("with")).keys() {
                assert!(known.contains_key(name), "the action has no input {name}");
            }
        }
    }
    assert_eq!(found, 1, "{workflow}");
}

#[test]
fn the_workflows_that_are_shown_and_handed_out_use_the_action_as_it_is() {
    check_uses(&blocks("docs/students-repositories.md")[0]);
    let page = blocks("docs/ci.md");
    assert_eq!(page.len(), 4, "{page:?}");
    check_uses(&page[0]);
    let uploads = page[2].split("    steps:\n").nth(1).unwrap();
    check_uses(uploads);
    assert!(page[2].contains("security-events: write") && uploads.contains("if: always()"), "{}", page[2]);
    check_runs_once(&page[0]);
    assert!(
        page[1].contains("if: always() && steps.keur.outputs.result\n") && page[1].contains("KEUR_RESULTS")
    );
    for template in templates() {
        check_uses(&workflow_of(&template));
    }
    for entry in root().join("templates").read_dir().unwrap() {
        let workflow = entry.unwrap().path().join(".github/workflows/keur.yml");
        if workflow.is_file() {
            check_runs_once(&read(workflow));
        }
    }
}

/// A push to an open pull request is two events: the job must run for one of them only.
#[track_caller]
fn check_runs_once(workflow: &str) {
    let document = yaml(workflow);
    assert!(workflow.contains("\non: [push, pull_request, workflow_dispatch]\n"), "{workflow}");
    let condition = text(document.as_mapping_get("jobs").unwrap(), &["grade", "if"]).unwrap();
    let of_another = "github.event.pull_request.head.repo.full_name != github.repository";
    assert_eq!(condition, format!("github.event_name != 'pull_request' || {of_another}"));
}

#[test]
fn a_file_that_is_missing_is_told_in_the_exercises_language_with_its_points() {
    let job = Job::new();
    fs::write(job.at("workspace").join("README.md"), "# codenames\n").unwrap();
    for submission in ["codenames.py", "."] {
        fs::write(job.at("summary"), "").unwrap();
        fs::write(job.at("output"), "").unwrap();
        let (code, log) = job.all(&[("submission", submission), ("exercise", "codenames")]);
        assert_eq!(code, 1, "{log}");
        let outputs = job.outputs();
        assert_eq!((outputs["points"].as_str(), outputs["max_points"].as_str()), ("0", "20"), "{submission}");
        assert!(read(job.at("summary")).contains("0 van 20 punten"), "{}", read(job.at("summary")));
        assert!(log.contains("0 van 20 punten"), "{log}");
        let result = job.result();
        assert_eq!((&result["max_score"], &result["status"]), (&20.into(), &"error".into()));
        let told = result["tests"][0]["name"].as_str().unwrap();
        assert!(["niet beoordeeld", "onleesbaar"].contains(&told), "{told}");
    }
}

/// The templates that keur grades; a Rust crate tests itself, and those of clusters are tested on clusters.
fn templates() -> Vec<PathBuf> {
    let entries = root().join("templates").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let is_graded = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        !name.starts_with("rust-") && name != "cluster"
    };
    entries.filter(is_graded).collect()
}

/// The workflow of a template, as it is once keur is published.
fn workflow_of(template: &Path) -> String {
    once_published(&template.strip_prefix(root()).unwrap().join(".github/workflows/keur.yml"))
}

#[test]
fn a_template_is_graded_by_its_own_workflow() {
    let place = regex::Regex::new(r"^::error file=[a-z]+\.(py|js|cpp),line=[0-9]+,title=").unwrap();
    for template in templates() {
        let workflow = workflow_of(&template);
        let document = yaml(&workflow);
        let steps = document.as_mapping_get("jobs").unwrap().as_mapping_get("grade").unwrap();
        let steps = steps.as_mapping_get("steps").unwrap().as_sequence().unwrap();
        let with = texts(steps.last().unwrap().as_mapping_get("with"));
        let with: Vec<(&str, &str)> =
            with.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let job = Job::new();
        for file in
            template.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
        {
            fs::copy(&file, job.at("workspace").join(file.file_name().unwrap())).unwrap();
        }
        let (code, log) = job.all(&with);
        assert_eq!((code, job.outputs()["points"].as_str()), (1, "0"), "{}: {log}", template.display());
        // Unwritten code is annotated at its line.
        assert!(commands(&log).iter().any(|line| place.is_match(line)), "{}: {log}", template.display());
    }
}

#[test]
fn the_example_for_gitlab_does_what_it_says() {
    let page = blocks("docs/ci.md").pop().unwrap();
    assert!(page.starts_with("# .gitlab-ci.yml\n"));
    let document = yaml(&page);
    let grade = document.as_mapping_get("grade").unwrap();
    let lines = grade.as_mapping_get("script").unwrap().as_sequence().unwrap();
    let script: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    // The course's project has the cases, one of them hidden.
    let course = folder(&[]);
    let exercise = course.path().join("codenames");
    fs::create_dir(&exercise).unwrap();
    for entry in root().join("cases/codenames").read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_file() {
            fs::copy(&entry, exercise.join(entry.file_name().unwrap())).unwrap();
        }
    }
    // Random sessions that students see may show what a hidden case asks.
    fs::remove_file(exercise.join("random_sessions.toml")).unwrap();
    let case = exercise.join("blue_reveals_a_red_spy.toml");
    fs::write(&case, format!("hidden = true\n{}", read(&case))).unwrap();
    let git = |args: &[&str]| succeed(Command::new("git").args(args).current_dir(course.path()));
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&[
        "-c", "user.name=an", "-c", "user.email=an@example.org", "commit", "--quiet", "--message", "Cases",
    ]);
    for (fixture, code) in [("correct", 0), ("blue_keeps_turn_on_red_spy", 1)] {
        let job = Job::new();
        job.hand_in(&format!("fixtures/submissions/codenames/python/{fixture}.py"), "codenames.py");
        // What a student committed in the place of the reports.
        let (reports, elsewhere) = (job.at("workspace").join("keur-reports"), job.at("elsewhere"));
        fs::create_dir(&elsewhere).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&elsewhere, &reports).unwrap();
        let mut bash = Command::new("bash");
        bash.args(["-e", "-o", "pipefail", "-c", &script.join("\n")]).env("PATH", &job.path);
        bash.env("COURSE_CASES", format!("file://{}", course.path().display()));
        let run = run(bash.current_dir(job.at("workspace")));
        let log = run.out;
        assert_eq!(run.code, code, "{log}");
        assert!(log.starts_with("codenames · Codenames"), "{log}");
        let kept = grade.as_mapping_get("artifacts").unwrap().as_mapping_get("paths").unwrap();
        for path in kept.as_sequence().unwrap() {
            assert!(job.at("workspace").join(path.as_str().unwrap()).is_dir(), "{path:?}");
        }
        assert_eq!(elsewhere.read_dir().unwrap().count(), 0);
        let list = grade.as_mapping_get("artifacts").unwrap().as_mapping_get("reports").unwrap();
        let list = list.as_mapping_get("junit").unwrap().as_str().unwrap();
        assert!(job.at("workspace").join(list).is_file(), "{list}");
        let json: Value = serde_json::from_str(&read(reports.join("keur.json"))).unwrap();
        assert_eq!(json["audience"], "student");
        // Of the hidden case, a report says whether it passed.
        let cases = json["submissions"][0]["cases"].as_array().unwrap();
        let hidden: Vec<&Value> = cases.iter().filter(|case| case["hidden"] == true).collect();
        let verdict = if code == 0 { "passed" } else { "failed" };
        assert!(hidden.len() == 1 && hidden[0]["verdict"] == verdict, "{hidden:?}");
        for report in std::iter::once(log.clone())
            .chain(["keur.json", "keur.md", "junit.xml"].map(|name| read(reports.join(name))))
        {
            assert!(!report.contains("Spelbord("), "{report}");
        }
        // The terminal has no audience in it.
        assert!(
            script.iter().all(|line| !line.contains("keur grade") || line.contains("--audience student"))
        );
    }
}
