//! Tests that submissions earn the same over pipes and the standard library alone.
//!
//! This is how they run on a system that is not Unix; here it is tested on every system.

use crate::grading;
use crate::running::{folder, root};
use keur_core::adapter::Launcher;
use keur_core::case::{Library, Loaded, StepNo};
use keur_core::compare::Verdict;
use keur_core::event::SubmissionReport;
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use std::fs;
use std::path::{Path, PathBuf};

/// Fixtures tested per exercise and language: a process per case takes time.
const TRIED: usize = 3;

const EXERCISE: &str = r#"
title = "Talkers"
session = "python"
raises = "ValueError"

[files]
python = ["talker.py"]
javascript = ["talker.js"]

[class.Talker]
new = []
methods = { say = [] }
"#;

const CASE: &str = r#"
title = "It says so"

[[step]]
do = "t = Talker()"

[[step]]
do = "t.say()"
returns = 3
prints = "so\n"
"#;

fn grade(worker: &mut Worker, loaded: &Loaded, path: &Path) -> SubmissionReport {
    let report = grading::grade(loaded, path, worker, &Interpreters::default());
    report.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The verdict on a submission that must print `so` and return 3, and the step at which it stopped.
fn verdict(file: &str, text: &str) -> (Verdict, usize) {
    let folder = folder(&[("talkers/exercise.toml", EXERCISE), ("talkers/says.toml", CASE), (file, text)]);
    let loaded = Library::Folder(folder.path().to_owned()).load("talkers").unwrap();
    let path = folder.path().join(file);
    let report = grade(&mut Worker::new(Launcher::portable(0)), &loaded, &path);
    (
        report.cases[0].verdict,
        report.cases[0].finding.as_ref().and_then(|finding| finding.step).map_or(0, StepNo::get),
    )
}

/// The verdicts on Python and JavaScript whose `say` has these bodies.
fn verdicts(python: &str, javascript: &str) -> [(Verdict, usize); 2] {
    [
        verdict("talker.py", &format!("class Talker:\n    def say(self):\n        {python}\n")),
        verdict("talker.js", &format!("class Talker {{\n  say() {{ {javascript} }}\n}}\n")),
    ]
}

#[test]
fn fixtures_earn_the_same_by_pipes_alone() {
    for exercise in Library::BuiltIn.names().unwrap() {
        let loaded = Library::BuiltIn.load(&exercise).unwrap();
        let mut usual = Worker::new(Launcher::new(keur_sandbox::Tier::Portable, 0));
        let mut plain = Worker::new(Launcher::portable(0));
        for language in ["python", "javascript"] {
            let folder = root().join("fixtures/submissions").join(&exercise).join(language);
            let mut paths: Vec<PathBuf> =
                fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            paths.retain(|path| path.extension().is_none_or(|ending| ending != "toml"));
            paths.sort();
            let step = (paths.len() / TRIED).max(1);
            for path in paths.iter().step_by(step) {
                let [usual, plain] = [&mut usual, &mut plain].map(|worker| grade(worker, &loaded, path));
                assert_eq!(format!("{:?}", plain.cases), format!("{:?}", usual.cases), "{}", path.display());
            }
        }
    }
}

#[test]
fn printed_text_arrives() {
    let right = verdicts("print('so'); return 3", "console.log('so'); return 3;");
    assert_eq!(right, [(Verdict::Passed, 0); 2]);
    let wrong = verdicts("print('no'); return 3", "console.log('no'); return 3;");
    assert_eq!(wrong, [(Verdict::WrongOutput, 2); 2]);
}

#[test]
fn too_much_output_is_the_output_limit_whether_it_ends_or_not() {
    let much = verdicts("print('so' * 50_000); return 3", "console.log('so'.repeat(50_000)); return 3;");
    assert_eq!(much, [(Verdict::OutputLimit, 2); 2]);
    let endless = verdicts("while True: print('so')", "while (true) console.log('so');");
    assert_eq!(endless, [(Verdict::OutputLimit, 2); 2]);
}

#[test]
fn a_submission_that_hangs_or_ends_itself_ends_its_case() {
    let hangs = verdicts("while True: pass", "while (true);");
    assert_eq!(hangs, [(Verdict::TimeLimit, 2); 2]);
    let ends = verdicts("__import__('os')._exit(3)", "process.exit(3);");
    assert_eq!(ends, [(Verdict::Crashed, 2); 2]);
}
