//! `keur check --watch`: checks again when a file changes.

use super::problem::Problem;
use super::{CheckArgs, Checked, check_all};
use crate::cli::error::CliError;
use crate::cli::output::{self, plural};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

/// The time between two looks at the files: too short for a person to notice.
const PAUSE: Duration = Duration::from_millis(100);

/// The deepest folder below a given one that is looked at, and the most files: a person writes fewer.
const MOST_DEPTH: usize = 5;
const MOST_FILES: usize = 10_000;

/// The state of the files: when each was changed last, and its size.
type FileStates = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Checks, and checks again whenever a file changes, until the program is ended.
///
/// # Errors
/// There is no file to watch.
pub(super) fn watch(args: &CheckArgs) -> Result<std::convert::Infallible, CliError> {
    if args.paths.is_empty() || args.is_stdin() {
        return Err(CliError::Usage("name the files or folders to watch: keur check --watch DIR".to_owned()));
    }
    if let Some(missing) = args.paths.iter().find(|path| !path.exists()) {
        return Err(CliError::Usage(format!("{}: there is no such file or folder", missing.display())));
    }
    let mut states = file_states(&args.paths);
    let mut checked = check_all(args);
    super::show(&checked);
    output::err("watching; Ctrl-C ends\n");
    loop {
        thread::sleep(PAUSE);
        let now = file_states(&args.paths);
        if now == states {
            continue;
        }
        let changed = changed(&states, &now);
        states = now;
        let again = check_all(args);
        output::out(&news(&changed, &checked, &again));
        checked = again;
    }
}

/// The files below the paths, and those of the exercise around a case.
fn file_states(paths: &[PathBuf]) -> FileStates {
    let around = |path: &PathBuf| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if path.is_dir() { path.clone() } else { folder.to_owned() }
    };
    let files = paths.iter().flat_map(|path| WalkDir::new(around(path)).max_depth(MOST_DEPTH));
    let files = files.take(MOST_FILES).flatten().filter(|entry| entry.file_type().is_file());
    files
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some((entry.into_path(), (metadata.modified().ok(), metadata.len())))
        })
        .collect()
}

/// The files that are not as they were.
fn changed(before: &FileStates, now: &FileStates) -> Vec<PathBuf> {
    let all = before.keys().chain(now.keys().filter(|path| !before.contains_key(*path)));
    all.filter(|path| before.get(*path) != now.get(*path)).cloned().collect()
}

/// The difference between two checks: new problems in full, those that are gone on a line each, and a total.
fn news(changed: &[PathBuf], before: &Checked, now: &Checked) -> String {
    let files: Vec<String> = changed.iter().map(|path| path.display().to_string()).collect();
    let mut text = format!("\n{}:\n", files.join(", "));
    let is_in =
        |checked: &Checked, problem: &Problem| checked.problems.iter().any(|other| other.is_same(problem));
    for problem in before.problems.iter().filter(|problem| !is_in(now, problem)) {
        let file = problem.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
        text += &format!("fixed: {file}{}\n", problem.message);
    }
    for problem in now.problems.iter().filter(|problem| !is_in(before, problem)) {
        text += &problem.text;
    }
    let left = now.problems.len();
    text + &match left {
        0 => format!("no problem in {} {}\n", now.cases(), plural(now.cases(), "case")),
        _ => format!("{left} {}\n", plural(left, "problem")),
    }
}

#[cfg(test)]
mod tests {
    use super::{changed, file_states};
    use std::fs;

    #[test]
    fn a_file_that_is_new_changed_or_gone_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["kept.toml", "longer.toml", "gone.toml"] {
            fs::write(path(name), "x").unwrap();
        }
        let of_file = [path("kept.toml")];
        let before = file_states(&of_file);
        fs::write(path("longer.toml"), "xy").unwrap();
        fs::remove_file(path("gone.toml")).unwrap();
        fs::write(path("new.toml"), "").unwrap();
        let now = file_states(&[folder.path().to_owned()]);
        assert_eq!(changed(&before, &now), [path("gone.toml"), path("longer.toml"), path("new.toml")]);
        assert!(changed(&now, &now).is_empty());
    }
}
