//! `--jobs`: where the workers run.

use super::{CASE, COUNTER, EXERCISE, library};
use crate::running::{folder, keur, write_files};
use rustix::thread::sched_getaffinity;

#[test]
fn as_many_workers_as_cores_keep_to_one_each() {
    let cores = sched_getaffinity(None).unwrap().count() as usize;
    let library = library(EXERCISE, CASE);
    let counter = format!("import os\n{COUNTER}");
    let counter = counter.replace("return self.n\n", "return self.n + len(os.sched_getaffinity(0)) - 1\n");
    let folder = folder(&[]);
    for name in 0..cores {
        write_files(folder.path(), &[(&format!("{name}/counter.py"), &counter)]);
    }
    let grade = |jobs: usize| {
        let (cases, folder) = (library.path().to_str().unwrap(), folder.path().to_str().unwrap());
        keur(&["grade", "--each", folder, "--cases", cases, "--jobs", &jobs.to_string()]).code
    };
    assert_eq!(grade(cores), 0);
    assert_eq!(grade(cores - cores / 2), i32::from(cores > 1));
}
