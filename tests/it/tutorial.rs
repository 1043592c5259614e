//! The tutorial works as it is written.

use crate::running::assert_says;
use std::fs;

#[test]
fn each_step_of_the_tutorial_works() {
    let place = tempfile::tempdir().unwrap();
    crate::walk::walk(include_str!("../../docs/tutorial.md"), place.path(), 21);
    let page = fs::read_to_string(place.path().join("report/index.html")).unwrap();
    assert_says(&page, "Temperatures");
    let points = fs::read_to_string(place.path().join("points.csv")).unwrap();
    assert!(points.lines().any(|line| line.contains("an")), "{points}");
}
