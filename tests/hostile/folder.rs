//! Folders of hostile files: only regular files in them are read, within a limit.

use super::alone;
use super::corpus::loaded;
use keur::run::failed_cases;
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::Settings;
use keur_core::languages::Interpreters;
use keur_core::submission::opened::Unopened;
use keur_core::submission::{self, FilesProblem};
use keur_sandbox::Tier;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Creates something at a path.
type Make = fn(&Path);

const HONEST: &str = "class Target:\n    def attack(self):\n        return 'refused'\n\n    def honest(self):\n        return 42\n";

/// Entries at `target.py` itself: each makes a folder without a source, or with one that is too large.
const UNREADABLE: &[(&str, Make)] = &[
    ("a link to a file outside", |path| symlink("/etc/passwd", path).unwrap()),
    ("a link to itself", |path| symlink("target.py", path).unwrap()),
    ("a link to a device", |path| symlink("/dev/zero", path).unwrap()),
    ("a pipe with a name", fifo),
    ("a socket", |path| drop(std::os::unix::net::UnixListener::bind(path).unwrap())),
    ("a folder", |path| fs::create_dir(path).unwrap()),
    ("a file of a terabyte", |path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap()),
];

/// Entries beside an honest `target.py`.
const BESIDE: &[(&str, Make)] = &[
    ("a link to the root", |path| symlink("/", path).unwrap()),
    ("a link to the folder above", |path| symlink("..", path).unwrap()),
    ("a pipe with a name", fifo),
    ("a thousand folders deep", |path| fs::create_dir_all(path.join("a/".repeat(1000))).unwrap()),
];

fn fifo(path: &Path) {
    rustix::fs::mknodat(
        rustix::fs::CWD,
        path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
}

/// The verdicts on a folder filled by `make`, of each case in order.
fn graded(make: impl FnOnce(&Path)) -> Vec<Verdict> {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let loaded = loaded();
    let (settings, interpreters) = (Settings::default(), Interpreters::default());
    let submission = submission::opened::open(folder.path()).unwrap().submission(&loaded.exercise);
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    let report =
        Grader::new(&loaded, &settings, &interpreters).grade(&mut worker, "folder", &submission).unwrap();
    assert!(failed_cases(&report.cases).contains_key(super::SECRET));
    report.cases.iter().map(|case| case.verdict).collect()
}

#[test]
fn only_regular_files_are_sources() {
    let _alone = alone();
    for (what, make) in UNREADABLE {
        let verdicts = graded(|folder| make(&folder.join("target.py")));
        assert!(
            verdicts.iter().all(|verdict| *verdict == Verdict::LoadError || *verdict == Verdict::NotRun),
            "{what}: {verdicts:?}"
        );
    }
}

#[test]
fn a_folder_of_more_files_than_are_looked_at_is_refused_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    (0..30_000).for_each(|i| drop(fs::File::create(folder.path().join(format!("{i}.txt"))).unwrap()));
    let refused = submission::opened::open(folder.path()).err().unwrap();
    assert!(matches!(refused, Unopened::Problem(FilesProblem::TooMany { .. })), "{refused}");
}

#[test]
fn files_beside_a_source_are_passed_over() {
    let _alone = alone();
    for (what, make) in BESIDE {
        let verdicts = graded(|folder| {
            fs::write(folder.join("target.py"), HONEST).unwrap();
            make(&folder.join("beside"));
        });
        let honest = [Verdict::Passed, Verdict::Passed, Verdict::Passed, Verdict::WrongValue];
        assert_eq!(verdicts, honest, "{what}");
    }
}

#[test]
fn imports_among_many_files_are_looked_up_at_once() {
    let _alone = alone();
    let verdicts = graded(|folder| {
        let imports: String = (0..40_000).map(|index| format!("    import m{index}\n")).collect();
        fs::write(folder.join("target.py"), format!("if False:\n{imports}\n\n{HONEST}")).unwrap();
        (0..15_000).for_each(|index| drop(fs::File::create(folder.join(format!("n{index}.py"))).unwrap()));
        fs::write(folder.join("m39999.py"), imports).unwrap();
    });
    assert_eq!(verdicts[..2], [Verdict::Passed; 2]);
}

#[test]
fn an_import_does_not_follow_a_link() {
    let _alone = alone();
    let verdicts = graded(|folder| {
        fs::write(folder.join("target.py"), format!("import passwords\n\n\n{HONEST}")).unwrap();
        symlink("/etc/passwd", folder.join("passwords.py")).unwrap();
    });
    assert!(verdicts.iter().all(|verdict| *verdict != Verdict::Passed), "{verdicts:?}");
}
