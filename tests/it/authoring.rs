//! The page about writing cases works as it is written.

#[test]
fn each_step_of_the_page_about_writing_cases_works() {
    let place = tempfile::tempdir().unwrap();
    crate::walk::walk(include_str!("../../docs/authoring.md"), place.path(), 25);
}
