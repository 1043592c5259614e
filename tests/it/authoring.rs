//! The page about writing cases works as it is written.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod walk;

#[test]
fn each_step_of_the_page_about_writing_cases_works() {
    let place = tempfile::tempdir().unwrap();
    walk::walk(include_str!("../docs/authoring.md"), place.path(), 25);
}
