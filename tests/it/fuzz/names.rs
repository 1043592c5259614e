//! The invariants of sorting out a download by the names of its files, whatever students call theirs.

use keur::class::{NamedBy, sort_by_name};

/// The numbers of the students.
const STUDENTS: std::ops::Range<usize> = 101..105;

/// The most files of a download.
const MOST_FILES: usize = 200;

/// The name that a platform gives to a file of the student with this number.
fn written(platform: &str, number: usize, own: &str) -> String {
    match platform {
        "moodle" => format!("Bo {number} Li_{number}_assignsubmission_file_{own}"),
        "canvas" => format!("li{number}bo_LATE_{number}_90{number}_{own}"),
        "blackboard" => format!("Lab_2 Codenames_{number}_attempt_2026-11-03-10-12-33_{own}"),
        _ => format!("{number}-7 - Bo {number} Li - 3 November 2026 758 PM - {own}"),
    }
}

/// Checks names that a zero separates: those of a whole download, and those that students gave to their own
/// files in one of each platform.
pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let own: Vec<String> =
        text.split('\0').filter(|name| !name.is_empty()).take(MOST_FILES).map(str::to_owned).collect();
    let roster: Vec<String> = STUDENTS.map(|number| number.to_string()).collect();
    if let Some((_, files)) = sort_by_name(&own, &roster, None) {
        let mut found: Vec<String> = files.into_iter().map(|file| file.name).collect();
        let mut names = own.clone();
        found.sort();
        names.sort();
        assert_eq!(found, names, "each file is sorted out once");
    }
    for platform in ["moodle", "canvas", "blackboard", "brightspace"] {
        // Each student has an honest file beside those that have names of their own.
        let mut names: Vec<(usize, String)> =
            STUDENTS.map(|number| (number, written(platform, number, "a.py"))).collect();
        names.extend(own.iter().enumerate().map(|(index, own)| {
            let number = STUDENTS.start + index % STUDENTS.len();
            (number, written(platform, number, own))
        }));
        let files: Vec<String> = names.iter().map(|(_, name)| name.clone()).collect();
        let (named_by, sorted) = sort_by_name(&files, &roster, None).expect("a platform named them all");
        assert_eq!(Some(named_by), NamedBy::from_name(platform));
        assert_eq!(sorted.len(), files.len());
        for file in sorted {
            let is_whose = |(number, name): &&(usize, String)| {
                *name == file.name && file.number.as_deref() == Some(&*number.to_string())
            };
            assert!(!file.is_doubtful && names.iter().any(|whose| is_whose(&whose)), "{file:?}");
        }
    }
}
