//! The fixtures, and grading all of them.

use keur::adapter::Hosts;
use keur::case::{Library, Loaded};
use keur::compare::Verdict;
use keur::driver::Interpreters;
use keur::event::SubmissionReport;
use keur::grade::{Grader, Settings};
use keur::submission;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The case that expects what no submission can know.
pub(super) const SECRET: &str = "secret";

/// What the cases of a fixture came to that did not pass: the verdict and the step.
pub(super) type Outcomes = BTreeMap<String, (Verdict, usize)>;

pub(super) struct Fixture {
    pub(super) path: PathBuf,
    /// Whether it may only run where it is confined.
    pub(super) confined: bool,
    expected: Outcomes,
    /// Where the embedded engine gives other outcomes than node: it has no modules that reach the system.
    embedded: Option<Outcomes>,
    sidecar: PathBuf,
}

/// What runs the fixtures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Engines {
    /// The interpreters that the machine has.
    Machine,
    /// The engine that keur carries, for what it can run.
    Embedded,
    /// Java, which is not on every machine.
    #[cfg_attr(not(feature = "external-tests"), expect(dead_code, reason = "its tests need a JDK"))]
    Java,
}

impl Engines {
    pub(super) fn interpreters(self) -> Interpreters {
        let mut interpreters = Interpreters::default();
        if self == Engines::Embedded {
            let quickjs = keur::driver::engines().find(|engine| engine.engine == "quickjs").unwrap();
            interpreters.choose(quickjs);
            interpreters.name(quickjs, keur());
        }
        interpreters
    }
}

/// The program `keur`: where it was built, or where a plain user can reach a copy.
fn keur() -> PathBuf {
    match std::env::var_os("KEUR_TEST_ROOT") {
        Some(root) => PathBuf::from(root).join("keur"),
        None => PathBuf::from(env!("CARGO_BIN_EXE_keur")),
    }
}

/// Where the fixtures lie: in the repository, or where a plain user can read a copy of them.
pub(super) fn root() -> PathBuf {
    std::env::var_os("KEUR_TEST_ROOT")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Copies this test, keur and the fixtures to `folder`, where every user can reach them: the program and the new root.
pub(super) fn copy_for_all(folder: &Path) -> PathBuf {
    let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    open(folder, 0o755);
    for entry in walkdir::WalkDir::new(root().join("fixtures/hostile")) {
        let entry = entry.unwrap();
        let copy = folder.join(entry.path().strip_prefix(root()).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&copy).unwrap();
            open(&copy, 0o755);
        } else {
            fs::copy(entry.path(), &copy).unwrap();
            open(&copy, 0o644);
        }
    }
    open(&folder.join("fixtures"), 0o755);
    for (program, name) in [(keur(), "keur"), (std::env::current_exe().unwrap(), "test")] {
        fs::copy(program, folder.join(name)).unwrap();
        open(&folder.join(name), 0o755);
    }
    folder.join("test")
}

/// The exercise that the fixtures answer.
pub(super) fn loaded() -> Loaded {
    let folder = root().join("fixtures/hostile/cases");
    Library::Folder(folder).load("target").unwrap()
}

pub(super) fn fixtures(engines: Engines) -> Vec<Fixture> {
    let root = root().join("fixtures/hostile/submissions");
    let mut fixtures = Vec::new();
    let (languages, fewest): (&[&str], usize) = match engines {
        Engines::Machine => (&["python", "javascript"], 50),
        Engines::Embedded => (&["javascript"], 50),
        Engines::Java => (&["java"], 35),
    };
    for language in languages {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(root.join(language)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_none_or(|ending| ending != "toml"));
        assert!(paths.len() >= fewest, "{language}: the corpus is there");
        fixtures.extend(paths.into_iter().map(Fixture::read));
    }
    fixtures
}

impl Fixture {
    fn read(path: PathBuf) -> Fixture {
        let sidecar = path.with_extension("toml");
        let text =
            fs::read_to_string(&sidecar).unwrap_or_else(|error| panic!("{}: {error}", sidecar.display()));
        let table: toml::Table =
            text.parse().unwrap_or_else(|error| panic!("{}: {error}", sidecar.display()));
        for key in table.keys() {
            let known = ["attack", "confined", "verdicts", "embedded"].contains(&key.as_str());
            assert!(known, "{}: unknown key {key}", sidecar.display());
        }
        assert!(table.contains_key("attack"), "{}: it says what is tried", sidecar.display());
        let confined = table.get("confined").is_some_and(|confined| confined.as_bool().unwrap());
        let outcomes = |name: &str| -> Option<Outcomes> {
            let verdicts = table.get(name)?.as_table().unwrap().clone();
            let outcomes = verdicts.into_iter().map(|(case, outcome)| {
                let verdict =
                    outcome.get("verdict").and_then(toml::Value::as_str).and_then(Verdict::from_name);
                let verdict =
                    verdict.unwrap_or_else(|| panic!("{}: {case}: no such verdict", sidecar.display()));
                let step = outcome.get("step").and_then(toml::Value::as_integer).unwrap_or(0);
                (case, (verdict, usize::try_from(step).unwrap()))
            });
            Some(outcomes.collect())
        };
        let (expected, embedded) = (outcomes("verdicts").unwrap_or_default(), outcomes("embedded"));
        Fixture { expected, embedded, path, sidecar, confined }
    }

    /// What is expected of it on these engines.
    pub(super) fn expected(&self, engines: Engines) -> &Outcomes {
        match (engines, &self.embedded) {
            (Engines::Embedded, Some(embedded)) => embedded,
            (Engines::Embedded, None) | (Engines::Machine | Engines::Java, _) => &self.expected,
        }
    }

    /// Whether some case of it ends in this verdict.
    pub(super) fn expects(&self, verdict: Verdict) -> bool {
        self.expected.values().any(|(expected, _)| *expected == verdict)
    }

    pub(super) fn bless(&self, found: &Outcomes, engines: Engines) {
        if engines == Engines::Embedded && *found == self.expected && self.embedded.is_none() {
            return;
        }
        let text = fs::read_to_string(&self.sidecar).unwrap();
        let head = text.split("\n\n[").next().unwrap().trim_end();
        let tables = match engines {
            Engines::Machine | Engines::Java => {
                [("verdicts", Some(found)), ("embedded", self.embedded.as_ref())]
            }
            Engines::Embedded => [("verdicts", Some(&self.expected)), ("embedded", Some(found))],
        };
        let mut new = head.to_owned() + "\n";
        for (name, outcomes) in tables.into_iter().filter_map(|(name, found)| Some((name, found?))) {
            new.push_str(&format!("\n[{name}]\n"));
            for (case, (verdict, step)) in outcomes {
                let step = if *step == 0 { String::new() } else { format!(", step = {step}") };
                new.push_str(&format!("{case} = {{ verdict = \"{verdict}\"{step} }}\n"));
            }
        }
        fs::write(&self.sidecar, new).unwrap();
    }
}

/// The reports of all fixtures, graded by two threads. That this returns shows that no attack ends the run.
pub(super) fn grade_all(
    hosts: impl Fn() -> Hosts + Sync,
    loaded: &Loaded,
    fixtures: &[Fixture],
    interpreters: &Interpreters,
) -> Vec<SubmissionReport> {
    let settings = Settings::default();
    let next = AtomicUsize::new(0);
    let reports: Mutex<BTreeMap<usize, SubmissionReport>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut hosts = hosts();
                let grader = Grader::new(loaded, &settings, interpreters);
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(fixture) = fixtures.get(index)
                {
                    let submission = submission::open(&fixture.path).unwrap().submission(&loaded.exercise);
                    let report = grader
                        .grade(&mut hosts, "fixture", &submission)
                        .unwrap_or_else(|fault| panic!("{}: {fault}", fixture.path.display()));
                    reports.lock().unwrap().insert(index, report);
                }
            });
        }
    });
    reports.into_inner().unwrap().into_values().collect()
}

pub(super) fn outcomes(report: &SubmissionReport) -> Outcomes {
    let failed = report.cases.iter().filter(|case| case.verdict != Verdict::Passed);
    failed
        .map(|case| {
            (case.name.clone(), (case.verdict, case.finding.as_ref().map_or(0, |finding| finding.step)))
        })
        .collect()
}
