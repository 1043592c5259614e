//! The invariants of a submission that is a zip, whatever its bytes.

use keur_core::case::{Exercise, Library};
use keur_core::submission::FilesProblem;
use keur_core::submission::opened::open_zip;
use keur_core::value::SourceFile;
use std::path::{Component, Path};
use std::sync::LazyLock;

/// The most bytes of all files of a submission.
const MOST_BYTES: usize = 8 << 20;

static EXERCISE: LazyLock<Exercise> =
    LazyLock::new(|| Library::BuiltIn.describe("codenames").expect("a built-in exercise"));

pub(crate) fn check(bytes: &[u8]) {
    let read = || {
        let opened = open_zip(bytes.to_vec())?;
        let nothing = opened.nothing(&[&EXERCISE]);
        Ok((nothing, opened.submission(&EXERCISE)))
    };
    let opened: Result<_, FilesProblem> = read();
    assert_eq!(format!("{opened:?}"), format!("{:?}", read()));
    let Ok((_, submission)) = opened else { return };
    assert!(submission.skipped.len() <= 11);
    let Ok(found) = &submission.found else { return };
    let files = &found.bundle.files;
    assert!(files.iter().map(|file| file.bytes.len()).sum::<usize>() <= MOST_BYTES);
    for SourceFile { name, .. } in files {
        assert!(Path::new(name).components().all(|part| matches!(part, Component::Normal(_))), "{name:?}");
    }
}
