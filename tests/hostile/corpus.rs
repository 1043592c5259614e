//! The attacks, and how to grade all of them.

use crate::verdicts::{self, Fixture, Layout};
use keur::run::FailedCases;
use keur::run::build::{BuildSettings, Builder};
use keur_core::adapter::Launcher;
use keur_core::case::{Library, Loaded};
use keur_core::compare::Verdict;
use keur_core::event::SubmissionReport;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::{Isolation, Settings};
use keur_core::languages::Interpreters;
use keur_core::submission::{self, Submission};
use keur_sandbox::{Cancel, Tier, Tools};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The threads that grade; more than there are cores, because many attacks only wait.
const THREADS: usize = 6;

/// The case whose expected value no submission can know.
pub(super) const SECRET: &str = "secret";

/// The keys of an attack's entry.
const LAYOUT: Layout = Layout {
    keys: &["attack", "confined"],
    tables: &["fails", "embedded"],
    example: "attack = \"what it tries\"\n",
    bless: "KEUR_BLESS=1 cargo test --test hostile",
};

/// A submission that attacks.
pub(super) struct Attack {
    fixture: Fixture,
    /// Whether it may only run confined.
    pub(super) confined: bool,
    fails: FailedCases,
}

/// The engines that run the fixtures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Engines {
    /// The interpreters of the machine.
    Machine,
    /// The embedded engine, for what it can run.
    Embedded,
    /// Java, which not every machine has.
    Java,
    /// The compiler of C++, which not every machine has either.
    Cpp,
    /// The compilers of C and C++.
    C,
}

impl Engines {
    pub(super) fn interpreters(self) -> Interpreters {
        let mut interpreters = Interpreters::default();
        if self == Engines::Embedded {
            let quickjs = keur_core::languages::engines().find(|engine| engine.name == "quickjs").unwrap();
            interpreters.choose(quickjs);
            interpreters.name(quickjs, keur());
        }
        interpreters
    }
}

/// The program `keur`: as built, or a copy that a plain user can reach.
fn keur() -> PathBuf {
    match std::env::var_os("KEUR_TEST_ROOT") {
        Some(root) => PathBuf::from(root).join("keur"),
        None => PathBuf::from(env!("CARGO_BIN_EXE_keur")),
    }
}

/// The folder of the fixtures: in the repository, or a copy that a plain user can read.
pub(super) fn root() -> PathBuf {
    std::env::var_os("KEUR_TEST_ROOT")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Copies this test, keur and the fixtures to `folder`, readable by every user; returns the path of the copied
/// test program.
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
    loaded_for(Engines::Machine)
}

/// The exercise that the fixtures for these engines answer: in C it has functions, and no class.
pub(super) fn loaded_for(engines: Engines) -> Loaded {
    exercise_in("fixtures/hostile/cases", if engines == Engines::C { "functions" } else { "target" })
}

/// The exercise `name` of a folder below [`root`].
pub(super) fn exercise_in(folder: &str, name: &str) -> Loaded {
    Library::Folder(root().join(folder)).load(name).unwrap()
}

/// The attacks in the languages that these engines run.
pub(super) fn attacks(engines: Engines) -> Vec<Attack> {
    let (languages, fewest): (&[&str], usize) = match engines {
        Engines::Machine => (&["python", "javascript"], 50),
        Engines::Embedded => (&["javascript"], 50),
        Engines::Java => (&["java"], 35),
        Engines::Cpp => (&["cpp"], 40),
        Engines::C => (&["c"], 80),
    };
    attacks_of("fixtures/hostile/submissions", languages, fewest)
}

/// The attacks in the folders of these languages, at least `fewest` in each.
pub(super) fn attacks_of(folder: &str, languages: &[&str], fewest: usize) -> Vec<Attack> {
    let root = root().join(folder);
    let mut attacks = Vec::new();
    for language in languages {
        let fixtures =
            verdicts::read(&root.join(language), &LAYOUT).unwrap_or_else(|error| panic!("{error}"));
        assert!(fixtures.len() >= fewest, "{language}: fewer than {fewest} attacks");
        attacks.extend(fixtures.into_iter().map(Attack::new));
    }
    attacks
}

impl Attack {
    fn new(fixture: Fixture) -> Attack {
        assert!(
            fixture.plain.contains_key("attack"),
            "{}: its entry has no `attack`",
            fixture.path.display()
        );
        let confined = fixture.plain.get("confined").is_some_and(|confined| confined.as_bool().unwrap());
        let fails = fixture.table("fails").cloned().unwrap_or_default();
        Attack { fixture, confined, fails }
    }

    /// The file or folder of the submission.
    pub(super) fn path(&self) -> &Path {
        &self.fixture.path
    }

    /// The cases that the attack must fail on these engines.
    ///
    /// The embedded engine has a list of its own, because it has no modules that reach the system.
    pub(super) fn expected(&self, engines: Engines) -> &FailedCases {
        match engines {
            Engines::Embedded => self.fixture.table("embedded").unwrap_or(&self.fails),
            Engines::Machine | Engines::Java | Engines::Cpp | Engines::C => &self.fails,
        }
    }

    /// Whether a case of the attack must end in this verdict.
    pub(super) fn expects(&self, verdict: Verdict) -> bool {
        self.fails.values().any(|case| case.verdict == verdict)
    }

    /// The differences between expected and actual results, a sentence each.
    pub(super) fn differences(&self, expected: &FailedCases, found: &FailedCases) -> Vec<String> {
        self.fixture.differences(expected, found)
    }

    /// Writes the results into the attack's entry.
    pub(super) fn bless(&self, found: &FailedCases, engines: Engines) {
        match engines {
            Engines::Machine | Engines::Java | Engines::Cpp | Engines::C => {
                self.fixture.bless("fails", found)
            }
            Engines::Embedded if found == self.expected(engines) => {}
            Engines::Embedded => self.fixture.bless("embedded", found),
        }
    }
}

/// What becomes of each item, in their order. Each thread has a state of its own.
fn each<I: Sync, S, R: Send>(
    items: &[I],
    state: impl Fn() -> S + Sync,
    of: impl Fn(&mut S, &I) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, R>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut state = state();
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(index)
                {
                    let result = of(&mut state, item);
                    results.lock().unwrap().insert(index, result);
                }
            });
        }
    });
    results.into_inner().unwrap().into_values().collect()
}

/// The submissions of all attacks, in their order, built where their language asks for that.
pub(super) fn submissions(loaded: &Loaded, attacks: &[Attack]) -> Vec<Submission> {
    let builder = Builder::new(BuildSettings::new(Tools::on_path(&[])), Tier::default(), Cancel::default());
    each(
        attacks,
        || (),
        |(), attack| {
            let opened = submission::opened::open(attack.path()).unwrap();
            builder.submission(opened, &loaded.exercise).unwrap()
        },
    )
}

/// The reports of all submissions, in their order. If this returns, no attack ended the run.
pub(super) fn grade_all(
    launcher_of: impl Fn() -> Launcher + Sync,
    loaded: &Loaded,
    submissions: &[&Submission],
    interpreters: &Interpreters,
    isolation: Isolation,
) -> Vec<SubmissionReport> {
    let settings = Settings { isolation, ..Settings::default() };
    let grader = || (Worker::new(launcher_of()), Grader::new(loaded, &settings, interpreters));
    each(submissions, grader, |(worker, grader), submission| {
        grader.grade(worker, "fixture", submission).unwrap_or_else(|fault| panic!("{submission:?}: {fault}"))
    })
}
