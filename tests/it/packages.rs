//! Exercises that allow packages: which a submission may import, with a virtual environment made here.

use crate::grading::{self, all_launchers, grade};
use crate::running::{folder, write_files};
use keur_core::adapter::Launcher;
use keur_core::case::Loaded;
use keur_core::compare::{LoadMistake, Mistake, Verdict};
use keur_core::event::SubmissionReport;
use keur_core::grade::Worker;
use keur_core::judge::GradeError;
use keur_core::languages::{Interpreters, python};
use keur_core::named::Named;
use keur_sandbox::Tier;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A virtual environment with packages of its own: `counting`, which needs `deeper`; and `other`, which
/// nothing needs.
fn environment() -> PathBuf {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    let folder = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        #[cfg(unix)]
        fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let found = Interpreters::default().find(&python::LANGUAGE).unwrap();
        let made = Command::new(found.program).args(["-m", "venv", "--without-pip"]).arg(folder.path()).output();
        let made = made.unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let packages = fs::read_dir(folder.path().join("lib")).unwrap().next().unwrap().unwrap();
        let packages = packages.path().join("site-packages");
        let files = [
            (
                "counting/__init__.py",
                "import deeper.most\nfrom importlib.metadata import version\nVERSION = version('Counting-Tool')\n\
                 def double(n):\n    import counting.late\n    return deeper.most.double(n) + counting.late.ZERO\n",
            ),
            ("counting/late.py", "ZERO = 0\n"),
            ("deeper/__init__.py", ""),
            ("deeper/most.py", "def double(n):\n    return 2 * n\n"),
            ("other.py", "SECRET = 5\n"),
            ("broken/__init__.py", "raise ImportError('it is broken')\n"),
            ("alone/__init__.py", "ONE = 1\n"),
        ];
        write_files(&packages, &files);
        // What pip writes beside a package.
        for (name, version, needs, files) in [
            ("Counting_Tool", "1.5", "Requires-Dist: deeper>=1\nRequires-Dist: other; extra == 'more'\n", "counting"),
            ("deeper", "1.0", "", "deeper"),
        ] {
            let info = packages.join(format!("{name}-{version}.dist-info"));
            fs::create_dir(&info).unwrap();
            let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}");
            fs::write(info.join("METADATA"), metadata).unwrap();
            let record = format!("{files}/__init__.py,,\n{name}-{version}.dist-info/METADATA,,\n../../../bin/x,,\n");
            fs::write(info.join("RECORD"), record).unwrap();
        }
        folder
    });
    folder.path().join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// An exercise of two cases that allows these packages, a list in TOML.
fn load(packages: &str) -> Result<Loaded, String> {
    let exercise = format!(
        "title = \"Packages\"\nsession = \"python\"\n[files]\npython = [\"it.py\"]\n[function]\nf = {{ args = [\"n\"] }}\n\
         [packages]\n{packages}\n"
    );
    let folder = folder(&[("exercise.toml", &exercise)]);
    for (name, files) in [("first", ""), ("second", ""), ("with_files", "[input_files]\na = 'b'\n")] {
        let case = format!("title = \"{name}\"\n{files}[[step]]\ndo = \"f(3)\"\nreturns = 6\n");
        write_files(folder.path(), &[(&format!("{name}.toml"), &case)]);
    }
    grading::load(folder.path())
}

fn grade_on(
    python: &Path,
    launcher: Launcher,
    packages: &str,
    text: &str,
) -> Result<SubmissionReport, GradeError> {
    let loaded = load(packages).unwrap();
    let folder = folder(&[("it.py", text)]);
    let mut interpreters = Interpreters::default();
    interpreters.name(python::LANGUAGE.engines[0], python.to_owned());
    grade(&loaded, folder.path(), &mut Worker::new(launcher), &interpreters)
}

/// Grades a submission in each tier; `wrong` is what its cases fail by.
#[track_caller]
fn check(packages: &str, text: &str, wrong: Option<(Verdict, Mistake)>) {
    for launcher in all_launchers() {
        let tier = launcher.tier().name();
        let report = grade_on(&environment(), launcher, packages, text)
            .unwrap_or_else(|fault| panic!("{tier}: {fault}"));
        for case in &report.cases {
            let found = case.finding.as_deref().map(|finding| (finding.verdict, finding.mistake.clone()));
            assert_eq!(found, wrong, "{tier}: {case:?}");
        }
    }
}

#[test]
fn a_submission_imports_the_packages_of_the_exercise() {
    let text =
        "import counting\n\ndef f(n):\n    assert counting.VERSION == '1.5'\n    return counting.double(n)\n";
    // By the name that pip installs, or that of the module.
    check("python = [\"counting-tool\"]", text, None);
    check("python = [\"counting\"]", text, None);
    let alone =
        "import alone\nfrom deeper.most import double\n\ndef f(n):\n    return double(n) * alone.ONE\n";
    check("python = [\"alone\", \"deeper\"]", alone, None);
}

#[test]
fn a_package_that_is_not_allowed_is_named() {
    let barred = |name: &str| {
        Some((Verdict::LoadError, Mistake::Load(LoadMistake::NotAllowed { name: name.to_owned() })))
    };
    for (line, name) in
        [("import other", "other"), ("from alone import ONE", "alone"), ("import broken.x", "broken")]
    {
        check("python = [\"deeper\"]", &format!("{line}\n\ndef f(n):\n    return 6\n"), barred(name));
    }
    // What is not installed either is no different from anywhere else.
    let missing = Mistake::Load(LoadMistake::NoModule { name: "nowhere".to_owned() });
    check(
        "python = [\"deeper\"]",
        "import nowhere\n\ndef f(n):\n    return 6\n",
        Some((Verdict::LoadError, missing)),
    );
    let caught = "try:\n    import other\nexcept ImportError:\n    other = None\n\ndef f(n):\n    return 0 if other else 6\n";
    check("python = [\"deeper\"]", caught, None);
}

#[test]
fn a_submissions_own_file_comes_before_a_package() {
    let loaded = "import other\n\ndef f(n):\n    return 6\n";
    for launcher in all_launchers() {
        let folder = folder(&[("it.py", loaded), ("other.py", "OWN = 1\n")]);
        let exercise = load("python = [\"deeper\"]").unwrap();
        let mut interpreters = Interpreters::default();
        interpreters.name(python::LANGUAGE.engines[0], environment());
        let report = grade(&exercise, folder.path(), &mut Worker::new(launcher), &interpreters);
        assert_eq!(report.unwrap().passed_cases(), 3);
    }
}

#[test]
fn no_other_package_can_be_read_when_confined() {
    let text = "import deeper, os\n\ndef f(n):\n    folder = os.path.dirname(os.path.dirname(deeper.__file__))\n    \
                read = []\n    for name in ('other.py', 'broken/__init__.py', 'deeper/most.py'):\n        try:\n            \
                read.append(len(open(os.path.join(folder, name)).read()) > 0)\n        except OSError:\n            \
                read.append(None)\n    return 6 if read == [None, None, True] else read\n";
    for launcher in all_launchers().into_iter().filter(|launcher| launcher.tier() != Tier::Portable) {
        let report = grade_on(&environment(), launcher, "python = [\"deeper\"]", text).unwrap();
        assert_eq!(report.passed_cases(), 3, "{:?}", report.cases);
    }
}

#[test]
fn a_package_that_the_machine_lacks_is_no_fault_of_the_submission() {
    let python = environment();
    let text = "import counting\n\ndef f(n):\n    return 6\n";
    let packages = "python = [\"counting\", \"nowhere\", \"no-where\"]";
    for launcher in all_launchers() {
        let fault = grade_on(&python, launcher, packages, text).unwrap_err();
        let program = python.display();
        let said = format!(
            "the exercise needs `nowhere`, `no-where`, which {program} does not have: install with \
             `{program} -m pip install nowhere no-where`, or name a Python that has it with --python"
        );
        assert_eq!(fault.to_string(), said);
    }
    // One that is there but cannot be loaded.
    let broken =
        grade_on(&python, Launcher::new(Tier::Standard, 0), "python = [\"broken\"]", text).unwrap_err();
    assert!(broken.to_string().contains("ImportError: it is broken"), "{broken}");
}

#[test]
fn wrong_packages_are_errors_with_their_place() {
    for (packages, said) in [
        (
            "javascript = [\"lodash\"]",
            "8:1: packages of `javascript` are not supported; only `python` can have packages",
        ),
        ("python = [\"--index-url\"]", "8:11: `--index-url` is not the name of a package"),
        ("python = [\"numpy>=1\"]", "8:11: `numpy>=1` is not the name of a package"),
        ("python = 3", "8:10: `python` cannot be a number"),
    ] {
        let error = load(packages).unwrap_err();
        assert!(error.contains(said), "{packages}: {error}");
    }
}
