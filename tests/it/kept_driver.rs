//! Tests that the compiled driver of Python is kept where no submission reaches it.

use crate::running::{Run, folder, keur_command, run, write_files};
use std::fs;
use std::path::{Path, PathBuf};

const EXERCISE: &str = "title = \"Lists\"\nsession = \"python\"\nfiles = { python = [\"lists.py\"] }\n\
                        [function.entries]\nargs = [\"path\"]\n";

/// Grades the submission in `course`, with this cache.
fn grade(course: &Path, cache: &Path, tier: &str) -> Run {
    let path = |name: &str| course.join(name).display().to_string();
    let file = path("lists.py");
    let cases = path("cases");
    let args = ["grade", &file, "--cases", &cases, "--confine", tier, "--lang", "en"];
    run(keur_command(&args).env("XDG_CACHE_HOME", cache))
}

/// The drivers in a cache.
fn kept(cache: &Path) -> Vec<PathBuf> {
    let Ok(files) = cache.join("keur/python").read_dir() else { return Vec::new() };
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn the_driver_is_kept_where_no_submission_reads_or_writes() {
    let course = folder(&[("cases/lists/exercise.toml", EXERCISE), ("lists.py", "")]);
    let cache = folder(&[]);
    let place = cache.path().join("keur/python");
    let case = format!(
        "title = \"Nothing is seen\"\n[[step]]\ndo = \"entries('{}')\"\nreturns = ['not read', 'not written']\n",
        place.display()
    );
    let tries = "import os\n\ndef tried(action, refused):\n    try:\n        action()\n    except OSError:\n        \
                 return refused\n    return 'done'\n\ndef entries(path):\n    \
                 return [tried(lambda: os.listdir(path), 'not read'),\n            \
                 tried(lambda: open(path + '/x', 'w'), 'not written')]\n";
    write_files(course.path(), &[("cases/lists/seen.toml", &case), ("lists.py", tries)]);
    // The portable tier confines nothing, and keeps nothing.
    let portable = grade(course.path(), cache.path(), "portable");
    assert!(portable.out.contains("lists") && kept(cache.path()).is_empty(), "{}", portable.all());
    let first = grade(course.path(), cache.path(), "standard");
    assert_eq!(first.code, 0, "{}", first.all());
    let files = kept(cache.path());
    assert_eq!(files.len(), 1, "{files:?}");
    let compiled = fs::read(&files[0]).unwrap();
    assert_eq!(grade(course.path(), cache.path(), "standard").out, first.out);
    // Nothing is kept where the submission may lie.
    let own = course.path().join("cache");
    assert_eq!(grade(course.path(), &own, "standard").out, first.out);
    assert!(kept(&own).is_empty());
    let part = course.path().join("part");
    write_files(&part, &[("lists.py", tries)]);
    let graded_in = |here: &Path| {
        let (file, cases) = (part.join("lists.py"), course.path().join("cases"));
        let mut command = keur_command(&["grade", "--confine", "standard", "--lang", "en", "--cases"]);
        command.arg(cases).arg(file).current_dir(here).env("XDG_CACHE_HOME", &own);
        assert_eq!(run(&mut command).code, 0);
        kept(&own).len()
    };
    // Nor in the working folder, or in the repository of the submission.
    assert_eq!(graded_in(course.path()), 0);
    write_files(course.path(), &[(".git/HEAD", "")]);
    assert_eq!(graded_in(cache.path()), 0);
    assert_eq!(graded_in(&part), 0);
    fs::remove_dir_all(course.path().join(".git")).unwrap();
    assert_eq!(graded_in(cache.path()), 1);
    // A damaged file is compiled again.
    fs::write(&files[0], &compiled[..compiled.len() / 2]).unwrap();
    assert_eq!(grade(course.path(), cache.path(), "standard").out, first.out);
    assert!(fs::read(&files[0]).unwrap() == compiled);
}
