//! Replies that try to fill keur's memory, or a report.

use super::remains::Memory;
use super::{MOST_MEMORY, alone};
use keur::run::failed_cases;
use keur_core::adapter::Launcher;
use keur_core::case::Library;
use keur_core::compare::Verdict;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::Settings;
use keur_core::languages::Interpreters;
use keur_core::report::{self, Options};
use keur_core::submission;
use keur_sandbox::Tier;
use std::fs;
use std::sync::Arc;

/// Lines of a case that expects nothing, and of one that expects a value for each.
const LINES: usize = 20;

/// A submission that takes over the driver when it is loaded: `forged` makes the text of each reply to a
/// call.
const TAKEOVER: &str = r#"
import sys

frame = sys._getframe()
while "channel" not in frame.f_locals:
    frame = frame.f_back
channel = frame.f_locals["channel"]
send = channel.send
MOST = (4 << 20) - 200


def forged(reply):
    @FORGED@


channel.send = lambda reply: send(forged(reply) if reply.startswith(b'{"done"') else reply)


class Target:
    def attack(self):
        return 1
"#;

/// The forgeries, and the verdicts on the case that expects nothing and on the one that expects values.
const FORGERIES: [(&str, Verdict, Verdict); 12] = [
    // Values that were not requested.
    (
        r#"return b'{"done":true,"value":{"list":[' + b"0," * 500000 + b"0]}}""#,
        Verdict::Passed,
        Verdict::WrongValue,
    ),
    (r#"return b'{"done":true,"text":"' + b"x" * MOST + b'"}'"#, Verdict::Passed, Verdict::WrongValue),
    (r#"return b'{"done":true,"is":[' + b'"x",' * 100000 + b'"x"]}'"#, Verdict::Passed, Verdict::WrongValue),
    // More than is ever parsed.
    (
        r#"return b'{"done":true,"is":[' + b'"x",' * 500000 + b'"x"]}'"#,
        Verdict::ProtocolViolation,
        Verdict::ProtocolViolation,
    ),
    (r#"return b'{"done":true,"is":["' + b"x" * MOST + b'"]}'"#, Verdict::Passed, Verdict::WrongValue),
    (r#"return b'{"done":true,"is":[' + b'"t",' * 100000 + b'"t"]}'"#, Verdict::Passed, Verdict::WrongValue),
    (
        r#"return b'{"done":true,"value":{"object":"' + b"o" * MOST + b'"}}'"#,
        Verdict::Passed,
        Verdict::WrongValue,
    ),
    (
        r#"return b'{"done":true,"value":{"' + b"k" * MOST + b'":1}}'"#,
        Verdict::ProtocolViolation,
        Verdict::ProtocolViolation,
    ),
    // Exceptions.
    (r#"return b'{"raised":{"type":"' + b"T" * MOST + b'"}}'"#, Verdict::Raised, Verdict::Raised),
    (
        r#"return b'{"raised":{"type":"T","message":"' + b"m" * MOST + b'"}}'"#,
        Verdict::Raised,
        Verdict::Raised,
    ),
    (
        r#"return b'{"raised":{"type":"T","bases":[' + b'"b",' * 100000 + b'"b"]}}'"#,
        Verdict::Raised,
        Verdict::Raised,
    ),
    (
        r#"return b'{"missing":{"kind":"method","name":"' + b"n" * MOST + b'","on":"","near":[]}}'"#,
        Verdict::Raised,
        Verdict::Raised,
    ),
];

#[test]
fn forged_replies_fill_neither_keur_nor_a_report() {
    let _alone = alone();
    let memory = Memory::now();
    let library = tempfile::tempdir().unwrap();
    let exercise = library.path().join("target");
    fs::create_dir(&exercise).unwrap();
    let toml = "title = \"T\"\nsession = \"python\"\n[files]\npython = [\"target.py\"]\n[limits]\ncpu = \"20s\"\nwall = \"60s\"\n\
                [class.Target]\nnew = []\nmethods = { attack = [] }\n";
    fs::write(exercise.join("exercise.toml"), toml).unwrap();
    let step = "[[step]]\ndo = \"t.attack()\"\n";
    for (name, expected) in [("asks_nothing", ""), ("asks_values", "returns = 2\n")] {
        let steps = format!("{step}{expected}").repeat(LINES);
        let case = format!("title = \"{name}\"\n[[step]]\ndo = \"t = Target()\"\n{steps}");
        fs::write(exercise.join(format!("{name}.toml")), case).unwrap();
    }
    let loaded = Library::Folder(library.path().to_owned()).load("target").unwrap();
    let (settings, interpreters) = (Settings::default(), Interpreters::default());
    let file = library.path().join("target.py");
    let honest =
        format!("class Target:\n    def attack(self): return self.attack()  # {}\n", "x".repeat(1_000_000));
    let forgeries = FORGERIES
        .map(|(forged, nothing, values)| (forged, TAKEOVER.replace("@FORGED@", forged), nothing, values));
    let long_line = ("a long line", honest, Verdict::Raised, Verdict::Raised);
    for (forged, text, nothing, values) in forgeries.into_iter().chain([long_line]) {
        fs::write(&file, text).unwrap();
        let submission = submission::opened::open(&file).unwrap().submission(&loaded.exercise);
        let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
        let report =
            Grader::new(&loaded, &settings, &interpreters).grade(&mut worker, "forger", &submission).unwrap();
        let found = failed_cases(&report.cases);
        let verdict = |case: &str| found.get(case).map_or(Verdict::Passed, |case| case.verdict);
        assert_eq!((verdict("asks_nothing"), verdict("asks_values")), (nothing, values), "{forged}");
        let peak = memory.peak_since();
        assert!(peak < MOST_MEMORY, "{forged}: the harness took {peak} KiB");
        let reports = [Arc::new(report)];
        for format in report::formats::FORMATS {
            let text = format.write(&reports, &Options::default());
            assert!(text.len() < 200_000, "{}: {} bytes for {forged}", format.name, text.len());
        }
    }
}
